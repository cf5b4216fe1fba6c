"""What was read of a page or file, rows of cells as Markdown, and files of such rows."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from agent.text.piped import piped_cell

_MOST_COLUMNS = 40
_MOST_ROWS = 5_000
_MOST_CELL = 500
_FILE_ROWS = 200
_DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True)
class Document:
    """``text`` is Markdown for pages and tables. ``notes`` are sentences on what was left out or may be wrong.

    ``walled`` is true where the page shows a form to sign in and little else.
    """

    text: str
    title: str = ""
    date: str = ""
    notes: tuple[str, ...] = ()
    walled: bool = False


class Unreadable(Exception):
    """There is nothing to read. ``str`` is the sentence; ``kind`` is one of those of ``ToolFailed``."""

    def __init__(self, message: str, kind: str = "nothing") -> None:
        super().__init__(message)
        self.kind = kind


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; one row or column, and cells of more than a paragraph (pages laid out by tables), as text."""
    columns = min(max(map(len, rows), default=0), _MOST_COLUMNS)
    laid_out = any(len(cell) > _MOST_CELL or "\n\n" in cell.strip() for row in rows for cell in row)
    if len(rows) < 2 or columns < 2 or laid_out:
        return "\n\n".join(" ".join(cell.strip() for cell in row if cell.strip()) for row in rows)
    lines = [_line(row, columns) for row in rows[:_MOST_ROWS]]
    if len(rows) > _MOST_ROWS:
        lines.append(f"({len(rows) - _MOST_ROWS:,} more rows left out)")
    return "\n".join([lines[0], "|" + " --- |" * columns, *lines[1:]])


def _line(row: Sequence[str], columns: int) -> str:
    cells = [piped_cell(" ".join(cell.split())) for cell in row[:columns]]
    return f"| {' | '.join(cells + [''] * (columns - len(cells)))} |"


def read_table_file(text: str, whole: bool) -> Document:
    """The head of a file of values with separators, and how many rows it has; ``Unreadable`` for an empty one."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(_DELIMITERS, key=lambda mark: (first.count(mark), -_DELIMITERS.index(mark)))
    rows: list[list[str]] = []
    count = 0
    try:
        for row in csv.reader(StringIO(text.replace("\0", ""), newline=""), delimiter=delimiter):
            if any(cell.strip() for cell in row):
                count += 1
                if count <= _FILE_ROWS + 1:
                    rows.append([cell[:_MOST_CELL] for cell in row])
    except csv.Error:
        return Document(text, notes=("It could not be read as a table.",))
    if not rows:
        raise Unreadable("The file is empty.")
    counted = f"{'' if whole else 'at least '}{count - 1:,} row{'' if count == 2 else 's'}"
    said = f"{counted}, {len(rows[0])} column{'' if len(rows[0]) == 1 else 's'}"
    shown = f"; the first {_FILE_ROWS} rows:" if count > _FILE_ROWS + 1 else ":"
    body = table_text(rows) if len(rows[0]) > 1 else "\n".join(row[0] for row in rows)
    return Document(f"{said}{shown}\n\n{body}")
