"""The last day of a range behind its month, and days behind the names of weekdays."""

from __future__ import annotations

import pytest

from agent.evidence import check
from agent.text.characters import lowered
from agent.text.quantities.day_mentions import dates_in
from agent.text.quantities.scanning import scan
from tests.support.observed_answers import run

TIDES = "date,high_m\n2031-03-12,3.41\n2031-03-13,3.62\n2031-03-14,3.80\n2031-03-15,3.71\n"


def days(text: str) -> list[tuple[int | None, int | None, int | None]]:
    return [(day.year, day.month, day.day) for day in dates_in(text, lowered(text), scan(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tides of March 12–15:", [(None, 3, 12), (None, 3, 15)]),
        ("From March 12 to 15, 2031.", [(None, 3, 12), (2031, 3, 15)]),
        ("March 12: low.\n- **Thu 13:** higher\n- Sat 15 (highest)", [(None, 3, 12), (None, 3, 13), (None, 3, 15)]),
        ("Am 12. März und am Freitag, 14. war es hoch.", [(None, 3, 12), (None, 3, 14)]),
        ("March 12 and 3.62 m", [(None, 3, 12)]),
        ("March 12 to 11:30", [(None, 3, 12), (None, None, None)]),
        ("On March 12, Fri 14 km were run.", [(None, 3, 12)]),
        ("Fri 14 was fine.", []),
        ("March 12–40", [(None, 3, 12)]),
    ],
)
def test_days_of_ranges_and_of_weekdays(text: str, expected: list[tuple[int | None, int | None, int | None]]) -> None:
    assert days(text) == expected


@pytest.mark.parametrize(
    ("answer", "figure", "expected"),
    [
        ("Tides of March 12–15:\n- **Thu 13:** 3.62 m", "15", "seen"),
        ("Tides of March 12–15:\n- **Thu 13:** 3.62 m", "13", "seen"),
        ("Tides of March 12–18:\n- **Thu 13:** 3.62 m", "18", "not_found"),
        ("Tides of March 12–15:\n- **Wed 19:** 3.62 m", "19", "not_found"),
    ],
)
def test_they_are_looked_up_with_their_month(answer: str, figure: str, expected: str) -> None:
    claims = check(run(answer, TIDES)).claims
    found = next(claim.verdict for claim in claims if answer[claim.start : claim.end] == figure)
    assert found == expected if expected == "seen" else found in ("not_found", "differs")
