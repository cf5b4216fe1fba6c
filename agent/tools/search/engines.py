"""Search services with a JSON API of their own: Google's Custom Search, Serper, and a SearXNG of the owner's."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from agent.errors import ToolFailed
from agent.interface_text import Text
from agent.text.plain import Fields, fields, first, japanese, link, objects, packed, plain, site, texts
from agent.text.regex import regex
from agent.toolkit.base import ToolResult, artifact
from agent.web.services.api_call import Credential, Reply, Service, instead
from agent.web.services.search_findings import Finding, Page, show

MOST_RESULTS = 6
_MOST_RAW = 1_500
_OF_THE_ENGINE = ("thumbnail", "image", "icon", "logo", "token", "_stick", "html")
# What says of when an answer is, and in which zone.
_DATED = ("date", "time", "timezone", "time_zone", "utc_offset", "zone")


def result(query: str, findings: Iterable[Finding], content: JsonValue) -> ToolResult:
    """The findings as the model is shown them; raises ``ToolFailed`` (nothing) where there are none."""
    text, sources = show(findings)
    if not text:
        raise ToolFailed(f"Nothing was found for ‘{plain(query, 100)}’. Try other words.", "nothing")
    return ToolResult(text, (artifact("json", Text("search results"), packed(content)),), sources)


def in_japan(query: str) -> dict[str, str]:
    """The parameters of Google's that ask for results in Japanese, for a query in Japanese."""
    return {"hl": "ja", "gl": "jp"} if japanese(query) else {}


def entry(
    found: Fields,
    url: str = "link",
    text: Sequence[str] = ("snippet",),
    date: Sequence[str] = ("date",),
    source: str = "",
) -> Finding | None:
    """``Title — site (date): snippet``, whose parts stand under these names; ``None`` for one that says nothing."""
    title, snippet = first(found, "title", most=150), first(found, *text)
    if not title and not snippet:
        return None
    address = link(found.get(url))
    day = re.sub(r"^(\d{4}-\d\d-\d\d)T.*", r"\1", first(found, *date, most=40))
    where = first(found, source, most=60) or site(address)
    head = " — ".join(filter(None, (title, where))) + (f" ({day})" if day else "")
    said = f"{head}: {snippet}" if snippet and head else head or snippet
    return Finding(said, (Page(title or site(address), address, snippet, day),), listed=True)


def dated(text: str, box: Fields) -> str:
    """The ``text`` with the box's day, time and zone behind it, where it does not say them; nothing stays nothing."""
    told = (first(box, name, most=60) for name in _DATED)
    missing = [one for one in dict.fromkeys(filter(None, told)) if one.lower() not in text.lower()]
    return f"{text} ({', '.join(missing)})" if text and missing else text


def raw_box(box: Fields) -> str:
    """An answer box as JSON, without pictures and tokens of the engine's own."""
    kept = {name: value for name, value in box.items() if not any(part in name.lower() for part in _OF_THE_ENGINE)}
    return f"Answer box as JSON: {plain(json.dumps(kept, ensure_ascii=False), _MOST_RAW)}"


def entries(found: Iterable[Fields]) -> Iterator[Finding]:
    """The entries of results that have the usual names."""
    return filter(None, map(entry, found))


@dataclass(frozen=True, slots=True)
class Google:
    """Google's Custom Search JSON API (https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list).

    ``timeout``: seconds to connect, to the first byte, and for the rest, each.
    """

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
        content = _of_google(service, service.get(self.url, asked | in_japan(query)))
        return result(query, entries(objects(content.get("items"))[:MOST_RESULTS]), dict(content))


_QUOTA = {"rateLimitExceeded", "dailyLimitExceeded", "quotaExceeded", "userRateLimitExceeded", "RESOURCE_EXHAUSTED"}
_KEY = {"keyInvalid", "API_KEY_INVALID", "accessNotConfigured", "PERMISSION_DENIED", "UNAUTHENTICATED", "forbidden"}


def _of_google(service: Service, reply: Reply) -> Fields:
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


