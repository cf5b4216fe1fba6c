"""A question of the loaded tables as one of a crosstab among them, read whole."""

from __future__ import annotations

from collections.abc import Sequence

from agent.data.tables.crosstabs.crosstab_table import Crosstab, crosstab_of
from agent.data.tables.crosstabs.crosstab_wanted import Wanted
from agent.data.tables.crosstabs.english_cell_follow_ups import english_follow_up
from agent.data.tables.crosstabs.english_crosstab import english_crosstab, is_of_cells
from agent.data.tables.crosstabs.japanese_cell_follow_ups import japanese_follow_up
from agent.data.tables.crosstabs.japanese_crosstab import japanese_crosstab
from agent.data.tables.questions.table_schema import Table


def crosstab_asked(text: str, tables: Sequence[Table], language: str) -> Wanted | None:
    """What is asked of the one table whose labels and heads account for every word; None where there are several."""
    reader = _english if language == "en" else _japanese
    read = [wanted for table in tables if (made := crosstab_of(table)) and (wanted := reader(text, made))]
    return read[0] if len(read) == 1 else None


def _english(text: str, crosstab: Crosstab) -> Wanted | None:
    parts = _parts(text)
    return english_follow_up(parts, crosstab) if len(parts) > 1 else english_crosstab(text, crosstab)


def _japanese(text: str, crosstab: Crosstab) -> Wanted | None:
    parts = _parts(text)
    return japanese_follow_up(parts, crosstab) if len(parts) > 1 else japanese_crosstab(text, crosstab)


def _parts(text: str) -> list[str]:
    """A reading told before, and the follow-up to it."""
    return [part.strip() for part in text.split(";")]


def is_of_crosstab(text: str, tables: Sequence[Table]) -> bool:
    """Whether a question that is not read is of the cells of such a table: its years are no figures to reckon with."""
    return any((made := crosstab_of(table)) is not None and is_of_cells(text, made) for table in tables)
