"""Runs that wait for the person, and what the person says, on either wire."""

from __future__ import annotations

import json
from collections.abc import Sequence
from threading import Event as Flag
from typing import Any

from agent.events import Decided, Event, Waiting, dump, load
from agent.interruptions import Decision
from agent.loop.agent import Agent
from agent.loop.approval import Policy
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, answer, go_on
from agent.toolkit.base import Toolbox
from agent.tools.ask_user import ask_user
from tests.support.stories import calls, double, final, react, stored

TOOLS = Toolbox([double, ask_user])
ASKING = json.dumps({"question": "Which one?", "choices": ["this", "that"]})
ASKS_FIRST = Policy(asks=("double",))


def script(wire: str, *steps: tuple[str, str]) -> Scripted:
    """A model that makes these calls, one in each reply, and then answers."""
    if wire == "react":
        return Scripted([*(react("So.", name, text) for name, text in steps), final("done")])
    return Scripted([*(calls((f"c{n}", name, text)) for n, (name, text) in enumerate(steps)), "done"], takes_tools=True)


def setup(model: Any, wire: str = "react", policy: Policy = ASKS_FIRST, **more: Any) -> Agent:
    return Agent(model, TOOLS, wire, policy=policy, **more)  # type: ignore[arg-type]


def said(waiting: Event, decision: Decision, text: str = "", number: int = 0, seconds: float = 3.0) -> Decided:
    """What the person says to it; ``edited`` has the ``number`` to double."""
    assert isinstance(waiting, Waiting)
    arguments = {"number": number} if decision == "edited" else None
    return Decided(waiting.call_id, decision, text, arguments, seconds)


def begun(chosen: Agent) -> list[Event]:
    return list(answer(Question("q"), chosen, Flag()))


def further(events: Sequence[Event], chosen: Agent) -> list[Event]:
    """All of it, as a process that has only what was stored goes on."""
    kept = [load(dump(event)) for event in stored(list(events))]
    return [*kept, *go_on(kept, chosen, Flag())]


def to_the_end(chosen: Agent, decisions: Sequence[tuple[Decision, str, int]]) -> list[Event]:
    events = begun(chosen)
    for decision, text, number in decisions:
        events = further([*events, said(events[-1], decision, text, number)], chosen)
    return events
