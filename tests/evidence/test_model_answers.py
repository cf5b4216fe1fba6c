"""Whole answers as a chat model writes them: their right figures stay unmarked, and few altered ones are green."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from agent.evidence import Pages, check
from tests.support.cases import each
from tests.support.observed_answers import run
from tests.support.traced import marked

ANSWERS: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "support" / "model_answers.toml").read_text(encoding="utf-8")
)["answers"]


@each(("name", "known"), [(one["name"], one) for one in ANSWERS])
def test_right_figures_of_an_answer(name: str, known: dict[str, Any]) -> None:
    assert marked(known["answer"], known["observed"]) == known["marked"], name


def test_altered_figures_are_hardly_ever_worked_out() -> None:
    """A digit of each figure with three or more that was worked out is changed."""
    altered = green = 0
    for one in ANSWERS:
        answer, pages = one["answer"], Pages()
        for claim in check(run(answer, one["observed"], question=one["question"]), pages=pages).claims:
            places = [place for place in range(claim.start, claim.end) if answer[place].isdecimal()]
            if claim.verdict != "worked_out" or len(places) < 3:
                continue
            place = places[1]
            other = f"{answer[:place]}{(int(answer[place]) + 4) % 10}{answer[place + 1 :]}"
            found = check(run(other, one["observed"], question=one["question"]), pages=pages).claims
            altered += 1
            green += any(each.verdict in ("seen", "worked_out") for each in found if each.start <= place < each.end)
    assert altered > 100
    assert green <= 0.03 * altered
