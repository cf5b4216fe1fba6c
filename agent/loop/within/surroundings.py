"""What the run of an agent that was called as a tool is within: the run that called it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event as Flag

from agent.events import Event, Inner, Prepared
from agent.inner_runs import has_inner, innermost
from agent.loop.agent import Agent
from agent.toolkit.base import Toolbox


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The run that made the call ``call_id``, whose ``agent`` is asked and stopped by ``cancel``.

    ``events`` are those of that run, which grow, ``earlier`` those of the turns before. Its time is over at ``ends``
    (of ``time.monotonic``). ``share`` agents were called by the same reply. ``outer`` is what that run is within.
    """

    agent: Agent
    cancel: Flag
    ends: float
    events: Sequence[Event]
    earlier: Sequence[Event]
    call_id: str
    share: int = 1
    outer: Surroundings | None = None

    @property
    def depth(self) -> int:
        """How many runs there are around the one within, from 1."""
        return 1 + (self.outer.depth if self.outer else 0)

    @property
    def boxes(self) -> tuple[Toolbox, ...]:
        """The tools of all the runs around."""
        return (self.agent.tools, *(self.outer.boxes if self.outer else ()))

    def told(self) -> tuple[Event, ...]:
        """What happened in all the runs around, but for the run within itself; as one run."""
        others = [event for event in self.events if not (isinstance(event, Inner) and event.call_id == self.call_id)]
        return (*(self.outer.told() if self.outer else ()), *as_one_run(others))


def as_one_run(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events with those of the runs within in their places; what these were prepared with is not said again."""
    if not has_inner(events):
        return tuple(events)
    return tuple(inner for event in events if (inner := innermost(event)) is event or not isinstance(inner, Prepared))
