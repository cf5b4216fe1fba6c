"""When the calls of a run happened: a run's events hold how long each took, so they are laid one after another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent.events import Asked, Decided, Event, Merged, Observed, Prepared, Replied, Resumed, ToolCalled
from agent.messages import Money, Usage

SpanKind: TypeAlias = Literal["merge", "model", "tool"]


@dataclass(frozen=True, slots=True)
class Span:
    """One call, of the model or of a tool, and the time it took.

    ``name`` is the tool's, "" for the model. ``start`` is in seconds since the first call of the run began, without
    what lay between the calls; ``first_token`` is the part of ``seconds`` until the model's first token, 0 for tools
    and for merging. ``step`` counts the replies from 1 as ``agent.views.request`` does, 0 for merging. ``event`` is the
    number, from 1, of the event that ended it, ``error`` the kind of error of a tool's observation, or "".
    """

    kind: SpanKind
    name: str
    start: float
    seconds: float
    first_token: float
    usage: Usage | None
    price: Money | None
    step: int
    event: int
    error: str = ""
    edited: bool = False

    @property
    def end(self) -> float:
        return self.start + self.seconds


def spans(events: Iterable[Event]) -> tuple[Span, ...]:
    """The calls of a run in the order in which they ended; those of one step begin together.

    What the run waited for the person is left out, so a call that was decided on begins where those before it end.

    Steps that were told again on another wire (a second ``Prepared``) happened once.
    """
    laid: list[Span] = []
    names: dict[str, str] = {}
    step, clock, calls_start = 0, 0.0, 0.0
    for number, event in enumerate(events, start=1):
        match event:
            case Merged():
                laid.append(Span("merge", "", clock, event.seconds, 0.0, event.usage, event.price, 0, number))
                clock = laid[-1].end
            case Prepared():
                laid = [span for span in laid if span.kind == "merge"]
                clock, step = length(laid), 0
            case Replied():
                step += 1
                first = min(event.first_token, event.seconds)
                usage, price = event.usage, event.price
                span = Span("model", "", clock, event.seconds, first, usage, price, step, number, "", event.edited)
                laid.append(span)
                clock = calls_start = span.end
                names = {}
            case ToolCalled():
                names[event.call_id] = event.tool
            case Observed() if event.call_id:
                name = names.get(event.call_id, "")
                made = (calls_start, event.seconds, 0.0, None, None, step, number, event.error, event.edited)
                laid.append(Span("tool", name, *made))
                clock = max(clock, laid[-1].end)
            case Decided() | Resumed():
                calls_start = clock
            case _:
                pass
    return tuple(laid)


def length(laid: Iterable[Span]) -> float:
    """Seconds from the first call's start to the last one's end."""
    return max((span.end for span in laid), default=0.0)


def seconds_taken(events: Sequence[Event]) -> float:
    """Seconds that models and tools took of a run so far: without those of a run it goes on from, or of the person.

    Those of what was lost with a process are among them.
    """
    asked = next((event for event in events if isinstance(event, Asked)), None)
    own = events[(asked.at or 0) if asked else 0 :]
    return length(spans(own)) + sum(event.seconds for event in own if isinstance(event, Resumed))
