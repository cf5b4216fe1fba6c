"""The rows of the store that say what was loaded into conversations, each with a card."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import time
from typing import Any, Generic, TypeAlias, TypeVar, cast

import sqlalchemy as sql

from agent.errors import BadRequest
from agent.store.database import Database
from agent.store.schema import CONVERSATIONS

Card: TypeAlias = Mapping[str, Any]
_AT_ONCE = 500  # conversations in a statement


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was loaded into a conversation; ``card`` is as the job gives it that loads."""

    id: str
    card: Card

    @property
    def name(self) -> str:
        return str(self.card["name"])


L = TypeVar("L", bound=Loaded)


class CardRows(Generic[L]):
    """The rows of a table of the store, each with a card. Every method raises ``StoreFailed`` where the database does.

    ``columns`` are those that repeat a value of the card.
    """

    def __init__(self, database: Database, table: sql.Table, kind: Callable[[str, Card], L], *columns: str) -> None:
        self._database = database
        self._table = table
        self._kind = kind
        self._columns = columns
        its = table.c.conversation == sql.bindparam("id", type_=sql.String)
        self._read = sql.select(table.c.id, table.c.card).where(its).order_by(table.c.created, table.c.id)

    def of(self, conversation: str) -> tuple[L, ...]:
        """In the order in which they were loaded."""
        found = self._database.rows(self._read, id=conversation)
        return tuple(self._kind(row.id, cast("Card", json.loads(row.card))) for row in found)

    def of_all(self, conversations: Sequence[str]) -> list[L]:
        """Those of several conversations, in no order."""
        found: list[L] = []
        with self._database.begin() as connection:
            for some in in_parts(conversations):
                rows = connection.execute(
                    sql.select(self._table.c.id, self._table.c.card).where(self._table.c.conversation.in_(some))
                )
                found += [self._kind(row.id, cast("Card", json.loads(row.card))) for row in rows]
        return found

    def add(
        self, conversation: str, cards: Mapping[str, Card], fitted: Callable[[Card, set[str]], Card] | None = None
    ) -> tuple[Card, ...]:
        """Add all of them, which are given by id, or none; the cards as they were added.

        ``fitted`` makes one fit beside the names that are taken meanwhile: another process may add some, too.
        Raises ``BadRequest`` where the conversation is gone.
        """
        now, rows = time(), self._table.c
        with self._database.begin() as connection:
            # Written first, so that of two processes one waits for the other.
            mine = sql.update(CONVERSATIONS).where(CONVERSATIONS.c.id == conversation)
            if not connection.execute(mine.values(updated=CONVERSATIONS.c.updated)).rowcount:
                raise BadRequest.because("There is no such conversation here.")
            known = connection.execute(sql.select(rows.card).where(rows.conversation == conversation)).scalars()
            taken = {str(json.loads(card)["name"]) for card in known}
            made: dict[str, Card] = {}
            for id, card in cards.items():
                made[id] = fitted(card, taken) if fitted else card
                taken.add(str(made[id]["name"]))
            added = [
                {"id": id, "conversation": conversation, **self._values(card), "created": now + place / 1000}
                for place, (id, card) in enumerate(made.items())
            ]
            connection.execute(sql.insert(self._table), added)
        return tuple(made.values())

    def change(self, conversation: str, row: L, card: Card) -> None:
        """Give a row another card. Raises ``BadRequest`` where it is gone, or not as it was read any more."""
        was = self._table.c.card == self._values(row.card)["card"]
        if not self._run(sql.update(self._table).where(was).values(self._values(card)), conversation, row.id):
            raise BadRequest.because("{name} was changed or removed elsewhere meanwhile. Look again.", name=row.name)

    def remove(self, conversation: str, id: str) -> bool:
        return self._run(sql.delete(self._table), conversation, id)

    def _run(self, statement: sql.Update | sql.Delete, conversation: str, id: str) -> bool:
        rows = self._table.c
        with self._database.begin() as connection:
            return connection.execute(statement.where(rows.id == id, rows.conversation == conversation)).rowcount > 0

    def _values(self, card: Card) -> dict[str, str]:
        copied = {column: str(card[column]) for column in self._columns}
        return {**copied, "card": json.dumps(card, ensure_ascii=False)}


def in_parts(conversations: Sequence[str]) -> Iterator[Sequence[str]]:
    """As many as one statement takes."""
    return (conversations[start : start + _AT_ONCE] for start in range(0, len(conversations), _AT_ONCE))
