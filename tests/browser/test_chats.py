"""Keeping chats: find, rename, pin, delete, share, judge; on a phone and by the keyboard alone, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from agent.events import Answered, Asked, Prepared, Replied
from agent.messages import Usage
from agent.store.runs import Store
from tests.support.app_services import visitor_of
from tests.support.browser import MOVING, SECONDS, Chat, visit
from tests.support.servers.app_server import AppServer

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
CLIPBOARD = ["clipboard-read", "clipboard-write"]
Turns = list[tuple[str, str]]


@pytest.fixture
def cookie() -> str:
    """A visitor's, new for each test."""
    return uuid4().hex


@pytest.fixture
def chat(browser: Browser, demo: AppServer) -> Iterator[Chat]:
    with visit(browser, demo.url, permissions=CLIPBOARD) as visiting:
        yield visiting


def keep(demo: AppServer, cookie: str, *chats: Turns) -> list[str]:
    """Put chats of the visitor with that cookie into the store, the last one the latest; their ids."""
    store = Store(demo.database)
    ids: list[str] = []
    for turns in chats:
        ids.append(store.add_conversation(visitor_of(cookie), turns[0][0]))
        last = ""
        for question, answer in turns:
            last = store.add_run(ids[-1], last)
            prepared = Prepared(question, "", (), "react", "m", "http://127.0.0.1:9/v1")
            replied = Replied(f"Final Answer: {answer}", f"I know of {question}", Usage(), 0.1, 0.1)
            store.append(last, [Asked(question, 1_790_000_000.0), prepared, replied, Answered(answer)])
    store.close()
    return ids


def test_the_tab_and_the_menu_of_each_chat_are_called_by_its_title(
    browser: Browser, demo: AppServer, cookie: str
) -> None:
    keep(demo, cookie, [("Budget *2027* [draft]", "Fine.")], [("Who wrote Emma?", "Jane Austen.")])
    with visit(browser, demo.url, demo.signed(cookie)) as chat:
        expect(chat.page).to_have_title("Chat · Glassbox")
        for title in ("Budget *2027* [draft]", "Who wrote Emma?"):
            expect(chat.page.get_by_role("button", name=f"More of “{title}”", exact=True)).to_have_count(1)
        chat.chats.last.click()
        chat.expect_text("Fine.")
        expect(chat.page).to_have_title("Budget *2027* [draft] · Glassbox")
        chat.choose("Budget", "Rename")
        chat.page.get_by_role("textbox", name="Name").fill("Plans")
        chat.page.keyboard.press("Enter")
        expect(chat.page).to_have_title("Plans · Glassbox")
        chat.new_chat()
        expect(chat.page).to_have_title("Chat · Glassbox")


def test_search_looks_into_old_answers_whatever_their_case(browser: Browser, demo: AppServer, cookie: str) -> None:
    found, _ = keep(
        demo,
        cookie,
        [("Where do they live?", "In the Serengeti."), ("And what do they eat?", "Mostly GRASS, and ﬁgs.")],
        [("Who wrote Emma?", "Jane Austen.")],
    )
    with visit(browser, demo.url, demo.signed(cookie)) as chat:
        expect(chat.chats).to_have_count(2)
        for words in ("grass", "GRASS serengeti", "eMMa"):
            chat.search(words)
            expect(chat.chats).to_have_count(1)
        chat.search("mostly")
        expect(chat.chats).to_have_text([re.compile("Where do they live")])
        chat.chats.first.click()
        chat.expect_text("Mostly GRASS")
        assert chat.page.url.endswith(f"?c={found}")
        chat.search("grass emma")
        expect(chat.chats).to_have_count(0)
        expect(chat.page.get_by_text("No chat has all of these words.")).to_be_visible()
        chat.search("")
        expect(chat.chats).to_have_count(2)
        expect(chat.page.get_by_text("No chat has all of these words.")).to_have_count(0)


