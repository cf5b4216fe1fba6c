"""The Prompts page in a real Chromium: read, changed, refused, used in a run, taken back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import visit
from tests.servers.app_server import AppServer
from tests.servers.model_server import ModelServer
from tests.stories import final

pytestmark = pytest.mark.browser


def test_a_prompt_is_read_changed_used_and_taken_back(browser: Browser, tmp_path: Path) -> None:
    with (
        ModelServer([final("Arr.")] * 3) as model,
        AppServer(tmp_path, GLASSBOX_BASE_URL=model.endpoint, GLASSBOX_MODEL="m", GLASSBOX_WIRE="react") as app,
        visit(browser, app.url) as chat,
    ):
        chat.page.get_by_role("link", name="Prompts").click()
        template = chat.page.get_by_role("textbox", name="Template")
        expect(template).to_have_value(re.compile("^You answer the user"))
        expect(chat.page.get_by_role("main")).to_contain_text("- calculator: Works out arithmetic exactly")
        template.fill("Talk like a pirate. ${today} ${tools} ${names}")
        template.press("Control+Enter")
        expect(chat.page.get_by_role("main")).to_contain_text("Teach “Thought:”")
        whole = "Talk like a pirate. ${today} ${tools} ${names}\nThought: a\nAction: b\nAction Input: c"
        template.fill(whole + "\nObservation: d\nFinal Answer: e")
        template.press("Control+Enter")
        chat.button("Use my copy").click()
        expect(chat.page.get_by_text("Your copy is in use.")).to_be_visible()
        chat.page.get_by_role("link", name="To the chat").click()
        chat.ask("Hello")
        chat.expect_text("Arr.")
        chat.settle()
        assert model.requests[-1]["messages"][0]["content"].startswith("Talk like a pirate.")
        chat.page.reload()
        chat.page.get_by_role("link", name="Prompts").click()
        chat.button("Back to the default").click()
        expect(chat.page.get_by_text("The default is in use.")).to_be_visible()
