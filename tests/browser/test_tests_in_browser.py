"""Tests of answers in the browser: kept in two clicks, run, opened beside what was kept, stopped and resumed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.support.browser import SECONDS, Chat, rested, tab, watched
from tests.support.servers.app_server import AppServer
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.stories import final, react, this_turn

pytestmark = pytest.mark.browser
CSV = "question,answer\n" + "".join(f"What is {n} + {n}?,{2 * n}\n" for n in range(2, 32))


def sums(*halts: tuple[int, Flag]) -> Callable[[dict[str, Any]], Reply]:
    """A model that adds; from the number of a halt on, it ends no reply before its flag is set."""

    def reply(body: dict[str, Any]) -> Reply:
        turn = this_turn(body)
        number = turn[0].split()[2]
        gate = next((flag for at, flag in reversed(halts) if int(number) >= at), None)
        if len(turn) == 1:
            return Reply(react("I calculate.", "calculator", f"{number} + {number}"), gate=gate)
        return Reply(final(f"It is {2 * int(number)}."), gate=gate)

    return reply


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with tab(browser, viewport={"width": 1280, "height": 900}) as page:
        yield page


def test_an_answer_is_kept_in_two_clicks_and_run(demo: AppServer, page: Page) -> None:
    chat = Chat(page, demo.url)
    chat.answer_to("What is 17% of 4250?", "17% of 4250 is 722.5.")
    page.get_by_role("button", name="Keep as a test", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("checkbox", name=re.compile("The figure 722"))).to_be_checked(timeout=SECONDS)
    chat.click(dialog.get_by_role("button", name="Keep", exact=True))
    expect(dialog.get_by_text("Kept. Run it on the page Tests")).to_be_visible(timeout=SECONDS)
    chat.click(dialog.get_by_role("button", name="To the tests"))
    chat.click(page.get_by_role("link", name="To the chat"))
    chat.expect_text("17% of 4250 is 722.5.")
    page.go_back()
    expect(page.get_by_role("button", name="Run 1 test")).to_be_visible()
    chat.click(page.get_by_role("button", name="Run 1 test"))
    result = page.locator(".st-key-matrix").get_by_role("link", name="passed")
    expect(result).to_be_visible(timeout=SECONDS)
    chat.click(result)
    expect(page.get_by_role("heading", name="Two runs side by side")).to_be_visible(timeout=SECONDS)
    expect(page.get_by_text("17% of 4250 is 722.5.").first).to_be_visible(timeout=SECONDS)


def test_who_deletes_a_set_is_not_asked_to_delete_the_next(demo: AppServer, page: Page) -> None:
    chat = Chat(page, demo.url)
    page.get_by_role("link", name="Tests", exact=True).click()
    for name in ("First", "Second"):
        chat.click(page.get_by_role("button", name="New set"))
        page.get_by_role("textbox", name="Name").fill(name)
        field, hint = page.get_by_role("textbox", name="Name"), page.get_by_test_id("InputInstructions")
        assert field.evaluate("field => field.getBoundingClientRect().bottom") <= hint.evaluate(
            "hint => hint.getBoundingClientRect().top"
        )
        page.get_by_role("button", name="Make it").click()
        expect(page.get_by_label("Set", exact=True)).to_have_value(f"{name} · 0 tests")
    chat.click(page.get_by_role("button", name="Delete", exact=True))
    chat.click(page.get_by_role("button", name="Delete the set"))
    expect(page.get_by_label("Set", exact=True)).to_have_value("First · 0 tests")
    expect(page.get_by_role("button", name="Delete the set")).to_have_count(0)


def test_a_set_is_stopped_and_resumed_after_its_server_was_killed(browser: Browser, tmp_path: Path) -> None:
    stopped, killed = Flag(), Flag()
    with ModelServer(sums((8, stopped), (18, killed))) as model:
        environment = {"GLASSBOX_BASE_URL": model.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_WIRE": "react"}
        with AppServer(tmp_path, **environment) as app, tab(browser) as page:
            watched(page).goto(f"{app.url}tests")
            rested(page)
            page.locator(".st-key-set-bar").get_by_role("button", name="Import").click()
            file: FilePayload = {"name": "sums.csv", "mimeType": "text/csv", "buffer": CSV.encode()}
            page.locator("input[type=file]").set_input_files(file)
            rested(page)
            page.get_by_role("button", name="Import it").click()
            run = page.get_by_role("button", name="Run 30 tests")
            expect(run).to_be_visible()
            rested(page)
            run.click()
            links = page.locator(".st-key-matrix").get_by_role("link")
            expect(links.nth(3)).to_be_visible(timeout=SECONDS)
            page.get_by_role("button", name="Stop", exact=True).click()
            resume = page.get_by_role("button", name="Resume")
            resume.click(timeout=SECONDS)
            stopped.set()
            expect(links.nth(9)).to_be_visible(timeout=SECONDS)
            app.kill()
            killed.set()
            app.start()
            page.reload()
            resume.click(timeout=2 * SECONDS)  # the page offers it once the lease of the killed process has ended
            expect(page.get_by_role("button", name="Take the results along")).to_be_visible(timeout=2 * SECONDS)
            expect(page.locator(".st-key-matrix").get_by_role("link", name="passed")).to_have_count(30)
        turns = [this_turn(body) for body in model.requests]
    asked = [(turn[0], len(turn)) for turn in turns]
    assert set(asked) == {(f"What is {n} + {n}?", length) for n in range(2, 32) for length in (1, 3)}
    # Only a reply that was in flight at the stop or the kill is asked for again: at most four at once, twice.
    assert len(asked) - len(set(asked)) <= 8
