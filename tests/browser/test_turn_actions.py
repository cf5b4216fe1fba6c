"""What can be done with a turn, in a real Chromium: edit its question, try it with another model, say why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import WITHOUT_PROGRAMS, AppServer
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.stories import final, react, this_turn

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
LONG = "What is twice 30? " + "It matters to me. " * 60


def play(body: dict[str, Any]) -> str | Reply:
    """A model that doubles by the calculator where it has it, and answers whatever comes."""
    native = "tools" in body
    asked = str(this_turn(body))
    for number in (21, 30):
        if f"twice {number}" in asked.rpartition("Question")[2] or (native and f"twice {number}" in asked):
            if f"2*{number}" not in asked and not native:
                return react("I double it.", "calculator", f"2*{number}")
            return f"It is {2 * number}." if native else final(f"It is {2 * number}.")
    return final("It is said.")


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(play) as server:
        yield server


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, model: ModelServer) -> Iterator[AppServer]:
    owned = {"GLASSBOX_BASE_URL": model.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_WIRE": "react"}
    prices = {"GLASSBOX_PRICES": "m=1000/1000/1000"}
    with AppServer(tmp_path_factory.mktemp("turns"), **owned, **prices, **WITHOUT_PROGRAMS) as running:
        yield running


def form(chat: Chat) -> Locator:
    return chat.page.get_by_role("textbox", name="Your question")


def test_a_question_is_edited_in_place_and_later_turns_stay_with_the_old_one(
    browser: Browser, app: AppServer, model: ModelServer
) -> None:
    with visit(browser, app.url) as chat:
        chat.answer_to("What is twice 21?", "It is 42.")
        chat.answer_to("Say it.", "It is said.")
        expect(chat.page.get_by_test_id("stCaptionContainer").filter(has_text="model calls")).to_contain_text(
            re.compile(r"\d model calls · .*\$\d")
        )
        chat.button("Edit the question").first.focus()
        chat.page.keyboard.press("Enter")
        expect(form(chat)).to_be_focused()
        expect(form(chat)).to_have_value("What is twice 21?")
        chat.page.keyboard.press("Escape")
        expect(form(chat)).to_have_count(0)
        expect(chat.button("Edit the question").first).to_be_focused()
        chat.page.keyboard.press("Enter")
        form(chat).fill("   ")
        chat.button("Ask this instead").click()
        chat.expect_text("There is no question in it yet.")
        chat.idle()
        form(chat).fill(LONG)
        # Other clicks leave the open form as it is.
        chat.open_step(0)
        expect(chat.steps.first).to_contain_text("Observation")
        chat.idle()
        expect(form(chat)).to_have_value(LONG)
        chat.button("Ask this instead").click()
        chat.expect_text("2/2")
        chat.expect_text("It is 60.")
        chat.settle()
        expect(form(chat)).to_have_count(0)
        expect(chat.page.get_by_text("It is said.")).to_have_count(0)
        assert LONG.strip() in str(model.requests[-1]["messages"])

        chat.button("Earlier branch").click()
        chat.expect_text("It is said.")
        chat.click(chat.button("Edit the question").first)
        expect(form(chat)).to_have_value("What is twice 21?")
        chat.new_chat()
        chat.chats.first.click()
        chat.expect_text("It is said.")
        chat.idle()
        expect(form(chat)).to_have_count(0)
        chat.page.reload()
        chat.expect_text("2/2")


def test_the_same_question_with_another_model_and_other_settings_once(
    browser: Browser, app: AppServer, model: ModelServer
) -> None:
    with visit(browser, app.url) as chat:
        chat.answer_to("What is twice 21?", "It is 42.")
        before = len(model.requests)
        chat.more("Try with…")
        expect(chat.dialog).to_contain_text("Your own model and settings stay as they are.")
        chat.quiet()
        chat.dialog.get_by_label("Model", exact=True).click()
        chat.page.get_by_role("option", name="Demo").click()
        chat.click(chat.button("Run with this"))
        expect(chat.dialog).to_have_count(0)
        chat.expect_text("2/2")
        chat.settle()
        chat.expect_text("Demo — rules, not AI")
        assert len(model.requests) == before
        expect(chat.model).to_have_accessible_name("m")

        chat.button("Earlier branch").click()
        chat.expect_text("1/2")
        chat.idle()
        chat.more("Try with…")
        chat.quiet()
        chat.dialog.get_by_label("How tools are called").click()
        chat.page.get_by_role("option", name="The model’s own way").click()
        chat.dialog.get_by_label("Temperature").fill("0.7")
        chat.click(chat.button("Run with this"))
        expect(chat.dialog).to_have_count(0)
        chat.expect_text("3/3")
        chat.settle()
        assert model.requests[-1]["temperature"] == 0.7
        names = [tool["function"]["name"] for tool in model.requests[-1]["tools"]]
        assert {"search", "calculator"} <= set(names)

        # From a step on: what was done before it is kept, and told as this wire tells it.
        chat.button("Earlier branch").click()
        chat.expect_text("2/3")
        chat.click(chat.button("Earlier branch"))
        chat.expect_text("1/3")
        chat.idle()
        asked = len(model.requests)
        chat.more("Try with…")
        chat.quiet()
        chat.dialog.get_by_label("Start from").click()
        chat.page.get_by_role("option", name="Step 2").click()
        chat.click(chat.dialog.get_by_label("How tools are called"))
        chat.page.get_by_role("option", name="The model’s own way").click()
        chat.click(chat.button("Run with this"))
        chat.expect_text("4/4")
        chat.settle()
        assert len(model.requests) == asked + 1
        assert model.requests[-1]["messages"][-1]["role"] == "tool"
        # The tab's own choice is what it was.
        chat.open_settings()
        expect(chat.dialog.get_by_label("Temperature")).to_have_value("")


def test_a_word_with_a_thumb_is_there_after_a_reload_on_a_phone(browser: Browser, app: AppServer) -> None:
    with visit(browser, app.url, **PHONE) as chat:
        chat.answer_to("What is twice 21?", "It is 42.")
        thumbs = chat.page.get_by_role("radiogroup", name="Feedback rating").locator("label, button")
        thumbs.nth(1).tap()
        field = chat.page.get_by_role("textbox", name="What was wrong?")
        field.fill("It is <b>43</b> in base $9$")
        field.press("Enter")
        said = chat.button("It is <b>43</b> in base $9$")
        expect(said).to_be_visible(timeout=SECONDS)
        expect(field).to_have_count(0)
        chat.page.reload()
        expect(said).to_be_visible(timeout=SECONDS)
        expect(chat.page.get_by_role("radio", name="Thumbs down")).to_be_checked()
        chat.idle()
        said.tap()
        field.fill("")
        chat.idle()
        chat.page.get_by_role("button", name="Keep", exact=True).tap()
        expect(chat.button("Say why")).to_be_visible(timeout=SECONDS)
        assert chat.overflow <= 0
        box = chat.button("Edit the question").bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390


def test_on_paper_a_chat_has_nothing_to_be_clicked(browser: Browser, app: AppServer) -> None:
    with visit(browser, app.url) as chat:
        chat.answer_to("What is twice 21?", "It is 42.")
        buttons = [chat.button(name).first for name in ("New chat", "Edit the question", "Try again", "Copy", "Export")]
        for shown in (*buttons, chat.box):
            expect(shown).to_be_visible()
        chat.page.emulate_media(media="print")
        for hidden in (*buttons, chat.box):
            expect(hidden).to_be_hidden()
        question, answer = chat.answers.first, chat.answers.last
        expect(answer).to_contain_text("It is 42.")
        edges = [part.evaluate("part => part.getBoundingClientRect().right") for part in (question, answer)]
        assert abs(edges[0] - edges[1]) < 2, "the question stands at the right, as on the screen"
