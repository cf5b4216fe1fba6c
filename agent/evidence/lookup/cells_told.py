"""How a reader is told where a value stands: by its row and its column."""

from __future__ import annotations

from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell
from agent.interface_text import Text
from agent.text.regex import regex


def where(subjects: Subjects, cell: Cell) -> Text:
    """The row that a cell stands in, and its column."""
    row = next((one.text for one in subjects.table.rows[cell.row] if one.text and one is not cell), "")
    column = _head(subjects, cell)
    if row and column:
        return Text("It stands in the row {row}, column {column}", row=row[:60], column=column[:60])
    return Text("It stands in the row {row}", row=row[:60]) if row else Text("It stands in another place")


_TYPE = regex(
    r" (?:(?:BIG|SMALL|TINY|HUGE)?INT(?:EGER)?|DOUBLE|FLOAT|REAL|NUMERIC|DECIMAL|VARCHAR|TEXT|BOOLEAN|DATE|TIMESTAMP)"
    r"(?:\([0-9, ]+\))?$"
)


def _head(subjects: Subjects, cell: Cell) -> str:
    """The head of a cell's column, without the type that a query's result says behind it."""
    table = subjects.table
    if cell.column >= len(table.column_heads):
        return ""
    head = " ".join(table.column_heads[cell.column].split())
    last = table.rows[table.heads - 1] if table.heads else ()
    said = _TYPE.search(last[cell.column].text) if cell.column < len(last) else None
    return head.removesuffix(said[0].lower()) if said is not None else head
