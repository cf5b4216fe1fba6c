"""Runs of an answer and what was observed before it."""

from __future__ import annotations

from agent.events import Answered, Asked, Event, Observed, Replied, ToolCalled
from agent.messages import Usage


def run(answer: str, *observed: str, question: str = "?") -> list[Event]:
    events: list[Event] = [Asked(question, 1_795_219_200.0)]
    for number, text in enumerate(observed):
        call = f"c{number}"
        events += [Replied("t", "thought", Usage(), 1.0, 0.1), ToolCalled(call, "query", "", {}), Observed(call, text)]
    return [*events, Answered(answer)]
