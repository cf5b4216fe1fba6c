"""The search tool against a loopback server that answers as SerpApi and Wikipedia do, well and badly."""

from __future__ import annotations

import gzip
import json
import logging
import socket
import traceback
from collections.abc import Iterator
from dataclasses import replace
from threading import Thread
from time import monotonic
from typing import Any
from urllib.parse import quote

import pytest
import serpapi

from agent.errors import ToolFailed
from agent.settings import Secret, Settings, read_settings
from agent.toolkit.base import Tool, ToolResult
from agent.tools.search import SPEC
from agent.tools.search.search_tool import SearchCache, search_tool
from tests.support.servers.broken_answers import break_off, drip, hang, hang_up
from tests.support.servers.search_server import (
    BAD_KEY,
    NO_SEARCHES,
    SF_QUERY,
    SF_WEATHER,
    Answer,
    Handler,
    SearchServer,
    redirect,
    wikipedia_pages,
)

KEY = "0a1b2c3d4e5f+/planted secret&key=9"
PLANTED = "0a1b2c3d4e5f"  # the part of the key that looks the same however it is written
SHORT = 0.4  # seconds; the time-out in the tests of slow servers


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with SearchServer(KEY) as running:
        yield running


def tool_for(server: SearchServer, key: str = KEY, timeout: float = 5.0, cache: SearchCache | None = None) -> Tool:
    settings = set_up(key, serpapi_url=server.serpapi_url, wikipedia_url=server.wikipedia_url)
    return search_tool(settings, timeout=timeout, cache=cache)


def set_up(key: str, **addresses: str) -> Settings:
    """The settings of an owner with that key of SerpApi, and with addresses as they are, valid or not."""
    return replace(read_settings({}), serpapi_key=Secret(key), **addresses)


def look_up(tool: Tool, query: str) -> ToolResult:
    result = tool.call({"query": query})
    assert isinstance(result, ToolResult)
    return result


def ask(server: SearchServer, query: str = SF_QUERY, **options: Any) -> ToolResult:
    return look_up(tool_for(server, **options), query)


def failure(server: SearchServer, answer: Answer, key: str = KEY, timeout: float = 5.0) -> ToolFailed:
    server.answers["x"] = answer
    with pytest.raises(ToolFailed) as caught:
        ask(server, "x", key=key, timeout=timeout)
    assert_no_key(caught.value)
    return caught.value


def everything_reachable(error: BaseException) -> Iterator[object]:
    """An exception with its whole chain, and whatever its attributes hold, two levels deep."""
    pending: list[BaseException | None] = [error]
    seen: set[int] = set()
    while pending:
        one = pending.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        held = [*one.args, *vars(one).values()]
        yield from held
        for thing in held:
            yield from vars(thing).values() if hasattr(thing, "__dict__") else ()
        pending += [one.__cause__, one.__context__, *(thing for thing in held if isinstance(thing, BaseException))]


def assert_no_key(error: BaseException) -> None:
    for thing in everything_reachable(error):
        assert PLANTED not in (repr(thing) + str(thing)).lower()
    assert PLANTED not in "".join(traceback.format_exception(error)).lower()


def test_the_classic_question(server: SearchServer) -> None:
    result = ask(server)
    assert result.text.startswith("Answer (weather): 54 °F, Partly cloudy, San Francisco, CA, Friday")
    assert [source.url for source in result.sources][1:] == [
        "https://weather.example.com/us/ca/san-francisco/history",
        "https://climate.example.org/san-francisco",
    ]
    assert not result.cached
    (raw,) = result.artifacts
    assert (raw.kind, raw.name) == ("json", "search results")
    assert json.loads(raw.content) == SF_WEATHER
    (request,) = server.requests
    assert request.parameters == {
        "engine": "google",
        "q": SF_QUERY,
        "output": "json",
        "source": "python",
        "api_key": KEY,
    }


def test_a_question_in_japanese_asks_for_japanese_results(server: SearchServer) -> None:
    server.answers["東京の天気"] = {"answer_box": {"answer": "晴れ"}}
    assert ask(server, "東京の天気").text == "Answer: 晴れ"
    assert (server.requests[0].parameters["hl"], server.requests[0].parameters["gl"]) == ("ja", "jp")


