"""Everyday questions as different people type them: right, or declined where the file says so, never wrong."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from agent.demo.lookups.counted_days import counted_days
from agent.demo.rules.plan import Question
from agent.sandbox.client import Sandbox
from agent.text.problems.plain_problem import plainer
from agent.text.problems.rewording import rewordings
from agent.text.told_sums.errands import errand
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


@each(
    ("asked", "plain"),
    [
        ("A 25% tip is 12 dollars. What was the bill?", "12 dollars is 25% of what"),
        ("A 20% VAT is 40 euros. What is the price without VAT?", "40 euros is 20% of what"),
        ("A 25% tip is 12 dollars. What was the bill with tip?", ""),
        ("A 20% tax is 40 euros. What is the price including tax?", ""),
        ("If a 20% discount is 15 dollars, what is the price now?", ""),
        ("A 10% deposit is 300 euros. How much is left to pay of the full price?", ""),
        ("A coat costs $80 before a 25% discount. What does it cost after it?", "A coat costs $80 25% off"),
        ("A coat costs $80 before a 25% discount. How much do I save after it?", ""),
        ("A coat costs $80 before a 25% discount. What is the discount?", ""),
    ],
)
def test_a_part_is_told_for_its_whole_and_for_nothing_else(asked: str, plain: str) -> None:
    assert plainer(asked).rstrip("? ") == plain


@each(
    ("typed", "asks"),
    [
        ("The lease ends on 30 June 2027. I will give 3 months' notice. When is that?", "3 months before 2027-06-30"),
        ("The lease ends on 30 June 2027. When do I cancel with 3 months notice?", "3 months before 2027-06-30"),
        ("The lease ends on 30 June 2027. I gave three months' notice. When is it over?", ""),
        ("I give three months' notice on 1 December 2026. When is my last day?", ""),
        ("How many days from 1 December to 24 December?", "between 2026-12-01 and 2026-12-24"),
        ("How many days from 1 December to 24 December inclusive?", ""),
        ("How many days are there from 1 December to 24 December, counting both?", ""),
    ],
)
def test_notice_is_given_before_an_end_that_is_told(typed: str, asks: str) -> None:
    found = [*rewordings(typed, date(2026, 11, 26))]
    assert any(asks in each for each in found) if asks else not found


@each(
    ("kept", "read"),
    [
        ("an unpaid 30 minute break", True),
        ("an unpaid break", False),  # nobody says how long it is
        ("a paid break", False),
        ("a paid 30 minute break", False),
    ],
)
def test_a_break_that_is_paid_is_not_taken_off(kept: str, read: bool) -> None:
    assert bool(errand(f"I worked from 9:00 to 17:00 with {kept}. How many hours?", "en")) is read
