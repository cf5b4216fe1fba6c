"""Answers in languages that are read from the right, in a real Chromium."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from agent.events import Answered, Asked, Prepared, Replied
from agent.messages import Usage
from agent.store.runs import Store
from tests.support.app_services import visitor_of
from tests.support.browser import visit
from tests.support.servers.app_server import AppServer

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "color_scheme": "dark"}
ARABIC = """ملخص المبيعات:

- القاهرة: 1,250 وحدة
- الإسكندرية: 980 وحدة

1. OpenAI ثم المراجعة والتدقيق
2. أرسل التقرير

| المدينة | المبيعات |
|---|---|
| القاهرة | 1,250 |
| الإسكندرية | 980 |
"""
HEBREW = """סיכום קצר:

1. פריז – 2.1 מיליון
2. לונדון – 8.9 מיליון

In English, too:

- one
- two
"""
# Where a block begins and its first piece of text, in pixels from the left edge of the answer and from its right one.
_EDGES = """block => {
  const range = document.createRange();
  range.selectNodeContents(block.querySelector("li, th"));
  const said = range.getBoundingClientRect();
  const answer = block.closest(".stMarkdown").getBoundingClientRect();
  return [said.left - answer.left, answer.right - said.right];
}"""


def kept(site: AppServer, cookie: str, *answers: str) -> str:
    """A chat of the visitor with that cookie; its id."""
    store, last = Store(site.database), ""
    conversation = store.add_conversation(visitor_of(cookie), "From the right")
    for number, answer in enumerate(answers):
        question = f"Question {number}?"
        prepared = Prepared(question, "", (), "react", "m", "http://127.0.0.1:9/v1")
        replied = Replied(f"Final Answer: {answer}", "I know.", Usage(), 0.1, 0.1)
        last = store.add_run(conversation, last)
        store.append(last, [Asked(question, 1_790_000_000.0), prepared, replied, Answered(answer)])
    store.close()
    return conversation


@pytest.mark.parametrize("look", [{}, PHONE], ids=["desk", "phone"])
def test_lists_and_tables_begin_on_the_side_that_they_are_read_from(
    browser: Browser, demo: AppServer, look: dict[str, Any]
) -> None:
    cookie = uuid4().hex
    conversation = kept(demo, cookie, ARABIC, HEBREW)
    with visit(browser, demo.url, demo.signed(cookie), **look) as chat:
        chat.page.goto(f"{demo.url}?c={conversation}")
        chat.expect_text("In English, too:")
        chat.settle()
        blocks = chat.page.locator(".stMarkdown :is(ul, ol, table)")
        expect(chat.page.locator('.stMarkdown :is(ul, ol, table)[dir="rtl"]')).to_have_count(4)
        for block in blocks.all():
            left, right = block.evaluate(_EDGES)
            english = "one" in block.inner_text()
            assert (left < 40 < right) if english else (right < 40 < left), block.inner_text()
        assert chat.overflow <= 0
