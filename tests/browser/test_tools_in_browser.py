"""The page of tools in a real Chromium: words in Japanese, tries, a tool that is added while the app runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from agent.sandbox import client
from tests.support.accessibility import violations
from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import AppServer
from tests.support.servers.model_server import Call, ModelServer, Reply

pytestmark = pytest.mark.browser
JAPANESE = "計算を正確に行います。式を書いてください。"
DICE = '''from agent.toolkit.base import tool
@tool(icon="casino")
def dice(sides: int = 6) -> str:
    """Rolls a die and gives the number."""
    return f"a die of {sides} shows 4"
'''
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "color_scheme": "dark"}


@dataclass(frozen=True)
class Site:
    app: AppServer
    model: ModelServer
    own: Path

    def write(self, text: str) -> None:
        """A file of the owner's own, newer than the one before it."""
        path = self.own / "dice.py"
        after = path.stat().st_mtime_ns + 1_000_000_000 if path.exists() else 1_700_000_000_000_000_000
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(after, after))


def reply(body: dict[str, Any]) -> Reply:
    """Calls the die where it is told of one and has not rolled it, else says what it was told of its tools."""
    told = {each["function"]["name"]: each["function"]["description"] for each in body.get("tools", ())}
    if body["messages"][-1]["content"] == "What is new?":
        return Reply(calls=(Call("news", '{"query": "comet"}'),))
    rolled = [message["content"] for message in body["messages"] if message["role"] == "tool"]
    if "dice" in told and not rolled:
        return Reply(calls=(Call("dice", '{"sides": "20"}'),))
    return Reply(f"It says: {rolled[-1]}." if rolled else f"I was told: {json.dumps(told, ensure_ascii=False)}")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("tools")
    (folder / "own").mkdir()
    with (
        ModelServer(reply, chunk=400) as model,
        AppServer(
            folder,
            GLASSBOX_BASE_URL=model.endpoint,
            GLASSBOX_MODEL="m",
            GLASSBOX_WIRE="native",
            GLASSBOX_TOOLS_FOLDER=str(folder / "own"),
        ) as app,
    ):
        yield Site(app, model, folder / "own")


def to_tools(chat: Chat) -> None:
    phone = (chat.page.viewport_size or {})["width"] < 700
    opener = chat.page.get_by_test_id("stExpandSidebarButton")
    if phone:
        opener.click()
        chat.idle()
    chat.page.get_by_test_id("stSidebar").get_by_role("link", name="Tools").click()
    expect(chat.page.get_by_role("heading", name="Tools", exact=True)).to_be_visible(timeout=SECONDS)
    if phone:  # what was chosen in the sidebar closes it
        expect(opener).to_be_visible()
    chat.idle()


def tool(chat: Chat, name: str) -> Locator:
    """The line of a tool, opened."""
    line = chat.page.locator(f".st-key-tool-{name}")
    chat.click(line.locator("summary"))
    chat.idle()
    expect(line).to_contain_text("What the model is told", timeout=SECONDS)
    return line


def run_try(chat: Chat, field: str, value: str) -> None:
    box = chat.dialog.get_by_role("textbox", name=field, exact=True)
    box.fill(value)
    box.press("Tab")
    chat.click(chat.dialog.get_by_role("button", name="Run", exact=True))


def ask_once_more(chat: Chat, question: str) -> None:
    """Ask, and wait for the answer, whatever it is."""
    chat.idle()
    before = chat.answers.count()
    chat.ask(question)
    expect(chat.answers).to_have_count(before + 2, timeout=SECONDS)
    chat.settle()


