"""What an owner does with the cards of models that all visitors are shown: give one, and take it back.

Everybody sees figures alone: no sentence that a model or a stranger's file wrote, and nothing that names a run here.
"""

from __future__ import annotations

from agent.application.evaluation.card_shelf import ShownCard, new_cards
from agent.application.services import Services
from agent.application.site.person import Person, is_owner
from agent.errors import BadRequest
from agent.evals.model_card.card_file import read_card, write_card
from agent.settings import owner_secrets
from agent.store.model_cards import CardScore
from agent.text.concealment import masked


class CardOffice:
    """Made by ``card_office`` alone. Every method raises ``StoreFailed``."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def all(self) -> list[CardScore]:
        return self._services.model_cards.site()

    def give(self, shown: ShownCard) -> None:
        """Show a card to everybody, in place of the one of its model. Raises ``BadRequest`` where it cannot be."""
        (card,) = new_cards(read_card(write_card(shown.file.figures_alone).encode()))
        if masked(card.model, owner_secrets(self._services.settings)) != card.model:
            raise BadRequest.because("The name of this model looks like a key: everybody would read it.")
        self._services.model_cards.give(card)

    def take_back(self, model: str) -> None:
        self._services.model_cards.take_back(model)


def card_office(services: Services, person: Person | None) -> CardOffice | None:
    """The office, for an owner of the site; ``None`` for everybody else."""
    return CardOffice(services) if is_owner(person, services.settings.owners) else None
