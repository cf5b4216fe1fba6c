"""Reading SerpApi's JSON (https://serpapi.com/search-api), in the order in which a person would believe it.

Answer box, sports, knowledge graph, AI overview, then the best organic results; stories and places where they are
the answer. Any field may be missing or of another type than documented; what cannot be read is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from pydantic import JsonValue

from agent.text.plain import Fields, fields, first, link, objects, plain, rows, site, texts
from agent.text.regex import regex
from agent.tools.search.engines import MOST_RESULTS, dated, entry, raw_box
from agent.web.services.search_findings import Finding, Page

MOST_ANSWER = 1_200
_DEGREES = {"fahrenheit": "°F", "f": "°F", "celsius": "°C", "c": "°C", "kelvin": "K"}
_MAIN = ("answer", "result", "snippet", "snippet_highlighted_words", "list")
_UNTOLD = (
    "link", "url", "thumbnail", "image", "icon", "logo", "token", "kgmid", "_id", "_stick", "audio", "html", "ludocid",
)  # fmt: skip
_UNTOLD_NAMES = {"type", "title", "source", "sources", "chart", "about_this_result", "extensions", "position"}
_ENGINES = {"duckduckgo": "DuckDuckGo"}  # that are not called by their name with a capital
_MOST_OVERVIEW = 900
_WANTS_NEWS = regex(r"\bnews\b|\bheadlines?\b|\bbreaking\b|ニュース|速報", re.IGNORECASE)
_WANTS_PLACES = regex(r"\bnear (?:me|by|here)\b|\b(?:nearby|nearest|closest)\b|近く|最寄り|周辺", re.IGNORECASE)
_TOLD_OF_THE_GRAPH = {"title", "type", "entity_type", "description", "source", "header_images", "local_map"}


def find(content: Fields, query: str, raw: bool = False) -> list[Finding]:
    """All that is worth telling, best first; empty where nothing was found. ``raw``: the answer box as JSON, too."""
    boxes = [Finding(raw_box(box), (_engine(content),)) for box in _boxes(content)] if raw else []
    answers = [*_answers(content), *boxes, *_graph(content), *_overview(content)]
    stories = (
        list(_listed(content.get("top_stories")))
        if _is_answer(content, "top_stories", _WANTS_NEWS, query, answers)
        else []
    )
    places = list(_places(content)) if _is_answer(content, "local_results", _WANTS_PLACES, query, answers) else []
    return [*answers, *stories, *places, *_listed(content.get("organic_results"))]


def _is_answer(content: Fields, name: str, wanted: re.Pattern[str], query: str, answers: list[Finding]) -> bool:
    """Stories and places count where they were asked for, or where nothing answers and they stand first or alone."""
    if wanted.search(query):
        return True
    shown = [part for part in content if part in {name, "organic_results"}]
    return not answers and shown[:1] == [name]


def _page(title: str, url: str, snippet: str = "", date: str = "") -> Page:
    return Page(title or site(url), url, plain(snippet), date)


def _engine(content: Fields) -> Page:
    """The engine's own page of these results: the source of an answer that names none."""
    asked, told = fields(content.get("search_parameters")), fields(content.get("search_metadata"))
    engine = first(asked, "engine", most=20) or "google"
    searched = first(asked, "q", most=100)
    named = _ENGINES.get(engine, engine.capitalize())
    return Page(f"{named}: {searched}" if searched else named, link(told.get(f"{engine}_url")))


def _answers(content: Fields) -> Iterator[Finding]:
    for box in _boxes(content):
        if text := answer(box):
            url = link(box.get("link"))
            titled = _page(first(box, "title", most=150), url, text, first(box, "date", most=40))
            engine = _engine(content)
            page = titled if url else Page(engine.title, engine.url, plain(text), titled.date)
            of = f" ({kind(box)})" if kind(box) not in {"", "organic"} else ""
            yield Finding(f"Answer{of}: {text}", (page,))
    if text := sports(fields(content.get("sports_results"))):
        yield Finding(f"Sports: {text}", (_engine(content),))


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
    page = _page(first(source, "name", most=60) or title, url, description) if url else _engine(content)
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


def _listed(found: JsonValue) -> Iterator[Finding]:
    """The first entries of a list of results or stories."""
    names = (("snippet", "snippet_highlighted_words"), ("date", "iso_date"), "source")
    return islice(filter(None, (entry(one, "link", *names) for one in objects(found))), MOST_RESULTS)


