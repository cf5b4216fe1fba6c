"""Two answers of a chat that say different figures, in a real Chromium: asked again to compare, and between turns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import SECONDS, visit
from tests.support.servers.app_server import WITHOUT_PROGRAMS, AppServer
from tests.support.servers.model_server import ModelServer
from tests.support.stories import final

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
FIRST = "The fire cost 1.2 million euros. 3 people died in the fire."
SECOND = "The fire cost 1,200,000 euros. 8 people died in the fire."


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """Gives the first answer once, then the second."""
    answers = iter([FIRST])

    def play(_: dict[str, Any]) -> str:
        return final(next(answers, SECOND))

    with ModelServer(play) as server:
        yield server


@pytest.fixture
def app(tmp_path: Path, model: ModelServer) -> Iterator[AppServer]:
    owned = {"GLASSBOX_BASE_URL": model.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_WIRE": "react"}
    with AppServer(tmp_path, **owned, **WITHOUT_PROGRAMS) as running:
        yield running


def test_asked_again_by_keyboard_what_differs_is_marked_and_still_there_after_a_reload(
    browser: Browser, app: AppServer
) -> None:
    with visit(browser, app.url, **PHONE) as chat:
        chat.answer_to("How many died in the fire?", "3 people died in the fire.")
        again = chat.page.get_by_role("button", name="Ask again and compare")
        again.focus()
        again.press("Enter")
        compared = chat.page.locator("[class*=st-key-compared-]")
        for reloaded in (False, True):
            if reloaded:
                chat.page.reload()
            expect(compared).to_contain_text("1 of 2 figures differs between the two answers.")
            expect(compared.locator(".stMarkdownColoredBackground")).to_have_text(["3", "8"])
        chat.idle()
        width = chat.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390


def test_a_figure_that_contradicts_an_earlier_answer_leads_to_that(browser: Browser, app: AppServer) -> None:
    with visit(browser, app.url) as chat:
        chat.answer_to("How many died in the fire?", "3 people died in the fire.")
        chat.answer_to("How many died in the fire?", "8 people died in the fire.")
        said = "Earlier in this chat: 3 people died in the fire. Now: 8 people died in the fire."
        chat.page.get_by_role("button", name=said).click()
        dialog = chat.page.get_by_role("dialog")
        expect(dialog.locator(".glassbox-observation mark").filter(has_text="3")).to_have_text("3")
        chat.click(dialog.get_by_role("link", name="Open that question"))
        chat.page.wait_for_url("**/run?r=*", timeout=SECONDS)
