"""All tools behind web services in one chat: a scripted model, services on loopback, and what a person sees of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import SECONDS, Chat, visit
from tests.servers.app_server import AppServer
from tests.servers.model_server import Call, ModelServer, Reply
from tests.servers.provider_server import KEY, ProviderServer

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("weather", {"place": "Paris"}),
    ("weather", {"place": "東京", "date": "tomorrow"}),
    ("news", {"query": "comet"}),
    ("movies", {"title": "Inception"}),
    ("wolfram", {"question": "distance to the Moon"}),
    ("wikipedia", {"article": "Ada Lovelace"}),
    ("search", {"query": "tallest mountain"}),
]
ANSWER = "Paris has **7.4 °C** and light rain now; Everest is 8,849 m high."


def script() -> list[Reply]:
    calls = [
        Reply(calls=(Call(name, json.dumps(arguments), f"c{index}"),)) for index, (name, arguments) in enumerate(CALLS)
    ]
    return [*calls, Reply(ANSWER)]


@pytest.fixture(scope="module")
def providers() -> Iterator[ProviderServer]:
    with ProviderServer() as running:
        yield running


@pytest.fixture(scope="module")
def app(providers: ProviderServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    with AppServer(tmp_path_factory.mktemp("app"), GLASSBOX_SEARCH="serper", **providers.environment) as running:
        yield running


def run_all(chat: Chat, model: ModelServer) -> None:
    chat.connect(model.endpoint, model="m")
    chat.open_settings()
    tools = chat.dialog.get_by_role("toolbar", name="Tools")
    tools.get_by_role("button", name="wikipedia").click()  # the one that is not on from the start
    chat.button("Save").click()
    chat.closed()
    chat.answer_to("Tell me everything", "8,849 m high")


def test_every_tool_in_one_chat(browser: Browser, app: AppServer, providers: ProviderServer) -> None:
    with ModelServer(script()) as model, visit(browser, app.url) as chat:
        asked: list[str] = []
        chat.page.on("request", lambda request: asked.append(request.url))
        run_all(chat, model)
        assert model.unexpected == 0
        offered = {tool["function"]["name"] for tool in model.requests[0]["tools"]}
        assert {name for name, _ in CALLS} <= offered
        shown = [message["content"] for message in model.requests[-1]["messages"] if message["role"] == "tool"]
        assert "low 4.2 °C, high 11 °C" in shown[0] and "最低気温 4.2 °C" in shown[1] and "8,849 m" in shown[-1]

        # From the last on: an open step has more that can be opened in it.
        step = chat.open_step(6)
        expect(step).to_contain_text("Searched ‘tallest mountain’ · 3 sources")
        step = chat.open_step(5)
        expect(step).to_contain_text("English mathematician")
        step = chat.open_step(4)
        expect(step.get_by_text("379300 km (kilometers)", exact=True)).to_be_visible(timeout=SECONDS)
        step = chat.open_step(3)
        expect(step).to_contain_text("Directed by Christopher Nolan", timeout=SECONDS)
        expect(step.get_by_text("8.4/10", exact=True)).to_be_visible()

        step = chat.open_step(2)
        expect(step).to_contain_text("Read the news: comet · 2 sources")
        expect(step.get_by_role("link", name="Comet seen over Europe")).to_be_visible(timeout=SECONDS)
        expect(step).to_contain_text("BBC News · 2026-11-20 · A bright comet was seen")

        step = chat.open_step(1)
        expect(step).to_contain_text("4.2～11 °C", timeout=SECONDS)
        expect(step).to_contain_text('Read "tomorrow" as')

        step = chat.open_step(0)
        expect(step).to_contain_text("Weather: Paris")
        expect(step.get_by_role("heading", name="7.4 °C")).to_be_visible(timeout=SECONDS)
        expect(step).to_contain_text("Feels like 4.9 °C · Humidity 81 %")
        expect(step.get_by_test_id("stVegaLiteChart")).to_be_visible()
        expect(step.get_by_test_id("stDataFrame")).to_be_visible()
        link = step.get_by_role("link", name="Open-Meteo: Paris")
        place = "latitude=48.8534&longitude=2.3488"
        expect(link).to_have_attribute("href", f"https://open-meteo.com/en/docs?{place}&timezone=auto")

        # Nothing is loaded from a host that a tool named, and no key is on the page.
        assert {url.split("/")[2].split(":")[0] for url in asked if "://" in url} <= {"localhost", "127.0.0.1"}
        assert KEY not in chat.page.content() and KEY not in app.log
