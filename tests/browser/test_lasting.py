"""Runs and drafts that last: through clicks, pages, tabs, cut connections and dead servers, in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import WITHOUT_PROGRAMS, AppServer
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.stories import final, react, this_turn

pytestmark = pytest.mark.browser
# Numbered: a reply that only repeats itself is ended by the loop.
THINKING = "Thought: Let me think about it. " + "".join(f"Still thinking. ({number}) " for number in range(2_000))
SLOW = "Thought: Let me think about it. " + "Still thinking. " * 12 + "\nFinal Answer: It is 42."
DELAY = 0.05
# Keeps the page's websockets at hand, so that a test can cut them as a bad line does.
WATCH_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) { super(...given); window.sockets.push(this); }
};
"""


# What looks at the page and its draft every 400 ms, so that a test need not wait for it.
LOOK_AT_WILL = """
const every = window.setInterval;
window.setInterval = (look, milliseconds, ...more) => {
  const others = window.lookAtDraft;
  if (milliseconds === 400) window.lookAtDraft = () => [others?.(), look()];
  return every(look, milliseconds, ...more);
};
"""


# What keeps drafts finds no box before a key is pressed in it.
BOX_COMES_LATE = """
document.addEventListener("keydown", () => { window.boxThere = true; }, true);
const find = document.querySelector.bind(document);
document.querySelector = name => name.includes("stChatInputTextArea") && !window.boxThere ? null : find(name);
"""


@pytest.fixture(scope="module")
def seen_enough() -> Flag:
    """Lets the slow replies come to their end."""
    return Flag()


@pytest.fixture(scope="module")
def model(seen_enough: Flag) -> Iterator[ModelServer]:
    """A model whose reply is told by the question and by what was observed; a second try is answered at once."""
    seen: list[str] = []

    def play(body: dict[str, Any]) -> str | Reply:
        asked = str(this_turn(body))
        seen.append(asked)
        if "colour" in asked or seen.count(asked) > 1:
            return Reply(final("This time quickly."), delay=0.0)
        if "squared" in asked and "144" not in asked:
            return react("I square it.", "calculator", "12**2")
        return THINKING if "for ever" in asked else Reply(SLOW, gate=seen_enough)

    with ModelServer(play, delay=DELAY) as server:
        yield server


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, data: Path, model: ModelServer) -> Iterator[AppServer]:
    settings = owned(model) | WITHOUT_PROGRAMS | {"GLASSBOX_DATA": str(data)}
    with AppServer(tmp_path_factory.mktemp("lasting"), **settings) as running:
        yield running


@pytest.fixture
def chat(browser: Browser, app: AppServer, model: ModelServer, seen_enough: Flag) -> Iterator[Chat]:
    seen_enough.clear()
    model.requests.clear()
    model.hung_up.clear()
    with visit(browser, app.url, script=WATCH_SOCKETS) as visiting:
        yield visiting


