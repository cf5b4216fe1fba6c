"""What a database holds, as far as it is told: tables, columns, keys. Plain values, as they come out of the worker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

MOST_TABLES = 500
MOST_COLUMNS = 200  # of a table
_LONGEST_NAME = 200


@dataclass(slots=True)
class TableCard:
    """``name`` as it is written in SQL, with its schema where it needs one; ``rows`` is about how many, -1 unknown.

    ``columns`` are (name, type); ``key`` the primary key; ``links`` are (columns, table, columns there).
    """

    name: str
    kind: str = "table"
    rows: int = -1
    columns: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    key: list[str] = field(default_factory=list[str])
    links: list[tuple[list[str], str, list[str]]] = field(default_factory=list[tuple[list[str], str, list[str]]])
    left_out: int = 0

    def add(self, column: str, kind: str) -> None:
        if len(self.columns) < MOST_COLUMNS:
            self.columns.append((column[:_LONGEST_NAME], kind[:_LONGEST_NAME]))
        else:
            self.left_out += 1


def card(version: str, tables: Iterable[TableCard], count: int) -> dict[str, Any]:
    """``count`` are all tables there are."""
    return {"version": version[:80], "tables": [asdict(table) for table in tables], "count": count}


def columns_of(card: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of the columns of each table of a card."""
    tables: Sequence[Mapping[str, Any]] = card["tables"]
    return {str(table["name"]): [str(column[0]) for column in table["columns"]] for table in tables}


def wanted(name: str, like: str) -> bool:
    """Whether a table is meant by ``like``: its name, a part of it, or "" for all."""
    return like.lower() in name.lower()
