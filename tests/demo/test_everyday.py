"""The everyday questions, asked as the app asks them: right, or declined where the file says so, never wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent.sandbox.client import Sandbox
from agent.text.problems.clock_questions import Elsewhere, Later, Spans, read_clock_question
from agent.text.problems.problem_reader import read_problem
from agent.text.spelling import nearest, spellings
from agent.text.sums.usual_notation import usual
from agent.tools.calculator.calculate import calculate
from tests.support.everyday import Everyday, Room, everyday_questions, everyday_room, stands

QUESTIONS = everyday_questions()


@pytest.fixture(scope="module")
def room(sandbox: Sandbox) -> Iterator[Room]:
    with everyday_room(sandbox) as one:
        yield one


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: " / ".join(question.asked))
def test_an_everyday_question(question: Everyday, room: Room) -> None:
    found = room.ask(question)
    assert found.verdict == question.expected, (found.answer, found.calls)
    assert 1 <= len(found.next_questions) <= 3
    if found.verdict == "declined":
        assert "\n" not in found.answer


def test_the_questions_are_as_many_as_promised() -> None:
    halves = [question.half for question in QUESTIONS]
    assert len(QUESTIONS) >= 240 and min(map(halves.count, ("working", "unseen"))) >= 120
    asked = [question for question in QUESTIONS if not question.declines]
    assert sum(question.declined_now for question in asked) < len(asked) / 10


@pytest.mark.parametrize(
    ("said", "figure", "is_there"),
    [
        ("It is 1,234.50.", "1234.5", True),
        ("It is 12.", "1", False),
        ("3000円は2400円です", "2400", True),
        ("about 33.3333", "33.33", True),
        ("It is 19 February 2027.", "2027-02-19", True),
        ("at 8:05 pm", "20:05", True),
        ("at 18:00", "8:00", False),
    ],
)
def test_a_figure_stands_in_an_answer(said: str, figure: str, is_there: bool) -> None:
    assert stands(said, figure) == is_there


@pytest.mark.parametrize(
    "text",
    [
        "30% off",
        "page 3 of 12",
        "chapter 45 of 180 in the book",
        "how much is the decrease from 250 to 200",
        "20% tip",
        "average speed of 150 km",
        "compound interest on 1000",
        "3 choose 7",
        "20% off 50 except on Tuesdays",
        "20% off the second of 2 items at $15",
        "3 tickets at $14.50 each but not the first",
        "5 km in kilograms",
        "log base 0 of 10",
        "half of",
        "radius of a circle with area 50",
        "rectangle with area 20 and side 4",
        "a triangle with hypotenuse 5 and side 3",
        "from 20% to 25%, how much percent?",
        "100 km at 8 litres per 100 km and 1.80 per litre",
        "square of the hypotenuse of 3 and 4",
        "what is 15% of what",
        "150 km in 2 hours and 30 litres, average speed",
    ],
)
def test_what_is_not_sure_is_no_problem(text: str) -> None:
    assert read_problem(text, "en") is None


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("30% off 120", "84"),
        ("half of 3/4", "0.375"),
        ("1,5 + 2,5", "4"),
        ("1.234,50 + 10,50", "1245"),
        ("7 choose 3", "35"),
        ("3 hours at $25 per hour", "75"),
        ("$18 for 1.5 kg, price per kg", "12"),
        ("log base 2 of 1024", "10"),
        ("solve 3x + 5 = 20", "5"),
        ("180のうち45は何パーセント", "25"),
    ],
)
def test_the_calculator_reads_the_same_words(text: str, result: str) -> None:
    assert calculate(text) == result


@pytest.mark.parametrize(
    "text", ["max(1,5)", "mean of 3,5,7", "1,234 + 5", "1,234 + 1,5", "add 12, 15", "average of 1,5 and 2,5"]
)
def test_commas_of_lists_and_of_two_kinds_stay(text: str) -> None:
    assert usual(text) == text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("3pm New York in London", Elsewhere("3pm", "New York", "London")),
        ("If it is 10:30 in Berlin, what time is it in San Francisco?", Elsewhere("10:30", "Berlin", "San Francisco")),
        ("9am to 5:30pm", Spans((("9am", "5:30pm"),))),
        ("two hours before noon", Later("noon", "2 hours", True)),
        ("10:30 in minutes", None),
        ("5:45 - 2:30", None),
        ("3pm in London", None),
        ("weather in Paris", None),
        ("5 miles in km", None),
    ],
)
def test_times_of_day(text: str, read: object) -> None:
    assert read_clock_question(text, "en") == read


def test_slips_have_few_readings_and_right_words_none() -> None:
    known = frozenset(("days", "from", "today", "square", "root", "of", "discount", "percent"))
    assert [one.text for one in spellings("90 dys from tody", known)] == ["90 days from today"]
    assert list(spellings("90 days from today", known)) == []
    assert nearest("discuont", known) == ["discount"]
    assert nearest("xyz", known) == []
