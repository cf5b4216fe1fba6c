"""The Prompts page in a real Chromium: read, changed for all chats and for one, refused, used in a run, taken back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import Chat, visit
from tests.support.servers.app_server import WITHOUT_PROGRAMS, AppServer
from tests.support.servers.model_server import ModelServer
from tests.support.stories import final

pytestmark = pytest.mark.browser
PIRATE = "Talk like a pirate. ${today} ${tools} ${names}\nThought: a\nAction: b\nAction Input: c"
PIRATE += "\nObservation: d\nFinal Answer: e"


def open_prompts(chat: Chat) -> None:
    chat.page.get_by_role("link", name="Prompts").click()
    expect(chat.page.get_by_role("textbox", name="Template")).to_be_visible()
    chat.idle()


def pick(chat: Chat, name: str) -> None:
    chat.page.get_by_role("radio", name=name).click()
    chat.idle()
    expect(chat.page.get_by_role("radio", name=name)).to_be_checked()


def use(chat: Chat, text: str) -> None:
    template = chat.page.get_by_role("textbox", name="Template")
    template.fill(text)
    template.press("Control+Enter")
    chat.expect_text("What differs from the default")
    chat.click(chat.button("Use my copy"))


def told(model: ModelServer) -> str:
    return str(model.requests[-1]["messages"][0]["content"])


def test_a_prompt_is_read_changed_used_and_taken_back(browser: Browser, tmp_path: Path) -> None:
    with (
        ModelServer([final("Arr."), final("Good day."), final("Ahoy.")]) as model,
        AppServer(
            tmp_path,
            GLASSBOX_BASE_URL=model.endpoint,
            GLASSBOX_MODEL="m",
            GLASSBOX_WIRE="react",
            **WITHOUT_PROGRAMS,
        ) as app,
        visit(browser, app.url) as chat,
    ):
        changed_for_all_chats(chat, model)
        changed_for_one(chat, model)
        taken_back(chat)


def changed_for_all_chats(chat: Chat, model: ModelServer) -> None:
    open_prompts(chat)
    expect(chat.page.get_by_role("textbox", name="Template")).to_have_value(re.compile("^You answer the user"))
    chat.expect_text("- calculator: Works out arithmetic exactly")
    chat.expect_text("Open a chat first to change the prompts of that one alone.")
    use(chat, PIRATE.partition("\n")[0])
    chat.expect_text("Teach “Thought:”")
    use(chat, PIRATE)
    chat.expect_text("Your copy is in use.")
    chat.click(chat.page.get_by_role("link", name="To the chat"))
    chat.ask("Hello")
    chat.expect_text("Arr.")
    chat.settle()
    assert told(model).startswith("Talk like a pirate.")


def changed_for_one(chat: Chat, model: ModelServer) -> None:
    open_prompts(chat)
    expect(chat.page.get_by_role("radio", name="In all chats")).to_be_checked()
    pick(chat, "In this chat")
    chat.expect_text("Your copy is in use.")
    use(chat, f"Be formal. {PIRATE}")
    chat.expect_text("This chat's own copy is in use.")
    pick(chat, "Conversation")
    pick(chat, "In all chats")
    chat.expect_text("Your copy is in use, but in this chat.")
    expect(chat.page.get_by_role("radio", name="Step by step")).to_be_checked()
    pick(chat, "In this chat")
    expect(chat.page.get_by_role("radio", name="Conversation")).to_be_checked()
    pick(chat, "Step by step")
    chat.page.get_by_role("link", name="To the chat").click()
    expect(chat.button("Try again")).to_be_visible()
    chat.click(chat.button("Try again"))
    chat.expect_text("Good day.")
    chat.settle()
    assert told(model).startswith("Be formal. Talk like a pirate.")
    conversation = chat.page.url
    chat.new_chat()
    chat.ask("Hello")
    chat.expect_text("Ahoy.")
    chat.settle()
    assert told(model).startswith("Talk like a pirate.")
    chat.page.goto(conversation)
    chat.idle()


def taken_back(chat: Chat) -> None:
    """The chat's own first, then that for all."""
    open_prompts(chat)
    template = chat.page.get_by_role("textbox", name="Template")
    expect(chat.page.get_by_role("radio", name="In this chat")).to_be_checked()
    expect(template).to_have_value(re.compile("^Be formal"))
    chat.click(chat.button("As in all chats"))
    chat.expect_text("Your copy is in use.")
    expect(template).to_have_value(re.compile("^Talk like a pirate"))
    pick(chat, "In all chats")
    chat.button("Back to the default").click()
    chat.expect_text("The default is in use.")
    expect(template).to_have_value(re.compile("^You answer the user"))
    pick(chat, "Conversation")
    expect(template).to_have_value(re.compile("^You answer the user"))
