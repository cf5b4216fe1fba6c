"""What is sent before its files are there, or before its chat is open, in a real Chromium with a slow server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Route, expect

from agent.sandbox import client
from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import AppServer

pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(client.missing()), reason=client.missing())]
FILES_COME = "It is sent as soon as its files are there."
CHAT_COMES = "It is sent as soon as the chat is open."
OFFLINE = "No connection. What you send waits here until it is back."
ONLINE_AGAIN = "No connection. It is sent as soon as it is back."
UPLOADS = "**/upload_file/**"
ASKED, ANSWER = "How many rows are there?", "is 3."


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    with AppServer(tmp_path_factory.mktemp("box")) as running:
        yield running


@pytest.fixture
def chat(browser: Browser, app: AppServer) -> Iterator[Chat]:
    with visit(browser, app.url) as visiting:
        visiting.idle()
        yield visiting


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("files") / "people.csv"
    file.write_text("name,age\nAda,36\nAlan,41\nGrace,85\n", encoding="utf-8")
    return file


def put(chat: Chat, file: Path) -> None:
    """Give the box a file, without a look at what becomes of it."""
    chat.page.get_by_test_id("stChatInput").locator("input[type=file]").set_input_files(file)


def put_slowly(chat: Chat, file: Path) -> list[Route]:
    """Give the box a file whose content does not come to the server before it is ``let_go``."""
    held = list[Route]()

    def hold(route: Route) -> None:  # Playwright takes no method of a list
        held.append(route)

    chat.page.route(UPLOADS, hold)
    put(chat, file)
    expect(chat.page.get_by_test_id("stFileChipIconSpinner")).to_have_count(1)
    return held


def let_go(chat: Chat, held: list[Route]) -> None:
    for route in held:
        route.continue_()
    chat.page.unroute(UPLOADS)


def said(chat: Chat, text: str) -> None:
    expect(chat.page.get_by_test_id("stChatInput")).to_contain_text(text)


@pytest.mark.parametrize("question", ["", ASKED])
def test_a_file_that_is_still_on_its_way_is_sent_once_it_is_there(chat: Chat, people: Path, question: str) -> None:
    held = put_slowly(chat, people)
    chat.ask(question)
    said(chat, FILES_COME)
    expect(chat.box).to_have_value(question)
    let_go(chat, held)
    chat.expect_text(f"The number of rows of people {ANSWER}" if question else "3 rows and 2 columns, from people.csv")
    expect(chat.page.get_by_test_id("stFileChip")).to_have_count(0)
    expect(chat.page.get_by_text(FILES_COME)).to_have_count(0)


def test_a_question_does_not_go_without_a_file_that_the_server_has_not_heard_of(
    chat: Chat, app: AppServer, people: Path
) -> None:
    app.pause()
    put(chat, people)
    chat.ask(ASKED)
    said(chat, FILES_COME)
    app.go_on()
    chat.expect_text(ANSWER)
    expect(chat.answers).to_have_count(2)


def test_who_goes_on_typing_sends_it_again(chat: Chat, people: Path) -> None:
    held = put_slowly(chat, people)
    chat.ask("How many rows")
    said(chat, FILES_COME)
    chat.box.press_sequentially(" are there?")
    expect(chat.page.get_by_text(FILES_COME)).to_have_count(0)
    let_go(chat, held)
    expect(chat.button("Send message")).to_be_enabled()
    expect(chat.box).to_have_value(ASKED)
    chat.box.press("Enter")
    chat.expect_text(ANSWER)


def test_a_file_is_taken_though_the_connection_was_cut_before_it_had_a_place(
    chat: Chat, app: AppServer, people: Path
) -> None:
    app.pause()
    put(chat, people)
    app.kill()
    app.start()
    expect(chat.page.get_by_test_id("stFileChip")).to_have_count(1, timeout=SECONDS)
    expect(chat.button("Send message")).to_be_enabled(timeout=SECONDS)
    chat.ask(ASKED)
    chat.expect_text(ANSWER)


def test_a_file_is_taken_though_the_page_is_drawn_anew_before_it_had_a_place(
    chat: Chat, app: AppServer, people: Path
) -> None:
    """Streamlit forgets the place that it has for the file, where the page is to be drawn anew meanwhile."""
    chat.answer_to("What is 1+1?", "2")
    app.pause()
    chat.button("New chat").click()
    put(chat, people)
    app.go_on()
    expect(chat.page.get_by_test_id("stFileChip")).to_have_count(1)
    chat.expect_text("What shall we find out?")


def test_what_is_sent_right_after_a_click_on_new_chat_is_of_the_new_one(
    chat: Chat, app: AppServer, people: Path
) -> None:
    chat.answer_to("What is 2+2?", "4")
    before = chat.page.url
    app.pause()
    chat.button("New chat").click()
    put(chat, people)
    chat.ask(ASKED)
    said(chat, FILES_COME)
    app.go_on()
    chat.expect_text(ANSWER)
    expect(chat.chats).to_have_count(2)
    chat.settle()
    chat.chats.last.click()
    expect(chat.page).to_have_url(before)
    chat.expect_text("What is 2+2?")
    chat.idle()
    expect(chat.box).to_have_value("")


def test_a_question_right_after_a_click_on_new_chat_waits_for_it(chat: Chat, app: AppServer) -> None:
    chat.answer_to("What is 3+3?", "6")
    app.pause()
    chat.button("New chat").click()
    chat.ask("What is 4+4?")
    said(chat, CHAT_COMES)
    app.go_on()
    chat.expect_text("8")
    expect(chat.answers).to_have_count(2)
    expect(chat.chats).to_have_count(2)


def test_what_is_typed_after_a_click_on_another_chat_is_a_draft_of_that(chat: Chat, app: AppServer) -> None:
    chat.answer_to("What is 5+5?", "10")
    chat.new_chat()
    chat.box.fill("of the new one")
    app.pause()
    chat.chats.first.click()
    expect(chat.box).to_have_value("")
    chat.box.fill("of the first one")
    app.go_on()
    chat.expect_text("What is 5+5?")
    chat.idle()
    expect(chat.box).to_have_value("of the first one")
    chat.new_chat()
    expect(chat.box).to_have_value("of the new one")


def test_the_list_of_refused_files_is_not_cut(chat: Chat, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.csv", "two.csv")]
    for file in files:
        file.write_bytes(b"")
    chat.attach(*files)
    chat.box.press("Enter")
    shown = chat.page.locator(".st-key-refused").get_by_test_id("stAlertContainer")
    expect(shown.get_by_role("listitem")).to_have_count(2)
    chat.settle()
    assert shown.evaluate("box => box.scrollHeight <= box.clientHeight")


def test_a_file_that_cannot_be_read_is_said_so_and_nothing_is_sent_without_it(chat: Chat) -> None:
    file = FilePayload(name="tool.exe", mimeType="application/octet-stream", buffer=b"MZ")
    chat.page.get_by_test_id("stChatInput").locator("input[type=file]").set_input_files(file)
    note = chat.page.locator(".glassbox-refused")
    expect(note).to_have_text("tool.exe is of no kind that can be read here. Take it out, then send.")
    chat.box.fill("2+2")
    chat.box.press("Enter")
    chat.button("Send message").click()
    chat.quiet()
    expect(chat.box).to_have_value("2+2")
    chat.page.get_by_role("button", name="Remove tool.exe").click()
    expect(note).to_have_count(0)
    chat.box.press("Enter")
    chat.expect_text("is 4.")


def test_after_a_file_was_sent_by_the_mouse_the_next_question_waits_for_none(chat: Chat, people: Path) -> None:
    chat.attach(people)
    chat.box.press_sequentially(ASKED)
    chat.button("Send message").click()
    chat.expect_text(ANSWER)
    chat.settle()
    chat.answer_to("2+2", "is 4.")


def test_a_file_that_was_taken_out_after_the_question_was_typed_is_not_waited_for(chat: Chat, people: Path) -> None:
    chat.attach(people)
    chat.box.press_sequentially("2+2")
    chat.page.get_by_role("button", name="Remove people.csv").click()
    chat.box.press("Enter")
    chat.expect_text("is 4.")


def test_in_a_new_chat_one_can_type_at_once(chat: Chat) -> None:
    expect(chat.box).to_be_focused()
    chat.page.keyboard.type("2+2")
    chat.page.keyboard.press("Enter")
    chat.expect_text("is 4.")
    chat.settle()
    chat.new_chat()
    expect(chat.box).to_be_focused()
    chat.page.go_back()
    chat.expect_text("is 4.")


def test_an_old_chat_is_opened_to_be_read(chat: Chat) -> None:
    chat.answer_to("2+2", "is 4.")
    opened = chat.another_tab()
    opened.expect_text("is 4.")
    opened.quiet()
    expect(opened.box).not_to_be_focused()


def test_on_a_phone_no_keyboard_comes_up_by_itself(browser: Browser, app: AppServer) -> None:
    with visit(browser, app.url, has_touch=True, is_mobile=True) as chat:
        chat.quiet()
        expect(chat.box).not_to_be_focused()


def test_what_is_sent_without_a_connection_waits_in_the_box_and_says_so(chat: Chat) -> None:
    """What was typed stays in sight, is sent once, and goes on being sent by whoever types on."""
    chat.answer_to("What is 6+6?", "12")
    note = chat.page.locator(".glassbox-offline")
    expect(note).to_have_count(0)
    chat.page.context.set_offline(True)
    expect(note).to_have_text(OFFLINE)
    chat.box.fill("What is 7+7?")
    chat.box.press("Enter")
    expect(note).to_have_text(ONLINE_AGAIN)
    expect(note).to_have_attribute("role", "status")
    expect(chat.box).to_have_value("What is 7+7?")
    chat.box.press_sequentially(" ")
    expect(note).to_have_text(OFFLINE)
    chat.box.press("Enter")
    expect(note).to_have_text(ONLINE_AGAIN)
    chat.page.context.set_offline(False)
    expect(note).to_have_count(0)
    chat.expect_text("is 14.")
    expect(chat.answers).to_have_count(4)  # two questions, two answers
    chat.idle()
    expect(chat.box).to_have_value("")
