"""What programs and people write around the rows of a table: titles above its header, notes below its last row."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agent.data.tables.loading.formats.spelled_heads import is_figure
from agent.text.regex import regex

MOST_NOTES = 20  # lines below the rows
_END = 16 * 1024  # bytes that are looked at
_WORDS = regex(r"[^\W\d_]{2}")


def outside(rows: Sequence[Sequence[str]], delimiter: str) -> str:
    """What is written in rows above a table, in one line."""
    between = f"{delimiter} " if delimiter in ",;" else " "
    lines = (between.join(cell.strip() for cell in row if cell.strip()) for row in rows)
    return " · ".join(filter(None, lines))


def is_set_apart(rows: Sequence[Sequence[str]], index: int, width: int) -> bool:
    """Whether a blank line parts the row from a header below it: words, and rows with figures below these."""
    if width == 1 or index + 1 >= len(rows) or any(cell.strip() for cell in rows[index + 1]):
        return False
    below = [row for row in rows[index + 2 : index + 10] if any(cell.strip() for cell in row)][:2]
    if len(below) < 2 or not all(len(row) == width for row in below):
        return False
    head, first = below
    return all(map(str.strip, head)) and not any(map(is_figure, head)) and any(map(is_figure, first))


def notes_below(path: Path, short: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Those of the ``short`` lines (number, text) that come at the end of the file, with a blank line above them.

    A line that was cut off where the file ends has none above it, and is no note.
    """
    if not short:
        return []
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _END))
        lines = file.read().decode("utf-8", "replace").splitlines()
    left, found = list(short), list[tuple[int, str]]()
    apart = False
    for line in reversed(lines):
        if not line.strip():
            apart = bool(found)
        elif left and line.strip() == left[-1][1].strip() and _WORDS.search(line):
            found.append((left[-1][0], line.strip().strip('"')))
            left.pop()
            apart = False
        else:
            break
    return found[::-1] if apart else []