def _places(content: Fields) -> Iterator[Finding]:
    local = content.get("local_results")
    places = objects(local) or objects(fields(local).get("places"))
    for place in places[:MOST_RESULTS]:
        told = [first(place, name, most=100) for name in ("type", "address", "phone", "hours", "price")]
        rating = first(place, "rating", most=10)
        told.insert(1, f"rated {rating} ({first(place, 'reviews', most=10) or '?'} reviews)" if rating else "")
        text = ", ".join(filter(None, told))
        name = first(place, "title", most=100)
        url = link(fields(place.get("links")).get("website")) or link(place.get("website"))
        if name:
            yield Finding(f"{name} — {text}" if text else name, (_page(name, url, text),), listed=True)


# -- direct answers (https://serpapi.com/direct-answer-box-api) as one line each ----------------------------------


def answer(box: Fields) -> str:
    """What an answer box says, of whatever kind it is; ``""`` for nothing."""
    text = _known(kind(box), box) or everything(box)
    text = text if len(text) <= MOST_ANSWER else text[: MOST_ANSWER - 1].rstrip() + "…"
    return dated(text, box)


def kind(box: Fields) -> str:
    """``weather`` of ``weather_result``; ``""`` where the box does not say."""
    name = plain(box.get("type"), 40).lower()
    return name.removesuffix("_results").removesuffix("_result").replace("_", " ")


def _known(name: str, box: Fields) -> str:
    match name:
        case "weather":
            return _weather(box)
        case "finance":
            return _finance(box)
        case "currency converter" | "unit converter":
            return _conversion(box)
        case "population":
            return _population(box)
        case "dictionary":
            return _dictionary(box)
        case "translation":
            return _translation(box)
        case "sports":
            return sports(box)
        case "calculator":
            return first(box, "result", "answer")
        case _:
            return ""


def _join(parts: Iterable[str], separator: str = ", ") -> str:
    return separator.join(part for part in parts if part)


def _sentences(parts: Iterable[str]) -> str:
    told = list(filter(None, parts))
    return " ".join([*(one if one.endswith((".", "!", "?", "。")) else f"{one}." for one in told[:-1]), *told[-1:]])


def _after(label: str, text: str) -> str:
    return f"{label} {text}" if text else ""


def _in_brackets(*parts: str) -> str:
    inside = _join(parts)
    return f"({inside})" if inside else ""


def _weather(box: Fields) -> str:
    unit = first(box, "unit", most=20)
    degrees = _DEGREES.get(unit.lower(), unit)
    now = [
        _degrees(first(box, "temperature", most=20), degrees),
        *(first(box, name, most=60) for name in ("weather", "location", "date")),
        *(_after(name, first(box, name, most=20)) for name in ("precipitation", "humidity", "wind")),
    ]
    days = [_day(day, degrees) for day in objects(box.get("forecast"))[:7]]
    return _sentences([_join(now), _after("Forecast:", _join(days, "; "))])


def _degrees(figure: str, degrees: str) -> str:
    """``54 °F``; a figure that has its unit already stays as it is."""
    bare = figure.lstrip("-−+").replace(".", "", 1).isdigit()
    return f"{figure} {degrees}".strip() if bare else figure


def _day(day: Fields, degrees: str) -> str:
    range_ = fields(day.get("temperature"))
    parts = [_after(name, _degrees(first(range_, name, most=20), degrees)) for name in ("high", "low")]
    return _join([first(day, "day", "date", most=20), *parts, first(day, "weather", most=40)])


def _finance(box: Fields) -> str:
    if not (price := first(box, "price", "extracted_price", most=40)):
        return ""
    change = fields(box.get("price_movement"))
    percentage = first(change, "percentage", most=20)
    moved = _join(
        [
            first(change, "movement", most=20).lower(),
            first(change, "value", most=20),
            _in_brackets(percentage if percentage.endswith("%") else f"{percentage}%") if percentage else "",
            first(change, "date", most=40).lower(),
        ],
        " ",
    )
    name = _join([first(box, "title", most=100), _in_brackets(first(box, "stock"), first(box, "exchange"))], " ")
    market = fields(box.get("market"))
    table = [f"{first(row, 'name')} {first(row, 'value')}" for row in objects(box.get("table"))[:8]]
    rest = [
        moved,
        first(box, "date", most=40) or first(market, "trading", "closed", most=60),
        _after("previous close", first(box, "previous_close", most=20)),
        *table,
    ]
    now = f"{price} {first(box, 'currency', most=20)}".strip()
    return _join([name and f"{name}:", _join([now, *rest])], " ")


