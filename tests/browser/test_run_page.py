"""The pages over stored runs, in a real Chromium: a run in time, its events, the film of it, two side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from time import time
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from agent.events import Answered, Asked, Event, Observed, Prepared, Replied, ToolCalled
from agent.messages import Usage
from agent.store.runs import Store
from agent.toolkit.base import artifact
from tests.support.accessibility import violations
from tests.support.app_services import visitor_of
from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import AppServer

pytestmark = pytest.mark.browser
COOKIE = uuid4().hex
VISITOR = visitor_of(COOKIE)
WHOLE = artifact("text", "whole result", b"The whole page about San Francisco.")
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def begun(question: str) -> list[Event]:
    return [Asked(question, time()), Prepared(question, "You are…", (), "native", "m", "https://e.example/v1")]


def step(number: int, thought: str, tool: str, text: str, seen: str, seconds: float = 0.3) -> list[Event]:
    call = str(number)
    return [
        Replied("…", thought, Usage(100, 0, 20), 0.6, 0.2),
        ToolCalled(call, tool, text, {"expression": text}),
        Observed(call, seen, seconds, artifacts=(WHOLE,) if tool == "search" else ()),
    ]


def ended(answer: str) -> list[Event]:
    return [Replied(answer, "", Usage(150, 0, 30), 0.6, 0.2), Answered(answer)]


def run_of(question: str, degrees: str) -> list[Event]:
    return [
        *begun(question),
        *step(1, "I look it up.", "search", "high in SF", f"It was {degrees} °F at noon."),
        *step(2, "I convert it.", "calculator", f"({degrees}-32)*5/9", "12.2"),
        *ended(f"It was {degrees} °F."),
    ]


@dataclass(frozen=True)
class Pages:
    """The addresses of the pages, and the store behind them."""

    url: str
    cookie: str
    store: Store
    runs: dict[str, str]
    conversation: str

    def run(self, name: str) -> str:
        return f"{self.url}run?r={self.runs[name]}"

    def compare(self, left: str, right: str = "") -> str:
        return f"{self.url}compare?a={self.runs[left]}" + (f"&b={self.runs[right]}" if right else "")


@pytest.fixture(scope="module")
def pages(demo: AppServer) -> Iterator[Pages]:
    store = Store(demo.database)
    warm = store.add_conversation(VISITOR, "How warm was it?")
    runs: dict[str, str] = {}
    for name, degrees in (("first", "54"), ("second", "56")):
        runs[name] = store.add_run(warm)
        store.append(runs[name], run_of("How warm was it?", degrees))
    # So slow that there is time for a click in the middle of its film.
    runs["slow"] = store.add_run(store.add_conversation(VISITOR, "A slow one"))
    waiting = [event for n in range(2, 9) for event in step(n, "I wait.", "calculator", "1+1", "2", seconds=30.0)]
    looking = step(1, "I look it up.", "search", "high in SF", "It was 54 °F at noon.")
    store.append(runs["slow"], [*begun("How warm was it?"), *looking, *waiting, *ended("It was 54 °F.")])
    runs["long"] = store.add_run(store.add_conversation(VISITOR, "A long one"))
    steps = [event for n in range(332) for event in step(n, f"Number {n}.", "calculator", f"{n}+1", f"{n + 1}")]
    store.append(runs["long"], [*begun("Count."), *steps, *ended("Done.")])
    yield Pages(demo.url, demo.signed(COOKIE), store, runs, warm)
    store.close()


def rows(page: Page) -> int:
    return page.locator(".st-key-events").get_by_test_id("stExpander").count()


def test_a_run_in_time_and_its_events(browser: Browser, pages: Pages) -> None:
    with visit(browser, f"{pages.url}?c={pages.conversation}", cookie=pages.cookie) as chat:
        page, main = chat.page, chat.page.get_by_role("main")
        chat.expect_text("It was 56 °F.")
        chat.click(page.get_by_role("link", name="Run", exact=True))
        page.wait_for_url(re.compile(f"/run\\?r={pages.runs['second']}"))
        expect(main.get_by_role("heading", name="How warm was it?")).to_be_visible(timeout=SECONDS)
        for text in ("Answered", "calls tools in its own way", "420", "2.4 s"):
            expect(main).to_contain_text(text)
        chart = page.get_by_test_id("stVegaLiteChart")
        expect(chart).to_have_attribute("aria-label", re.compile("Timeline of 5 calls in 2.4 s"), timeout=SECONDS)
        chat.click(page.get_by_text("As a table"))
        table = page.get_by_role("table")
        expect(table).to_contain_text("calculator", timeout=SECONDS)
        expect(table.get_by_role("row")).to_have_count(6)
        chat.idle()
        assert rows(page) == 10
        page.get_by_role("button", name="Result 2").click()
        expect(main).to_contain_text("2 of 10 entries", timeout=SECONDS)
        field = page.get_by_role("textbox", name="Search all texts of this run")
        field.fill("it WAS 56")
        field.press("Enter")
        expect(main).to_contain_text("1 hit in 1 of 10 entries", timeout=SECONDS)
        expect(page.locator(".st-key-events summary")).to_have_count(1, timeout=SECONDS)
        chat.click(page.locator(".st-key-events summary"))
        expect(page.get_by_test_id("stCode")).to_contain_text('"text": "It was 56 °F at noon."', timeout=SECONDS)
        chat.click(page.get_by_text("Show whole result"))
        expect(main).to_contain_text("The whole page about San Francisco.", timeout=SECONDS)
        chat.click(page.get_by_role("link", name="To its chat"))
        expect(chat.box).to_be_visible(timeout=SECONDS)
        chat.expect_text("It was 56 °F.")


def test_the_way_back_is_to_the_branch_of_the_run(browser: Browser, pages: Pages) -> None:
    with visit(browser, pages.url, cookie=pages.cookie) as chat:
        chat.page.goto(pages.run("first"))
        chat.click(chat.page.get_by_role("link", name="To its chat"))
        chat.expect_text("It was 54 °F.")
        chat.expect_text("1/2")
        chat.idle()
        chat.page.go_back()
        expect(chat.page.get_by_role("link", name="To its chat")).to_be_visible()
        chat.idle()
        chat.new_chat()
        assert "/run" not in chat.page.url


def test_a_long_run_comes_page_by_page(browser: Browser, pages: Pages) -> None:
    with visit(browser, pages.url, cookie=pages.cookie) as chat:
        page = chat.page
        page.goto(pages.run("long"))
        expect(page.get_by_role("main")).to_contain_text("1,000 entries", timeout=SECONDS)
        chat.idle()
        assert rows(page) == 25
        chat.click(page.get_by_test_id("stPagination").get_by_role("button", name="40"))
        expect(page.locator(".st-key-events")).to_contain_text("1000 Answered", timeout=SECONDS)
        chat.idle()
        assert rows(page) == 25


def test_the_film_of_a_run(browser: Browser, pages: Pages) -> None:
    with visit(browser, pages.url, cookie=pages.cookie) as chat:
        page, main = chat.page, chat.page.get_by_role("main")
        page.goto(pages.run("slow"))
        chat.click(page.get_by_role("tab", name="Replay"))
        place = page.get_by_role("slider", name="Entry")
        expect(place).to_have_value("0", timeout=SECONDS)
        chat.idle()
        for stepped in range(1, 4):
            page.get_by_role("button", name="Step forward").click()
            expect(place).to_have_value(str(stepped), timeout=SECONDS)
            chat.idle()
        expect(main).to_contain_text("I look it up.")
        page.get_by_role("button", name="Step back").click()
        expect(place).to_have_value("2", timeout=SECONDS)
        expect(main).not_to_contain_text("I look it up.")
        page.get_by_role("button", name="Play", exact=True).click()
        # What the film has come to and shows from then on; the thought before it is seen for less than a second.
        chat.expect_text("high in SF")
        page.get_by_role("button", name="Pause").click()
        expect(place).to_be_visible(timeout=SECONDS)
        expect(main).not_to_contain_text("It was 54 °F.")
        chat.click(page.get_by_text("Instant"))
        chat.click(page.get_by_role("button", name="Play", exact=True))
        chat.expect_text("It was 54 °F.")
        expect(place).to_have_value("28", timeout=SECONDS)
        expect(page.get_by_test_id("stChatMessage").get_by_test_id("stExpander")).to_have_count(8)
        place.focus()
        place.press("Home")
        expect(main).not_to_contain_text("It was 54 °F.", timeout=SECONDS)
        expect(place).to_have_value("0")


def test_two_runs_side_by_side(browser: Browser, pages: Pages) -> None:
    with visit(browser, f"{pages.url}?c={pages.conversation}", cookie=pages.cookie, **PHONE) as chat:
        page, main = chat.page, chat.page.get_by_role("main")
        chat.click(page.get_by_role("link", name="Compare"))
        page.wait_for_url(re.compile(f"/compare\\?a={pages.runs['first']}&b={pages.runs['second']}"))
        expect(main).to_contain_text("2 of 2 steps differ.", timeout=SECONDS)
        expect(main.locator("del")).to_have_text(["54 "])
        expect(main.locator("ins")).to_have_text(["56 "])
        expect(page.get_by_test_id("stTable")).to_contain_text("Tokens out")
        chat.click(page.get_by_text("Mark what differs"))
        expect(main.locator("ins")).to_have_count(2, timeout=SECONDS)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.goto(pages.compare("first", "first"))
        expect(main).to_contain_text("Every step is the same in both.", timeout=SECONDS)
        expect(main.locator("ins, del")).to_have_count(0)


def test_a_run_at_work(browser: Browser, pages: Pages) -> None:
    run = pages.store.add_run(pages.store.add_conversation(VISITOR, "At work"))
    events = run_of("Is it done?", "54")
    pages.store.append(run, events[:5])
    with visit(browser, pages.url, cookie=pages.cookie) as chat:
        page, main = chat.page, chat.page.get_by_role("main")
        page.goto(f"{pages.url}run?r={run}")
        expect(main).to_contain_text("Still at work", timeout=SECONDS)
        expect(main).to_contain_text("5 entries")
        pages.store.append(run, events[5:])
        page.get_by_role("button", name="Refresh").click()
        expect(main).to_contain_text("10 entries", timeout=SECONDS)
        expect(main).not_to_contain_text("Still at work")


@pytest.mark.parametrize("screen", ["desk light", "phone dark"])
def test_the_pages_can_be_used_by_everybody(browser: Browser, pages: Pages, screen: str) -> None:
    """axe finds nothing serious on them; the film can be played by the keyboard."""
    size, scheme = screen.split()
    options = {**(PHONE if size == "phone" else {}), "color_scheme": scheme, "reduced_motion": "reduce"}
    with visit(browser, pages.url, cookie=pages.cookie, **options) as chat:
        page = chat.page
        page.goto(pages.run("slow"))
        page.get_by_text("As a table").click()
        expect(page.get_by_role("table")).to_be_visible(timeout=SECONDS)
        chat.click(page.locator(".st-key-events summary").nth(2))
        expect(page.get_by_test_id("stCode")).to_be_visible(timeout=SECONDS)
        chat.idle()
        assert violations(page) == []
        page.get_by_role("tab", name="Replay").click()
        expect(page.get_by_role("slider", name="Entry")).to_be_visible(timeout=SECONDS)
        chat.idle()
        assert violations(page) == []
        if size == "desk":
            chat.tab_to("Play")
            page.keyboard.press("Enter")
            expect(page.get_by_role("button", name="Pause")).to_be_focused(timeout=SECONDS)
        page.goto(pages.compare("first", "second"))
        expect(page.locator("del").first).to_be_visible(timeout=SECONDS)
        chat.idle()
        assert violations(page) == []


def test_others_see_nothing_of_it(browser: Browser, pages: Pages) -> None:
    with visit(browser, pages.url) as ben:
        for address in (pages.run("first"), pages.compare("first", "second"), f"{pages.url}run"):
            ben.page.goto(address)
            ben.expect_text("No such run here")
            expect(ben.page.get_by_role("main")).not_to_contain_text("How warm")
        ben.page.get_by_role("link", name="To the chat").click()
        Chat(ben.page)
