"""Search without a key: Wikipedia's public API (https://www.mediawiki.org/wiki/API:Search, API:Etiquette)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from agent.errors import ToolFailed
from agent.interface_text import Text
from agent.text.plain import Fields, fields, first, japanese, link, objects, packed, plain
from agent.toolkit.base import ToolResult, artifact
from agent.web.services.calls_out import BoundedSession, Reply, failures_of, instead, read, unreadable
from agent.web.services.search_findings import Finding, Page, show

SERVICE = "Wikipedia"
_MOST_PAGES = 6
_MOST_FIRST = 1_000  # the best page is told at length: its introduction often is the answer
_BUSY = {"maxlag", "readonly", "cirrussearch-backend-error", "cirrussearch-too-busy-error"}


@dataclass(frozen=True, slots=True)
class Wikipedia:
    """A provider of search in an encyclopedia.

    ``{language}`` in ``url`` becomes ``ja`` for a query in Japanese script and ``en`` for any other. ``timeout``:
    seconds to connect, to the first byte, and for the rest, each.
    """

    url: str
    timeout: float
    name: str = SERVICE

    def look_up(self, query: str) -> ToolResult:
        """Ask once. Raises ``ToolFailed``: nothing, quota, network, timeout, input or refused."""
        address = self.url.replace("{language}", "ja" if japanese(query) else "en")
        session = BoundedSession()
        with failures_of(SERVICE), session, session.ask(address, _parameters(query), self.timeout) as response:
            reply = read(response, SERVICE, self.timeout)
        content = content_of(reply)
        text, sources = show(_findings(content))
        if not text:
            message = f"Nothing was found in Wikipedia for ‘{plain(query, 100)}’. Try other or fewer words."
            raise ToolFailed(message, "nothing")
        return ToolResult(text, (artifact("json", Text("search results"), packed(content)),), sources)


def _parameters(query: str) -> dict[str, str | int]:
    return {
        "action": "query",
        "format": "json",
        "formatversion": 2,
        "generator": "search",
        "gsrsearch": query,
        "gsrlimit": _MOST_PAGES,
        "prop": "extracts|info",
        "exintro": 1,
        "explaintext": 1,
        "exlimit": _MOST_PAGES,
        "exchars": _MOST_FIRST,
        "inprop": "url",
    }


def content_of(reply: Reply) -> dict[str, JsonValue]:
    """The results, or ``ToolFailed`` for what the status or the ``error`` object says."""
    error = fields(fields(reply.content).get("error"))
    code = first(error, "code", most=60)
    if reply.status == 429 or code == "ratelimited":
        raise ToolFailed(f"Wikipedia takes no more searches from here for the moment. {instead()}", "quota")
    if code in _BUSY:
        raise ToolFailed(f"Wikipedia is busy. Try once more in a moment. {instead()}", "refused")
    if code == "cirrussearch-query-too-long":
        raise ToolFailed("The search words are too long for Wikipedia. Use fewer.", "input")
    if code or reply.status != 200:
        said = f": {code}, {first(error, 'info', most=200)}" if code else ""
        raise ToolFailed(f"Wikipedia refused with status {reply.status}{said}. {instead()}", "refused")
    if not isinstance(reply.content, dict):
        raise unreadable(SERVICE)
    return reply.content


def _findings(content: Fields) -> Iterator[Finding]:
    """The pages in the order of the search; the API gives them by page id."""
    pages = sorted(objects(fields(content.get("query")).get("pages")), key=_index)
    titled = [(page, title) for page in pages if (title := first(page, "title", most=150))]
    for place, (page, title) in enumerate(titled[:_MOST_PAGES]):
        extract = first(page, "extract", most=300 if place else _MOST_FIRST)
        url = link(page.get("fullurl")) or link(page.get("canonicalurl"))
        text = f"{title} — {SERVICE}: {extract}" if extract else f"{title} — {SERVICE}"
        yield Finding(text, (Page(title, url, plain(extract)),), listed=True)


def _index(page: Fields) -> float:
    index = page.get("index")
    return index if isinstance(index, int | float) else float("inf")
