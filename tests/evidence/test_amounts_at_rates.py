"""An amount that the question gives at an observed rate, and a rate that is turned round."""

from __future__ import annotations

import pytest

from agent.evidence import check
from tests.support.observed_answers import run

RATES = """{"base":"GBP","days":[
 {"date":"2025-02-03","rates":{"SEK":13.672,"NOK":14.018,"EUR":1.2044}},
 {"date":"2025-01-03","rates":{"SEK":13.901,"NOK":14.117,"EUR":1.2063}}]}"""
PAINT = "paint,litres_per_m2,price_per_litre\nChalk white,0.142,18.35\nSea green,0.187,22.4\n"
POUNDS = "I change 1,850 pounds. How many kronor, kroner and euros do I get?"
WALL = "My wall has 465 m². How much of each paint do I need?"


def verdict(answer: str, figure: str, observed: str, question: str) -> str:
    claims = check(run(answer, observed, question=question)).claims
    return next((claim.verdict for claim in claims if answer[claim.start : claim.end] == figure), "no claim")


@pytest.mark.parametrize(
    ("answer", "figure", "observed", "question"),
    [
        ("| Currency | Now | In January |\n|---|---|---|\n| NOK | 25,933.30 | 26,116.45 |", "25,933.30", RATES, POUNDS),
        ("| Currency | Now | In January |\n|---|---|---|\n| NOK | 25,933.30 | 26,116.45 |", "26,116.45", RATES, POUNDS),
        ("In euros you get €2,228.14.", "€2,228.14", RATES, POUNDS),
        ("The other way round, one euro costs £0.830.", "£0.830", RATES, POUNDS),
        ("Of Chalk white you need 66.0 litres.", "66.0 litres", PAINT, WALL),
    ],
)
def test_an_amount_of_the_question_at_a_named_rate(answer: str, figure: str, observed: str, question: str) -> None:
    assert verdict(answer, figure, observed, question) in ("possible", "worked_out")


@pytest.mark.parametrize(
    ("answer", "figure", "observed", "question"),
    [
        ("| Currency | Now |\n|---|---|\n| NOK | 25,933.30 |", "25,933.30", RATES, "How are the rates?"),
        ("| Currency | Now |\n|---|---|\n| SEK | 25,933.30 |", "25,933.30", RATES, POUNDS),
        ("| Currency | Now |\n|---|---|\n| NOK | 25,633.30 |", "25,633.30", RATES, POUNDS),
        ("In euros you get €2,528.14.", "€2,528.14", RATES, POUNDS),
        ("One euro costs £0.850.", "£0.850", RATES, POUNDS),
        ("Of Sea green you need 66.0 litres.", "66.0 litres", PAINT, WALL),
    ],
)
def test_another_amount_or_the_rate_of_another_is_still_marked(
    answer: str, figure: str, observed: str, question: str
) -> None:
    assert verdict(answer, figure, observed, question) in ("not_found", "differs")