def test_rename_and_pin(browser: Browser, demo: AppServer, cookie: str) -> None:
    keep(demo, cookie, [("old", "A.")], [("middle", "B.")], [("new", "C.")])
    with visit(browser, demo.url, demo.signed(cookie)) as chat:
        expect(chat.chats).to_have_text(["new", "middle", "old"])
        chat.choose("old", "Pin")
        expect(chat.chats).to_have_text(["old", "new", "middle"])
        expect(chat.page.get_by_test_id("stSidebar").get_by_text("Pinned")).to_be_visible()

        chat.choose("old", "Rename")
        name, save = chat.page.get_by_role("textbox", name="Name"), chat.dialog.get_by_role("button", name="Rename")
        expect(name).to_have_value("old")
        name.fill("   ")
        save.click()
        expect(chat.dialog).to_contain_text("A chat needs a name.")
        name.fill("")
        chat.page.keyboard.insert_text("A pasted line of words " * 4)
        chat.page.keyboard.press("Enter")
        expect(chat.dialog).to_contain_text("A name has at most 80 characters; this is longer.")
        expect(chat.chats.first).to_have_text("old")
        name.fill("Costs $5 and **more** <b>")
        save.click()
        expect(chat.dialog).to_have_count(0)
        expect(chat.chats).to_have_text(["Costs $5 and **more** <b>", "new", "middle"])

        chat.choose("Costs $5", "Unpin")
        expect(chat.chats.last).to_have_text("Costs $5 and **more** <b>")
        chat.page.reload()
        expect(chat.chats.last).to_have_text("Costs $5 and **more** <b>", timeout=SECONDS)


def test_delete_and_undo(browser: Browser, demo: AppServer, cookie: str) -> None:
    _, last = keep(demo, cookie, [("first", "A.")], [("last", "The very last.")])
    with visit(browser, f"{demo.url}?c={last}", demo.signed(cookie)) as chat:
        chat.expect_text("The very last.")
        chat.choose("last", "Delete")
        chat.expect_text("What shall we find out?")
        expect(chat.chats).to_have_text(["first"])
        tab = chat.another_tab(f"{demo.url}?c={last}")
        tab.expect_text("There is no such conversation here.")
        assert "The very last." not in tab.page.content()
        tab.page.close()

        chat.button("Undo").click()
        chat.expect_text("The very last.")
        expect(chat.chats).to_have_text(["last", "first"])
        expect(chat.button("Undo")).to_have_count(0)
        assert chat.page.url.endswith(f"?c={last}")


def test_more_than_thirty_chats(browser: Browser, demo: AppServer, cookie: str) -> None:
    keep(demo, cookie, *([(f"chat number {number}", "A.")] for number in range(33)))
    with visit(browser, demo.url, demo.signed(cookie)) as chat:
        expect(chat.chats).to_have_count(30)
        expect(chat.chats.first).to_have_text("chat number 32")
        chat.click(chat.button("Show more"))
        expect(chat.chats).to_have_count(33)
        expect(chat.button("Show more")).to_have_count(0)
        chat.click(chat.chats.last)
        expect(chat.answers.first).to_contain_text("chat number 0")
        chat.new_chat()
        expect(chat.chats).to_have_count(33)


def test_earlier_turns_come_on_demand(browser: Browser, demo: AppServer, cookie: str) -> None:
    (conversation,) = keep(demo, cookie, [(f"question {n:02}", f"answer {n:02}") for n in range(1, 31)])
    with visit(browser, f"{demo.url}?c={conversation}", demo.signed(cookie)) as chat:
        expect(chat.answers).to_have_count(12, timeout=SECONDS)
        expect(chat.answers.first).to_contain_text("question 25")
        chat.click(chat.button("Show 24 earlier turns"))
        expect(chat.answers).to_have_count(52, timeout=SECONDS)
        expect(chat.answers.first).to_contain_text("question 05")
        chat.click(chat.button("Show 4 earlier turns"))
        expect(chat.answers).to_have_count(60, timeout=SECONDS)
        expect(chat.button(re.compile("earlier turn"))).to_have_count(0)
        # They are there to be read; one that is looked into is drawn whole.
        expect(chat.button("Steps and more")).to_have_count(24)
        chat.click(chat.button("Steps and more").first)
        expect(chat.button("Steps and more")).to_have_count(23)
        expect(chat.page.get_by_role("link", name="Run", exact=True)).to_have_count(7)
        # A new turn is drawn below all that is shown, and takes nothing of it away.
        chat.answer_to("What is the cube of 3?", "The cube of 3 is 27.")
        expect(chat.answers.last).to_contain_text("27")
        assert chat.answers.count() >= 60


