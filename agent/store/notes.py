"""What a visitor asked to be remembered: short texts that hold across their conversations, with where each is from."""

from __future__ import annotations

from dataclasses import dataclass
from time import time
from uuid import uuid4

import sqlalchemy as sql

from agent.errors import BadRequest
from agent.store.runs import Store
from agent.store.schema import CONVERSATIONS, NOTES

MOST_NOTES = 50
MOST_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Note:
    """``conversation`` and its ``title`` are where it was taken from; both are "" where that is gone, or was none."""

    id: str
    text: str
    conversation: str = ""
    title: str = ""


class Notes:
    """The notes of the store, by visitor; nobody reaches another's. Every method raises ``StoreFailed``."""

    def __init__(self, store: Store) -> None:
        self._database = store.database

    def of(self, visitor: str) -> list[Note]:
        """The visitor's notes, oldest first; the visitor "" has none."""
        chat = CONVERSATIONS
        here = (chat.c.id == NOTES.c.conversation, chat.c.visitor == visitor, chat.c.deleted == 0)
        columns = (NOTES.c.id, NOTES.c.body, sql.func.coalesce(chat.c.id, ""), sql.func.coalesce(chat.c.title, ""))
        kept = sql.select(*columns).select_from(NOTES.outerjoin(chat, sql.and_(*here)))
        theirs = kept.where(NOTES.c.visitor == visitor).order_by(NOTES.c.created, NOTES.c.id)
        return [Note(*row) for row in self._database.rows(theirs)] if visitor else []

    def add(self, visitor: str, text: str, conversation: str = "") -> None:
        """Keep ``text``, taken from that conversation; once, where it is there already. Raises ``BadRequest``."""
        body = _checked(text)
        known = [note.text for note in self.of(visitor)]
        if body in known or not visitor:
            return
        if len(known) >= MOST_NOTES:
            raise BadRequest.because(
                "There are {most} notes, and no more fit. Delete one under Settings.", most=MOST_NOTES
            )
        row = {"id": uuid4().hex, "visitor": visitor, "body": body, "conversation": conversation, "created": time()}
        self._database.change(sql.insert(NOTES).values(row))

    def change(self, visitor: str, note: str, text: str) -> None:
        """Write a note anew. Raises ``BadRequest``."""
        theirs = (NOTES.c.visitor == visitor, NOTES.c.id == note)
        self._database.change(sql.update(NOTES).where(*theirs).values(body=_checked(text)))

    def remove(self, visitor: str, note: str) -> None:
        """Forget a note."""
        self._database.change(sql.delete(NOTES).where(NOTES.c.visitor == visitor, NOTES.c.id == note))

    def remove_all(self, visitor: str) -> None:
        """Forget all notes of a visitor."""
        self._database.change(sql.delete(NOTES).where(NOTES.c.visitor == visitor))


def _checked(text: str) -> str:
    body = " ".join(text.split())
    if not body:
        raise BadRequest.because("There is nothing in the note yet.")
    if len(body) > MOST_CHARACTERS:
        raise BadRequest.because(
            "A note may have {most} characters; this one has {count:,}.", most=MOST_CHARACTERS, count=len(body)
        )
    return body
