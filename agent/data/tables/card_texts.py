"""What a model is told of tables: their cards as text within a budget. Imports nothing heavy: the app uses it, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from agent.data.tables.cells import fitting, one_line, shared_budget, shown
from agent.data.tables.repair_texts import repair_told
from agent.interface_text import unpacked

# The line above the cards in a system prompt, alone on its line, whatever the prompt's language.
HEADING = "Loaded tables:"
_MOST_REPAIRS = 400  # characters


def card_text(card: Mapping[str, Any], budget: int = 4_000) -> str:
    """The card for a model, of at most ``budget`` characters (never fewer than the name and the counts need).

    Where columns do not fit, values are left out first, then columns; the text says how to ask for them.
    """
    columns = cast("Sequence[Mapping[str, Any]]", card["columns"])
    head = f"{card['name']}: {card['rows']:,} rows, {len(columns)} columns (from {one_line(str(card['source']), 80)})"
    if card.get("bad_rows"):
        bad = card["bad_rows"]
        head += f"; {'many' if bad < 0 else f'{bad:,}'} lines of the file could not be read"
    if card.get("repairs"):
        head += f"; {one_line(' '.join(repairs_told(card)), _MOST_REPAIRS)}"
    for line in (_full_line, _short_line, _name_and_type):
        lines = [head, *(line(column) for column in columns)]
        text = "\n".join(lines)
        if len(text) <= budget:
            return text
    return _abridged(head, str(card["name"]), columns, budget)


def cards_text(cards: Sequence[Mapping[str, Any]], budget: int = 8_000) -> str:
    """The cards of all tables, the budget shared."""
    return shared_budget(cards, lambda card: len(card["columns"]), card_text, 200, budget)


def repairs_told(card: Mapping[str, Any]) -> list[str]:
    """What was put right in the table, or can be, in sentences."""
    return [repair_told(repair) for repair in card.get("repairs", ())]


def named(card: Mapping[str, Any]) -> str:
    """The names that a table comes with, its file's and its columns', as far as they fit a line."""
    names = [str(card["source"]), *(str(column["name"]) for column in card["columns"])]
    return one_line(f"{card['name']}: {', '.join(names)}", 1_000)


def _full_line(column: Mapping[str, Any]) -> str:
    parts = [_short_line(column)]
    examples = [f"“{text}”" for text in column.get("examples", [])[:3]]
    if column.get("kind") in ("text", "boolean", "other") and examples:
        parts.append(f"for example {', '.join(examples)}")
    if column.get("label") and column["label"] != column["name"]:
        parts.append(f"headed “{one_line(str(column['label']), 60)}”")
    if column.get("note"):
        parts.append(unpacked(column["note"]).rstrip("."))
    return "; ".join(parts)


def _short_line(column: Mapping[str, Any]) -> str:
    parts = [_name_and_type(column)]
    if column.get("min") is not None:
        parts.append(f"{shown(column['min'])} to {shown(column['max'])}")
    parts.append(f"{'' if column.get('exact', True) else 'about '}{column.get('distinct', 0):,} distinct")
    if column.get("nulls"):
        parts.append(f"{column['nulls']:,} nulls")
    return ", ".join(parts)


def _name_and_type(column: Mapping[str, Any]) -> str:
    unit = str(column.get("unit", ""))
    meaning = " (percent: 12.5 means 12.5 %)" if unit == "%" else f" (in {unit})" if unit else ""
    return f"- {column['name']} {column['type']}{meaning}"


def _abridged(head: str, name: str, columns: Sequence[Mapping[str, Any]], budget: int) -> str:
    most = budget - len(head) - len(name) - 130
    lines = fitting(map(_name_and_type, columns), most)
    more = f"… and {len(columns) - len(lines)} more columns. For all of them, or some, query: "
    return "\n".join([head, *lines, f"{more}SELECT column_name, data_type FROM information_schema.columns "
                      f"WHERE table_name = '{name}'"])  # fmt: skip
