"""The page Site, over Streamlit's own protocol: what an owner sees and does, and that nobody else does."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event as Flag

import pytest

from agent.application.site.overview import short_id
from agent.events import Asked, Failed
from agent.store.runs import Store
from tests.support.page_socket import PageSocket, pressed, set_up_signing_in, signed_in
from tests.support.servers.app_server import AppServer
from tests.support.servers.model_server import ModelServer, Reply

pytestmark = pytest.mark.system
OWNER = {"sub": "1", "email": "Olga@example.com", "email_verified": True}
NOT_OWNERS = {
    "a visitor": None,
    "somebody else": {"sub": "2", "email": "ann@example.com", "email_verified": True},
    "who wrote the owner's address": {"sub": "3", "email": "olga@example.com"},
    "who has the owner's name": {"sub": "4", "name": "olga@example.com", "email_verified": True},
}
FOR_OWNERS = "This page is for the owner of this site"
WORDS = "Elm Street"  # what nobody but who wrote it reads


class Site:
    def __init__(self, app: AppServer, port: int, store: Store, gate: Flag) -> None:
        self.app, self.port, self.store, self.gate = app, port, store, gate

    def page(self, claims: dict[str, object] | None, page: str = "site") -> PageSocket:
        return PageSocket(self.port, signed_in(self.port, **claims) if claims else {}, page=page)

    def sees(self, claims: dict[str, object] | None) -> PageSocket:
        with self.page(claims) as page:
            page.draw()
        return page


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder, gate = tmp_path_factory.mktemp("site"), Flag()
    with ModelServer(lambda _: Reply(f"{WORDS} has elephants\nThe end.", gate=gate)) as model:
        settings = {
            "GLASSBOX_BASE_URL": model.endpoint,
            "GLASSBOX_MODEL": "m",
            "GLASSBOX_WINDOW": "8000",
            "GLASSBOX_OWNERS": "nobody@example.com, olga@example.com",
            "GLASSBOX_DAY_MESSAGES": "40",
        }
        app = AppServer(folder, **settings)
        set_up_signing_in(folder, app.port)
        with app:
            store = Store(app.database)
            yield Site(app, app.port, store, gate)
            gate.set()
            store.close()


@pytest.fixture(scope="module")
def asked(site: Site) -> Iterator[str]:
    """A run at work of somebody who has signed in, which its page follows."""
    with site.page(NOT_OWNERS["somebody else"], page="") as page:
        page.draw()
        page.send(page.question(f"Who lives in {WORDS}?"))
        page.shows("elephants")
        (run,) = site.store.runs(page.query.removeprefix("c="))
        yield run.id


def test_the_owner_sees_who_uses_how_much_and_nothing_that_they_wrote(site: Site, asked: str) -> None:
    failed = site.store.add_run(site.store.add_conversation("v" * 32, f"About {WORDS}"))
    site.store.append(failed, [Asked(WORDS, 1.0), Failed("error", f"{WORDS} failed.", reference="ab12cd34")])
    seen = site.sees(OWNER)
    for words in ("ann", f"Visitor {short_id('v' * 32)}", "At work", "messages", "ab12cd34", "Glassbox 0"):
        assert words in seen.drawn, words
    assert WORDS not in seen.drawn
    assert "v" * 8 not in seen.drawn
    assert f"site-stop-{asked}" in seen.widgets
    assert "Site\n" in seen.drawn.split("Handbook\n")[1]  # the link in the sidebar


@pytest.mark.parametrize("who", NOT_OWNERS)
def test_nobody_else_sees_it_or_stops_anything_by_its_address(site: Site, asked: str, who: str) -> None:
    stop = site.sees(OWNER).widgets[f"site-stop-{asked}"]
    with site.page(NOT_OWNERS[who]) as page:
        page.draw()
        assert FOR_OWNERS in page.drawn
        assert "Who used how much today" not in page.drawn
        assert not any(name.startswith("site-") for name in page.widgets)
        page.draw(pressed(stop))
        assert FOR_OWNERS in page.drawn
    row = site.store.run(asked)
    assert row and not row.ended
    with site.page(NOT_OWNERS[who], page="") as page:
        page.draw()
        assert "Handbook\n" in page.drawn and "Site\n" not in page.drawn


def test_the_owner_stops_a_run(site: Site, asked: str) -> None:
    with site.page(OWNER) as page:
        page.draw()
        page.send(pressed(page.widgets[f"site-stop-{asked}"]))
        page.shows("Nothing is at work, and nothing waits.")
    last = site.store.events(asked)[-1]
    assert isinstance(last, Failed) and last.reason == "cancelled"
