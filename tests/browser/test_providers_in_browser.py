"""The tools in one chat: a scripted model, services on loopback, a database, and what a person sees of each."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from agent.sandbox import client
from agent.tools.catalogue import built_in
from tests.support.browser import SECONDS, Chat, visit
from tests.support.database_story import ANSWER as COUNTRY
from tests.support.database_story import FOUND, QUESTION, SEARCH, SQL, USERS
from tests.support.servers.app_server import AppServer
from tests.support.servers.model_server import Call, ModelServer, Reply
from tests.support.servers.provider_server import KEY, SERPER, SERVICES, ProviderServer
from tests.support.servers.search_server import Handler

pytestmark = pytest.mark.browser

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("weather", {"place": "Paris"}),
    ("weather", {"place": "東京", "date": "tomorrow"}),
    ("news", {"query": "comet"}),
    ("movies", {"title": "Inception"}),
    ("wolfram", {"question": "distance to the Moon"}),
    ("wikipedia", {"article": "Ada Lovelace"}),
    ("search", {"query": "tallest mountain"}),
    ("now", {"zone": "Asia/Tokyo"}),
    ("convert", {"amount": "5 miles", "to": "km"}),
]
EGGS = "def solution():\n    boxes = 3\n    return boxes * 12 - 5"
RED = (
    'def solution():\n    row = [("pen", "red"), ("cup", "blue")]\n    return sum(colour == "red" for _, colour in row)'
)
PROGRAMS = [
    ("llm_math", {"code": "2**100"}),
    ("word_problem", {"code": EGGS}),
    ("colored_objects", {"code": RED}),
]
CALLS += [] if client.missing() else PROGRAMS
DATABASE = [("query_database", {"database": "crm", "sql": SQL}), ("search", {"query": SEARCH})]
ANSWER = "Paris has **7.4 °C** and light rain now; Everest is 8,849 m high."


def script() -> list[Reply]:
    return [*calling(CALLS), Reply(ANSWER), *calling(DATABASE), Reply(COUNTRY)]


def calling(calls: list[tuple[str, dict[str, Any]]]) -> list[Reply]:
    # As many servers do, it writes what is not ASCII as codes.
    return [Reply(calls=(Call(name, json.dumps(given), f"c{number}"),)) for number, (name, given) in enumerate(calls)]


def serper(handler: Handler) -> None:
    server = handler.owner
    assert isinstance(server, ProviderServer)
    asked = server.asked[-1].body["q"]
    handler.reply(200, {"organic": FOUND["organic_results"]} if asked == SEARCH else SERPER)


@pytest.fixture(scope="module")
def providers() -> Iterator[ProviderServer]:
    with ProviderServer() as running:
        running.pages[SERVICES["serper"]] = serper
        yield running


@pytest.fixture(scope="module")
def app(providers: ProviderServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    folder = tmp_path_factory.mktemp("app")
    folder.chmod(0o755)
    with sqlite3.connect(folder / "crm.db") as connection:
        for statement in USERS:
            connection.execute(statement)
    connection.close()
    database = f"crm=sqlite:///{folder / 'crm.db'}"
    settings = {"GLASSBOX_SEARCH": "serper", "GLASSBOX_DATABASES": database, "TMPDIR": str(folder)}
    with AppServer(folder, **settings, **providers.environment) as running:
        yield running


def run_all(chat: Chat, model: ModelServer) -> None:
    chat.connect(model.endpoint, model="m")
    chat.open_settings()
    tools = chat.dialog.get_by_role("toolbar", name="Tools")
    # Those that are not on from the start, programs among them, though they work within a chat alone.
    for name in (built_in(name).title for name in ("wikipedia", *(name for name, _ in PROGRAMS))):
        tools.get_by_role("button", name=name, exact=True).click()
        chat.idle()
    chat.button("Save").click()
    chat.closed()
    chat.answer_to("Tell me everything", "8,849 m high")


def programs_and_figures(chat: Chat) -> None:
    if len(CALLS) > 9:
        for index, title, code, result in (
            (11, "Reasoned about objects · 3 lines → 1", "return sum", "1"),
            (10, "Solved a word problem · 3 lines → 31", "boxes = 3", "31"),
            (9, "Worked out a sum · 1 line", "2**100", "1267650600228229401496703205376"),
        ):
            step = opened(chat, index, title)
            expect(step).to_contain_text(code)
            expect(step).to_contain_text(result)
    step = opened(chat, 8, "Converted 5 miles = 8.04672 km")
    expect(step).to_contain_text('Read "5 miles" as 5')
    step = opened(chat, 7, "Date and time:")
    expect(step.locator("summary").first).to_contain_text("in Asia/Tokyo")
    expect(step.locator("summary").first).not_to_contain_text("JST")


def opened(chat: Chat, index: int, title: str) -> Locator:
    step = chat.open_step(index)
    expect(step).to_contain_text(title)
    expect(step).to_contain_text("Observation", timeout=SECONDS)
    return step


def test_every_tool_in_one_chat(browser: Browser, app: AppServer, providers: ProviderServer) -> None:
    with ModelServer(script()) as model, visit(browser, app.url) as chat:
        asked: list[str] = []
        chat.page.on("request", lambda request: asked.append(request.url))
        run_all(chat, model)
        assert model.unexpected == 0
        offered = {tool["function"]["name"] for tool in model.requests[0]["tools"]}
        assert {name for name, _ in CALLS} <= offered
        shown = [message["content"] for message in model.requests[-1]["messages"] if message["role"] == "tool"]
        assert "low 4.2 °C, high 11 °C" in shown[0] and "最低気温 4.2 °C" in shown[1] and "8,849 m" in shown[6]

        # From the last on: an open step has more that can be opened in it.
        programs_and_figures(chat)
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
        expect(step).to_contain_text('{"place": "東京", "date": "tomorrow"}')
        expect(step).to_contain_text("25.6 m/s")
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

        # A database and the web, one after the other.
        chat.new_chat()
        chat.ask(QUESTION)
        chat.expect_text("It would send “Africa, Lusaka” to search")
        chat.click(chat.button("Allow once"))
        chat.expect_text(COUNTRY)
        chat.settle()
        expect(chat.open_step(1).get_by_role("link", name=FOUND["organic_results"][0]["title"])).to_be_visible(
            timeout=SECONDS
        )
        step = chat.open_step(0)
        expect(step).to_contain_text("Result · 1 row", timeout=SECONDS)
        expect(chat.page.get_by_role("main")).to_contain_text("4 of 4 names traced")
