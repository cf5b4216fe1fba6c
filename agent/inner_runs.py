"""The events of runs that are within a run: those of agents that were called as tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from agent.events import Event, Inner, Merged, Observed, Replied, Resumed, ToolCalled
from agent.so_far import SoFar, of_kind

ModelUse: TypeAlias = Merged | Replied | Resumed
_CALLS = (Merged, Replied, Resumed)


def innermost(event: Event) -> Event:
    """The event itself, of whichever run."""
    while isinstance(event, Inner):
        event = event.event
    return event


def has_inner(events: Sequence[Event]) -> bool:
    """Whether there are runs within, which is asked at each step of a run."""
    return bool(events.of(Inner)) if isinstance(events, SoFar) else Inner in map(type, events)


def all_events(events: Sequence[Event]) -> Sequence[Event]:
    """The events as they came, those of the runs within in their places, as if they were the run's own."""
    return [*map(innermost, events)] if has_inner(events) else events


def model_calls(events: Sequence[Event]) -> Sequence[ModelUse]:
    """All calls of models, those of the runs within and those that were lost included: what a run has used."""
    return of_kind(all_events(events), _CALLS)


def ids_of_calls(events: Sequence[Event]) -> frozenset[str]:
    """The ids of all calls of tools, those of the runs within included."""
    return frozenset([called.call_id for called in of_kind(all_events(events), ToolCalled)])


def of_call(events: Iterable[Event], call_id: str) -> list[Event]:
    """The events of the run within that answers a call; none where the call is no agent's."""
    return [event.event for event in events if isinstance(event, Inner) and event.call_id == call_id]


def looked_up(events: Sequence[Event]) -> list[Event]:
    """The events with what agents within observed, in place of what those agents said of it.

    What came of the call of an agent that observed nothing, or failed, stays as it is.
    """
    saw = {call_id for event in events for call_id in _answered_from(event)}
    told: list[Event] = []
    for event in events:
        found = innermost(event)
        if isinstance(found, Observed) and found.call_id in saw and not found.error and not found.edited:
            continue
        if found is event or isinstance(found, ToolCalled | Observed):
            told.append(found)
    return told


def _answered_from(event: Event) -> Iterator[str]:
    """The calls of the agents within which something was observed."""
    seen = innermost(event)
    if isinstance(seen, Observed) and seen.call_id and not seen.error:
        while isinstance(event, Inner):
            yield event.call_id
            event = event.event
