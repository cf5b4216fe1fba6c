"""Pieces of days, times, tables and long numbers in any order: the check reads them all, and never raises."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent.evidence import check
from tests.support.observed_answers import run

PIECES = (
    *(
        "31",
        "to",
        "2 April",
        "2025",
        "29 Feb 2023",
        "Mo 99.",
        "Mon 8",
        "8.9.",
        "30.02.",
        "20250230",
        "Sep-31",
        "Sep '25",
    ),
    *("20250915T093000Z", "T250000", "PT1H35M", "P3DT", "99日(火)", "0日(月)", "9月31日", "月曜", "24:61", "17.18 Uhr"),
    *(
        "IT",
        "A",
        "|",
        "\n",
        ",",
        "- ",
        ": ",
        "name;v\n",
        "a;1 250 m\n",
        "b;42 min\n",
        "1h 35m",
        "42m",
        "5%",
        "(71)",
        "−3",
    ),
    *("9" * 250, "1" + ",000" * 80, "2^1000", "1e308", '{"a": 1}', "'", '"', "€", "118", "half", "¾"),
)
TEXTS = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(("", " ", ", ", "\n")))).map(
    lambda pieces: "".join(f"{piece}{gap}" for piece, gap in pieces)
)


@settings(max_examples=200)
@given(TEXTS, TEXTS)
@example("31 to 2 April 2025", "Mo 8. 31 to 2 April 2025")
@example(f"- {'9' * 250} and 2\n", "100" + ",000" * 80)
def test_nothing_raises(observed: str, answer: str) -> None:
    for claim in check(run(answer, observed)).claims:
        assert 0 <= claim.start < claim.end <= len(answer)
