"""What the people are called who have signed in here."""

from __future__ import annotations

from collections.abc import Iterable
from time import time

import sqlalchemy as sql

from agent.application.site.person import Person
from agent.store.database import Database
from agent.store.schema import PEOPLE

_MOST_CALLED = 200


class KnownPeople:
    """Every method raises ``StoreFailed`` where the database does."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, visitor: str, person: Person) -> None:
        """Keep what the person, who has the chats of that visitor, is called now."""
        row = {"called": person.called[:_MOST_CALLED], "seen": time()}
        self._database.change(self._database.put(PEOPLE, {"visitor": visitor}, row))

    def called(self, visitors: Iterable[str]) -> dict[str, str]:
        """What these visitors are called, of those who have signed in."""
        chosen = sql.select(PEOPLE.c.visitor, PEOPLE.c.called).where(PEOPLE.c.visitor.in_(sorted(set(visitors))))
        return {visitor: called for visitor, called in self._database.rows(chosen) if called}
