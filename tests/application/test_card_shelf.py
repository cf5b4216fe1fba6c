"""Cards of models from files and from the owner: who sees which, undone, given to all, taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent.application.evaluation.card_runs import card_run
from agent.application.evaluation.card_shelf import (
    ShownCard,
    card_of_model,
    card_scores,
    take_away,
    take_in,
)
from agent.application.services import Services, open_services
from agent.application.setup import Alternative, Choice
from agent.application.site.person import read_person
from agent.application.teams.card_office import CardOffice, card_office
from agent.errors import BadRequest
from agent.evals.model_card.card_questions import edition
from agent.store.model_cards import MOST_CARDS, ModelCards, NewCard
from agent.store.runs import Store
from tests.support.app_services import services_with
from tests.support.card_files import asked, file_of
from tests.support.kept_results import keep_results

ANNA, BERT = "a" * 32, "b" * 32
OWNER = read_person({"iss": "i", "sub": "1", "email": "olga@example.com", "email_verified": True})
HERE = "http://127.0.0.1:9/v1"


@pytest.fixture
def services(data_folder: Path) -> Iterator[Services]:
    with services_with({"GLASSBOX_DATA": str(data_folder), "GLASSBOX_OWNERS": "olga@example.com"}) as opened:
        yield opened


def passed(services: Services, visitor: str, model: str = "m", endpoint: str = HERE) -> tuple[str, int] | None:
    """Where the card that is shown comes from, and its right answers; the menus say the same."""
    shown = card_of_model(services, visitor, endpoint, model)
    score = card_scores(services, visitor).of(Alternative(endpoint, model))
    if shown is None:
        assert score is None
        return None
    assert score and (score.origin, score.passed) == (shown.origin, shown.card.columns[0].passed)
    return shown.origin, score.passed


def test_a_card_is_taken_in_shown_undone_and_taken_out_again(services: Services) -> None:
    first, second = file_of(7), file_of(30)
    assert take_in(services, ANNA, first) == ["m"] and passed(services, ANNA) == ("imported", 7)
    assert passed(services, BERT) is None and passed(services, "") is None
    take_in(services, ANNA, second)
    assert passed(services, ANNA) == ("imported", 30)
    shown = card_of_model(services, ANNA, HERE, "m")
    assert shown and shown.text.encode() == second, "what is taken out is what was taken in"
    with pytest.raises(BadRequest, match="gone"):
        take_away(services, BERT, shown.id)
    take_away(services, ANNA, shown.id)
    assert passed(services, ANNA) == ("imported", 7), "the one before it is shown again"


def test_the_latest_of_measured_and_imported_is_shown(services: Services) -> None:
    take_in(services, ANNA, file_of(7))
    right = [place < 20 for place in range(len(asked()))]
    choice = Choice(endpoint=HERE, model="m")
    keep_results(services.store, ANNA, edition(), asked(), {"react": (choice, right, 0.001)}, "card")
    assert passed(services, ANNA) == ("measured", 20)
    assert passed(services, ANNA, endpoint="http://127.0.0.1:8/v1") == ("imported", 7), "another server has not been"
    take_in(services, ANNA, file_of(9))
    shown = card_of_model(services, ANNA, HERE, "m")
    assert shown and passed(services, ANNA) == ("imported", 9)
    take_away(services, ANNA, shown.id)
    mine = card_of_model(services, ANNA, HERE, "m")
    assert mine and mine.origin == "measured"
    take_in(services, BERT, mine.text.encode())
    theirs = card_of_model(services, BERT, "https://elsewhere.example.org/v1", "m")
    assert theirs and theirs.text == mine.text, "byte by byte"
    assert theirs.card.columns == mine.card.columns and not any(miss.run for miss in theirs.card.misses)
    known = card_run(services, ANNA, HERE, "m")
    assert known and not any(row.test in mine.text for row in known.rows), "nothing in it names things of this store"


def test_a_file_that_is_refused_changes_nothing(services: Services) -> None:
    with pytest.raises(BadRequest):
        take_in(services, ANNA, file_of(7) + b"{}\n")
    assert services.model_cards.of(ANNA) == []


def test_a_visitor_has_so_many_cards(open_store: Callable[..., Store], database_url: str) -> None:
    kept = ModelCards(open_store(database_url))
    cards = [NewCard(f"m{n}", 1, 2, 1.0, "0.1.0", "{}") for n in range(MOST_CARDS)]
    kept.add(ANNA, cards)
    assert [each.model for each in kept.of(ANNA)] == [card.model for card in reversed(cards)]
    with pytest.raises(BadRequest, match="no more fit"):
        kept.add(ANNA, cards[:1])
    kept.add(BERT, cards[:1])
    (his,) = kept.of(BERT)
    assert kept.body(BERT, his.id) == "{}" and kept.body(ANNA, his.id) == "" and kept.body("", his.id) == ""
    kept.remove(ANNA, his.id)
    assert kept.of(BERT) == [his]
    kept.give(cards[0])
    kept.give(cards[0]._replace(passed=2))
    ((_, model, right, *_),) = kept.site()
    assert (model, right) == ("m0", 2)
    kept.take_back("m0")
    assert kept.site() == [] and kept.site_body("m0") == ""


def office_of(services: Services) -> CardOffice:
    office = card_office(services, OWNER)
    assert office
    return office


def shown_to(services: Services, visitor: str, model: str = "m") -> ShownCard:
    shown = card_of_model(services, visitor, HERE, model)
    assert shown
    return shown


def test_the_owner_gives_a_card_to_all_and_takes_it_back(services: Services, tmp_path: Path) -> None:
    take_in(services, ANNA, file_of(30))
    office = office_of(services)
    office.give(shown_to(services, ANNA))
    assert passed(services, BERT) == ("site", 30)
    score = card_scores(services, BERT).of(Alternative(HERE, "m"))
    assert score and (score.measured, score.app) == (1_764_000_000.0, shown_to(services, BERT).file.app)
    assert score.app, "it says by which version"
    take_in(services, BERT, file_of(3))
    assert passed(services, BERT) == ("imported", 3), "one's own comes first"
    take_away(services, BERT, shown_to(services, BERT).id)
    with pytest.raises(BadRequest, match="gone"):
        take_away(services, BERT, shown_to(services, BERT).id)
    assert passed(services, BERT) == ("site", 30), "no visitor takes it away from all"
    other = open_services({"GLASSBOX_DATA": str(tmp_path / "other"), "GLASSBOX_OWNERS": "olga@example.com"}, {})
    assert passed(other, BERT) is None and card_scores(other, BERT).entries == [], "another site has none of it"
    other.tables.sandbox.close()
    other.runs.close()
    other.store.close()
    office.take_back("m")
    assert passed(services, BERT) is None and passed(services, ANNA) == ("imported", 30)


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "olga@example.com"},
        {"email": "ann@example.com", "email_verified": True},
        {"name": "olga@example.com", "email_verified": True},
    ],
)
def test_nobody_but_an_owner_has_an_office(services: Services, claims: dict[str, object]) -> None:
    assert card_office(services, read_person(claims)) is None and card_office(services, None) is None


def test_everybody_sees_figures_alone(services: Services) -> None:
    right = [place < 20 for place in range(len(asked()))]
    keep_results(
        services.store, ANNA, edition(), asked(), {"react": (Choice(endpoint=HERE, model="m"), right, 0.001)}, "card"
    )
    office_of(services).give(shown_to(services, ANNA))
    shown = shown_to(services, BERT)
    assert len(shown.card.misses) == 20 and not any(miss.why or miss.run for miss in shown.card.misses)
    assert "does not say so" not in shown.text and HERE not in shown.text


def test_a_name_that_looks_like_a_key_is_given_to_nobody(services: Services) -> None:
    take_in(services, ANNA, file_of(3, "sk-abcdefghijklmnopqrstuvwxyz0123456789"))
    with pytest.raises(BadRequest, match="looks like a key"):
        office_of(services).give(shown_to(services, ANNA, "sk-abcdefghijklmnopqrstuvwxyz0123456789"))
    assert services.model_cards.site() == []
