"""A question of the loaded tables as one of a crosstab among them, read whole."""

from __future__ import annotations

from collections.abc import Sequence

from agent.data.tables.crosstabs.crosstab_table import crosstab_of
from agent.data.tables.crosstabs.crosstab_wanted import Wanted
from agent.data.tables.crosstabs.english_cell_follow_ups import english_follow_up
from agent.data.tables.crosstabs.english_crosstab import english_crosstab, is_of_cells
from agent.data.tables.crosstabs.japanese_cell_follow_ups import japanese_follow_up
from agent.data.tables.crosstabs.japanese_crosstab import japanese_crosstab
from agent.data.tables.questions.table_schema import Table

# By language: what reads a question, and what reads a follow-up.
_READERS = {"en": (english_crosstab, english_follow_up), "ja": (japanese_crosstab, japanese_follow_up)}


def crosstab_asked(text: str, tables: Sequence[Table], language: str) -> Wanted | None:
    """What is asked of the one table whose labels and heads account for every word; None where there are several."""
    whole, further = _READERS["en" if language == "en" else "ja"]
    parts = [part.strip() for part in text.split(";")]  # readings told before, and the follow-up to them
    made = [crosstab for table in tables if (crosstab := crosstab_of(table))]
    read = [*filter(None, (further(parts, one) if len(parts) > 1 else whole(text, one) for one in made))]
    return read[0] if len(read) == 1 else None


def is_of_crosstab(text: str, tables: Sequence[Table]) -> bool:
    """Whether a question that is not read is of the cells of such a table: its years are no figures to reckon with."""
    return any((made := crosstab_of(table)) is not None and is_of_cells(text, made) for table in tables)
