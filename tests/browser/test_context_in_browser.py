"""The context map in a real Chromium: what the model knows of a chat, and a person who chooses it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event as Flag
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from agent.context.turns import turns_told
from agent.loop.agent import Agent
from agent.messages import Usage
from agent.models.protocol import Delta
from agent.models.scripted import Scripted
from agent.models.window import Window
from agent.runs.conversation import Question, ask, history
from agent.store.runs import Store
from agent.toolkit.base import Toolbox, tool
from tests.support.accessibility import violations
from tests.support.app_services import visitor_of
from tests.support.browser import SECONDS, visit
from tests.support.servers.app_server import AppServer
from tests.support.stories import double, final, react

pytestmark = pytest.mark.browser
COOKIE = uuid4().hex
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


@tool
def tides(text: str) -> str:
    """Tells high and low water.

    Args:
        text: the place
    """
    return "\n".join(f"{text}, day {day}: high {day}:15, low {day + 6}:40" for day in range(40))


@dataclass(frozen=True)
class Chats:
    """The address of the app, the visitor's cookie, its store, and the runs of two chats."""

    url: str
    cookie: str
    store: Store
    three: list[str]
    long: list[str]

    def context(self, run: str) -> str:
        return f"{self.url}context?r={run}"


def chat(store: Store, questions: int, window: int) -> list[str]:
    """The runs of a chat of so many questions, each with a short call and a long one."""
    runs: list[str] = []
    conversation = store.add_conversation(visitor_of(COOKIE), "Question 1?")
    for number in range(1, questions + 1):
        end = [Delta(text=final(f"Answer {number}.")), Delta(usage=Usage(600 + 900 * number, 512, 9))]
        model = Scripted([react("", "double", '{"number": 2}'), react("", "tides", '{"text": "Oslo"}'), end])
        runs.append(store.add_run(conversation, runs[-1] if runs else ""))
        agent = Agent(model, Toolbox([double, tides]), "react", window=Window(window, "setting"))
        list(ask(store, runs[-1], Question(f"Question {number}?"), agent, Flag()))
    return runs


@pytest.fixture(scope="module")
def chats(demo: AppServer) -> Iterator[Chats]:
    store = Store(demo.database)
    yield Chats(demo.url, demo.signed(COOKIE), store, chat(store, 3, 128_000), chat(store, 14, 9_000))
    store.close()


def told(store: Store, run: str) -> list[str]:
    row = store.run(run)
    assert row
    return [turn.told for turn in turns_told(store.events(run), history(store, row.conversation, row.follows))]


def test_the_map_is_found_from_the_chat_and_answers_what_is_told(browser: Browser, chats: Chats) -> None:
    row = chats.store.run(chats.three[-1])
    assert row
    with visit(browser, f"{chats.url}?c={row.conversation}", cookie=chats.cookie) as seen:
        page = seen.page
        seen.expect_text("Answer 3.")
        seen.click(page.get_by_role("link", name="Context", exact=True).last)
        page.wait_for_url(re.compile(f"/context\\?r={chats.three[-1]}"))
        bar = page.get_by_role("img", name=re.compile("The model's window of [0-9,]+ tokens"))
        expect(bar).to_be_visible(timeout=SECONDS)
        table = page.get_by_role("table")
        for text in ("Instructions", "2 earlier questions, in full", "This question", "Kept free for the reply"):
            expect(table).to_contain_text(text)
        expect(table.get_by_role("row", name=re.compile("cache"))).to_contain_text("512")
        first = page.locator(f".st-key-told-{chats.three[0]}")
        seen.click(first.get_by_text("1. Question 1?"))
        expect(first).to_contain_text("Step 1 · double 2 — told whole", timeout=SECONDS)
        expect(first).to_contain_text("Step 2 · tides Oslo — told whole")
        assert violations(page) == []


def test_a_question_is_left_out_pinned_and_put_back(browser: Browser, chats: Chats) -> None:
    first, second, third = chats.three
    with visit(browser, chats.url, cookie=chats.cookie) as seen:
        page = seen.page
        page.goto(chats.context(third))
        seen.click(page.locator(f".st-key-leave_out-{first}").get_by_role("button"))
        expect(page.locator(f".st-key-told-{first}")).to_contain_text("left out from the next question on")
        seen.click(page.locator(f".st-key-pin-{second}").get_by_role("button"))
        expect(page.locator(f".st-key-told-{second}")).to_contain_text("pinned")
        seen.click(page.get_by_role("link", name="To its chat"))
        seen.ask("What is 2+2?")
        seen.expect_text("2 + 2 is 4")
        seen.click(page.get_by_role("link", name="Context", exact=True).last)
        expect(page.get_by_role("table")).to_contain_text("1 earlier question, left out", timeout=SECONDS)
        expect(page.locator(f".st-key-told-{first}")).to_contain_text("left out")
        seen.click(page.locator(f".st-key-put_back-{first}").get_by_role("button"))
        expect(page.locator(f".st-key-told-{first}")).to_contain_text("in full from the next question on")


def test_a_long_chat_says_where_room_was_made_on_a_phone(browser: Browser, chats: Chats) -> None:
    assert "shortened" in told(chats.store, chats.long[-1])
    with visit(browser, chats.url, cookie=chats.cookie, **PHONE) as seen:
        page = seen.page
        page.goto(chats.context(chats.long[-1]))
        expect(page.get_by_role("table")).to_contain_text("shortened", timeout=SECONDS)
        expect(page.locator('[class*="st-key-told-"] summary')).to_have_count(4)
        seen.click(page.locator(".st-key-told-page button").filter(has_text=re.compile("^1$")))
        first = page.locator(f".st-key-told-{chats.long[0]}")
        expect(first).to_be_visible(timeout=SECONDS)
        seen.click(first.get_by_text("1. Question 1?"))
        expect(first).to_contain_text(re.compile("the model can recall it as 1.2|not told"), timeout=SECONDS)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_first_question_has_nothing_before_it(browser: Browser, chats: Chats) -> None:
    with visit(browser, chats.url, cookie=chats.cookie) as seen:
        seen.page.goto(chats.context(chats.three[0]))
        expect(seen.page.get_by_text("Nothing was said before this question.")).to_be_visible(timeout=SECONDS)
        seen.page.goto(chats.context("none"))
        expect(seen.page.get_by_role("heading", name="No such run here")).to_be_visible(timeout=SECONDS)
