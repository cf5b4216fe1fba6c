"""A run at work in this process: the events so far, and whoever waits for the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Condition
from threading import Event as Flag

from agent.events import Event, TextDelta, Waiting
from agent.loop.limits import overdue
from agent.runs.journal import Journal
from agent.store.unanswered import Piece


@dataclass(slots=True, eq=False)
class LiveRun:
    """What is known of a run while it is at work here, and for a while after."""

    run: str
    cancel: Flag
    journal: Journal
    most_seconds: float = 0.0
    events: list[Event] = field(default_factory=list[Event])
    changed: Condition = field(default_factory=Condition)
    done: bool = False
    started: float = 0.0
    told: float = 0.0  # when the last events came
    kept: int = 0  # events of which the text is kept, see ``piece``
    whole: int = 0  # events up to the last one that is more than a piece of a text
    stored: int = 0  # events that are more than that

    def add(self, events: Sequence[Event]) -> None:
        """Take events that came, with ``changed`` held where others may read them."""
        for event in events:
            self.events.append(event)
            if not isinstance(event, TextDelta):
                self.whole = len(self.events)
                self.stored += 1

    @property
    def late(self) -> bool:
        return bool(self.started) and overdue(self.events, self.started, self.told, self.most_seconds)

    def piece(self) -> Piece | None:
        """What came of the open reply since the last piece that was kept; ``None`` for nothing."""
        with self.changed:
            events, count, stored = self.events[max(self.kept, self.whole) :], len(self.events), self.stored
        deltas = [event for event in events if isinstance(event, TextDelta)]
        return Piece(self.run, count, stored, deltas) if deltas else None

    @property
    def waiting(self) -> bool:
        return self.over and bool(self.events) and isinstance(self.events[-1], Waiting)

    @property
    def over(self) -> bool:
        return self.done and not self.journal.late
