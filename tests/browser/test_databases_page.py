"""In a browser: connect a PostgreSQL, ask a scripted model, open the SQL of the step, look at its table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import SECONDS, visit
from tests.support.servers.app_server import WITHOUT_PROGRAMS, AppServer
from tests.support.servers.model_server import ModelServer
from tests.support.servers.postgres_server import PASSWORD, PostgresServer
from tests.support.stories import final

pytestmark = pytest.mark.browser

SQL = "SELECT country, count(*) AS users FROM users GROUP BY country ORDER BY users DESC"
ASKED = f"Thought: I count.\nAction: query_database\nAction Input: {json.dumps({'database': 'crm', 'sql': SQL})}"


def test_connect_ask_and_look(browser: Browser, tmp_path: Path, postgres: PostgresServer) -> None:
    postgres.fresh()
    postgres.run(
        "CREATE TABLE users (id int PRIMARY KEY, name text, country text)",
        "INSERT INTO users SELECT n, 'user ' || n, CASE n % 3 WHEN 0 THEN 'Peru' ELSE 'Japan' END "
        "FROM generate_series(1, 9) n",
    )
    postgres.allow_reading()
    (tmp_path / "shop.db").touch()
    with (
        ModelServer([ASKED, final("Japan has 6 users, Peru has 3.")]) as model,
        AppServer(
            tmp_path,
            GLASSBOX_BASE_URL=model.endpoint,
            GLASSBOX_MODEL="m",
            GLASSBOX_WIRE="react",
            **WITHOUT_PROGRAMS,
            GLASSBOX_DATABASES=f"shop=sqlite:///{tmp_path / 'shop.db'}",
        ) as app,
        visit(browser, app.url) as chat,
    ):
        page = chat.page
        # What the owner gives is there from the start, by its name alone.
        expect(page.get_by_role("button", name="shop · SQLite")).to_be_visible(timeout=SECONDS)
        chat.click(chat.button("Connect a database"))
        expect(chat.dialog).to_contain_text("It is only read")
        chat.idle()
        page.get_by_role("textbox", name="Name").fill("crm")
        url = page.get_by_role("textbox", name="URL")
        url.fill(postgres.url("reader").replace(PASSWORD, "wrong"))
        chat.dialog.get_by_role("button", name="Test").click()
        expect(chat.dialog).to_contain_text("User name or password are not accepted.", timeout=SECONDS)
        url.fill(postgres.url("reader"))
        chat.dialog.get_by_role("button", name="Test").click()
        expect(chat.dialog).to_contain_text("It answers: PostgreSQL", timeout=SECONDS)
        expect(chat.dialog).to_contain_text("with 1 table")
        chat.click(chat.dialog.get_by_role("button", name="Connect", exact=True))
        expect(chat.dialog).to_have_count(0, timeout=SECONDS)
        chip = page.get_by_role("button", name="crm · PostgreSQL")
        expect(chip).to_be_visible(timeout=SECONDS)
        chat.answer_to("How many users has each country?", "Japan has 6 users")
        assert "crm (PostgreSQL" in json.dumps(model.requests[0]) and PASSWORD not in json.dumps(model.requests)
        step = chat.open_step(0)
        expect(step).to_contain_text(SQL)
        expect(step).to_contain_text("Result · 2 rows")
        expect(step.get_by_test_id("stDataFrame")).to_be_visible(timeout=SECONDS)
        chat.click(chip)
        expect(page.get_by_text("Connected by you, for this chat")).to_be_visible()
        page.keyboard.press("Escape")
        # It outlives a reload, and is on the Data page, where it can be disconnected.
        page.reload()
        chat.click(page.get_by_role("link", name="Data"))
        expect(page.get_by_role("heading", name="Databases")).to_be_visible(timeout=SECONDS)
        chat_main = page.get_by_role("main")
        expect(chat_main).to_contain_text("Given by this site")
        box = page.locator(".st-key-connected-crm")
        chat.click(box.get_by_role("button", name="Test"))
        expect(box).to_contain_text("It answers: PostgreSQL", timeout=SECONDS)
        chat.click(box.get_by_role("button", name="Disconnect"))
        expect(box).to_have_count(0, timeout=SECONDS)
        assert PASSWORD not in page.content()
        kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
        assert PASSWORD.encode() not in kept
