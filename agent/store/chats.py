"""A visitor's conversations: list, search, rename, pin, delete, judge, sum up; what is chosen in each, and by default.

Nobody reaches those of another visitor.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from time import time
from typing import Any, cast

import sqlalchemy as sql

from agent.store.runs import CONVERSATION_ROW, ConversationRow, Store
from agent.store.schema import (
    ARTIFACTS,
    CHOSEN,
    CHOSEN_BODY,
    CONVERSATIONS,
    DOCUMENTS,
    EVENTS,
    KEPT_TESTS,
    LOADED,
    PREFERENCES,
    RUNS,
    SHARES,
    STREAMED,
    TEXTS,
    TOTALS,
)
from agent.store.search import words
from agent.store.team_tables import TEAM_MEMBERS, TEAM_READ, TEAM_SHARES
from agent.store.totals import Totals
from agent.store.unanswered import short_title
from agent.text.characters import shows

MOST_COMMENT = 1_000
# What an SQL statement and a LIKE pattern surely take.
_MOST_WORDS = 32
_MOST_LETTERS = 500


@dataclass(frozen=True, slots=True)
class Judgement:
    """A visitor's thumb, 1 good, 0 bad, ``None`` none, and the word that was written to it."""

    verdict: int | None = None
    comment: str = ""