def test_the_description_names_the_provider(server: SearchServer) -> None:
    web, keyless = tool_for(server), tool_for(server, key=" ")
    assert web.name == keyless.name == "search"
    assert SPEC.with_effect(web).icon == SPEC.with_effect(keyless).icon == "search"
    assert web.timeout > 3 * 5.0  # more than a provider can take, so that it is the provider that says what happened
    assert web.description.startswith("Searches the web (Google through SerpApi)")
    assert keyless.description.startswith("Searches Wikipedia (no web-search key is set)")


def test_the_package_is_left_as_it_was(server: SearchServer) -> None:
    ask(server)
    assert serpapi.GoogleSearch.BACKEND == "https://serpapi.com"
    assert serpapi.GoogleSearch.SERP_API_KEY is None


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        (BAD_KEY, "key", "does not accept its key"),
        ((403, {"error": "The account is gone."}), "key", "may not search"),
        ((200, {"error": "Invalid API key."}), "key", "does not accept its key"),
        (NO_SEARCHES, "quota", "run out of searches"),
        ((429, "<html>busy</html>"), "quota", "run out of searches"),
        ((200, {"error": "Your account has run out of searches."}), "quota", "run out of searches"),
        (
            (400, {"error": "Missing query `q` parameter."}),
            "refused",
            "status 400: Missing query `q` parameter. Answer",
        ),
        ((503, {"error": "We couldn't get valid results for this search."}), "refused", "status 503"),
        ((500, "<html>oops</html>"), "refused", "refused with status 500."),
        ((200, {"error": "Location is unknown."}), "refused", "The search failed: Location is unknown."),
        (
            (200, {"search_metadata": {"status": "Success"}, "error": "Google hasn't returned any results"}),
            "nothing",
            "",
        ),
        ({}, "nothing", "Nothing was found for ‘x’. Try other words."),
        ({"organic_results": []}, "nothing", "Nothing was found"),
        ([], "refused", "could not be read"),
        ((200, "<html>a captive portal</html>"), "refused", "could not be read"),
        ((200, b""), "refused", "could not be read"),
        ((200, b'{"organic_results": [{"title": "cut'), "refused", "could not be read"),
        ((200, b"\xff\xfe\x00{}"), "refused", "could not be read"),
        ((200, "[" * 200_000), "refused", "could not be read"),
        ((200, '{"organic_results": ' + "[" * 200_000), "refused", "could not be read"),
        ((200, "9" * 5_000), "refused", "could not be read"),
        ((204, b""), "refused", "status 204"),
        ((200, b" " * 10_000_000), "refused", "too large"),
        (redirect("http://127.0.0.1:9/elsewhere"), "refused", "status 302"),
        (redirect("http://[bad"), "refused", "status 302"),
        (redirect("/search?q=x", 307), "refused", "status 307"),
        (break_off, "network", "broke off"),
        (hang_up, "network", "broke off"),
    ],
)
def test_each_failure_is_told(server: SearchServer, answer: Answer, kind: str, said: str) -> None:
    error = failure(server, answer)
    assert (error.kind, said in str(error)) == (kind, True), str(error)
    assert len(server.requests) == 1


@pytest.mark.parametrize("answer", [hang, drip])
@pytest.mark.parametrize("key", [KEY, ""])
def test_a_slow_server_is_left(server: SearchServer, answer: Answer, key: str) -> None:
    started = monotonic()
    error = failure(server, answer, key, SHORT)
    assert error.kind == "timeout"
    assert "did not answer in time" in str(error)
    assert SHORT <= monotonic() - started < 30


def test_a_redirect_with_an_endless_body_is_not_read(server: SearchServer) -> None:
    def moved(handler: Handler) -> None:
        handler.send_response(302)
        handler.send_header("Location", "http://127.0.0.1:9/")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        while not handler.owner.closing.wait(0.02):
            handler.wfile.write(b"1\r\n \r\n")

    assert failure(server, moved, timeout=SHORT).kind == "timeout"


