"""The databases of a conversation: the owner's, and those its visitor connected, kept in memory and nowhere else."""

from __future__ import annotations

import logging
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import BoundedSemaphore, Lock
from threading import Event as Flag
from time import monotonic
from typing import Any

from cachetools import TLRUCache, TTLCache

from agent.data.databases.database_urls import Connection, owners, visitors
from agent.errors import BadRequest, BadSettings, ToolFailed
from agent.interface_text import Text, unpacked
from agent.sandbox import ordinary
from agent.sandbox.client import Role
from agent.sandbox.sandbox_errors import WorkerKilled
from agent.settings import Secret

SECONDS = 20.0
_SECONDS_TO_LOOK = 10.0
_MOST_CONVERSATIONS = 256
_MOST_CONNECTED = 5  # by a visitor, in a conversation
_SECONDS_KEPT = 12 * 3600.0  # after they were used last
_SECONDS_KNOWN = 300.0  # what is in a database
_SECONDS_OUT_OF_REACH = 30.0  # before one that did not answer is tried again
_MOST_AT_ONCE = 8  # questions, of all conversations together

Card = Mapping[str, Any]
log = logging.getLogger(__name__)
# It needs the network, and the files of SQLite and DuckDB wherever they are: so it is not locked in. Of a file it may
# write the index of an SQLite log, which may have to be made anew, and nothing else.
_ASKING = Role(handler="agent.data.databases.database_worker", file_bytes=64 * 1024)
_GRACE_SECONDS = 2.0  # a server that stops by itself says more than a process that is ended
_KINDS = {"time": "timeout", "connect": "network", "size": "input", "sql": "input", "name": "input"}
_ENDED = {
    "stopped": ("The run was stopped before the database had answered.", "stopped"),
    "time": ("The database took too long and was stopped. Ask for less.", "timeout"),
    "died": ("The database could not be asked: this took more memory than it may. Ask for less.", "input"),
}
Answer = Mapping[str, Any]


class Databases:
    """The databases of all conversations. One for the process; nothing is connected before it is used."""

    def __init__(self, given: Sequence[tuple[str, Secret]] = (), private_addresses: bool = True) -> None:
        """``given`` are the owner's, by name. Raises ``BadSettings`` for a URL that cannot be read."""
        try:
            self.owners = {name: owners(name, url) for name, url in given}
        except BadRequest as error:
            raise BadSettings(f"GLASSBOX_DATABASES: {error}") from None
        self.private_addresses = private_addresses
        # What each conversation's visitor connected, and what is in a database, by name and URL.
        self._connections: TTLCache[tuple[str, str], dict[str, Connection]] = TTLCache(
            _MOST_CONVERSATIONS, _SECONDS_KEPT, monotonic
        )
        self._cards: TLRUCache[tuple[str, str], Card] = TLRUCache(_MOST_CONVERSATIONS, _known_until, monotonic)
        self._lock = Lock()
        self._slots = BoundedSemaphore(_MOST_AT_ONCE)

    def open(self, visitor: str, conversation: str, cancel: Flag | None = None) -> ConversationDatabases:
        """Those of a conversation; what is asked for it ends when ``cancel`` is set."""
        return ConversationDatabases(self, visitor, conversation, cancel)

    def mine(self, visitor: str, conversation: str) -> dict[str, Connection]:
        """What the visitor connected, by name."""
        with self._lock:
            return dict(self._kept(visitor, conversation))

    def keep(self, visitor: str, conversation: str, connection: Connection) -> None:
        """Raises ``BadRequest`` where as many are connected as may be."""
        with self._lock:
            kept = self._kept(visitor, conversation)
            if len(kept) >= _MOST_CONNECTED:
                raise BadRequest.because(
                    "{most} databases are connected here. Disconnect one first.", most=_MOST_CONNECTED
                )
            self._connections[visitor, conversation] = {**kept, connection.name: connection}

    def forget(self, visitor: str, conversation: str, name: str) -> None:
        with self._lock:
            self._kept(visitor, conversation).pop(name, None)

    def forget_all(self, visitor: str) -> None:
        """Disconnect all that a visitor connected, in every conversation."""
        with self._lock:
            for place in [place for place in self._connections if place[0] == visitor]:
                self._connections.pop(place, None)

    def known_card(self, connection: Connection) -> Card | None:
        """What was found in it a short while ago."""
        with self._lock:
            return self._cards.get((connection.name, connection.url.reveal()))

    def keep_card(self, connection: Connection, card: Card) -> None:
        with self._lock:
            self._cards[connection.name, connection.url.reveal()] = card

    @contextmanager
    def slot(self, seconds: float, cancel: Flag | None) -> Generator[None]:
        """One of the places for questions at work, as soon as one is free."""
        deadline = monotonic() + seconds
        while not self._slots.acquire(timeout=0.1):
            if cancel is not None and cancel.is_set():
                raise ToolFailed("The run was stopped before the database was asked.", "stopped")
            if monotonic() > deadline:
                raise ToolFailed("Too many questions to databases are at work just now. Try again.", "timeout")
        try:
            yield
        finally:
            self._slots.release()

    def _kept(self, visitor: str, conversation: str) -> dict[str, Connection]:
        """What is connected in a conversation, which counts as used now."""
        kept = self._connections.get((visitor, conversation)) if visitor and conversation else None
        if kept is None:
            return {}
        self._connections[visitor, conversation] = kept
        return kept