def test_a_verdict_is_kept(chat: Chat) -> None:
    chat.answer_to("What is the cube of 3?", "The cube of 3 is 27.")
    good, bad = (chat.page.get_by_role("radio", name=f"Thumbs {way}") for way in ("up", "down"))
    chat.page.get_by_role("radiogroup", name="Feedback rating").locator("label, button").nth(1).click()
    expect(bad).to_be_checked()
    chat.idle()
    chat.page.reload()
    expect(bad).to_be_checked(timeout=SECONDS)
    expect(good).not_to_be_checked()


def test_copy_takes_the_answer_and_the_address(chat: Chat) -> None:
    chat.answer_to("What is 15% of $80?", "15% of $80 is $12.")
    chat.page.get_by_role("button", name="Copy", exact=True).click()
    chat.button("Copied").wait_for()
    assert chat.clipboard == "15% of $80 is $12."
    chat.button("Copy link").click()
    chat.page.wait_for_function("async () => (await navigator.clipboard.readText()).startsWith('http')")
    assert chat.clipboard == chat.page.url
    chat.answers.first.wait_for()
    tab = chat.another_tab(chat.clipboard)
    tab.expect_text("15% of $80 is $12.")


def test_settings_hold_for_the_next_question_until_they_are_put_back(chat: Chat) -> None:
    chat.idle()
    chat.open_settings()
    chat.dialog.get_by_label("Most steps").fill("1")
    chat.button("Save").click()
    chat.closed()
    chat.ask("What is the square root of 36?")
    chat.expect_text("The limit on model calls (1) was reached: this is the best answer")
    chat.settle()

    chat.open_settings()
    expect(chat.dialog.get_by_label("Most steps")).to_have_value("1")
    chat.button("Back to defaults").click()
    chat.closed()
    chat.open_settings()
    expect(chat.dialog.get_by_label("Most steps")).to_have_value("15")
    chat.dialog.get_by_role("toolbar", name="Tools").get_by_role("button", name="calculator").click()
    chat.click(chat.button("Save"))
    chat.closed()
    chat.ask("What is the square root of 49?")
    chat.expect_text("This needs the tool “Calculator”, which is switched off here.")
    chat.settle()
    assert "Calculated" not in chat.answers.last.inner_text()

    chat.open_settings()
    expect(
        chat.dialog.get_by_role("toolbar", name="Tools").get_by_role("button", name="calculator", pressed=False)
    ).to_be_visible()
    chat.button("Back to defaults").click()
    chat.closed()
    chat.answer_to("What is the square root of 64?", "The square root of 64 is 8.")


def test_a_number_out_of_bounds_says_what_it_may_be_and_is_not_saved(chat: Chat) -> None:
    chat.idle()
    chat.open_settings()
    steps, temperature = chat.dialog.get_by_label("Most steps"), chat.dialog.get_by_label("Temperature")
    steps.fill("500")
    temperature.fill("7")
    temperature.press("Tab")
    for allowed in ("From 1 to 100", "From 0 to 2"):
        told = chat.dialog.locator(f"[data-bounds='{allowed}']")
        expect(told).to_be_visible()
        assert allowed in told.evaluate("told => getComputedStyle(told, '::after').content")
    chat.button("Save", exact=True).click()
    expect(steps).to_be_focused()
    chat.page.keyboard.press("Escape")
    chat.closed()
    chat.open_settings()
    expect(chat.dialog.get_by_label("Most steps")).to_have_value("15")


