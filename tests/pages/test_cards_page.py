"""Cards of models on the page Tests: imported as any file is, undone, taken out; and given to all by the owner."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from agent.application.evaluation.card_shelf import take_in
from agent.application.services import Services
from agent.settings import VERSION
from agent.store.model_cards import ModelCards, NewCard
from agent.store.runs import Store
from tests.support.app_services import services_with, visitor_of
from tests.support.card_files import file_of
from tests.support.page_socket import PageSocket, pressed, set_up_signing_in, signed_in
from tests.support.servers.app_server import AppServer

pytestmark = [
    pytest.mark.system,
    # Drawn without a server, Streamlit warns of what is only there with one.
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
COOKIE = "a" * 32
VISITOR = visitor_of(COOKIE)
SECONDS = 60.0
OWNER = {"sub": "1", "email": "olga@example.com", "email_verified": True}
NOT_OWNERS: dict[str, dict[str, object] | None] = {
    "a visitor": None,
    "who wrote the owner's address": {"sub": "3", "email": "olga@example.com"},
}
NAME = "m <img src=x onerror=alert(1)> **bold**"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with services_with({"GLASSBOX_DATA": str(tmp_path / "data")}) as opened:
        yield opened


def page() -> AppTest:
    app = AppTest.from_file("../../app.py", default_timeout=SECONDS)
    app.session_state["cookie"] = COOKIE
    app.run()
    app.switch_page("pages/tests.py").run()
    assert not app.exception, app.exception
    return app


def texts(app: AppTest) -> str:
    shown = [*app.markdown, *app.caption, *app.subheader, *app.info, *app.success, *app.error]
    return "\n".join([*(str(each.value) for each in shown), *(each.label for each in app.expander)])


def imported(app: AppTest, data: bytes) -> AppTest:
    app.file_uploader(key="tests-file-0").upload("card.jsonl", data, "application/jsonl").run()
    next(button for button in app.button if button.label == "Import it").click().run()
    assert not app.exception, app.exception
    return app


def test_a_card_is_imported_opened_and_undone(services: Services) -> None:
    take_in(services, VISITOR, file_of(5, NAME))
    app = imported(page(), file_of(30, NAME))
    said = texts(app)
    assert "30 of 40 right (from a file)" in said and "1 card is here" in said
    assert "<img" not in said.replace("\\<img", "") and "**bold**" not in said
    app.session_state[f"card-row-0-{NAME}"] = True
    app.run()
    said = texts(app)
    assert "| **All** | **30 of 40** (60%–\u206086%) |" in said and f"Glassbox {VERSION}" in said
    assert "10 wrong answers" in said
    app.button(key="card-undo-list-0").click().run()
    assert "5 of 40 right (from a file)" in texts(app)
    assert [each.passed for each in services.model_cards.of(VISITOR)] == [5]


def test_a_file_that_is_no_card_is_refused_on_the_page(services: Services) -> None:
    app = imported(page(), file_of(30).replace(b'"version":1', b'"version":9', 1))
    said = texts(app).replace("\\", "")
    assert "This file was not imported. A newer version of Glassbox may have written it." in said
    assert services.model_cards.of(VISITOR) == [] and services.evaluations.sets(VISITOR) == []


def test_the_owners_card_says_when_and_by_which_version(services: Services) -> None:
    services.model_cards.give(NewCard("demo", 30, 40, 1_764_000_000.0, VERSION, file_of(30, "demo").decode()))
    app = page()
    told = rf"30 of 40 right \(the owner’s card · \d+ Nov \d\d:\d\d · Glassbox {re.escape(VERSION)}\)"
    assert re.search(told, texts(app))
    app.session_state["card-row-0-demo"] = True
    app.run()
    assert "From the owner of this site" in texts(app)
    assert not [
        button.key for button in app.button if str(button.key).startswith(("card-undo", "card-give", "card-back"))
    ]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    folder = tmp_path_factory.mktemp("cards")
    app = AppServer(folder, GLASSBOX_OWNERS="olga@example.com", GLASSBOX_BASE_URL="http://127.0.0.1:9/v1")
    set_up_signing_in(folder, app.port)
    with app:
        yield app


@pytest.fixture
def kept(app: AppServer) -> Iterator[ModelCards]:
    """With one card that the owner has given to all."""
    store = Store(app.database)
    cards = ModelCards(store)
    cards.give(NewCard("demo", 30, 40, 1_764_000_000.0, VERSION, file_of(30, "demo").decode()))
    yield cards
    cards.take_back("demo")
    store.close()


def page_of(app: AppServer, claims: dict[str, object] | None, page: str = "") -> PageSocket:
    return PageSocket(app.port, signed_in(app.port, **claims) if claims else {}, page=page)


def test_the_owner_takes_back_what_everybody_sees(app: AppServer, kept: ModelCards) -> None:
    with page_of(app, None, "tests") as tests, page_of(app, OWNER, "site") as site:
        tests.draw()
        assert "Cards of models" in tests.drawn
        site.draw()
        assert "Cards of models for all" in site.drawn
        site.draw(pressed(site.widgets["card-back-site-0"]))
        assert kept.site() == []
        tests.draw()
        assert "Cards of models" not in tests.drawn


@pytest.mark.parametrize("who", NOT_OWNERS)
def test_nobody_else_gives_or_takes_back(app: AppServer, kept: ModelCards, who: str) -> None:
    with page_of(app, OWNER, "site") as site:
        site.draw()
        click = pressed(site.widgets["card-back-site-0"])
    with page_of(app, NOT_OWNERS[who], "site") as site:
        site.draw()
        site.draw(click)
        assert "Cards of models for all" not in site.drawn
        assert not any(widget.startswith("card-") for widget in site.widgets)
    with page_of(app, NOT_OWNERS[who], "tests") as tests:
        tests.draw()
        assert not any(widget.startswith(("card-give", "card-back")) for widget in tests.widgets)
    assert [each.model for each in kept.site()] == ["demo"]
