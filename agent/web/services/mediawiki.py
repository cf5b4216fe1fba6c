"""Search in Wikipedia without a key, and its articles, through MediaWiki's API.

https://www.mediawiki.org/wiki/API:Search, API:Query, API:Etiquette and Extension:TextExtracts
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from pydantic import JsonValue

from agent.errors import ToolFailed
from agent.events import Source
from agent.interface_text import Text
from agent.text.plain import Fields, fields, first, japanese, link, objects, packed, plain
from agent.toolkit.base import ToolResult, artifact
from agent.web.services.api_call import Reply, Service, instead, unreadable
from agent.web.services.result_cards import Card, card_artifact
from agent.web.services.search_findings import Finding, Page, show

SERVICE = "Wikipedia"
_MOST_PAGES = 6
_MOST_FIRST = 1_000  # the best page is told at length: its introduction often is the answer
_MOST_SUMMARY = 2_000
_MOST_SECTION = 6_000
_MOST_HEADINGS = 30
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
        content = content_of(Service(SERVICE, self.timeout, what="search").get(address, _search_parameters(query)))
        text, sources = show(_findings(content))
        if not text:
            message = f"Nothing was found in Wikipedia for ‘{plain(query, 100)}’. Try other or fewer words."
            raise ToolFailed(message, "nothing")
        return ToolResult(text, (artifact("json", Text("search results"), packed(content)),), sources)


def _search_parameters(query: str) -> dict[str, str | int]:
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


@dataclass(frozen=True, slots=True)
class Section:
    """``level`` 2 is the highest; ``text`` is without that of the sections below it."""

    heading: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Encyclopedia:
    """``{language}`` in ``url`` becomes ``language``, and for ``auto`` that of the words asked for."""

    url: str
    timeout: float
    language: str

    def search(self, words: str) -> ToolResult:
        """Raises ``ToolFailed``: nothing, quota, network, timeout, input or refused."""
        return Wikipedia(self._address(words), self.timeout).look_up(plain(words))

    def read(self, words: str, heading: str) -> ToolResult:
        """The summary of an article, or the section of that heading. Raises as ``search`` does."""
        service = Service(SERVICE, self.timeout)
        page, others = self._page(service, words)
        title, text = first(page, "title", most=150), page.get("extract")
        parts = list(sections(text)) if isinstance(text, str) else []
        if not parts or not any(part.text for part in parts):
            raise ToolFailed(f"The article ‘{title}’ has no text. Search for another one.", "nothing")
        told = _section(title, parts, heading) if heading else _summary(title, parts, page, others)
        url = link(page.get("fullurl")) or link(page.get("canonicalurl"))
        source = Source(1, f"{title} — {SERVICE}", url)
        shown = told.partition(f"{SERVICE}:")[2].partition("\nSections: ")[0].strip()
        whole = artifact("text", Text("the whole of {title}", title=title), str(text).encode("utf-8", "replace"))
        card = card_artifact(title, [Card(title, heading and told.partition(" — ")[2].partition(" — ")[0], "", shown)])
        return ToolResult(f"{told}\n[1]", (card, whole), (source,))

    def _address(self, words: str) -> str:
        language = self.language if self.language != "auto" else "ja" if japanese(words) else "en"
        return self.url.replace("{language}", language)

    def _page(self, service: Service, words: str) -> tuple[Fields, list[str]]:
        """The article of that title, or else the first that a search finds, with the titles of the next ones."""
        url, base = self._address(words), _parameters()
        named = content_of(service.get(url, {**base, "titles": words.replace("|", " "), "redirects": 1}))
        pages = objects(fields(named.get("query")).get("pages"))
        for page in pages:
            if not page.get("missing") and not page.get("invalid") and first(page, "extract"):
                return page, []
        asked = {"action": "query", "list": "search", "srsearch": plain(words), "srlimit": 5, "srprop": ""}
        found = content_of(service.get(url, {**asked, "format": "json", "formatversion": 2}))
        titles = [first(one, "title") for one in objects(fields(found.get("query")).get("search"))]
        if not titles:
            message = f"Wikipedia has no article ‘{plain(words, 100)}’, and a search finds none. Try other words."
            raise ToolFailed(message, "nothing")
        best = content_of(service.get(url, {**base, "titles": titles[0], "redirects": 1}))
        return fields(fields(best.get("query")).get("pages")), titles[1:]


def _parameters() -> dict[str, str | int]:
    return {
        "action": "query",
        "format": "json",
        "formatversion": 2,
        "prop": "extracts|info|pageprops",
        "explaintext": 1,
        "exsectionformat": "wiki",
        "exlimit": 1,
        "inprop": "url",
        "ppprop": "disambiguation",
    }


def sections(text: str) -> Iterator[Section]:
    """The introduction, whose heading is "", and each section of an extract in ``wiki`` format."""
    heading, level, lines = "", 2, list[str]()
    for line in text.splitlines():
        found = _heading(line.strip())
        if found is None:
            lines.append(line)
            continue
        yield Section(heading, level, "\n".join(lines).strip())
        heading, level, lines = *found, []
    yield Section(heading, level, "\n".join(lines).strip())


def _heading(line: str) -> tuple[str, int] | None:
    """``== Early life ==`` with its level: as many signs as stand at both ends, from 2 to 6."""
    inner = line.strip("=")
    level = min(len(line) - len(line.lstrip("=")), len(line) - len(line.rstrip("=")), 6)
    return (plain(inner, 120), level) if level >= 2 and inner.strip() else None


def _summary(title: str, parts: list[Section], page: Fields, others: list[str]) -> str:
    several = "disambiguation" in fields(page.get("pageprops"))
    # The meanings of a word stand in the sections of its page.
    told = "\n".join(part.text for part in parts) if several else parts[0].text
    lines = [f"{title} — {SERVICE}: {_cut(told, _MOST_SUMMARY)}"]
    if several:
        lines.append("This title has several meanings: ask for one of these articles.")
    headings = [part.heading for part in parts[1:] if part.level == 2][:_MOST_HEADINGS]
    if headings and not several:
        lines.append(f"Sections: {'; '.join(headings)}")
    if others:
        lines.append(f"There is no article of exactly that title. Others found: {'; '.join(filter(None, others))}")
    return "\n".join(lines)


def _section(title: str, parts: list[Section], heading: str) -> str:
    """The section with those below it; raises ``ToolFailed`` (nothing) with the headings there are."""
    names = {part.heading.casefold(): index for index, part in reversed(list(enumerate(parts))) if part.heading}
    wanted = heading.casefold()
    holding = [name for name in names if wanted in name]
    near = [wanted] if wanted in names else holding[:1] or get_close_matches(wanted[:100], list(names), 1, 0.7)
    if not near:
        there = "; ".join(part.heading for part in parts if part.heading and part.level == 2)
        message = f"The article ‘{title}’ has no section ‘{plain(heading, 80)}’."
        raise ToolFailed(f"{message} Sections: {plain(there, 1_000) or 'none'}.", "nothing")
    start = names[near[0]]
    own = parts[start]
    lines = [f"{title} — {own.heading} — {SERVICE}:", own.text]
    for part in parts[start + 1 :]:
        if part.level <= own.level:
            break
        lines += [f"{part.heading}:", part.text]
    return _cut("\n".join(filter(None, lines)), _MOST_SECTION)


def _cut(text: str, most: int) -> str:
    """At most so many characters, in lines of plain text."""
    lines = "\n".join(filter(None, (plain(line, most) for line in text.splitlines())))
    return lines if len(lines) <= most else f"{lines[: most - 1].rstrip()}…"
