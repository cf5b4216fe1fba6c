"""Cards of models that were not measured here: those that a visitor took in, and those that the owner gives to all."""

from __future__ import annotations

from collections.abc import Sequence
from time import time
from typing import Any, NamedTuple
from uuid import uuid4

import sqlalchemy as sql

from agent.errors import BadRequest
from agent.store.runs import Store
from agent.store.schema import MODEL_CARDS
from agent.store.team_tables import SITE_CARDS

MOST_CARDS = 100  # of a visitor, and of the site


class NewCard(NamedTuple):
    """The card of a ``model``, with the answers of its better wire; ``body`` is a file of cards.

    ``measured`` is in seconds since the epoch, ``app`` the version of Glassbox that did; 0 and "" where unknown.
    """

    model: str
    passed: int
    runs: int
    measured: float
    app: str
    body: str


class CardScore(NamedTuple):
    """What is told of a card in a list, as in ``NewCard``; ``created`` is when it came here."""

    id: str
    model: str
    passed: int
    runs: int
    measured: float
    app: str
    created: float


def _listed(table: sql.Table) -> tuple[sql.ColumnElement[Any], ...]:
    of = table.c
    return of.model, of.passed, of.runs, of.measured, of.app, of.created


class ModelCards:
    """The cards of the store; nobody reaches another visitor's. Every method raises ``StoreFailed``."""

    def __init__(self, store: Store) -> None:
        self._database = store.database

    def of(self, visitor: str) -> list[CardScore]:
        """Those that a visitor took in, the latest first; the visitor "" has none."""
        of = MODEL_CARDS.c
        chosen = sql.select(of.id, *_listed(MODEL_CARDS)).where(of.visitor == visitor)
        ordered = chosen.order_by(of.created.desc(), of.place.desc())
        return [CardScore(*row) for row in self._database.rows(ordered)] if visitor else []

    def body(self, visitor: str, id: str) -> str:
        """The file of one of them, "" where there is none."""
        of = MODEL_CARDS.c
        rows = self._database.rows(sql.select(of.body).where(of.id == id, of.visitor == visitor))
        return rows[0][0] if rows and visitor else ""

    def add(self, visitor: str, cards: Sequence[NewCard]) -> None:
        """Take cards in, all or none. Raises ``BadRequest`` where no more fit."""
        if not visitor or len(self.of(visitor)) + len(cards) > MOST_CARDS:
            raise BadRequest.because("There are {most} cards of models, and no more fit. Remove one.", most=MOST_CARDS)
        now = time()
        rows = [
            {"id": uuid4().hex, "visitor": visitor, "created": now, "place": place} | card._asdict()
            for place, card in enumerate(cards)
        ]
        self._database.change(sql.insert(MODEL_CARDS).values(rows))

    def remove(self, visitor: str, id: str) -> None:
        of = MODEL_CARDS.c
        self._database.change(sql.delete(MODEL_CARDS).where(of.visitor == visitor, of.id == id))

    def remove_all(self, visitor: str) -> None:
        """Remove all that a visitor took in."""
        self._database.change(sql.delete(MODEL_CARDS).where(MODEL_CARDS.c.visitor == visitor))

    def site(self) -> list[CardScore]:
        """Those that the owner gives to all, by the names of their models."""
        chosen = sql.select(*_listed(SITE_CARDS)).order_by(SITE_CARDS.c.model)
        return [CardScore(row[0], *row) for row in self._database.rows(chosen)]

    def site_body(self, model: str) -> str:
        """The file of the one of that model, "" where there is none."""
        rows = self._database.rows(sql.select(SITE_CARDS.c.body).where(SITE_CARDS.c.model == model))
        return rows[0][0] if rows else ""

    def give(self, card: NewCard) -> None:
        """Give a card to all, in place of the one of its model. Raises ``BadRequest`` where no more fit."""
        if len({each.model for each in self.site()} | {card.model}) > MOST_CARDS:
            raise BadRequest.because("There are {most} cards of models, and no more fit. Remove one.", most=MOST_CARDS)
        row = card._asdict() | {"created": time()}
        self._database.change(self._database.put(SITE_CARDS, {"model": card.model}, row))

    def take_back(self, model: str) -> None:
        self._database.change(sql.delete(SITE_CARDS).where(SITE_CARDS.c.model == model))
