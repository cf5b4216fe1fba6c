"""Figures of an answer that contradict an earlier answer of the same chat."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from agent.events import Answered, Asked, Event, Observed, Replied, ToolCalled
from agent.evidence import Earlier, Evidence, Pages, check, earlier_turn
from agent.messages import Usage

ASKED = 1_795_219_200.0  # 2026-11-21 00:00 UTC
CHATS = tomllib.loads(Path(__file__).with_name("two_turns.toml").read_text(encoding="utf-8"))["chat"]
MOST_MISSED = 13  # of the 48 chats with a contradiction: said in other words, or together with something new


def run(question: str, answer: str, observation: str = "") -> list[Event]:
    looked: list[Event] = [
        Replied("text", "thought", Usage(), 1.0, 0.1),
        ToolCalled("c1", "search", "query", {"query": "query"}),
        Observed("c1", observation),
    ]
    return [Asked(question, ASKED), *(looked if observation else []), Answered(answer)]


def checked(turns: Sequence[Sequence[str]]) -> Evidence:
    """The last of the turns, checked in the light of those before it."""
    earlier: list[Earlier] = []
    known, pages = Evidence(), Pages()
    for turn in turns:
        events = run(*turn)
        known = check(events, earlier, pages)
        earlier.append(earlier_turn(events, known.claims))
    return known


def contradicting(turns: Sequence[Sequence[str]]) -> list[str]:
    known = checked(turns)
    return [known.claims[one.claim].text for one in known.contradictions]


def test_nothing_is_said_to_contradict_what_does_not() -> None:
    wrong = [chat["turns"] for chat in CHATS if set(contradicting(chat["turns"])) - set(chat.get("contradicts", ()))]
    assert wrong == []


def test_most_contradictions_are_found() -> None:
    missed = [chat for chat in CHATS if contradicting(chat["turns"]) != chat.get("contradicts", [])]
    assert len(missed) <= MOST_MISSED


def test_the_place_and_the_words_of_both_answers() -> None:
    before = "The fire was on Sunday. 3 people died in the fire."
    asked = "How many died?"
    known = checked([("Hello?", "Hi."), (asked, before), ("Hi?", "Hi."), (asked, "8 people died in the fire.")])
    (found,) = known.contradictions
    assert (found.back, before[found.start : found.end], known.claims[found.claim].text) == (2, "3", "8")
    assert found.text == "Earlier in this chat: 3 people died in the fire. Now: 8 people died in the fire."


def test_it_is_a_remark_and_no_verdict() -> None:
    asked = "How many people died?"
    known = checked([(asked, "3 people died."), (asked, "8 people died.", "By Friday 8 people died.")])
    assert [(claim.text, claim.verdict) for claim in known.claims] == [("8", "seen")]
    assert len(known.contradictions) == 1
    assert known.summary == "1 of 1 figure traced."


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("The tower weighs 1,200,000 kg.", "The tower weighs 1.2 million kg."),
        ("The tower weighs 1,200 kg.", "The tower weighs 1.2 tonnes."),
        ("Der Turm wiegt 1.200 kg.", "Der Turm wiegt etwa 1.250 kg."),
        ("La tour pèse 1 200 kg.", "La tour pèse 1200 kg."),
        ("塔の重さは120万キロです。", "塔の重さは1,200,000キロです。"),
        ("Three people died.", "3 people died."),
        ("More than 300 people died.", "342 people died."),
        ("The museum opened on 4 May 1971.", "The museum opened on 1971-05-04."),
    ],
)
def test_the_same_value_in_another_form_is_no_contradiction(before: str, now: str) -> None:
    assert contradicting([("What do we know?", before), ("What do we know?", now)]) == []


def test_what_was_remarked_on_is_not_remarked_on_again() -> None:
    asked = "How many people died?"
    turns = [(asked, "3 people died."), (asked, "8 people died."), (asked, "8 people died.")]
    assert contradicting(turns[:2]) == ["8"]
    assert contradicting(turns) == []


def test_an_answer_that_has_both_values_says_so_itself() -> None:
    asked = "How many people died?"
    assert contradicting([(asked, "3 people died."), (asked, "Not 3 people died, as I said: 8 people died.")]) == []


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (
            (
                "Total salary by team?",
                "| Team | Total salary | Rows |\n| --- | ---: | ---: |\n| R&D \\| A | 113,500 | 2 |",
            ),
            ("Who is the oldest?", "1 row of people:\n\n- Name: Ann, Age: 52"),
        ),
        (
            ("Average age in Ops?", "Average age in people: 40, from 2 rows of people."),
            ("Average age?", "Average age in people: 37, from 6 rows of people."),
        ),
        (
            ("How many rows are there?", "There are 8 rows of people."),
            ("Average age?", "It is 37. From 6 rows of people."),
        ),
        (
            ("部署ごとの合計は？", "| 部署 | 合計 | 行数 |\n| --- | ---: | ---: |\n| 開発 | 900 | 2 |"),
            ("最年長は？", "表の1行:\n\n- 名前: 山田"),
        ),
        (("平均は？", "平均は40です。表の2行からです。"), ("最大は？", "最大は52です。表の6行からです。")),
    ],
)
def test_how_many_rows_an_answer_rests_on_is_of_its_question_alone(
    before: tuple[str, str], now: tuple[str, str]
) -> None:
    assert contradicting([before, now]) == []


def test_rows_that_are_asked_for_are_compared() -> None:
    asked = "How many rows are there in people?"
    assert contradicting([(asked, "There are 8 rows in people."), (asked, "There are 9 rows in people.")]) == ["9"]


def test_what_was_said_in_a_cell_is_shown_without_the_signs_of_markdown() -> None:
    asked, table = "Total by team?", "| Team | Total |\n| --- | ---: |\n| R&D \\| \\*A\\* B | {} |"
    (found,) = checked([(asked, table.format(800)), (asked, table.format(900))]).contradictions
    assert found.text == "Earlier in this chat: R&D | *A* B: 800. Now: R&D | *A* B: 900."
