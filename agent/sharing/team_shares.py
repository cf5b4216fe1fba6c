"""Chats that are shared with people by name, or with everyone who signs in: who may read, and who may go on.

As with a link (see ``agent.sharing.shares``) a share is a snapshot. The address of its page is of no use to whoever it
is not shared with: that it is not shared with them, and that there is no such chat, is one answer of one query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias
from uuid import uuid4

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from agent.errors import BadRequest
from agent.sharing.shared_files import NO_FILES, SharedFiles, files_now, read_shared_files
from agent.sharing.shares import SharedChat, Sharer, chat_shown, lock_chat, snapshot, turns_of
from agent.store.runs import Store
from agent.store.schema import CONVERSATIONS, SHARES
from agent.store.team_tables import TEAM_MEMBERS, TEAM_READ, TEAM_SHARES
from agent.text.characters import one_line
from agent.text.mail_addresses import is_address, read_addresses
from agent.text.regex import regex

Audience: TypeAlias = Literal["people", "site"]
MOST_PEOPLE = 100
MOST_LISTED = 200
_MOST_NAME = 200  # characters of who shares it
_ID = regex(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Teammate:
    """Whoever has signed in: the ``visitor`` that their chats have, and the folded address that is vouched for, or "".

    ``called`` is what they are called where there is no such address.
    """

    visitor: str
    address: str = ""
    called: str = ""


@dataclass(frozen=True, slots=True)
class Circle:
    """Whom a chat is shared with: of ``people`` the ``addresses``. With ``branching`` they may go on in their own."""

    audience: Audience
    addresses: tuple[str, ...] = ()
    branching: bool = False


@dataclass(frozen=True, slots=True)
class TeamShare:
    """What its owner is told of a share; ``id`` is what its address names, ``turns`` are the questions on its page.

    ``files`` come along to chats that go on with it.
    """

    conversation: str
    title: str
    id: str
    circle: Circle
    turns: tuple[str, ...]
    updated: float
    files: SharedFiles = NO_FILES


@dataclass(frozen=True, slots=True)
class Received:
    """What somebody is told of a chat that is shared with them; ``unread`` as it is now."""

    id: str
    title: str
    sharer: Sharer
    updated: float
    unread: bool


class TeamShares:
    """The shares of the store. Where the owner has sharing ``off``, there are none.

    Every method raises ``StoreFailed`` where the database does.
    """

    def __init__(self, store: Store, off: bool = False) -> None:
        self._store = store
        self._database = store.database
        self.off = off

    def make(self, owner: Teammate, conversation: str, circle: Circle, picks: Mapping[str, str]) -> None:
        """Share what has ended of the branch that ``picks`` show, in place of a link; its address stays.

        Raises ``BadRequest`` where they have no such chat, nothing of it has ended, or nobody is named.
        """
        shown = snapshot(self._store, owner.visitor, conversation, picks, self.off)
        _check(circle)
        told = {**shown, **_columns(circle), "files": self.files(conversation).written()}
        name = one_line(owner.address or owner.called, _MOST_NAME)
        told |= {"sharer": name, "confirmed": int(bool(owner.address))}
        kept = self._database.put(TEAM_SHARES, {"conversation": conversation}, told, id=uuid4().hex)
        with self._database.begin() as connection:
            lock_chat(connection, conversation)
            connection.execute(sql.delete(SHARES).where(SHARES.c.conversation == conversation))
            connection.execute(kept)
            _name(connection, conversation, circle)

    def change(self, visitor: str, conversation: str, circle: Circle) -> bool:
        """Share what is shared with others, or to do other things; whether the visitor shares such a chat.

        Raises ``BadRequest`` where nobody is named.
        """
        _check(circle)
        changed = sql.update(TEAM_SHARES).where(*self._theirs(visitor, conversation)).values(_columns(circle))
        with self._database.begin() as connection:
            found = bool(visitor) and connection.execute(changed).rowcount > 0
            if found:
                _name(connection, conversation, circle)
        return found

    def update(self, visitor: str, conversation: str, picks: Mapping[str, str]) -> None:
        """Show the chat as it is now. Raises ``BadRequest`` as ``make`` does."""
        shown = snapshot(self._store, visitor, conversation, picks, self.off)
        shown["files"] = self.files(conversation).written()
        self._database.change(sql.update(TEAM_SHARES).where(*self._theirs(visitor, conversation)).values(shown))

    def files(self, conversation: str) -> SharedFiles:
        """What would come along if the chat were shared now."""
        return files_now(self._database, conversation)

    def take_back(self, visitor: str, conversation: str) -> bool:
        """Whether there was such a share of the visitor; from now on nobody opens it. Branches stay."""
        gone = sql.delete(TEAM_SHARES).where(*self._theirs(visitor, conversation))
        with self._database.begin() as connection:
            found = bool(visitor) and connection.execute(gone).rowcount > 0
            if found:
                for table in (TEAM_MEMBERS, TEAM_READ):
                    connection.execute(sql.delete(table).where(table.c.conversation == conversation))
        return found

    def of(self, visitor: str) -> list[TeamShare]:
        """The visitor's shares, the latest first."""
        if not visitor or self.off:
            return []
        chosen = sql.select(TEAM_SHARES).join(CONVERSATIONS, CONVERSATIONS.c.id == TEAM_SHARES.c.conversation)
        theirs = chosen.where(CONVERSATIONS.c.visitor == visitor, CONVERSATIONS.c.deleted == 0)
        rows = self._database.rows(theirs.order_by(TEAM_SHARES.c.updated.desc(), TEAM_SHARES.c.conversation))
        named: dict[str, list[str]] = {row.conversation: [] for row in rows}
        members = sql.select(TEAM_MEMBERS).where(TEAM_MEMBERS.c.conversation.in_(list(named)))
        for conversation, address in self._database.rows(members.order_by(TEAM_MEMBERS.c.address)) if rows else ():
            named[conversation].append(address)
        return [_share(row, named[row.conversation]) for row in rows]

    def received(self, reader: Teammate, most: int = MOST_LISTED) -> list[Received]:
        """What others share with the reader, the latest first."""
        if not reader.visitor or self.off:
            return []
        read = sql.and_(TEAM_READ.c.conversation == TEAM_SHARES.c.conversation, TEAM_READ.c.visitor == reader.visitor)
        seen = sql.func.coalesce(TEAM_READ.c.seen, 0.0).label("seen")
        chosen = sql.select(TEAM_SHARES, seen).join(CONVERSATIONS, CONVERSATIONS.c.id == TEAM_SHARES.c.conversation)
        theirs = chosen.outerjoin(TEAM_READ, read).where(CONVERSATIONS.c.deleted == 0, _for(reader))
        others = theirs.where(CONVERSATIONS.c.visitor != reader.visitor)
        ordered = others.order_by(TEAM_SHARES.c.updated.desc(), TEAM_SHARES.c.conversation).limit(most)
        return [
            Received(row.id, row.title, Sharer(row.sharer, bool(row.confirmed)), row.updated, row.seen < row.updated)
            for row in self._database.rows(ordered)
        ]

    def open(self, id: str, reader: Teammate | None) -> SharedChat | None:
        """What that share shows to the reader; ``None`` where it shows them nothing, for whatever reason."""
        if self.off or reader is None or not reader.visitor or not _ID.fullmatch(id):
            return None
        chosen = sql.select(TEAM_SHARES).join(CONVERSATIONS, CONVERSATIONS.c.id == TEAM_SHARES.c.conversation)
        allowed = sql.or_(CONVERSATIONS.c.visitor == reader.visitor, _for(reader))
        there = chosen.where(TEAM_SHARES.c.id == id, CONVERSATIONS.c.deleted == 0, allowed)
        row = next(iter(self._database.rows(there)), None)
        if row is None:
            return None
        shown = chat_shown(self._store, row.conversation, row.title, row.shown, row.updated)
        sharer, files = Sharer(row.sharer, bool(row.confirmed)), read_shared_files(row.files)
        return replace(shown, sharer=sharer, branching=bool(row.branching), files=files)

    def note_read(self, reader: Teammate, shared: SharedChat) -> None:
        """The reader has seen what ``open`` gave them, as it is by now."""
        key = {"conversation": shared.conversation, "visitor": reader.visitor}
        self._database.change(self._database.put(TEAM_READ, key, {"seen": shared.updated}))

    def _theirs(self, visitor: str, conversation: str) -> tuple[sql.ColumnElement[bool], ...]:
        theirs = sql.select(CONVERSATIONS.c.id).where(CONVERSATIONS.c.visitor == visitor, CONVERSATIONS.c.deleted == 0)
        return TEAM_SHARES.c.conversation == conversation, TEAM_SHARES.c.conversation.in_(theirs)


