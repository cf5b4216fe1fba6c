"""The parts of a prompt within the model's window, in tokens, and what of each call it tells."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from agent.context.room import measured
from agent.context.turns import earlier_messages
from agent.data.databases.database_cards import TableCard, card
from agent.events import Event, MadeRoom, Prepared, Replied, ToolCalled, WireName
from agent.loop.agent import Agent
from agent.messages import EarlierTurn, Told, Usage
from agent.models.protocol import Delta
from agent.models.scripted import Scripted
from agent.runs.public import ask
from agent.toolkit.base import Toolbox, tool
from agent.tools.recall import recall_tool
from agent.views.context_map import ContextMap, calls_told, context_map
from agent.wire.prompt import request
from tests.support.stories import calls, double, final, react

WINDOW = 4_000
CARD = {"name": "harbours", "source": "harbours.csv", "rows": 3, "columns": [{"name": "place", "type": "text"}]}


@tool
def tides(text: str) -> str:
    """Tells high and low water.

    Args:
        text: the place
    """
    return "\n".join(f"{text}, day {day}: high {day}:15, low {day + 6}:40" for day in range(40))


def chat(wire: WireName, questions: int = 3, usage: Usage | None = None) -> dict[str, list[Event]]:
    """Runs of a short call and a long one each; the server counts ``usage`` in the last reply of each."""
    history: dict[str, list[Event]] = {}
    for number in range(1, questions + 1):
        end = [Delta(text=final("Noon.") if wire == "react" else "Noon."), Delta(usage=usage or Usage(900, 300, 9))]
        asked = ("double", '{"number": 2}'), ("tides", '{"text": "Oslo"}')
        steps = (
            [react("", *call) for call in asked]
            if wire == "react"
            else [calls((f"{number}-{place}", *call)) for place, call in enumerate(asked)]
        )
        model = Scripted([*steps, end], takes_tools=wire == "native")
        agent = Agent(model, Toolbox([double, tides]), wire)
        history[f"run {number}"] = list(ask(agent, f"Question {number}?", [*history.values()]))
    return renamed(history)


def renamed(history: dict[str, list[Event]]) -> dict[str, list[Event]]:
    """The runs under their own names, in what they say of each other, too."""
    return {
        run: [
            replace(event, turns=tuple(replace(turn, run=f"run {turn.run}") for turn in event.turns))
            if isinstance(event, Prepared)
            else event
            for event in events
        ]
        for run, events in history.items()
    }


def of_last(history: dict[str, list[Event]], told: tuple[Told, ...] = ()) -> tuple[list[Event], dict[str, list[Event]]]:
    """The last run, with the turns before it told so, and those turns."""
    *earlier, last = history
    events = [
        replace(event, turns=tuple(EarlierTurn(run, how) for run, how in zip(earlier, told, strict=True)))
        if isinstance(event, Prepared) and told
        else event
        for event in history[last]
    ]
    return events, {run: history[run] for run in earlier}


def mapped(events: list[Event], history: dict[str, list[Event]]) -> ContextMap:
    found = context_map(events, history, WINDOW)
    assert found
    return found


@pytest.mark.parametrize("wire", get_args(WireName))
def test_the_parts_come_to_what_the_server_counted(wire: WireName) -> None:
    events, history = of_last(chat(wire))
    found = mapped(events, history)
    assert found.sent and found.tokens == 900 and found.cached == 300
    assert found.tokens + found.free + found.reply == WINDOW and found.reply == WINDOW / 4
    assert sum(part.cached for part in found.parts) == 300
    full = [part.cached == part.tokens for part in found.parts]
    assert full == sorted(full, reverse=True), "the beginning is what is cached"
    assert [turn.cached for turn in found.turns] == [part.cached for part in found.parts if part.name == "turn"]
    names = [(part.name, part.number) for part in found.parts]
    schemas = [("tools", 0)] if wire == "native" else []
    assert names == [("rules", 0), *schemas, ("turn", 1), ("turn", 2), ("question", 0)]
    assert [(turn.number, turn.run, turn.question, turn.told) for turn in found.turns] == [
        (1, "run 1", "Question 1?", "full"),
        (2, "run 2", "Question 2?", "full"),
    ]


@pytest.mark.parametrize("wire", get_args(WireName))
@pytest.mark.parametrize("told", get_args(Told))
def test_the_parts_come_to_the_estimate_however_a_turn_is_told(wire: WireName, told: Told) -> None:
    events, history = of_last(chat(wire), (told, "full"))
    so_far = events[: max(place for place, event in enumerate(events) if isinstance(event, Replied))]
    ours = request(so_far, earlier_messages(so_far, history)).tokens
    found = mapped(events, history)
    assert found.tokens == round(ours * measured(events, history))
    first, second = found.turns
    assert first.told == told and second.told == "full"
    told_as = {"full": "full", "shortened": "shortened"}
    assert [call.told for call in calls_told(events, 1, history)] == [
        "full" if told in told_as else "none",
        told_as.get(told, "none"),
    ]
    recalled = [call.handle for call in calls_told(events, 1, history)]
    assert recalled == (["", ""] if told == "out" else ["1.1", "1.2"])
    for handle in filter(None, recalled):
        given = recall_tool(lambda: [*history.values(), events]).call({"what": handle})
        assert given.text.startswith(f"{handle}, ")
    if told == "full":
        assert abs(first.tokens - second.tokens) <= 2
    else:
        assert first.tokens < second.tokens / 2
    assert (first.tokens == 0) == (told in ("recall", "out"))


@pytest.mark.parametrize("wire", get_args(WireName))
def test_a_call_is_named_by_its_step_and_its_handle(wire: WireName) -> None:
    events, history = of_last(chat(wire), ("shortened", "full"))
    first = [(call.step, call.tool, call.handle, call.told) for call in calls_told(events, 1, history)]
    assert first == [(1, "double", "1.1", "full"), (2, "tides", "1.2", "shortened")]
    own = [(call.step, call.handle, call.told) for call in calls_told(events, 3, history)]
    assert own == [(1, "3.1", "full"), (2, "3.2", "full")]


def test_room_that_was_made_is_what_is_shown() -> None:
    events, history = of_last(chat("native"))
    last = max(place for place, event in enumerate(events) if isinstance(event, Replied))
    room = MadeRoom((EarlierTurn("run 1", "question"), EarlierTurn("run 2", "shortened")), 3_900, 900, 2_000, 1)
    events.insert(last, room)
    found = mapped(events, history)
    assert found.window == 2_000
    assert [turn.told for turn in found.turns] == ["question", "shortened"]
    assert [call.told for call in calls_told(events, 3, history)] == ["full", "shortened"]


def test_before_a_reply_it_is_the_prompt_that_comes_next() -> None:
    events, history = of_last(chat("native"))
    begun = next(place for place, event in enumerate(events) if isinstance(event, Prepared))
    found = mapped(events[: begun + 1], history)
    assert not found.sent and not found.cached and len(found.turns) == 2
    assert context_map(events[:begun], history, WINDOW) is None
    assert calls_told(events[: begun + 1], 3, history) == ()


def test_a_call_that_nothing_came_of_is_not_told() -> None:
    history = chat("native", 2)
    first = history["run 1"]
    made = next(place for place, event in enumerate(first) if isinstance(event, ToolCalled))
    history["run 1"] = first[: made + 1]
    events, earlier = of_last(history, ("full",))
    assert [(call.handle, call.told) for call in calls_told(events, 1, earlier)] == [("", "none")]


def test_tables_and_databases_have_parts_of_their_own() -> None:
    model = Scripted(["Noon."], takes_tools=True)
    databases = ({"name": "shop"} | card("sqlite", [TableCard("ships")], 1),)
    agent = Agent(model, Toolbox([double]), "native", cards=(CARD,), databases=lambda: databases)
    events = list(ask(agent, "Question?"))
    found = mapped(events, {})
    assert [part.name for part in found.parts] == ["rules", "tools", "databases", "tables", "question"]
    prepared = next(event for event in events if isinstance(event, Prepared))
    assert sum(prepared.sizes.values()) + 4 == len(prepared.system)


def test_a_window_that_is_too_small_leaves_nothing() -> None:
    events, history = of_last(chat("react"))
    found = context_map(events, history, 600)
    assert found and (found.free, found.reply) == (0, 0) and found.share(found.tokens) == 1.5
