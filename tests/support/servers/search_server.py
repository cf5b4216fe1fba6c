"""A loopback server that answers as SerpApi and as Wikipedia's API do, on one port, for tests.

``with SearchServer() as server`` gives ``server.serpapi_url``, ``server.wikipedia_url`` (with ``{language}`` in its
path) and ``server.requests``, what was asked so far. ``server.answers[query]`` says what comes back:

* JSON (an object or a list): status 200 and that JSON,
* ``(status, body)``: the body is JSON, or a text or bytes sent as they are,
* a function of the request handler, which writes the answer itself (see ``broken_answers``).

A query that is not there finds nothing, in the words of the service asked. ``SF_QUERY`` is there from the start.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from threading import Event, Thread
from types import TracebackType
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.support.servers.prompt_server import PromptServer

Json = dict[str, Any] | list[Any]

SF_QUERY = "high temperature in San Francisco yesterday"
SF_WEATHER: dict[str, Any] = {
    "search_metadata": {
        "id": "6740ac26b68f8b2910019dd5",
        "status": "Success",
        "google_url": "https://www.google.com/search?q=high+temperature+in+San+Francisco+yesterday&hl=en",
    },
    "search_parameters": {"engine": "google", "q": SF_QUERY, "google_domain": "google.com", "device": "desktop"},
    "search_information": {"query_displayed": SF_QUERY, "organic_results_state": "Results for exact spelling"},
    "answer_box": {
        "type": "weather_result",
        "temperature": "54",
        "unit": "Fahrenheit",
        "precipitation": "3%",
        "humidity": "72%",
        "wind": "7 mph",
        "location": "San Francisco, CA",
        "date": "Friday",
        "weather": "Partly cloudy",
        "thumbnail": "https://ssl.gstatic.com/onebox/weather/64/partly_cloudy.png",
    },
    "organic_results": [
        {
            "position": 1,
            "title": "San Francisco, CA Weather History",
            "link": "https://weather.example.com/us/ca/san-francisco/history",
            "displayed_link": "https://weather.example.com › san-francisco",
            "source": "Weather Example",
            "date": "1 day ago",
            "snippet": "Daily observations for San Francisco. Yesterday: high 54 °F, low 46 °F, partly cloudy.",
        },
        {
            "position": 2,
            "title": "Climate of San Francisco",
            "link": "https://climate.example.org/san-francisco",
            "source": "Climate Example",
            "snippet": "Average highs in November are around 63 °F in the city.",
        },
    ],
}
NO_RESULTS: dict[str, Any] = {
    "search_metadata": {"status": "Success"},
    "search_information": {"organic_results_state": "Fully empty"},
    "error": "Google hasn't returned any results for this query.",
}
BAD_KEY = (401, {"error": "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"})
NO_SEARCHES = (429, {"error": "Your account has run out of searches."})
NO_PAGES: dict[str, Any] = {"batchcomplete": True}


def wikipedia_pages(*pages: tuple[str, str], language: str = "en") -> dict[str, Any]:
    """An answer of Wikipedia's API: (title, extract) in the order of the search, sent in another order as it does."""
    listed = [
        {
            "pageid": 1_000 - index,
            "ns": 0,
            "title": title,
            "index": index,
            "extract": extract,
            "fullurl": f"https://{language}.wikipedia.org/wiki/{title.replace(' ', '_')}",
        }
        for index, (title, extract) in enumerate(pages, 1)
    ]
    return {"batchcomplete": True, "query": {"pages": listed[::-1]}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def owner(self) -> SearchServer:
        assert isinstance(self.server, _Server)
        return self.server.owner

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        parameters = dict(parse_qsl(parts.query))
        serpapi = parts.path == "/search"
        query = parameters.get("q" if serpapi else "gsrsearch", "")
        self.owner.requests.append(Request(parts.path, query, parameters, dict(self.headers)))
        answer = self.owner.find(query, serpapi, parameters.get("api_key", ""))
        if callable(answer):
            answer(self)
            return
        status, body = answer if isinstance(answer, tuple) else (200, answer)
        self.reply(status, body)

    def reply(self, status: int, body: Json | str | bytes, **headers: str) -> None:
        content = body.encode() if isinstance(body, str) else body
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        kind = "text/html" if isinstance(body, str | bytes) else "application/json"
        for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the requests are kept in ``SearchServer.requests``."""


Answer = Json | tuple[int, Json | str | bytes] | Callable[[Handler], None]


@dataclass(frozen=True)
class Request:
    path: str
    query: str
    parameters: dict[str, str]
    headers: dict[str, str]


class _Server(PromptServer):
    owner: SearchServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up in the middle is part of the tests; anything else is shown."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class SearchServer:
    """See the module. With a ``key``, requests to SerpApi without exactly that key are refused as SerpApi does."""

    handler: type[Handler] = Handler

    def __init__(self, key: str = "") -> None:
        self.key = key
        self.answers: dict[str, Answer] = {SF_QUERY: SF_WEATHER}
        self.requests: list[Request] = []
        self.closing = Event()

    def find(self, query: str, serpapi: bool, key: str) -> Answer:
        if serpapi and self.key and key != self.key:
            return BAD_KEY
        return self.answers.get(query, NO_RESULTS if serpapi else NO_PAGES)

    @property
    def serpapi_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def wikipedia_url(self) -> str:
        return f"{self.serpapi_url}/{{language}}/w/api.php"

    def __enter__(self) -> SearchServer:
        self._server = _Server(("127.0.0.1", 0), self.handler)
        self._server.owner = self
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def redirect(to: str, status: int = 302) -> Callable[[Handler], None]:
    """Leads elsewhere, for ``server.answers[query] = …``."""
    return lambda handler: handler.reply(status, "elsewhere", Location=to)
