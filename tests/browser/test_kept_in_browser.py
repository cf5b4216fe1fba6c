"""What an earlier version kept and what a newer one did, on one page, in a real Chromium."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.kept.facts import FOLDER
from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import AppServer

pytestmark = pytest.mark.browser
OLD = FOLDER / "v0.1"
COOKIE = "5" * 32
NEWER = "This run was written by a newer version of Glassbox. Update Glassbox to see it."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The store that version 0.1 wrote, this browser's own."""
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(OLD / "glassbox.db", folder / "glassbox.db")
    me = sha256(f"browser {COOKIE}".encode()).hexdigest()[:32]
    change(folder, "UPDATE conversations SET visitor = ? WHERE visitor != ''", me)
    return folder


def change(data: Path, statement: str, *values: str) -> None:
    connection = sqlite3.connect(data / "glassbox.db")
    with connection:
        connection.execute(statement, values)
    connection.close()


def conversation(words: str) -> tuple[str, list[str]]:
    """The chat that version 0.1 kept under that title, and its runs."""
    expected = json.loads((OLD / "expected.json").read_text(encoding="utf-8"))
    (found,) = (one["id"] for one in expected["conversations"] if one["title"].startswith(words))
    return found, [run["id"] for run in expected["runs"] if run["conversation"] == found]


@pytest.fixture
def app(tmp_path: Path, data: Path) -> Iterator[AppServer]:
    with AppServer(tmp_path, GLASSBOX_DATA=str(data)) as running:
        yield running


@pytest.fixture
def chat(browser: Browser, app: AppServer) -> Iterator[Chat]:
    with visit(browser, app.url, COOKIE) as visiting:
        yield visiting


def test_old_runs_open_and_branch_and_newer_ones_are_a_sentence(chat: Chat, app: AppServer, data: Path) -> None:
    old, _ = conversation("What was the high temperature")
    chat.page.goto(f"{app.url}?c={old}")
    chat.expect_text("About 54 °F.")
    chat.expect_text("You asked for an answer at once: this is the best answer from what was observed up to then.")
    chat.open_step(0)
    chat.expect_text("I need yesterday's high first.")
    chat.page.get_by_role("main").get_by_role("button", name="Try again").click()
    chat.settle()
    chat.expect_text("6/6")

    mixed, (first, second, third) = conversation("Compare the two.")
    line = '{"v":7,"call_id":"","mood":"good","type":"Dreamed"}'
    change(data, "UPDATE events SET body = ? WHERE run = ? AND number = 3", line, second)
    chat.page.goto(f"{app.url}?c={mixed}")
    chat.expect_text("the other is closed.")
    chat.expect_text(NEWER)
    chat.expect_text("As before: 東京.")
    expect(chat.page.get_by_text(NEWER)).to_have_count(1)
    chat.ask("What is 6*7?")
    chat.settle()
    chat.expect_text("42")
    chat.search("the other one")
    expect(chat.chats.filter(has_text="Compare the two.")).to_have_count(1)
    for page, name in ((f"run?r={second}", NEWER), (f"run?r={third}", "As before"), (f"compare?a={first}", "Two runs")):
        chat.page.goto(f"{app.url}{page}")
        expect(chat.page.get_by_role("main")).to_contain_text(name, timeout=SECONDS)
    chat.page.goto(f"{app.url}?c={mixed}")
    chat.expect_text(NEWER)
    chat.click(chat.page.get_by_role("main").get_by_role("button", name="Export"))
    expect(chat.dialog).to_contain_text("Runs that cannot be read here are left out.")
    expect(chat.dialog.get_by_role("button", name="Events")).to_be_enabled()
    chat.page.keyboard.press("Escape")
    chat.idle()
    chat.choose("Compare the two.", "Delete")
    expect(chat.page.get_by_role("link", name="Compare the two.")).to_have_count(0)
    assert "Traceback" not in app.log
