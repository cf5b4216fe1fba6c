"""Who a browser is: an id that this site gave out, signed, so that no other one is taken."""

from __future__ import annotations

from secrets import token_hex
from time import time
from uuid import uuid4

import sqlalchemy as sql
from itsdangerous import BadSignature, Signer

from agent.store.database import Database
from agent.store.runs import Store
from agent.store.schema import CONVERSATIONS, SITE_KEYS
from agent.text.regex import regex

_NAME = "visitors"
FILES_KEY = "files"  # names the site where files of several sites may be kept in one place
_ID = regex(r"[0-9a-f]{32}")


class VisitorIds:
    """Gives out ids and knows its own again, in all processes of a store. Every method raises ``StoreFailed``."""

    def __init__(self, store: Store) -> None:
        self._database = store.database
        self._key: tuple[str, float] | None = None

    def new(self) -> str:
        """An id that nobody has: 32 hexadecimal digits."""
        return uuid4().hex

    def signed(self, visitor_id: str) -> str:
        """What a browser keeps: the id and its signature."""
        return self._signer().sign(visitor_id).decode()

    def read(self, kept: str) -> str:
        """The id that a browser has kept, or "" where this site did not sign it."""
        try:
            found = self._signer().unsign(kept).decode()
        except (BadSignature, UnicodeError):
            return ""
        return found if _ID.fullmatch(found) else ""

    def is_older(self, visitor_id: str, visitor: str) -> bool:
        """Whether an id without a signature is one of before there were any: ``visitor`` has a chat from then."""
        if not _ID.fullmatch(visitor_id):
            return False
        mine = CONVERSATIONS.c.visitor == visitor, CONVERSATIONS.c.created < self._site_key()[1]
        return bool(self._database.rows(sql.select(CONVERSATIONS.c.id).where(*mine).limit(1)))

    def _signer(self) -> Signer:
        return Signer(self._site_key()[0], salt=_NAME, sep=".")

    def _site_key(self) -> tuple[str, float]:
        """The key and when it was made; made by the first of all processes that asks."""
        if self._key is None:
            self._key = site_key(self._database, _NAME)
        return self._key


def site_key(database: Database, name: str) -> tuple[str, float]:
    """A key of the site by what it is for, and when it was made; made by the first of all processes that asks.

    Raises ``StoreFailed``.
    """
    made = {"name": name, "value": token_hex(32), "created": time()}
    chosen = sql.select(SITE_KEYS.c.value, SITE_KEYS.c.created).where(SITE_KEYS.c.name == name)
    with database.begin() as connection:
        connection.execute(database.upsert(SITE_KEYS).values(made).on_conflict_do_nothing())
        value, created = connection.execute(chosen).one()
    return value, created
