"""Questions of all kinds as outside testers word them: right, or declined where the file says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent.sandbox.client import Sandbox
from tests.support.cases import each
from tests.support.everyday import LONGEST, STRANGERS, Everyday, Room, everyday_questions, everyday_room

pytestmark = pytest.mark.system  # the quick tier does not even read the questions

QUESTIONS = everyday_questions(STRANGERS)


@pytest.fixture(scope="module")
def room(sandbox: Sandbox) -> Iterator[Room]:
    with everyday_room(sandbox, STRANGERS) as one:
        one.ask(QUESTIONS[0])  # what a process loads once is not measured below
        yield one


@each("question", QUESTIONS, ids=lambda question: " / ".join(question.asked))
def test_a_question_as_a_stranger_words_it(question: Everyday, room: Room) -> None:
    found = room.ask(question)
    assert found.verdict == question.expected, (found.answer, found.calls)
    assert found.seconds < LONGEST
