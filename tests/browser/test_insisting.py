"""Insisting, the gauge of a run at work, and prices, in a real Chromium over a loopback model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import WITHOUT_PROGRAMS, AppServer
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.stories import final, react

pytestmark = pytest.mark.browser

QUESTION = "How much is twice 2371?"
WRONG, RIGHT = "Twice 2371 is 4752.", "Twice 2371 is 4742."
CALLED = "Answered, and was asked to check 1 claim"


def model(body: dict[str, Any]) -> Reply | str:
    """Answers wrong after the calculator, right when asked to check; the question "Wait" is never answered."""
    last = str(body["messages"][-1]["content"])
    if last.startswith("Wait"):
        return Reply(final("Never."), wait=60)
    if last.startswith("Before this answer is shown"):
        return final(RIGHT)
    return final(WRONG) if last.startswith("Observation") else react("I double it.", "calculator", "2*2371")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    environment = {"GLASSBOX_MODEL": "m", "GLASSBOX_WIRE": "react", "GLASSBOX_SECONDS": "120", **WITHOUT_PROGRAMS}
    with (
        ModelServer(model) as server,
        AppServer(tmp_path_factory.mktemp("insisting"), GLASSBOX_BASE_URL=server.endpoint, **environment) as app,
    ):
        yield app.url


def save(chat: Chat) -> None:
    chat.click(chat.dialog.get_by_role("button", name="Save"))
    chat.closed()


def fill(field: Locator, text: str) -> None:
    field.fill(text)
    field.press("Tab")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_doubt_leads_to_the_question_where_it_comes_from(browser: Browser, url: str, width: int) -> None:
    with visit(browser, url, viewport={"width": width, "height": 844}) as chat:
        chat.answer_to(QUESTION, "Twice 2371 is 4752.")
        chat.click(chat.answers.last.locator('a[href^="#claim-"]', has_text="4752"))
        expect(chat.dialog).to_contain_text("4742", timeout=SECONDS)
        chat.click(chat.dialog.get_by_role("button", name="Ask where it comes from"))
        chat.closed()
        chat.settle()
        asked = "Where does “4752” in your answer come from? Look it up, or work it out with a tool."
        expect(chat.page.get_by_text(asked).first).to_be_visible()
        expect(chat.answers).to_have_count(4)
        chat.click(chat.answers.nth(1).locator('a[href^="#claim-"]', has_text="4752"))
        expect(chat.dialog.get_by_role("button", name="Ask where it comes from")).to_be_visible(timeout=SECONDS)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_round_is_shown_as_what_it_is(browser: Browser, url: str, width: int) -> None:
    with visit(browser, url, viewport={"width": width, "height": 844}) as chat:
        chat.open_settings()
        chat.dialog.get_by_text("Insist on evidence").click()
        save(chat)
        chat.answer_to(QUESTION, "Twice 2371 is 4742.")
        expect(chat.page.get_by_text(CALLED)).to_have_count(1)
        step = chat.steps.filter(has_text=CALLED)
        step.locator("summary").click()
        expect(step).to_contain_text("First answer", timeout=SECONDS)
        expect(step).to_contain_text("Twice 2371 is 4752.")
        expect(step).to_contain_text(re.compile(r"Told to the model.*- 4752: differs\. Seen: 4742", re.S))
        chat.expect_text("2 of 2 figures traced")
        chat.page.reload()
        chat.expect_text(CALLED)
        chat.open_settings()
        expect(chat.dialog.get_by_role("switch", name="Insist on evidence")).to_be_checked()


def test_a_run_at_work_says_how_many_tokens_the_model_is_reading(browser: Browser, url: str) -> None:
    with visit(browser, url, viewport={"width": 390, "height": 844}) as chat:
        chat.ask("Wait")
        gauge = chat.page.get_by_test_id("stChatMessage").get_by_role("progressbar")
        chat.expect_text(re.compile(r"The model is reading [1-9][\d,]+ tokens · \d+ s"))
        expect(gauge).to_have_count(0)
        said = chat.page.locator(".st-key-announcer")
        expect(said).to_have_text("Thinking…")
        chat.button("Stop").click()
        chat.settle()
        expect(gauge).to_have_count(0)


def test_a_price_of_ones_own_counts_until_it_is_cleared(browser: Browser, url: str) -> None:
    with visit(browser, url) as chat:
        chat.answer_to(QUESTION, "Twice 2371 is 4752.")
        chat.expect_text("no price")
        chat.open_settings()
        expect(chat.dialog).to_contain_text("No price is known for m")
        fill(chat.dialog.get_by_role("spinbutton", name="Most US dollars"), "0.5")
        save(chat)
        chat.open_settings()
        chat.dialog.get_by_role("button", name="Change the price").click()
        chat.click(chat.dialog.get_by_role("button", name="Use my price"))
        expect(chat.dialog).to_contain_text("A price needs input and output", timeout=SECONDS)
        fill(chat.dialog.get_by_role("spinbutton", name="Input", exact=True), "100")
        fill(chat.dialog.get_by_role("spinbutton", name="Output"), "300")
        chat.click(chat.dialog.get_by_role("button", name="Use my price"))
        expect(chat.dialog).to_contain_text("Your price: $100.00 in, $100.00 cached, $300.00 out", timeout=SECONDS)
        chat.click(chat.dialog.get_by_role("button", name="Close"))
        chat.closed()
        chat.new_chat()
        chat.answer_to(QUESTION, "Twice 2371 is 4752.")
        chat.expect_text(re.compile(r"tokens · \$0\.\d*[1-9]\d* · m"))
        chat.open_settings()
        chat.dialog.get_by_role("button", name="Change the price").click()
        chat.click(chat.dialog.get_by_role("button", name="Back to no price"))
        expect(chat.dialog).to_contain_text("No price is known for m", timeout=SECONDS)
