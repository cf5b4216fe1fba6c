"""What a database holds (tables, columns, keys) and what it answers, as values and as text for a model.

Plain values, as they come out of the worker. Imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from agent.data.refusal import Refused
from agent.data.tables.cells import Card, bounded, fitting, one_line, rows_text, shared_budget

MOST_TABLES = 500
MOST_COLUMNS = 200  # of a table
_LONGEST_NAME = 200
_MOST_ROWS = 5_000
_MOST_CHARACTERS = 3_000_000
_MOST_CELLS = 1_000
_CHUNK = 200  # rows
Row = Sequence[Any]
Table = Mapping[str, Any]
# The line above the databases in a system prompt, alone on its line, whatever the prompt's language.
HEADING = "Connected databases:"
_LONGEST_TOLD = 80
_LONGEST_TYPE = 40


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


def fetched(columns: Sequence[tuple[str, str]], fetch: Callable[[int], Sequence[Row]]) -> Fetched:
    """What ``fetch``, which gives at most so many rows at a time, has, up to the bounds."""
    rows = (row[:_MOST_CELLS] for chunk in iter(lambda: fetch(_CHUNK), []) for row in chunk)
    kept, more = bounded(rows, _MOST_ROWS, _MOST_CHARACTERS)
    return Fetched(tuple(columns[:_MOST_CELLS]), tuple(kept), more)


def cards_text(cards: Sequence[Card], budget: int = 8_000) -> str:
    """All databases, the budget shared."""
    return shared_budget(cards, lambda card: len(card.get("tables", ())), card_text, 400, budget)


def card_text(card: Card, budget: int = 6_000) -> str:
    """One database, in at most about ``budget`` characters: types go first, then columns, then tables.

    Where something is left out, the text says how to ask for it.
    """
    tables: Sequence[Table] = card.get("tables", ())
    head = f"{_name(card['name'])} ({one_line(str(card.get('version') or card['title']), 60)}): "
    if card.get("problem"):
        return f"{head}it could not be reached just now: {one_line(str(card['problem']), 300)}"
    count = int(card.get("count", len(tables)))
    head += f"{count} table{'' if count == 1 else 's'}"
    for line in (_full_line, _short_line):
        text = "\n".join([head, *map(line, tables), *_rest(card, count - len(tables))])
        if len(text) <= budget:
            return text
    return _abridged(card, head, tables, count, budget)


def _abridged(card: Card, head: str, tables: Sequence[Table], count: int, budget: int) -> str:
    """Names of tables, as many as fit; the first of them with their columns as far as there is room."""
    names = [f"- {_name(table['name'])}" for table in tables]
    rest = _rest(card, max(1, count - len(tables)))
    left = budget - len(head) - sum(map(len, rest)) - 2
    shown = fitting(names, left)
    left -= sum(len(name) + 1 for name in shown)
    for place, table in enumerate(tables[: len(shown)]):
        left -= len(_short_line(table)) - len(shown[place])
        if left < 0:
            break
        shown[place] = _short_line(table)
    hidden = count - len(shown)
    more = _rest(card, hidden) if hidden else [f"To see the columns: describe a table of {_name(card['name'])}."]
    return "\n".join([head, *shown, *more])


def _rest(card: Card, hidden: int) -> list[str]:
    if hidden <= 0:
        return []
    return [f"… and {hidden:,} more tables of {_name(card['name'])}: describe them by a part of their name."]


def _full_line(table: Table) -> str:
    return _line(table, lambda name, kind: f"{_name(name)} {one_line(kind, _LONGEST_TYPE)}")


def _short_line(table: Table) -> str:
    return _line(table, lambda name, kind: _name(name))


def _line(table: Table, written: Callable[[str, str], str]) -> str:
    columns = ", ".join(written(str(name), str(kind)) for name, kind in table["columns"])
    parts = [f"{columns}{_left_out(table)}" or "no columns known"]
    if table["key"]:
        parts.append(f"key {', '.join(map(_name, table['key']))}")
    for here, other, there in table["links"][:20]:
        ends = ", ".join(_name(name) for name in there if name)
        parts.append(f"{', '.join(map(_name, here))} → {_name(other)}{f'({ends})' if ends else ''}")
    return f"- {_name(table['name'])}{_about(table)}: {'; '.join(parts)}"


def _about(table: Table) -> str:
    rows = int(table["rows"])
    known = [] if table["kind"] == "table" else [str(table["kind"])]
    known += [f"about {rows:,} rows"] if rows >= 0 else []
    return f" ({', '.join(known)})" if known else ""


def _left_out(table: Table) -> str:
    left_out = int(table.get("left_out", 0))
    return f" and {left_out:,} more columns" if left_out else ""


def _name(name: object) -> str:
    return one_line(str(name), _LONGEST_TOLD)


def no_driver(error: Exception) -> Refused:
    name = error.name if isinstance(error, ModuleNotFoundError) else ""
    missing = f" ({name})" if name else ""
    return Refused.because(
        "The Python driver for this kind of database{missing} is not installed on this server. Its "
        "owner can add it to requirements.txt.",
        missing=missing,
        kind="connect",
    )
