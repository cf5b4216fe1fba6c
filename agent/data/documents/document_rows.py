"""What the store knows of a conversation's documents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from time import time
from typing import Any, cast

import sqlalchemy as sql

from agent.interface_text import Text
from agent.store.database import Database
from agent.store.schema import DOCUMENTS

Card = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """``card`` as the job ``document_load`` gives it."""

    id: str
    card: Card

    @property
    def name(self) -> str:
        return str(self.card["name"])

    @property
    def pages(self) -> int:
        return int(self.card["pages"])

    @property
    def paged(self) -> bool:
        """Whether it has pages of its own; else they are parts that were made of it."""
        return bool(self.card["paged"])

    @property
    def length(self) -> str:
        """ "12 pages", "1 part"."""
        if self.paged:
            return Text("{n:,} page", "{n:,} pages", n=self.pages)
        return Text("{n:,} part", "{n:,} parts", n=self.pages)


class DocumentRows:
    """Rows of ``DOCUMENTS``. Every method raises ``StoreFailed`` where the database does."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, conversation: str) -> tuple[LoadedDocument, ...]:
        """In the order in which they were loaded."""
        chosen = sql.select(DOCUMENTS.c.id, DOCUMENTS.c.card).where(DOCUMENTS.c.conversation == conversation)
        with self._database.begin() as connection:
            rows = connection.execute(chosen.order_by(DOCUMENTS.c.created, DOCUMENTS.c.id)).all()
        return tuple(LoadedDocument(row.id, cast("Card", json.loads(row.card))) for row in rows)

    def add(self, conversation: str, document: str, card: Card) -> None:
        values = {"id": document, "conversation": conversation, "card": json.dumps(card, ensure_ascii=False)}
        with self._database.begin() as connection:
            connection.execute(sql.insert(DOCUMENTS).values({**values, "created": time()}))

    def remove(self, conversation: str, document: str) -> bool:
        gone = sql.delete(DOCUMENTS).where(DOCUMENTS.c.id == document, DOCUMENTS.c.conversation == conversation)
        with self._database.begin() as connection:
            return connection.execute(gone).rowcount > 0
