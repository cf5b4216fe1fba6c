"""Presets for all, over Streamlit's own protocol: an owner keeps them, visitors begin with them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from agent.store.runs import Store
from agent.store.site_presets import SitePresets
from tests.support.page_socket import PageSocket, pressed, set_up_signing_in, signed_in
from tests.support.servers.app_server import AppServer

pytestmark = pytest.mark.system
OWNER = {"sub": "1", "email": "olga@example.com", "email_verified": True}
NOT_OWNERS: dict[str, dict[str, object] | None] = {
    "a visitor": None,
    "who wrote the owner's address": {"sub": "3", "email": "olga@example.com"},
}
NAME = "Sums <img src=x onerror=alert(1)> **bold**"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    folder = tmp_path_factory.mktemp("presets")
    app = AppServer(folder, GLASSBOX_OWNERS="olga@example.com")
    set_up_signing_in(folder, app.port)
    with app:
        yield app


def page_of(app: AppServer, claims: dict[str, object] | None, page: str = "") -> PageSocket:
    return PageSocket(app.port, signed_in(app.port, **claims) if claims else {}, page=page)


@pytest.fixture(scope="module")
def kept(app: AppServer) -> Iterator[SitePresets]:
    """With one preset, which the owner has kept on the page Site."""
    with page_of(app, OWNER, "site") as page:
        page.draw()
        assert "There is none yet." in page.drawn
        page.draw(
            WidgetState(id=page.widgets["preset-name"], string_value=NAME),
            pressed(page.widgets["preset-kept"]),
        )
        page.draw()
        assert "Change to what I have chosen now" in page.drawn
    store = Store(app.database)
    yield SitePresets(store)
    store.close()


def test_a_visitor_begins_with_it_by_one_click(app: AppServer, kept: SitePresets) -> None:
    ((id, name),) = kept.named()
    assert name == NAME
    with page_of(app, None) as page:
        page.draw()
        assert "Begin with a preset:" in page.drawn
        assert "<img" not in page.drawn.replace("\\<img", "") and "**bold**" not in page.drawn
        page.draw(pressed(page.widgets["preferences"]))
        page.draw(pressed(page.widgets[f"settings-preset-{id}"]))
        assert re.search("Sums.* · Demo", page.drawn), "the menu of models says so"
        page.draw(pressed(page.widgets["preset-own"]))
        assert not re.search("Sums.* · Demo", page.drawn) and "Back to my own choice" not in page.drawn
        page.draw(pressed(page.widgets[f"preset-{id}"]))
        assert "Back to my own choice" in page.drawn
        page.draw(page.question("What is 2+2?"))
        page.draw()
        assert "Began with the preset “Sums" in page.drawn
    with page_of(app, None) as page:
        page.draw()
        page.draw(page.question("What is 2+2?"))
        page.draw()
        assert "Began with" not in page.drawn, "who picked none has none"


@pytest.mark.parametrize("who", NOT_OWNERS)
def test_nobody_else_keeps_changes_or_removes_one(app: AppServer, kept: SitePresets, who: str) -> None:
    ((id, _),) = kept.named()
    with page_of(app, OWNER, "site") as page:
        page.draw()
        clicks = [page.widgets[f"preset-{act}-{id}"] for act in ("remove", "change")]
        name, keep = page.widgets["preset-name"], page.widgets["preset-kept"]
    with page_of(app, NOT_OWNERS[who], "site") as page:
        page.draw()
        assert not any(widget.startswith("preset") for widget in page.widgets)
        for click in clicks:
            page.draw(pressed(click))
        page.draw(WidgetState(id=name, string_value="Mine"), pressed(keep))
        assert "Presets for all" not in page.drawn
    assert [found for found, _ in kept.named()] == [id]


def test_what_was_changed_meanwhile_is_not_picked(app: AppServer, kept: SitePresets) -> None:
    ((id, _),) = kept.named()
    with page_of(app, None) as page:
        page.draw()
        click = pressed(page.widgets[f"preset-{id}"])
        with page_of(app, OWNER, "site") as site:
            site.draw()
            site.draw(pressed(site.widgets[f"preset-remove-{id}"]))
            assert "There is none yet." in site.drawn
        page.draw(click)
        assert "Begin with a preset" not in page.drawn
        page.draw(page.question("What is 2+2?"))
        page.draw()
        assert "Began with" not in page.drawn
