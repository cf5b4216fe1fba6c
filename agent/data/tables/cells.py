"""Values of a result as JSON has them, as a model reads them, and as a spreadsheet may open them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, cast

from agent.text.piped import piped

_LONGEST_CELL = 2_000  # characters of one cell that go to the page
_EXACT = 2**53
_TO_MODEL = 50  # rows
_TO_MODEL_CHARACTERS = 4_000
Card = Mapping[str, Any]
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "|", "＝", "＋", "－", "＠")


def json_value(value: object) -> Any:
    """``value`` as strict JSON: figures that a browser would round, dates and all else as text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _EXACT else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Decimal):
        close = float(value)
        return close if math.isfinite(close) and len(value.as_tuple().digits) <= 15 else str(value)
    return shown(value)[:_LONGEST_CELL]


def bounded(rows: Iterable[Sequence[object]], most: int, characters: int) -> tuple[list[list[Any]], bool]:
    """The first of the rows as JSON values, up to these bounds but one at the least, and whether there are more."""
    kept: list[list[Any]] = []
    for row in rows:
        cells = [json_value(cell) for cell in row]
        characters -= sum(len(cell) if isinstance(cell, str) else 8 for cell in cells)
        if len(kept) >= most or (kept and characters < 0):
            return kept, True
        kept.append(cells)
    return kept, False


def shown(value: object) -> str:
    """``value`` as a person reads it: 15 digits of a fraction, dates in ISO form, no time where it is midnight."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else format(value, ".15g")
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat(" ")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return f"({len(value):,} bytes)"
    if isinstance(value, (list, tuple, Mapping)):
        return json.dumps(_nested(cast("object", value)), ensure_ascii=False)
    return str(value)


def _nested(value: object) -> Any:
    if isinstance(value, Mapping):
        entries = cast("Mapping[object, object]", value)
        return {shown(key): _nested(inner) for key, inner in entries.items()}
    if isinstance(value, (list, tuple)):
        return [_nested(inner) for inner in cast("Sequence[object]", value)]
    return json_value(value)


def spreadsheet_cell(value: object) -> object:
    """A cell of a CSV file: a text that a spreadsheet would run as a formula gets a quotation mark before it."""
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        return shown(value) if isinstance(value, float) else value
    text = shown(value)
    return f"'{text}" if text.lstrip(" \n\u00a0\u3000").startswith(_FORMULA) or text.startswith(_FORMULA) else text


def text_table(
    columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[object]], budget: int, widest: int = 80
) -> tuple[str, int]:
    """Rows as lines for a model, as ``piped`` writes them, of at most ``budget`` characters; how many rows they are."""
    head = piped(f"{one_line(name, widest)} {type_name}" for name, type_name in columns)[:budget]
    lines = (piped("NULL" if cell is None else one_line(shown(cell), widest) for cell in row) for row in rows)
    kept = fitting(lines, budget - len(head))
    return "\n".join([head, *kept]), len(kept)


def fitting(lines: Iterable[str], most: int) -> list[str]:
    """As many of the first lines as have at most ``most`` characters, their ends included."""
    kept: list[str] = []
    for line in lines:
        most -= len(line) + 1
        if most < 0:
            break
        kept.append(line)
    return kept


def shared_budget(
    cards: Sequence[Card], size: Callable[[Card], int], text: Callable[[Card, int], str], least: int, budget: int
) -> str:
    """The ``text`` of all cards, the budget shared: what those of small ``size`` do not need goes to the large.

    Each gets ``least`` characters at the least.
    """
    written: dict[int, str] = {}
    for place, index in enumerate(sorted(range(len(cards)), key=lambda index: size(cards[index]))):
        written[index] = text(cards[index], max(least, budget // (len(cards) - place)))
        budget -= len(written[index]) + 2
    return "\n\n".join(written[index] for index in range(len(cards)))


def rows_text(
    columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[object]], total: int | None, note: str = ""
) -> str:
    """The first rows of a result for a model, after how many there are in all (``None``: more than these)."""
    if not rows:
        names = ", ".join(f"{name} {type_name}" for name, type_name in columns)
        return f"No rows. The columns would be: {names[:1000]}. Check the filters and the values you compare with."
    body, shown = text_table(columns, rows[:_TO_MODEL], _TO_MODEL_CHARACTERS)
    count = f"more than {len(rows):,}" if total is None else f"{total:,}"
    first = "" if shown == total else f"; the first {shown}"
    return f"{count} row{'' if count == '1' else 's'}{note}{first}:\n{body}"


def one_line(text: str, most: int) -> str:
    """``text`` without ends of lines, cut to ``most`` characters, the cut shown."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
