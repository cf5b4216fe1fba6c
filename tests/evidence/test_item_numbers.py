"""Numbers that count the items of an answer, and words with a capital that are no names."""

from __future__ import annotations

import pytest

from agent.evidence import check
from tests.support.observed_answers import run

HARBOURS = "harbour,ships,energy_mwh\nVik,412,38.5\nSund,388,29.1\nLerwick,305,22.4\n"
TABLE = "| {head} | Harbour | Ships |\n|---|---|---|\n| {one} | Vik | 412 |\n| 2 | Sund | 388 |\n| 3 | Lerwick | 305 |"


def verdicts(answer: str, observed: str = HARBOURS) -> dict[str, str]:
    return {answer[claim.start : claim.end]: claim.verdict for claim in check(run(answer, observed)).claims}


@pytest.mark.parametrize("head", ["Rank", "#", "No.", "順位", "Platz", "**Pos.**"])
def test_a_column_that_numbers_the_rows_of_the_answer_claims_nothing(head: str) -> None:
    assert verdicts(TABLE.format(head=head, one=1)) == {
        **{figure: "seen" for figure in ("412", "388", "305")},
        **{name: "seen" for name in ("Vik", "Sund", "Lerwick")},
    }


@pytest.mark.parametrize(("head", "one"), [("Berths", "1"), ("Rank", "4")])
def test_other_columns_of_small_numbers_do(head: str, one: str) -> None:
    assert verdicts(TABLE.format(head=head, one=one))[one] == "not_found"


@pytest.mark.parametrize(
    "answer",
    [
        "The port should (1) widen the quay and (2) hire pilots.",
        "Zwei Ziele: (1) den Kai verbreitern, (2) Lotsen einstellen und (3) Strom sparen.",
        "Next steps: 1) dredge the basin; 2) mend the crane.",
    ],
)
def test_numbers_before_the_items_of_a_sentence_claim_nothing(answer: str) -> None:
    assert not verdicts(answer).keys() & {"1", "2", "3"}


@pytest.mark.parametrize(
    "answer", ["Lost at Vik: cranes (1) and pilots (2) of the port.", "Vik has (1) or (4) cranes."]
)
def test_numbers_in_brackets_that_count_are_claims(answer: str) -> None:
    assert {"1", "2"} & verdicts(answer).keys() or {"1", "4"} & verdicts(answer).keys()


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ("For a small boat, I'd choose Sund.", "I'd"),
        ("For a small boat, you'd better ask. You'd choose Sund.", "You'd"),
        ("It cost €38.7/MWh. Fuel came on top.", "MWh. Fuel"),
        ("Vik used 38.5 MWh. Sund used less.", "MWh. Sund"),
        ("The year was good. Matching Lerwick would take 107 ships.", "Matching Lerwick"),
    ],
)
def test_words_with_a_capital_that_are_no_names(answer: str, word: str) -> None:
    assert word not in verdicts(answer)


def test_the_plural_of_an_abbreviation_is_looked_up_as_the_abbreviation() -> None:
    observed = "bank,npl_ratio,note\nOstbank,4.2,NPL rising\nWestbank,1.1,stable\n"
    assert verdicts("Ostbank has most NPLs.", observed)["NPL"] == "seen"
    assert verdicts("Ostbank has most QRLs.", observed)["QRL"] == "not_found"
