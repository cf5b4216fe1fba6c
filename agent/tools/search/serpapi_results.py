"""Reading SerpApi's JSON (https://serpapi.com/search-api), in the order in which a person would believe it.

Answer box, sports, knowledge graph, AI overview, then the best organic results; stories and places where they are
the answer. Any field may be missing or of another type than documented; what cannot be read is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from agent.text.plain import Fields, fields, first, link, objects, plain, rows, site, texts
from agent.tools.search.serpapi_answers import answer, facts, kind, sports
from agent.web.services.search_findings import Finding, Page

_MOST_RESULTS = 6
_MOST_OVERVIEW = 900
_WANTS_NEWS = re.compile(r"\bnews\b|\bheadlines?\b|\bbreaking\b|ニュース|速報", re.IGNORECASE)
_WANTS_PLACES = re.compile(r"\bnear (?:me|by|here)\b|\b(?:nearby|nearest|closest)\b|近く|最寄り|周辺", re.IGNORECASE)
_TOLD_OF_THE_GRAPH = {"title", "type", "entity_type", "description", "source", "header_images", "local_map"}


def find(content: Fields, query: str) -> list[Finding]:
    """All that is worth telling, best first; empty where nothing was found."""
    answers = [*_answers(content), *_graph(content), *_overview(content)]
    stories = list(_stories(content)) if _is_answer(content, "top_stories", _WANTS_NEWS, query, answers) else []
    places = list(_places(content)) if _is_answer(content, "local_results", _WANTS_PLACES, query, answers) else []
    return [*answers, *stories, *places, *_organic(content)]


def _is_answer(content: Fields, name: str, wanted: re.Pattern[str], query: str, answers: list[Finding]) -> bool:
    """Stories and places count where they were asked for, or where nothing answers and they stand first or alone."""
    if wanted.search(query):
        return True
    shown = [part for part in content if part in {name, "organic_results"}]
    return not answers and shown[:1] == [name]


def _page(title: str, url: str, snippet: str = "", date: str = "") -> Page:
    return Page(title or site(url), url, plain(snippet), date)


def _google(content: Fields) -> Page:
    """Google's own page of these results: the source of an answer that names none."""
    searched = first(fields(content.get("search_parameters")), "q", most=100)
    url = link(fields(content.get("search_metadata")).get("google_url"))
    return Page(f"Google: {searched}" if searched else "Google", url)


def _answers(content: Fields) -> Iterator[Finding]:
    for box in _boxes(content):
        if text := answer(box):
            url = link(box.get("link"))
            titled = _page(first(box, "title", most=150), url, text, first(box, "date", most=40))
            google = _google(content)
            page = titled if url else Page(google.title, google.url, plain(text), titled.date)
            of = f" ({kind(box)})" if kind(box) not in {"", "organic"} else ""
            yield Finding(f"Answer{of}: {text}", (page,))
    if text := sports(fields(content.get("sports_results"))):
        yield Finding(f"Sports: {text}", (_google(content),))


def _boxes(content: Fields) -> list[Fields]:
    """``answer_box`` is an object, or in older results a list; ``answer_box_list`` has texts or objects."""
    if box := fields(content.get("answer_box")):
        return [box]
    listed = content.get("answer_box_list")
    return objects(listed)[:1] or ([{"list": listed}] if texts(listed) else [])


def _graph(content: Fields) -> Iterator[Finding]:
    graph = fields(content.get("knowledge_graph"))
    description = first(graph, "description", most=500)
    known = facts({name: value for name, value in graph.items() if name not in _TOLD_OF_THE_GRAPH}, 12)
    if not description and not known:
        return
    title = first(graph, "title", most=100)
    of = first(graph, "type", "entity_type", most=60)
    head = f"{title} ({of})" if title and of else title or of
    source = fields(graph.get("source"))
    url = link(source.get("link")) or link(graph.get("website"))
    page = _page(first(source, "name", most=60) or title, url, description) if url else _google(content)
    told = plain(" ".join([description, "; ".join(known)]), 1_000)
    yield Finding(f"Knowledge graph: {head + ': ' if head else ''}{told}", (page,))


def _overview(content: Fields) -> Iterator[Finding]:
    """An overview that only has a ``page_token`` would take a second request and is left out."""
    overview = fields(content.get("ai_overview"))
    text = plain(" ".join(islice(_blocks(overview, 0), 200)), _MOST_OVERVIEW)
    if text:
        references = objects(overview.get("references"))[:3]
        pages = [_page(first(one, "title"), link(one.get("link")), first(one, "snippet")) for one in references]
        yield Finding(f"AI overview (by Google's model, may be wrong): {text}", tuple(pages))


def _blocks(block: Fields, depth: int) -> Iterator[str]:
    """The texts of nested ``text_blocks`` and lists, in reading order, four levels deep."""
    yield first(block, "title", most=200)
    yield first(block, "snippet", most=_MOST_OVERVIEW)
    yield rows(block.get("table"))
    for name in ("text_blocks", "list") if depth < 4 else ():
        yield from texts(block.get(name))[:20]
        for inner in objects(block.get(name))[:20]:
            yield from _blocks(inner, depth + 1)


def _stories(content: Fields) -> Iterator[Finding]:
    for story in objects(content.get("top_stories"))[:_MOST_RESULTS]:
        if entry := _entry(story, first(story, "title", most=150)):
            yield entry


def _places(content: Fields) -> Iterator[Finding]:
    local = content.get("local_results")
    places = objects(local) or objects(fields(local).get("places"))
    for place in places[:_MOST_RESULTS]:
        told = [first(place, name, most=100) for name in ("type", "address", "phone", "hours", "price")]
        rating = first(place, "rating", most=10)
        told.insert(1, f"rated {rating} ({first(place, 'reviews', most=10) or '?'} reviews)" if rating else "")
        text = ", ".join(filter(None, told))
        name = first(place, "title", most=100)
        url = link(fields(place.get("links")).get("website")) or link(place.get("website"))
        if name:
            yield Finding(f"{name} — {text}" if text else name, (_page(name, url, text),), listed=True)


def _organic(content: Fields) -> Iterator[Finding]:
    found = (_entry(one, first(one, "title", most=150)) for one in objects(content.get("organic_results")))
    yield from islice(filter(None, found), _MOST_RESULTS)


def _entry(result: Fields, title: str) -> Finding | None:
    """``Title — site (date): snippet``; ``None`` where there is neither title nor snippet."""
    snippet = first(result, "snippet", "snippet_highlighted_words")
    if not title and not snippet:
        return None
    url = link(result.get("link"))
    date = first(result, "date", "iso_date", most=40)
    where = first(result, "source", most=60) or site(url)
    head = " — ".join(filter(None, (title, where))) + (f" ({date})" if date else "")
    text = f"{head}: {snippet}" if snippet and head else head or snippet
    return Finding(text, (_page(title, url, snippet, date),), listed=True)
