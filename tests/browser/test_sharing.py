"""Sharing a chat: its read-only page with all of the glass box, taking it back, and who else tries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from agent.events import Answered, Asked, Event, Observed, Prepared, Replied, Source, ToolCalled
from agent.messages import Facts, Usage
from agent.sharing.shares import Shares
from agent.store.runs import Store
from agent.toolkit.base import artifact
from agent.wire.instructions import notes_part
from tests.support.accessibility import violations
from tests.support.app_services import visitor_of
from tests.support.browser import MOVING, SECONDS, Chat, rested, tab, visit, watched
from tests.support.servers.app_server import CLOUD, AppServer

pytestmark = pytest.mark.browser
CLIPBOARD = ["clipboard-read", "clipboard-write"]
SHARED = re.compile(r"http://localhost:\d+/shared\?s=[0-9a-f]{48}")
GONE = "This chat is not shared"
HTML = "<img src=x onerror=\"document.title='taken'\"> **bold** $5 [a](http://evil.test)"
NOTE, PASTED = "Lives in Elm Street 7", "sk-proj-abcdefghijkl0123456789"
# What a reader is not offered: to ask, edit, run, decide, judge, remember.
OFFERS = (
    "Try again",
    "More",
    "Edit the question",
    "Keep as a test",
    "Run again from here",
    "Change",
    "New chat",
    "Send",
)


class Reader:
    """Whoever has the address of a shared chat."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        page.set_default_timeout(SECONDS)
        watched(page).goto(address, timeout=SECONDS * 2)
        expect(page.get_by_role("link", name="Ask something yourself")).to_be_visible(timeout=SECONDS * 2)
        self.idle()

    def idle(self) -> None:
        rested(self.page, 100)

    def expect_text(self, text: str) -> None:
        expect(self.page.get_by_role("main")).to_contain_text(text)

    def reload(self) -> None:
        self.page.reload()
        expect(self.page.get_by_role("link", name="Ask something yourself")).to_be_visible(timeout=SECONDS * 2)
        self.idle()


@contextmanager
def read(browser: Browser, address: str, **options: Any) -> Iterator[Reader]:
    with tab(browser, **options) as page:
        yield Reader(page, address)


def open_share(chat: Chat) -> None:
    chat.button("Share…").click()
    expect(chat.dialog).to_be_visible()
    chat.idle()


def close(chat: Chat) -> None:
    chat.idle()  # a dialog that is drawn at this moment does not hear the key
    chat.page.keyboard.press("Escape")
    chat.closed()


def share(chat: Chat) -> str:
    """Share the open chat by the dialog alone: the address that was copied."""
    open_share(chat)
    expect(chat.dialog).to_contain_text("Nobody can ask or change anything there.")
    chat.button("Make a link").click()
    expect(chat.button("Copy this link")).to_be_visible()
    chat.click(chat.button("Copy this link"))
    chat.button("Copied").wait_for()
    address = chat.clipboard
    assert SHARED.fullmatch(address), address
    expect(chat.dialog.get_by_test_id("stCode")).to_contain_text(address)
    close(chat)
    return address


def keep(demo: AppServer, cookie: str, title: str, events: list[Event]) -> tuple[str, str, str]:
    """A chat of that visitor's, shared: its id, that of its run, and what its address names."""
    store = Store(demo.database)
    conversation = store.add_conversation(visitor_of(cookie), title)
    run = store.add_run(conversation)
    store.append(run, events)
    shares = Shares(store)
    shares.make(visitor_of(cookie), conversation, {}, cookie)
    (mine,) = (one for one in shares.of(visitor_of(cookie), cookie) if one.conversation == conversation)
    store.close()
    return conversation, run, mine.token


