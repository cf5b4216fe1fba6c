"""Google's results through SerpApi (https://serpapi.com/search-api), by its package ``google-search-results``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pydantic import JsonValue
from serpapi import GoogleSearch  # pyright: ignore[reportMissingTypeStubs]

from agent.errors import ToolFailed
from agent.text.plain import fields, first
from agent.text.regex import regex
from agent.toolkit.base import ToolResult
from agent.tools.search.engines import in_japan, result
from agent.tools.search.serpapi_results import find
from agent.web.services.api_call import Credential, Reply, Service, instead, unreadable

SERVICE = "SerpApi"
# https://serpapi.com/api-status-and-error-codes and https://serpapi.com/search-errors
_NO_RESULTS = regex(r"hasn.t returned any results|no results", re.IGNORECASE)
_NO_SEARCHES = regex(r"run out of searches|searches .*run out|throughput|rate limit", re.IGNORECASE)
_BAD_KEY = regex(r"api key", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SerpApi:
    """A provider of web search. ``timeout``: seconds to connect, to the first byte, and for the rest, each.

    ``engine`` is one of SerpApi's. ``raw``: the answer box is told as JSON, too.
    """

    key: str = field(repr=False)
    url: str
    timeout: float
    engine: str = "google"
    raw: bool = False

    @property
    def name(self) -> str:
        return f"{SERVICE} {self.engine}"

    def look_up(self, query: str) -> ToolResult:
        """Ask once. Raises ``ToolFailed``: nothing, key, quota, network, timeout or refused."""
        service = Service(SERVICE, self.timeout, Credential(self.key, parameter="api_key"), "search", "SERPAPI_API_KEY")
        content = _content(service.get(*self._address(query)))
        return result(query, find(content, query, self.raw), content)

    def _address(self, query: str) -> tuple[str, dict[str, str]]:
        """The address and parameters, as the package has them.

        It is not sent by the package, which writes the key into the address, from where it gets into exceptions and
        into urllib3's log; it waits 60,000 seconds, follows redirects (key and all) and reads bodies of any size.
        """
        more = in_japan(query) if self.engine == "google" else {}
        client = GoogleSearch({"q": query, "engine": self.engine, "output": "json", **more})
        # Of this instance only: in the package both are of the class, and so of the whole process.
        vars(client).update(BACKEND=self.url.rstrip("/"), SERP_API_KEY=None)
        return client.construct_url()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def _content(reply: Reply) -> dict[str, JsonValue]:
    """The results, or ``ToolFailed`` for what the status or the ``error`` field says."""
    error = first(fields(reply.content), "error", most=200).rstrip(".")
    if reply.status == 401 or _BAD_KEY.search(error):
        message = "The search service does not accept its key (SERPAPI_API_KEY). The owner must correct it."
        raise ToolFailed(f"{message} {instead()}", "key")
    if reply.status == 429 or _NO_SEARCHES.search(error):
        message = "The search service has run out of searches for its key, for now or for this month."
        raise ToolFailed(f"{message} {instead()}", "quota")
    if reply.status == 403:
        raise ToolFailed(f"The account of the search service's key may not search. {instead()}", "key")
    if reply.status != 200:
        said = f": {error}" if error else ""
        raise ToolFailed(f"The search service refused with status {reply.status}{said}. {instead()}", "refused")
    if not isinstance(reply.content, dict):
        raise unreadable(SERVICE)
    if error and not _NO_RESULTS.search(error):
        raise ToolFailed(f"The search failed: {error}. Try once more, or other words.", "refused")
    return reply.content