@dataclass(frozen=True, slots=True)
class Serper:
    """Google's results through Serper (https://serper.dev): one POST, the key in a header.

    ``timeout`` as above. ``raw``: the answer box is told as JSON, too.
    """

    key: str = field(repr=False)
    url: str
    timeout: float
    raw: bool = False
    name: str = "Serper"

    def look_up(self, query: str) -> ToolResult:
        """Ask once. Raises ``ToolFailed``: nothing, key, quota, network, timeout or refused."""
        credential = Credential(self.key, header="X-API-KEY")
        service = Service(self.name, self.timeout, credential, "search", "SERPER_API_KEY")
        asked: dict[str, JsonValue] = {"q": query, "num": 10}
        content = _of_serper(service, service.post(self.url, asked | in_japan(query)))
        return result(query, _serper_findings(content, self.raw), dict(content))


_NO_CREDITS = regex(r"credits?|quota|limit", re.IGNORECASE)


def _of_serper(service: Service, reply: Reply) -> Fields:
    """The results, or ``ToolFailed`` for ``{"message": "Unauthorized.", "statusCode": 403}`` and its like."""
    said = first(fields(reply.content), "message", most=200)
    if reply.status in (401, 403):
        raise service.bad_key()
    if reply.status == 429 or (reply.status == 400 and _NO_CREDITS.search(said)):
        raise service.used_up(said)
    if reply.status != 200:
        raise service.refused(reply.status, said)
    return service.content(reply)


def _serper_findings(content: Fields, raw: bool) -> Iterator[Finding]:
    box = fields(content.get("answerBox"))
    if text := first(box, "answer", "snippet", most=1_000):
        title, url = first(box, "title", most=150), link(box.get("link"))
        told = dated(f"{title}: {text}" if title else text, box)
        yield Finding(f"Answer: {told}", (Page(title or site(url), url, plain(text), first(box, "date", most=40)),))
    if box and raw:
        yield Finding(raw_box(box))
    yield from _serper_graph(fields(content.get("knowledgeGraph")))
    organic = objects(content.get("organic"))
    yield from entries(organic[:MOST_RESULTS] or objects(content.get("topStories"))[:3])


def _serper_graph(graph: Fields) -> Iterator[Finding]:
    about = first(graph, "description", most=500)
    known = [f"{plain(name, 60)}: {plain(value, 200)}" for name, value in fields(graph.get("attributes")).items()]
    if not about and not known:
        return
    title, kind = first(graph, "title", most=100), first(graph, "type", most=60)
    head = f"{title} ({kind})" if title and kind else title or kind
    url = link(graph.get("descriptionLink")) or link(graph.get("website"))
    told = plain(" ".join([about, "; ".join(known[:12])]), 1_000)
    yield Finding(f"Knowledge graph: {head}: {told}", (Page(first(graph, "descriptionSource") or title, url, about),))


@dataclass(frozen=True, slots=True)
class SearXNG:
    """A SearXNG of the owner's (https://docs.searxng.org/dev/search_api.html); ``json`` must be among its formats.

    ``timeout`` as above. ``engine`` is the one to ask; all that it has where it is "".
    """

    url: str
    timeout: float
    engine: str = ""

    @property
    def name(self) -> str:
        return f"SearXNG {self.engine}".rstrip()

    def look_up(self, query: str) -> ToolResult:
        """Ask once. Raises ``ToolFailed``: nothing, quota, network, timeout or refused."""
        service = Service("SearXNG", self.timeout, None, "search")
        language = "ja" if japanese(query) else "en"
        asked = {"q": query, "format": "json", "language": language}
        asked |= {"engines": self.engine} if self.engine else {}
        reply = service.get(self.url.removesuffix("/search") + "/search", asked)
        if reply.status == 403:
            message = "SearXNG does not give JSON. Its owner must add json to search.formats in its settings.yml."
            raise ToolFailed(f"{message} {instead()}", "refused")
        if reply.status == 429:
            raise service.used_up()
        content = service.content(reply)
        return result(query, _searxng_findings(content), dict(content))


def _searxng_findings(content: Fields) -> Iterator[Finding]:
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
    found = (
        entry(one, "url", ("content",), ("publishedDate",)) for one in objects(content.get("results"))[:MOST_RESULTS]
    )
    yield from filter(None, found)
