"""Runs that have everything that a run can have, for exports and imports."""

from __future__ import annotations

from decimal import Decimal

from agent.events import (
    Answered,
    Asked,
    Decided,
    Event,
    Failed,
    Merged,
    Observed,
    Prepared,
    Replied,
    Source,
    ToolCalled,
    ToolSchema,
    Waiting,
)
from agent.interruptions import Decision
from agent.messages import Message, Money, ToolRequest, Usage
from agent.sharing.export.collected import Exported, ExportedRun
from agent.toolkit.base import artifact

WHOLE = artifact("text", "whole result", "The whole page: 54 °F & <b>more</b>".encode())
TABLE = artifact("json", "cities", b'{"city": ["Z\xc3\xbcrich"], "high": [12.2]}')
LOST = artifact("image", "a picture", b"not kept")
SOURCES = (
    Source(1, "Weather | SF", "https://weather.example.org/sf?day=1&unit=f", "54 °F at noon", "2026-11-20"),
    Source(2, "", "http://127.0.0.1:1/plain"),
    Source(3, "Nowhere", ""),
)
_MONEY = Money(Decimal("0.0000325"))


def text_run() -> tuple[Event, ...]:
    """On the text wire: merged, repaired, cut, dropped, told off, with sources and artifacts, and answered."""
    request = (Message("system", "Merge."), Message("user", "and in Celsius?"))
    return (
        Asked("and in Celsius?\n  (exactly)", 1_795_000_000.25, attachments=("weather.csv",)),
        Merged("What is 54 °F in Celsius?", request, "What is 54 °F in Celsius?", Usage(30, 10, 9), 0.21, _MONEY),
        Prepared("What is 54 °F in Celsius?", "You are…", (), "react", "gpt-x", "http://localhost:11434/v1"),
        Replied(
            *("Thought: look\nAction: search\n", "I look it up.", Usage(100, 50, 20, 5), 1.5, 0.25),
            reasoning="The user wants…",
            cut="Observation: 99 °F (invented)",
            dropped="It is 99 °F.",
            repairs=("The action's name was in backticks.",),
            notes=("The server does not take stop words.",),
            finish="stop",
            price=_MONEY,
        ),
        ToolCalled("call_1", "search", "high in SF", {"query": "high in SF"}, ("A bare text was taken as the query.",)),
        Observed("call_1", "[1] 54 °F", 0.5, "", (WHOLE, TABLE, LOST), SOURCES, cached=True),
        Replied("nonsense", "", Usage(1, 0, 1, estimated=True), 0.1, 0.1),
        Observed("", "Write an action or an answer.", error="format"),
        Replied("…", "Now the sum.", Usage(120, 100, 22), 0.75, 0.125, edited=True, left_out=("stop",)),
        ToolCalled("call_2", "calculator", "(54-32)*5/9", {"expression": "(54-32)*5/9", "digits": 1e-7}),
        Observed("call_2", "12.222222222222221", 0.001, edited=True),
        Replied("Final Answer: **12.2 °C**", "I know it.", Usage(140, 120, 9), 0.5, 0.1, finish="stop"),
        Answered("It is **12.2 °C**, says [the page](https://weather.example.org/sf).", ("And in Kelvin?",)),
    )


