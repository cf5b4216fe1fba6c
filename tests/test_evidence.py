"""The evidence check: verdicts on single claims, on a labelled set of answers, and on hostile texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from agent.events import Answered, Asked, Event, Observed, Replied, ToolCalled
from agent.evidence import Claim, Earlier, Evidence, check
from agent.messages import Usage
from tests.labelled_answers import FAMILIES, Labelled, labelled

ASKED = 1_795_219_200.0  # 2026-11-21 00:00 UTC


def run(question: str, observations: Sequence[str | Observed], answer: str) -> list[Event]:
    """One step with a call for each observation, then the answer."""
    events: list[Event] = [Asked(question, ASKED)]
    for number, observation in enumerate(observations, 1):
        observed = Observed(f"c{number}", observation) if isinstance(observation, str) else observation
        events += [
            Replied("text", "thought", Usage(), 1.0, 0.1),
            ToolCalled(observed.call_id, "search", "query", {"query": "query"}),
            observed,
        ]
    return [*events, Replied("text", "thought", Usage(), 1.0, 0.1), Answered(answer)]


def checked(answer: str, *observations: str | Observed, question: str = "?") -> Evidence:
    return check(run(question, observations, answer))


def verdicts(evidence: Evidence) -> list[tuple[str, str]]:
    return [(claim.text, claim.verdict) for claim in evidence.claims]


def only(evidence: Evidence) -> Claim:
    (claim,) = evidence.claims
    return claim


# The ancestors' own answers


def test_a_follow_up_that_converts_another_temperature_than_the_one_observed() -> None:
    asked, answer = "What is the weather in San Francisco?", "It is partly cloudy in San Francisco, 54 °F."
    first = checked(answer, "San Francisco, CA: partly cloudy, 54 °F, wind 8 mph", question=asked)
    assert verdicts(first) == [("San Francisco", "seen"), ("54 °F", "seen")]
    second = check(run("And in Celsius?", [], "53°F is equal to 11.6°C"), [Earlier(asked, answer, first.claims)])
    assert verdicts(second) == [("53°F", "differs"), ("11.6°C", "differs")]
    assert second.claims[0].note == "Seen: 54 °F"
    assert second.claims[1].note == "54 °F = 12.222222 °C"
    assert answer[second.claims[0].places[0].start : second.claims[0].places[0].end] == "54 °F"
    right = check(run("And in Celsius?", [], "54°F is equal to 12.2°C"), [Earlier(asked, answer, first.claims)])
    assert verdicts(right) == [("54°F", "seen"), ("12.2°C", "worked_out")]


def test_an_exchange_rate_from_memory() -> None:
    answer = "The exchange rate is 110.50 yen to the dollar."
    alone = checked(answer)
    assert verdicts(alone) == [("110.50 yen", "not_found")]
    assert alone.summary == "From the model's memory: nothing was looked up."
    evidence = checked(answer, "1 United States Dollar = 134.85 Japanese Yen")
    assert verdicts(evidence) == [("110.50 yen", "differs")]
    assert only(evidence).note == "Seen: 134.85 Japanese Yen"


def test_a_count_that_no_observation_holds() -> None:
    evidence = checked("There are 8 files in the folder.", "The folder holds the files of the project.")
    assert verdicts(evidence) == [("8", "not_found")]
    assert evidence.summary == "0 of 1 figure traced; 1 not found."


# The labelled set

TARGETS = {"number": (0.97, 0.03), "date": (0.97, 0.03), "name": (0.85, 0.08)}


def flagged(case: Labelled) -> list[Claim]:
    return [claim for claim in check(run(case.question, case.observations, case.answer)).claims if not claim.traced]


def test_the_labelled_set(capsys: pytest.CaptureFixture[str]) -> None:
    cases = labelled()
    found, altered, alarms, claims = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for case in cases:
        evidence = check(run(case.question, case.observations, case.answer))
        wrong = [claim for claim in evidence.claims if not claim.traced]
        if case.altered:
            hit = any(claim.start < end and start < claim.end for claim in wrong for start, end in case.altered)
            for key in (case.kind, f"{case.kind}, {case.how}"):
                altered[key] += 1
                found[key] += hit
        else:
            for claim in evidence.claims:
                claims[claim.kind] += 1
                alarms[claim.kind] += not claim.traced
    with capsys.disabled():
        print(f"\n{len(cases)} answers, {sum(1 for case in cases if case.altered)} of them altered")
        for key in sorted(altered):
            print(f"  {key:18} found {found[key]:3} of {altered[key]:3}  {found[key] / altered[key]:.1%}")
        for key in sorted(claims):
            print(f"  {key:18} false alarms {alarms[key]:3} of {claims[key]:3}  {alarms[key] / claims[key]:.1%}")
    assert len(cases) >= 300 and 2 * sum(1 for case in cases if case.altered) >= 0.95 * len(cases)
    for kind, (recall, most_alarms) in TARGETS.items():
        assert found[kind] >= recall * altered[kind], kind
        assert alarms[kind] <= most_alarms * claims[kind], kind


def test_every_family_writes_answers_that_differ() -> None:
    for family in FAMILIES:
        answers = {case.answer for case in labelled([family], each=20)}
        assert len(answers) >= 15, family.__name__
