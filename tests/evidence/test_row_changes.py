"""How far values of named rows are apart: between two columns, from another row, from a bound that was asked for."""

from __future__ import annotations

import pytest

from agent.evidence import check
from agent.evidence.tables.table_forms import tables_in
from tests.support.observed_answers import run

GO = "player;elo_start;elo_end;games;won\nAstrid;1655;1742;31;17\nBerit;1834;1790;22;9\nChander;1402;1467;18;11\n"
SWIM = "swimmer,may_400m,june_400m,starts\nIda,5:41,5:22,4\nJo,6:15,5:58,7\nKim,31:20,29:05,2\n"
FRIDGE = "time,temp_c,load_pct\n08:00,4.1,55\n09:00,6.8,61\n10:00,9.4,72\n11:00,5.2,70\n"


def verdict(answer: str, figure: str, observed: str, question: str = "?") -> str:
    claims = check(run(answer, observed, question=question)).claims
    return next((claim.verdict for claim in claims if answer[claim.start : claim.end] == figure), "no claim")


@pytest.mark.parametrize(
    ("answer", "figure", "observed"),
    [
        ("- Chander +65, Astrid +87", "65", GO),
        ("- Chander +65, Astrid +87", "87", GO),
        ("- **Biggest drop:** Berit, −44", "−44", GO),
        ("Berit, who once led Astrid by 179, is now only 48 points ahead.", "48", GO),
        ("| Swimmer | Change |\n|---|---|\n| Jo | −0:17 |\n| Kim | −2:15 |", "2:15", SWIM),
    ],
)
def test_differences_of_named_rows(answer: str, figure: str, observed: str) -> None:
    assert verdict(answer, figure, observed) in ("possible", "worked_out")


@pytest.mark.parametrize(
    ("answer", "figure", "observed"),
    [
        ("- Chander +68, Astrid +87", "68", GO),
        ("- **Biggest drop:** Berit, −46", "−46", GO),
        ("| Swimmer | Change |\n|---|---|\n| Jo | −0:17 |\n| Kim | −2:45 |", "2:45", SWIM),
    ],
)
def test_another_difference_or_direction_is_still_marked(answer: str, figure: str, observed: str) -> None:
    assert verdict(answer, figure, observed) in ("not_found", "differs")


def test_how_far_a_value_is_from_the_bound_of_the_question() -> None:
    question = "When was the fridge too warm? The limit is 7 °C."
    answer = "It peaked at 9.4 °C at 10:00, {} °C over the limit."
    assert verdict(answer.format("2.4"), "2.4 °C", FRIDGE, question) in ("possible", "worked_out")
    assert verdict(answer.format("2.9"), "2.9 °C", FRIDGE, question) in ("not_found", "differs")


@pytest.mark.parametrize(
    ("head", "numeric"), [("elo", True), ("built", False), ("year", False), ("year_founded", False)]
)
def test_numbers_of_which_one_is_no_year_are_quantities_below_a_head_of_none(head: str, numeric: bool) -> None:
    rows = "".join(
        f"{name};{size};{size % 7}\n" for name, size in zip("abcdef", (1742, 1689, 1903, 1455, 2014, 1801), strict=True)
    )
    (table,) = tables_in(f"name;{head};won\n{rows}")
    assert (1 in table.numeric_columns) == numeric