def test_share_read_take_back(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url, permissions=CLIPBOARD) as anna:
        anna.answer_to("What is the square root of 25?", "The square root of 25 is 5.")
        anna.answer_to("and its cube?", "The cube of 5 is 125.")
        address = share(anna)
        with read(browser, address) as reader:
            reader.expect_text("The cube of 5 is 125.")
            reader.expect_text("A shared chat, to read only")
            for name in OFFERS:
                expect(reader.page.get_by_role("button", name=name)).to_have_count(0)
            expect(reader.page.get_by_role("textbox")).to_have_count(0)
            expect(reader.page.get_by_test_id("stSidebar")).to_have_count(0)
            assert reader.page.context.cookies() == [] or "glassbox_visitor" not in str(reader.page.context.cookies())

            # What is asked later is not there, until the link is updated.
            anna.answer_to("What is the cube of 3?", "The cube of 3 is 27.")
            reader.reload()
            reader.expect_text("The cube of 5 is 125.")
            reader.idle()
            assert "cube of 3" not in reader.page.content()
            open_share(anna)
            expect(anna.dialog).to_contain_text("1 more was asked since.")
            anna.button("Update the link").click()
            expect(anna.button("Update the link")).to_have_count(0)
            close(anna)
            reader.reload()
            reader.expect_text("The cube of 3 is 27.")

            anna.open_settings()
            anna.button("Shared chats").click()
            anna.click(anna.dialog.get_by_role("button", name="Take it back"))
            expect(anna.dialog).to_contain_text("No chat is shared.")
            reader.page.get_by_test_id("stExpander").first.locator("summary").first.click()
            reader.expect_text(GONE)
            expect(reader.page.get_by_role("main")).not_to_contain_text("cube of")
            reader.reload()
            reader.expect_text(GONE)
            reader.page.get_by_role("link", name="Ask something yourself").click()
            expect(reader.page.get_by_test_id("stChatInputTextArea")).to_be_visible()


def test_the_share_goes_with_the_chat(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url, permissions=CLIPBOARD) as anna:
        anna.answer_to("What is the square root of 49?", "The square root of 49 is 7.")
        address = share(anna)
        with read(browser, address) as reader:
            reader.expect_text("The square root of 49 is 7.")
            anna.choose("What is the square root of 49?", "Delete")
            reader.reload()
            reader.expect_text(GONE)


EVENTS: list[Event] = [
    Asked(f"Is {PASTED} mine?", 1_790_000_000.0),
    Prepared(
        "q",
        f"Be brief.\n\n{notes_part('en', [NOTE])}",
        (),
        "react",
        "m-7",
        "http://gateway.corp.test/v1",
        facts=Facts(notes=(NOTE,)),
    ),
    Replied("", "I look it up.", Usage(10, 0, 5), 0.5, 0.1),
    ToolCalled("1", "search", "x", {"query": "rivers"}),
    Observed(
        "1",
        "The Nile is 6,650 km long.",
        0.5,
        sources=(Source(1, "Rivers", "https://example.org/a", "6,650 km"),),
        artifacts=(artifact("text", "Made here", b"what the step made"),),
    ),
    Replied("", "I know it.", Usage(10, 0, 5), 0.5, 0.1),
    Answered("The Nile is 6,650 km long; some say 7,088 km.", (), "stop"),
]


@pytest.fixture(scope="module")
def kept(demo: AppServer) -> tuple[str, str, str]:
    return keep(demo, "ab" * 16, HTML, EVENTS)


