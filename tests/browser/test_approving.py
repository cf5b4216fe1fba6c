"""A run that waits for the person, in a real Chromium: a question answered, a call allowed, changed, denied."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.accessibility import violations
from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import WITHOUT_PROGRAMS, AppServer
from tests.support.servers.model_server import ModelServer
from tests.support.stories import final, react, this_turn

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
ASKING = json.dumps({"question": "Which Paris do you mean?", "choices": ["Paris, France", "Paris, Texas"]})


def play(body: dict[str, Any]) -> str:
    """A model that asks which Paris is meant, or doubles; it answers with what it observed last."""
    if "Action" not in str(body["messages"][0]["content"]):
        return str(body["messages"][-1]["content"]).rpartition("Follow-up question: ")[2].splitlines()[0]
    said = this_turn(body)
    asked, seen = said[0], said[-1] if len(said) > 1 else ""
    if seen:
        return final(f"I was told: {seen.removeprefix('Observation: ')}")
    if "Paris" in asked:
        return react("There is more than one.", "ask_user", ASKING)
    return react("I double it.", "calculator", f"2*{re.sub('[^0-9]', '', asked)}")


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(play) as server:
        yield server


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, model: ModelServer) -> Iterator[AppServer]:
    owned = {"GLASSBOX_BASE_URL": model.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_WIRE": "react"}
    settings = owned | WITHOUT_PROGRAMS | {"GLASSBOX_APPROVE": "calculator"}
    with AppServer(tmp_path_factory.mktemp("approving"), **settings) as running:
        yield running


def field(chat: Chat) -> Any:
    return chat.page.get_by_role("textbox", name="Or in your own words")


def test_a_question_waits_over_a_reload_a_second_tab_and_a_killed_server(browser: Browser, app: AppServer) -> None:
    with visit(browser, app.url) as chat:
        chat.ask("How big is Paris?")
        expect(field(chat)).to_be_visible(timeout=SECONDS)
        chat.expect_text("Which Paris do you mean?")
        expect(chat.page).to_have_title(re.compile("Waits for you"))
        expect(chat.chats.first).to_contain_text("Waits for you")
        chat.idle()
        assert violations(chat.page) == []
        chat.page.reload()
        expect(field(chat)).to_be_visible(timeout=SECONDS)
        app.kill()
        app.start()
        chat.page.reload()
        expect(field(chat)).to_be_visible(timeout=SECONDS)

        other = chat.another_tab()
        expect(other.button("Paris, Texas")).to_be_visible(timeout=SECONDS)
        # By the keyboard alone.
        chat.idle()
        field(chat).focus()
        chat.page.keyboard.type("The one on the Seine")
        chat.page.keyboard.press("Enter")
        chat.expect_text("I was told: The one on the Seine")
        other.expect_text("I was told: The one on the Seine")
        chat.settle()
        expect(chat.page).not_to_have_title(re.compile("Waits for you"))
        step = chat.open_step(0)
        expect(step).to_contain_text(re.compile(r"Answered by you after \d+"))

        chat.button("Decide anew").click()
        chat.click(chat.button("Paris, Texas"))
        chat.expect_text("I was told: Paris, Texas")
        chat.expect_text("2/2")
        chat.settle()

        chat.ask("How long is Paris?")
        expect(field(chat)).to_be_visible(timeout=SECONDS)
        chat.click(chat.button("Skip"))
        chat.expect_text("I was told: The user did not answer.")
        chat.settle()

        chat.ask("How wide is Paris?")
        expect(field(chat)).to_be_visible(timeout=SECONDS)
        chat.ask("In Ontario")
        chat.expect_text("I was told: In Ontario")
        chat.settle()

        chat.ask("How old is Paris?")
        expect(field(chat)).to_be_visible(timeout=SECONDS)
        chat.click(chat.button("Stop"))
        chat.expect_text("Stopped.")
        chat.settle()


def test_a_call_is_denied_changed_and_allowed_for_good(browser: Browser, app: AppServer) -> None:
    with visit(browser, app.url, **PHONE) as chat:
        chat.ask("What is twice 21?")
        chat.expect_text("May the agent do this?")
        chat.idle()
        assert violations(chat.page) == []
        assert chat.page.evaluate("document.documentElement.scrollWidth") <= 390
        chat.button("Deny").click()
        chat.idle()
        chat.page.get_by_role("textbox", name="Why not?").fill("Do it in your head.")
        chat.page.get_by_test_id("stFormSubmitButton").get_by_role("button", name="Deny").click()
        chat.expect_text("I was told: The user did not allow this call: “Do it in your head.”")
        chat.settle()
        expect(chat.steps.first).to_contain_text("denied by you")

        chat.ask("What is twice 30?")
        chat.expect_text("May the agent do this?")
        chat.click(chat.button("Edit", exact=True))
        arguments = chat.page.get_by_role("textbox", name="Arguments of calculator")
        expect(arguments).to_be_visible()
        assert violations(chat.page) == []
        arguments.fill("{}")
        chat.button("Allow with this").click()
        chat.expect_text("The input of calculator does not fit.")
        chat.idle()
        arguments.fill('{"expression": "2*35"}')
        chat.button("Allow with this").click()
        chat.expect_text(re.compile(r"I was told: [^€]*70"))
        chat.settle()
        changed = chat.steps.filter(has_text="changed by you")
        # Between the two there may be a joiner that keeps the star from being Markdown.
        expect(changed).to_contain_text(re.compile(r"Calculated 2\*\W?35"))

        chat.ask("What is twice 40?")
        chat.expect_text("May the agent do this?")
        chat.click(chat.button("Always in this chat"))
        chat.expect_text("I was told: 80")
        chat.settle()
        chat.answer_to("What is twice 50?", "I was told: 100")

        chat.page.goto(app.url)
        chat.expect_text("What shall we find out?")
        chat.ask("What is twice 60?")
        chat.expect_text("May the agent do this?")
        chat.click(chat.button("Allow once"))
        chat.expect_text("I was told: 120")
        chat.settle()
