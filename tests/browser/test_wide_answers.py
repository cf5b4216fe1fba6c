"""Formulas and tables that are wider than the page: they scroll in a box of their own, and no number is broken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from agent.events import Answered, Asked, Event, Prepared, Replied
from agent.messages import Usage
from agent.sharing.export.collected import Exported, ExportedRun
from agent.sharing.export.html_page import export_html
from agent.store.runs import Store
from tests.support.app_services import visitor_of
from tests.support.browser import Chat, tab, visit
from tests.support.servers.app_server import AppServer

pytestmark = pytest.mark.browser

SUM = " + ".join(rf"x_{{{number}}}^{{10}}" for number in range(1, 60))
FORMULA = f"$$\n\\frac{{{SUM}}}{{2}}\n$$"  # a line that cannot be parted
HEADS = ("Month", "Orders", "Revenue", "Returns", "Discounts", "Shipping", "Refunded", "Total")
ROW = ("September", "100,123", "12,345,678.90", "1,234.50", "98,765.40", "45,678.20", "12,345.60", "12,214,567.10")
TABLE = "\n".join(f"| {' | '.join(cells)} |" for cells in (HEADS, ["---"] * len(HEADS), ROW))
ANSWER = f"A series:\n\n{FORMULA}\n\n{TABLE}"
_BROKEN = """cells => cells.filter(cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map(part => Math.round(part.top))).size > 1;
}).map(cell => cell.textContent)"""
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 800}


def _run() -> list[Event]:
    prepared = Prepared("Which?", "s", (), "react", "m", "http://a")
    return [Asked("Which?", 1_795_000_000.0), prepared, Replied(ANSWER, "", Usage(), 0.1, 0.1), Answered(ANSWER)]


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def chat(request: pytest.FixtureRequest, browser: Browser, demo: AppServer) -> Iterator[Chat]:
    cookie = uuid4().hex
    store = Store(demo.database)
    conversation = store.add_conversation(visitor_of(cookie), "Wide")
    store.append(store.add_run(conversation), _run())
    store.close()
    address = f"{demo.url}?c={conversation}"
    with visit(browser, address, demo.signed(cookie), viewport=request.param) as visited:
        visited.settle()
        yield visited


def test_the_chat_is_no_wider_than_the_window(chat: Chat) -> None:
    formula = chat.page.locator(".katex")
    expect(formula).to_be_visible()
    assert formula.evaluate("part => part.parentElement.scrollWidth > part.parentElement.clientWidth")
    assert chat.overflow == 0


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_an_exported_page_breaks_no_number(browser: Browser, size: ViewportSize, tmp_path: Path) -> None:
    file = tmp_path / "wide.html"
    file.write_text(export_html(Exported("Wide", (ExportedRun("1", "", tuple(_run()), 0, "", {}),))), encoding="utf-8")
    with tab(browser, viewport=size) as page:
        page.goto(file.as_uri())
        assert page.locator("th, td").evaluate_all(_BROKEN) == []
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        wide = page.locator(".wide:has(math)")
        assert wide.evaluate("box => box.scrollWidth > box.clientWidth && box.clientWidth <= innerWidth")


def test_a_new_chat_is_read_from_its_top(chat: Chat) -> None:
    place = chat.page.get_by_test_id("stMain")
    place.evaluate("place => { place.scrollTop = place.scrollHeight; }")
    if (expand := chat.button("Expand sidebar")).is_visible():
        expand.click()
    chat.button("New chat").click()
    expect(chat.page.get_by_text("What shall we find out?")).to_be_visible()
    chat.settle()
    assert place.evaluate("place => place.scrollTop") == 0