@pytest.mark.parametrize(("key", "service"), [(KEY, "SerpApi"), ("", "Wikipedia")])
def test_without_network(key: str, service: str) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
    tool = search_tool(set_up(key, serpapi_url=url, wikipedia_url=url))
    with pytest.raises(ToolFailed) as caught:
        look_up(tool, "x")
    assert caught.value.kind == "network"
    assert str(caught.value) == (
        f"The search could not reach the internet ({service}). "
        "Answer from other tools or say that the search was not possible."
    )
    assert_no_key(caught.value)


@pytest.mark.parametrize("url", ["serpapi.example", "http://", "http://[bad", "gopher://127.0.0.1/"])
def test_an_address_that_makes_no_sense(url: str) -> None:
    with pytest.raises(ToolFailed) as caught:
        look_up(search_tool(set_up(KEY, serpapi_url=url)), "x")
    assert caught.value.kind == "refused"
    assert_no_key(caught.value)


@pytest.mark.parametrize(("query", "said"), [("", "missing"), (" \u200b ", "missing"), ("x" * 301, "too long")])
def test_queries_that_are_not_sent(server: SearchServer, query: str, said: str) -> None:
    with pytest.raises(ToolFailed, match=said) as caught:
        ask(server, query)
    assert caught.value.kind == "input"
    assert server.requests == []


def test_a_body_may_be_packed(server: SearchServer) -> None:
    def send(body: bytes, packing: str) -> Answer:
        return lambda handler: handler.reply(200, body, Content_Encoding=packing)

    content = json.dumps(SF_WEATHER).encode()
    server.answers["x"] = send(gzip.compress(content), "gzip")
    assert "54 °F" in ask(server, "x").text
    server.answers["x"] = send(content, "identity")
    assert "54 °F" in ask(server, "x").text
    bomb = gzip.compress(b" " * 100_000_000)
    assert "too large" in str(failure(server, send(bomb, "gzip")))
    assert failure(server, send(b"not packed", "gzip")).kind == "network"
    assert failure(server, send(content, "br")).kind == "refused"


def test_the_key_is_nowhere(server: SearchServer, caplog: pytest.LogCaptureFixture, capfd: Any) -> None:
    caplog.set_level(logging.DEBUG)
    address = f"https://serpapi.com/search?q=x&api_key={quote(KEY, safe='')}"
    server.answers["x"] = {
        "search_metadata": {"status": "Success", "json_endpoint": address, "raw_html_file": f"https://e.org/{KEY}"},
        "search_parameters": {"q": "x", "api_key": "someone", "Serp_Api_Key": KEY},
        "pagination": {"next": "https://serpapi.com/search?api_key=0123456789abcdef&start=10"},
        KEY: "as a name",
        "answer_box": {"answer": f"Your key is {KEY.upper()}", "title": "T", "link": address},
        "organic_results": [{"title": f"T {KEY}", "link": address, "snippet": quote(KEY, safe="")}],
    }
    tool = tool_for(server, cache=(cache := SearchCache()))
    result = look_up(tool, "x")
    assert result.text == "Answer: T. [removed]\n- [removed]: [removed]"
    raw = result.artifacts[0].content.decode()
    assert json.loads(raw)["search_parameters"] == {"q": "x"}
    assert "api_key=[removed]&start=10" in raw
    logged = caplog.text + "".join(str(record.__dict__) for record in caplog.records)
    assert "GET /search" in logged  # urllib3 does log the address
    told = "".join(capfd.readouterr())
    for place in (repr(result), raw, logged, told, repr(tool), repr(cache), str(server.requests[0].headers)):
        assert PLANTED not in place.lower()
    assert server.requests[0].parameters["api_key"] == KEY


