"""Special tokens of chat templates: kept where an answer shows them, cut where they leak, on the text wire.

On the native wire the content is the answer as it is.
"""

from __future__ import annotations

import pytest

from agent.events import ToolSchema
from agent.models.protocol import Delta
from agent.wire.native import NativeReader
from agent.wire.outcomes import Answer
from agent.wire.react_stream import ReactStream
from tests.support.cases import each

SEARCH = ToolSchema("search", "", {"type": "object", "properties": {"query": {"type": "string"}}})
SHOWN = [
    "In ChatML a turn ends with `<|im_end|>`.",
    "Each turn begins with `<|im_start|>user` and ends with `<|im_end|>`, then the next begins.",
    "The template:\n\n```\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n```\n\nIt goes on there.",
    "The template:\n\n```\n<|user|>\nHi<|end|>\n<|assistant|>\n```",
    "```\n<|user|>\nHi<|end|>\n<|assistant|>\n```",
    "```jinja\n<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>assistant\n```",
    "~~~\n<|eot_id|>\n~~~\n\nThat ends a turn.",
    "Phi uses “<|assistant|>” before its answer.",
    'The token "<|assistant|>" starts the reply.',
    "> <|user|> Hi\n> <|assistant|> Hello\n\nThat is the format.",
    "So it is written:\n\n> <|user|> Hi<|end|>",
    "- <|im_start|>: begins a turn\n- <|im_end|>: ends a turn",
    "1. <|system|> holds the rules\n2. <|user|> holds the question",
    "| token | meaning |\n| --- | --- |\n| <|im_end|> | ends a turn |",
    "Before:\n\n    <|system|>\n    Be kind.\n\nThat is indented.",
]
LEAKS = [
    ("Hello there.<|im_end|>", "Hello there."),
    ("Hello there. <|im_end|>", "Hello there."),
    ("<|assistant|>Hello there.", "Hello there."),
    ("<|im_start|>assistant\nHello there.<|im_end|>", "Hello there."),
    ("Hello there.<|im_end|>\n<|im_start|>user\nAnd now?", "Hello there."),
    ("Use `<|end|>`.<|im_end|>", "Use `<|end|>`."),
    ("- <|eot_id|>: ends a turn<|eot_id|>", "- <|eot_id|>: ends a turn"),
    ("done <|im_end|>.", "done ."),
    ("It is 5 <|im_end|> Human: next question", "It is 5  Human: next question"),
    ("合計は5です<|im_end|>次の質問", "合計は5です次の質問"),
    ("```\ncode\n```<|im_end|>", "```\ncode\n```"),
    ("So:\n\n> five <|im_end|>", "So:\n\n> five"),
    ("Hello.<|end|><|user|>\nAnd now?", "Hello.\nAnd now?"),
    ("I think <|end|>", "I think"),
    ("```\nFinal Answer: 42<|im_end|>\n```", "42"),
]


def answer(kind: type[NativeReader | ReactStream], text: str, size: int) -> Answer:
    reader = kind([SEARCH])
    for at in range(0, len(text), size):
        reader.feed(Delta(text[at : at + size]))
        if reader.done:
            break
    reader.feed(Delta(finish="stop"))
    outcome = reader.close()
    assert isinstance(outcome, Answer), outcome
    return outcome


@each("text", SHOWN)
@pytest.mark.parametrize("kind", [NativeReader, ReactStream])
def test_what_an_answer_shows_stays(kind: type[NativeReader | ReactStream], text: str) -> None:
    assert [answer(kind, text, size).text for size in (*range(1, 8), len(text))] == [text] * 8


@each("text", SHOWN)
def test_it_stays_behind_the_label_of_the_answer(text: str) -> None:
    said = f"Thought: I know this.\nFinal Answer:\n{text}"
    assert [answer(ReactStream, said, size).text for size in (*range(1, 8), len(said))] == [text] * 8


@each(("text", "expected"), LEAKS)
def test_what_leaks_is_cut(text: str, expected: str) -> None:
    assert [answer(ReactStream, text, size).text for size in (*range(1, 8), len(text))] == [expected] * 8


@pytest.mark.parametrize("text", ["word<s>.", "あ<s>あ", '"<s>" ', "- <s>: a\n"])
def test_a_flood_of_tokens_is_read_in_time_that_grows_with_it(text: str) -> None:
    short, long = (answer(ReactStream, f"Final Answer: {text * number}", 4) for number in (10, 2_000))
    assert len(short.text) < len(long.text)