def test_everything_of_the_glass_box_is_there(browser: Browser, demo: AppServer, kept: tuple[str, str, str]) -> None:
    with read(browser, f"{demo.url}shared?s={kept[2]}") as reader:
        page = reader.page
        step = page.get_by_test_id("stExpander").first
        step.locator("summary").first.click()
        expect(step).to_contain_text("I look it up.")
        expect(step).to_contain_text("https://example.org/a".removeprefix("https://").partition("/")[0])
        reader.idle()
        page.get_by_text("Show Made here").click()
        reader.expect_text("what the step made")

        reader.idle()
        page.get_by_role("button", name="See the exact call").first.click()
        expect(page.get_by_role("dialog")).to_contain_text("Be brief.")
        expect(page.get_by_role("dialog")).to_contain_text("m-7")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        reader.idle()

        page.locator("a[href^='#claim-seen']").first.click()
        expect(page.get_by_role("dialog")).to_contain_text("Observation of step 1")
        expect(page.get_by_role("dialog")).to_contain_text("The Nile is 6,650 km long.")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        reader.idle()

        page.get_by_role("link", name="Run", exact=True).click()
        reader.expect_text("7 entries")
        expect(page.locator(".st-key-run-figures")).to_contain_text("m-7")
        reader.idle()
        page.get_by_role("tab", name="Replay").click()
        expect(page.get_by_role("button", name="Play").first).to_be_visible()
        reader.idle()
        page.get_by_role("link", name="To its chat").click()
        reader.expect_text("A shared chat, to read only")
        reader.idle()
        page.get_by_role("link", name="Context").click()
        reader.expect_text("What is told of each question")
        for name in ("Pin", "Leave out"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
        reader.idle()
        page.get_by_role("link", name="To its chat").click()
        reader.expect_text("A shared chat, to read only")


def test_nothing_of_the_owner_is_there(browser: Browser, demo: AppServer, kept: tuple[str, str, str]) -> None:
    """Neither on its pages nor in what the server sent for them."""
    with tab(browser) as page:
        sent: list[str] = []
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(str(frame))))
        reader = Reader(page, f"{demo.url}shared?s={kept[2]}")
        page.get_by_test_id("stExpander").first.locator("summary").first.click()
        reader.idle()
        page.get_by_role("button", name="See the exact call").first.click()
        expect(page.get_by_role("dialog")).to_contain_text("Be brief.")
        reader.idle()
        page.get_by_role("tab", name="Take along").click()
        reader.idle()
        seen = [page.content()]
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        for name in ("Run", "Context"):
            reader.idle()
            page.get_by_role("link", name=name, exact=True).click()
            expect(page.get_by_role("link", name="To its chat")).to_be_visible()
            reader.idle()
            for event in page.get_by_test_id("stExpander").all()[:3]:
                event.locator("summary").first.click()
                reader.idle()
            seen.append(page.content())
            page.get_by_role("link", name="To its chat").click()
            reader.expect_text("A shared chat, to read only")
        for text in (*seen, *sent):
            for hidden in ("Elm Street", PASTED, "gateway.corp", visitor_of("ab" * 16), "ab" * 16):
                assert hidden not in text, hidden


def test_a_title_is_text(browser: Browser, demo: AppServer, kept: tuple[str, str, str]) -> None:
    with read(browser, f"{demo.url}shared?s={kept[2]}") as reader:
        heading = reader.page.get_by_role("heading", level=2)
        expect(heading).not_to_have_text("")
        assert heading.inner_text().replace("\u2060", "") == HTML
        expect(reader.page).to_have_title("Shared chat · Glassbox")
        expect(reader.page.get_by_role("main").locator("img[src=x], a[href*=evil]")).to_have_count(0)


def test_who_has_a_link_reads_nothing_else(browser: Browser, demo: AppServer, kept: tuple[str, str, str]) -> None:
    conversation, run, token = kept
    other, other_run, _ = keep(demo, "cd" * 16, "Ben's", [Asked("Ben's own?", 1.0), Answered("Ben's secret")])
    forged = (
        f"run?r={other_run}&s={token}",
        f"context?r={other_run}&s={token}",
        f"run?r={run}&s={'0' * 48}",
        f"context?r={run}&s=",
        f"run?r={run}",
        f"compare?a={run}&b={other_run}&s={token}",
        f"shared?s={conversation}",
        f"shared?c={conversation}",
        f"shared?s={token[:-1]}",
        f"shared?s={token}%00",
        f"shared?s=../{token}",
        f"?c={conversation}&s={token}",
        f"data?c={conversation}&s={token}",
        f"documents?c={other}&s={token}",
    )
    with tab(browser) as page:
        for place in forged:
            watched(page).goto(f"{demo.url}{place}", timeout=SECONDS * 2)
            expect(page.get_by_role("main").get_by_role("paragraph").first).to_be_visible()
            rested(page, 200)
            content = page.content()
            for words in ("Ben's", "Nile", "Be brief", "what the step made"):
                assert words not in content, (place, words)


