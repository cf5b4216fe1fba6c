"""Google's Custom Search JSON API (https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from agent.text.plain import Fields, fields, first, japanese, objects, texts
from agent.toolkit.base import ToolResult
from agent.tools.search.search_outcome import MOST_RESULTS, entry, result
from agent.web.services.api_call import Credential, Reply, Service
from agent.web.services.search_findings import Finding

_QUOTA = {"rateLimitExceeded", "dailyLimitExceeded", "quotaExceeded", "userRateLimitExceeded", "RESOURCE_EXHAUSTED"}
_KEY = {"keyInvalid", "API_KEY_INVALID", "accessNotConfigured", "PERMISSION_DENIED", "UNAUTHENTICATED", "forbidden"}


@dataclass(frozen=True, slots=True)
class Google:
    """A provider of web search. ``timeout``: seconds to connect, to the first byte, and for the rest, each."""

    key: str = field(repr=False)
    engine: str = field(repr=False)
    url: str
    timeout: float
    name: str = "Google"

    def look_up(self, query: str) -> ToolResult:
        """Ask once. Raises ``ToolFailed``: nothing, key, quota, network, timeout or refused."""
        credential = Credential(self.key, header="X-Goog-Api-Key")
        service = Service(self.name, self.timeout, credential, "search", "GOOGLE_API_KEY, GOOGLE_CSE_ID")
        asked: dict[str, str | int] = {"cx": self.engine, "q": query, "num": 10}
        if japanese(query):
            asked |= {"hl": "ja", "gl": "jp"}
        content = _content(service, service.get(self.url, asked))
        return result(query, _findings(content), dict(content))


def _content(service: Service, reply: Reply) -> Fields:
    """The results, or ``ToolFailed`` for what Google's ``error`` object says."""
    error = fields(fields(reply.content).get("error"))
    reasons = {first(error, "status", most=60)}
    for part in [*objects(error.get("errors")), *objects(error.get("details"))]:
        reasons.update(texts(part.get("reason"), 60))
    said = first(error, "message", most=200)
    if reply.status == 429 or reasons & _QUOTA:
        raise service.used_up(said)
    if reply.status in (401, 403) or reasons & _KEY:
        raise service.bad_key()
    if reply.status != 200:
        raise service.refused(reply.status, said)
    return service.content(reply)


def _findings(content: Fields) -> Iterator[Finding]:
    for found in objects(content.get("items"))[:MOST_RESULTS]:
        if one := entry(found):
            yield one
