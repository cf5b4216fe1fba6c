"""The card of a model in a browser: its cost first, then progress, stopped, resumed, and beside the model's name."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from agent.evals.model_card.card_questions import card_questions
from tests.support.browser import SECONDS, visit
from tests.support.servers.app_server import AppServer
from tests.support.servers.model_server import Call, ModelServer, Reply
from tests.support.stories import final, react, this_turn

pytestmark = pytest.mark.browser
ANSWERS: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "support" / "card_answers.toml").read_text(encoding="utf-8")
)
IDS = {each.test.question: each.test.id for each in card_questions()}


def good(body: dict[str, Any]) -> Reply:
    """A model that answers every question of the card, on each wire."""
    messages = body["messages"]
    place = max(place for place, message in enumerate(messages) if message["content"] in IDS)
    known = ANSWERS[IDS[messages[place]["content"]]]
    if "tools" in body:
        done = sum(message["role"] == "tool" for message in messages[place:])
    else:
        done = (len(this_turn(body)) - 1) // 2
    if done >= len(known["calls"]):
        return Reply(known["answer"] if "tools" in body else final(known["answer"]))
    name, given = known["calls"][done]
    if "tools" in body:
        return Reply(calls=(Call(name, dict(given), f"c{done}"),))
    return Reply(react("I use a tool.", name, json.dumps(given)))


def test_a_card_is_measured_stopped_and_resumed(browser: Browser, demo: AppServer) -> None:
    stopped, replies = Flag(), count()
    with (
        ModelServer(lambda body: replace(good(body), gate=stopped if next(replies) > 20 else None)) as model,
        visit(browser, demo.url) as chat,
    ):
        chat.fill_in(model.endpoint, model="m")
        card = chat.page.locator(".st-key-model-card")
        card.get_by_role("button", name="Measure it").click()
        expect(card).to_contain_text("80 answers: about 170 replies", timeout=SECONDS)
        chat.click(card.get_by_role("button", name="Begin"))
        expect(card.get_by_text(re.compile(r"\d+ of 80 answers"))).to_be_visible(timeout=SECONDS)
        card.get_by_role("button", name="Stop").click()
        resume = card.get_by_role("button", name="Resume")
        expect(resume).to_be_visible(timeout=SECONDS)
        stopped.set()
        chat.click(resume)
        expect(card.get_by_role("row", name=re.compile("^All "))).to_contain_text(
            "40 of 40 (91%–\u2060100%)", timeout=4 * SECONDS
        )
        expect(card.get_by_role("columnheader")).to_have_text(["Right answers", "In text", "Native calls"])
        chat.click(chat.button("Use this model"))
        chat.closed()
        chat.model.click()
        expect(chat.page.get_by_role("menuitem", name=re.compile(r"m · 40 of 40 right"))).to_be_visible(timeout=SECONDS)
