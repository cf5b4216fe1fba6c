"""Rates in the answer's own tables whose heads say what is divided by what."""

from __future__ import annotations

import pytest

from agent.evidence import check
from tests.support.observed_answers import run

TRAMS = "line,riders,complaints,km\nA,48210,131,912\nB,23950,204,640\nC,9120,38,305\n"
HEADS = "| Line | Riders | Complaints | {} |\n|---|---|---|---|\n"


def verdict(head: str, row: str, figure: str) -> str:
    answer = HEADS.format(head) + row
    claims = check(run(answer, TRAMS)).claims
    return next(claim.verdict for claim in claims if answer[claim.start : claim.end] == figure)


@pytest.mark.parametrize(
    ("head", "row", "figure"),
    [
        ("Complaints per 1,000 riders", "| B | 23,950 | 204 | 8.5 |", "8.5"),
        ("Complaints per 1k riders", "| A | 48.2k | 131 | 2.72 |", "2.72"),
        ("Complaints/100 riders", "| B | 23,950 | 204 | 0.85 |", "0.85"),
        ("Riders per complaint", "| C | 9,120 | 38 | 240 |", "240"),
    ],
)
def test_a_rate_comes_from_the_values_of_its_row(head: str, row: str, figure: str) -> None:
    assert verdict(head, row, figure) in ("possible", "worked_out")


@pytest.mark.parametrize(
    ("head", "row", "figure"),
    [
        ("Complaints per 1,000 riders", "| B | 23,950 | 204 | 8.8 |", "8.8"),
        ("Complaints per 1,000 riders", "| B | 23,950 | 204 | 85.2 |", "85.2"),
        ("Stops per 1,000 riders", "| C | 9,120 | 38 | 4.9 |", "4.9"),
    ],
)
def test_another_rate_is_still_marked(head: str, row: str, figure: str) -> None:
    assert verdict(head, row, figure) in ("not_found", "differs")
