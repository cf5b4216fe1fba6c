"""Tests of answers in the browser: kept in two clicks, run, opened beside what was kept."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import SECONDS, Chat, tab
from tests.support.servers.app_server import AppServer

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with tab(browser, viewport={"width": 1280, "height": 900}) as page:
        yield page


def test_an_answer_is_kept_in_two_clicks_and_run(demo: AppServer, page: Page) -> None:
    chat = Chat(page, demo.url)
    chat.ask("What is 17% of 4250?")
    chat.idle()
    page.get_by_role("button", name="Keep as a test", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("checkbox", name=re.compile("The figure 722"))).to_be_checked(timeout=SECONDS)
    dialog.get_by_role("button", name="Keep", exact=True).click()
    expect(dialog.get_by_text("Kept. Run it on the page Tests")).to_be_visible(timeout=SECONDS)
    dialog.get_by_role("button", name="To the tests").click()
    page.get_by_role("button", name="Run 1 test").click()
    result = page.locator(".st-key-matrix").get_by_role("link", name="passed")
    expect(result).to_be_visible(timeout=SECONDS)
    result.click()
    expect(page.get_by_role("heading", name="Two runs side by side")).to_be_visible(timeout=SECONDS)
    expect(page.get_by_text("17% of 4250 is 722.5.").first).to_be_visible(timeout=SECONDS)
