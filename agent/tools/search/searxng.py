"""A SearXNG of the owner's (https://docs.searxng.org/dev/search_api.html); ``json`` must be among its formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agent.errors import ToolFailed
from agent.text.plain import Fields, first, japanese, link, objects, plain, texts
from agent.toolkit.base import ToolResult
from agent.tools.search.search_outcome import MOST_RESULTS, entry, result
from agent.web.services.api_call import Reply, Service, instead
from agent.web.services.search_findings import Finding, Page


@dataclass(frozen=True, slots=True)
class SearXNG:
    """A provider of web search. ``timeout``: seconds to connect, to the first byte, and for the rest, each."""

    url: str
    timeout: float
    name: str = "SearXNG"

    def look_up(self, query: str) -> ToolResult:
        """Ask once. Raises ``ToolFailed``: nothing, quota, network, timeout or refused."""
        service = Service(self.name, self.timeout, None, "search")
        address = self.url.removesuffix("/search") + "/search"
        language = "ja" if japanese(query) else "en"
        content = _content(service, service.get(address, {"q": query, "format": "json", "language": language}))
        return result(query, _findings(content), dict(content))


def _content(service: Service, reply: Reply) -> Fields:
    if reply.status == 403:
        message = "SearXNG does not give JSON. Its owner must add json to search.formats in its settings.yml."
        raise ToolFailed(f"{message} {instead()}", "refused")
    if reply.status == 429:
        raise service.used_up()
    return service.content(reply)


def _findings(content: Fields) -> Iterator[Finding]:
    # Answers are texts, in newer versions objects that say which engine they are from.
    answers = content.get("answers")
    for text in [*texts(answers, 500), *(first(one, "answer", most=500) for one in objects(answers))][:2]:
        if text:
            yield Finding(f"Answer: {text}")
    for box in objects(content.get("infoboxes"))[:1]:
        if about := first(box, "content", most=600):
            url = next(filter(None, (link(one.get("url")) for one in objects(box.get("urls")))), "")
            title = first(box, "infobox", most=100)
            yield Finding(f"{title}: {about}", (Page(title, url, plain(about)),))
    for found in objects(content.get("results"))[:MOST_RESULTS]:
        if one := entry(found, url="url", text="content", date="publishedDate"):
            yield one
