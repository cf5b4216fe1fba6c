"""Replies that are full of marks: looked at in larger pieces, with the same outcome however they are cut."""

from __future__ import annotations

import pytest

from agent.events import ToolSchema
from agent.models.protocol import Delta
from agent.wire.native import NativeReader
from agent.wire.outcomes import Answer, Calls, Outcome, Reader
from agent.wire.react_stream import ReactStream
from tests.support.cases import each

SEARCH = ToolSchema("search", "", {"type": "object", "properties": {"query": {"type": "string"}}})
CALL = '<tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>'
FLOODS = [
    ("", "a <"),
    ("", "\nT"),
    ("", "```a\n"),
    ("", "| a | b |\n"),
    ("Thought: ", "- a\n"),
    ("Thought: a\nAction: search\nAction Input: ", "a: b\n"),
    ("Final Answer: ", "Action: x\n"),
    ("Final Answer: ", "</b>"),
    ("<think>", "</thin"),
    ("<think>", "a\n"),
]
ENDINGS = [
    "",
    "a",
    "\nThou",
    "\nObservation: y\nand more",
    "\n</think>\nAction: search\nAction Input: x",
    CALL,
    "<tool_ca",
]


def told(reader: Reader, text: str, size: int) -> tuple[str, str, bool, Outcome]:
    said = {"thought": "", "answer": ""}
    chunks = [Delta(text[at : at + size]) for at in range(0, len(text), size)]
    for chunk in (*chunks, Delta(finish="stop")):
        for delta in reader.feed(chunk):
            said[delta.channel] += delta.text
    return said["thought"], said["answer"], reader.done, reader.close()


@pytest.mark.slow
@each(("head", "piece"), FLOODS)
def test_how_a_flood_is_cut_changes_nothing(head: str, piece: str) -> None:
    flood = head + piece * (2_400 // len(piece))
    for text in (flood + ending for ending in ENDINGS):
        for kind in (NativeReader, ReactStream):
            whole = told(kind([SEARCH]), text, len(text))
            assert all(told(kind([SEARCH]), text, size) == whole for size in (2, 3)), (kind, text[-50:])


@pytest.mark.parametrize("kind", [NativeReader, ReactStream])
def test_an_ordinary_reply_is_told_as_it_comes(kind: type[NativeReader | ReactStream]) -> None:
    reader = kind([SEARCH])
    lines = ["Final Answer: It is so.\n"] + ["It is **fine**, and 1 < 2 in `code`.\n"] * 100
    chunks = [line[at : at + 4] for line in lines for at in range(0, len(line), 4)]
    silent = [chunk for chunk in chunks if not reader.feed(Delta(chunk))]
    assert len(silent) < len(chunks) / 3


def test_a_flood_is_told_in_pieces() -> None:
    reader = ReactStream([SEARCH])
    told_of = [bool(reader.feed(Delta("\nT"))) for _ in range(2_000)]
    assert sum(told_of[:500]) > 490
    assert 30 < sum(told_of[1_000:]) < 55


def test_behind_hundreds_of_openers_none_is_kept_back() -> None:
    few, many = ("<function=x> " * number + CALL for number in (5, 300))
    assert isinstance(told(NativeReader([SEARCH]), few, 4)[3], Calls)
    _, answer, _, outcome = told(NativeReader([SEARCH]), many, 4)
    assert answer == many
    assert isinstance(outcome, Answer)
    assert outcome.text == many
