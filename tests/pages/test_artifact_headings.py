"""What stands above the columns of a result that a step made."""

from __future__ import annotations

import pytest

from agent.data.tables.table_artifacts import ShownTable
from pages.ui.text import words
from pages.ui.widgets import artifacts


@pytest.mark.parametrize(
    ("sql", "heading"),
    [
        ('SELECT "r" AS "r", sum("t") AS "total_t", count("t") AS "rows_used" FROM "sales"', "使った行数"),
        # A column of the person's own keeps its name.
        ('SELECT "r" AS "r", "rows_used" AS "rows_used" FROM "sales"', "Rows used"),
        ("SELECT * FROM sales", "Rows used"),
    ],
)
def test_of_how_many_rows_a_figure_is_stands_in_the_language_of_the_person(
    monkeypatch: pytest.MonkeyPatch, sql: str, heading: str
) -> None:
    monkeypatch.setattr(words, "spoken", lambda: "ja")
    shown = ShownTable(("r", "rows_used"), (("North", 2),), 1, sql, headings=("R", "Rows used"))
    assert artifacts.headings_of(shown) == ["R", heading]