def test_everything_of_a_visitor_is_deleted_at_once(browser: Browser, demo: AppServer, cookie: str) -> None:
    old, _ = keep(demo, cookie, [("Who wrote Emma?", "Jane Austen.")], [("And Persuasion?", "She as well.")])
    with visit(browser, demo.url, demo.signed(cookie)) as chat:
        chat.page.goto(f"{demo.url}?c={old}")
        chat.expect_text("Jane Austen.")
        chat.settle()
        chat.box.fill("A secret that is not sent")
        for pressed in ("Settings", "Delete everything…"):
            chat.button(pressed).click()
            chat.idle()
        expect(chat.dialog).to_contain_text("It cannot be undone")
        expect(chat.dialog).to_contain_text("2 chats are listed now.")
        chat.button("Keep it all").click()
        chat.idle()
        expect(chat.chats).to_have_count(2)
        for pressed in ("Delete everything…", "Delete everything now"):
            chat.button(pressed).click()
            chat.idle()
        expect(chat.dialog).to_contain_text("Everything is deleted.")
        chat.button("Done").click()
        chat.expect_text("What shall we find out?")
        expect(chat.chats).to_have_count(0)
        expect(chat.page.get_by_role("button", name="Undo")).to_have_count(0)
        expect(chat.box).to_have_value("")
        chat.page.goto(f"{demo.url}?c={old}")
        chat.expect_text("There is no such conversation here.")
        assert not chat.page.evaluate("Object.keys(localStorage).filter(key => key.includes('draft')).length")


def test_the_dots_of_a_menu_are_large_enough_to_be_seen_on_a_phone(
    browser: Browser, demo: AppServer, cookie: str
) -> None:
    """At the size of the text they are three points of two pixels."""
    keep(demo, cookie, [("Who wrote Emma?", "Jane Austen.")])
    with visit(browser, demo.url, demo.signed(cookie), **PHONE, color_scheme="dark") as chat:
        chat.idle()
        chat.page.get_by_test_id("stExpandSidebarButton").tap()
        menu = chat.page.get_by_role("button", name="More of “Who wrote Emma?”")
        expect(menu).to_be_visible()
        dots = menu.get_by_test_id("stIconMaterial").first.bounding_box()
        assert dots and dots["width"] >= 20 and dots["height"] >= 20
        room = menu.bounding_box()
        assert room and room["width"] >= 40 and room["height"] >= 40


