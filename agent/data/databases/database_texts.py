"""What a model is told of databases: their tables and columns as text within a budget. Imports nothing heavy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agent.data.tables.cells import one_line

# The line above the databases in a system prompt, alone on its line, whatever the prompt's language.
HEADING = "Connected databases:"
_LONGEST_NAME = 80
_LONGEST_TYPE = 40

Card = Mapping[str, Any]
Table = Mapping[str, Any]


def cards_text(cards: Sequence[Card], budget: int = 8_000) -> str:
    """All databases, the budget shared: what small ones do not need goes to the large."""
    written: dict[int, str] = {}
    left = budget
    by_size = sorted(range(len(cards)), key=lambda index: len(cards[index].get("tables", ())))
    for position, index in enumerate(by_size):
        written[index] = card_text(cards[index], max(400, left // (len(cards) - position)))
        left -= len(written[index]) + 2
    return "\n\n".join(written[index] for index in range(len(cards)))


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
    shown: list[str] = []
    for name in names:
        left -= len(name) + 1
        if left < 0:
            break
        shown.append(name)
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
    return one_line(str(name), _LONGEST_NAME)
