"""Percentages and parts of 1 are not added up; their average is offered."""

from __future__ import annotations

import pytest

from tests.support.cases import each
from tests.support.demo_tables import Room, loaded, run

pytestmark = pytest.mark.system

RATES = b"month,conversion,discount,hourly rate,visits\nJan,0.01,5%,20,10\nFeb,0.02,7%,30,20\nMar,0.05,9%,10,30\n"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    folder = tmp_path_factory.mktemp("rates")
    return Room(folder, {"rates": loaded(folder, "rates.csv", RATES)[0]})


@each(
    ("asked", "example"),
    [
        ("Total conversion in rates?", "Average conversion in the table “rates”?"),
        ("total discount", "Average discount in the table “rates”?"),
        ("sum of discount by month", "Average discount by “month” in the table “rates”?"),
    ],
)
def test_shares_are_not_added_up(asked: str, example: str, room: Room) -> None:
    ran = run(asked, room, ("rates",))
    assert not ran.calls
    assert "are shares: their sum says nothing" in ran.answer.text
    assert ran.answer.next_questions == (example,)
    assert run(example, room, ("rates",)).calls


@each(("asked", "told"), [("total visits", "60"), ("total hourly rate", "60")])
def test_other_figures_are(asked: str, told: str, room: Room) -> None:
    assert run(asked, room, ("rates",)).answer.text.endswith(f" is {told}.")
