"""The page Site in a real Chromium: an owner comes from the sidebar, looks on a phone, and stops a question."""

from __future__ import annotations

from pathlib import Path
from threading import Event as Flag

import pytest
from playwright.sync_api import Browser, expect

from agent.events import Asked, Failed
from agent.store.runs import Store
from agent.store.site_presets import SampleFile, SitePresets
from tests.support.accessibility import violations
from tests.support.browser import visit
from tests.support.page_socket import PageSocket, set_up_signing_in, signed_in
from tests.support.servers.app_server import AppServer
from tests.support.servers.model_server import ModelServer, Reply

pytestmark = pytest.mark.browser
NAME = "bernadette.van-der-meer@research.example.com"


def test_an_owner_looks_and_stops_a_question(browser: Browser, tmp_path: Path) -> None:
    gate = Flag()
    with ModelServer(lambda _: Reply("Elephants march\nThe end.", gate=gate)) as model:
        settings = {"GLASSBOX_BASE_URL": model.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_WINDOW": "8000"}
        app = AppServer(tmp_path, **settings, GLASSBOX_OWNERS="olga@example.com", GLASSBOX_DAY_MESSAGES="40")
        set_up_signing_in(tmp_path, app.port)
        olga = signed_in(app.port, sub="1", email="olga@example.com", email_verified=True)
        asker = PageSocket(app.port, signed_in(app.port, sub="2", email=NAME))
        with app, asker, visit(browser, app.url) as chat:
            store = Store(app.database)
            run = store.add_run(store.add_conversation("v" * 32, "q"))
            store.append(run, [Asked("q", 1.0), Failed("error", "It failed.", reference="ab12cd34")])
            samples = [SampleFile("sales.csv", b"a,b\n1,2\n")]
            SitePresets(store).keep([("Sales analyst of the north", '{"endpoint": "demo"}', samples)])
            store.close()
            asker.draw()
            asker.send(asker.question("What do they do?"))
            asker.shows("Elephants march")
            page = chat.page
            page.context.add_cookies([{"name": name, "value": value, "url": app.url} for name, value in olga.items()])
            page.reload()
            chat.click(page.get_by_role("link", name="Site", exact=True))
            expect(page.get_by_role("heading", name="Who used how much today")).to_be_visible()
            expect(page.get_by_role("cell", name="ab12cd34")).to_be_visible()
            expect(page.get_by_text("Sales analyst of the north")).to_be_visible()
            chat.idle()
            assert violations(page) == []
            page.set_viewport_size({"width": 390, "height": 844})
            # Else a column is cut off. The page is laid out anew some frames after its window has another size.
            columns = "[...document.querySelectorAll('.st-key-site-visitors th')]"
            page.wait_for_function(f"{columns}.at(-1)?.getBoundingClientRect().right <= innerWidth")
            chat.click(page.get_by_role("button", name="Stop"))
            expect(page.get_by_text("Nothing is at work, and nothing waits.")).to_be_visible()
        gate.set()