def test_the_key_is_in_no_error_and_no_log_of_one(server: SearchServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for answer in (break_off, hang_up, redirect("http://127.0.0.1:9/"), (400, {"error": f"{KEY} is odd"})):
        assert "[removed]" in str(failure(server, answer)) or not isinstance(answer, tuple)
    failure(server, hang, timeout=SHORT)
    assert "GET /search" in caplog.text
    assert PLANTED not in caplog.text.lower()


def test_the_key_goes_through_a_proxy(server: SearchServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.serpapi_url)
    monkeypatch.setenv("no_proxy", "")
    server.answers["x"] = {"answer_box": {"answer": "by proxy"}}
    tool = search_tool(set_up(KEY, serpapi_url="http://serpapi.invalid"))
    assert look_up(tool, "x").text == "Answer: by proxy"
    assert server.requests[0].parameters["api_key"] == KEY


def test_a_short_key_does_not_eat_words(server: SearchServer) -> None:
    server.key = ""
    server.answers["x"] = {"answer_box": {"answer": "a test"}}
    assert ask(server, "x", key="test").text == "Answer: a test"


def test_json_that_cannot_be_written_again(server: SearchServer) -> None:
    deep: Any = "deep"
    for _ in range(200):
        deep = {"a": [deep]}
    body = '{"n": NaN, "i": -Infinity, "f": 1e999, "h": "\\ud800", "answer_box": {"answer": 1.5}, "d": '
    server.answers["x"] = (200, body + json.dumps(deep) + "}")
    result = ask(server, "x")
    assert result.text == "Answer: 1.5"
    raw = json.loads(result.artifacts[0].content)
    assert (raw["n"], raw["i"], raw["f"], raw["h"]) == (None, None, None, "\ud800")
    assert "deep" not in str(raw)


def test_a_repeated_query_comes_from_the_cache(server: SearchServer) -> None:
    cache = SearchCache()
    tool = tool_for(server, cache=cache)
    fresh, again = look_up(tool, SF_QUERY), look_up(tool, f"  {SF_QUERY.upper()} ")
    assert (fresh.cached, again.cached) == (False, True)
    assert again == replace(fresh, cached=True)
    assert len(server.requests) == len(cache) == 1
    with pytest.raises(ToolFailed):
        ask(server, cache=cache, key="")  # another provider is another search
    assert len(server.requests) == 2


def test_errors_are_not_kept(server: SearchServer) -> None:
    cache = SearchCache()
    tool = tool_for(server, cache=cache)
    server.answers["x"] = (500, "oops")
    with pytest.raises(ToolFailed):
        look_up(tool, "x")
    server.answers["x"] = {"answer_box": {"answer": "now"}}
    assert look_up(tool, "x").text == "Answer: now"
    assert len(cache) == 1


def test_without_a_cache_every_search_is_made(server: SearchServer) -> None:
    tool = tool_for(server)
    assert [look_up(tool, SF_QUERY).cached, look_up(tool, SF_QUERY).cached] == [False, False]
    assert len(server.requests) == 2


def test_the_cache_keeps_the_last_64() -> None:
    cache = SearchCache()
    for number in range(64):
        cache.put("p", f"q{number}", ToolResult(str(number)))
    assert cache.get("p", "q0") == ToolResult("0", cached=True)
    cache.put("p", "new", ToolResult("new"))
    assert len(cache) == 64
    assert cache.get("p", "q0") is not None  # it was used since
    assert cache.get("p", "q1") is None
    assert cache.get("p", "ＮＥＷ") == ToolResult("new", cached=True)
    assert cache.get("other", "new") is None


def test_the_cache_between_threads() -> None:
    cache = SearchCache(8)
    wrong: list[str] = []

    def work(name: str) -> None:
        for number in range(300):
            query = f"{name}{number % 10}"
            cache.put("p", query, ToolResult(query))
            found = cache.get("p", query)
            if found is not None and found.text != query:
                wrong.append(query)

    threads = [Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (wrong, len(cache)) == ([], 8)


def test_wikipedia(server: SearchServer) -> None:
    server.answers["Golden Gate Bridge"] = wikipedia_pages(
        ("Golden Gate Bridge", "The bridge opened in 1937. " * 50), ("San Francisco", "A city.\n\nIn California.")
    )
    result = ask(server, "Golden Gate Bridge", key="")
    first, second = result.text.splitlines()
    assert first.startswith("[1] Golden Gate Bridge — Wikipedia: The bridge opened in 1937.")
    assert 900 < len(first) < 1_100
    assert second == "[2] San Francisco — Wikipedia: A city. In California."
    assert result.sources[0].url == "https://en.wikipedia.org/wiki/Golden_Gate_Bridge"
    assert len(result.sources[0].snippet) == 300
    (request,) = server.requests
    assert request.path == "/en/w/api.php"
    assert request.headers["User-Agent"].startswith("Glassbox/")
    assert request.parameters["generator"] == "search"
    assert "api_key" not in request.parameters


def test_wikipedia_in_japanese(server: SearchServer) -> None:
    server.answers["富士山の高さ"] = wikipedia_pages(("富士山", "標高3,776メートル。"), language="ja")
    result = ask(server, "富士山の高さ", key="")
    assert result.text == "[1] 富士山 — Wikipedia: 標高3,776メートル。"
    assert server.requests[0].path == "/ja/w/api.php"


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        ({"batchcomplete": True}, "nothing", "Nothing was found in Wikipedia for ‘x’."),
        ({"query": {"pages": [{"index": "a"}, 7]}}, "nothing", ""),
        ({"query": {"pages": {"1": {"title": "old format"}}}}, "nothing", ""),
        ({"query": []}, "nothing", ""),
        ({"error": {"code": "ratelimited", "info": "slow down"}}, "quota", "no more searches"),
        ((429, "<html>Too many requests</html>"), "quota", "no more searches"),
        ({"error": {"code": "maxlag", "info": "Waiting for a database"}}, "refused", "busy"),
        ({"error": {"code": "cirrussearch-query-too-long", "info": "300"}}, "input", "too long"),
        ({"error": {"code": "badvalue", "info": "No\u202e."}}, "refused", "status 200: badvalue, No."),
        ((403, "Set a User-Agent"), "refused", "status 403"),
        ((503, "<html>down</html>"), "refused", "status 503"),
        ((200, "<html>a captive portal</html>"), "refused", "could not be read"),
        ((200, "[" * 100_000), "refused", "could not be read"),
        ((200, b"x" * 10_000_000), "refused", "too large"),
        (redirect("http://127.0.0.1:9/"), "refused", "status 302"),
        (break_off, "network", "broke off"),
        (hang_up, "network", "broke off"),
    ],
)
def test_each_failure_of_wikipedia_is_told(server: SearchServer, answer: Answer, kind: str, said: str) -> None:
    error = failure(server, answer, key="")
    assert (error.kind, said in str(error)) == (kind, True), str(error)


