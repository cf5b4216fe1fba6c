"""What can be searched of a conversation, and the form in which texts and queries are compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from unicodedata import normalize

import sqlalchemy as sql
from pydantic_core import from_json
from sqlalchemy.engine import Connection

from agent.events import Asked, Event
from agent.store.database import Database
from agent.store.schema import CONVERSATIONS, READ_BODIES, RUNS, TEXT_OF_RUN, TEXTS

# Of each event, the field in which somebody speaks: not the prompts, nor how a reply was worded on its way.
_FIELDS = {"Asked": "question", "Merged": "question", "Observed": "text", "Answered": "text", "Failed": "partial"}


def fold(text: str) -> str:
    """``text`` without differences of case and width: NFKC, case-folded; what no database takes is replaced."""
    if not text.isascii():
        text = normalize("NFKC", text.encode("utf-8", "replace").decode())
        text = normalize("NFKC", text.casefold())
    return text.casefold().replace("\0", " ")


def words(query: str) -> list[str]:
    """The words of a query, folded, each once."""
    return list(dict.fromkeys(fold(query).split()))


def said(bodies: Iterable[str]) -> str:
    """The folded text of stored events: questions, observations, answers. What the loop told the model is left out."""
    return fold("\n".join(filter(None, map(_said, bodies))))


def _said(body: str) -> str:
    """What is said in an event, of whichever version."""
    try:
        event = from_json(body)
        text = event.get(_FIELDS.get(event["type"])) if event.get("call_id") != "" else ""
    except (ValueError, TypeError, KeyError, AttributeError):
        return ""
    return text if isinstance(text, str) else ""


class Texts:
    """The table of texts. It is written twice in a run, so that storing an event costs nothing more."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._read_bodies = database.statement(READ_BODIES)
        keep = database.upsert(TEXTS, TEXT_OF_RUN)
        self._keep = database.statement(
            keep.on_conflict_do_update(index_elements=["part"], set_={"body": keep.excluded.body})
        )

    def keep(self, cursor: Any, run: str, events: Sequence[Event], ends: bool) -> None:
        """Keep the question when ``events``, just added to the run, have it, and everything when one ``ends`` it."""
        if ends:
            self._keep_run(cursor, run)
        elif questions := [event.question for event in events if isinstance(event, Asked)]:
            self._keep.execute(cursor, {"run": run, "body": fold("\n".join(questions))})

    def keep_text(self, connection: Connection, conversation: str, part: str, text: str) -> None:
        """Keep a text of the conversation: the question of the run ``part``, or the title under its own id."""
        kept = self._database.put(TEXTS, {"part": part}, {"body": fold(text)}, conversation=conversation)
        connection.execute(kept)

    def keep_missing(self) -> None:
        """Make searchable what an earlier version stored."""
        kept = sql.select(TEXTS.c.part)
        titles = sql.select(CONVERSATIONS.c.id, CONVERSATIONS.c.title).where(CONVERSATIONS.c.id.not_in(kept))
        ended = sql.select(RUNS.c.id).where(RUNS.c.id.not_in(kept), RUNS.c.ended != "")
        with self._database.begin() as connection:
            for conversation, title in connection.execute(titles).all():
                self.keep_text(connection, conversation, conversation, title)
            runs = connection.execute(ended).scalars().all()
        for run in runs:
            with self._database.cursor() as cursor:
                self._keep_run(cursor, run)

    def _keep_run(self, cursor: Any, run: str) -> None:
        bodies = self._read_bodies.execute(cursor, {"run": run}).fetchall()
        self._keep.execute(cursor, {"run": run, "body": said(body for (body,) in bodies)})