class Chats:
    """The conversations of the store, by visitor. Every method raises ``StoreFailed`` where the database does.

    Methods that change something answer whether there was such a conversation of this visitor; the visitor "" has
    none.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
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
        # Those of tests are found on their own page.
        chosen = chosen.where(~sql.exists().where(KEPT_TESTS.c.conversation == CONVERSATIONS.c.id))
        for word in words(matching)[:_MOST_WORDS]:
            here = TEXTS.c.conversation == CONVERSATIONS.c.id
            chosen = chosen.where(
                sql.exists().where(here, TEXTS.c.body.contains(word[:_MOST_LETTERS], autoescape=True))
            )
        pinned = sql.case((CONVERSATIONS.c.pinned > 0, 1), else_=0)
        ordered = chosen.order_by(pinned.desc(), CONVERSATIONS.c.updated.desc(), CONVERSATIONS.c.id).limit(most)
        return [ConversationRow(*row) for row in self._database.rows(ordered)]

    def rename(self, visitor: str, conversation: str, title: str) -> bool:
        """Give it a title of one line, shortened to 80 characters; one that shows nothing is refused."""
        short = short_title(title)
        if not visitor or not shows(short):
            return False
        theirs = (_of(visitor), CONVERSATIONS.c.id == conversation, CONVERSATIONS.c.deleted == 0)
        with self._database.begin() as connection:
            found = connection.execute(sql.update(CONVERSATIONS).where(*theirs).values(title=short)).rowcount > 0
            if found:
                self._texts.keep_text(connection, conversation, conversation, short)
        return found

    def pin(self, visitor: str, conversation: str, pinned: bool) -> bool:
        return self._change(visitor, conversation, CONVERSATIONS.c.deleted == 0, pinned=time() if pinned else 0.0)

    def delete(self, visitor: str, conversation: str) -> bool:
        """Hide it from everyone; ``restore`` brings it back until ``purge`` removes it."""
        return self._change(visitor, conversation, CONVERSATIONS.c.deleted == 0, deleted=time())

    def delete_all(self, visitor: str, deleted: float) -> list[str]:
        """Take all of the visitor's conversations away from them; the ids of those that they had.

        None can be restored. ``purge`` removes them as if each was deleted at that time (seconds since the epoch).
        """
        gone = sql.update(CONVERSATIONS).where(_of(visitor)).values(visitor="", deleted=deleted, pinned=0.0)
        with self._database.begin() as connection:
            theirs = connection.execute(sql.select(CONVERSATIONS.c.id).where(_of(visitor))).scalars().all()
            if visitor:
                connection.execute(gone)
        return list(theirs) if visitor else []

    def restore(self, visitor: str, conversation: str) -> bool:
        return self._change(visitor, conversation, CONVERSATIONS.c.deleted > 0, deleted=0.0)

    def purge(self, before: float) -> int:
        """Remove for good what was deleted before that time (seconds since the epoch); how many conversations.

        One of a test stays until the test is removed. The files of their tables and documents are removed by
        ``Tables.sweep`` and ``Documents.sweep``.
        """
        of_a_test = sql.exists().where(KEPT_TESTS.c.conversation == CONVERSATIONS.c.id)
        due = (CONVERSATIONS.c.deleted > 0, CONVERSATIONS.c.deleted < before, ~of_a_test)
        gone = sql.select(CONVERSATIONS.c.id).where(CONVERSATIONS.c.visitor == "", *due)
        runs = sql.select(RUNS.c.id).where(RUNS.c.conversation.in_(gone))
        with self._database.begin() as connection:
            # Taken from its visitor first, so that nobody can restore what is half removed.
            connection.execute(sql.update(CONVERSATIONS).where(*due).values(visitor=""))
            for table, column, ids in (
                (EVENTS, EVENTS.c.run, runs),
                (ARTIFACTS, ARTIFACTS.c.run, runs),
                (STREAMED, STREAMED.c.run, runs),
                (TEXTS, TEXTS.c.conversation, gone),
                (LOADED, LOADED.c.conversation, gone),
                (DOCUMENTS, DOCUMENTS.c.conversation, gone),
                (CHOSEN, CHOSEN.c.conversation, gone),
                (SHARES, SHARES.c.conversation, gone),
                (TEAM_SHARES, TEAM_SHARES.c.conversation, gone),
                (TEAM_MEMBERS, TEAM_MEMBERS.c.conversation, gone),
                (TEAM_READ, TEAM_READ.c.conversation, gone),
                (RUNS, RUNS.c.conversation, gone),
            ):
                connection.execute(sql.delete(table).where(column.in_(ids)))
            return connection.execute(sql.delete(CONVERSATIONS).where(CONVERSATIONS.c.visitor == "", *due)).rowcount

    def forget(self, deleted: bool) -> None:
        """Leave nothing of what was ``deleted`` in the files of the database, see ``Database.forget``."""
        self._database.forget(deleted)

    def allow(self, visitor: str, conversation: str, tool: str) -> bool:
        """Let a tool be used without asking in this conversation from now on."""
        return self._change(visitor, conversation, allowed=json.dumps(sorted({*self.allowed(conversation), tool})))

    def allowed(self, conversation: str) -> tuple[str, ...]:
        """The tools that ``allow`` was called for."""
        kept = sql.select(CONVERSATIONS.c.allowed).where(CONVERSATIONS.c.id == conversation)
        return tuple(name for (names,) in self._database.rows(kept) for name in json.loads(names))

    def judge(self, visitor: str, run: str, verdict: int | None, comment: str | None = None) -> bool:
        """Keep what the visitor thinks of a run's answer: 1 good, 0 bad, ``None`` nothing, which has no comment either.

        ``comment`` is shortened to one line of 1,000 characters, without control characters; ``None`` leaves the one
        there is.
        """
        if not visitor:
            return False
        theirs = sql.select(CONVERSATIONS.c.id).where(_of(visitor), CONVERSATIONS.c.deleted == 0)
        values: dict[str, int | str | None] = {"verdict": verdict}
        if comment is not None or verdict is None:
            values["comment"] = "" if verdict is None else short_title(comment or "", MOST_COMMENT)
        judged = sql.update(RUNS).where(RUNS.c.id == run, RUNS.c.conversation.in_(theirs)).values(values)
        return self._database.change(judged) > 0

    def judgement(self, run: str) -> Judgement:
        """What ``judge`` kept."""
        kept = sql.select(RUNS.c.verdict, RUNS.c.comment).where(RUNS.c.id == run)
        return next((Judgement(*row) for row in self._database.rows(kept)), Judgement())

    def totals(self, conversation: str) -> Totals:
        """What all ended runs of a conversation took, those of every branch."""
        ended = (RUNS.c.conversation == conversation, RUNS.c.ended != "")
        known, totals = self._summed(*ended)
        if known < totals.runs:
            # They were ended by an earlier version, or imported.
            chosen = sql.select(RUNS.c.id).where(*ended, RUNS.c.calls.is_(None))
            self._store.total([run for (run,) in self._database.rows(chosen)])
            _, totals = self._summed(*ended)
        return totals

    def _summed(self, *chosen: sql.ColumnElement[bool]) -> tuple[int, Totals]:
        """Of how many runs it is known what they took, and the sum."""
        sums: list[sql.ColumnElement[Any]] = [sql.func.coalesce(sql.func.sum(RUNS.c[name]), 0) for name in TOTALS]
        counted = sql.select(sql.func.count(RUNS.c.calls), sql.func.count(), *sums).where(*chosen)
        row = cast("tuple[Any, ...]", self._database.rows(counted)[0])
        known, runs, calls, unpriced, input, output, estimated, money, seconds = row
        return known, Totals(
            runs, int(calls), int(unpriced), int(input), int(output), bool(estimated), float(money), float(seconds)
        )

    def preferences(self, visitor: str) -> str:
        """What ``prefer`` kept of the visitor, or ""."""
        kept = sql.select(PREFERENCES.c.body).where(PREFERENCES.c.visitor == visitor)
        return next((body for (body,) in self._database.rows(kept)), "")

    def prefer(self, visitor: str, body: str) -> None:
        """Keep ``body`` for the visitor's next visit, in place of what was kept; with "" nothing is kept."""
        gone = sql.delete(PREFERENCES).where(PREFERENCES.c.visitor == visitor)
        kept = self._database.put(PREFERENCES, {"visitor": visitor}, {"body": body})
        with self._database.begin() as connection:
            connection.execute(kept if visitor and body else gone)

    def chosen(self, conversation: str, kind: str) -> str:
        """What ``choose`` kept for the conversation, or ""."""
        return next((body for (body,) in self._database.rows(CHOSEN_BODY, id=conversation, kind=kind)), "")

    def choose(self, visitor: str, conversation: str, kind: str, body: str) -> bool:
        """Keep ``body`` for what is chosen in a conversation alone, in place of what was kept."""
        theirs = sql.select(CONVERSATIONS.c.id).where(
            _of(visitor), CONVERSATIONS.c.id == conversation, CONVERSATIONS.c.deleted == 0
        )
        kept = self._database.put(CHOSEN, {"conversation": conversation, "kind": kind}, {"body": body})
        with self._database.begin() as connection:
            found = bool(visitor) and connection.execute(theirs).one_or_none() is not None
            if found:
                connection.execute(kept)
        return found

    def _change(
        self, visitor: str, conversation: str, *standing: sql.ColumnElement[bool], **values: float | str
    ) -> bool:
        if not visitor:
            return False
        theirs = (_of(visitor), CONVERSATIONS.c.id == conversation, *standing)
        return self._database.change(sql.update(CONVERSATIONS).where(*theirs).values(**values)) > 0


def _of(visitor: str) -> sql.ColumnElement[bool]:
    return CONVERSATIONS.c.visitor == visitor
