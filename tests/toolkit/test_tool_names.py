"""Names of tools in any script: told as they are on the text wire, as servers take them on the native one."""

from __future__ import annotations

import re
from threading import Event as Flag
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import BadRequest
from agent.events import Answered, Event, Observed, ToolCalled
from agent.loop.agent import Agent
from agent.models.protocol import Delta
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, answer
from agent.toolkit.base import Toolbox, tool
from agent.toolkit.tool_names import is_name, native_name
from agent.toolkit.wording import Words, changed, told
from agent.wire.native import NativeReader
from agent.wire.outcomes import Calls
from agent.wire.prompt import Manner, steps_messages
from tests.support.stories import calls, final, react, stored

TAKEN_BY_SERVERS = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@tool(name="Google 検索")
def search(query: str) -> str:
    """Searches.

    Args:
        query: What is sought.
    """
    return f"found {query}"


@tool(name="Wörter zählen")
def count_words(text: str) -> str:
    """Counts words.

    Args:
        text: The words.
    """
    return str(len(text.split()))


BOX = Toolbox([search, count_words])


@pytest.mark.parametrize(
    "name", ["f", "read_url", "get-it", "Google 検索", "ウィキペディア", "Search the web now please", "検索2"]
)
def test_names_that_can_be_told(name: str) -> None:
    assert is_name(name)
    assert TAKEN_BY_SERVERS.fullmatch(native_name(name))


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "_x",
        "2nd",
        "a  b",
        " a",
        "a ",
        "a\nb",
        "a: b",
        "Action: f",
        "a[b]",
        "f(x)",
        "a" * 65,
        "a b c d e f",
        "<b>",
    ],
)
def test_names_that_cannot(name: str) -> None:
    assert not is_name(name)
    with pytest.raises(TypeError, match="cannot be called"):
        tool(name=name or " ", description="Does.")(lambda: "")


@given(st.lists(st.text(max_size=70), max_size=6))
def test_any_name_has_one_of_its_own_that_servers_take(given: list[str]) -> None:
    sent = {name: native_name(name) for name in given}
    assert all(TAKEN_BY_SERVERS.fullmatch(name) for name in sent.values())
    assert len(set(sent.values())) == len(sent)
    assert [native_name(name) for name in sent.values()] == list(sent.values())


def test_a_name_that_servers_take_stays() -> None:
    assert native_name("read_url") == "read_url"
    assert native_name("Google 検索").startswith("Google_")
    assert native_name("検索").startswith("tool_")


@pytest.mark.parametrize(
    "written",
    [
        "Action: Google 検索\nAction Input: tides",
        "Action: google 検索\nAction Input: tides",
        "Action: `Google 検索`\nAction Input: tides",
        "Action: Google 検索: tides",
        'Action: Google 検索("tides")',
        'Action: {"name": "Google 検索", "arguments": {"query": "tides"}}',
        '{"name": "Google 検索", "arguments": {"query": "tides"}}',
        "行動: Google 検索\n行動の入力: tides",
    ],
)
def test_a_call_on_the_text_wire(written: str) -> None:
    model = Scripted([[Delta(text=f"Thought: I look.\n{written}")], final("There are.")])
    events = stored(list(answer(Question("q"), Agent(model, BOX, "react"), Flag())))
    assert [event.tool for event in events if isinstance(event, ToolCalled)] == ["Google 検索"]
    assert [event.text for event in events if isinstance(event, Observed)] == ["found tides"]
    assert "- Google 検索: Searches." in model.requests[0].messages[0].content
    assert "Action: Google 検索\n" in "\n".join(message.content for message in model.requests[1].messages)


def test_a_call_on_the_native_wire() -> None:
    sent = native_name("Google 検索")
    model = Scripted([calls(("a", sent, '{"query": "tides"}')), [Delta(text="There are.")]], takes_tools=True)
    events = stored(list(answer(Question("q"), Agent(model, BOX, "native"), Flag())))
    called = next(event for event in events if isinstance(event, ToolCalled))
    assert (called.tool, called.repairs) == ("Google 検索", ())
    assert [schema.name for schema in model.requests[0].tools] == [native_name(name) for name in BOX.names]
    assert [asked.name for message in model.requests[1].messages for asked in message.requests] == [sent]
    assert isinstance(events[-1], Answered)


@pytest.mark.parametrize("wire", ["react", "native"])
def test_what_one_wire_called_is_told_on_the_other(wire: Literal["react", "native"]) -> None:
    model = Scripted([react("I look.", "Google 検索", "tides"), final("There are.")])
    events: list[Event] = stored(list(answer(Question("q"), Agent(model, BOX, "react"), Flag())))
    told_again = steps_messages(events, Manner(wire, "en", 1))
    named = [asked.name for message in told_again for asked in message.requests]
    assert named == ([native_name("Google 検索")] if wire == "native" else [])
    assert wire == "native" or "Action: Google 検索\n" in told_again[0].content


def test_dialects_on_the_native_wire_name_what_was_declared() -> None:
    reader = NativeReader(BOX.schemas())
    sent = native_name("Google 検索")
    reader.feed(Delta(text=f'<tool_call>{{"name": "{sent}", "arguments": {{"query": "tides"}}}}</tool_call>'))
    outcome = reader.close()
    assert isinstance(outcome, Calls)
    assert BOX.prepare(outcome.actions[0].tool, outcome.actions[0].input).tool is search


def test_a_person_gives_a_tool_such_a_name() -> None:
    words = changed({}, "search", "ウェブ 検索", "", ["Wörter zählen"])
    assert words == {"search": Words("ウェブ 検索")}
    plain = tool(name="search", description="Searches.")(lambda: "")
    assert told([plain], words)[0].name == "ウェブ 検索"
    with pytest.raises(BadRequest, match="single blanks"):
        changed({}, "search", "Action: search", "", [])
    with pytest.raises(BadRequest, match="called WÖRTER ZÄHLEN already"):
        changed({}, "search", "WÖRTER ZÄHLEN", "", ["Wörter zählen"])
