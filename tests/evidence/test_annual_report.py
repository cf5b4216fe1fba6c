"""A whole answer over an annual report: its right figures have no mark, and each wrong one has its own."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from agent.evidence import Claim, check
from agent.evidence.marks import behind
from tests.support.observed_answers import run

REPORTS = tomllib.loads((Path(__file__).parents[1] / "support" / "annual_report.toml").read_text(encoding="utf-8"))
MARKED = {
    "en": {"€57,980 thousand": "not_found", "€8,500 thousand": "elsewhere", "1.3%": "differs"},
    "ja": {"57,980千円": "not_found", "8,500千円": "elsewhere", "1.3%": "differs"},
}


@pytest.mark.parametrize("language", REPORTS)
def test_the_marks_of_a_long_answer(language: str) -> None:
    report, answer = REPORTS[language]["report"], REPORTS[language]["answer"]
    events = run(answer, report)
    claims: dict[str, Claim] = {answer[one.start : one.end]: one for one in check(events).claims}
    marked = ("not_found", "elsewhere", "differs")
    assert {said: one.verdict for said, one in claims.items() if one.verdict in marked} == MARKED[language]
    assert sum(one.verdict == "worked_out" for one in claims.values()) >= 8
    assert "It goes the other way" in str(claims["1.3%"].note)
    # What stands elsewhere is opened there: in the row of hardware, not in that of services.
    other = next(one for one in claims.values() if one.verdict == "elsewhere")
    text, start, _ = behind(events).spot(other, other.places[0])
    assert text[: start + 1].rpartition("\n")[2].startswith(("| Hardware", "| ハードウェア"))
