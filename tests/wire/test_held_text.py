"""What is held back of content because it may be a call: found quickly, and the same however the text is cut."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.events import ToolSchema
from agent.models.protocol import Delta
from agent.wire.dialects.openers import OPENER_OR_FENCE, STARTS, WORD_STARTS, next_opener
from agent.wire.native import NativeReader
from agent.wire.outcomes import Outcome

SEARCH = ToolSchema("search", "", {"type": "object", "properties": {"query": {"type": "string"}}})
# fmt: off
FRAGMENTS = [
    "<tool_call>", "</tool_call>", "<function=", "<function=x>", '<invoke name="', "<|open|>call ", "<|python_tag|>",
    "</think>", "</thinking>", "</thin", "<think", "<tool", "<", ">", ">>>", ">>> a", "functools", "functools[",
    "]<]minimax[>[", "]<]mini", "```", "````", "`", "``", "```tool_code", "```tool_", "```json\n", "[TOOL_CALLS]",
    "[TOOL", "<｜DSML｜", "<minimax:tool_call>", "\n", " ", "a", "é", "search", '{"name": "search"', "Action: search\n",
    "Thought: a\n", "**Action:** search\n",
]
# fmt: on
TEXTS = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=2)), max_size=12).map("".join)
FLOODS = [
    ("Here: </think>", " "),
    ("Thought: a\nAction:\n", "\n"),
    ("Thought: a\n", "Act\n"),
    ("Thought: a\n", "Thought: b\n"),
    ("", "<function="),
    ("", '<invoke name="'),
    ("", "<|open|>call "),
    ("<|open|>call ", "a <|sep|>"),
    ("", "</think>"),
    ("", ">>>"),
    ("", "```tool_code\n"),
    ("```\n", "\n```\n"),
    ("<think>", "</thin"),
]


def told(text: str, size: int) -> tuple[str, str, Outcome]:
    reader = NativeReader([SEARCH])
    said = {"thought": "", "answer": ""}
    chunks = [Delta(text[at : at + size]) for at in range(0, len(text), size)]
    for chunk in (*chunks, Delta(finish="stop")):
        for delta in reader.feed(chunk):
            said[delta.channel] += delta.text
    return said["thought"], said["answer"], reader.close()


@given(TEXTS)
def test_the_next_opener_is_the_one_that_a_plain_search_finds(text: str) -> None:
    text = "\n" + text
    found, at = next_opener(text, 1)
    plain = OPENER_OR_FENCE.search(text, 1)
    assert (found and found.span()) == (plain and plain.span())
    if not plain:
        ends = range(1, len(text))
        held = [end for end in ends if text[end:] in STARTS or (text[end - 1].isspace() and text[end:] in WORD_STARTS)]
        assert at == min(held, default=len(text))


@given(TEXTS, st.integers(1, 5))
@example("a ```tool_code\u0928 a", 1)
@example("<function=]<]minimax[>[", 1)
@example("<tool_call></thinking>]<]minimax[>[", 1)
@example("<think>a</thınk>b", 4)
def test_how_content_is_cut_changes_nothing(text: str, size: int) -> None:
    assert told(text, size) == told(text, max(1, len(text)))


@pytest.mark.parametrize(("head", "piece"), FLOODS)
def test_how_a_flood_is_cut_changes_nothing(head: str, piece: str) -> None:
    text = head + piece * (3_000 // len(piece))
    for ending in ("", "search\nAction Input: x", "a"):
        whole = told(text + ending, len(text) + 100)
        assert told(text + ending, 4) == whole
        assert told(text + ending, 7) == whole
