"""The events of a run so far: those of a kind, those since it was prepared, the tables it was told of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, cast

from agent.events import Event, Prepared

E = TypeVar("E", bound=Event)


class SoFar(list[Event]):
    """The events of a run that goes on: more come at their end, nothing else changes. Each is looked at once a kind.

    It may be read in other threads.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        super().__init__(events)
        self._found: dict[object, tuple[int, tuple[Any, ...]]] = {}

    def of(self, kind: type[E] | tuple[type[E], ...]) -> Sequence[E]:
        looked_at, found = self._found.get(kind, (0, ()))
        if looked_at < (size := len(self)):
            found = (*found, *[event for event in self[looked_at:size] if isinstance(event, kind)])
            self._found[kind] = size, found
        return found


def of_kind(events: Sequence[Event], kind: type[E] | tuple[type[E], ...]) -> Sequence[E]:
    """The events of a kind, or of one of several; those of the runs within are in an ``Inner``."""
    if isinstance(events, SoFar):
        return events.of(kind)
    return [event for event in events if isinstance(event, kind)]


def since_prepared(events: Sequence[Event]) -> tuple[Prepared, Sequence[Event]]:
    """The last ``Prepared`` and what came after it. Raises ``ValueError`` where there is none."""
    if isinstance(events, SoFar) and len(known := events.of(Prepared)) == 1:  # which stands near the beginning
        return known[0], events[events.index(known[0]) + 1 :]
    kinds = [*map(type, reversed(events))]
    if Prepared not in kinds:
        raise ValueError("no Prepared event: nothing to compute a prompt from")
    place = len(events) - 1 - kinds.index(Prepared)
    return cast("Prepared", events[place]), events[place + 1 :]


def tables_told(events: Sequence[Event]) -> frozenset[str]:
    """The names of the loaded tables that the model of the run was told of."""
    prepared = of_kind(events, Prepared)
    facts = prepared[-1].facts if prepared else None
    return frozenset(str(card.get("name", "")) for card in facts.cards) if facts else frozenset()
