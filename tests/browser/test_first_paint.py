"""The first screen does not move while it is drawn, keys work where nobody writes, and what is copied is text alone."""

from __future__ import annotations

import urllib.request
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import SECONDS, tab, visit, watched
from tests.support.servers.app_server import AppServer

pytestmark = pytest.mark.browser
# What the layout has shifted, as browsers score it (https://web.dev/articles/cls); "good" is up to 0.1.
SHIFTS = """window.shifted = 0; new PerformanceObserver(list => list.getEntries().forEach(one => {
  if (!one.hadRecentInput) window.shifted += one.value;
})).observe({type: "layout-shift", buffered: true})"""
PHONE = {"viewport": {"width": 390, "height": 844}}


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_the_first_screen_stays_where_it_is(browser: Browser, demo: AppServer, options: dict[str, Any]) -> None:
    with tab(browser, SHIFTS, **options) as page:
        watched(page).goto(demo.url)
        expect(page.get_by_role("button", name="Connect a database")).to_be_visible(timeout=SECONDS)
        page.wait_for_function("window.glassboxRested() >= 400", polling=20)
        assert page.evaluate("shifted") < 0.1
        cards = page.locator(".st-key-examples button")
        assert len({round(box["height"]) for box in map(lambda card: card.bounding_box(), cards.all()) if box}) == 1


def test_a_page_comes_with_its_style_and_is_never_taken_from_before(demo: AppServer) -> None:
    request = urllib.request.Request(demo.url, headers={"Accept": "text/html", "If-None-Match": '"old"'})
    with urllib.request.urlopen(request) as answer:
        body = answer.read().decode()
        assert answer.status == 200 and answer.headers["ETag"] is None
        assert int(answer.headers["Content-Length"]) == len(body.encode())
    assert body.index("st-key-welcome") < body.index("</body>") and "app/static/fonts/" in body
    head = urllib.request.Request(demo.url, method="HEAD")
    with urllib.request.urlopen(head) as answer:
        assert answer.status == 200


def test_keys_lead_to_the_box_the_search_the_last_step_and_a_new_chat(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url) as chat:
        keys = chat.page.keyboard
        chat.answer_to("What is 15% of 80?", "12")
        chat.page.evaluate("document.activeElement.blur()")
        keys.press("o")
        expect(chat.steps.first.locator("details")).to_have_attribute("open", "")
        expect(chat.steps.first.locator("summary")).to_be_focused()
        keys.press("/")
        expect(chat.box).to_be_focused()
        keys.type("o/?")
        expect(chat.box).to_have_value("o/?")
        keys.press("Control+k")
        expect(chat.page.get_by_role("textbox", name="Search chats")).to_be_focused()
        chat.page.evaluate("document.activeElement.blur()")
        keys.press("?")
        expect(chat.dialog).to_contain_text("Keyboard shortcuts")
        chat.idle()
        keys.press("Escape")
        chat.closed()
        keys.press("Control+Shift+O")
        chat.expect_text("What shall we find out?")


def test_what_is_copied_is_the_text_alone(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url, permissions=["clipboard-read", "clipboard-write"]) as chat:
        chat.answer_to("What is 15% of 80?", "12")
        said = chat.answers.nth(1).get_by_text("is 12").first
        assert said.locator("a").count()
        said.evaluate("place => getSelection().selectAllChildren(place)")
        chat.page.keyboard.press("Control+c")
        assert chat.clipboard == "15% of 80 is 12."