def _conversion(box: Fields) -> str:
    """Units and currencies: both have ``from`` and ``to``, currencies one level deeper."""
    inner = fields(box.get("currency_converter")) or box
    left, right = (_amount(fields(inner.get(side))) for side in ("from", "to"))
    right = right or first(box, "result", "answer") or _amount(box)
    text = f"{left} = {right}" if left and right else right
    return _join([text, _in_brackets(first(box, "formula"), first(box, "date", most=40))], " ") if text else ""


def _amount(side: Fields) -> str:
    figure = first(side, "value", "price", most=60)
    return f"{figure} {first(side, 'unit', 'currency', most=60)}".strip() if figure else ""


def _population(box: Fields) -> str:
    def one(row: Fields) -> str:
        figure = first(row, "population", "result", "answer", most=60)
        return _join([first(row, "place", most=80) + ":", figure, first(row, "year", most=20)], " ") if figure else ""

    return _join([one(box), *(one(row) for row in objects(box.get("other"))[:4])], "; ")


def _dictionary(box: Fields) -> str:
    meanings = [f"{number}. {text}" for number, text in enumerate(texts(box.get("definitions"))[:5], 1)]
    examples = _after("Example:", first(box, "examples"))
    head = [first(box, name, most=80) for name in ("word", "syllables", "phonetic", "word_type")]
    return _sentences([_join(head), _join(meanings, " "), examples]) if meanings else ""


def _translation(box: Fields) -> str:
    inner = fields(box.get("translation")) or box
    sides = [fields(inner.get(side)) for side in ("source", "target")]
    told = [_join([first(side, "text"), _in_brackets(first(side, "language", most=40))], " ") for side in sides]
    return _join(told, " → ") if first(sides[1], "text") else ""


def sports(box: Fields) -> str:
    """``sports_results``, as an answer box or on its own (https://serpapi.com/sports-results)."""
    spotlight = box.get("game_spotlight")
    games = [_game(game) for game in [fields(spotlight), *objects(box.get("games"))[:5]]]
    told = _join([plain(spotlight), *games], "; ")
    return _join([_join([first(box, "title", most=100), first(box, "rankings", most=100)]), told], ": ") if told else ""


def _game(game: Fields) -> str:
    teams = [
        f"{first(team, 'name', most=60)} {_score(team)}".strip() for team in objects(game.get("teams"))[:2] if team
    ]
    names = ("status", "date", "time", "tournament", "league", "stage", "stadium")
    return _join([_join(teams, " – "), *(first(game, name, most=60) for name in names)]) if teams else ""


def _score(team: Fields) -> str:
    """A figure, or an object of figures by period whose total stands under ``T``."""
    return first(team, "score", most=20) or first(fields(team.get("score")), "T", "total", "score", most=20)


def everything(box: Fields) -> str:
    """A box of no known kind: what is named as the answer first, then its other fields, two levels deep."""
    rest = {name: value for name, value in box.items() if name not in _MAIN}
    main = [
        first(box, "answer", "result"),
        _join(texts(box.get("snippet_highlighted_words"), 100)[:3]),
        first(box, "snippet", most=600),
        _join(texts(box.get("list"), 150)[:8], "; "),
    ]
    title = first(box, "title", most=150)
    told = [_join(main, " — "), _join(facts(rest, 12), "; ")]
    return _sentences([title, *told]) if any(told) else ""


def facts(source: Fields, most: int) -> list[str]:
    """``Name: value`` of up to ``most`` fields; addresses, pictures and ids are left out."""
    told: list[str] = []
    for name, value in source.items():
        lowered = name.lower()
        if lowered in _UNTOLD_NAMES or any(part in lowered for part in _UNTOLD):
            continue
        inner = [_flat(item) for item in ([fields(value)] if isinstance(value, dict) else objects(value)[:3])]
        text = _join(texts(value, 150)[:6]) or _join(inner, "; ") or rows(value)
        if text:
            told.append(f"{plain(name.replace('_', ' '), 40).capitalize()}: {plain(text, 300)}")
        if len(told) == most:
            break
    return told


def _flat(source: Fields) -> str:
    told = [name for name in list(source)[:20] if not any(part in name.lower() for part in _UNTOLD)]
    return _join([_join(texts(source[name], 100)[:4]) or rows(source[name]) for name in told])
