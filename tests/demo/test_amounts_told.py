"""How an amount of a table is written with its unit."""

from __future__ import annotations

import pytest

from agent.data.tables.questions.observed import cells_told, with_unit


@pytest.mark.parametrize(
    ("figure", "unit", "said"),
    [
        ("60,312.5", "$", "$60,312.50"),
        ("75,000", "$", "$75,000"),
        ("-12.25", "$", "-$12.25"),
        ("0.1234", "£", "£0.1234"),
        ("1e+20", "$", "1e+20 $"),
        ("NULL", "$", "NULL"),
        ("1,200.5", "€", "1,200.5 €"),
        ("12.5", "%", "12.5%"),
        ("12.5", "kg", "12.5 kg"),
        ("12.5", "", "12.5"),
    ],
)
def test_an_amount_is_written_with_its_unit(figure: str, unit: str, said: str) -> None:
    assert with_unit(figure, unit) == said


@pytest.mark.parametrize(("head", "told"), [("Team", "(empty) / 3"), ("部署", "（空） / 3"), ("", "(empty) / 3")])
def test_an_empty_cell_is_told_in_the_language_of_its_column(head: str, told: str) -> None:
    assert cells_told(("NULL", "3"), head) == cells_told(("", "3"), head) == told
