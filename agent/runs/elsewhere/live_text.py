"""Text on its way between processes: told by the one that works on a run, heard by those that somebody follows it in.

PostgreSQL carries it (NOTIFY) and keeps nothing of it. What is lost on the way, by an outage, say, is in the store
soon: a reply that comes in every second, all else at once.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from threading import Condition, Thread
from threading import Event as Flag
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agent.events import Event, TextDelta

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger(__name__)
CHANNEL = "glassbox_live"
_TOGETHER_SECONDS = 0.03  # what comes within so long is told together
# Of one message: PostgreSQL takes fewer than 8,000 bytes, and JSON up to twelve for a character.
_MOST_CHARACTERS, _MOST_PIECES = 600, 20
_MOST_WAITING = 10_000  # messages that wait while the database is out
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 5.0
_LOOK_SECONDS = 0.5
_CONNECT_SECONDS = 10


class Message(NamedTuple):
    """What came of a run: ``text`` by channel, behind ``stored`` events and ``start`` characters of the open reply.

    One without text says that something was stored.
    """

    run: str
    stored: int
    start: int
    text: tuple[tuple[str, str], ...]

    @property
    def characters(self) -> int:
        return sum(len(text) for _, text in self.text)


@dataclass(slots=True)
class _Told:
    stored: int
    start: int = 0


@dataclass(slots=True)
class Speaker:
    """Tells of the runs of this process, in a thread of its own: no run waits for it."""

    address: str
    _runs: dict[str, _Told] = field(default_factory=dict[str, _Told])
    _waiting: list[Message] = field(default_factory=list[Message])
    _changed: Condition = field(default_factory=Condition)
    _closed: Flag = field(default_factory=Flag)

    def start(self) -> None:
        Thread(target=self._speak, name="live text: told", daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        with self._changed:
            self._changed.notify_all()

    def begin(self, run: str, stored: int) -> None:
        """A run, of which so many events are stored, is told of from now on."""
        with self._changed:
            self._runs[run] = _Told(stored)

    def tell(self, run: str, events: Sequence[Event]) -> None:
        """Tell what came of a run: all but its texts is stored already."""
        with self._changed:
            told = self._runs.get(run)
            if told is None:
                return
            for whole, some in groupby(events, lambda event: not isinstance(event, TextDelta)):
                if whole:
                    told.stored, told.start = told.stored + len(list(some)), 0
                    self._waiting.append(Message(run, told.stored, 0, ()))
                else:
                    for message in _messages(run, told, cast("Iterator[TextDelta]", some)):
                        self._waiting.append(message)
            del self._waiting[:-_MOST_WAITING]
            self._changed.notify_all()

    def end(self, run: str) -> None:
        with self._changed:
            self._runs.pop(run, None)

    def _speak(self) -> None:
        def speak(connection: psycopg.Connection[Any]) -> None:
            while not self._closed.is_set():
                with self._changed:
                    self._changed.wait_for(lambda: self._waiting or self._closed.is_set())
                self._closed.wait(_TOGETHER_SECONDS)
                with self._changed:
                    messages = joined(self._waiting)
                    self._waiting.clear()
                if messages:
                    rows = [(CHANNEL, json.dumps(message)) for message in messages]
                    with connection.cursor() as cursor:
                        cursor.executemany("SELECT pg_notify(%s, %s)", rows)
                    connection.commit()

        _connected(self.address, self._closed, speak, autocommit=False)


@dataclass(slots=True)
class Listener:
    """Hears what other processes tell, in a thread of its own, and gives it to ``heard``.

    ``missed`` is called where something may have been told that was not heard.
    """

    address: str
    heard: Callable[[Message], object]
    missed: Callable[[], object]
    _closed: Flag = field(default_factory=Flag)

    def start(self) -> None:
        Thread(target=self._listen, name="live text: heard", daemon=True).start()

    def close(self) -> None:
        self._closed.set()

    def _listen(self) -> None:
        def listen(connection: psycopg.Connection[Any]) -> None:
            connection.execute(f"LISTEN {CHANNEL}")
            self.missed()
            while not self._closed.is_set():
                for notice in connection.notifies(timeout=_LOOK_SECONDS):
                    with suppress(ValueError, TypeError):  # said by somebody else
                        run, stored, start, text = json.loads(notice.payload)
                        self.heard(Message(str(run), int(stored), int(start), tuple((c, str(t)) for c, t in text)))

        _connected(self.address, self._closed, listen, autocommit=True)


def joined(messages: Sequence[Message]) -> list[Message]:
    """The same in as few messages as may be."""
    made: list[Message] = []
    latest: dict[str, int] = {}
    for message in messages:
        place = latest.get(message.run)
        last = None if place is None else made[place]
        if last and last[:2] == message[:2] and _fit(last, message):
            pieces = groupby([*last.text, *message.text], lambda piece: piece[0])
            text = tuple((channel, "".join(text for _, text in some)) for channel, some in pieces)
            made[latest[message.run]] = last._replace(text=text)
        else:
            latest[message.run] = len(made)
            made.append(message)
    return made


def _fit(message: Message, more: Message) -> bool:
    """Whether both fit into one message."""
    pieces = len(message.text) + len(more.text)
    return pieces <= _MOST_PIECES and message.characters + more.characters <= _MOST_CHARACTERS


def _messages(run: str, told: _Told, deltas: Iterator[TextDelta]) -> Iterator[Message]:
    for delta in deltas:
        for at in range(0, len(delta.text), _MOST_CHARACTERS):
            text = delta.text[at : at + _MOST_CHARACTERS]
            yield Message(run, told.stored, told.start, ((delta.channel, text),))
            told.start += len(text)


def _connected(address: str, closed: Flag, work: Callable[[psycopg.Connection[Any]], None], autocommit: bool) -> None:
    """Work with a connection, a new one wherever one breaks, until it is ``closed``."""
    import psycopg  # a tenth of a second, which only those wait for who use it

    pause = _FIRST_PAUSE
    while not closed.is_set():
        try:
            with psycopg.connect(address, autocommit=autocommit, connect_timeout=_CONNECT_SECONDS) as connection:
                pause = _FIRST_PAUSE
                work(connection)
        except (psycopg.Error, OSError) as error:
            if pause == _FIRST_PAUSE:
                log.warning("live text stands still: %s", type(error).__name__)
            closed.wait(pause)
            pause = min(_LONGEST_PAUSE, 2 * pause)