def owned(model: ModelServer) -> dict[str, str]:
    """The model as the owner of an app sets it up; in text, for its thoughts are then seen as they come."""
    return {"GLASSBOX_BASE_URL": model.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_WIRE": "react"}


def test_escape_stops_in_mid_thought_and_the_chat_goes_on(chat: Chat, model: ModelServer) -> None:
    chat.ask("Think for ever!")
    chat.expect_text("Still thinking.")
    chat.page.keyboard.press("Escape")
    chat.expect_text("Stopped.")
    assert model.hung_up.wait(5)
    chat.settle()
    expect(chat.button("Continue")).to_have_count(0)
    expect(chat.open_step(0)).to_contain_text("This reply was not finished.")
    chat.button("Try again").click()
    chat.expect_text("This time quickly.")
    chat.settle()
    expect(chat.answers).to_have_count(2)


def test_continue_after_a_stop_keeps_the_steps_that_were_done(chat: Chat, model: ModelServer) -> None:
    chat.ask("What is 12 squared? Then think for ever.")
    chat.expect_text("Still thinking.")
    chat.button("Stop").click()
    chat.expect_text("Stopped.")
    chat.settle()
    chat.button("Continue").click()
    chat.expect_text("This time quickly.")
    chat.settle()
    expect(chat.steps.first).to_contain_text("Calculated 12**2 → 144")
    expect(chat.answers).to_have_count(2)
    assert len(model.requests) == 3
    assert model.requests[2]["messages"] == model.requests[1]["messages"]
    expect(chat.open_step(0)).to_contain_text("I square it.")


def test_another_chat_and_back_and_a_second_tab_in_mid_run(chat: Chat, model: ModelServer, seen_enough: Flag) -> None:
    chat.answer_to("Name a colour.", "This time quickly.")
    chat.new_chat()
    chat.ask("What is the answer?")
    chat.expect_text("Still thinking.")
    address = chat.page.url
    chat.chats.filter(has_text="Name a colour.").click()
    chat.expect_text("This time quickly.")
    chat.idle()
    assert "Still thinking." not in chat.page.get_by_role("main").inner_text()
    tab = chat.another_tab(address)
    tab.expect_text("Still thinking.")
    chat.page.go_back()
    chat.expect_text("Still thinking.")
    seen_enough.set()
    for one in (chat, tab):
        one.expect_text("It is 42.")
        one.settle()
        assert one.page.url == address
        expect(one.answers).to_have_count(2)
    assert len(model.requests) == 2


def test_one_tab_stops_what_both_follow(chat: Chat, model: ModelServer) -> None:
    chat.ask("Think for ever, please!")
    chat.expect_text("Still thinking.")
    tab = chat.another_tab()
    tab.expect_text("Still thinking.")
    tab.button("Stop").click()
    for one in (tab, chat):
        one.expect_text("Stopped.")
        one.button("Try again").wait_for()
    assert model.hung_up.wait(5)


def test_the_list_of_chats_is_right_in_mid_run(chat: Chat) -> None:
    for question in ("Name a colour of snow.", "Name a colour of coal."):
        chat.answer_to(question, "This time quickly.")
        chat.new_chat()
    chat.ask("Now think for ever, do!")
    chat.expect_text("Still thinking.")
    expect(chat.chats).to_have_count(3)
    search = chat.page.get_by_role("textbox", name="Search chats")
    for words, found in (
        ("snow", ["Name a colour of snow."]),
        ("nowhere", []),
        ("colour coal", ["Name a colour of coal."]),
    ):
        search.fill(words)
        search.press("Enter")
        expect(chat.chats).to_have_text(found, timeout=SECONDS)
    search.fill("")
    search.press("Enter")
    expect(chat.chats).to_have_count(3, timeout=SECONDS)
    for left, question in ((2, "Name a colour of snow."), (1, "Name a colour of coal.")):
        chat.choose(question, "Delete", rest=False)
        expect(chat.chats).to_have_count(left, timeout=SECONDS)
    expect(chat.button("Stop")).to_be_visible()


def test_a_cut_connection_in_mid_run_is_taken_up_again(chat: Chat, model: ModelServer, seen_enough: Flag) -> None:
    chat.ask("What is the answer to this?")
    chat.expect_text("Still thinking.")
    chat.page.evaluate("window.cut = window.sockets.length; window.sockets.forEach(socket => socket.close())")
    chat.page.wait_for_function("window.sockets.length > window.cut")
    seen_enough.set()
    chat.expect_text("It is 42.")
    chat.settle()
    expect(chat.answers).to_have_count(2)
    assert len(model.requests) == 1


def test_a_question_in_mid_run_waits_for_its_turn(chat: Chat, model: ModelServer, seen_enough: Flag) -> None:
    chat.ask("What is the answer to that?")
    chat.expect_text("Still thinking.")
    chat.ask("Name a colour of the rainbow.")
    chat.expect_text("Asked next, when this answer is there.")
    assert len(model.requests) == 1
    seen_enough.set()
    chat.expect_text("This time quickly.")
    chat.settle()
    expect(chat.answers).to_have_count(4)
    for index, text in enumerate(("What is the answer", "It is 42.", "Name a colour", "This time quickly.")):
        expect(chat.answers.nth(index)).to_contain_text(text)
    expect(chat.page.get_by_text("Asked next")).to_have_count(0)
    assert len(model.requests) == 2


def test_a_waiting_question_can_be_taken_back(chat: Chat, model: ModelServer) -> None:
    chat.ask("Think about that for ever!")
    chat.expect_text("Still thinking.")
    chat.ask("How many legs has a spider?")
    chat.ask("How many eyes has a spider?")
    expect(chat.button("Remove")).to_have_count(2)
    chat.button("Remove").first.click()
    # Nothing of the other is left where it stood before, as long as the run goes on.
    expect(chat.button("Remove").filter(visible=True)).to_have_count(1)
    expect(chat.page.get_by_text("has a spider?").filter(visible=True)).to_have_text("How many eyes has a spider?")
    chat.button("Remove").first.click()
    expect(chat.page.get_by_text("has a spider?")).to_have_count(0, timeout=SECONDS)
    chat.button("Stop").click()
    chat.expect_text("Stopped.")
    chat.settle()
    expect(chat.answers).to_have_count(2)
    assert len(model.requests) == 1


def test_an_open_step_stays_open_when_the_run_ends(chat: Chat, seen_enough: Flag) -> None:
    chat.ask("What is 12 squared?")
    chat.expect_text("Still thinking.")
    expect(chat.open_step(0, rest=False)).to_contain_text("I square it.")
    chat.expect_text("Still thinking.")
    seen_enough.set()
    chat.expect_text("It is 42.")
    chat.settle()
    expect(chat.steps.first.get_by_text("I square it.")).to_be_visible()


def test_a_draft_survives_a_reload_and_is_gone_once_sent(chat: Chat) -> None:
    kept = "Object.keys(localStorage).filter(name => name.startsWith('glassbox-draft')).map(name => localStorage[name])"
    question, draft = "Name a colour of the sky.", "and of the sea?"
    chat.idle()
    chat.box.fill(question)
    chat.page.wait_for_function(f"({kept}).includes('{question}')")
    chat.page.reload()
    expect(chat.box).to_have_value(question, timeout=SECONDS)
    chat.idle()
    chat.box.press("Enter")
    chat.expect_text("This time quickly.")
    chat.settle()
    chat.page.wait_for_function(f"({kept}).length === 0")
    chat.box.fill(draft)
    chat.page.wait_for_function(f"({kept}).includes('{draft}')")
    chat.new_chat()
    expect(chat.box).to_have_value("")
    chat.chats.first.click()
    expect(chat.box).to_have_value(draft, timeout=SECONDS)


def test_a_question_sent_before_the_drafts_were_looked_at_is_gone_from_the_box(
    browser: Browser, app: AppServer
) -> None:
    """As by who pastes it and presses Enter as soon as the box is there."""
    with visit(browser, app.url, script=LOOK_AT_WILL + BOX_COMES_LATE) as chat:
        chat.idle()
        app.pause()
        chat.ask("Name a colour of the evening.")
        chat.page.evaluate("window.lookAtDraft()")
        expect(chat.box).to_have_value("")
        app.go_on()
        chat.expect_text("This time quickly.")
        chat.settle()
        expect(chat.box).to_have_value("")


def test_a_question_is_kept_that_a_killed_server_had_not_heard_of(chat: Chat, app: AppServer) -> None:
    chat.page.add_init_script(LOOK_AT_WILL)
    chat.page.reload()
    chat.idle()
    chat.answer_to("Name a colour of the sea.", "This time quickly.")
    app.pause()
    chat.ask("Name a colour of the dark.")
    expect(chat.box).to_have_value("")
    chat.page.evaluate("window.lookAtDraft()")
    # What is on its way to the server is lost with it.
    app.kill()
    app.start()
    chat.page.reload()
    expect(chat.box).to_have_value("Name a colour of the dark.", timeout=SECONDS)
    chat.idle()
    chat.box.press("Enter")
    expect(chat.answers).to_have_count(4, timeout=SECONDS)
    chat.settle()
    chat.page.evaluate("window.lookAtDraft()")
    chat.page.reload()
    expect(chat.answers).to_have_count(4, timeout=SECONDS)
    chat.idle()
    expect(chat.box).to_have_value("")


def test_a_run_is_followed_and_stopped_from_a_second_server(
    chat: Chat, data: Path, model: ModelServer, tmp_path: Path
) -> None:
    with AppServer(tmp_path, **owned(model), **WITHOUT_PROGRAMS, GLASSBOX_DATA=str(data)) as other:
        chat.ask("Think for ever and ever!")
        chat.expect_text("Still thinking.")
        elsewhere = chat.another_tab(other.url + "?" + chat.page.url.partition("?")[2])
        elsewhere.button("Stop").click()
        for tab in (elsewhere, chat):
            tab.expect_text("Stopped.")
            tab.button("Try again").wait_for()
        assert model.hung_up.wait(5)
        assert len(model.requests) == 1


def test_a_killed_server_comes_back_with_all_that_was_stored(chat: Chat, app: AppServer) -> None:
    chat.answer_to("Name a colour of the wind.", "This time quickly.")
    app.kill()
    app.start()
    # The page that stood open connects again by itself, and can be used.
    chat.ask("Name a colour of the rain.")
    expect(chat.answers).to_have_count(4, timeout=SECONDS)
    chat.settle()
    tab = chat.another_tab(app.url)
    tab.chats.filter(has_text="of the wind").click()
    tab.expect_text("Name a colour of the rain.")
    expect(tab.answers).to_have_count(4)


def test_a_killed_server_takes_its_run_further(chat: Chat, app: AppServer) -> None:
    chat.ask("Think for ever of the tide.")
    chat.expect_text("Still thinking.")
    app.kill()
    app.start()
    # The page connects again, and shows the run going on. Once it has ended, and later, it says so.
    chat.expect_text("This time quickly.")
    chat.settle()
    chat.expect_text("The server stopped; this went on by itself.")
    chat.page.reload()
    chat.expect_text("The server stopped; this went on by itself.")
    expect(chat.answers).to_have_count(2)
