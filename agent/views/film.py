"""A run as a film: when each of its events happened, with its replies streaming in again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from math import ceil
from typing import Literal

from agent.events import (
    Answered,
    Decided,
    Event,
    Failed,
    Inner,
    Merged,
    Observed,
    Prepared,
    Replied,
    Resumed,
    TextDelta,
    ToolCalled,
)

LONGEST_WAIT = 3.0
_SLICES_A_SECOND = 15


@dataclass(frozen=True, slots=True)
class Frame:
    """``event`` happens ``at`` so many seconds after the question; ``number`` counts the stored events up to it."""

    at: float
    event: Event
    number: int


@dataclass(frozen=True, slots=True)
class Film:
    """The frames in order; ``left_out`` are the seconds of waiting that were cut."""

    frames: tuple[Frame, ...]
    left_out: float = 0.0

    @property
    def seconds(self) -> float:
        return self.frames[-1].at if self.frames else 0.0

    @property
    def events(self) -> int:
        """How many stored events there are."""
        return self.frames[-1].number if self.frames else 0

    def shown(self, at: float) -> int:
        """How many frames have happened ``at`` seconds."""
        return bisect_right(self.frames, at, key=lambda frame: frame.at)

    def until(self, shown: int) -> list[Event]:
        """The events of the first ``shown`` frames, without the slices of replies that are whole by then."""
        frames = self.frames[:shown]
        last = frames[-1].number if frames else 0
        return [frame.event for frame in frames if frame.number == last or not isinstance(frame.event, TextDelta)]

    def number(self, shown: int) -> int:
        """The number of the last stored event among the first ``shown`` frames."""
        return self.frames[shown - 1].number if shown else 0

    def at(self, shown: int) -> float:
        """The time of the last one of the first ``shown`` frames."""
        return self.frames[shown - 1].at if shown else 0.0

    def beside(self, shown: int, step: int) -> int:
        """How many frames are shown one stored event further (``step`` 1) or back (-1).

        From within a reply, back is to where it began.
        """
        number = self.number(shown)
        if step < 0 and self.after(number) < shown:
            return self.after(number)
        return self.after(min(self.events, max(0, number + step)))

    def after(self, number: int) -> int:
        """How many frames there are up to and with the stored event of that number."""
        return bisect_left(self.frames, number, key=lambda frame: frame.number) + 1 if number else 0


def film(events: Sequence[Event], longest_wait: float = LONGEST_WAIT) -> Film:
    """The frames of a run's stored events, at the speed it happened.

    No ``TextDelta`` is stored, so a reply streams in by even slices from its first token to its end. Folding all frames
    gives what folding the events does. A wait longer than ``longest_wait`` seconds is cut to that.
    """
    frames: list[Frame] = []
    clock, before, left_out = 0.0, 0.0, 0.0
    for frame in _as_it_happened(events):
        wait = frame.at - before
        before = frame.at
        clock += min(wait, longest_wait)
        left_out += max(0.0, wait - longest_wait)
        frames.append(Frame(clock, frame.event, frame.number))
    return Film(tuple(frames), left_out)


def _as_it_happened(events: Sequence[Event]) -> Iterator[Frame]:
    clock, calls_start = 0.0, 0.0
    inner: dict[str, float] = {}  # the seconds that each agent that was called has taken
    prepared = max((number for number, event in enumerate(events, start=1) if isinstance(event, Prepared)), default=0)
    for number, event in enumerate(events, start=1):
        match event:
            case Merged():
                clock += event.seconds
            # Steps before another Prepared are told again after it: they happened once.
            case Replied() if number > prepared:
                for after, delta in _streaming(event, _answer(events, number) or event.dropped):
                    yield Frame(clock + after, delta, number - 1)
                clock += event.seconds
                calls_start = clock
                inner = {}
            case Inner() if number > prepared:
                inner[event.call_id] = inner.get(event.call_id, 0.0) + _taken(event)
                clock = max(clock, calls_start + inner[event.call_id])
            case Observed() if event.call_id and number > prepared:
                # What a step calls runs side by side, and is told in the order in which it was called.
                clock = max(clock, calls_start + event.seconds)
            case Resumed() if number > prepared:
                clock = calls_start = clock + event.seconds
            case Decided() if number > prepared:
                # What it decides on is done after it.
                clock = calls_start = clock + event.seconds
            case _:
                pass
        yield Frame(clock, event, number)


def _taken(event: Inner) -> float:
    """Seconds that an event of an agent's run took; what it called itself is within the call."""
    own = event.event
    return own.seconds if isinstance(own, Replied) or (isinstance(own, Observed) and own.call_id) else 0.0


def _answer(events: Sequence[Event], after: int) -> str:
    """What the reply before the event at index ``after`` said to the reader."""
    for event in islice(events, after, None):
        match event:
            case Answered():
                return event.text
            case Failed():
                return event.partial
            case Replied() | ToolCalled():
                return ""
            case _:
                pass
    return ""


def _streaming(reply: Replied, answer: str) -> Iterator[tuple[float, TextDelta]]:
    """Slices of the thought, then of the answer, with the seconds since the call at which each came.

    What a reply has beside them (labels, a call's input) takes its share of the time, and is not shown.
    """
    said = len(reply.thought) + len(answer)
    whole = max(said, len(reply.text) + len(reply.cut))
    first = min(reply.first_token, reply.seconds)
    writing = reply.seconds - first
    written = 0
    channels: tuple[tuple[Literal["thought", "answer"], str], ...] = (("thought", reply.thought), ("answer", answer))
    for channel, text in channels:
        for part in _slices(text, writing * len(text) / whole if whole else 0.0):
            yield first + writing * written / whole, TextDelta(channel, part)
            written += len(part)


def _slices(text: str, seconds: float) -> Iterator[str]:
    count = min(len(text), max(1, ceil(seconds * _SLICES_A_SECOND)))
    edges = [len(text) * index // count for index in range(count + 1)] if count else []
    yield from (text[start:end] for start, end in pairwise(edges))
