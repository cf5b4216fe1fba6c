"""Follows runs that work in other processes: what is stored, and the text in between where it is told."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Condition, Lock
from time import monotonic, sleep
from typing import Any, cast

from agent.events import Event, TextDelta
from agent.runs.elsewhere.handed import Handed
from agent.runs.elsewhere.live_text import Message
from agent.store.runs import Store

STORE_LOOK_SECONDS = 0.5
_LOOK_SECONDS = 2.0  # where nothing is told
_GAP_SECONDS = 0.1  # where text is missing between what is here and what was told
_UNHEARD_SECONDS = 2.0  # in which text that was told is in the store, too
_UNHEARD_LOOK_SECONDS = 0.5
_MOST_MIRRORS = 512
_MOST_EARLY = 1_000


@dataclass(frozen=True, slots=True)
class Followed:
    """What a follower has not seen yet. ``place`` is the run's place in the queue, 0 once it runs.

    ``done`` says that nothing more will come: the run has ended, or waits for the person. ``unstored`` says that the
    store has not taken all of it yet; a run is not done before.
    """

    events: tuple[Event, ...]
    done: bool
    place: int = 0
    unstored: bool = False


def follow_stored(store: Store, run: str, after: int, wait: float) -> Followed:
    """The stored events of a run with an index from ``after`` on, at the latest after ``wait`` seconds."""
    row = store.run(run)
    events = store.events(run, after)
    done = row is None or bool(row.ended) or store.is_waiting(run)
    if not (events or done):
        sleep(min(wait, STORE_LOOK_SECONDS))
    return Followed(tuple(events), done)


@dataclass(slots=True, eq=False)
class _Mirror:
    """One run as it is followed here: its events in the order in which they came, with the text between them."""

    events: list[Event] = field(default_factory=list[Event])
    stored: int = 0
    characters: int = 0  # that came of the open reply
    early: list[Message] = field(default_factory=list[Message])  # before what they stand behind
    behind: bool = True  # the store has something that is not here
    missed: float = field(default_factory=monotonic)  # until then, text may have been told that was not heard
    done: bool = False
    place: int = 0
    looked: float = float("-inf")
    changed: Condition = field(default_factory=Condition)
    reading: Lock = field(default_factory=Lock)

    def hear(self, message: Message) -> None:
        with self.changed:
            if message.text and message.stored >= self.stored:
                self.early.append(message)
                del self.early[:-_MOST_EARLY]
                self.take_early()
            self.behind |= message.stored > self.stored
            self.changed.notify_all()

    @property
    def next_look(self) -> float:
        """When the store is looked into, whatever is told."""
        if self.behind:
            return float("-inf")
        if self.early:
            return self.looked + _GAP_SECONDS
        return self.looked + (_UNHEARD_LOOK_SECONDS if self.unheard else _LOOK_SECONDS)

    @property
    def unheard(self) -> bool:
        """Whether text of the open reply may be in the store that was not heard."""
        return self.looked < self.missed + _UNHEARD_SECONDS

    def take_early(self) -> None:
        """Take in what was told of the open reply, as far as nothing is missing before it."""
        early = [message for message in self.early if message.stored >= self.stored]
        self.early = []
        for message in sorted(early, key=lambda message: message[1:3]):
            if message.stored > self.stored or message.start > self.characters:
                self.early.append(message)
            else:
                self.add(message.text, message.start)

    def add(self, text: tuple[tuple[str, str], ...], start: int) -> None:
        """Add what is new of the open reply's text from the character ``start`` on."""
        for channel, piece in text:
            new = piece[max(0, self.characters - start) :]
            start += len(piece)
            if new:
                self.events.append(TextDelta(cast("Any", channel), new))
                self.characters += len(new)

    def read(self, store: Store, handed: Handed, run: str) -> None:
        """Take in what is stored by now."""
        with self.reading:
            unheard = self.unheard or bool(self.early)
            self.behind, self.looked = False, monotonic()
            row, waits = store.run(run), store.is_waiting(run)
            events = store.events(run, self.stored)
            stored = self.stored + len(events)
            done = row is None or bool(row.ended) or waits
            streamed = store.unanswered.streamed(run, stored) if unheard and not done else []
            place = 0 if done or stored > 1 else handed.place(run)
            with self.changed:
                if events:
                    self.events += events
                    self.stored, self.characters = stored, 0
                self.add(tuple((delta.channel, delta.text) for delta in streamed), 0)
                self.take_early()
                self.done, self.place = done, place
                self.changed.notify_all()


class Mirrors:
    """The runs elsewhere that somebody follows here. All methods may be called from any thread."""

    def __init__(self, store: Store, handed: Handed) -> None:
        self._store = store
        self._handed = handed
        self._mirrors: OrderedDict[str, _Mirror] = OrderedDict()
        self._lock = Lock()

    def hear(self, message: Message) -> None:
        """Take in what another process told."""
        with self._lock:
            mirror = self._mirrors.get(message.run)
        if mirror:
            mirror.hear(message)

    def missed(self) -> None:
        """Look into the store: something may have been told that was not heard."""
        with self._lock:
            mirrors = list(self._mirrors.values())
        for mirror in mirrors:
            with mirror.changed:
                mirror.behind, mirror.missed = True, monotonic()
                mirror.changed.notify_all()

    def follow(self, run: str, after: int, wait: float) -> Followed:
        """As ``Runs.follow``. Raises ``StoreFailed`` and ``RunUnreadable``."""
        mirror, ends = self._mirror(run, after), monotonic() + wait
        while True:
            with mirror.changed:
                mirror.changed.wait_for(
                    lambda: len(mirror.events) > after or mirror.done or mirror.behind,
                    max(0.0, min(mirror.next_look, ends) - monotonic()),
                )
                found = len(mirror.events) > after or mirror.done
                due = monotonic() >= mirror.next_look
                if found or (monotonic() >= ends and not due):
                    return Followed(tuple(mirror.events[after:]), mirror.done, mirror.place)
            if due:
                mirror.read(self._store, self._handed, run)

    def _mirror(self, run: str, after: int) -> _Mirror:
        with self._lock:
            mirror = self._mirrors.get(run)
            if mirror is None or (mirror.done and not after):  # it may have gone on since
                mirror = self._mirrors[run] = _Mirror()
            self._mirrors.move_to_end(run)
            while len(self._mirrors) > _MOST_MIRRORS:
                self._mirrors.popitem(last=False)
            return mirror
