"""Runs between two processes: given away by the one that they were asked in, taken by one that is free.

A run that was given away belongs to nobody: its process is "".
"""

from __future__ import annotations

import sqlalchemy as sql

from agent.store.database import Database
from agent.store.schema import CONVERSATIONS, RUNS, Now

_AT_WORK = (RUNS.c.ended == "", RUNS.c.waiting == 0)


class Handed:
    """Every method raises ``StoreFailed`` where the database does."""

    def __init__(self, database: Database, process: str) -> None:
        """``process`` is this one's id, as in ``Leases``."""
        self._database = database
        self.process = process

    def give_away(self, run: str, taken: int) -> None:
        """Have a run of this process belong to nobody, where nobody has taken it yet."""
        mine = (RUNS.c.id == run, RUNS.c.process == self.process, RUNS.c.taken == taken, *_AT_WORK)
        self._database.change(sql.update(RUNS).where(*mine).values(process=""))

    def keep(self, run: str, taken: int) -> int | None:
        """Keep a run of this process, so that nobody it was offered to can take it; how often it was taken up by now.

        ``None`` where somebody has taken it.
        """
        with self._database.begin() as connection:
            mine = (RUNS.c.id == run, RUNS.c.process == self.process, RUNS.c.taken == taken, *_AT_WORK)
            changed = sql.update(RUNS).where(*mine).values(taken=taken + 1, alive=Now()).returning(RUNS.c.taken)
            return connection.execute(changed).scalar()

    def take(self, run: str, taken: int, giver: str = "") -> bool:
        """Take a run that was ``taken`` up so often, from nobody or its ``giver``; of all that try, one succeeds."""
        free = (RUNS.c.id == run, RUNS.c.process.in_(["", giver]), RUNS.c.taken == taken, *_AT_WORK)
        return self._database.change(sql.update(RUNS).where(*free).values(process=self.process, alive=Now())) > 0

    def take_back(self, run: str) -> int | None:
        """Take a run that nobody has taken yet; how often it was taken up, ``None`` where somebody has it."""
        with self._database.begin() as connection:
            free = (RUNS.c.id == run, RUNS.c.process == "", *_AT_WORK)
            changed = sql.update(RUNS).where(*free).values(process=self.process, alive=Now()).returning(RUNS.c.taken)
            return connection.execute(changed).scalar()

    def place(self, run: str) -> int:
        """The place of a run among those that nobody has taken yet, 0 for one that somebody has."""
        asked = sql.select(RUNS.c.created).where(RUNS.c.id == run, RUNS.c.process == "", *_AT_WORK).scalar_subquery()
        before = sql.select(sql.func.count()).where(RUNS.c.process == "", *_AT_WORK, RUNS.c.created <= asked)
        return int(self._database.rows(before)[0][0])

    def at_once(self, run: str) -> int:
        """How many runs of the same visitor have not ended, nor wait for them."""
        mine = sql.select(CONVERSATIONS.c.visitor).join(RUNS, RUNS.c.conversation == CONVERSATIONS.c.id)
        theirs = sql.select(sql.func.count()).join_from(RUNS, CONVERSATIONS, RUNS.c.conversation == CONVERSATIONS.c.id)
        visitor = mine.where(RUNS.c.id == run).scalar_subquery()
        return int(self._database.rows(theirs.where(CONVERSATIONS.c.visitor == visitor, *_AT_WORK))[0][0])
