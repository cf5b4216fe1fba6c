"""What an answer is judged by: figures in their unit, and what could never fail or never pass."""

from __future__ import annotations

import pytest

from agent.errors import BadRequest
from agent.evals.expectations import Expectation, FigureStands, NoError
from agent.evals.gold import Programs
from agent.evals.grades import grade
from agent.evals.kept_test import KeptTest
from agent.evals.typed_expectations import typed
from agent.events import Answered, Asked, Event, Observed, Prepared, Replied, ToolCalled
from agent.messages import Usage
from agent.text.quantities.units import unit_rows
from agent.toolkit.base import Toolbox
from tests.support.cases import each

PREPARED = Prepared("q", "system", (), "native", "m", "https://example.org/v1")


def holds(expectation: Expectation, answer: str) -> bool:
    said = Replied(answer, "", Usage(10, 0, 5), 0.5, 0.1)
    events = [Asked("q", 1.0), PREPARED, said, Answered(answer, (), "stop")]
    (found,) = grade(KeptTest("1", "n", "q", (expectation,)), events, Programs(Toolbox(())))
    return found.held


# "mm" stands for millions in an answer.
UNITS = sorted({row.figure_name for row in unit_rows() if row.figure_name and row.names} - {"mm"})


@each("unit", UNITS)
def test_a_figure_is_wanted_in_its_unit(unit: str) -> None:
    wanted = FigureStands("731", unit)
    assert holds(wanted, f"It is 731 {unit}.")
    assert not holds(wanted, "It is 731."), "without a unit"
    assert not holds(wanted, "It is 731 " + ("seconds." if unit != "s" else "kg."))


def test_a_unit_that_is_not_known_is_no_excuse() -> None:
    assert not holds(FigureStands("5", "smoots"), "It is 5 km, or 5.")


@each(
    ("kind", "text"),
    [("figure", "12,5"), ("figure", "five"), ("avoids", ""), ("uses", " "), ("matches", ".*"), ("matches", "("),
     ("language", "English"), ("steps", "0.5"), ("contains", "**")],
)  # fmt: skip
def test_what_says_nothing_is_refused_where_it_is_typed(kind: str, text: str) -> None:
    with pytest.raises(BadRequest):
        typed(kind, text)


def test_an_empty_number_is_asked_for() -> None:
    for kind in ("figure", "seconds"):
        with pytest.raises(BadRequest, match="There is no number in it yet"):
            typed(kind, " ")


def test_what_is_typed_is_judged() -> None:
    assert holds(typed("figure", "1,234.5"), "It is 1234.5.")
    assert holds(typed("matches", r"\b[Nn]o\b"), "There is no way.")
    assert not holds(typed("matches", "^yes$"), "no")
    assert holds(typed("unknown", ""), "That cannot be known.")


def test_what_failed_is_named_in_words_of_people() -> None:
    called = ToolCalled("1", "calculator", "x", {"expression": "x"})
    said = Replied("", "", Usage(10, 0, 5), 0.5, 0.1)
    for seen, why in (
        ([called, Observed("1", "No.", 0.1, error="input")], "Calls that failed: calculator."),
        ([Observed("", "Write a call.", 0.1, error="format")], "A reply could not be read, and was asked for again."),
    ):
        events: list[Event] = [Asked("q", 1.0), PREPARED, said, *seen, said, Answered("5", (), "stop")]
        (found,) = grade(KeptTest("1", "n", "q", (NoError(calls=True),)), events, Programs(Toolbox(())))
        assert str(found.why) == why
