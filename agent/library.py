"""A visitor's conversations: list, search, rename, pin, delete, judge; nobody reaches those of another visitor."""

from __future__ import annotations

from time import time
from unicodedata import category

import sqlalchemy as sql

from agent.schema import ARTIFACTS, CONVERSATIONS, EVENTS, RUNS, TEXTS
from agent.store import CONVERSATION_ROW, ConversationRow, Store, short_title
from agent.texts import words

# What an SQL statement and a LIKE pattern surely take.
_MOST_WORDS = 32
_MOST_LETTERS = 500


class Library:
    """The conversations of the store, by visitor. Every method raises ``StoreFailed`` where the database does.

    Methods that change something answer whether there was such a conversation of this visitor; the visitor "" has
    none.
    """

    def __init__(self, store: Store) -> None:
        self._database = store.database
        self._texts = store.texts

    def conversations(self, visitor: str, matching: str = "", most: int = 200) -> list[ConversationRow]:
        """Pinned ones first, then the latest first, without the deleted ones.

        With ``matching`` only those in whose text (title, questions, observations, answers) each of its first 32 words
        occurs, whatever their case and width.
        """
        if not visitor:
            return []
        chosen = sql.select(*CONVERSATION_ROW).where(_of(visitor), CONVERSATIONS.c.deleted == 0)
        for word in words(matching)[:_MOST_WORDS]:
            here = TEXTS.c.conversation == CONVERSATIONS.c.id
            chosen = chosen.where(
                sql.exists().where(here, TEXTS.c.body.contains(word[:_MOST_LETTERS], autoescape=True))
            )
        pinned = sql.case((CONVERSATIONS.c.pinned > 0, 1), else_=0)
        ordered = chosen.order_by(pinned.desc(), CONVERSATIONS.c.updated.desc(), CONVERSATIONS.c.id).limit(most)
        with self._database.begin() as connection:
            return [ConversationRow(*row) for row in connection.execute(ordered)]

    def rename(self, visitor: str, conversation: str, title: str) -> bool:
        """Give it a title of one line, shortened to 80 characters; one that shows nothing is refused."""
        short = short_title(title)
        if not visitor or all(category(character)[0] in "CZ" for character in short):
            return False
        theirs = (_of(visitor), CONVERSATIONS.c.id == conversation, CONVERSATIONS.c.deleted == 0)
        with self._database.begin() as connection:
            found = connection.execute(sql.update(CONVERSATIONS).where(*theirs).values(title=short)).rowcount > 0
            if found:
                self._texts.keep_title(connection, conversation, short)
        return found

    def pin(self, visitor: str, conversation: str, pinned: bool) -> bool:
        return self._change(visitor, conversation, CONVERSATIONS.c.deleted == 0, pinned=time() if pinned else 0.0)

    def delete(self, visitor: str, conversation: str) -> bool:
        """Hide it from everyone; ``restore`` brings it back until ``purge`` removes it."""
        return self._change(visitor, conversation, CONVERSATIONS.c.deleted == 0, deleted=time())

    def restore(self, visitor: str, conversation: str) -> bool:
        return self._change(visitor, conversation, CONVERSATIONS.c.deleted > 0, deleted=0.0)

    def purge(self, before: float) -> int:
        """Remove for good what was deleted before that time (seconds since the epoch); how many conversations."""
        due = (CONVERSATIONS.c.deleted > 0, CONVERSATIONS.c.deleted < before)
        gone = sql.select(CONVERSATIONS.c.id).where(CONVERSATIONS.c.visitor == "", *due)
        runs = sql.select(RUNS.c.id).where(RUNS.c.conversation.in_(gone))
        with self._database.begin() as connection:
            # Taken from its visitor first, so that nobody can restore what is half removed.
            connection.execute(sql.update(CONVERSATIONS).where(*due).values(visitor=""))
            for table, column, ids in (
                (EVENTS, EVENTS.c.run, runs),
                (ARTIFACTS, ARTIFACTS.c.run, runs),
                (TEXTS, TEXTS.c.conversation, gone),
                (RUNS, RUNS.c.conversation, gone),
            ):
                connection.execute(sql.delete(table).where(column.in_(ids)))
            return connection.execute(sql.delete(CONVERSATIONS).where(CONVERSATIONS.c.visitor == "", *due)).rowcount

    def judge(self, visitor: str, run: str, verdict: int | None) -> bool:
        """Keep what the visitor thinks of a run's answer: 1 good, 0 bad, ``None`` nothing."""
        theirs = sql.select(CONVERSATIONS.c.id).where(_of(visitor), CONVERSATIONS.c.deleted == 0)
        judged = sql.update(RUNS).where(RUNS.c.id == run, RUNS.c.conversation.in_(theirs)).values(verdict=verdict)
        if not visitor:
            return False
        with self._database.begin() as connection:
            return connection.execute(judged).rowcount > 0

    def verdict(self, run: str) -> int | None:
        """What ``judge`` kept."""
        with self._database.begin() as connection:
            return connection.execute(sql.select(RUNS.c.verdict).where(RUNS.c.id == run)).scalar_one_or_none()

    def _change(self, visitor: str, conversation: str, standing: sql.ColumnElement[bool], **values: float) -> bool:
        if not visitor:
            return False
        theirs = (_of(visitor), CONVERSATIONS.c.id == conversation, standing)
        with self._database.begin() as connection:
            return connection.execute(sql.update(CONVERSATIONS).where(*theirs).values(**values)).rowcount > 0


def _of(visitor: str) -> sql.ColumnElement[bool]:
    return CONVERSATIONS.c.visitor == visitor
