"""Everyday questions that no rule was made for: right, or declined where the file says so, never wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent.sandbox.client import Sandbox
from tests.support.cases import each
from tests.support.everyday import FIRST_SIGHT, LONGEST, Everyday, Room, everyday_questions, everyday_room

QUESTIONS = everyday_questions(FIRST_SIGHT)


@pytest.fixture(scope="module")
def room(sandbox: Sandbox) -> Iterator[Room]:
    with everyday_room(sandbox, FIRST_SIGHT) as one:
        yield one


@each("question", QUESTIONS, ids=lambda question: " / ".join(question.asked))
def test_a_question_at_first_sight(question: Everyday, room: Room) -> None:
    found = room.ask(question)
    assert found.verdict == question.expected, (found.answer, found.calls)
    assert found.seconds < LONGEST


def test_the_halves_are_large_and_few_are_declined() -> None:
    halves = [question.half for question in QUESTIONS]
    assert min(map(halves.count, ("working", "unseen"))) >= 100
    japanese = sum(question.language == "ja" for question in QUESTIONS)
    assert len(QUESTIONS) / 4 < japanese < len(QUESTIONS) / 2
    asked = [question for question in QUESTIONS if not question.declines]
    assert sum(question.declined_now for question in asked) < len(asked) / 10
