"""The cards that a visitor is shown: measured here, taken in from a file, or given to all by the site's owner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent.application.evaluation.card_runs import Scores, card_run, measured_scores
from agent.application.services import Services
from agent.application.setup import DEMO, Alternative, comparable
from agent.errors import BadRequest
from agent.evals.model_card.card_figures import ModelCard
from agent.evals.model_card.card_file import (
    CardFile,
    head_of,
    read_card,
    row_of,
    shown_card,
    write_card,
)
from agent.store.model_cards import CardScore, NewCard

# measured: by this visitor, here. imported: taken in from a file. site: given to all by the owner.
Origin: TypeAlias = Literal["measured", "imported", "site"]


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card with its file. ``id`` is of one that was taken in; ``came`` is when it did, or when it was measured."""

    origin: Origin
    card: ModelCard
    file: CardFile
    id: str
    came: float

    @property
    def text(self) -> str:
        """The file, as ``read_card`` reads it."""
        return write_card(self.file)


@dataclass(frozen=True, slots=True)
class Score:
    """Right answers, ``passed`` of ``runs``, of the better wire; ``measured`` and ``app`` as in ``NewCard``."""

    origin: Origin
    passed: int
    runs: int
    measured: float
    app: str = ""


@dataclass(frozen=True, slots=True)
class CardScores:
    """What stands beside the names of models.

    A card that was measured here is that of one server's model; others are of any model of that name.
    """

    measured: Scores
    imported: Mapping[str, CardScore]
    site: Mapping[str, CardScore]

    def of(self, one: Alternative) -> Score | None:
        """That of a model: of its latest card of the visitor's, else of the owner's."""
        name = name_of_model(one.endpoint, one.model)
        mine = self.measured.get((comparable(one.endpoint), one.model))
        theirs = self.imported.get(name)
        if mine and not (theirs and theirs.created > mine[0]):
            return Score("measured", mine[1], mine[2], mine[0])
        if theirs:
            return _told("imported", theirs)
        return _told("site", self.site[name]) if name in self.site else None

    @property
    def entries(self) -> list[tuple[Alternative, Score]]:
        """Each model with a card, those of the visitor's first; one that was not measured here has no address."""
        found = [Alternative(endpoint, model) for endpoint, model in self.measured]
        known = {name_of_model(one.endpoint, one.model) for one in found}
        others = [Alternative("", name) for name in dict.fromkeys((*self.imported, *self.site)) if name not in known]
        return [(one, score) for one in (*found, *others) if (score := self.of(one))]


def _told(origin: Origin, of: CardScore) -> Score:
    return Score(origin, of.passed, of.runs, of.measured, of.app)


def name_of_model(endpoint: str, model: str) -> str:
    """What a model is called in a file: the built-in one by its address, which is a word."""
    return DEMO if endpoint == DEMO else model


def card_scores(services: Services, visitor: str) -> CardScores:
    """What a visitor is told beside the names of models."""
    imported = {each.model: each for each in reversed(services.model_cards.of(visitor))}
    site = {each.model: each for each in services.model_cards.site()}
    return CardScores(measured_scores(services, visitor), imported, site)


def card_of_model(services: Services, visitor: str, endpoint: str, model: str) -> ShownCard | None:
    """The card of a model that a visitor is shown: the latest of theirs, else the owner's; ``None`` for none."""
    mine = _measured(services, visitor, endpoint, model)
    name = name_of_model(endpoint, model)
    theirs = next((each for each in services.model_cards.of(visitor) if each.model == name), None)
    if theirs and not (mine and mine.came > theirs.created):
        return imported_card(services, visitor, theirs)
    return mine or site_card(services, name)


def _measured(services: Services, visitor: str, endpoint: str, model: str) -> ShownCard | None:
    found = card_run(services, visitor, endpoint, model)
    if found is None or not found.card.done:
        return None
    name = name_of_model(endpoint, model)
    head = head_of(found.row.created, found.asked, found.app)
    file = CardFile(head, tuple(row_of(name, row) for row in found.rows))
    return ShownCard("measured", found.card, file, "", found.row.created)


def imported_card(services: Services, visitor: str, score: CardScore) -> ShownCard | None:
    """One that a visitor took in."""
    body = services.model_cards.body(visitor, score.id)
    return _read("imported", score, body) if body else None


def site_card(services: Services, model: str) -> ShownCard | None:
    """The one that the owner gives to all of a model of that name."""
    score = next((each for each in services.model_cards.site() if each.model == model), None)
    body = services.model_cards.site_body(model) if score else ""
    return _read("site", score, body) if score and body else None


def _read(origin: Origin, score: CardScore, body: str) -> ShownCard | None:
    """The card of a file that the store has; ``None`` where today's questions are about other abilities."""
    try:
        file = read_card(body.encode())
    except BadRequest:
        return None
    return ShownCard(origin, shown_card(score.model, file), file, score.id, score.created)


def take_in(services: Services, visitor: str, data: bytes) -> list[str]:
    """Keep the cards of a file; the names of their models. Raises ``BadRequest`` for a file that has none."""
    cards = list(new_cards(read_card(data)))
    services.model_cards.add(visitor, cards)
    return [card.model for card in cards]


def new_cards(file: CardFile) -> Iterator[NewCard]:
    """The cards in a file, as the store keeps them."""
    for model, its in file.by_model.items():
        best = max(shown_card(model, its).columns, key=lambda column: (column.passed, -column.runs))
        yield NewCard(model, best.passed, best.runs, its.measured, its.app, write_card(its))


def take_away(services: Services, visitor: str, id: str) -> None:
    """Undo that a card was taken in: the one before it is shown again. Raises ``BadRequest`` where it is gone."""
    if not services.model_cards.body(visitor, id):
        raise BadRequest.because("This card is gone.")
    services.model_cards.remove(visitor, id)