def test_words_tries_and_a_tool_that_comes_and_breaks(site: Site, browser: Browser) -> None:
    with visit(browser, site.app.url, color_scheme="light") as chat:
        page = chat.page
        to_tools(chat)
        assert violations(page) == []
        line = tool(chat, "calculator")
        # A description in Japanese is what the next run tells the model.
        chat.click(line.get_by_role("button", name="Change its words"))
        description = chat.dialog.get_by_role("textbox", name="Description")
        expect(description).to_contain_text("Works out arithmetic exactly", timeout=SECONDS)
        chat.idle()
        assert violations(page) == []
        description.fill(JAPANESE)
        chat.dialog.get_by_role("textbox", name="Name").fill("keisan")
        chat.dialog.get_by_role("button", name="Save").click()
        expect(line).to_contain_text(JAPANESE, timeout=SECONDS)
        expect(line).to_contain_text("What the model is told · as keisan")
        # A try, and one that fails.
        chat.click(line.get_by_role("button", name="Try it"))
        run_try(chat, "expression", "sqrt(25) + 3")
        expect(chat.dialog).to_contain_text("Done in", timeout=SECONDS)
        expect(chat.dialog.get_by_text("8", exact=True)).to_be_visible()
        chat.idle()
        assert violations(page) == []
        run_try(chat, "expression", "1 / 0")
        expect(chat.dialog).to_contain_text("Failed in", timeout=SECONDS)
        chat.click(chat.dialog.get_by_role("radio", name="As the model writes it"))
        run_try(chat, "Input", "{'expr': '2 \\\\* 21'}")
        expect(chat.dialog.get_by_text("42", exact=True)).to_be_visible(timeout=SECONDS)
        expect(chat.dialog).to_contain_text("‘expression’")
        page.keyboard.press("Escape")
        chat.closed()
        page.get_by_role("link", name="To the chat").click()
        chat.answer_to("What do you know?", "I was told")
        chat.expect_text(f'"keisan": "{JAPANESE}"')
        # Five lines, while the app runs: the next run has it.
        site.write(DICE)
        chat.answer_to("Roll a die, please.", "It says: a die of 20 shows 4.")
        to_tools(chat)
        line = tool(chat, "dice")
        expect(line).to_contain_text("This site's own, from dice.py")
        expect(line.get_by_role("link", name="sides")).to_contain_text("ok")
        assert violations(page) == []
        # Broken: it is said where, and the next run goes without it.
        site.write(DICE + "x = (\n")
        page.reload()
        expect(page.get_by_role("alert")).to_contain_text("dice.py, line 6", timeout=SECONDS)
        expect(page.locator(".st-key-tool-dice")).to_have_count(0)
        page.get_by_role("link", name="To the chat").click()
        chat.expect_text("I was told")
        ask_once_more(chat, "And now?")
        names = {each["function"]["name"] for each in site.model.requests[-1]["tools"]}
        assert "keisan" in names and not {"dice", "calculator"} & names


def test_a_tool_without_its_key_and_one_without_a_chat(site: Site, browser: Browser) -> None:
    with visit(browser, site.app.url) as chat:
        page = chat.page
        to_tools(chat)
        line = tool(chat, "news")
        expect(line).to_contain_text("Needs NEWSAPI_API_KEY: newsapi.org/register.")
        expect(line.get_by_role("button", name="Try it")).to_have_count(0)
        line = page.locator(".st-key-tool-word_problem")
        line.locator("summary").click()
        chat.idle()
        expect(line).to_contain_text("Begin a chat first", timeout=SECONDS)
        line.get_by_text("The agent may use it").click()
        chat.quiet()
        page.get_by_role("link", name="To the chat").click()
        said = "The tool ‘news’ cannot be used now. Needs NEWSAPI_API_KEY: newsapi.org/register."
        chat.answer_to("What is new?", f"It says: {said}")
        names = {each["function"]["name"] for each in site.model.requests[-1]["tools"]}
        assert "news" not in names and ("word_problem" in names or client.missing())
        expect(chat.steps.nth(0)).to_contain_text("failed")


def test_on_a_phone(site: Site, browser: Browser) -> None:
    with visit(browser, site.app.url, **PHONE) as chat:
        page = chat.page
        to_tools(chat)
        page.get_by_role("textbox", name="Search tools").fill("sums")
        page.get_by_role("textbox", name="Search tools").press("Enter")
        expect(page.locator(".st-key-tool-search")).to_have_count(0, timeout=SECONDS)
        line = tool(chat, "calculator")
        assert violations(page) == []
        assert chat.overflow <= 0
        bar, back = page.get_by_test_id("stHeader").bounding_box(), page.get_by_text("To the chat").bounding_box()
        assert bar and back and back["y"] >= bar["y"] + bar["height"]  # the way back is not behind the logo's bar
        line.get_by_text("The agent may use it").click()
        expect(page.get_by_role("heading", name="Switched off")).to_be_visible(timeout=SECONDS)
        line = page.locator(".st-key-tool-calculator")
        chat.click(line.get_by_role("button", name="Try it"))
        run_try(chat, "expression", "6 * 7")
        expect(chat.dialog.get_by_text("42", exact=True)).to_be_visible(timeout=SECONDS)
        chat.idle()
        assert violations(page) == []
