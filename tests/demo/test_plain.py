"""Everyday questions as different people type them: right, or declined where the file says so, never wrong."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from agent.demo.lookups.counted_days import counted_days
from agent.demo.rules.plan import Question
from agent.sandbox.client import Sandbox
from agent.text.problems.rewording import rewordings
from tests.support.cases import each
from tests.support.everyday import LONGEST, PLAIN, Everyday, Room, everyday_questions, everyday_room

QUESTIONS = everyday_questions(PLAIN)


@pytest.fixture(scope="module")
def room(sandbox: Sandbox) -> Iterator[Room]:
    with everyday_room(sandbox, PLAIN) as one:
        yield one


@each("question", QUESTIONS, ids=lambda question: " / ".join(question.asked))
def test_a_question_as_it_is_typed(question: Everyday, room: Room) -> None:
    found = room.ask(question)
    assert found.verdict == question.expected, (found.answer, found.calls)
    assert found.seconds < LONGEST


def test_a_long_text_is_not_looked_at() -> None:
    assert [*rewordings(" " * 100_000 + "how many days until Christmas", date(2026, 11, 26))] == []


@each(
    ("typed", "asks"),
    [
        ("My cat is asleep. What is 8 percent of 1250?", "What is 8 percent of 1250?"),
        ("Which is the shortest? I have a bad feeling about that one.", "Which is the shortest?"),
        ("Take 48 by 37. Then halve it.", ""),
        ("What is the total? Only for Bath.", ""),
        ("What is 15% of 80? And of 90?", ""),
        ("How many sold? I mean the blue ones.", ""),
        ("What time is it in London? I am in Chicago.", ""),
    ],
)
def test_a_sentence_that_changes_nothing_is_left_out(typed: str, asks: str) -> None:
    found = [*rewordings(typed, date(2026, 11, 26))]
    alone = {typed[: typed.index(mark) + 1] for mark in "?!." if mark in typed}
    assert asks in found if asks else not alone.intersection(found)


@each(
    "asked",
    [
        "How many working days are left this month?",
        "How many Fridays have been this month?",
        "How many working days did we have in October?",
        "How many Saturdays were there in March?",
        "How many working days from 11 December to 1 December?",
    ],
)
def test_days_of_a_part_or_of_what_has_gone_are_not_counted(asked: str) -> None:
    assert counted_days(Question(asked, "en", date(2026, 11, 21))) is None
