"""Which of several observations a sentence speaks of: that which has its names."""

from __future__ import annotations

import pytest

from agent.events import Answered, Asked, Observed, ToolCalled
from agent.evidence import check

RUNNER = (
    """# Ida Lund

| Year | Meeting | Place | Event | Mark |
| --- | --- | --- | --- | --- |
| 2031 | Harbour Games | 3rd | 3000 m | 9:57.71 |
| 2032 | Hill Games | 1st | 400 m | 54.35 |
| 2033 | Harbour Games | 2nd | 800 m | 2:04.50 |
"""
    + "The heats were run in the morning, the finals late in the day, and all of them in the rain. " * 2
)
ELECTION = (
    """# Election in Meadow

| Party | Candidate | Votes | % |
| --- | --- | --- | --- |
| Meadow | Omar Sy | 20,461 | 64.5 |
| Hill | Nils Berg | 11,282 | 35.5 |
"""
    + "The count took two days, and nobody asked for another one in the weeks that followed the vote. " * 2
)


def verdict_on(answer: str, figure: str, *calls: tuple[str, str]) -> str:
    events = [Asked("Tell me about these.", 0.0)]
    for number, (query, observed) in enumerate(calls):
        events += [ToolCalled(f"c{number}", "query", query, {"query": query}), Observed(f"c{number}", observed)]
    claims = check([*events, Answered(answer)]).claims
    return next(claim.verdict for claim in claims if claim.text.startswith(figure))


@pytest.mark.parametrize(
    ("answer", "figure", "verdict"),
    [
        ("Omar Sy won with 64.5% of the votes.", "64.5%", "seen"),
        ("Omar Sy won with 54.4% of the votes.", "54.4%", "elsewhere"),
        ("Omar Sy won, 9,179 votes ahead of Nils Berg.", "9,179", "worked_out"),
        ("Nils Berg paid 1,200 at the end.", "1,200", "not_found"),
    ],
)
def test_a_figure_of_a_text_without_the_names_is_of_something_else(answer: str, figure: str, verdict: str) -> None:
    assert verdict_on(answer, figure, ("games", RUNNER), ("votes", ELECTION)) == verdict


def test_what_was_asked_for_by_name_need_not_say_it() -> None:
    months = "| month | sales |\n| --- | --- |\n" + "".join(f"| 2031-{n:02} | {n * 37 + 411} |\n" for n in range(1, 13))
    months += "One row for each of the twelve months, in the order of the year, with what was sold in it by all. " * 2
    named = verdict_on("Holmstad sold 522 in 2031-03.", "522", ("Omar", ELECTION), ("where town = 'Holmstad'", months))
    assert named == "seen"
    towns = ELECTION.replace("Meadow", "Holmstad")
    assert verdict_on("Holmstad sold 522 in 2031-03.", "522", ("x", towns), ("Holmstad", months)) == "seen"
    assert verdict_on("Holmstad sold 522 in 2031-03.", "522", ("x", towns), ("all", months)) == "elsewhere"


def test_a_factor_is_no_product() -> None:
    observed = "Ida Lund swam 50 m in 25.63 s."
    assert verdict_on("Ida Lund swam 50 m in 25.63 s, and then 4 × 103 m.", "103", ("swim", observed)) == "not_found"
