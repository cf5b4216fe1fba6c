"""Chats that are shared: each a read-only page under an address that cannot be guessed, and that can be taken back.

A share is a snapshot: the runs that stood on the branch shown when it was made, or was last brought up to date. Runs do
not change once they have ended, so their ids are enough, and what goes with a chat goes with its share. The store has a
hash of the address; the address itself is kept sealed with what only its owner's browser knows.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import takewhile
from secrets import token_bytes
from time import time

import sqlalchemy as sql
from pydantic import TypeAdapter
from sqlalchemy.engine import Connection

from agent.errors import BadRequest
from agent.events import Asked
from agent.messages import Value
from agent.sharing.shared_files import NO_FILES, SharedFiles
from agent.store.branches import path
from agent.store.runs import RunRow, Store
from agent.store.schema import CONVERSATIONS, RUNS, SHARES
from agent.store.team_tables import TEAM_MEMBERS, TEAM_READ, TEAM_SHARES
from agent.text.regex import regex

_BYTES = 24  # of chance in an address: 192 bits
_TOKEN = regex(f"[0-9a-f]{{{2 * _BYTES}}}")


@dataclass(frozen=True, slots=True)
class Share:
    """What its owner is told of a share.

    ``token`` is what its address names, "" where this browser cannot read it. ``turns`` are the questions on its page;
    ``updated`` is in seconds since the epoch.
    """

    conversation: str
    title: str
    token: str
    turns: tuple[str, ...]
    updated: float


@dataclass(frozen=True, slots=True)
class Sharer:
    """Who shared a chat; ``confirmed`` where ``name`` is an address that their provider vouches for."""

    name: str
    confirmed: bool


@dataclass(frozen=True, slots=True)
class SharedChat:
    """What a reader may see: the runs on the page, oldest first, and those ``beside`` them that they compare with.

    Readers are told the ``sharer`` where they have signed in; with ``branching`` they may go on in a chat of their own,
    to which ``files`` come along.
    """

    conversation: str
    title: str
    turns: tuple[RunRow, ...]
    beside: tuple[RunRow, ...]
    updated: float
    sharer: Sharer | None = None
    branching: bool = False
    files: SharedFiles = NO_FILES

    def run(self, run: str) -> RunRow | None:
        return next((row for row in (*self.turns, *self.beside) if row.id == run), None)


@dataclass(frozen=True, slots=True)
class _Shown(Value):
    """As it is kept: ids of runs."""

    turns: tuple[str, ...]
    beside: tuple[str, ...] = ()


class Shares:
    """The shares of the store. Where the owner has sharing ``off``, there are none.

    ``seal`` is a secret of the person's browser. Every method raises ``StoreFailed`` where the database does.
    """

    def __init__(self, store: Store, off: bool = False) -> None:
        self._store = store
        self._database = store.database
        self.off = off

    def make(self, visitor: str, conversation: str, picks: Mapping[str, str], seal: str) -> None:
        """Share what has ended of the branch that ``picks`` show; a chat that is shared keeps its address.

        Whom it was shared with by name has it no more, but by the address.
        Raises ``BadRequest`` where the visitor has no such chat, or nothing of it has ended.
        """
        shown = snapshot(self._store, visitor, conversation, picks, self.off)
        token = token_bytes(_BYTES).hex()
        address, key = _hash(token), {"conversation": conversation}
        kept = self._database.put(SHARES, key, shown, address=address, sealed=_sealed(token, address, seal))
        with self._database.begin() as connection:
            lock_chat(connection, conversation)
            connection.execute(kept)
            for table in (TEAM_SHARES, TEAM_MEMBERS, TEAM_READ):
                connection.execute(sql.delete(table).where(table.c.conversation == conversation))

    def turns(self, conversation: str, picks: Mapping[str, str]) -> tuple[str, ...]:
        """The runs of a chat that would be shared now."""
        return turns_to_share(self._store, conversation, picks)

    def take_back(self, visitor: str, conversation: str) -> bool:
        """Whether there was such a share of the visitor; from now on nobody opens it."""
        theirs = sql.select(CONVERSATIONS.c.id).where(CONVERSATIONS.c.visitor == visitor)
        gone = sql.delete(SHARES).where(SHARES.c.conversation == conversation, SHARES.c.conversation.in_(theirs))
        return bool(visitor) and self._database.change(gone) > 0

    def of(self, visitor: str, seal: str) -> list[Share]:
        """The visitor's shares, the latest first."""
        chosen = sql.select(SHARES).join(CONVERSATIONS, CONVERSATIONS.c.id == SHARES.c.conversation)
        theirs = chosen.where(CONVERSATIONS.c.visitor == visitor, CONVERSATIONS.c.deleted == 0)
        if not visitor or self.off:
            return []
        rows = self._database.rows(theirs.order_by(SHARES.c.updated.desc(), SHARES.c.conversation))
        return [
            Share(row.conversation, row.title, _opened(row.sealed, row.address, seal), turns_of(row.shown), row.updated)
            for row in rows
        ]

    def open(self, token: str) -> SharedChat | None:
        """What that address shows; ``None`` where it is none, was taken back, or its chat was deleted."""
        if self.off or not _TOKEN.fullmatch(token):
            return None
        chosen = sql.select(SHARES).join(CONVERSATIONS, CONVERSATIONS.c.id == SHARES.c.conversation)
        there = chosen.where(SHARES.c.address == _hash(token), CONVERSATIONS.c.deleted == 0)
        row = next(iter(self._database.rows(there)), None)
        return chat_shown(self._store, row.conversation, row.title, row.shown, row.updated) if row else None


