"""What stands above the columns of a result that a step made."""

from __future__ import annotations

import pytest

from agent.data.tables.charts.vega import Axis, Chart, spec_of
from agent.data.tables.table_artifacts import ShownTable
from pages.ui.text import words
from pages.ui.widgets import artifacts


class Theme:
    """Stands for ``st.context``."""

    def __init__(self, type: str | None) -> None:
        self.theme = self
        self.type = type


@pytest.mark.parametrize(("theme", "grey"), [("light", "#5B6168"), ("dark", "#A2A9B0"), (None, "#7a7a7a")])
def test_the_heights_of_bars_have_the_grey_of_the_theme(
    monkeypatch: pytest.MonkeyPatch, theme: str | None, grey: str
) -> None:
    axes = {"x": Axis("a", "text"), "y": Axis("b", "number")}
    spec = spec_of(Chart("bar", "a"), axes, [{"x": "c", "y": 1}])
    monkeypatch.setattr(artifacts.st, "context", Theme(theme))
    bars, heights = artifacts.readable(spec)["layer"]
    assert heights["mark"]["color"] == grey and "color" not in bars["mark"]
    assert spec["layer"][1]["mark"]["color"] == "#7a7a7a", "the kept chart is as it was"
    line = spec_of(Chart("line", "a"), axes, [{"x": "c", "y": 1}])
    assert artifacts.readable(line) == line


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
