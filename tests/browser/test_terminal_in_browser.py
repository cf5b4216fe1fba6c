"""The shell in the chat, in a real Chromium: a command allowed, drawn and stopped; refused where it is not confined."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from agent.sandbox.client import Sandbox
from agent.shell.chat_shell import Shells
from agent.store.runs import Store
from tests.support.accessibility import violations
from tests.support.browser import SECONDS, Chat, visit
from tests.support.servers.app_server import AppServer, FreshAppServer
from tests.support.servers.model_server import ModelServer
from tests.support.stories import final, react, this_turn

pytestmark = pytest.mark.browser
COMMANDS = {
    "look": "printf 'b\\na\\n' > letters; sort letters; env | grep -c KEY; uname -n; exit 3",
    "wait": "echo begun; sleep 31339 & sleep 31339",
    "again": "ls",
}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def play(body: dict[str, Any]) -> str:
    """A model that runs the command that the question names, and answers with what it observed."""
    if "Action" not in str(body["messages"][0]["content"]):
        return str(body["messages"][-1]["content"]).rpartition("Follow-up question: ")[2].splitlines()[0]
    said = this_turn(body)
    if len(said) > 1:
        return final(f"I was told: {' | '.join(said[-1].removeprefix('Observation: ').splitlines())}")
    word = next(word for word in COMMANDS if word in said[0])
    return react("The shell can do that.", "terminal", json.dumps({"command": COMMANDS[word]}))


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    with ModelServer(play) as model:
        owned = {"GLASSBOX_BASE_URL": model.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_WIRE": "react"}
        folder = tmp_path_factory.mktemp("terminal")
        settings = {**owned, "GLASSBOX_TERMINAL": "yes", "OPENAI_API_KEY": "sk-canary"}
        with FreshAppServer(folder, **settings) as running:
            yield running


def refusal(store: Store, folder: Path) -> str:
    """Why there is no shell on this machine; "" where there is one."""
    return Shells(store.database, folder / "terminal", Sandbox()).available()


def asleep() -> bool:
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if place.read_bytes() == b"sleep\x0031339\x00":
                return True
    return False


def wait_until(done: bool) -> None:
    end = monotonic() + 20
    while asleep() is not done:
        assert monotonic() < end
        sleep(0.05)


def tools_page(chat: Chat) -> None:
    chat.page.get_by_role("link", name="Tools").click()
    expect(chat.page.get_by_role("heading", name="Tools", exact=True)).to_be_visible(timeout=SECONDS)
    chat.page.get_by_role("textbox", name="Search tools").fill("locked shell")
    chat.page.get_by_role("textbox", name="Search tools").press("Enter")
    chat.idle()
    chat.open_step(0)


def test_a_command_is_allowed_drawn_and_stopped(browser: Browser, app: AppServer, store: Store, tmp_path: Path) -> None:
    with visit(browser, app.url) as chat:
        if sentence := refusal(store, tmp_path):
            chat.answer_to("Take a look", f"I was told: The tool ‘terminal’ cannot be used now. {sentence}")
            tools_page(chat)
            chat.expect_text("Need something first")
            chat.expect_text(sentence)
            return

        chat.ask("Take a look")
        chat.expect_text("May the agent do this? It would run this command in the locked shell of this chat")
        expect(chat.button("Always in this chat")).to_have_count(0)
        chat.idle()
        assert violations(chat.page) == []
        chat.click(chat.button("Allow once"))
        chat.expect_text("I was told: <data> | Exit code 3. | a | b | 0 | shell | </data>")
        chat.settle()
        step = chat.open_step(0)
        expect(step).to_contain_text("Ran in the shell: printf")
        blocks = step.get_by_test_id("stCode")
        expect(blocks.first).to_contain_text(COMMANDS["look"], timeout=SECONDS)
        expect(blocks.last).to_contain_text(re.compile(r"Exit code 3\.\s*a\s*b\s*0\s*shell"))
        assert "monospace" in str(blocks.last.locator("code").evaluate("one => getComputedStyle(one).fontFamily"))

        chat.ask("Now wait")
        expect(chat.button("Allow once")).to_be_visible()
        chat.click(chat.button("Allow once"))
        wait_until(True)
        chat.button("Stop").click()
        chat.expect_text("Stopped.")
        chat.settle()
        wait_until(False)

        chat.ask("And again")
        expect(chat.button("Allow once")).to_be_visible()
        chat.click(chat.button("Allow once"))
        chat.expect_text("I was told: <data> | Exit code 0. | letters | </data>")
        chat.settle()

        tools_page(chat)
        chat.expect_text("In use")
        chat.button("Try it").click()
        chat.dialog.get_by_role("textbox", name="command").fill("wc -l < letters")
        chat.click(chat.button("Run"))
        expect(chat.dialog).to_contain_text(re.compile(r"Done.*Exit code 0\.\s*2"), timeout=SECONDS)
    assert "sk-canary" not in app.log
