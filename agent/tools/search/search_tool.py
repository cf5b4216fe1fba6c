"""The ``search`` tool: the web through the service that the owner set up, else Wikipedia."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from threading import Lock
from typing import Protocol
from unicodedata import normalize

from cachetools import LRUCache

from agent.errors import ToolFailed
from agent.interface_text import Text
from agent.settings import SearchChoice, Settings
from agent.text.plain import plain
from agent.toolkit.arguments.repair import Arguments
from agent.toolkit.base import Tool, ToolResult, tool

_MOST_QUERY = 300  # characters; Wikipedia takes no more

_WEB = "Searches the web ({}): current facts, weather, prices, sports, news, people and places."
_WIKIPEDIA = (
    "Searches Wikipedia (no web-search key is set): people, places, history, science; no live data such as weather, "
    "prices or news. Takes the few words an article would hold, no question."
)
_THROUGH: Mapping[SearchChoice, str] = {
    "serpapi": "Google through SerpApi",
    "serper": "Google through Serper",
    "google": "Google",
    "searxng": "many engines through SearXNG",
}
_ENGINES = {
    "google": "Searches the web with Google.",
    "bing": "Searches the web with Bing.",
    "duckduckgo": "Searches the web with DuckDuckGo.",
    "wikipedia": "Searches Wikipedia. Takes the few words an article would hold, no question.",
}
WIKIPEDIA_URL = "https://{language}.wikipedia.org/w/api.php"


class Provider(Protocol):
    @property
    def name(self) -> str: ...

    def look_up(self, query: str) -> ToolResult: ...


def service_of(settings: Settings) -> SearchChoice:
    """The service to ask, never ``auto``: the one that the owner named, or the first that has what it needs."""
    if settings.search != "auto":
        return settings.search
    if settings.serpapi_key.reveal().strip():
        return "serpapi"
    if settings.serper_key:
        return "serper"
    if settings.google_key and settings.google_cse_id:
        return "google"
    return "searxng" if settings.searxng_url else "wikipedia"


def missing(settings: Settings) -> str:
    """What the service needs and has not, in a sentence; "" where it can be asked."""
    match service_of(settings):
        case "serpapi" if not settings.serpapi_key.reveal().strip():
            return "Needs SERPAPI_API_KEY: serpapi.com/manage-api-key."
        case "serper" if not settings.serper_key:
            return "Needs SERPER_API_KEY: serper.dev/api-key."
        case "google" if not settings.google_key:
            return "Needs GOOGLE_API_KEY: developers.google.com/custom-search/v1/introduction."
        case "google" if not settings.google_cse_id:
            return "Needs GOOGLE_CSE_ID: programmablesearchengine.google.com."
        case "searxng" if not settings.searxng_url:
            return Text("Needs SEARXNG_URL, the address of a SearXNG that gives JSON: docs.searxng.org.")
        case _:
            return ""


def engine_service(settings: Settings, engine: str) -> SearchChoice | None:
    """The service through which one ``engine`` is asked; ``None`` where none of those that know it is set up."""
    if engine == "wikipedia":
        return "wikipedia"
    if settings.serpapi_key.reveal().strip():
        return "serpapi"
    if engine == "google" and settings.serper_key:
        return "serper"
    if engine == "google" and settings.google_key and settings.google_cse_id:
        return "google"
    return "searxng" if settings.searxng_url else None


def engine_missing(settings: Settings, engine: str) -> str:
    """What the tool of one engine needs and has not, in a sentence; "" where it can be asked."""
    if engine_service(settings, engine):
        return ""
    if engine == "google":
        return Text("Needs SERPAPI_API_KEY, SERPER_API_KEY, GOOGLE_API_KEY with GOOGLE_CSE_ID, or SEARXNG_URL.")
    return Text("Needs SERPAPI_API_KEY, or SEARXNG_URL, the address of a SearXNG that gives JSON.")


def _provider(settings: Settings, timeout: float, engine: str) -> Provider:
    """The libraries behind the providers are loaded with the first search, not with the program."""
    match engine_service(settings, engine) if engine else service_of(settings):
        case "serpapi":
            from agent.tools.search.serpapi_client import SerpApi

            key, raw = settings.serpapi_key.reveal().strip(), settings.raw_answers
            return SerpApi(key, settings.serpapi_url, timeout, engine or "google", raw)
        case "wikipedia" | "auto" | None:
            from agent.web.services.mediawiki import Wikipedia

            return Wikipedia(settings.wikipedia_url or WIKIPEDIA_URL, timeout)
        case name:
            from agent.tools.search.engines import Google, SearXNG, Serper

            if name == "serper":
                return Serper(settings.serper_key.reveal(), settings.services.serper, timeout, settings.raw_answers)
            if name == "searxng":
                return SearXNG(settings.searxng_url, timeout, engine)
            identity = settings.google_cse_id.reveal()
            return Google(settings.google_key.reveal(), identity, settings.services.google, timeout)


class SearchCache:
    """Results of earlier searches, for one conversation: the 64 used last, none that failed. Safe between threads."""

    def __init__(self, most: int = 64) -> None:
        self._results: LRUCache[tuple[str, str], ToolResult] = LRUCache(most)
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._results)

    def get(self, provider: str, query: str) -> ToolResult | None:
        """The earlier result, marked ``cached``. Case, width and spaces of the query do not matter."""
        with self._lock:
            result = self._results.get((provider, _normal(query)))
        return replace(result, cached=True) if result else None

    def put(self, provider: str, query: str, result: ToolResult) -> None:
        with self._lock:
            self._results[provider, _normal(query)] = result


def _normal(query: str) -> str:
    return " ".join(normalize("NFKC", query).casefold().split())


def _alike(arguments: Arguments) -> Arguments:
    """As the cache compares queries."""
    query = arguments.get("query")
    return {**arguments, "query": _normal(query)} if isinstance(query, str) else arguments


def _described(settings: Settings) -> str:
    through = _THROUGH.get(service_of(settings))
    return _WEB.format(through) if through else _WIKIPEDIA


def search_tool(
    settings: Settings, *, timeout: float = 10.0, cache: SearchCache | None = None, engine: str = ""
) -> Tool:
    """The tool for one conversation, through the service that ``settings`` give, or that of one ``engine``.

    ``timeout`` is in seconds (see the providers). Without a cache every search is made.
    """
    name, description = (f"{engine}_search", _ENGINES[engine]) if engine else ("search", _described(settings))

    # Connecting, the first byte and the rest may each take the time-out; a provider is to say so itself.
    @tool(name=name, description=description, timeout=4 * timeout, alike=_alike)
    def search(query: str) -> ToolResult:
        """Search the web or Wikipedia.

        Args:
            query: what to search for in a few words, for example population of Japan 2025
        """
        words = plain(query, _MOST_QUERY + 1)
        if not words:
            raise ToolFailed("The search words are missing. Give a few words to search for.", "input")
        if len(words) > _MOST_QUERY:
            raise ToolFailed(f"The search words are too long. Use at most {_MOST_QUERY} characters.", "input")
        provider = _provider(settings, timeout, engine)
        if cache is not None and (earlier := cache.get(provider.name, words)):
            return earlier
        result = provider.look_up(words)
        if cache is not None:
            cache.put(provider.name, words, result)
        return result

    return search
