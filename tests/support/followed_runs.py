"""Runs in flight, followed to their end."""

from __future__ import annotations

from time import monotonic

from agent.events import Event
from agent.runs.in_flight import Runs
from agent.store.runs import Store


def new_run(store: Store) -> str:
    return store.add_run(store.add_conversation("", "t"))


def follow_to_end(runs: Runs, run: str, seconds: float = 30.0) -> list[Event]:
    events: list[Event] = []
    end = monotonic() + seconds
    while monotonic() < end:
        followed = runs.follow(run, len(events))
        events.extend(followed.events)
        if followed.done:
            return events
    raise AssertionError(f"no end within {seconds} s: {events}")
