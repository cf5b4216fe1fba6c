"""Visitors of one server never meet: each in a browser of their own, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.app_services import visitor_of
from tests.support.browser import SECONDS, Chat, visit, watched
from tests.support.servers.app_server import AppServer
from tests.support.servers.model_server import ModelServer

pytestmark = pytest.mark.browser
QUESTION = "What is the cube of 17?"
ANSWER = "The cube of 17 is 4913."
SIGNED = re.compile(r"[0-9a-f]{32}\.[\w-]{27,}")
NOTHING = "There is no such conversation here."


@pytest.fixture(scope="module")
def anna(browser: Browser, demo: AppServer) -> Iterator[Chat]:
    """A visitor with one chat, whom the others are not to meet."""
    with visit(browser, demo.url) as chat:
        chat.answer_to(QUESTION, ANSWER)
        yield chat


def conversation(chat: Chat) -> str:
    """The id of the open one."""
    found = re.search(r"\?c=([0-9a-f]{32})$", chat.page.url)
    assert found, chat.page.url
    return found[1]


def expect_nothing_of(anna: Chat, chat: Chat) -> None:
    """Neither the words nor the ids of ``anna`` are anywhere in the page of ``chat``, or kept by its browser."""
    kept = chat.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    own = (QUESTION, ANSWER, "4913", conversation(anna), anna.browser_id, visitor_of(anna.browser_id))
    for place in (chat.page.content(), kept):
        assert [words for words in own if words in place] == []


def test_a_stranger_sees_no_list_no_search_hit_and_no_address(browser: Browser, demo: AppServer, anna: Chat) -> None:
    expect(anna.chats).to_have_count(1)
    with visit(browser, demo.url) as ben:
        assert SIGNED.fullmatch(ben.new_cookie()) and ben.cookie != anna.cookie
        expect(ben.chats).to_have_count(0)
        ben.search("cube")
        ben.page.get_by_text("No chat has all of these words.").wait_for()
        expect_nothing_of(anna, ben)

        visiting = ben.another_tab(anna.page.url)
        visiting.expect_text(NOTHING)
        expect(visiting.answers).to_have_count(0)
        expect(visiting.button("Copy link")).to_have_count(0)
        expect_nothing_of(anna, visiting)


def test_what_a_stranger_asks_at_anothers_address_is_a_chat_of_their_own(
    browser: Browser, demo: AppServer, anna: Chat
) -> None:
    with visit(browser, anna.page.url) as ben:
        ben.expect_text(NOTHING)
        ben.answer_to("What is 2+2?", "2 + 2 is 4.")
        assert conversation(ben) != conversation(anna)
        expect(ben.chats).to_have_count(1)
        expect_nothing_of(anna, ben)
    anna.page.reload()
    anna.expect_text(ANSWER)
    anna.settle()
    expect(anna.answers).to_have_count(2)
    expect(anna.chats).to_have_count(1)


def test_errors_of_one_say_nothing_of_another(browser: Browser, demo: AppServer, anna: Chat) -> None:
    with ModelServer(["Final Answer: never"], key="sk-of-nobody") as model, visit(browser, demo.url) as ben:
        ben.connect(model.endpoint, "sk-wrong-key-of-ben", "scripted-model")
        ben.ask("Are you there?")
        ben.expect_text("key")
        ben.button("Try again").wait_for()
        ben.settle()
        expect_nothing_of(anna, ben)
        assert "sk-wrong-key-of-ben" not in ben.page.content()
    assert "sk-wrong-key-of-ben" not in demo.log
    for words in (QUESTION, ANSWER, conversation(anna), anna.browser_id):
        assert words not in demo.log


@pytest.mark.parametrize("forged", ["x", "0" * 33, "../../etc/passwd", "hash", "id", "unsigned", "mixed"])
def test_a_forged_cookie_makes_a_new_visitor(browser: Browser, anna: Chat, forged: str) -> None:
    theirs = {
        "hash": visitor_of(anna.browser_id),
        "id": conversation(anna),
        "unsigned": anna.browser_id,
        "mixed": f"{'0' * 32}.{anna.cookie.partition('.')[2]}",
    }
    with visit(browser, anna.page.url, cookie=theirs.get(forged, forged)) as forger:
        forger.expect_text(NOTHING)
        forger.idle()
        expect(forger.chats).to_have_count(0)
        assert QUESTION not in forger.page.content()
        if forged not in theirs:
            assert SIGNED.fullmatch(forger.new_cookie(forged)) and forger.cookie != anna.cookie


def test_tabs_of_one_browser_are_one_visitor_also_after_a_restart(demo: AppServer, anna: Chat) -> None:
    for restarted in (False, True):
        if restarted:
            demo.kill()
            demo.start()
        tab = anna.another_tab(demo.url)
        tab.chats.filter(has_text=QUESTION).click()
        tab.expect_text(ANSWER)
        tab.idle()
        assert tab.page.url == anna.page.url
        tab.page.close()


def test_a_tab_that_was_left_has_nothing_of_its_visitor(browser: Browser, demo: AppServer) -> None:
    """What lets the tests of all files share tabs."""
    kept = "[localStorage.getItem('mine'), sessionStorage.getItem('mine'), document.cookie.includes('mine')]"
    with visit(browser, demo.url) as chat:
        page, first = chat.page, chat.new_cookie()
        page.evaluate("localStorage.mine = sessionStorage.mine = document.cookie = 'mine=1'")
        assert page.evaluate(kept) == ["mine=1", "mine=1", True]
        chat.another_tab()
    with visit(browser, demo.url) as chat:
        assert chat.page is page
        assert page.context.pages == [page]
        assert page.evaluate(kept) == [None, None, False]
        assert chat.new_cookie() != first


def test_tabs_opened_at_once_are_one_visitor(browser: Browser, demo: AppServer) -> None:
    with browser.new_context() as context:
        tabs = context.new_page(), context.new_page()
        for tab in tabs:
            watched(tab).goto(demo.url, wait_until="commit")
        for tab in tabs:
            expect(tab.get_by_test_id("stChatInputTextArea")).to_be_visible(timeout=SECONDS)
        first, second = (Chat(tab) for tab in tabs)
        first.wait_for_cookie()
        # One of them has set the cookie; the other one, which was to set another, loads itself anew.
        for tab in (first, second):
            expect(tab.page.locator(".st-key-announcer")).to_have_attribute("aria-live", "polite")
            tab.quiet()
        first.answer_to("What is 3+3?", "3 + 3 is 6.")
        second.answer_to("What is 4+4?", "4 + 4 is 8.")
        expect(second.chats).to_have_count(2)


def test_without_cookies_the_chat_works_as_long_as_the_tab_is_open(browser: Browser, demo: AppServer) -> None:
    with browser.new_context() as context:
        # As a browser that takes no cookies: the answer comes, and what it would set does not.
        context.route("**/glassbox-visitor", lambda route: route.fulfill(status=204))
        chat = Chat(watched(context.new_page()), demo.url)
        chat.answer_to("What is the square root of 25?", "The square root of 25 is 5.")
        assert chat.cookie == ""
        chat.answer_to("and its cube?", "125")
        chat.new_chat()
        expect(chat.chats).to_have_count(1)
        chat.chats.first.click()
        chat.expect_text("The square root of 25 is 5.")
        chat.page.reload()
        chat.expect_text(NOTHING)
        expect(chat.chats).to_have_count(0)


def test_a_typed_key_stays_in_the_memory_of_the_session(browser: Browser, demo: AppServer) -> None:
    key = "sk-planted-0123456789abcdef"
    with (
        ModelServer(["Final Answer: Hello from the model."], key=key) as model,
        visit(browser, demo.url) as chat,
    ):
        chat.connect(model.endpoint, key)
        chat.answer_to("Are you there?", "Hello from the model.")
        assert key not in chat.page.content() + chat.page.url + chat.cookie
        assert key not in chat.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        with visit(browser, demo.url) as other:
            other.open_connect()
            other.button("Another server").click()
            expect(other.page.get_by_role("textbox", name="Key")).to_have_value("")
            assert key not in other.page.content() and model.endpoint not in other.page.content()
        files = [path for path in demo.folder.rglob("*") if path.is_file()]
        assert {"app.log", "glassbox.db"} <= {path.name for path in files}
        assert [path for path in files if key.encode() in path.read_bytes()] == []
