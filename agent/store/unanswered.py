"""What has no answer yet: runs as they begin, questions that wait for their turn, replies as they come in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from time import time
from typing import NamedTuple, TypeAlias
from unicodedata import category
from uuid import uuid4

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from agent.errors import StoreFailed
from agent.events import Asked, TextDelta, dump
from agent.interface_text import Text
from agent.store.database import Database
from agent.store.schema import ARTIFACTS, CHOSEN, CHOSEN_BODY, CONVERSATIONS, EVENTS, RUNS, STREAMED, Now
from agent.store.search import Texts

Queue: TypeAlias = Sequence[str]
MOST_IN_QUEUE = 10
_QUEUE = "next"  # the kind under which the questions that wait are kept, a JSON array
MOST_OF_TITLE = 80
_NO_TEXT = ("Cc", "Cs")
_ADD_RUN = sql.insert(RUNS).values(alive=Now(), ended="")
_TOUCH = (
    sql.update(CONVERSATIONS).where(CONVERSATIONS.c.id == sql.bindparam("chat")).values(updated=sql.bindparam("now"))
)


class NotWaiting(StoreFailed):
    """The run does not wait for the person, or not for what was decided: somebody else may have decided it.

    Or a question does not wait for its turn any more: somebody else may have asked it.
    """


class Piece(NamedTuple):
    """What came of a reply since the last piece; ``number`` grows, ``stored`` counts the run's events before it."""

    run: str
    number: int
    stored: int
    deltas: Sequence[TextDelta]


class Unanswered:
    """What ``agent.store.runs.Store`` does with questions. Every method raises ``StoreFailed``."""

    def __init__(self, database: Database, texts: Texts, process: str) -> None:
        """``process`` is whose the runs that begin are."""
        self._database = database
        self._texts = texts
        self._process = process

    def begin(
        self,
        asked: Asked,
        visitor: str,
        conversation: str = "",
        follows: str = "",
        queue: Queue = (),
        choice: str = "",
    ) -> tuple[str, str]:
        """Add a run with its question, in a new conversation where it is "", all in one transaction; the ids of both.

        ``choice`` says with what the run is answered, where another process takes it up; a run without one is ended.

        Where ``queue`` has all the questions that wait in the conversation, its first waits no more; where others wait
        by now, raises ``NotWaiting``, and nothing is added.
        """
        with self._database.begin() as connection:
            if queue and not _changed(self._database, connection, conversation, queue, queue[1:]):
                raise NotWaiting(Text("This question was asked already."))
            conversation = conversation or add_conversation(connection, self._texts, visitor, asked.question)
            run = add_run(connection, self._process, conversation, follows, choice)
            row = {"run": run, "number": 1, "body": dump(asked), "kind": asked.type}
            connection.execute(sql.insert(EVENTS), row)
            contents = {each.hash: each.content for each in asked.artifacts if each.content}
            for hash, content in contents.items():
                connection.execute(sql.insert(ARTIFACTS), {"run": run, "hash": hash, "content": content})
            self._texts.keep_text(connection, conversation, run, asked.question)
        return conversation, run

    def queue(self, conversation: str) -> tuple[str, ...]:
        """The questions that wait for their turn in a conversation, the next one first."""
        kept = self._database.rows(CHOSEN_BODY, id=conversation, kind=_QUEUE)
        return tuple(text for (body,) in kept for text in json.loads(body))

    def enqueue(self, conversation: str, text: str) -> bool:
        """Have a question wait for its turn; false where ``MOST_IN_QUEUE`` wait already."""
        while len(queue := self.queue(conversation)) < MOST_IN_QUEUE:
            with self._database.begin() as connection:
                if _changed(self._database, connection, conversation, queue, (*queue, text)):
                    return True
        return False

    def unqueue(self, conversation: str, text: str) -> bool:
        """Have a question wait no more; false where it did not."""
        while text in (queue := self.queue(conversation)):
            place = queue.index(text)
            with self._database.begin() as connection:
                if _changed(self._database, connection, conversation, queue, (*queue[:place], *queue[place + 1 :])):
                    return True
        return False

    def keep_streamed(self, pieces: Iterable[Piece]) -> None:
        """Keep pieces of replies that are not stored yet, those of runs that have not ended."""
        open_ones = sql.exists().where(RUNS.c.id == sql.bindparam("run"), RUNS.c.ended == "")
        columns = [column.name for column in STREAMED.columns]
        row = sql.select(*(sql.bindparam(column.name, type_=column.type) for column in STREAMED.columns))
        rows = [
            {"run": piece.run, "number": piece.number, "stored": piece.stored, "body": _joined(piece.deltas)}
            for piece in pieces
        ]
        with self._database.begin() as connection:
            connection.execute(sql.insert(STREAMED).from_select(columns, row.where(open_ones)), rows)

    def streamed(self, run: str, stored: int) -> list[TextDelta]:
        """What was kept of the reply behind the first ``stored`` events of a run."""
        kept = sql.select(STREAMED.c.body).where(STREAMED.c.run == run, STREAMED.c.stored == stored)
        rows = self._database.rows(kept.order_by(STREAMED.c.number))
        return [TextDelta(channel, text) for (body,) in rows for channel, text in json.loads(body)]


def _joined(deltas: Sequence[TextDelta]) -> str:
    """As JSON; what came in one channel is one text."""
    texts = [
        (channel, "".join(each.text for each in some)) for channel, some in groupby(deltas, lambda each: each.channel)
    ]
    return json.dumps(texts)


def add_conversation(connection: Connection, texts: Texts, visitor: str, title: str) -> str:
    """A new conversation's id. The title is shortened to one line of 80 characters."""
    short = short_title(title)
    conversation = uuid4().hex
    row = {"id": conversation, "visitor": visitor, "title": short, "created": time(), "updated": time()}
    connection.execute(sql.insert(CONVERSATIONS), row)
    texts.keep_text(connection, conversation, conversation, short)
    return conversation


def add_run(connection: Connection, process: str, conversation: str, follows: str, choice: str = "") -> str:
    """The id of a new run, which belongs to ``process``."""
    run = uuid4().hex
    row = {"id": run, "conversation": conversation, "follows": follows, "created": time(), "choice": choice}
    connection.execute(_ADD_RUN, row | {"process": process})
    connection.execute(_TOUCH, {"chat": conversation, "now": time()})
    return run


def short_title(text: str, most: int = MOST_OF_TITLE) -> str:
    """One line of at most 80 characters; control characters and what no database takes become spaces."""
    line = " ".join("".join(" " if category(character) in _NO_TEXT else character for character in text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _changed(database: Database, connection: Connection, conversation: str, before: Queue, after: Queue) -> bool:
    """Put other questions in the place of those that wait; false, and nothing is changed, where these are others."""
    row = {"conversation": conversation, "kind": _QUEUE, "body": json.dumps(after)}
    if before:
        same = (CHOSEN.c.conversation == conversation, CHOSEN.c.kind == _QUEUE, CHOSEN.c.body == json.dumps(before))
        change = sql.update(CHOSEN).values(body=row["body"]) if after else sql.delete(CHOSEN)
        return connection.execute(change.where(*same)).rowcount > 0
    added = database.upsert(CHOSEN).values(row).on_conflict_do_nothing().returning(CHOSEN.c.kind)
    return connection.execute(added).first() is not None
