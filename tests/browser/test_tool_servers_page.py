"""Tool servers in the page: one of another's, one connected by its address, used in a run, gone, and there again."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import AppServer
from tests.support.servers.model_server import ModelServer
from tests.support.servers.tool_server import STDIO, ToolServer
from tests.support.stories import final, react

pytestmark = pytest.mark.browser

KEY = "planted-key-4242"
TIME = f"time={sys.executable} -m mcp_server_time"  # from the package index, not ours


def play(body: dict[str, Any]) -> str:
    said = str(body["messages"][-1]["content"])
    last = said if said.startswith("Observation:") else said.rpartition("\n\n")[2]
    if "Observation:" in last:
        if "datetime" in last:
            return final("It is late in Japan.")
        return final("The server is gone." if "is gone" in last else "It is 5.")
    if "Tokyo" in last:
        return react("look", "time_get_current_time", '{"timezone": "Asia/Tokyo"}')
    if "mine_add" in rules(body):
        return 'Thought: add\nAction: mine_add\nAction Input: {"a": "2", "b": 3}'
    return "What is 4 plus 3?" if "standalone" in str(body["messages"][0]) else final("The server is gone.")


def rules(body: dict[str, Any]) -> str:
    """The instructions that hold: tools that come and go are told where that happens."""
    said = [str(message["content"]) for message in body["messages"]]
    return next((text for text in reversed(said) if "stand in place of those above" in text), said[0])


def test_a_server_is_connected_used_lost_and_found(browser: Browser, tmp_path: Path) -> None:
    settings = {"GLASSBOX_WIRE": "react", "GLASSBOX_MODEL": "m", "GLASSBOX_MCP": f"house={STDIO}, {TIME}"}
    with (
        ToolServer(key=KEY) as server,
        ModelServer(play) as model,
        AppServer(tmp_path, **settings, GLASSBOX_BASE_URL=model.endpoint, OPENAI_API_KEY="k") as app,
        visit(browser, app.url) as chat,
    ):
        chat.click(chat.button("Tool servers"))
        # The owner's is there for everybody, and nobody is told where or how it runs.
        house = chat.page.locator(".st-key-server-house")
        expect(house).to_contain_text("house · Connected", timeout=SECONDS * 3)
        assert str(tmp_path) not in chat.dialog.inner_text() and "python" not in chat.dialog.inner_text()

        connect(chat, "mine", "ftp://nowhere")
        expect(chat.dialog.get_by_role("alert")).to_contain_text("must begin with http", timeout=SECONDS)
        connect(chat, "mine", server.url)
        mine = chat.page.locator(".st-key-server-mine")
        expect(mine).to_contain_text("It does not take the key, or asks for one.", timeout=SECONDS * 2)
        chat.click(mine.get_by_role("button", name="Disconnect"))
        expect(mine).to_have_count(0, timeout=SECONDS)
        connect(chat, "mine", server.url, KEY)
        expect(mine).to_contain_text("mine · Connected", timeout=SECONDS * 2)
        chat.click(mine.locator("summary"))
        chat.idle()
        expect(mine).to_contain_text(re.compile(r"mine_add\s*says it only reads\s*Adds two whole numbers."))
        expect(mine).to_contain_text(re.compile(r"mine_crash\s*says it may destroy"))
        mine.locator("summary").click()
        chat.click(mine.get_by_text("A sum", exact=True))
        expect(mine).to_contain_text("What is 2 plus 3?", timeout=SECONDS)
        assert KEY not in chat.page.content() and "javascript:" not in chat.page.content()
        chat.click(mine.get_by_role("button", name="Ask this"))
        chat.expect_text("It is 5.")
        chat.settle()
        step = chat.open_step(0)
        expect(step).to_contain_text("mine_add", timeout=SECONDS)

        server.kill()
        chat.ask("And 4 plus 3?")
        chat.expect_text("The server is gone.")
        chat.settle()
        # Its tool fails, or is not offered any more where it was found out before.
        told = model.requests[-1]
        assert "The tool server mine is gone." in str(told["messages"]) or "mine_add" not in rules(told)
        chat.button("Tool servers").click()
        expect(mine).to_contain_text("It cannot be reached. Is it running, and is the address right?", timeout=SECONDS)
        server.start()
        chat.click(mine.get_by_role("button", name="Try again"))
        expect(mine).to_contain_text("mine · Connected", timeout=SECONDS * 2)
        # One that is not of our making.
        expect(chat.page.locator(".st-key-server-time")).to_contain_text("time · Connected", timeout=SECONDS * 3)
        shut(chat)
        listed_among_the_tools(chat)
        assert KEY not in app.log

        chat.new_chat()
        chat.answer_to("What time is it in Tokyo?", "It is late in Japan.")
        step = chat.open_step(0)
        expect(step).to_contain_text('{"timezone": "Asia/Tokyo"}', timeout=SECONDS)
        expect(step).to_contain_text("+09:00", timeout=SECONDS)


def listed_among_the_tools(chat: Chat) -> None:
    """With their state and the way to all there is to know of them, on the page Tools."""
    chat.page.get_by_role("link", name="Tools", exact=True).click()
    listed = chat.page.locator(".st-key-tool-servers")
    expect(listed).to_contain_text(re.compile(r"house · Connected · \d+ tools.*mine · Connected · \d+ tools", re.S))
    chat.click(chat.button("Look closer"))
    mine = chat.page.locator(".st-key-server-mine")
    chat.click(mine.get_by_role("button", name="Disconnect"))
    expect(mine).to_have_count(0, timeout=SECONDS)
    shut(chat)
    expect(listed).not_to_contain_text("mine", timeout=SECONDS)


def connect(chat: Chat, name: str, address: str, key: str = "") -> None:
    chat.idle()
    chat.dialog.get_by_label("Name").fill(name)
    chat.dialog.get_by_label("Address").fill(address)
    chat.dialog.get_by_role("textbox", name="Key").fill(key)
    chat.button("Connect", exact=True).click()
    chat.idle()


def shut(chat: Chat) -> None:
    chat.click(chat.dialog.get_by_role("button", name="Close", exact=True))
    chat.closed()
