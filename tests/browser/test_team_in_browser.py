"""Two people in a real Chromium: one shares a chat with the other, who reads it and goes on; it is taken back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from agent.store.runs import Store
from tests.support.accessibility import violations
from tests.support.browser import Chat, tab
from tests.support.page_socket import set_up_signing_in, signed_in
from tests.support.servers.app_server import AppServer
from tests.support.team_chats import chat

pytestmark = pytest.mark.browser
ANNA = {"sub": "1", "email": "anna@example.com", "email_verified": True}
BERT = {"sub": "2", "email": "bert@example.com", "email_verified": True}
VISITOR = sha256(b"user https://id.example.com 1").hexdigest()[:32]


@contextmanager
def at_home(browser: Browser, app: AppServer, claims: dict[str, object], query: str = "") -> Iterator[Chat]:
    with tab(browser) as page:
        for name, value in signed_in(app.port, **claims).items():
            page.context.add_cookies([{"name": name, "value": value, "url": app.url}])
        yield Chat(page, app.url + query)


def dialog_of(anna: Chat) -> None:
    anna.click(anna.button("Share…"))
    expect(anna.dialog).to_be_visible()
    anna.idle()


def is_not_shared(page: Page) -> None:
    expect(page.get_by_role("heading", name="This chat is not shared with you")).to_be_visible()


def test_share_by_name_read_go_on_take_back(browser: Browser, tmp_path: Path) -> None:
    app = AppServer(tmp_path)
    set_up_signing_in(tmp_path, app.port)
    with app:
        store = Store(app.database)
        conversation = chat(store, "How long is the Nile?", visitor=VISITOR, title="The Nile")
        store.close()
        with at_home(browser, app, ANNA, f"?c={conversation}") as anna, at_home(browser, app, BERT) as bert:
            expect(bert.page.get_by_text("Nothing yet.")).to_be_visible()
            dialog_of(anna)
            anna.dialog.get_by_text("Named people").click()
            anna.dialog.get_by_role("textbox", name="Their addresses").fill("Bert@example.com")
            anna.click(anna.dialog.get_by_text("read it, and go on"))
            assert violations(anna.page) == []
            anna.dialog.get_by_role("button", name="Share it").click()
            expect(anna.dialog).to_contain_text("They see the chat as it was")
            assert violations(anna.page) == []
            bert.page.reload()
            bert.idle()
            bert.page.get_by_role("link", name="New · The Nile").click()
            expect(bert.page.get_by_text("Shared by anna")).to_be_visible()
            shared = bert.page.url
            assert violations(bert.page) == []
            bert.page.get_by_role("button", name="Go on in a chat of my own").click()
            expect(bert.page.get_by_text("Began with what anna")).to_be_visible()
            bert.answer_to("What is 15% of 80?", "12")
            anna.click(anna.dialog.get_by_role("button", name="Take it back"))
            expect(anna.dialog.get_by_role("button", name="Share it")).to_be_visible()
            mine = bert.page.url
            bert.page.goto(shared)
            is_not_shared(bert.page)
            bert.page.goto(mine)
            expect(bert.page.get_by_role("main")).to_contain_text("How long is the Nile?")
