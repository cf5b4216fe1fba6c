"""Whether events stand in the order of a run (see ``agent.events``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.events import (
    Answered,
    Asked,
    Decided,
    Event,
    Failed,
    Inner,
    MadeRoom,
    Merged,
    Observed,
    Prepared,
    Replied,
    Resumed,
    TextDelta,
    ToolCalled,
    Waiting,
)

_MOST_DEPTH = 10  # of runs within runs
_DECISIONS = {"question": ("answered", "skipped"), "approval": ("allowed", "always", "edited", "denied")}


def disorder(events: Sequence[Event]) -> tuple[int, str] | None:
    """The place of the first event that is out of order (one past the last where one is missing), and why.

    A call may stay without an observation where the run failed: the process may have ended in between.
    """
    so_far = _SoFar()
    for place, event in enumerate(events):
        if fault := so_far.fault(event):
            return place, fault
        so_far.add(event)
    if so_far.ended:
        return None
    return len(events), "should be the end of a run, an answer or a failure" if events else "should be a question"


@dataclass(slots=True)
class _SoFar:
    """What has happened; ``calls`` are those of the last reply, ``waiting`` those without observation.

    ``kinds`` are those of the events, ``last`` is the last one's. ``asked`` is what waits for the person.
    ``decided`` are the calls that did. ``within`` are the runs of agents that were called, by the call; ``depth`` says
    within how many runs this one is.
    """

    kinds: set[type[Event]] = field(default_factory=set[type[Event]])
    last: type[Event] | None = None
    calls: set[str] = field(default_factory=set[str])
    waiting: set[str] = field(default_factory=set[str])
    calling: bool = False
    asked: Waiting | None = None
    decided: set[str] = field(default_factory=set[str])
    within: dict[str, _SoFar] = field(default_factory=dict[str, "_SoFar"])
    depth: int = 0

    @property
    def ended(self) -> bool:
        return not self.kinds.isdisjoint((Answered, Failed))

    def add(self, event: Event) -> None:
        self.last = type(event)
        self.kinds.add(self.last)
        match event:
            case Replied():
                # A run that goes on from another may have its steps, and their ids, more than once.
                self.calls.clear()
                self.decided.clear()
                self.within.clear()
                self.calling = True
            case Waiting():
                self.asked = event
            case Decided():
                self.asked = None
                self.decided.add(event.call_id)
            case ToolCalled():
                self.calls.add(event.call_id)
                self.waiting.add(event.call_id)
            case Inner():
                self._run_of(event).add(event.event)
            case Resumed():
                # What was at work begins again, and a call that was decided on may be asked about once more.
                self.decided.clear()
                self.within.clear()
            case Observed() if event.call_id:
                self.waiting.discard(event.call_id)
            case Observed() | Prepared() | MadeRoom():
                self.calling = False
            case _:
                pass

    def _run_of(self, event: Inner) -> _SoFar:
        return self.within.setdefault(event.call_id, _SoFar(kinds={Asked}, depth=self.depth + 1))

    def fault(self, event: Event) -> str:
        """Why the event cannot come now, or ""."""
        if isinstance(event, Inner):
            return self._fault_within(event)
        if self.ended:
            return "stands behind the end of its run"
        if isinstance(event, TextDelta):
            return "is a piece of streamed text, which is never stored"
        if isinstance(event, Asked) == bool(self.kinds):
            return "is a second question" if self.kinds else "should be a question"
        return "" if isinstance(event, Asked | Failed) else self._inner_fault(event)

    def _inner_fault(self, event: Event) -> str:
        if self.asked or isinstance(event, Waiting | Decided):
            return self._person_fault(event)
        match event:
            case Resumed():
                return ""
            case Merged():
                first = self.kinds <= {Asked, Resumed}
                return "" if first else "is a merged question at the wrong place"
            case ToolCalled():
                return self._call_fault(event)
            case Observed() if event.call_id:
                return "" if event.call_id in self.waiting else "is an observation of a call that is not open"
            case Prepared() if not self.waiting:
                return ""
            case _ if Prepared not in self.kinds:
                return "stands before the run was prepared"
            case _:
                return "stands where a call waits for its observation" if self.waiting else ""

    def _fault_within(self, event: Inner) -> str:
        if self.ended or event.call_id not in self.waiting or self.asked or self.depth >= _MOST_DEPTH:
            return "is of an agent within, whose call is not open"
        if isinstance(event.event, Merged | Waiting | Decided | Resumed):
            return "is the person's part, which a run within has none of"
        return self._run_of(event).fault(event.event)

    def _person_fault(self, event: Event) -> str:
        match event:
            case Waiting() if not self.asked:
                known = event.kind == "question" or set(event.choices) <= set(_DECISIONS["approval"])
                if event.call_id not in self.waiting or event.call_id in self.decided:
                    return "waits for a decision about a call that is not open"
                return "" if known else "offers a decision that is none"
            case Decided() if self.asked and event.call_id == self.asked.call_id:
                fits = event.decision in _DECISIONS[self.asked.kind]
                fits = fits and (event.arguments is not None) == (event.decision == "edited")
                return "" if fits else "is a decision that was not asked for"
            case Decided():
                return "is a decision about what did not wait for it"
            case _:
                return "stands where a decision is waited for"

    def _call_fault(self, event: ToolCalled) -> str:
        if not event.call_id or event.call_id in self.calls:
            return "is a call without an id of its own"
        return "" if self.calling else "is a call that no reply asked for"
