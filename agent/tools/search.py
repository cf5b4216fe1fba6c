"""The ``search`` tool: the web through SerpApi where a key is set, else Wikipedia."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from threading import Lock
from typing import Protocol
from unicodedata import normalize

from agent.errors import ToolFailed
from agent.tools.base import Tool, ToolResult, tool
from agent.tools.searching.plain import plain

SERPAPI_URL = "https://serpapi.com"
WIKIPEDIA_URL = "https://{language}.wikipedia.org/w/api.php"
_MOST_QUERY = 300  # characters; Wikipedia takes no more

_WEB = "Searches the web (Google through SerpApi): current facts, weather, prices, sports, news, people and places."
_WIKIPEDIA = (
    "Searches Wikipedia (no web-search key is set): people, places, history, science; no live data such as weather, "
    "prices or news. Use the few words an article would hold, not a whole question."
)


class Provider(Protocol):
    @property
    def name(self) -> str: ...

    def look_up(self, query: str) -> ToolResult: ...


class SearchCache:
    """Results of earlier searches, for one conversation: the last 64, none that failed. Safe between threads."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._results: OrderedDict[tuple[str, str], ToolResult] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._results)

    def get(self, provider: str, query: str) -> ToolResult | None:
        """The earlier result, marked ``cached``. Case, width and spaces of the query do not matter."""
        key = (provider, _normal(query))
        with self._lock:
            result = self._results.get(key)
            if result is None:
                return None
            self._results.move_to_end(key)
        return replace(result, cached=True)

    def put(self, provider: str, query: str, result: ToolResult) -> None:
        with self._lock:
            self._results[provider, _normal(query)] = result
            self._results.move_to_end((provider, _normal(query)))
            while len(self._results) > self._most:
                self._results.popitem(last=False)


def _normal(query: str) -> str:
    return " ".join(normalize("NFKC", query).casefold().split())


def search_tool(
    *,
    serpapi_key: str = "",
    serpapi_url: str = SERPAPI_URL,
    wikipedia_url: str = WIKIPEDIA_URL,
    timeout: float = 10.0,
    cache: SearchCache | None = None,
) -> Tool:
    """The tool for one conversation.

    ``timeout`` is in seconds (see the providers). ``{language}`` in ``wikipedia_url`` becomes ``en`` or ``ja`` by the
    script of the query. An empty address stands for the service's own. Without a cache every search is made.
    """
    key = serpapi_key.strip()
    results = SearchCache(0) if cache is None else cache

    # Connecting, the first byte and the rest may each take the time-out; a provider is to say so itself.
    @tool(description=_WEB if key else _WIKIPEDIA, timeout=4 * timeout, icon="search")
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
        provider = _provider(key, serpapi_url or SERPAPI_URL, wikipedia_url or WIKIPEDIA_URL, timeout)
        if earlier := results.get(provider.name, words):
            return earlier
        result = provider.look_up(words)
        results.put(provider.name, words, result)
        return result

    return search


def _provider(key: str, serpapi_url: str, wikipedia_url: str, timeout: float) -> Provider:
    """The libraries behind the providers are loaded with the first search, not with the program."""
    if key:
        from agent.tools.searching.serpapi_client import SerpApi

        return SerpApi(key, serpapi_url, timeout)
    from agent.tools.searching.wikipedia import Wikipedia

    return Wikipedia(wikipedia_url, timeout)
