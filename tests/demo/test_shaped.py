"""Questions of the shapes that a stranger's declined ones had: right, or declined where the file says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent.sandbox.client import Sandbox
from tests.support.cases import each
from tests.support.everyday import LONGEST, SHAPED, Everyday, Room, everyday_questions, everyday_room

pytestmark = pytest.mark.system  # the quick tier does not even read the questions

QUESTIONS = everyday_questions(SHAPED)


@pytest.fixture(scope="module")
def room(sandbox: Sandbox) -> Iterator[Room]:
    with everyday_room(sandbox, SHAPED) as one:
        yield one


@each("question", QUESTIONS, ids=lambda question: " / ".join(question.asked))
def test_a_question_of_a_shape(question: Everyday, room: Room) -> None:
    found = room.ask(question)
    assert found.verdict == question.expected, (found.answer, found.calls)
    assert found.seconds < LONGEST
