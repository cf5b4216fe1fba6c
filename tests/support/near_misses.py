"""What models write where a tool's input is wanted and is not quite right: (tool, input, what it must become).

What it must become is the arguments that matter, or ``Refused`` with words that must stand in the error.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any


@dataclass(frozen=True)
class Refused:
    """An error that says all of ``words``; it also names the tool and gives an example, whatever they are."""

    words: tuple[str, ...]


def refused(*words: str) -> Refused:
    return Refused(words)


@dataclass(frozen=True)
class Later:
    """So many days ahead of the day on which a test runs, or the first such weekday from then on, Monday being 0."""

    ahead: int
    weekday: int | None = None

    def day(self) -> str:
        found = date.today() + timedelta(days=self.ahead)
        wait = 0 if self.weekday is None else (self.weekday - found.weekday()) % 7
        return (found + timedelta(days=wait)).isoformat()


def day(ahead: int) -> Later:
    return Later(ahead)


def weekday(number: int, least: int = 0) -> Later:
    return Later(least, number)


def on_this_day(wanted: dict[str, Any]) -> dict[str, Any]:
    """What the input must become today."""
    return {name: value.day() if isinstance(value, Later) else value for name, value in wanted.items()}


PARIS = {"place": "Paris"}
SUM = {"expression": "2+2"}
SELECT = {"sql": "SELECT 1"}
BAR = {"kind": "bar", "data": "sales", "x": "region"}

NEAR_MISSES: list[tuple[str, str, dict[str, Any] | Refused]] = [
    # A text alone, or under another name
    ("weather", "Will it rain in Oslo tomorrow?", {"place": "Will it rain in Oslo tomorrow?"}),
    ("search", "population of Japan", {"query": "population of Japan"}),
    ("search", '"population of Japan"', {"query": "population of Japan"}),
    ("search", "'population of Japan'", {"query": "population of Japan"}),
    ("search", '{"element": "x"}', {"query": "x"}),
    ("search", '{"search_query": "x"}', {"query": "x"}),
    ("search", '{"Query": "x"}', {"query": "x"}),
    ("search", '{"q": "x"}', {"query": "x"}),
    ("search", '{"input": "x"}', {"query": "x"}),
    ("search", '{"__arg1": "x"}', {"query": "x"}),
    ("search", '["x"]', {"query": "x"}),
    ("search", '{"query": ["x"]}', {"query": "x"}),
    ("search", '{"query": 2026}', {"query": "2026"}),
    ("search", '{"query": "x", "num_results": 5}', {"query": "x"}),
    ("search", '{"tool": "search", "tool_input": {"query": "x"}}', {"query": "x"}),
    ("search", '{"arguments": "{\\"query\\": \\"x\\"}"}', {"query": "x"}),
    ("search", 'query="x"', {"query": "x"}),
    ("search", "query: x", {"query": "x"}),
    ("search", "", refused("‘query’", "text", "missing")),
    ("search", "{}", refused("‘query’", "missing", '"query": "population of Japan 2025"')),
    ("search", '{"query": null}', refused("query", "null came", "text was expected")),
    # Fences, commas, Python
    ("calculator", "```\n2+2\n```", SUM),
    ("calculator", '```json\n{"expression": "2+2"}\n```', SUM),
    ("calculator", '{"expression": "2+2",}', SUM),
    ("calculator", "{'expression': '2+2'}", SUM),
    ("calculator", '{expression: "2+2"}', SUM),
    ("calculator", '{"expression": "2+2"', SUM),
    ("calculator", '"{\\"expression\\": \\"2+2\\"}"', SUM),
    ("calculator", "“2+2”", {"expression": "“2+2”"}),
    ("calculator", '{"expr": "2+2"}', SUM),
    ("calculator", '{"equation": "2+2"}', SUM),
    ("calculator", '{"expression": 4}', {"expression": "4"}),
    ("calculator", "4", {"expression": "4"}),
    ("calculator", '{"expression": "2\\\\*2"}', {"expression": "2*2"}),
    ("calculator", '{"expression": "2+2"}\nObservation: 4', SUM),
    # Places and dates
    ("convert", '{"amount": "5 miles", "to": "km"}', {"amount": 5, "unit": "miles", "to": "km"}),
    ("convert", '{"amount": "98.6°F", "unit": "", "to": "°C"}', {"amount": 98.6, "unit": "°F", "to": "°C"}),
    ("convert", '{"amount": "5 miles", "unit": "miles", "to": "km"}', {"amount": 5, "unit": "miles", "to": "km"}),
    ("convert", '{"amount": "5 miles", "unit": "feet", "to": "km"}', refused("‘amount’", '"5 miles"')),
    ("weather", "Paris", PARIS),
    ("weather", '"Paris"', PARIS),
    ("weather", '{"place": "Paris"}', PARIS),
    ("weather", '{"city": "Paris"}', PARIS),
    ("weather", '{"location": "Paris"}', PARIS),
    ("weather", '{"location": "Paris", "units": "METRIC"}', {**PARIS, "units": "metric"}),
    ("weather", "{'place': 'Paris', 'units': 'Imperial'}", {**PARIS, "units": "imperial"}),
    ("weather", '{"place": "Paris", "units": ["metric"]}', {**PARIS, "units": "metric"}),
    ("weather", '{"place": ["Paris"], "date": ["tomorrow"]}', {**PARIS, "date": day(1)}),
    ("weather", '{"place": "Paris", "date": "tomorrow"}', {**PARIS, "date": day(1)}),
    ("weather", '{"place": "Paris", "date": "Tomorrow."}', {**PARIS, "date": day(1)}),
    ("weather", '{"place": "Paris", "date": "today"}', {**PARIS, "date": day(0)}),
    ("weather", '{"place": "Paris", "date": "yesterday"}', {**PARIS, "date": day(-1)}),
    ("weather", '{"place": "Paris", "date": "the day after tomorrow"}', {**PARIS, "date": day(2)}),
    ("weather", '{"place": "Paris", "date": "in 3 days"}', {**PARIS, "date": day(3)}),
    ("weather", '{"place": "Paris", "date": "a week ago"}', {**PARIS, "date": day(-7)}),
    ("weather", '{"place": "Paris", "date": "Sunday"}', {**PARIS, "date": weekday(6)}),
    ("weather", '{"place": "Paris", "date": "next Monday"}', {**PARIS, "date": weekday(0, 1)}),
    ("weather", '{"place": "Paris", "date": "last Friday"}', {**PARIS, "date": weekday(4, -7)}),
    ("weather", '{"place": "東京", "date": "明日"}', {"place": "東京", "date": day(1)}),
    ("weather", '{"place": "東京", "date": "2026年11月21日"}', {"place": "東京", "date": "2026-11-21"}),
    ("weather", '{"place": "Paris", "date": "21 Nov 2026"}', {**PARIS, "date": "2026-11-21"}),
    ("weather", '{"place": "Paris", "date": "November 21st, 2026"}', {**PARIS, "date": "2026-11-21"}),
    ("weather", '{"place": "Paris", "date": "Sat, 21 November 2026"}', {**PARIS, "date": "2026-11-21"}),
    ("weather", '{"place": "Paris", "date": "21.11.2026"}', {**PARIS, "date": "2026-11-21"}),
    ("weather", '{"place": "Paris", "date": "11/21/2026"}', {**PARIS, "date": "2026-11-21"}),
    ("weather", '{"place": "Paris", "date": "2026/11/21"}', {**PARIS, "date": "2026-11-21"}),
    ("weather", '{"place": "Paris", "date": 20261121}', {**PARIS, "date": "2026-11-21"}),
    ("weather", '{"place": "Paris", "date": "2026-11-21T09:00:00Z"}', {**PARIS, "date": "2026-11-21"}),
    ("weather", '{"place": "Paris", "date": ""}', {**PARIS, "date": None}),
    ("weather", '{"place": "Paris", "date": "none", "until": null}', {**PARIS, "date": None, "until": None}),
    ("weather", "place=Paris, date=tomorrow", {**PARIS, "date": day(1)}),
    ("weather", "place: Paris\ndate: 2026-11-21", {**PARIS, "date": "2026-11-21"}),
    ("weather", 'I call it with {"place": "Paris"}', PARIS),
    ("weather", '[{"place": "Paris"}]', PARIS),
    ("weather", '["Paris", "2026-11-21"]', {**PARIS, "date": "2026-11-21"}),
    ("weather", '{"place": "Paris", "date": "03/04/2026"}', refused("‘date’ is wrong", "03/04/2026", "date YYYY")),
    ("weather", '{"place": "Paris", "date": "someday"}', refused("‘date’ is wrong", "date YYYY-MM-DD was expected")),
    ("weather", '{"place": "Paris", "date": 5}', refused("‘date’ is wrong", "date YYYY-MM-DD was expected")),
    ("weather", '{"place": "Paris", "date": "2026-02-30"}', refused("‘date’ is wrong", "date YYYY-MM-DD")),
    ("weather", '{"place": "Paris", "units": "kelvin"}', refused("‘units’ is wrong", '"auto", "metric", "imperial"')),
    ("weather", '{"date": "tomorrow"}', refused("‘place’", "missing", '"Paris, France"')),
    ("weather", "{}", refused("‘place’ (text) is missing", '{"place": "Paris, France"}')),
    # Choices and numbers
    ("wikipedia", "Ada Lovelace", {"article": "Ada Lovelace"}),
    ("wikipedia", '{"title": "Ada Lovelace"}', {"article": "Ada Lovelace"}),
    ("wikipedia", '{"article": "Ada", "show": "Summary"}', {"show": "summary"}),
    ("wikipedia", '{"article": "Ada", "show": " SEARCH "}', {"show": "search"}),
    ("wikipedia", '{"article": "Ada", "language": "EN"}', {"language": "en"}),
    ("wikipedia", '{"article": "Ada", "show": null}', {"show": "summary"}),
    ("wikipedia", '{"article": "Ada", "section": ["Work"]}', {"section": "Work"}),
    ("wikipedia", '{"article": "Ada", "show": ""}', {"show": "summary"}),
    ("wikipedia", '{"article": "Ada", "show": "pictures"}', refused("‘show’ is wrong", '"summary", "section"')),
    ("wikipedia", '{"article": {"en": "Ada"}}', {"article": '{"en": "Ada"}'}),
    ("news", "electric cars", {"query": "electric cars"}),
    ("news", '{"query": "x", "most": "3"}', {"most": 3}),
    ("news", '{"query": "x", "most": 3.0}', {"most": 3}),
    ("news", '{"query": "x", "most": " 3 "}', {"most": 3}),
    ("news", '{"query": "x", "most": "３"}', {"most": 3}),
    ("news", '{"query": "x", "category": "Technology"}', {"category": "technology"}),
    ("news", '{"topic": "x", "since": "yesterday"}', {"query": "x", "since": day(-1)}),
    ("news", "{'query': 'x', 'since': None, 'sort': 'Newest'}", {"since": None, "sort": "newest"}),
    ("news", '{"query": "x", "most": 3.5}', refused("‘most’ is wrong", "3.5 came", "whole number 1–20")),
    ("news", '{"query": "x", "most": 500}', refused("‘most’ is wrong", "whole number 1–20")),
    ("news", '{"query": "x", "most": "many"}', refused("‘most’ is wrong", '"many" came', "whole number")),
    ("news", '{"query": "x", "category": "gossip"}', refused("‘category’ is wrong", '"gossip" came', '"business"')),
    ("movies", "Inception", {"title": "Inception"}),
    ("movies", '{"movie": "Inception"}', {"title": "Inception"}),
    ("movies", '{"name": "Inception", "year": "2010"}', {"title": "Inception", "year": 2010}),
    ("movies", '{"title": "Inception", "year": ""}', {"year": None}),
    ("movies", '{"title": "", "listing": "Top Rated"}', {"title": "", "listing": "top_rated"}),
    ("movies", '{"title": "", "listing": "now-playing"}', {"listing": "now_playing"}),
    ("movies", '{"title": 1917}', {"title": "1917"}),
    ("movies", "1917", {"title": "1917"}),
    ("movies", '{"title": "x", "year": "in 2010"}', refused("‘year’ is wrong", "whole number 1870–2100")),
    ("movies", '{"title": "x", "year": 99}', refused("‘year’ is wrong", "99 came", "whole number 1870–2100")),
    ("wolfram", '{"query": "moon distance"}', {"question": "moon distance"}),
    ("wolfram", '{"input": "moon distance"}', {"question": "moon distance"}),
    ("wolfram", '```\nmoon distance\n```', {"question": "moon distance"}),
    # Code and SQL are taken as they are
    ("query", "SELECT 1", SELECT),
    ("query", "```sql\nSELECT 1\n```", SELECT),
    ("query", '{"query": "SELECT 1"}', SELECT),
    ("query", '{"sql": "SELECT 1"}', SELECT),
    ("query", '"SELECT 1"', SELECT),
    ("query", "SELECT \"a\" FROM t WHERE b = '{x}'", {"sql": "SELECT \"a\" FROM t WHERE b = '{x}'"}),
    ("python", "print(1)", {"code": "print(1)"}),
    ("python", "```python\nprint(1)\n```", {"code": "print(1)"}),
    ("python", '{"code": "print(1)"}', {"code": "print(1)"}),
    ("python", "x = {'a': 1}\nprint(x)", {"code": "x = {'a': 1}\nprint(x)"}),
    ("chart", '{"kind": "Bar", "data": "sales", "x": "region"}', BAR),
    ("chart", '{"type": "bar", "data": "sales", "x": "region", "kind": "bar"}', BAR),
    ("chart", "{'kind': 'bar', 'data': 'sales', 'x': 'region', 'limit': '10'}", {**BAR, "limit": 10}),
    ("chart", '{"kind": "bar", "data": "sales", "x": ["region"]}', BAR),
    ("chart", '{"kind": "bar", "data": "sales", "x": "region", "color": "year"}', {**BAR, "colour": "year"}),
    ("chart", '{"kind": "bar", "data": "sales", "x": "region", "aggregate": "SUM"}', {**BAR, "aggregate": "sum"}),
    ("chart", '{"kind": "bar", "data": "sales", "x": "region",}', BAR),
    ("chart", "kind=bar, data=sales, x=region", BAR),
    ("chart", '{"kind": "donut", "data": "sales", "x": "region"}', refused("‘kind’ is wrong", '"donut" came', '"bar"')),
    ("chart", '{"kind": "bar", "x": "region"}', refused("‘data’ (text) is missing", '"kind": "bar"')),
    ("chart", '{"kind": "bar", "data": "s", "x": "r", "limit": "all"}', refused("‘limit’ is wrong", "whole number")),
]  # fmt: skip
