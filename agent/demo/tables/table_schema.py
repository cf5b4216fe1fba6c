"""The tables that a run has, as the rules read them: names, kinds of columns, some of the values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agent.data.tables.cells import shown

Kind = Literal["number", "date", "boolean", "text", "other"]
_EXAMPLES = 3  # values that are read of a column

# The kinds of a card's columns that have another name here, or are as good as another.
_KINDS: Mapping[str, Kind] = {
    "integer": "number", "number": "number", "date": "date", "timestamp": "date", "boolean": "boolean", "text": "text",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """``distinct`` and ``least`` to ``most`` are ``None`` and "" where they are not known.

    ``examples`` are some of its values, those cut short left out.
    """

    name: str
    label: str
    kind: Kind
    unit: str = ""
    distinct: int | None = None
    nulls: int = 0
    least: str = ""
    most: str = ""
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    source: str
    rows: int
    columns: tuple[Column, ...]


def table_of(card: Mapping[str, Any]) -> Table:
    """The table of a schema card, as ``agent.data.tables.cards`` makes it."""
    return Table(card["name"], card["source"], card["rows"], tuple(map(_column, card["columns"])))


def _column(card: Mapping[str, Any]) -> Column:
    kind = _KINDS.get(card["kind"], "other")
    examples: Sequence[str] = card.get("examples", ())[:_EXAMPLES] if kind in ("text", "boolean", "other") else ()
    least, most = (shown(card[end]) if card.get(end) is not None else "" for end in ("min", "max"))
    return Column(
        card["name"],
        card.get("label") or card["name"],
        kind,
        card.get("unit", ""),
        card.get("distinct"),
        card.get("nulls", 0),
        least,
        most,
        tuple(text for text in examples if text and not text.endswith("…")),
    )
