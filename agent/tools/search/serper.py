"""Google's results through Serper (https://serper.dev): one POST, the key in a header."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import JsonValue

from agent.text.plain import Fields, fields, first, japanese, link, objects, plain, site
from agent.toolkit.base import ToolResult
from agent.tools.search.search_outcome import MOST_RESULTS, entry, result
from agent.web.services.api_call import Credential, Reply, Service
from agent.web.services.search_findings import Finding, Page

_NO_CREDITS = re.compile(r"credits?|quota|limit", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Serper:
    """A provider of web search. ``timeout``: seconds to connect, to the first byte, and for the rest, each."""

    key: str = field(repr=False)
    url: str
    timeout: float
    name: str = "Serper"

    def look_up(self, query: str) -> ToolResult:
        """Ask once. Raises ``ToolFailed``: nothing, key, quota, network, timeout or refused."""
        credential = Credential(self.key, header="X-API-KEY")
        service = Service(self.name, self.timeout, credential, "search", "SERPER_API_KEY")
        asked: dict[str, JsonValue] = {"q": query, "num": 10}
        if japanese(query):
            asked |= {"hl": "ja", "gl": "jp"}
        content = _content(service, service.post(self.url, asked))
        return result(query, _findings(content), dict(content))


def _content(service: Service, reply: Reply) -> Fields:
    """The results, or ``ToolFailed`` for ``{"message": "Unauthorized.", "statusCode": 403}`` and its like."""
    said = first(fields(reply.content), "message", most=200)
    if reply.status in (401, 403):
        raise service.bad_key()
    if reply.status == 429 or (reply.status == 400 and _NO_CREDITS.search(said)):
        raise service.used_up(said)
    if reply.status != 200:
        raise service.refused(reply.status, said)
    return service.content(reply)


def _findings(content: Fields) -> Iterator[Finding]:
    yield from _answer(fields(content.get("answerBox")))
    yield from _graph(fields(content.get("knowledgeGraph")))
    for found in objects(content.get("topStories"))[:3] if not content.get("organic") else ():
        if story := entry(found):
            yield story
    for found in objects(content.get("organic"))[:MOST_RESULTS]:
        if one := entry(found):
            yield one


def _answer(box: Fields) -> Iterator[Finding]:
    if text := first(box, "answer", "snippet", most=1_000):
        title, url = first(box, "title", most=150), link(box.get("link"))
        told = f"{title}: {text}" if title else text
        yield Finding(f"Answer: {told}", (Page(title or (site(url) if url else ""), url, plain(text)),))


def _graph(graph: Fields) -> Iterator[Finding]:
    about = first(graph, "description", most=500)
    known = [f"{plain(name, 60)}: {plain(value, 200)}" for name, value in fields(graph.get("attributes")).items()]
    if not about and not known:
        return
    title, kind = first(graph, "title", most=100), first(graph, "type", most=60)
    head = f"{title} ({kind})" if title and kind else title or kind
    url = link(graph.get("descriptionLink")) or link(graph.get("website"))
    told = plain(" ".join([about, "; ".join(known[:12])]), 1_000)
    yield Finding(f"Knowledge graph: {head}: {told}", (Page(first(graph, "descriptionSource") or title, url, about),))
