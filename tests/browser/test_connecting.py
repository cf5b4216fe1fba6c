"""Connecting a model by the dialog, and the owner's rules for it, in a real Chromium against loopback servers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import MOVING, SECONDS, Chat, visit
from tests.support.servers.app_server import WITHOUT_PROGRAMS, AppServer
from tests.support.servers.model_server import Call, ModelServer, Reply
from tests.support.stories import final

pytestmark = pytest.mark.browser
KEY = "sk-planted-1234567890abcdef"
OWNERS = "sk-owner-1234567890abcdef"
TWENTY = " ".join(map(str, range(1, 21)))
WORDS = "apple banana cherry damson"
PAGE = Reply(body=b"<!DOCTYPE html><html><img src=x onerror=alert(1)>Hi</html>", content_type="text/html")
MISSING = Reply(status=404, body={"error": {"message": "The model `qwen3` does not exist", "code": 404}})


@pytest.fixture
def chat(browser: Browser, demo: AppServer) -> Iterator[Chat]:
    with visit(browser, demo.url) as visiting:
        yield visiting


@pytest.fixture
def moving(browser: Browser, demo: AppServer) -> Iterator[Chat]:
    with visit(browser, demo.url, **MOVING) as visiting:
        yield visiting


def play(body: dict[str, Any]) -> str | Reply:
    """A model that does as it is told."""
    if body.get("tools"):
        return Reply(calls=(Call("get_time", '{"city": "Tokyo"}'),))
    return WORDS if "apple" in str(body["messages"][-1]) else TWENTY


def expect_findings(chat: Chat, *lines: str) -> None:
    """What the test says, from its first line on, until it has come to its end."""
    for line in lines:
        expect(chat.dialog).to_contain_text(re.compile(line), timeout=2 * SECONDS)
    expect(chat.page.get_by_text("Testing:")).to_have_count(0, timeout=2 * SECONDS)
    chat.idle()


def put_to_the_test(chat: Chat, address: str, key: str = "", model: str = "") -> None:
    chat.fill_in(address, key, model)
    chat.button("Test", exact=True).click()
    expect(chat.dialog).to_contain_text("Server reachable", timeout=SECONDS)


def test_a_server_that_is_right(chat: Chat) -> None:
    with ModelServer(play, key=KEY) as model:
        put_to_the_test(chat, model.endpoint, KEY)
        expect_findings(
            chat,
            "Server reachable works · .*lists one model",
            "Key works · Accepted",
            "Model works · ‘scripted-model’ answers",
            "Streaming works · The reply came in",
            "Tool calls works",
            "Stop words works",
        )
        assert len(model.requests) == 3
        # What was found stays there, and what was typed is what is used.
        chat.button("Use this model").click()
        chat.closed()
        expect(chat.button("scripted-model")).to_be_visible()


def test_a_wrong_key_and_then_the_right_one(chat: Chat) -> None:
    with ModelServer(play, key=KEY) as model:
        put_to_the_test(chat, model.endpoint, "sk-wrong-key", "scripted-model")
        expect_findings(
            chat, "Server reachable works", "Key does not work", "Copy it again", "Model cannot be told · Not tried"
        )
        assert model.requests == []
        chat.page.get_by_role("textbox", name="Key").fill(KEY)
        chat.page.get_by_role("textbox", name="Key").press("Enter")
        chat.quiet()
        chat.button("Test", exact=True).click()
        expect_findings(chat, "Key works · Accepted", "Stop words works")


def test_a_key_is_taken_as_it_was_copied_and_an_address_is_none(chat: Chat) -> None:
    with ModelServer([WORDS], key=KEY) as model:
        chat.fill_in(model.endpoint, "https://api.openai.com/v1")
        expect(chat.dialog).to_contain_text("That is an address, not a key.")
        chat.page.get_by_role("textbox", name="Key").fill(f'export OPENAI_API_KEY="Bearer {KEY}"')
        chat.page.get_by_role("textbox", name="Key").press("Enter")
        chat.quiet()
        expect(chat.model_field).to_have_value("scripted-model")
        chat.button("Use this model").click()
        chat.closed()
        chat.answer_to("Name four fruits", WORDS)
        assert model.headers[-1]["authorization"] == f"Bearer {KEY}"


def test_a_model_that_is_not_there(chat: Chat) -> None:
    with ModelServer([MISSING], models=["qwen3:8b", "llama"]) as model:
        put_to_the_test(chat, model.endpoint, model="qwen3")
        expect_findings(
            chat,
            "Server reachable works · .*lists 2 models",
            "Model does not work · .*The model `qwen3` does not exist",
            "hoose one that is there, such as ‘qwen3:8b’",
            "Streaming cannot be told · Not tried",
        )


def test_a_server_that_takes_no_tools(chat: Chat) -> None:
    with ModelServer(play, refuse=("tools",), wording="llamacpp") as model:
        put_to_the_test(chat, model.endpoint)
        expect_findings(chat, "Streaming works", "Tool calls not taken · ", "--jinja", "Stop words works")


@pytest.mark.parametrize("silent", [True, False])
def test_what_is_no_model_server(chat: Chat, silent: bool) -> None:
    odd = Reply(silent=True) if silent else PAGE
    with ModelServer([odd] * 3, listing=odd) as model:
        put_to_the_test(chat, model.endpoint, model="qwen3")
        fix = "still be loading a model" if silent else "Check host and port"
        expect_findings(
            chat, "Server reachable does not work · ", fix, "Key cannot be told", "Stop words cannot be told"
        )
        expect(chat.dialog.locator("img[src=x]")).to_have_count(0)


def test_the_owner_can_keep_models_to_the_internet(browser: Browser, tmp_path: Path) -> None:
    sentence = "This site connects to servers on the public internet only"
    with (
        ModelServer(play) as model,
        AppServer(tmp_path, GLASSBOX_PRIVATE_ADDRESSES="no", **WITHOUT_PROGRAMS) as app,
        visit(browser, app.url) as chat,
    ):
        chat.open_connect()
        expect(chat.dialog.get_by_role("button", name="OpenRouter")).to_be_visible()
        for local in ("Ollama", "LM Studio", "llama.cpp", "vLLM"):
            expect(chat.dialog.get_by_role("button", name=local)).to_have_count(0)
        chat.button("Another server").click()
        address = chat.page.get_by_role("textbox", name="Address")
        address.fill(model.endpoint)
        address.press("Enter")
        expect(chat.dialog).to_contain_text(sentence)
        chat.quiet()
        chat.model_field.fill("scripted-model")
        chat.model_field.press("Enter")
        chat.quiet()
        chat.button("Test", exact=True).click()
        expect(chat.dialog.get_by_role("alert")).to_contain_text(sentence, timeout=SECONDS)
        chat.click(chat.button("Use this model"))
        chat.closed()
        chat.ask("Are you there?")
        chat.expect_text(sentence)
        assert model.connections == 0


def test_messages_of_a_visitor_are_capped(browser: Browser, tmp_path: Path) -> None:
    with (
        ModelServer(lambda _: final("So it is."), key=OWNERS) as owners,
        ModelServer(lambda _: final("Mine says so too.")) as own,
        AppServer(tmp_path, **owned(owners), GLASSBOX_VISITOR_MESSAGES="2", **WITHOUT_PROGRAMS) as app,
        visit(browser, app.url) as chat,
    ):
        sidebar = chat.page.get_by_test_id("stSidebar")
        expect(sidebar).to_contain_text("0 of 2 messages today")
        for number in (1, 2):
            chat.ask(f"Is {number} a number?")
            expect(chat.answers).to_have_count(2 * number, timeout=SECONDS)
            chat.settle()
            expect(sidebar).to_contain_text(f"{number} of 2 messages today")
        chat.ask("What is the cube of 5?")
        chat.expect_text("You have used your 2 messages for today.")
        chat.settle()
        assert len(owners.requests) == 2
        chat.page.reload()
        chat.expect_text("You have used your 2 messages for today.")
        expect(chat.answers.nth(4)).to_contain_text("What is the cube of 5?")
        expect(sidebar).to_contain_text("2 of 2 messages today")
        chat.click(chat.button("Use the demo"))
        chat.expect_text("The cube of 5 is 125.")
        chat.settle()
        expect(chat.answers).to_have_count(6)

        # One's own model is not the owner's to count, and gets nothing of the owner's key.
        chat.connect(own.endpoint)
        chat.answer_to("And what is yours?", "Mine says so too.")
        assert OWNERS not in str(own.headers) and OWNERS in str(owners.headers)
        assert len(owners.requests) == 2
        assert OWNERS not in chat.page.content() + app.log
        with visit(browser, app.url) as another:
            expect(another.page.get_by_test_id("stSidebar")).to_contain_text("0 of 2 messages today")


def test_money_is_capped_and_models_are_allowed(browser: Browser, tmp_path: Path) -> None:
    rules = {"GLASSBOX_VISITOR_MONEY": "0.10", "GLASSBOX_MODELS": "large", "GLASSBOX_PRICES": "m=50/50/50, large=1/1/1"}
    with (
        ModelServer(lambda _: final("So it is."), models=("m", "large", "huge"), key=OWNERS) as owners,
        AppServer(tmp_path, **owned(owners), **rules, **WITHOUT_PROGRAMS) as app,
        visit(browser, app.url) as chat,
    ):
        chat.open_connect()
        expect(chat.dialog).to_contain_text("Nothing to set up")
        chat.quiet()
        chat.model_field.click()
        expect(chat.page.get_by_role("option")).to_have_text(["m", "large"])
        chat.page.get_by_role("option", name="large").click()
        chat.click(chat.button("Use this model"))
        chat.closed()
        chat.answer_to("Is it so?", "So it is.")
        assert owners.requests[-1]["model"] == "large"
        sidebar = chat.page.get_by_test_id("stSidebar")
        expect(sidebar).to_contain_text("0.00 of 0.10 USD today")

        chat.open_connect()
        expect(chat.model_field).to_have_value("large")
        chat.quiet()
        chat.model_field.click()
        chat.page.get_by_role("option", name="m", exact=True).click()
        chat.click(chat.button("Use this model"))
        chat.closed()
        chat.new_chat()
        chat.answer_to("Is it still so?", "So it is.")
        expect(sidebar).to_contain_text(re.compile(r"0\.0[5-9] of 0\.10 USD today"))
        chat.ask("And now?")
        chat.expect_text("What is left of your 0.10 US dollars for today does not pay for another reply.")
        expect(chat.button("Use the demo")).to_be_visible()
        assert len(owners.requests) == 2


def test_no_other_model_on_the_owners_key(browser: Browser, tmp_path: Path) -> None:
    with (
        ModelServer(lambda _: final("So it is."), models=("m", "huge"), key=OWNERS) as owners,
        AppServer(tmp_path, **owned(owners), GLASSBOX_MODELS="m", **WITHOUT_PROGRAMS) as app,
        visit(browser, app.url) as chat,
    ):
        chat.connect(owners.endpoint, model="huge")
        chat.ask("Are you there?")
        chat.expect_text("On this site's key only m can be used.")
        assert owners.requests == []
        # The list of models is asked for with what the visitor typed, not with the owner's key.
        assert OWNERS not in str(owners.headers)


def owned(model: ModelServer) -> dict[str, str]:
    return {
        "GLASSBOX_BASE_URL": model.endpoint,
        "GLASSBOX_MODEL": "m",
        "GLASSBOX_WIRE": "react",
        "OPENAI_API_KEY": OWNERS,
    }


def test_a_model_typed_while_the_list_is_fetched_is_kept(chat: Chat) -> None:
    seen = Flag()
    listing = Reply(body={"data": [{"id": "one"}, {"id": "two"}]}, gate=seen)
    with ModelServer(play, listing=listing) as model:
        chat.open_connect()
        chat.button("Another server").click()
        field = chat.page.get_by_role("textbox", name="Address")
        expect(field).to_have_value("", timeout=SECONDS)
        field.fill(model.endpoint)
        field.press("Enter")
        # Nothing can be typed where it would be lost.
        name = chat.dialog.get_by_label("Model", exact=True)
        expect(name).to_be_disabled()
        expect(name).to_have_attribute("placeholder", re.compile("Asking the server for its models"))
        seen.set()
        expect(name).to_be_enabled(timeout=SECONDS)
        name.fill("mine")
        name.press("Enter")
        chat.page.get_by_role("textbox", name="Key").fill("sk-1234567890")
        chat.page.get_by_role("textbox", name="Key").press("Enter")
        chat.quiet()
        expect(name).to_have_value("mine")
        chat.button("Use this model").click()
        expect(chat.model).to_contain_text("mine")


def test_a_test_says_what_it_waits_for_and_can_be_cancelled(chat: Chat) -> None:
    with ModelServer([Reply(silent=True)]) as model:
        chat.fill_in(model.endpoint)
        chat.button("Test", exact=True).click()
        expect(chat.dialog).to_contain_text("Server reachable works", timeout=SECONDS)
        expect(chat.dialog).to_contain_text(re.compile("Testing: waiting for a first reply · [1-9]"), timeout=SECONDS)
        chat.button("Cancel the test").click()
        expect(chat.dialog).not_to_contain_text("Testing:")
        expect(chat.dialog).to_contain_text("Server reachable works")
        expect(chat.button("Test", exact=True)).to_be_enabled()


def test_a_choice_is_kept_for_the_next_visit_but_its_key_is_not(chat: Chat, browser: Browser, demo: AppServer) -> None:
    with ModelServer(lambda _: final("So it is."), key=KEY) as model:
        chat.connect(model.endpoint, KEY)
        chat.open_settings()
        chat.dialog.get_by_label("Temperature").fill("0.3")
        chat.button("Save").click()
        chat.closed()
        chat.answer_to("Is it so?", "So it is.")
        assert model.requests[-1]["temperature"] == 0.3
        asked = len(model.requests)

        chat.page.reload()
        expect(chat.model).to_contain_text("scripted-model · Enter your key again", timeout=SECONDS)
        chat.idle()
        chat.ask("And now?")
        chat.expect_text("was not kept: keys never are.")
        chat.settle()
        assert len(model.requests) == asked
        with visit(browser, demo.url) as another:
            expect(another.model).to_contain_text("Demo", timeout=SECONDS)

        chat.open_connect()
        expect(chat.dialog).to_contain_text("Your key was not kept")
        expect(chat.page.get_by_role("textbox", name="Address")).to_have_value(model.endpoint)
        chat.page.get_by_role("textbox", name="Key").fill(KEY)
        chat.page.get_by_role("textbox", name="Key").press("Enter")
        chat.pick_model()
        chat.closed()
        chat.button("Try again").last.click()
        expect(chat.answers.last).to_contain_text("So it is.", timeout=SECONDS)
        chat.settle()
        assert len(model.requests) > asked
        assert model.requests[-1]["temperature"] == 0.3
        assert KEY not in chat.page.content() + demo.log

        chat.open_settings()
        chat.button("Back to defaults").click()
        chat.closed()
        expect(chat.model).to_contain_text("Demo")
        chat.page.reload()
        expect(chat.model).to_contain_text("Demo", timeout=SECONDS)


def test_one_click_switches_between_the_models_that_are_known(chat: Chat) -> None:
    with ModelServer(lambda body: final(f"From {body['model']}."), key=KEY, models=["alpha", "beta"]) as model:
        chat.connect(model.endpoint, KEY, "alpha")
        chat.answer_to("Who are you?", "From alpha.")
        chat.model.click()
        options = chat.page.get_by_role("menuitem")
        expect(options).to_have_text(
            [re.compile(name) for name in ("check.*alpha", "beta", "Demo", "Connect another…")]
        )
        chat.page.keyboard.press("Escape")
        chat.idle()
        chat.switch("beta")
        chat.answer_to("And now?", "From beta.")
        chat.switch("Demo")
        chat.switch("alpha")
        chat.ask("And now?")
        expect(chat.answers).to_have_count(6)
        chat.settle()
        assert [call["model"] for call in model.requests] == ["alpha", "beta", "alpha"]
        assert KEY not in chat.page.content()


def test_the_hint_of_the_button_does_not_cover_its_open_menu(chat: Chat) -> None:
    with ModelServer(lambda body: final(f"From {body['model']}."), models=["alpha-2", "beta"]) as model:
        chat.connect(model.endpoint, model="alpha-2")
        chat.model.click()
        expect(chat.page.get_by_role("menuitem")).to_have_count(4)
        # Its name for screen readers has no signs of Markdown in it.
        expect(chat.page.get_by_role("menu")).to_have_accessible_name("alpha-2")
        button = chat.model.bounding_box()
        assert button
        for x in (button["x"] - 40, button["x"] + 20):
            chat.page.mouse.move(x, button["y"] + button["height"] / 2)
        hint = chat.page.get_by_role("tooltip")
        expect(hint).to_be_visible()
        chat.page.get_by_role("menuitem", name="Connect another…").click()
        expect(chat.dialog).to_be_visible()


def open_by_keyboard(chat: Chat, model: str) -> None:
    """Open the menu; its hint, which comes with the focus, must not come while the menu takes that."""
    chat.settle()
    chat.tab_to(model)
    expect(chat.page.get_by_role("tooltip")).to_be_visible()
    chat.page.keyboard.press("Enter")


def step_to(chat: Chat, name: str) -> None:
    """By the arrows, to an item of the open menu."""
    item = chat.page.get_by_role("menuitem", name=name)
    expect(chat.page.locator("[role=menu]:focus-within")).to_be_visible()
    for _ in range(6):
        if item.evaluate("item => item === document.activeElement"):
            return
        chat.page.keyboard.press("ArrowDown")
    raise AssertionError(f"the arrows do not come to {name}")


def test_switching_by_the_keyboard_alone(moving: Chat) -> None:
    chat = moving
    with ModelServer(play, models=["alpha", "beta"]) as model:
        chat.connect(model.endpoint, model="alpha")
        keyboard = chat.page.keyboard
        open_by_keyboard(chat, "alpha")
        step_to(chat, "beta")
        keyboard.press("Enter")
        expect(chat.model).to_contain_text("beta")
        chat.idle()
        expect(chat.model).to_be_focused()
        open_by_keyboard(chat, "beta")
        step_to(chat, "Connect another…")
        keyboard.press("Enter")
        expect(chat.dialog).to_contain_text("Connect a model")


_CANCELLED = """() => new Promise(cancelled => {
  const field = document.createElement("div");
  field.style = "border: 1px solid red; transition: border-color 60s";
  field.addEventListener("transitionrun", () => { field.style.transition = "none"; });
  field.addEventListener("transitioncancel", cancelled);
  document.body.append(field);
  field.getBoundingClientRect();
  field.style.borderColor = "blue";
})"""


def test_a_menu_takes_the_focus_after_a_transition_was_cancelled(moving: Chat) -> None:
    chat = moving
    # The library of menus waits for the end of all transitions; of a cancelled border's four it forgets one alone.
    with ModelServer(play, models=["alpha", "beta"]) as model:
        chat.connect(model.endpoint, model="alpha")
        chat.page.evaluate(_CANCELLED)
        open_by_keyboard(chat, "alpha")
        step_to(chat, "beta")


def test_use_this_model_says_what_is_missing(chat: Chat) -> None:
    with ModelServer(play, models=["one", "two"]) as model:
        chat.open_connect()
        chat.button("Another server").click()
        field = chat.page.get_by_role("textbox", name="Address")
        expect(field).to_have_value("")
        chat.quiet()
        chat.button("Use this model").click()
        expect(chat.dialog).to_contain_text("Enter the server's address first.")
        field.fill(model.endpoint)
        field.press("Enter")
        expect(chat.dialog).to_contain_text("Pick one of the 2 models first.")
        chat.quiet()
        chat.pick_model()
        chat.closed()
        expect(chat.model).to_contain_text("one")


def test_back_to_defaults_forgets_the_servers_and_their_keys(chat: Chat) -> None:
    with ModelServer(play, key=KEY, models=["one", "two"]) as model:
        chat.connect(model.endpoint, KEY, "one")
        chat.switch("Demo")
        chat.open_settings()
        chat.button("Back to defaults").click()
        chat.closed()
        expect(chat.model).to_contain_text("Connect a model")
