"""What a database holds, as far as it is told: tables, columns, keys. Plain values, as they come out of the worker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from agent.data.tables.cells import json_value, rows_text

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


_MOST_ROWS = 5_000
_MOST_CHARACTERS = 3_000_000
_MOST_CELLS = 1_000
_CHUNK = 200  # rows

Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Fetched:
    """``rows`` are the first of the result, ``more`` whether there are others."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    more: bool

    def answer(self, total: int | None) -> dict[str, Any]:
        """``total`` are all rows of the result, ``None`` where they were not counted."""
        columns = [{"name": name, "type": kind} for name, kind in self.columns]
        kept = len(self.rows)
        counted = kept if not self.more else total if total is not None else kept + 1
        whole = {"columns": columns, "rows": self.rows, "total": counted}
        cut = f" (only {kept:,} were kept for the person: ask for less, or count and sum in SQL)" if self.more else ""
        text = rows_text(self.columns, self.rows, total if self.more else kept, cut)
        return {**whole, "at_least": self.more and total is None, "text": text}


def fetched(
    columns: Sequence[tuple[str, str]], fetch: Callable[[int], Sequence[Row]], most: int = _MOST_ROWS
) -> Fetched:
    """What ``fetch``, which gives at most so many rows at a time, has, up to the bounds."""
    rows: list[Row] = []
    used = 0
    while chunk := fetch(_CHUNK):
        for row in chunk:
            cells = [json_value(cell) for cell in row[:_MOST_CELLS]]
            used += sum(len(cell) if isinstance(cell, str) else 8 for cell in cells)
            if len(rows) >= most or (rows and used > _MOST_CHARACTERS):
                return Fetched(tuple(columns[:_MOST_CELLS]), tuple(rows), more=True)
            rows.append(cells)
    return Fetched(tuple(columns[:_MOST_CELLS]), tuple(rows), more=False)