def test_the_pages_of_a_share_are_for_no_search_engine(demo: AppServer, kept: tuple[str, str, str]) -> None:
    for path in (f"/shared?s={kept[2]}", f"/run?r={kept[1]}&s={kept[2]}", f"/context?r={kept[1]}"):
        with closing(HTTPConnection(str(urlsplit(demo.url).netloc), timeout=30)) as connection:
            connection.request("GET", path)
            with connection.getresponse() as answer:
                answer.read()
                assert "noindex" in (answer.getheader("X-Robots-Tag") or ""), path
                assert answer.getheader("Referrer-Policy") == "same-origin"
    assert kept[2] not in demo.log


def test_where_the_owner_has_it_off(browser: Browser, tmp_path: Path) -> None:
    with AppServer(tmp_path, *CLOUD, GLASSBOX_SHARING="no") as app:
        token = keep(app, uuid4().hex, "old", EVENTS)[2]
        with visit(browser, app.url) as chat:
            chat.answer_to("What is the square root of 36?", "The square root of 36 is 6.")
            expect(chat.button("Copy link")).to_be_visible()
            expect(chat.button("Share…")).to_have_count(0)
        with read(browser, f"{app.url}shared?s={token}") as reader:
            reader.expect_text(GONE)


def test_by_the_keyboard_alone(browser: Browser, demo: AppServer) -> None:
    with visit(browser, demo.url, permissions=CLIPBOARD, **MOVING) as chat:
        chat.answer_to("What is the square root of 81?", "The square root of 81 is 9.")
        keyboard = chat.page.keyboard
        chat.tab_to("Share…")
        for name in ("Make a link", "Copy this link"):
            keyboard.press("Enter")
            expect(chat.button(name)).to_be_visible()
            chat.idle()
            chat.tab_to(name)
        keyboard.press("Enter")
        chat.button("Copied").wait_for()
        assert SHARED.fullmatch(chat.clipboard)
        with read(browser, chat.clipboard) as reader:
            reader.expect_text("The square root of 81 is 9.")
        chat.tab_to("Take it back")
        keyboard.press("Enter")
        expect(chat.button("Make a link")).to_be_visible()


@pytest.mark.parametrize("look", ["desk light", "phone dark"])
def test_axe_finds_nothing_serious(browser: Browser, demo: AppServer, kept: tuple[str, str, str], look: str) -> None:
    size, scheme = look.split()
    viewport = {"width": 390, "height": 844} if size == "phone" else {"width": 1280, "height": 800}
    looks = {"viewport": viewport, "color_scheme": scheme, "reduced_motion": "reduce"}
    with read(browser, f"{demo.url}shared?s={kept[2]}", **looks) as reader:
        reader.page.get_by_test_id("stExpander").first.locator("summary").first.click()
        expect(reader.page.get_by_test_id("stExpander").first).to_contain_text("I look it up.")
        reader.idle()
        assert violations(reader.page) == []
        assert reader.page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
        reader.page.goto(f"{demo.url}shared?s=x")
        reader.expect_text(GONE)
        assert violations(reader.page) == []
    with visit(browser, demo.url, permissions=CLIPBOARD, **looks) as chat:
        chat.answer_to("What is the square root of 100?", "The square root of 100 is 10.")
        open_share(chat)
        assert violations(chat.page) == []
        chat.button("Make a link").click()
        expect(chat.button("Copy this link")).to_be_visible()
        chat.idle()
        assert violations(chat.page) == []
