"""Sums whose result is asked for in a unit, and parts that are added to parts."""

from __future__ import annotations

from datetime import date

import pytest

from agent.data.tables.questions.table_schema import table_of
from agent.data.tables.worded.other_units import cut_at_unit, in_other_unit
from agent.demo.rules.abilities import understand
from agent.demo.rules.plan import CALCULATOR, Plan, Question, Said
from agent.tools.calculator.calculate import calculate
from tests.support.cases import each


def answered(asked: str) -> str:
    found = understand(Question(asked, "en", date(2026, 11, 28), tools=("calculator", "convert")))
    if not isinstance(found, Plan):
        return found.text if found else ""
    steps = found.steps()
    call = next(steps)
    assert call.tool == CALCULATOR
    with pytest.raises(StopIteration) as ended:
        steps.send(calculate(call.input))
    said = ended.value.value
    assert isinstance(said, Said)
    return said.text


@each(
    ("asked", "told"),
    [
        ("1/3 of 2 cups in ml", "1/3 of 2 US cups is about 157.725 ml."),
        ("half of 3 miles in km", "Half of 3 miles is about 2.41402 km."),
        ("What is half of 3 miles in km?", "Half of 3 miles is about 2.41402 km."),
        ("20% of 5 kg in grams", "20% of 5 kg is 1,000 g."),
        ("2 cups + 100 ml in ml", "2 US cups + 100 ml is about 573.176 ml."),
        ("double 3 feet to inches", "Double 3 feet is 72 inches."),
        ("5 km + 300 m", "5 km + 300 metres is 5.3 km."),
    ],
)
def test_a_sum_is_told_in_the_unit_that_is_asked_for(asked: str, told: str) -> None:
    assert answered(asked) == told


@each(
    "asked",
    [
        "20% of 5 kg in miles",
        "half of 100 °C in °F",
        "20% of $50 in euros",
        "10 km / 2 km in m",
        "20% of 5 in kg",
    ],
)
def test_a_unit_that_it_cannot_have_is_not_dropped(asked: str) -> None:
    found = understand(Question(asked, "en", date(2026, 11, 28), tools=("calculator", "convert")))
    assert not isinstance(found, Plan)


@each(
    ("asked", "told"),
    [
        ("What is 5% of 200 plus 10% of 50", "is 15."),
        ("5% of 200 + 10% of 50 - 20% of 10", "is 13."),
        ("half of 10 plus half of 6", "is 8."),
    ],
)
def test_parts_of_several_figures_are_added(asked: str, told: str) -> None:
    assert answered(asked).endswith(told)


@each("asked", ["5% of 200 plus 10", "half of 10 plus 3", "5% of 200 plus 10% of 50 plus 3"])
def test_a_figure_that_may_belong_to_the_part_or_to_the_sum_is_not_guessed_at(asked: str) -> None:
    assert answered(asked).startswith("That can be read in two ways")


TOLD = "I read this as: Total distance km in trips\n\nFrom 3 rows of trips, the total distance km is 1,255."
LISTED = "I read this as: List “Duration (min)” in trips where trip is “T2”\n\n1 row of trips:\n\n- 95"


@each(
    ("asked", "answer", "read"),
    [
        ("in miles?", TOLD, "What is 1255 km in miles?"),
        ("what would that be in miles, please", TOLD, "What is 1255 km in miles?"),
        ("and how many miles is that?", TOLD, "What is 1255 km in miles?"),
        ("how long is that in hours", LISTED, "What is 95 minutes in hours?"),
        ("in pounds?", TOLD, None),  # of another kind
        ("in total?", TOLD, None),
        ("in May?", TOLD, None),
        ("in miles?", TOLD.replace(" km", ""), None),  # no unit is told
        ("in miles?", TOLD.replace(" km", " km per hour"), None),
        ("in miles?", "3 rows of trips:\n\n- 12\n- 14\n- 15", None),
    ],
)
def test_a_figure_of_a_table_is_asked_for_in_another_unit(asked: str, answer: str, read: str | None) -> None:
    assert in_other_unit(asked, answer) == read


@each(
    ("asked", "cut"),
    [
        ("total distance in miles", ("total distance", "in miles")),
        ("average temp in fahrenheit?", ("average temp", "in fahrenheit")),
        ("total distance in km", None),  # as it is
        ("total distance in week", None),
        ("total toll in pounds", None),  # money
        ("which trips went to Ghent in May", None),
    ],
)
def test_a_question_is_cut_at_the_unit_that_its_figure_is_wished_in(asked: str, cut: tuple[str, str] | None) -> None:
    heads = ("Distance (km)", "Load (kg)", "Toll (£)", "Temperature (°C)", "Time (h)")
    columns = [{"name": f"c{place}", "label": head, "kind": "number"} for place, head in enumerate(heads)]
    assert (
        cut_at_unit(asked, (table_of({"name": "trips", "source": "trips.csv", "rows": 9, "columns": columns}),)) == cut
    )