def test_pages_of_wikipedia_with_parts_missing(server: SearchServer) -> None:
    pages = [
        {"title": "No address", "index": 2, "extract": 7},
        {"title": "Only a title", "index": None, "fullurl": "javascript:alert(1)"},
        {"title": "Canonical", "index": 1.0, "canonicalurl": "https://en.example.org/c", "extract": None},
        *({"title": f"T{number}", "index": 10 + number} for number in range(9)),
    ]
    server.answers["x"] = {"query": {"pages": pages}}
    result = ask(server, "x", key="")
    assert result.text.splitlines()[:3] == [
        "[1] Canonical — Wikipedia",
        "- No address — Wikipedia: 7",
        "- T0 — Wikipedia",
    ]
    assert len(result.text.splitlines()) == 6


def test_empty_addresses_stand_for_the_services_own(monkeypatch: pytest.MonkeyPatch, server: SearchServer) -> None:
    """Read from the CONNECT line that a proxy is sent, so that nothing leaves this machine."""
    asked: list[str] = []

    def refuse(handler: Handler) -> None:
        asked.append(handler.path)
        handler.reply(502, "")

    monkeypatch.setattr(Handler, "do_CONNECT", refuse, raising=False)
    monkeypatch.setenv("https_proxy", server.serpapi_url)
    monkeypatch.setenv("no_proxy", "")
    for key, query in ((KEY, "x"), ("", "x"), ("", "東京")):
        with pytest.raises(ToolFailed) as caught:
            look_up(search_tool(set_up(key)), query)
        assert caught.value.kind == "network"
        assert_no_key(caught.value)
    assert asked == ["serpapi.com:443", "en.wikipedia.org:443", "ja.wikipedia.org:443"]
