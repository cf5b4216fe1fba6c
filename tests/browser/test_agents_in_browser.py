"""An agent as a tool in a real Chromium: its steps inside the step that called it, as they happen and afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event as Flag
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.accessibility import violations
from tests.support.browser import SECONDS, visit
from tests.support.servers.app_server import AppServer
from tests.support.servers.model_server import Call, ModelServer, Reply

pytestmark = pytest.mark.browser
BUYER = '''from agent import agent_tool, tool


@tool
def price(item: str) -> str:
    """Gives a price."""
    return f"{item}: 4.20 EUR"


buyer = agent_tool("buyer", "Finds what things cost.", [price])
'''
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "color_scheme": "dark"}


@dataclass(frozen=True)
class Site:
    app: AppServer
    go_on: Flag


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("agents")
    (folder / "own").mkdir()
    (folder / "own" / "buyer.py").write_text(BUYER, encoding="utf-8")
    go_on = Flag()

    def reply(body: dict[str, Any]) -> Reply:
        told = {each["function"]["name"] for each in body.get("tools", ())}
        seen = [message["content"] for message in body["messages"] if message["role"] == "tool"]
        if "buyer" in told:
            return Reply("It costs 4.20 EUR.") if seen else Reply(calls=(Call("buyer", '{"task": "A bolt?"}'),))
        if not seen:
            return Reply(calls=(Call("price", '{"item": "bolt"}'),))
        go_on.wait(SECONDS / 1000)
        return Reply("A bolt costs 4.20 EUR.")

    with (
        ModelServer(reply) as model,
        AppServer(
            folder,
            GLASSBOX_BASE_URL=model.endpoint,
            GLASSBOX_MODEL="m",
            GLASSBOX_WIRE="native",
            GLASSBOX_TOOLS_FOLDER=str(folder / "own"),
        ) as app,
    ):
        yield Site(app, go_on)


def test_the_steps_of_an_agent_are_drawn_within_its_step(browser: Browser, site: Site) -> None:
    site.go_on.clear()
    with visit(browser, site.app.url) as chat:
        main = chat.page.get_by_role("main")
        chat.box.fill("How much is a bolt?")
        chat.box.press("Enter")
        # While the agent is at work: what it has done so far, open inside the step.
        expect(main).to_contain_text("1 step of buyer", timeout=SECONDS)
        expect(main.get_by_text("Used price: bolt").first).to_be_visible(timeout=SECONDS)
        site.go_on.set()
        chat.expect_text("It costs 4.20 EUR.")
        chat.click(main.get_by_text(re.compile("Used buyer")).first)
        chat.idle()
        within = main.get_by_text("1 step of buyer")
        expect(within).to_be_visible(timeout=SECONDS)
        within.click()
        inner = main.locator("summary", has_text="Used price").first
        expect(inner).to_have_css("content", '""', pseudo="after")  # its chevron
        chat.click(inner)
        expect(main).to_contain_text("bolt: 4.20 EUR", timeout=SECONDS)
        chat.click(main.get_by_role("button", name="See the exact call").first)
        expect(chat.dialog).to_contain_text("A bolt?", timeout=SECONDS)
        expect(chat.dialog).not_to_contain_text("How much is a bolt?")
        assert violations(chat.page) == []


def test_stop_stops_an_agent_at_work(browser: Browser, site: Site) -> None:
    site.go_on.clear()
    with visit(browser, site.app.url, **PHONE) as chat:
        main = chat.page.get_by_role("main")
        chat.box.fill("How much is a bolt?")
        chat.box.press("Enter")
        expect(main).to_contain_text("1 step of buyer", timeout=SECONDS)
        stop = chat.page.get_by_role("button", name="Stop").first
        expect(stop.locator("kbd")).to_be_hidden()  # no key is there to press
        stop.click()
        expect(main).to_contain_text("Stopped.", timeout=SECONDS)
        site.go_on.set()
        chat.settle()
        wide = chat.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0
