"""The further services behind ``search``: what each answers, and each of its errors, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from agent.errors import ToolFailed
from agent.settings import read_settings
from agent.toolkit.base import ToolResult
from agent.tools.catalogue import toolbox
from agent.tools.search import ENGINES
from agent.tools.search.search_tool import SearchCache, engine_missing, engine_service, search_tool, service_of
from agent.tools.spec import Parts
from tests.support.servers.provider_server import KEY, SERVICES, ProviderServer
from tests.support.servers.search_server import Answer, SearchServer

PAGES = {"serper": SERVICES["serper"], "google": SERVICES["google"], "searxng": "/searxng/search"}


@pytest.fixture
def server() -> Iterator[ProviderServer]:
    with ProviderServer() as running:
        yield running


def look_up(server: ProviderServer, service: str, query: str = "tallest mountain") -> ToolResult:
    settings = read_settings({**server.environment, "GLASSBOX_SEARCH": service})
    return search_tool(settings, cache=SearchCache()).call({"query": query})


def failure(server: ProviderServer, service: str, answer: Answer) -> ToolFailed:
    server.pages[PAGES[service]] = answer
    with pytest.raises(ToolFailed) as caught:
        look_up(server, service)
    assert KEY not in str(caught.value)
    return caught.value


def test_serper(server: ProviderServer) -> None:
    result = look_up(server, "serper")
    assert result.text.splitlines() == [
        "Answer: Mount Everest: Its height is 8,849 m. [1]",
        "Knowledge graph: Mount Everest (Mountain): Earth's highest mountain above sea level. Elevation: 8,849 m; "
        "First ascent: 29 May 1953 [2]",
        "[3] Everest — everest.example.org (Mar 3, 2026): All about it.",
    ]
    (asked,) = server.asked
    assert (asked.method, asked.headers["X-API-KEY"]) == ("POST", KEY)
    assert asked.body == {"q": "tallest mountain", "num": 10}
    assert [source.url for source in result.sources][1] == "https://en.wikipedia.org/wiki/Mount_Everest"


def test_google(server: ProviderServer) -> None:
    assert look_up(server, "google").text == "[1] Everest — everest.example.org: The tallest mountain is 8,849 m high."
    (asked,) = server.asked
    assert asked.parameters == {"cx": "a1b2c3:engine", "q": "tallest mountain", "num": "10"}
    assert asked.headers["X-Goog-Api-Key"] == KEY


def test_searxng(server: ProviderServer) -> None:
    assert look_up(server, "searxng").text.splitlines() == [
        "Answer: 8,849 m",
        "Mount Everest: Mountain in the Himalayas [1]",
        "[2] Everest — everest.example.org (2026-03-03): The tallest mountain is 8,849 m high.",
    ]
    assert server.asked[0].parameters == {"q": "tallest mountain", "format": "json", "language": "en"}
    # Older versions give answers as texts; an address with the path is as good as one without.
    server.pages["/searxng/search"] = {"results": [], "answers": ["8,849 m"], "infoboxes": []}
    tool = search_tool(read_settings({"SEARXNG_URL": f"{server.serpapi_url}/searxng/search"}))
    assert tool.call({"query": "x"}).text == "Answer: 8,849 m"


@pytest.mark.parametrize("service", ["serper", "google", "searxng"])
def test_searches_in_japanese_ask_for_japanese(server: ProviderServer, service: str) -> None:
    look_up(server, service, "最新のドル円為替レート")
    (asked,) = server.asked
    told = asked.body or asked.parameters
    assert told.get("language") == "ja" or (told["hl"], told["gl"]) == ("ja", "jp")


def test_auto_takes_the_first_that_has_what_it_needs() -> None:
    every = {
        "SERPAPI_API_KEY": "k", "SERPER_API_KEY": "k", "GOOGLE_API_KEY": "k", "GOOGLE_CSE_ID": "c", "SEARXNG_URL": "http://x",
        "GLASSBOX_WIKIPEDIA_URL": "http://y",
    }  # fmt: skip
    chosen = [service_of(read_settings(every))]
    for name in ("SERPAPI_API_KEY", "SERPER_API_KEY", "GOOGLE_CSE_ID", "SEARXNG_URL"):
        every[name] = ""
        chosen.append(service_of(read_settings(every)))
    assert chosen == ["serpapi", "serper", "google", "searxng", "wikipedia"]
    named = read_settings({"GLASSBOX_SEARCH": "wikipedia", "SERPAPI_API_KEY": "k"})
    assert service_of(named) == "wikipedia"
    assert "Google through Serper" in search_tool(read_settings({"SERPER_API_KEY": "k"})).description
    assert KEY not in repr(read_settings({"SERPER_API_KEY": KEY, "GOOGLE_API_KEY": KEY, "SERPAPI_API_KEY": KEY}))


def google(code: int, status: str, reason: str, message: str = "A sentence.") -> tuple[int, dict[str, Any]]:
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com"}
    errors = [{"message": message, "domain": "global", "reason": reason}]
    return code, {"error": {"code": code, "message": message, "errors": errors, "status": status, "details": [info]}}


@pytest.mark.parametrize(
    ("service", "answer", "kind", "said"),
    [
        ("serper", (403, {"message": "Unauthorized.", "statusCode": 403}), "key", "SERPER_API_KEY"),
        ("serper", (400, {"message": "Not enough credits", "statusCode": 400}), "quota", "Not enough credits"),
        ("serper", (429, {"message": "Too many requests"}), "quota", "Too many requests"),
        ("serper", (400, {"message": "Missing query parameter"}), "refused", "Missing query"),
        ("serper", (500, "<html>"), "refused", "status 500"),
        ("serper", {"organic": [], "credits": 1}, "nothing", "Try other words"),
        ("serper", {"organic": {"0": "?"}, "answerBox": [], "knowledgeGraph": 3}, "nothing", "Try other words"),
        ("serper", (200, "null"), "refused", "could not be read"),
        ("google", google(400, "INVALID_ARGUMENT", "API_KEY_INVALID"), "key", "GOOGLE_API_KEY"),
        ("google", google(403, "PERMISSION_DENIED", "accessNotConfigured"), "key", "GOOGLE_CSE_ID"),
        ("google", google(429, "RESOURCE_EXHAUSTED", "rateLimitExceeded", "Quota exceeded"), "quota", "Quota exceeded"),
        ("google", google(403, "PERMISSION_DENIED", "dailyLimitExceeded"), "quota", "no more questions"),
        ("google", google(400, "INVALID_ARGUMENT", "badRequest", "Request contains an invalid argument."), "refused",
         "invalid argument"),
        ("google", {"kind": "customsearch#search", "searchInformation": {"totalResults": "0"}}, "nothing", "Try other"),
        ("google", (200, b"\x00"), "refused", "could not be read"),
        ("searxng", (403, "<!doctype html><title>403 Forbidden</title>"), "refused", "search.formats"),
        ("searxng", (429, "Too Many Requests"), "quota", "no more questions"),
        ("searxng", (200, "<!doctype html>"), "refused", "could not be read"),
        ("searxng", {"results": [], "answers": [], "infoboxes": []}, "nothing", "other words"),
        ("searxng", {"results": 3, "answers": {"a": 1}, "infoboxes": [[]]}, "nothing", "other words"),
    ],
)  # fmt: skip
def test_what_they_may_answer(server: ProviderServer, service: str, answer: Answer, kind: str, said: str) -> None:
    failed = failure(server, service, answer)
    assert failed.kind == kind and said in str(failed)


def test_an_answer_is_kept_for_the_conversation_by_service(server: ProviderServer) -> None:
    cache = SearchCache()
    for service in ("serper", "serper", "google"):
        settings = read_settings({**server.environment, "GLASSBOX_SEARCH": service})
        search_tool(settings, cache=cache).call({"query": "tallest mountain"})
    assert [asked.path for asked in server.asked] == [SERVICES["serper"], SERVICES["google"]]


def test_serper_tells_day_and_zone_and_json_at_choice(server: ProviderServer) -> None:
    box = {"title": "Tokyo", "answer": "4:05 PM", "date": "Monday", "timezone": "GMT+9"}
    server.pages[PAGES["serper"]] = {"answerBox": box}
    assert look_up(server, "serper").text == "Answer: Tokyo: 4:05 PM (Monday, GMT+9)"
    raw = read_settings({**server.environment, "GLASSBOX_SEARCH": "serper", "GLASSBOX_RAW_ANSWERS": "yes"})
    assert (
        search_tool(raw).call({"query": "time in Tokyo"}).text.splitlines()[1]
        == f"Answer box as JSON: {json.dumps(box)}"
    )


ENGINE_KEYS = ("SERPAPI_API_KEY", "SERPER_API_KEY", "GOOGLE_API_KEY", "SEARXNG_URL")


@pytest.mark.parametrize(
    ("engine", "services"),
    [
        ("google", ["serpapi", "serper", "google", "searxng", None]),
        ("bing", ["serpapi", "searxng", "searxng", "searxng", None]),
        ("duckduckgo", ["serpapi", "searxng", "searxng", "searxng", None]),
        ("wikipedia", ["wikipedia"] * 5),
    ],
)
def test_an_engine_is_asked_through_what_is_set_up(engine: str, services: list[str | None]) -> None:
    every = {**dict.fromkeys(ENGINE_KEYS, "k"), "GOOGLE_CSE_ID": "c", "SEARXNG_URL": "http://x"}
    chosen = [engine_service(read_settings(every), engine)]
    for name in ENGINE_KEYS:
        every[name] = ""
        chosen.append(engine_service(read_settings(every), engine))
    assert chosen == services
    assert bool(engine_missing(read_settings(every), engine)) == (services[-1] is None)


def test_engines_are_tools_of_their_own_and_off_at_first() -> None:
    parts = Parts(read_settings({"SEARXNG_URL": "http://x"}), SearchCache())
    assert not {spec.name for spec in ENGINES} & set(toolbox(parts).names)
    both = toolbox(parts, ("search", "bing_search", "wikipedia_search"))
    assert both.names == ("search", "bing_search", "wikipedia_search")
    assert both.find("Bing Search").name == "bing_search"


@pytest.mark.parametrize("engine", ["google", "bing", "duckduckgo"])
def test_an_engine_is_named_to_serpapi_and_searxng(engine: str, server: ProviderServer) -> None:
    searxng = read_settings({"SEARXNG_URL": server.environment["SEARXNG_URL"]})
    search_tool(searxng, engine=engine).call({"query": "tallest mountain"})
    assert server.asked[-1].parameters["engines"] == engine
    with SearchServer() as serpapi:
        serpapi.answers["x"] = {"organic_results": [{"title": "T", "link": "https://e.org/a", "snippet": "S."}]}
        cache, told = SearchCache(), {"SERPAPI_API_KEY": KEY, "GLASSBOX_SERPAPI_URL": serpapi.serpapi_url}
        tool = search_tool(read_settings(told), engine=engine, cache=cache)
        assert tool.call({"query": "x"}).text == "[1] T — e.org: S."
        assert tool.call({"query": "x"}).cached
        assert serpapi.requests[0].parameters["engine"] == engine
