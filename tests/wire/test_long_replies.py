"""Replies that would take minutes, were the time for them to grow faster than their length."""

from __future__ import annotations

import pytest

from agent.events import ToolSchema
from agent.models.protocol import CallDelta, Delta
from agent.wire.native import NativeReader
from agent.wire.outcomes import Calls
from agent.wire.react_stream import ReactStream
from tests.support.cases import each

SEARCH = ToolSchema("search", "", {"type": "object", "properties": {"query": {"type": "string"}}})
QUOTE = "Here:\n```\nAction: search\nAction Input: x\n```\n"
LONG = {
    "blocks that what follows decides": "So it is.\n> <|im_end|>\n" + "-b\n> a\n" * 40_000,
    "escaped quotes among keywords": "Thought: t\nAction: search(query=" + '\\"' * 40_000 + ")",
    "thoughts on one line": "It is so. Thought: no. " * 8_000,
    "blank lines in an input": 'Thought: t\nAction: search\nAction Input: "' + "\n " * 60_000 + '"',
    "words before a quoted tag": QUOTE + "so it goes on " * 8_000 + '"<b',
    "words before a token": QUOTE + "so it goes on " * 8_000 + "<|b",
    "elements that are not closed": QUOTE + "".join(f"<a{number}>\n" for number in range(40_000)),
    "the same before a call": "".join(f"<a{number}>\n" for number in range(40_000)) + "Thought: t\nAction: x\n<|b",
}


@each("text", LONG.values(), ids=LONG)
@pytest.mark.parametrize("kind", [NativeReader, ReactStream])
def test_a_long_reply_is_read_in_time_that_grows_with_it(kind: type[NativeReader | ReactStream], text: str) -> None:
    reader = kind([SEARCH])
    reader.feed(Delta(text))
    reader.feed(Delta(finish="stop"))
    assert reader.close()


def test_long_arguments_are_read_in_time_that_grows_with_them() -> None:
    reader = NativeReader([SEARCH])
    for arguments in ("{" + '\\"' * 80_000 + "}", '{"query": "x"}'):
        reader.feed(Delta(calls=(CallDelta(0, "", "search", arguments),)))
    assert isinstance(reader.close(), Calls)