def turns_to_share(store: Store, conversation: str, picks: Mapping[str, str]) -> tuple[str, ...]:
    """The runs of a chat that have ended, on the branch that ``picks`` show."""
    rows = (place.row for place in path(store.runs(conversation), picks))
    return tuple(row.id for row in takewhile(lambda row: row.ended, rows))


def snapshot(
    store: Store, visitor: str, conversation: str, picks: Mapping[str, str], off: bool
) -> dict[str, str | float]:
    """The columns of a share that say what it shows: ``title``, ``shown`` and ``updated``, as the chat is now.

    Raises ``BadRequest`` where sharing is ``off``, the visitor has no such chat, or nothing of it has ended.
    """
    row = store.conversation(conversation)
    if off or row is None or not visitor or row.visitor != visitor:
        raise BadRequest.because("This chat cannot be shared.")
    turns = turns_to_share(store, conversation, picks)
    if not turns:
        raise BadRequest.because("There is nothing to share yet: no question of this chat has been answered.")
    shown = _adapter().dump_json(_Shown(turns, _beside(store, conversation, turns))).decode()
    return {"title": row.title, "shown": shown, "updated": time()}


def lock_chat(connection: Connection, conversation: str) -> None:
    """Let nobody else share the chat in another way before this transaction ends."""
    connection.execute(sql.select(CONVERSATIONS.c.id).where(CONVERSATIONS.c.id == conversation).with_for_update())


def turns_of(shown: str) -> tuple[str, ...]:
    """The runs on the page of a share."""
    return _adapter().validate_json(shown).turns


def chat_shown(store: Store, conversation: str, title: str, shown: str, updated: float) -> SharedChat:
    """What a share shows, of which these are the columns."""
    ids, runs = _adapter().validate_json(shown), {run.id: run for run in store.runs(conversation)}
    turns, beside = (tuple(runs[run] for run in some if run in runs) for some in (ids.turns, ids.beside))
    return SharedChat(conversation, title, turns, beside, updated)


def _beside(store: Store, conversation: str, turns: Sequence[str]) -> tuple[str, ...]:
    said = store.said(conversation, turns)
    asked = (event for events in said.values() for event in events if isinstance(event, Asked) and event.compares)
    named = [event.parent for event in asked]
    theirs = sql.select(RUNS.c.id).where(RUNS.c.conversation == conversation, RUNS.c.id.in_(named))
    return tuple(run for (run,) in store.database.rows(theirs.where(RUNS.c.ended != ""))) if named else ()


def _hash(token: str) -> str:
    return sha256(f"share {token}".encode()).hexdigest()


def _sealed(token: str, address: str, seal: str) -> str:
    """The token under a pad that follows from ``seal``, and is another one for every address; undone by itself."""
    pad = hmac.digest(seal.encode(), f"share {address}".encode(), "sha256")
    return bytes(one ^ other for one, other in zip(bytes.fromhex(token), pad, strict=False)).hex()


def _opened(sealed: str, address: str, seal: str) -> str:
    token = _sealed(sealed, address, seal)
    return token if _hash(token) == address else ""


@cache
def _adapter() -> TypeAdapter[_Shown]:
    return TypeAdapter(_Shown)
