"""A run in a terminal: it is worked through beside the terminal, which stays free for Ctrl-C, and told in lines."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Event as Flag
from threading import Thread
from time import monotonic

from agent.endings import closing
from agent.events import (
    Answered,
    Decided,
    Event,
    Failed,
    Inner,
    MadeRoom,
    Merged,
    Observed,
    Replied,
    Resumed,
    TextDelta,
    ToolCalled,
    Waiting,
)
from agent.loop.limits import for_the_user, most_seconds, overdue
from agent.settings import Limits
from agent.text.characters import one_line

STOP_SECONDS = 0.5
_LOOK_SECONDS = 0.05
_LONGEST_ORDER = 300  # characters of a passage that is pointed out
_TITLES = {"thought": "Thought: ", "answer": "\nFinal Answer: "}
# A model or a web page could move the cursor, or write to the clipboard, with the terminal's own control characters.
_CONTROLS = dict.fromkeys([*range(9), *range(11, 32), *range(127, 160)], "\ufffd") | {ord("\r"): None}


def stoppable(story: Callable[[Flag], Iterator[Event]], limits: Limits) -> Iterator[Event]:
    """The events of ``story``, up to its end or to Ctrl-C; only for the main thread, which alone hears signals.

    The first Ctrl-C sets the flag that ``story`` was given. A story that is stuck in a call is left behind after
    ``STOP_SECONDS``, and what it had told is brought to an end; so it is where the time of ``limits`` has passed. The
    second Ctrl-C ends the program.
    """
    cancel = Flag()
    told: SimpleQueue[Event | None] = SimpleQueue()
    Thread(target=_work, args=(story(cancel), told), name="run", daemon=True).start()
    with _interrupts(cancel):
        yield from _until_stopped(told, cancel, limits)


def _until_stopped(told: SimpleQueue[Event | None], cancel: Flag, limits: Limits) -> Iterator[Event]:
    seen: list[Event] = []
    started = last = monotonic()
    ends = float("inf")
    while monotonic() < ends and not overdue(seen, started, last, most_seconds(limits)):
        if cancel.is_set():
            ends = min(ends, monotonic() + STOP_SECONDS)
        try:
            event = told.get(timeout=_LOOK_SECONDS)
        except Empty:
            continue
        if event is None:
            return
        seen.append(event)
        last = monotonic()
        yield event
    late = Failed("limit", for_the_user("seconds", limits))
    yield from closing(seen, Failed("cancelled", "Stopped.") if cancel.is_set() else late)


def _work(story: Iterator[Event], told: SimpleQueue[Event | None]) -> None:
    try:
        for event in story:
            told.put(event)
    finally:
        told.put(None)


@contextmanager
def _interrupts(cancel: Flag) -> Generator[None]:
    """Ctrl-C sets the flag, once."""

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        cancel.set()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def readable(text: str) -> str:
    """``text`` without what would steer the terminal."""
    return text.translate(_CONTROLS)


class Terminal:
    """Prints a run; remembers only which line is open and what was streamed since the last reply."""

    def __init__(self) -> None:
        self._channel = ""
        self._streamed = {"thought": "", "answer": ""}

    def show(self, event: Event) -> None:
        """Print what is new in ``event``."""
        if isinstance(event, TextDelta):
            self._stream(event)
            return
        for line in _within(event) or _step(event, self._streamed["thought"]) or _end(event, self._streamed["answer"]):
            self._line(line)
        if isinstance(event, Observed | Answered | Failed):
            self._close()
            self._streamed = {"thought": "", "answer": ""}

    def _stream(self, delta: TextDelta) -> None:
        if delta.channel != self._channel:
            self._close()
            print(_TITLES[delta.channel], end="")
            self._channel = delta.channel
        self._streamed[delta.channel] += delta.text
        print(delta.text.translate(_CONTROLS), end="", flush=True)

    def _line(self, text: str) -> None:
        self._close()
        print(text.translate(_CONTROLS), flush=True)

    def _close(self) -> None:
        if self._channel:
            print()
        self._channel = ""


def _within(event: Event) -> list[str]:
    """What an agent that was called tells, moved in."""
    if not isinstance(event, Inner):
        return []
    inner = event.event
    told = "\n".join(_within(inner) or _step(inner, "") or _end(inner, "")).strip()
    return [f"  | {line}" for line in told.split("\n")] if told else []


def _step(event: Event, streamed: str) -> list[str]:
    match event:
        case Merged():
            failed = f"Taken as typed: the history could not be merged. {event.error}"
            return [failed if event.error else f"Understood as: {event.question}"]
        case MadeRoom():
            return [f"  (older parts of the chat are told shortened: {event.before:,} → {event.after:,} tokens)"]
        case Replied():
            thought = [f"Thought: {event.thought}"] if event.thought and event.thought != streamed.strip() else []
            unseen = ["This model takes no pictures."] if "images" in event.left_out else []
            return [*thought, *_noted((*unseen, *event.notes, *event.repairs))]
        case ToolCalled():
            return [f"Action: {event.tool}", f"Action Input: {event.input}", *_noted(event.repairs)]
        case Waiting(kind="question"):
            return [f"Question to you: {event.text}"]
        case Waiting():
            return [f"Waits for your word: {event.text}"]
        case Decided():
            from agent.views.decisions import arguments, sentence

            return [sentence(event), *filter(None, [arguments(event)])]
        case Observed() if event.call_id:
            return [*_noted(event.repairs), f"Observation: {event.text}", *_orders(event.text)]
        case Observed():
            return [f"Told to the model: {event.text}"]
        case _:
            return []


def _noted(notes: Iterable[str]) -> list[str]:
    return [f"  ({note})" for note in notes]


def _orders(text: str) -> list[str]:
    """What in a tool's result reads as orders to the agent, pointed out as the page does."""
    from agent.text.injection import POINTED_OUT, passages

    found = [f"  > {one_line(passage, _LONGEST_ORDER)}" for passage in passages(text)]
    return [f"  ({POINTED_OUT})", *found] if found else []


def _end(event: Event, streamed: str) -> list[str]:
    match event:
        case Answered():
            answer = [] if event.text == streamed.strip() else [f"\nFinal Answer: {event.text}"]
            return answer + [f"  - {question}" for question in event.next_questions]
        case Resumed():
            from agent.views.event_list import about

            return [about(event)]
        case Failed():
            partial = [f"So far: {event.partial}"] if event.partial and event.partial != streamed.strip() else []
            return [*partial, "\n" + ("" if event.reason == "cancelled" else "Failed: ") + event.message]
        case _:
            return []
