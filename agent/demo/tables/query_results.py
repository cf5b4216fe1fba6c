"""The text of a query's result, as ``agent.data.tables.asking.querying`` writes it, read again."""

from __future__ import annotations

import re
from dataclasses import dataclass

_COUNT = re.compile(r"(?P<total>[\d,]+) rows?(?:; the first [\d,]+)?:")
_NONE = "No rows."


@dataclass(frozen=True, slots=True)
class Seen:
    """``rows`` are the first of ``total``, each with as many cells as columns were asked for, as they were observed."""

    total: str
    rows: tuple[tuple[str, ...], ...]


def seen(observation: str, columns: int) -> Seen | None:
    """``None`` where it is no result but a sentence about what went wrong."""
    if observation.startswith(_NONE):
        return Seen("0", ())
    first, *lines = observation.split("\n")
    count = _COUNT.fullmatch(first.strip())
    if count is None or not lines:
        return None
    # Only the first cell may hold the mark between cells: figures stand at the end.
    rows = (tuple(line.rsplit(" | ", columns - 1)) for line in lines[1:])
    return Seen(count["total"], tuple(row for row in rows if len(row) == columns))


def found(observation: str) -> list[tuple[bool, str, str]] | None:
    """What a search for a value gave: whether it is the very text, its column, and the value."""
    if observation.startswith(_NONE):
        return []
    result = seen(observation, 1)
    if result is None:
        return None
    cells = (row[0].split(" | ", 3) for row in result.rows)
    return [(cell[0] == "0", cell[2], cell[3]) for cell in cells if len(cell) == 4]