def _known_until(_: tuple[str, str], card: Card, now: float) -> float:
    """When what is in a database is looked at anew."""
    return now + (_SECONDS_OUT_OF_REACH if card.get("problem") else _SECONDS_KNOWN)


@dataclass(frozen=True, slots=True)
class ConversationDatabases:
    """The databases of one conversation. ``run`` raises ``ToolFailed``, what a person does ``BadRequest``."""

    databases: Databases
    visitor: str
    conversation: str
    cancel: Flag | None = None

    def connections(self) -> dict[str, Connection]:
        """By name; the owner's first."""
        return {**self.databases.owners, **self.databases.mine(self.visitor, self.conversation)}

    def connect(self, name: str, url: str) -> Card:
        """Connect a database by its URL, once it has answered: what is in it."""
        connection, card = self.test(name, url)
        self.databases.keep(self.visitor, self.conversation, connection)
        self.databases.keep_card(connection, card)
        return card

    def test(self, name: str, url: str) -> tuple[Connection, Card]:
        """Look at the database behind a URL, which is not kept."""
        connection = visitors(name, url, self.databases.private_addresses, tuple(self.connections()))
        try:
            return connection, self._look(connection)
        except ToolFailed as error:
            raise BadRequest(error.text) from None

    def disconnect(self, name: str) -> None:
        self.databases.forget(self.visitor, self.conversation, name)

    def known(self, name: str) -> Card | None:
        """What was found in a database a short while ago."""
        connection = self.connections().get(name)
        return self.databases.known_card(connection) if connection else None

    def card(self, name: str, fresh: bool = False) -> Card:
        """What is in a database; where it does not answer, with the ``problem`` in a sentence."""
        connection = self.connections().get(name)
        if connection is None:
            raise BadRequest.because("This database is not connected any more.")
        known = None if fresh else self.databases.known_card(connection)
        if known:
            return known
        try:
            card = self._look(connection)
        except ToolFailed as error:
            card = {"name": name, "title": connection.title, "problem": error.text}
            if error.kind == "stopped":
                return card
        self.databases.keep_card(connection, card)
        return card

    def cards(self) -> tuple[Card, ...]:
        """Of all of them, looked at side by side: it may take a while."""
        names = list(self.connections())
        if not names:
            return ()
        with ThreadPoolExecutor(_MOST_AT_ONCE, thread_name_prefix="databases: look") as looking:
            return tuple(looking.map(self.card, names))

    def run(self, name: str, job: Mapping[str, Any]) -> Answer:
        """Do a job of ``worker`` in one of them, for a tool."""
        connection = self.connections().get(name)
        if connection is None:
            raise ToolFailed(f"The database {name[:80]} is not connected any more.", "input")
        seconds = float(job.get("seconds", SECONDS))
        with self.databases.slot(seconds, self.cancel):
            return do({**job, **connection.job()}, seconds, connection.environment, self.cancel)

    def _look(self, connection: Connection) -> Card:
        job = {"kind": "schema", **connection.job()}
        with self.databases.slot(_SECONDS_TO_LOOK, self.cancel):
            found = do(job, _SECONDS_TO_LOOK, connection.environment, self.cancel)
        return {"name": connection.name, "title": connection.title, **found}


def do(job: Mapping[str, Any], seconds: float, environment: Mapping[str, str], cancel: Flag | None = None) -> Answer:
    """The answer to a job that was done; raises ``ToolFailed`` with its sentence otherwise.

    The process starts with this ``environment``, and is gone when this returns.
    """
    role = replace(_ASKING, memory=job["bytes"])
    try:
        answer = ordinary.ask(role, {**job, "seconds": seconds}, seconds + _GRACE_SECONDS, environment, cancel)
    except WorkerKilled as killed:
        raise ToolFailed(*_ENDED[killed.reason]) from None
    return read_answer(answer)


def read_answer(answer: Answer) -> Answer:
    """What the worker said; raises ``ToolFailed`` with its sentence where it could not do the job."""
    if answer.get("ok"):
        return answer
    if answer.get("error") == "bug":
        log.error("a database could not be asked: %s\n%s", answer.get("message"), answer.get("trace"))
        raise ToolFailed(Text("Something went wrong with this database in Glassbox itself; its log has more."), "tool")
    raise ToolFailed(unpacked(answer.get("message")), _KINDS.get(str(answer.get("error")), "input"))
