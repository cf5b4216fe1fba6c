"""Goals of both sides, more of one thing than of another, how often a thing is done, charts that are named first."""

from __future__ import annotations

import pytest

from tests.support.cases import each
from tests.support.demo_tables import Room, loaded, run

pytestmark = pytest.mark.system

LEAGUE = b"""Club,Won,Drawn,Lost,For,Against,Points
Otters,9,1,2,44,20,28
Herons,7,3,2,38,25,24
Red Kites,5,1,6,26,30,16
Moles,1,3,8,15,38,6
"""
PLANTS = b"""Plant,Waterings per week,Bed,Price paid
Mint,3,Pots,2.75
Basil,6,Pots,1.99
Dahlia,3,Back,6.50
Apple,0,Lawn,34.00
"""
NAMES = ("league",)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    folder = tmp_path_factory.mktemp("goals")
    files = {"league": LEAGUE, "plants": PLANTS}
    return Room(folder, {name: loaded(folder, f"{name}.csv", content)[0] for name, content in files.items()})


@each(
    ("asked", "held"),
    [
        ("how many goals have the Herons let in", "25"),
        ("which clubs have scored more than 30 goals", "Herons"),
        ("who scored the fewest goals?", "Moles"),
        ("goal difference for the Red Kites?", "-4"),
        ("which club has the best goal difference", "Otters"),
        ("which clubs have lost more games than they've won?", "Red Kites"),
    ],
)
def test_goals_are_of_for_and_against(asked: str, held: str, room: Room) -> None:
    assert held in run(asked, room, NAMES).answer.text


@each(
    "asked",
    [
        "which clubs have not scored more than 30 goals",
        "how many points have those clubs got between them?",  # of which ones was never told
        "who has lost more points than they have won",
    ],
)
def test_what_is_not_told_is_declined(asked: str, room: Room) -> None:
    ran = run(asked, room, NAMES)
    assert "rules" in ran.answer.text and not ran.calls


@each(
    ("asked", "held"),
    [
        ("which plants need watering 3 times a week?", "“Waterings per week” = 3"),
        ("which plants want watering 6 times a week", "= 6"),
    ],
)
def test_so_often_is_the_figure_of_a_column(asked: str, held: str, room: Room) -> None:
    assert held in run(asked, room, ("plants",)).answer.text


def test_a_chart_that_is_named_first_is_drawn(room: Room) -> None:
    ran = run("pie chart - total price paid by bed", room, ("plants",))
    assert [call.tool for call in ran.calls][-1] == "chart"
