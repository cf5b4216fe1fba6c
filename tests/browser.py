"""Chromium and the chat, in the words of a person: ask, open, stop, reload."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

SECONDS = 20_000
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    path = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    assert path, "the browser tests need chromium: install it, or set CHROMIUM to its path"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        yield browser
        browser.close()


class Chat:
    """The chat page as a person uses it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        page.set_default_timeout(SECONDS)
        page.goto(url)
        expect(self.box).to_be_visible(timeout=SECONDS * 2)

    @property
    def box(self) -> Locator:
        return self.page.get_by_test_id("stChatInputTextArea")

    @property
    def answers(self) -> Locator:
        return self.page.get_by_test_id("stChatMessage")

    @property
    def steps(self) -> Locator:
        return self.page.get_by_test_id("stExpander")

    def ask(self, question: str) -> None:
        expect(self.box).to_be_enabled(timeout=SECONDS)
        self.box.fill(question)
        self.box.press("Enter")

    def settle(self) -> None:
        """Wait until no run is in flight and the page has been drawn."""
        expect(self.page.get_by_role("button", name="Stop")).to_have_count(0, timeout=SECONDS)
        self.idle()

    def expect_text(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.get_by_role("main")).to_contain_text(text, timeout=SECONDS)

    def connect(self, address: str, key: str = "") -> None:
        """Connect the first model of the server at ``address``, by the dialog alone."""
        self.page.get_by_role("button", name="Connect a model").first.click()
        self.page.get_by_role("button", name="Another server").click()
        field = self.page.get_by_role("textbox", name="Address")
        expect(field).to_have_value("", timeout=SECONDS)
        field.fill(address)
        field.press("Enter")
        if key:
            self.page.get_by_role("textbox", name="Key").fill(key)
            self.page.get_by_role("textbox", name="Key").press("Enter")
        self.pick_model()
        expect(self.page.get_by_role("dialog")).to_have_count(0, timeout=SECONDS)

    def pick_model(self) -> None:
        """Take the first model of the server in the open dialog, where it has not been taken as the only one."""
        use = self.page.get_by_role("button", name="Use this model")
        expect(use).to_be_visible(timeout=SECONDS)
        self.idle()
        if use.is_disabled():
            self.page.get_by_label("Model", exact=True).click()
            self.page.get_by_role("option").first.click()
        use.click()

    def idle(self) -> None:
        """Wait until the page has been drawn."""
        still = self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]")
        expect(still).to_be_visible(timeout=SECONDS)

    def open_step(self, index: int) -> Locator:
        step = self.steps.nth(index)
        step.locator("summary").click()
        return step