def test_who_can_open_a_copied_link_is_said_on_a_phone_too(browser: Browser, demo: AppServer, cookie: str) -> None:
    keep(demo, cookie, [("Who wrote Emma?", "Jane Austen.")])
    with visit(browser, demo.url, demo.signed(cookie), permissions=["clipboard-write"], **PHONE) as chat:
        chat.page.get_by_test_id("stExpandSidebarButton").tap()
        chat.click(chat.chats.first)
        chat.expect_text("Jane Austen.")
        chat.idle()
        chat.page.locator(".st-key-conversation-bar .glassbox-copy").tap()
        said = chat.page.get_by_text("Opens in this browser only")
        expect(said).to_be_in_viewport(ratio=1)
        assert float(said.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")) >= 12
        assert chat.overflow <= 0


def test_what_is_touched_in_menus_and_settings_is_large_enough(browser: Browser, demo: AppServer, cookie: str) -> None:
    keep(demo, cookie, [("Who wrote Emma?", "Jane Austen.")])
    with visit(browser, demo.url, demo.signed(cookie), **PHONE) as chat:
        chat.open_settings()
        for place in ("stNumberInputStepUp", "stCheckbox"):
            room = chat.dialog.get_by_test_id(place).first.bounding_box()
            assert room and room["height"] >= 40, place
        chat.page.keyboard.press("Escape")
        chat.closed()
        chat.page.get_by_test_id("stExpandSidebarButton").tap()
        chat.idle()
        chat.page.get_by_role("button", name="More of “Who wrote Emma?”").tap()
        item = chat.page.get_by_role("menuitem", name="Rename")
        expect(item).to_be_visible()
        chat.idle()  # it grows as it opens
        room = item.bounding_box()
        assert room and room["height"] >= 40


def test_on_a_phone(browser: Browser, demo: AppServer, cookie: str) -> None:
    table = f"|{'wide|' * 40}\n|{'-|' * 40}\n|{'1|' * 40}\n\nThat is all."
    (old,) = keep(demo, cookie, [("An old chat with a long name that does not fit into a line of a phone", table)])
    with visit(browser, demo.url, demo.signed(cookie), **PHONE) as chat:
        chat.idle()
        assert chat.overflow <= 0
        chat.button("What is the square root of 25?").tap()
        chat.expect_text("The cube of 5 is 125.")
        chat.settle()
        step = chat.steps.first
        step.locator("summary").tap()
        expect(step).to_contain_text("Observation")
        wide = step.bounding_box()
        assert wide and wide["x"] <= 20 and wide["width"] >= 350  # nothing stands beside an answer
        taken = step.locator("summary p > span").bounding_box()
        assert taken and taken["x"] + taken["width"] > 310  # its seconds stand at the end of its row
        for control in (chat.box, chat.button("Copy link"), chat.button("Settings"), chat.button("Connect a model")):
            control.scroll_into_view_if_needed()
            box = control.bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390
        assert chat.overflow <= 0
        chat.page.goto(f"{demo.url}?c={old}")
        chat.expect_text("That is all.")
        chat.settle()
        assert chat.overflow <= 0  # the table scrolls by itself

        chat.button("Connect a model").tap()
        chat.idle()
        chat.button("Another server").tap()
        address = chat.page.get_by_role("textbox", name="Address")
        expect(address).to_be_visible()
        chat.idle()
        assert (address.bounding_box() or {"width": 0})["width"] > 250
        chat.dialog.get_by_role("button", name="Close").tap()
        chat.closed()

        chat.button("Expand sidebar").tap()
        chat.idle()
        chat.chats.filter(has_text="An old chat").tap()
        chat.expect_text("An old chat")
        expect(chat.answers).to_have_count(2)


def test_by_the_keyboard_alone(browser: Browser, demo: AppServer, cookie: str) -> None:
    (conversation,) = keep(demo, cookie, [("Where do they live?", "In the Serengeti.")])
    with visit(browser, f"{demo.url}?c={conversation}", demo.signed(cookie), **MOVING) as chat:
        keyboard = chat.page.keyboard
        chat.expect_text("Serengeti")
        chat.idle()
        chat.tab_to("Ask a follow-up")
        keyboard.type("What is the cube of 4?")
        keyboard.press("Enter")
        chat.expect_text("The cube of 4 is 64.")
        chat.settle()
        expect(chat.box).to_be_focused()

        chat.tab_to("Calculated")
        keyboard.press("Enter")
        expect(chat.steps.filter(has_text="Calculated")).to_contain_text("Observation")
        chat.idle()

        chat.tab_to("New chat")
        chat.tab_to("More")
        keyboard.press("Enter")
        expect(chat.page.locator("[role=menu]:focus-within")).to_be_visible()
        for key, item in (("ArrowDown", "Pin"), ("ArrowUp", "Rename")):
            keyboard.press(key)
            expect(chat.page.get_by_role("menuitem", name=item)).to_be_focused()
        keyboard.press("Enter")
        expect(chat.page.get_by_role("textbox", name="Name")).to_be_visible()
        chat.idle()
        chat.tab_to("Name", most=4)
        keyboard.press("Control+A")
        keyboard.type("Lions")
        keyboard.press("Enter")
        chat.closed()
        expect(chat.chats).to_have_text(["Lions"])

        chat.tab_to("Connect a model")
        keyboard.press("Enter")
        expect(chat.dialog).to_be_visible()
        chat.idle()
        chat.tab_to("Another server")
        keyboard.press("Enter")
        expect(chat.page.get_by_role("textbox", name="Address")).to_be_visible()
        chat.idle()
        chat.tab_to("Address", most=1)  # the focus has stayed on the card
        keyboard.press("Escape")
        expect(chat.dialog).to_have_count(0)