def _for(reader: Teammate) -> sql.ColumnElement[bool]:
    """Whether a chat is shared with everybody who signs in, or by name with the reader."""
    everyone = TEAM_SHARES.c.audience == "site"
    if not is_address(reader.address):
        return everyone
    here = TEAM_MEMBERS.c.conversation == TEAM_SHARES.c.conversation, TEAM_MEMBERS.c.address == reader.address
    return sql.or_(everyone, sql.and_(TEAM_SHARES.c.audience == "people", sql.exists().where(*here)))


def _share(row: Any, addresses: Sequence[str]) -> TeamShare:
    circle = Circle(row.audience, tuple(addresses), bool(row.branching))
    files = read_shared_files(row.files)
    return TeamShare(row.conversation, row.title, row.id, circle, turns_of(row.shown), row.updated, files)


def _columns(circle: Circle) -> dict[str, str | int]:
    return {"audience": circle.audience, "branching": int(circle.branching)}


def read_circle(audience: Audience, typed: str, branching: bool) -> Circle:
    """The circle of the addresses that were typed, one a line. Raises ``BadRequest``."""
    return Circle(audience, read_addresses(typed, MOST_PEOPLE) if audience == "people" else (), branching)


def _check(circle: Circle) -> None:
    if circle.audience == "people" and not circle.addresses:
        raise BadRequest.because("Nobody is named yet. Write an address, or share it with everyone who signs in here.")


def _name(connection: Connection, conversation: str, circle: Circle) -> None:
    """Name the people of the circle, and nobody else."""
    connection.execute(sql.delete(TEAM_MEMBERS).where(TEAM_MEMBERS.c.conversation == conversation))
    if circle.audience == "people":
        rows = [{"conversation": conversation, "address": address} for address in dict.fromkeys(circle.addresses)]
        connection.execute(sql.insert(TEAM_MEMBERS), rows)
