from __future__ import annotations

import pytest

from agent.errors import ModelFailed
from agent.loop.merge import HISTORY_TOKENS, Turn, merge
from agent.messages import Usage, estimate_tokens
from agent.models.protocol import Delta
from agent.models.scripted import Scripted

HISTORY = (Turn("What is the square root of 25?", "The square root of 25 is 5."),)

GREETINGS = """
hi
Hello there!
thanks
Thank you so much!
こんにちは
""".strip().splitlines()


def test_a_first_question_is_not_merged() -> None:
    model = Scripted([])
    assert merge("and its cube?", (), model, "en") is None
    assert model.requests == []


@pytest.mark.parametrize("greeting", GREETINGS)
def test_a_greeting_is_not_merged(greeting: str) -> None:
    model = Scripted([])
    assert merge(greeting, HISTORY, model, "en") is None
    assert model.requests == []


@pytest.mark.parametrize("question", ["What is the capital of France?", "Übersetze das.", "Are you sure?"])
def test_no_list_of_words_decides_that_a_question_stands_alone(question: str) -> None:
    merged = merge(question, HISTORY, Scripted(["The whole question?"]), "en")
    assert merged and merged.question == "The whole question?"


def test_the_standalone_question_is_asked_for() -> None:
    model = Scripted([[Delta(text="What is the cube "), Delta(text="of 5?"), Delta(usage=Usage(50, 0, 8))]])
    merged = merge("and its cube?", HISTORY, model, "en")
    assert merged is not None
    assert (merged.question, merged.error, merged.usage) == ("What is the cube of 5?", "", Usage(50, 0, 8))
    assert merged.reply == "What is the cube of 5?"
    (request,) = model.requests
    assert request.purpose == "merge"
    assert request.messages == merged.request
    assert request.messages[1].content == (
        "Conversation:\nUser: What is the square root of 25?\nAssistant: The square root of 25 is 5.\n\n"
        "Follow-up question: and its cube?\n\nStandalone question:"
    )


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("  What is 5 cubed?\n", "What is 5 cubed?"),
        ("Standalone question: What is 5 cubed?", "What is 5 cubed?"),
        ('"What is 5 cubed?"', "What is 5 cubed?"),
        ("**Standalone question:** What is 5 cubed?", "What is 5 cubed?"),
        ("<think>The user wants\nthe cube.</think>\n\nWhat is 5 cubed?", "What is 5 cubed?"),
        ("\n\nWhat is 5 cubed?\n\nI replaced 'its' by 5.", "What is 5 cubed?"),
        ("独立した質問：5の立方は？", "5の立方は？"),
        ("「5の立方は？」", "5の立方は？"),
    ],
)
def test_replies_are_read_generously(reply: str, question: str) -> None:
    merged = merge("and its cube?", HISTORY, Scripted([reply]), "en")
    assert merged is not None
    assert merged.question == question
    assert merged.usage.estimated


@pytest.mark.parametrize("reply", ["", "  \n ", "<think>hm", '""', "x" * 1_001])
def test_an_empty_reply_falls_back_visibly(reply: str) -> None:
    merged = merge("and its cube?", HISTORY, Scripted([reply]), "en")
    assert merged is not None
    assert merged.question == "and its cube?"
    assert merged.error == "The model gave no standalone question."


def test_a_failing_model_falls_back_visibly() -> None:
    merged = merge("and its cube?", HISTORY, Scripted([ModelFailed("It is down. Try later.", "server")]), "en")
    assert merged is not None
    assert (merged.question, merged.error) == ("and its cube?", "It is down. Try later.")


def test_history_stays_within_its_budget_and_keeps_the_latest() -> None:
    history = tuple(Turn(f"question {number}", "word " * 200) for number in range(100))
    model = Scripted(["q"])
    merge("and its cube?", (*history, Turn("the last", "")), model, "en")
    told = model.requests[0].messages[1].content
    assert "User: the last\nAssistant: (no answer)" in told
    assert "question 0\n" not in told
    assert HISTORY_TOKENS / 2 < estimate_tokens(told) < HISTORY_TOKENS + 100
    assert told.index("question 98") < told.index("question 99") < told.index("the last")


def test_one_huge_answer_is_shortened() -> None:
    model = Scripted(["q"])
    merge("and its cube?", (Turn("q", "x" * 100_000),), model, "en")
    assert len(model.requests[0].messages[1].content) < 2_000


def test_japanese() -> None:
    model = Scripted(["5の立方は？"])
    merged = merge("その立方は？", (Turn("25の平方根は？", "5です。"),), model, "ja")
    assert merged is not None
    assert merged.question == "5の立方は？"
    assert "ユーザー: 25の平方根は？\nアシスタント: 5です。" in model.requests[0].messages[1].content


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ('Who wrote "Dune"', 'Who wrote "Dune"'),
        ("**kwargs in Python: what are they?", "**kwargs in Python: what are they?"),
        ("Sure! Here is the standalone question:\n\nWhat is 5 cubed?", "What is 5 cubed?"),
        ("**What is 5 cubed?**", "What is 5 cubed?"),
    ],
)
def test_nothing_of_the_question_is_lost(reply: str, question: str) -> None:
    merged = merge("and its cube?", HISTORY, Scripted([reply]), "en")
    assert merged is not None
    assert merged.question == question


@pytest.mark.parametrize("question", ["Translate it:\nHello there", "and then " + "more " * 100])
def test_long_questions_are_left_as_they_are(question: str) -> None:
    assert merge(question, HISTORY, Scripted([]), "en") is None
