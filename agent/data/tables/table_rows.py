"""What the store knows of a conversation's tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import time
from typing import Any, cast
from uuid import uuid4

import sqlalchemy as sql

from agent.store.database import Database
from agent.store.schema import LOADED

Card = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LoadedTable:
    """``file`` is the name of its Parquet file in the conversation's folder, ``card`` as ``card_of`` gives it."""

    id: str
    name: str
    file: str
    card: Card

    @property
    def rows(self) -> int:
        return int(self.card["rows"])

    @property
    def source(self) -> str:
        """The name of the file it came from."""
        return str(self.card["source"])

    def files(self) -> Iterator[str]:
        """All its files in the folder."""
        yield self.file
        if self.card.get("bad_file"):
            yield str(self.card["bad_file"])


class TableRows:
    """Rows of ``LOADED``. Every method raises ``StoreFailed`` where the database does."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, conversation: str) -> tuple[LoadedTable, ...]:
        """In the order in which they were loaded."""
        chosen = sql.select(LOADED.c.id, LOADED.c.name, LOADED.c.file, LOADED.c.card)
        chosen = chosen.where(LOADED.c.conversation == conversation).order_by(LOADED.c.created, LOADED.c.id)
        with self._database.begin() as connection:
            return tuple(
                LoadedTable(row.id, row.name, row.file, cast("Card", json.loads(row.card)))
                for row in connection.execute(chosen)
            )

    def add(self, conversation: str, cards: Sequence[Card]) -> None:
        """All of them, or none."""
        now = time()
        rows = [
            {"id": uuid4().hex, "conversation": conversation, **_values(card), "created": now + place / 1000}
            for place, card in enumerate(cards)
        ]
        with self._database.begin() as connection:
            connection.execute(sql.insert(LOADED), rows)

    def change(self, conversation: str, table: str, card: Card) -> bool:
        """Give a table another card; whether there is such a table."""
        changed = sql.update(LOADED).where(LOADED.c.id == table, LOADED.c.conversation == conversation)
        with self._database.begin() as connection:
            return connection.execute(changed.values(_values(card))).rowcount > 0

    def remove(self, conversation: str, table: str) -> bool:
        gone = sql.delete(LOADED).where(LOADED.c.id == table, LOADED.c.conversation == conversation)
        with self._database.begin() as connection:
            return connection.execute(gone).rowcount > 0


def _values(card: Card) -> dict[str, str]:
    return {"name": str(card["name"]), "file": str(card["file"]), "card": json.dumps(card, ensure_ascii=False)}
