"""NewsAPI: ``/v2/everything`` about something, ``/v2/top-headlines`` else (https://newsapi.org/docs/endpoints)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from agent.errors import ToolFailed
from agent.text.plain import Fields, fields, first, japanese, link, objects, packed, plain
from agent.toolkit.base import ToolResult, artifact
from agent.web.services.api_call import Credential, Reply, Service
from agent.web.services.search_findings import Finding, Page, show

_SORT = {"newest": "publishedAt", "relevance": "relevancy", "popularity": "popularity"}
# https://newsapi.org/docs/errors
_KEY = {"apiKeyDisabled", "apiKeyInvalid", "apiKeyMissing"}
_QUOTA = {"apiKeyExhausted", "rateLimited", "maximumResultsReached"}
_INPUT = {"parameterInvalid", "parametersMissing", "sourcesTooMany", "sourceDoesNotExist"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """``country`` is two small letters or "", ``category`` may be ``any``, ``sort`` is a key of ``_SORT``."""

    query: str
    category: str
    country: str
    since: date | None
    until: date | None
    sort: str
    most: int

    @property
    def headlines(self) -> bool:
        """Only of the top headlines can a category or country be asked for."""
        return not self.query or self.category != "any" or bool(self.country)


def find_news(key: str, url: str, timeout: float, wanted: Wanted) -> ToolResult:
    """Ask once. Raises ``ToolFailed``: nothing, key, quota, network, timeout, input or refused."""
    credential = Credential(key, header="X-Api-Key")
    service = Service("NewsAPI", timeout, credential, "news look-up", "NEWSAPI_API_KEY")
    address = f"{url}/top-headlines" if wanted.headlines else f"{url}/everything"
    content = _content(service, service.get(address, _parameters(wanted)))
    text, sources = show(_findings(content, wanted.most))
    if not text:
        about = f" about ‘{plain(wanted.query, 100)}’" if wanted.query else ""
        raise ToolFailed(f"There is no news{about}. Try other or fewer words, or other days.", "nothing")
    return ToolResult(text, (artifact("json", "answer of NewsAPI", packed(dict(content))),), sources)


def _parameters(wanted: Wanted) -> dict[str, str | int]:
    asked: dict[str, str | int] = {"q": wanted.query} if wanted.query else {}
    asked["pageSize"] = wanted.most
    if wanted.headlines:
        if wanted.category != "any":
            asked["category"] = wanted.category
        if wanted.country or wanted.category == "any":
            asked["country"] = wanted.country or "us"  # one of them must be given
        return asked
    asked["sortBy"] = _SORT[wanted.sort]
    if not japanese(wanted.query):
        asked["language"] = "en"  # Japanese is none of those that can be asked for
    if wanted.since:
        asked["from"] = wanted.since.isoformat()
    if wanted.until:
        asked["to"] = wanted.until.isoformat()
    return asked


def _content(service: Service, reply: Reply) -> Fields:
    """The answer, or ``ToolFailed`` for ``{"status": "error", "code": …, "message": …}``."""
    told = fields(reply.content)
    code, said = first(told, "code", most=60), first(told, "message", most=300)
    if code in _KEY or reply.status == 401:
        raise service.bad_key()
    if code in _QUOTA or reply.status == 429:
        raise service.used_up(said)
    if code in _INPUT or reply.status == 426:
        raise ToolFailed(
            f"NewsAPI cannot do that: {plain(said or code, 250).rstrip('.')}. Ask in another way.", "input"
        )
    if code or reply.status != 200:
        raise service.refused(reply.status, said)
    return service.content(reply)


def _findings(content: Fields, most: int) -> Iterator[Finding]:
    for article in objects(content.get("articles"))[:most]:
        title = first(article, "title", most=200)
        if not title or title == "[Removed]":
            continue
        paper = first(fields(article.get("source")), "name", most=60)
        if paper and title.endswith(f" - {paper}"):
            title = title.removesuffix(f" - {paper}")
        day = first(article, "publishedAt", most=30)[:10]
        told = first(article, "description") or first(article, "content")
        about = ", ".join(filter(None, (paper, day)))
        text = f"{title} ({about})" if about else title
        page = Page(title, link(article.get("url")), told, " · ".join(filter(None, (paper, day))))
        yield Finding(f"{text}: {told}" if told else text, (page,), listed=True)
