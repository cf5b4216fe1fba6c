"""How a reader is told where a value stands: by its row and its column."""

from __future__ import annotations

from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell
from agent.interface_text import Text


def where(subjects: Subjects, cell: Cell) -> Text:
    """The row that a cell stands in, and its column."""
    row = next((one.text for one in subjects.table.rows[cell.row] if one.text and one is not cell), "")
    heads = subjects.table.column_heads
    column = " ".join(heads[cell.column].split()) if cell.column < len(heads) else ""
    if row and column:
        return Text("It stands in the row {row}, column {column}", row=row[:60], column=column[:60])
    return Text("It stands in the row {row}", row=row[:60]) if row else Text("It stands in another place")
