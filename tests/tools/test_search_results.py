"""What the model is shown of SerpApi's JSON: every kind of answer, their order, and nothing but plain text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from agent.text.plain import first, link, plain
from agent.tools.search.serpapi_results import find
from agent.web.services.search_findings import Finding, Page, show
from tests.support.servers.search_server import SF_QUERY, SF_WEATHER

GOOGLE = "https://www.google.com/search?q=x"


def text_of(content: dict[str, Any], query: str = "x") -> str:
    return show(find(content, query))[0]


BOXES: dict[str, tuple[Any, str]] = {
    "answer": ({"answer": "42", "title": "Life"}, "Answer: Life. 42"),
    "result": ({"result": "8,848.86 m"}, "Answer: 8,848.86 m"),
    "snippet": ({"snippet": "It is high."}, "Answer: It is high."),
    "highlighted words": (
        {"snippet": "The peak is 8,848 m high.", "snippet_highlighted_words": ["8,848 m"]},
        "Answer: 8,848 m — The peak is 8,848 m high.",
    ),
    "list": ({"title": "Steps", "list": ["Boil", "Pour", 3]}, "Answer: Steps. Boil; Pour; 3"),
    "a list of boxes": ([{"answer": "first"}, {"answer": "second"}], "Answer: first"),
    "featured snippet": (
        {"type": "organic_result", "title": "T", "snippet": "S.", "link": "https://e.org/a", "displayed_link": "e.org"},
        "Answer: T. S.",
    ),
    "table": (
        {"type": "organic_result", "table": [["City", "People"], ["Tokyo", 37]]},
        "Answer: Table: City | People; Tokyo | 37",
    ),
    "contents with a table": ({"contents": {"table": [["a", "b"], [], ["c"]]}}, "Answer: Contents: a | b; c"),
    "weather": (
        SF_WEATHER["answer_box"],
        "Answer (weather): 54 °F, Partly cloudy, San Francisco, CA, Friday, precipitation 3%, humidity 72%, wind 7 mph",
    ),
    "weather with forecast": (
        {
            "type": "weather_result",
            "temperature": -3,
            "unit": "Celsius",
            "forecast": [
                {"day": "Monday", "weather": "Snow", "temperature": {"high": "1", "low": "-7.5"}},
                {"day": "Tuesday", "temperature": {"high": "2°"}},
                "no day",
            ],
        },
        "Answer (weather): -3 °C. Forecast: Monday, high 1 °C, low -7.5 °C, Snow; Tuesday, high 2°",
    ),
    "weather in an unknown unit": ({"type": "weather_result", "temperature": "54"}, "Answer (weather): 54"),
    "finance": (
        {
            "type": "finance_results",
            "title": "Alphabet Inc Class C",
            "exchange": "NASDAQ",
            "stock": "GOOG",
            "currency": "USD",
            "price": 178.33,
            "price_movement": {"percentage": 0.68, "value": 1.21, "movement": "Up", "date": "Today"},
            "market": {"closed": "Nov 20, 4:00 PM"},
            "previous_close": 177.12,
            "table": [{"name": "Open", "value": "177.5"}],
        },
        "Answer (finance): Alphabet Inc Class C (GOOG, NASDAQ): 178.33 USD, up 1.21 (0.68%) today, "
        "Nov 20, 4:00 PM, previous close 177.12, Open 177.5",
    ),
    "finance, little of it": (
        {"type": "finance_results", "price": "5.1", "price_movement": {"percentage": "1%"}},
        "Answer (finance): 5.1, (1%)",
    ),
    "finance without a price": ({"type": "finance_results", "stock": "GOOG"}, "Answer (finance): Stock: GOOG"),
    "unit converter": (
        {
            "type": "unit_converter",
            "unit_type": "Length",
            "from": {"value": 5, "unit": "Mile"},
            "to": {"value": 8.04672, "unit": "Kilometer"},
            "formula": "multiply by 1.609",
        },
        "Answer (unit converter): 5 Mile = 8.04672 Kilometer (multiply by 1.609)",
    ),
    "currency converter": (
        {
            "type": "currency_converter",
            "result": "92.5 Euro",
            "price": 92.5,
            "currency": "Euro",
            "date": "Nov 20",
            "currency_converter": {
                "from": {"price": 100, "currency": "United States Dollar"},
                "to": {"price": 92.5, "currency": "Euro"},
            },
        },
        "Answer (currency converter): 100 United States Dollar = 92.5 Euro (Nov 20)",
    ),
    "currency converter, flat": (
        {"type": "currency_converter", "price": 0.92, "currency": "Euro"},
        "Answer (currency converter): 0.92 Euro",
    ),
    "currency converter, words": ({"type": "currency_converter", "from": "USD", "result": "1 €"}, "…): 1 €"),
    "conversion of nothing": ({"type": "unit_converter", "unit_type": "Length"}, "…): Unit type: Length"),
    "calculator": ({"type": "calculator_result", "result": "3.141592653589793"}, "…): 3.141592653589793"),
    "population": (
        {
            "type": "population_result",
            "place": "Japan",
            "population": "124.5 million",
            "year": "(2023)",
            "other": [{"place": "Italy", "population": "59 million"}, {"place": "Nowhere"}],
            "sources": [{"name": "World Bank", "link": "https://e.org"}],
        },
        "Answer (population): Japan: 124.5 million (2023); Italy: 59 million",
    ),
    "dictionary": (
        {
            "type": "dictionary_results",
            "syllables": "ser·en·dip·i·ty",
            "phonetic": "/ˌserənˈdipədē/",
            "word_type": "noun",
            "definitions": ["luck.", "a happy chance."],
            "examples": ["a stroke of serendipity"],
        },
        "Answer (dictionary): ser·en·dip·i·ty, /ˌserənˈdipədē/, noun. 1. luck. 2. a happy chance. "
        "Example: a stroke of serendipity",
    ),
    "dictionary without meanings": ({"type": "dictionary_results", "syllables": "a·b"}, "…): Syllables: a·b"),
    "translation": (
        {
            "type": "translation_result",
            "translation": {
                "source": {"language": "English", "text": "cat"},
                "target": {"language": "Japanese", "text": "猫"},
            },
        },
        "Answer (translation): cat (English) → 猫 (Japanese)",
    ),
    "translation of nothing": ({"type": "translation_result", "target": {}, "word": "cat"}, "…): Word: cat"),
    "sports": (
        {
            "type": "sports_results",
            "title": "Lakers",
            "games": [{"teams": [{"name": "Lakers", "score": "107"}, {"name": "Celtics", "score": {"T": 98}}]}],
        },
        "Answer (sports): Lakers: Lakers 107 – Celtics 98",
    ),
    "time": ({"type": "time", "result": "3:45 PM", "date": "Saturday"}, "Answer (time): 3:45 PM. Date: Saturday"),
    "hotels": (
        {
            "type": "hotels",
            "hotels": [{"title": "Ritz", "price": "$300", "thumbnail": "https://e.org/i.png"}, {"title": "Inn"}],
        },
        "Answer (hotels): Hotels: Ritz, $300; Inn",
    ),
    "flights": (
        {"type": "google_flights", "title": "A to B", "flights": [{"flight_info": ["ANA", "12 h", "$900"]}]},
        "Answer (google flights): A to B. Flights: ANA, 12 h, $900",
    ),
    "formula": (
        {"type": "formula", "title": "Area", "answer": "78.5", "parameters": [{"symbol": "r", "value": 5}]},
        "Answer (formula): Area. 78.5. Parameters: r, 5",
    ),
    "a kind not known yet": (
        {"type": "moon_phase", "phase": "Full", "lit": 99.5, "icon": "https://e.org/i", "ok": True},
        "Answer (moon phase): Phase: Full; Lit: 99.5",
    ),
    "nothing but a title": ({"type": "x", "title": "Only a title"}, ""),
}


@pytest.mark.parametrize(("box", "expected"), BOXES.values(), ids=BOXES)
def test_each_kind_of_answer_box(box: Any, expected: str) -> None:
    text = text_of({"answer_box": box})
    if expected.startswith("…"):
        assert text.endswith(expected.removeprefix("…"))
    else:
        assert text.split(" [1]")[0] == expected


def test_an_answer_without_a_page_of_its_own_names_google() -> None:
    text, sources = show(find(SF_WEATHER, SF_QUERY))
    assert text.splitlines()[0].endswith("wind 7 mph [1]")
    assert sources[0].title == f"Google: {SF_QUERY}"
    assert sources[0].url.startswith("https://www.google.com/search")
    assert "54 °F" in sources[0].snippet
    assert text.splitlines()[1] == (
        "[2] San Francisco, CA Weather History — Weather Example (1 day ago): "
        "Daily observations for San Francisco. Yesterday: high 54 °F, low 46 °F, partly cloudy."
    )
    assert [source.number for source in sources] == [1, 2, 3]
    assert sources[1].date == "1 day ago"


def test_a_featured_snippet_is_not_told_twice() -> None:
    page: dict[str, JsonValue] = {"title": "T", "link": "https://www.e.org/a", "snippet": "S.", "date": "May 1"}
    text, sources = show(find({"answer_box": {"type": "organic_result", **page}, "organic_results": [page]}, "x"))
    assert text == "Answer: T. S. Date: May 1 [1]"
    assert [(one.url, one.date) for one in sources] == [("https://www.e.org/a", "May 1")]


@pytest.mark.parametrize(
    ("listed", "expected"), [(["one", "two"], "Answer: one; two"), ([{"answer": "7"}], "Answer: 7"), ([], "")]
)
def test_a_list_of_answers(listed: Any, expected: str) -> None:
    assert text_of({"answer_box_list": listed}) == expected


def test_sports_on_their_own() -> None:
    results = {
        "title": "Club Africain",
        "rankings": "1st",
        "game_spotlight": {
            "league": "Ligue 1",
            "date": "Oct 17",
            "teams": [{"name": "A", "score": "2"}, {"name": "B", "score": 0}],
        },
        "games": [{"teams": [{"name": "C"}, {"name": "D"}], "time": "11:00 AM"}, {"teams": "none"}],
    }
    content = {"search_metadata": {"google_url": GOOGLE}, "sports_results": results}
    assert text_of(content) == "Sports: Club Africain, 1st: A 2 – B 0, Oct 17, Ligue 1; C – D, 11:00 AM [1]"
    assert text_of({"sports_results": {"game_spotlight": "A 3 - B 1"}}) == "Sports: A 3 - B 1"
    assert text_of({"sports_results": {"title": "no game"}}) == ""


def test_knowledge_graph() -> None:
    graph = {
        "title": "Apple",
        "type": "Technology company",
        "kgmid": "/m/0k8z",
        "description": "An American company.",
        "source": {"name": "Wikipedia", "link": "https://en.wikipedia.org/wiki/Apple_Inc."},
        "founded": "April 1, 1976",
        "founded_links": [{"text": "Founded", "link": "https://www.google.com/search?q=apple"}],
        "founders": ["Steve Jobs", "Steve Wozniak"],
        "image": "https://e.org/i.png",
        "header_images": [{"image": "https://e.org/i.png"}],
    }
    text, sources = show(find({"knowledge_graph": graph}, "apple"))
    assert text == (
        "Knowledge graph: Apple (Technology company): An American company. "
        "Founded: April 1, 1976; Founders: Steve Jobs, Steve Wozniak [1]"
    )
    assert sources[0].title == "Wikipedia"
    assert text_of({"knowledge_graph": {"title": "Apple", "type": "Company"}}) == ""
    assert text_of({"knowledge_graph": {"type": "Company", "ceo": "Tim"}}) == "Knowledge graph: Company: Ceo: Tim"
    assert text_of({"knowledge_graph": {"height": "324 m"}}) == "Knowledge graph: Height: 324 m"


def test_no_more_than_twelve_facts() -> None:
    text = text_of({"knowledge_graph": {f"fact {number}": "yes" for number in range(20)}})
    assert text.count("yes") == 12


def test_ai_overview() -> None:
    overview = {
        "text_blocks": [
            {"type": "paragraph", "snippet": "Tea is a drink."},
            {"type": "list", "list": [{"title": "Green", "snippet": "not oxidised"}, "plain"]},
            {"type": "table", "table": [["Kind", "Colour"], ["Black", "dark"]]},
            {"type": "expandable", "text_blocks": [{"snippet": "Deeper."}]},
        ],
        "references": [
            {"title": "Tea", "link": "https://e.org/tea", "snippet": "All about tea"},
            {"title": "Bad", "link": "javascript:alert(1)"},
        ],
    }
    text, sources = show(find({"ai_overview": overview}, "tea"))
    assert text == (
        "AI overview (by Google's model, may be wrong): Tea is a drink. plain Green not oxidised "
        "Kind | Colour; Black | dark Deeper. [1]"
    )
    assert [(one.title, one.snippet) for one in sources] == [("Tea", "All about tea")]
    assert text_of({"ai_overview": {"page_token": "abc", "serpapi_link": "https://serpapi.com"}}) == ""


STORY = {"title": "Vote today", "link": "https://news.example.com/1", "source": "News", "date": "2 hours ago"}
PLACES = {
    "places": [
        {"title": "Cafe", "type": "Coffee shop", "rating": 4.5, "reviews": 120, "links": {"website": "https://c.io"}},
        {"title": "Bar", "rating": 4},
        {"title": "Kiosk"},
        {"rating": 3},
    ]
}
ORGANIC = [{"title": "T", "link": "https://www.e.org/a", "snippet": "S."}]


def test_stories_and_places_where_they_are_the_answer() -> None:
    story = "[1] Vote today — News (2 hours ago)"
    assert text_of({"top_stories": [STORY, {}], "organic_results": ORGANIC}).splitlines()[0] == story
    assert text_of({"organic_results": [], "top_stories": [STORY]}, "the latest NEWS") == story
    assert "Vote" not in text_of({"organic_results": ORGANIC, "top_stories": [STORY]})
    assert "Vote" not in text_of({"answer_box": {"answer": "7"}, "top_stories": [STORY]})
    places = text_of({"local_results": PLACES}).splitlines()
    assert places == ["[1] Cafe — Coffee shop, rated 4.5 (120 reviews)", "- Bar — rated 4 (? reviews)", "- Kiosk"]
    asked = {"answer_box": {"answer": "7"}, "organic_results": ORGANIC, "local_results": PLACES["places"]}
    assert "Cafe" in text_of(asked, "coffee near me")
    assert "Cafe" in text_of(asked, "近くのカフェ")
    assert "Cafe" not in text_of(asked, "coffee")


def test_organic_results() -> None:
    results = [{}, 7, *({"title": f"T{n}", "link": f"https://www.e.org/{n}", "snippet": f"S{n}"} for n in range(9))]
    assert text_of({"organic_results": results}).splitlines() == [f"[{n + 1}] T{n} — e.org: S{n}" for n in range(6)]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"snippet": "Only a snippet"}, "- Only a snippet"),
        ({"title": "Only a title"}, "- Only a title"),
        ({"title": "T", "snippet_highlighted_words": ["54", "F"]}, "- T: 54"),
        ({"title": "T", "link": "ftp://e.org/a", "snippet": "S"}, "- T: S"),
        ({"title": "T", "link": 7, "date": ["x"], "source": {"name": "n"}, "snippet": None}, "- T (x)"),
        ({"snippet": "S", "link": "https://www.e.org/a"}, "[1] e.org: S"),
    ],
)
def test_organic_results_with_parts_missing(result: dict[str, Any], expected: str) -> None:
    assert text_of({"organic_results": [result]}) == expected


def test_everything_has_its_size() -> None:
    long = "word " * 2_000
    many = {f"field {number}": long for number in range(50)}
    content = {
        "answer_box": {"snippet": long, "list": [long] * 50, **many},
        "knowledge_graph": {"description": long, **many},
        "ai_overview": {"text_blocks": [{"snippet": long}] * 50},
        "organic_results": [{"title": long, "link": f"https://e.org/{n}", "snippet": long} for n in range(50)],
    }
    text, sources = show(find(content, "x"))
    lines = text.splitlines()
    assert 2_000 < len(text) <= 3_000
    assert len(lines[0]) <= 1_300
    assert all(len(source.snippet) <= 300 and len(source.title) <= 150 for source in sources)
    assert len(sources) < 6  # those whose line had no room are not sources either


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (" a\n\tb\u00a0c\u2028d ", "a b c d"),
        ("pay\u202epal\u200b\ufeff\u2066", "paypal"),
        ("\x00\x1b[31mred\x7f", "[31mred"),
        ("half \ud800 pair", "half pair"),
        ("a\U000e0041\U000e0101b", "ab"),
        ("東京\u3000都", "東京 都"),
        (7, "7"),
        (0.1, "0.1"),
        (1e300, "1e+300"),
        (float("nan"), ""),
        (True, ""),
        (None, ""),
        ([1], ""),
        ({}, ""),
    ],
)
def test_plain(value: object, expected: str) -> None:
    assert plain(value) == expected


def test_plain_is_cut() -> None:
    assert plain("x" * 20, 10) == "x" * 9 + "…"
    assert plain("x" * 10, 10) == "x" * 10


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "https://",
        "https://google.com@evil.example/",
        "https://[bad",
        "https://e.org/a b",
        "https://e.org/\u202e",
        "//e.org/a",
        "data:text/html,x",
        "https://e.org/" + "a" * 2_000,
        7,
        None,
    ],
)
def test_links_that_are_not_shown(url: Any) -> None:
    assert link(url) == ""


def test_links_that_are_shown() -> None:
    assert link("https://e.org/a?b=c#d") == "https://e.org/a?b=c#d"
    assert link("HTTP://e.org") == "HTTP://e.org"


def test_first_of_a_list() -> None:
    assert first({"a": None, "b": ["", "x"]}, "a", "b") == "x"


def test_one_address_has_one_number() -> None:
    page = Page("T", "https://e.org", "S")
    text, sources = show([Finding("A", (page,)), Finding("B", (page, Page("U", "https://f.org")))])
    assert text == "A [1]\nB [1][2]"
    assert [one.title for one in sources] == ["T", "U"]


# fmt: off
NAMES = st.sampled_from([
    "answer_box", "answer_box_list", "sports_results", "knowledge_graph", "ai_overview", "top_stories",
    "local_results", "organic_results", "type", "title", "link", "snippet", "list", "table", "answer", "result",
    "temperature", "forecast", "unit", "price", "price_movement", "from", "to", "games", "teams", "score", "name",
    "text_blocks", "references", "places", "links", "website", "source", "description", "definitions", "translation",
    "target", "text", "search_metadata", "google_url", "currency_converter", "other", "game_spotlight", "page_token",
])
# fmt: on
# fmt: off
KINDS = st.sampled_from([
    "weather_result", "finance_results", "unit_converter", "currency_converter", "calculator_result",
    "population_result", "dictionary_results", "sports_results", "translation_result", "organic_result", "x",
])
# fmt: on
HOSTILE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | KINDS | st.just("https://e.org/a"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=6),
    max_leaves=15,
)


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(NAMES, HOSTILE, max_size=8), st.text(max_size=20))
def test_no_json_raises(content: dict[str, Any], query: str) -> None:
    text, sources = show(find(content, query))
    assert len(text) <= 3_000
    assert all(character == "\n" or character.isprintable() for character in text)
    assert [source.number for source in sources] == list(range(1, len(sources) + 1))
    assert all(link(source.url) for source in sources)


def test_tokens_of_the_engine_are_left_out() -> None:
    graph = {
        "title": "Dune",
        "type": "Novel",
        "author": "Frank Herbert",
        "author_stick": "H4sIAAAAAAAAAONgFuLVT9c3NEwyMs1NMjVKU-LSz9U3SE-ysDSz",
        "genres_sticks": ["H4sIAAAA"],
    }
    assert text_of({"knowledge_graph": graph}) == "Knowledge graph: Dune (Novel): Author: Frank Herbert"


@pytest.mark.parametrize(
    ("box", "told"),
    [
        ({"type": "weather_result", "temperature": "9", "timezone": "Europe/Oslo", "date": "Monday"}, "(Europe/Oslo)"),
        ({"type": "translation_result", "target": {"text": "hei"}, "date": "3 May"}, "hei (3 May)"),
        ({"type": "time", "answer": "4:05 PM", "time_zone": "GMT+9"}, "4:05 PM. Time zone: GMT+9"),
        (
            {"type": "calculator", "result": "4", "date": "3 May", "utc_offset": "+1"},
            "Answer (calculator): 4 (3 May, +1)",
        ),
        ({"answer": "x" * 2_000, "date": "May 3, 2026"}, "…. Date: May 3, 2026"),
    ],
)
def test_day_and_zone_of_an_answer_are_kept(box: dict[str, Any], told: str) -> None:
    assert text_of({"answer_box": box}).endswith(told)


def test_an_answer_box_may_be_told_as_json_too() -> None:
    box: dict[str, Any] = {"answer": "42", "date": "May 3", "thumbnail": "https://e.org/a.png", "answer_stick": "H4sI"}
    told = show(find({"answer_box": box}, "x", raw=True))[0]
    assert told.splitlines() == ["Answer: 42. Date: May 3", 'Answer box as JSON: {"answer": "42", "date": "May 3"}']
    assert "JSON" not in text_of({"answer_box": box})


def test_the_source_is_called_by_its_engine() -> None:
    content: dict[str, Any] = {
        "search_parameters": {"engine": "duckduckgo", "q": "x"},
        "search_metadata": {"duckduckgo_url": "https://duckduckgo.com/?q=x"},
        "answer_box": {"answer": "42"},
    }
    (source,) = show(find(content, "x"))[1]
    assert (source.title, source.url) == ("DuckDuckGo: x", "https://duckduckgo.com/?q=x")
