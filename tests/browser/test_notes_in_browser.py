"""Notes in a real Chromium: taken from an answer or a selection, told elsewhere, listed, changed, switched off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.support.accessibility import violations
from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import WITHOUT_PROGRAMS, AppServer
from tests.support.servers.model_server import ModelServer
from tests.support.stories import final, this_turn

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
HEADING = "asked you to remember these notes"
SELECT = """message => {
  const walker = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const start = walker.currentNode.textContent.indexOf('Hobart');
    if (start < 0) continue;
    window.getSelection().setBaseAndExtent(walker.currentNode, start, walker.currentNode, start + 6);
    return;
  }
}"""


def play(body: dict[str, Any]) -> str:
    """Says where the person lives, as its notes or the question say it."""
    told = str(body["messages"])
    if "Where do I live" in str(this_turn(body)):
        return final("You live in Hobart." if "I live in Hobart" in told else "I do not know.")
    return final("You told me that you live in Hobart, by the sea.")


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(play) as server:
        yield server


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, model: ModelServer) -> Iterator[AppServer]:
    owned = {"GLASSBOX_BASE_URL": model.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_WIRE": "react"}
    with AppServer(tmp_path_factory.mktemp("notes"), **owned, **WITHOUT_PROGRAMS) as running:
        yield running


def open_notes(chat: Chat) -> None:
    chat.open_settings()
    chat.dialog.get_by_role("button", name="Notes", exact=True).click()
    expect(chat.dialog.get_by_role("textbox", name="Another note")).to_be_visible(timeout=SECONDS)
    chat.idle()


def close(chat: Chat) -> None:
    chat.page.keyboard.press("Escape")
    chat.closed()


def kept(chat: Chat) -> Locator:
    return chat.dialog.get_by_role("textbox", name="Note", exact=True)


def test_what_is_remembered_is_told_in_another_chat(browser: Browser, app: AppServer, model: ModelServer) -> None:
    with visit(browser, app.url) as chat:
        chat.answer_to("What did I say?", "You told me that you live in Hobart, by the sea.")
        chat.more("Remember")
        field = chat.dialog.get_by_role("textbox", name="Note", exact=True)
        expect(field).to_have_value("You told me that you live in Hobart, by the sea.", timeout=SECONDS)
        field.fill("I live in Hobart.")
        field.press("Tab")
        chat.click(chat.dialog.get_by_role("button", name="Remember", exact=True))
        chat.click(chat.dialog.get_by_role("button", name="Done"))
        chat.closed()
        chat.new_chat()
        chat.answer_to("Where do I live?", "You live in Hobart.")
        assert HEADING in model.requests[-1]["messages"][0]["content"]
        chat.page.get_by_role("link", name="Context", exact=True).click()
        expect(chat.page.locator(".glassbox-parts")).to_contain_text("Notes", timeout=SECONDS)
        chat.click(chat.page.get_by_role("link", name="To its chat"))
        expect(chat.box).to_be_visible(timeout=SECONDS)
        # Off with one switch, and the model is told so.
        open_notes(chat)
        assert violations(chat.page) == []
        expect(chat.dialog.get_by_role("button", name="From: What did I say?")).to_be_visible(timeout=SECONDS)
        chat.dialog.get_by_text("Tell the model my notes").click()
        chat.idle()
        close(chat)
        chat.answer_to("And now? Where do I live?", "You live in Hobart.")
        assert "There are no notes any more." in model.requests[-1]["messages"][-1]["content"]
        chat.new_chat()
        chat.answer_to("Where do I live?", "I do not know.")
        # Changed, and deleted, there.
        open_notes(chat)
        kept(chat).fill("I live in Oslo.")
        kept(chat).press("Tab")
        chat.idle()
        close(chat)
        open_notes(chat)
        expect(kept(chat)).to_have_value("I live in Oslo.")
        chat.dialog.get_by_role("button", name="Delete").click()
        expect(kept(chat)).to_have_count(0, timeout=SECONDS)
        expect(chat.dialog).to_contain_text("Nothing is remembered yet.")


def test_a_selected_text_becomes_a_note(browser: Browser, app: AppServer) -> None:
    with visit(browser, app.url) as chat:
        chat.answer_to("What did I say?", "You told me that you live in Hobart, by the sea.")
        offer = chat.page.locator(".glassbox-remember")
        chat.answers.last.evaluate(SELECT)
        expect(offer).to_have_text("Remember this", timeout=SECONDS)
        chat.page.keyboard.press("Escape")
        expect(offer).to_have_count(0)
        chat.answers.last.evaluate(SELECT.replace("+ 6", "+ 5"))
        offer.click()
        expect(kept(chat)).to_have_value("Hobar", timeout=SECONDS)
        close(chat)
        # What is selected elsewhere is nothing to remember.
        chat.page.get_by_test_id("stSidebar").evaluate("side => window.getSelection().selectAllChildren(side)")
        chat.idle()
        expect(offer).to_have_count(0)


def test_on_a_phone(browser: Browser, app: AppServer) -> None:
    with visit(browser, app.url, **PHONE) as chat:
        chat.answer_to("What did I say?", "You told me that you live in Hobart, by the sea.")
        chat.answers.last.evaluate(SELECT)
        chat.page.locator(".glassbox-remember").click()
        chat.click(chat.dialog.get_by_role("button", name="Remember", exact=True))
        chat.click(chat.dialog.get_by_role("button", name="Notes", exact=True))
        expect(chat.dialog.get_by_role("textbox", name="Note", exact=True)).to_have_value("Hobart", timeout=SECONDS)
        assert chat.page.evaluate("document.documentElement.scrollWidth") <= 390
