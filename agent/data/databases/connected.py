"""The databases of a conversation: the owner's, and those its visitor connected, kept in memory and nowhere else."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import BoundedSemaphore, Lock
from threading import Event as Flag
from time import monotonic
from typing import Any

from agent.data.databases.database_process import Answer, do
from agent.data.databases.database_urls import Connection, owners, visitors
from agent.errors import BadRequest, BadSettings, ToolFailed
from agent.interface_text import Text
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


@dataclass(slots=True)
class _Conversation:
    connections: dict[str, Connection] = field(default_factory=dict[str, Connection])
    used: float = 0.0


class Databases:
    """The databases of all conversations. One for the process; nothing is connected before it is used."""

    def __init__(self, given: Sequence[tuple[str, Secret]] = (), private_addresses: bool = True) -> None:
        """``given`` are the owner's, by name. Raises ``BadSettings`` for a URL that cannot be read."""
        try:
            self.owners = {name: owners(name, url) for name, url in given}
        except BadRequest as error:
            raise BadSettings(f"GLASSBOX_DATABASES: {error}") from None
        self.private_addresses = private_addresses
        self._conversations: OrderedDict[tuple[str, str], _Conversation] = OrderedDict()
        self._cards: OrderedDict[tuple[str, str], tuple[float, Card]] = OrderedDict()
        self._lock = Lock()
        self._slots = BoundedSemaphore(_MOST_AT_ONCE)

    def open(self, visitor: str, conversation: str, cancel: Flag | None = None) -> ConversationDatabases:
        """Those of a conversation; what is asked for it ends when ``cancel`` is set."""
        return ConversationDatabases(self, visitor, conversation, cancel)

    def mine(self, visitor: str, conversation: str) -> dict[str, Connection]:
        """What the visitor connected, by name."""
        with self._lock:
            kept = self._kept(visitor, conversation)
            return dict(kept.connections) if kept else {}

    def keep(self, visitor: str, conversation: str, connection: Connection) -> None:
        with self._lock:
            kept = self._kept(visitor, conversation) or _Conversation(used=monotonic())
            if len(kept.connections) >= _MOST_CONNECTED:
                raise BadRequest(
                    Text("{most} databases are connected here. Disconnect one first.", most=_MOST_CONNECTED)
                )
            kept.connections[connection.name] = connection
            self._conversations[visitor, conversation] = kept
            while len(self._conversations) > _MOST_CONVERSATIONS:
                self._conversations.popitem(last=False)

    def forget(self, visitor: str, conversation: str, name: str) -> None:
        with self._lock:
            kept = self._kept(visitor, conversation)
            if kept:
                kept.connections.pop(name, None)

    def known_card(self, connection: Connection) -> Card | None:
        """What was found in it a short while ago."""
        with self._lock:
            found = self._cards.get((connection.name, connection.url.reveal()))
        return found[1] if found and monotonic() < found[0] else None

    def keep_card(self, connection: Connection, card: Card) -> None:
        with self._lock:
            seconds = _SECONDS_OUT_OF_REACH if card.get("problem") else _SECONDS_KNOWN
            self._cards[connection.name, connection.url.reveal()] = (monotonic() + seconds, card)
            while len(self._cards) > _MOST_CONVERSATIONS:
                self._cards.popitem(last=False)

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

    def _kept(self, visitor: str, conversation: str) -> _Conversation | None:
        now = monotonic()
        for key in [key for key, one in self._conversations.items() if now - one.used > _SECONDS_KEPT]:
            del self._conversations[key]
        kept = self._conversations.get((visitor, conversation)) if visitor and conversation else None
        if kept:
            kept.used = now
            self._conversations.move_to_end((visitor, conversation))
        return kept


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
            raise BadRequest(Text("This database is not connected any more."))
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