def native_run() -> tuple[Event, ...]:
    """On the native wire: two calls side by side, one failing and one that cannot be made; broken off."""
    schema = ToolSchema("search", "Searches.", {"type": "object", "properties": {"query": {"type": "string"}}})
    request = (Message("assistant", "", (ToolRequest("1", "t", "{}"),)), Message("tool", "x", call_id="1"))
    return (
        Asked("Compare it with 東京.", 1_795_000_100.5),
        Merged("Compare it with 東京.", request, "", Usage(), 0.1, error="The model's server did not answer."),
        Prepared(
            *("Compare it with 東京.", "You are…", (schema,), "native", "gpt-x", "https://api.example.org/v1"),
            language="ja",
            parameters={"temperature": 0.5, "more": [1, None, True, {"deep": "x"}]},
        ),
        Replied("I look both up.", "I look both up.", Usage(50, 0, 5), 1.25, 0.5),
        ToolCalled("a", "search", '{"query": "東京"}', {"query": "東京"}),
        ToolCalled("b", "serch", '{"query": "SF"}', None),
        Observed("a", "The service is closed.", 0.25, "refused"),
        Observed("b", "No tool is called serch.", 0.0, "unknown_tool"),
        Observed("", "You have no steps left.", error="limit"),
        Replied("In Tokyo it", "In Tokyo it", Usage(80, 0, 3, estimated=True), 0.5, 0.1, unfinished=True),
        Failed("limit", "The limit of 2 steps was reached.", partial="In Tokyo it", reference="1a2b3c4d"),
    )


def asking_run() -> tuple[Event, ...]:
    """One that asked the person: answered, denied, changed; and stopped while it waited."""
    approval: tuple[Decision, ...] = ("allowed", "always", "edited", "denied")
    return (
        Asked("How warm is Paris?", 1_795_000_400.0),
        Prepared("How warm is Paris?", "s", (), "react", "demo", "demo"),
        Replied("…", "Which one?", Usage(1, 0, 1), 0.1, 0.1),
        ToolCalled("q", "ask_user", "Which?", {"question": "Which?", "choices": ["France", "Texas"]}),
        Waiting("q", "question", "Which?", ("France", "Texas"), 1_795_000_401.0),
        Decided("q", "answered", "The one with the tower", seconds=75.0),
        Observed("q", "The one with the tower"),
        Replied("…", "I look.", Usage(1, 0, 1), 0.1, 0.1),
        ToolCalled("a", "search", "Paris", {"query": "Paris"}),
        ToolCalled("b", "search", "Paris weather", {"query": "Paris weather"}),
        ToolCalled("c", "search", "Paris <b>", {"query": "Paris <b>"}),
        Waiting("a", "approval", "It reaches out.", approval, 1_795_000_480.0),
        Decided("a", "denied", "Not all <b>of</b> Paris.", seconds=4.0),
        Observed("a", "The user did not allow this call.", 0.0, "denied"),
        Waiting("b", "approval", "It reaches out.", approval, 1_795_000_485.0),
        Decided("b", "edited", arguments={"query": "Paris, weather now"}, seconds=4.0),
        Observed("b", "12 °C", 0.5),
        Waiting("c", "approval", "It reaches out.", approval, 1_795_000_490.0),
        Failed("cancelled", "Stopped."),
    )


def refused_wire_run(parent: str) -> tuple[Event, ...]:
    """A branch that goes on from two steps, is told that its server takes no tools, and is interrupted in a call."""
    steps = (
        Replied("…", "Again.", Usage(1, 0, 1), 0.1, 0.1),
        ToolCalled("call_1", "calculator", "1+1", {"expression": "1+1"}),
        Observed("call_1", "2", 0.0),
    )
    return (
        Asked("Again", 1_795_000_200.0, parent=parent, at=3),
        Prepared("Again", "s", (), "native", "demo", "demo"),
        *steps,
        Prepared("Again", "s", (), "react", "demo", "demo"),
        *steps,
        Replied("…", "More.", Usage(1, 0, 1), 0.1, 0.1),
        ToolCalled("call_2", "calculator", "2+2", {"expression": "2+2"}),
        Failed("interrupted", "The server was stopped while this was being answered."),
    )


def everything() -> Exported:
    artifacts = {made.hash: made.content for made in (WHOLE, TABLE)}
    return Exported(
        "High in SF — 東京 \u2028 <b>",
        (
            ExportedRun("1", "", text_run(), 1, "Just right & quick", artifacts),
            ExportedRun("2", "1", native_run(), 0),
            ExportedRun("3", "1", refused_wire_run("2")),
            ExportedRun("4", "", (Asked("", 1_795_000_300.0), Failed("model", "There was no question."))),
        ),
    )
