"""The tables of this folder hold what they say they hold."""

from __future__ import annotations

import re
from collections import Counter

from tests.support.told_before import KINDS, conversations, follow_ups

LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl", "ja", "zh", "ko", "hi", "ru"]
SCRIPTS = {"ja": "[\u3040-\u30ff]", "zh": "[\u4e00-\u9fff]", "ko": "[\uac00-\ud7a3]", "hi": "[\u0900-\u097f]"} | {
    "ru": "[\u0400-\u04ff]"
}


def test_follow_ups_are_spread_over_languages_and_kinds() -> None:
    rows = list(follow_ups())
    assert Counter(row.language for row in rows) == dict.fromkeys(LANGUAGES, 21)
    assert Counter(row.kind for row in rows) == dict.fromkeys(KINDS, 42)
    assert min(Counter((row.language, row.kind) for row in rows).values()) == 3
    assert {len(row.turns) for row in rows} == {1, 2, 3}


def test_follow_ups_are_all_different_and_in_their_language() -> None:
    rows = list(follow_ups())
    assert len({row.follow_up for row in rows}) == len(rows)
    assert len({row.turns[0].question for row in rows if row.turns[0].answer}) >= len(rows) - 3
    for row in rows:
        assert re.search(SCRIPTS.get(row.language, "[a-z]"), row.follow_up, re.I), row
        assert all(turn.question and turn.answer for turn in row.turns)


def test_the_figure_asked_for_is_in_the_observation_alone() -> None:
    for row in follow_ups():
        called = [turn for turn in row.turns if turn.tool]
        if row.kind != "tool":
            assert not called and not row.figure, row
            continue
        figure = rf"(?<![\d.,]){re.escape(row.figure)}(?![\d]|[.,]\d)"
        assert called == [row.turns[-2]], row
        assert re.search(figure, called[0].observation), row
        said = [row.follow_up, *(text for turn in row.turns for text in (turn.question, turn.answer))]
        assert not any(re.search(figure, text) for text in said), row


def test_conversations_are_split_and_have_three_to_six_turns() -> None:
    rows = list(conversations())
    assert Counter(row.set for row in rows) == {"open": 40, "unseen": 40}
    assert sum(row.language != "en" for row in rows) == 18
    assert {len(row.then) + 1 for row in rows} <= {3, 4, 5, 6}
    assert len({row.first for row in rows}) == len(rows)


def test_a_right_answer_is_told_from_a_wrong_one() -> None:
    asked = {each.question: each for row in conversations() for each in row.then}
    assert not [each for each in asked.values() if each.answered_by(each.question)]
    assert asked["And for four such weeks?"].answered_by("That makes $3,344 before tax.")
    assert asked["Square that."].answered_by("**1 024**")
    assert asked["Who is the youngest?"].answered_by("Of Tom, Mia and Ben, Mia is the youngest.")
    assert not asked["Who is the youngest?"].answered_by("Tom is the youngest.")
    assert not asked["And of the other one?"].answered_by("Rufus and Biscuit.")
