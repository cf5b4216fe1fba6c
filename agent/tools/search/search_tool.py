"""The ``search`` tool: the web through the service that the owner set up, else Wikipedia."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from threading import Lock
from unicodedata import normalize

from cachetools import LRUCache

from agent.errors import ToolFailed
from agent.settings import SearchChoice
from agent.text.plain import plain
from agent.toolkit.base import Tool, ToolResult, tool
from agent.tools.search.choosing import Access

_MOST_QUERY = 300  # characters; Wikipedia takes no more

_WEB = "Searches the web ({}): current facts, weather, prices, sports, news, people and places."
_WIKIPEDIA = (
    "Searches Wikipedia (no web-search key is set): people, places, history, science; no live data such as weather, "
    "prices or news. Use the few words an article would hold, not a whole question."
)


_THROUGH: Mapping[SearchChoice, str] = {
    "serpapi": "Google through SerpApi",
    "serper": "Google through Serper",
    "google": "Google",
    "searxng": "many engines through SearXNG",
}


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


def search_tool(access: Access, *, timeout: float = 10.0, cache: SearchCache | None = None) -> Tool:
    """The tool for one conversation.

    ``timeout`` is in seconds (see the providers). Without a cache every search is made.
    """
    through = _THROUGH.get(access.service)

    # Connecting, the first byte and the rest may each take the time-out; a provider is to say so itself.
    @tool(description=_WEB.format(through) if through else _WIKIPEDIA, timeout=4 * timeout, icon="search")
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
        provider = access.provider(timeout)
        if cache is not None and (earlier := cache.get(provider.name, words)):
            return earlier
        result = provider.look_up(words)
        if cache is not None:
            cache.put(provider.name, words, result)
        return result

    return search
