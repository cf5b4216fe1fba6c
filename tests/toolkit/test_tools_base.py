"""Tools from signatures, and what becomes of arguments as models write them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, JsonValue

from agent.errors import BadArguments, ForTheModel, UnknownTool
from agent.events import ToolCalled, dump, load
from agent.toolkit.base import Tool, Toolbox, ToolResult, artifact, tool


class Level(Enum):
    LOW = "low"
    HIGH = "high"


@dataclass
class Point:
    x: float
    y: float = 0.0


class Filter(BaseModel):
    column: str
    value: int = 0


@tool
def search(query: str) -> str:
    """Searches the web.

    Args:
        query: What to look for, for example weather in Paris.
    """
    return f"searched {query}"


@tool(icon="calculate", timeout=5)
def calculator(expression: str) -> ToolResult:
    """Works out an arithmetic
    expression.

    More for the reader of the source.

    Args:
        expression: The expression, for example (54 - 32) * 5 / 9.

    Returns:
        The result.
    """
    return ToolResult(expression, cached=True)


@tool
def weather(
    city: str,
    days: Annotated[int, Field(ge=1, le=16)] = 3,
    unit: Literal["metric", "imperial"] = "metric",
    day: date | None = None,
    hourly: bool = False,
) -> str:
    """Tells the weather.

    Args:
        city: The city, for example Paris.
        days: How many days.
    """
    return f"{city} {days} {unit} {day!r} {hourly}"


@tool
def double(number: int) -> str:
    """Doubles a number."""
    return str(number * 2)


@tool
def mean(numbers: list[float]) -> str:
    """The mean of numbers."""
    return str(sum(numbers) / len(numbers))


@tool
def convert(amount: float, unit_from: str, unit_to: str) -> str:
    """Converts an amount."""
    return f"{amount} {unit_from} {unit_to}"


@tool
def alarm(level: Level, tags: list[str] = [], at: datetime | None = None) -> str:  # noqa: B006 - never changed
    """Raises an alarm."""
    return f"{level!r} {tags} {at}"


@tool
def chart(points: list[Point], filters: list[Filter] | None = None, color: int | Literal["red"] = 1) -> str:
    """Draws."""
    return f"{points} {filters}"


@tool
def table(data: dict[str, float]) -> str:
    """Keeps a table."""
    return str(data)


@tool
def today() -> str:
    """Tells the date."""
    return "today"


@tool
def roll(sides: int = 6, times: int = 1) -> str:
    """Rolls dice."""
    return f"{sides} {times}"


@tool
def reason(thought: str) -> str:
    """Thinks."""
    return thought


@tool
def post(url: str, body: str) -> str:
    """Posts."""
    return body


BOX = Toolbox([search, calculator, weather, double, mean, convert, alarm, chart, table, today, roll, reason, post])
PARIS = {"city": "Paris", "days": 3, "unit": "metric", "day": None, "hourly": False}
DICE = {"sides": 6, "times": 1}
LOW = {"level": "low", "tags": [], "at": None}

Case = tuple[str, str, dict[str, Any], str]

# (tool, what the model wrote, the arguments, a part of the repairs told or "" for none)
NEAR_MISSES: list[Case] = [
    # as it should be
    ("search", '{"query": "a b"}', {"query": "a b"}, ""),
    ("search", "weather in Paris", {"query": "weather in Paris"}, ""),
    ("search", "  two\nlines ", {"query": "two\nlines"}, ""),
    ("weather", '{"city": "Paris"}', PARIS, ""),
    ("weather", "Paris", PARIS, ""),
    ("weather", '{"city": "Paris", "day": "2026-01-31"}', PARIS | {"day": "2026-01-31"}, ""),
    ("double", '{"number": 4}', {"number": 4}, ""),
    ("mean", '{"numbers": [1, 2]}', {"numbers": [1, 2]}, ""),
    ("today", "{}", {}, ""),
    ("today", "", {}, ""),
    ("roll", "", DICE, ""),
    ("roll", "{}", DICE, ""),
    ("roll", "null", DICE, ""),
    ("reason", '{"thought": "so"}', {"thought": "so"}, ""),
    ("search", '{"thought": "I need it", "query": "x"}', {"query": "x"}, ""),
    ("roll", '{"thought": "luck"}', DICE, ""),
    # the whole text is the string
    ("search", "[1,2,3]", {"query": "[1,2,3]"}, ""),
    ("search", "{ ?s ?p ?o }", {"query": "{ ?s ?p ?o }"}, ""),
    ("search", "SELECT * WHERE { ?s ?p ?o }", {"query": "SELECT * WHERE { ?s ?p ?o }"}, ""),
    ("search", '{"a": 1, "b": 2}', {"query": '{"a": 1, "b": 2}'}, ""),
    ("search", '{"data": [1, 2]}', {"query": '{"data": [1, 2]}'}, ""),
    ("search", '"exact words" and more', {"query": '"exact words" and more'}, ""),
    ("search", "'tis so", {"query": "'tis so"}, ""),
    ("search", "007", {"query": "007"}, ""),
    ("search", "true", {"query": "true"}, ""),
    ("search", "null", {"query": "null"}, ""),
    ("search", "query = 5", {"query": "query = 5"}, ""),
    ("calculator", "x == 5", {"expression": "x == 5"}, ""),
    ("calculator", "(1+2)*3", {"expression": "(1+2)*3"}, ""),
    # one field under another name, bare, quoted, listed
    ("search", '{"element": "x"}', {"query": "x"}, "‘element’ as ‘query’"),
    ("search", '{"value": 25}', {"query": "25"}, "Read 25 as \"25\""),
    ("search", '{"q": "x"}', {"query": "x"}, "‘q’ as ‘query’"),
    ("search", '{"search_query": "x"}', {"query": "x"}, "‘search_query’ as ‘query’"),
    ("search", '{"Query": "x"}', {"query": "x"}, "‘Query’"),
    ("search", '"x y"', {"query": "x y"}, "quotes"),
    ("search", "'x y'", {"query": "x y"}, "quotes"),
    ("search", '["x y"]', {"query": "x y"}, "one item"),
    ("search", '{"query": ["x"]}', {"query": "x"}, 'Read ["x"] as "x"'),
    ("search", '{"query": true}', {"query": "true"}, "Read true"),
    ("search", "query: x y", {"query": "x y"}, "named fields"),
    ("search", 'query="x y"', {"query": "x y"}, "named fields"),
    ("search", "{query: x y}", {"query": "x y"}, "named fields"),
    ("double", "21", {"number": 21}, "Read the input as ‘number’"),
    ("double", '{"x": 21}', {"number": 21}, "‘x’ as ‘number’"),
    ("double", "[21]", {"number": 21}, "Read [21] as 21"),
    ("mean", "[1, 2]", {"numbers": [1, 2]}, "as ‘numbers’"),
    ("mean", "1, 2", {"numbers": [1, 2]}, "as ‘numbers’"),
    ("mean", "7", {"numbers": [7]}, "Read 7 as [7.0]"),
    ("table", '{"a": 1, "b": 2}', {"data": {"a": 1, "b": 2}}, "as ‘data’"),
    ("table", '{"a": 1}', {"data": {"a": 1}}, "as ‘data’"),
    ("table", '{"data": {"a": "1"}}', {"data": {"a": 1}}, "for ‘data’"),
    # names
    ("weather", '{"City": "Paris", "DAYS": 3}', PARIS, "‘DAYS’ as ‘days’"),
    ("weather", '{"city_name": "Paris"}', PARIS, "‘city_name’ as ‘city’"),
    ("weather", '{"location": "Paris", "days": 3}', PARIS, "‘location’ as ‘city’"),
    ("weather", '{"city": "Paris", "dais": 3}', PARIS, "‘dais’ as ‘days’"),
    ("weather", '{"city": "Paris", "foo": 1, "bar": 2}', PARIS, "‘foo, bar’"),
    ("convert", '{"amount": 1, "unitFrom": "m", "unit-to": "km"}',
     {"amount": 1, "unit_from": "m", "unit_to": "km"}, "‘unitFrom’ as ‘unit_from’"),
    ("convert", '{"amount": 1, "from": "m", "to": "km"}', {"amount": 1, "unit_from": "m", "unit_to": "km"}, "‘to’"),
    # layout
    ("weather", '```json\n{"city": "Paris"}\n```', PARIS, "code fence"),
    ("weather", '```\n{"city": "Paris"}', PARIS, "code fence"),
    ("search", "```sql\nSELECT 1\n```", {"query": "SELECT 1"}, "code fence"),
    ("weather", "{'city': 'Paris', 'hourly': True, 'day': None}", PARIS | {"hourly": True}, "not quite"),
    ("weather", '{"city": "Paris",}', PARIS, "not quite"),
    ("mean", '{"numbers": [1, 2,],}', {"numbers": [1, 2]}, "not quite"),
    ("weather", '{"city": "Paris", "hourly": True}', PARIS | {"hourly": True}, "not quite"),
    ("weather", '{"city": "Paris"', PARIS, "not quite"),
    ("search", "{'query': 'it\\'s \"so\"'}", {"query": 'it\'s "so"'}, "not quite"),
    ("search", '{"query": """two\nlines"""}', {"query": "two\nlines"}, "not quite"),
    ("search", '{"query": "two\nlines"}', {"query": "two\nlines"}, "not quite"),
    ("search", "{'query': r'\\d'}", {"query": "\\d"}, "not quite"),
    ("search", "{'query': '\\x41\\u0042\\ud800'}", {"query": "AB\ufffd"}, "not quite"),
    ("search", '{"query": "x"} That is my call.', {"query": "x"}, "‘That is my call.’"),
    ("weather", 'Here it is: {"city": "Paris"}', PARIS, "‘Here it is:’"),
    ("weather", 'city="Paris", days=3', PARIS, "named fields"),
    ("weather", "city: Paris\ndays: 3", PARIS, "named fields"),
    ("weather", "{city: 'Paris', days: 3}", PARIS, "named fields"),
    ("convert", '[1, "m", "km"]', {"amount": 1, "unit_from": "m", "unit_to": "km"}, "in their order"),
    ("convert", "(1, 'm', 'km')", {"amount": 1, "unit_from": "m", "unit_to": "km"}, "in their order"),
    ("weather", '"{\\"city\\": \\"Paris\\"}"', PARIS, "JSON inside a string"),
    ("search", '"{\\"query\\": \\"x\\"}"', {"query": "x"}, "JSON inside a string"),
    ("weather", '{"arguments": {"city": "Paris"}}', PARIS, "wrapped"),
    ("weather", '{"arguments": "{\\"city\\": \\"Paris\\"}"}', PARIS, "wrapped"),
    ("search", '{"input": "x"}', {"query": "x"}, "wrapped"),
    ("search", '{"tool_input": {"query": "x"}}', {"query": "x"}, "wrapped"),
    ("search", '{"action": "search", "action_input": "x"}', {"query": "x"}, "wrapped"),
    ("search", '{"name": "search", "arguments": {"query": "x"}}', {"query": "x"}, "wrapped"),
    ("weather", '{"type": "object", "properties": {"city": "Paris"}}', PARIS, "wrapped"),
    ("today", "now", {}, "none is needed"),
    ("today", '{"x": 1}', {}, "no field for"),
    ("roll", "None", DICE, ""),
    ("roll", "n/a", DICE, "none is needed"),
    ("search", "```\nfoo\n```\nand more", {"query": "```\nfoo\n```\nand more"}, ""),
    ("search", "````\nfoo\n````", {"query": "foo"}, "code fence"),
    ("weather", '```json\n{"city": "Paris"}\n```\nI wait.', PARIS, "code fence"),
    ("search", '[{"query": "x"}]', {"query": "x"}, "one item"),
    ("weather", '[{"city": "Paris"}]', PARIS, "one item"),
    ("search", '{"query": "say "hi" now"}', {"query": 'say "hi" now'}, "named fields"),
    ("search", '{"query": "a" OR "b" now}', {"query": '"a" OR "b" now'}, "named fields"),
    # values
    ("double", '{"number": "3"}', {"number": 3}, 'Read "3" as 3'),
    ("double", '{"number": "3.0"}', {"number": 3}, 'Read "3.0" as 3'),
    ("double", '{"number": 3.0}', {"number": 3}, ""),
    ("double", '{"number": "1,200"}', {"number": 1200}, 'Read "1,200" as 1200'),
    ("double", '{"number": "３"}', {"number": 3}, 'Read "３" as 3'),
    ("double", '{"number": "1，200"}', {"number": 1200}, "as 1200"),
    ("weather", "{“city”: “Paris”}", PARIS, "not quite"),
    ("double", '{"number": [3]}', {"number": 3}, "Read [3] as 3"),
    ("double", '{"number": true}', {"number": 1}, "Read true as 1"),
    ("weather", '{"city": "Paris", "hourly": "true"}', PARIS | {"hourly": True}, 'Read "true" as true'),
    ("weather", '{"city": 75001}', PARIS | {"city": "75001"}, 'Read 75001 as "75001"'),
    ("weather", '{"city": "Paris", "unit": "METRIC"}', PARIS, 'Read "METRIC" as "metric"'),
    ("weather", '{"city": "Paris", "days": null}', PARIS, "Read null as 3"),
    ("weather", '{"city": "Paris", "day": null}', PARIS, ""),
    ("weather", '{"city": "Paris", "day": "2026/1/5"}', PARIS | {"day": "2026-01-05"}, "for ‘day’"),
    ("weather", '{"city": "Paris", "day": 20260105}', PARIS | {"day": "2026-01-05"}, "for ‘day’"),
    ("weather", '{"city": "Paris", "day": "2026年1月5日"}', PARIS | {"day": "2026-01-05"}, "for ‘day’"),
    ("alarm", '{"level": "Low"}', LOW, 'Read "Low" as "low"'),
    ("alarm", "LOW", LOW, 'Read "LOW" as "low"'),
    ("alarm", '{"level": "low", "tags": "fire"}', LOW | {"tags": ["fire"]}, 'Read "fire" as ["fire"]'),
    ("alarm", '{"level": "low", "tags": "a, b"}', LOW | {"tags": ["a, b"]}, "for ‘tags’"),
    ("alarm", '{"level": "low", "tags": "[\'a\', \'b\']"}', LOW | {"tags": ["a", "b"]}, "for ‘tags’"),
    ("mean", '{"numbers": ["1", "2"]}', {"numbers": [1, 2]}, "for ‘numbers’"),
    ("mean", '{"numbers": "1, 2, 3"}', {"numbers": [1, 2, 3]}, "for ‘numbers’"),
    ("mean", '{"numbers": "(1, 2)"}', {"numbers": [1, 2]}, "for ‘numbers’"),
    ("post", '{"url": "u", "body": {"a": [1]}}', {"url": "u", "body": '{"a": [1]}'}, "for ‘body’"),
    ("post", '{"url": "u", "text": "b"}', {"url": "u", "body": "b"}, "‘text’ as ‘body’"),
    ("chart", '{"points": {"x": "1"}}', {"points": [{"x": 1, "y": 0}], "filters": None, "color": 1}, "for ‘points’"),
    ("chart", '{"points": [{"x": 1, "z": 2}]}',
     {"points": [{"x": 1, "y": 0}], "filters": None, "color": 1}, "‘points’"),
    ("chart", '{"points": ["{\\"x\\": 1}"], "filters": {"column": "a", "value": "2"}}',
     {"points": [{"x": 1, "y": 0}], "filters": [{"column": "a", "value": 2}], "color": 1}, "‘filters’"),
    ("chart", '{"points": [], "color": "RED"}', {"points": [], "filters": None, "color": "red"}, "for ‘color’"),
    # backslashes
    ("calculator", "5 \\* 3", {"expression": "5 * 3"}, 'as "5 * 3"'),
    ("calculator", '{"expression": "5 \\* 3"}', {"expression": "5 * 3"}, 'as "5 * 3"'),
    ("calculator", '{"expression": "\\frac{1}{2} \\times 3"}',
     {"expression": "\\frac{1}{2} \\times 3"}, "for ‘expression’"),
    ("search", "\\d+\\*", {"query": "\\d+\\*"}, ""),
    ("search", "print('\\*')\nprint(1)", {"query": "print('\\*')\nprint(1)"}, ""),
    # other spellings of the tool
    ("Search", "x", {"query": "x"}, "‘Search’ as ‘search’"),
    ("functions.search", "x", {"query": "x"}, "‘functions.search’ as ‘search’"),
    ("`search`", "x", {"query": "x"}, "as ‘search’"),
]  # fmt: skip


def test_enough_near_misses() -> None:
    assert len(NEAR_MISSES) >= 100
    assert len({case[:2] for case in NEAR_MISSES}) == len(NEAR_MISSES)


@pytest.mark.parametrize(
    ("name", "text", "arguments", "told"), NEAR_MISSES, ids=[f"{c[0]}-{c[1]}" for c in NEAR_MISSES]
)
def test_near_misses_are_read_and_told(name: str, text: str, arguments: dict[str, Any], told: str) -> None:
    ready = BOX.prepare(name, text)
    assert ready.arguments == arguments
    assert (
        [type(value) for value in ready.arguments.values()] == [type(value) for value in arguments.values()]
        or all(isinstance(value, int | float) for value in arguments.values())
        or name in ("convert",)
    )
    if told:
        assert told in " ".join(ready.repairs)
    else:
        assert ready.repairs == ()
    assert all(note.endswith(".") and note[0].isupper() and "\n" not in note for note in ready.repairs)
    assert BOX.prepare(name, json.dumps(ready.arguments)).arguments == ready.arguments


REFUSED = [
    ("search", "", ["‘query’ (text) is missing", '{"query": "weather in Paris"}']),
    ("search", '{"thought": "only"}', ["‘query’ (text) is missing"]),
    ("search", '{"query": null}', ["‘query’ is wrong: null came, text was expected"]),
    ("weather", '{"days": 3}', ["‘city’ (text) is missing", '{"city": "Paris"}']),
    ("weather", '{"foo": 1, "bar": 2}', ["‘city’ (text) is missing"]),
    ("weather", '{"city": "Paris", "days": 20}', ["‘days’", "20 came", "whole number 1–16 was expected"]),
    ("weather", '{"city": "Paris", "days": 2.5}', ["2.5 came", "whole number"]),
    ("weather", '{"city": "Paris", "days": "soon"}', ['"soon" came']),
    ("weather", '{"city": "Paris", "unit": "kelvin"}', ['"kelvin" came, one of "metric", "imperial" was expected']),
    ("weather", '{"city": "Paris", "hourly": "perhaps"}', ["true or false was expected"]),
    ("weather", '{"city": "Paris", "day": 3}', ["‘day’", "3 (a figure)", "date YYYY-MM-DD"]),
    ("weather", '{"city": "Paris", "day": "1768003200"}', ["‘day’"]),
    ("weather", '{"city": "Paris", "day": [1, 2]}', ["‘day’"]),
    ("convert", "5 miles to km", ["could not be read: ‘5 miles to km’", '"unit_from": "…"']),
    ("convert", "Look: {nothing}", ["could not be read"]),
    ("convert", "17", ["could not be read"]),
    ("convert", "[1]", ["could not be read"]),
    ("convert", '"text"', ["could not be read"]),
    ("convert", "null", ["is missing"]),
    ("convert", '{"amount": 1} }', ["‘unit_from’ (text) is missing"]),
    ("convert", '{"amount": 1, "unit_from": "m', ["could not be read"]),
    ("double", "five", ['"five" came, whole number was expected', '{"number": 3}']),
    ("double", '{"number": NaN}', ["‘number’"]),
    ("double", '{"number": 1e999}', ["‘number’"]),
    ("double", '{"number": "{}"}', ['"{}" came']),
    ("double", '{"number": "' + "x" * 200 + '"}', ["x… came"]),
    ("double", '{"number": null}', ["null came"]),
    ("double", '{"number": {}}', ["{} came"]),
    ("double", '{"number": "{a"}', ["‘number’"]),
    ("mean", '{"numbers": {"a": 1}}', ["‘numbers.0’", "list of number", "valid number", '{"numbers": [2.5]}']),
    ("mean", '{"numbers": ["x"]}', ["‘numbers.0’"]),
    ("alarm", '{"level": 3}', ["3 came", '"low", "high"']),
    ("chart", '{"points": [{"y": 1}]}', ["‘points.0.x’", '{"points": [{"x": 2.5}]}']),
    ("chart", '{"points": [["x"]]}', ["‘points.0’"]),
    ("roll", "a lot", ["could not be read"]),
    ("roll", '{"sides": ' + "9" * 5000 + "}", ["‘sides’", "…"]),
    ("roll", '{"sides": "' + "9" * 5000 + '"}', ["‘sides’", "…"]),
    ("table", '{"data": ' + '{"a":' * 100 + "1" + "}" * 101, ["‘data"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "parts"), REFUSED, ids=[f"{c[0]}-{c[1][:40]}" for c in REFUSED])
def test_what_cannot_be_meant_is_refused_with_an_example(name: str, text: str, parts: list[str]) -> None:
    with pytest.raises(BadArguments) as caught:
        BOX.prepare(name, text)
    message = str(caught.value)
    for part in parts:
        assert part in message
    assert f"The input of {name} " in message
    assert "Write, for example: {" in message
    assert len(message) < 500
    assert caught.value.kind == "arguments"


SIZE = 5_000
HOSTILE = [
    *(unit * SIZE for unit in ("x", "{", "[", '"', "'", "`", " ", ",", "\\", '{"a":', "[1,", "city=", "{'")),
    *(unit * SIZE for unit in (",city=", "'''", "1,", "9", '{"city": "x"}', "city: x\n", "``` ", '"\\u', "{ ")),
    "```" + " " * SIZE + "```",
    '["' + '","' * SIZE + '"]',
    '{"numbers":["' + '","' * SIZE + '"]}',
    "{" + ",".join(f'"k{number}":{number}' for number in range(SIZE)) + "}",
    '{"city": "' + "\\\\*" * SIZE + '"}',
    '{"city": "\ud800"}', "\ud800", '{"city": "\\ud800"}', "NaN", "[NaN]", "-Infinity", '{"city": 1e999}',
    '{"city": "a", "city": "b"}', "\x00", "\ufeff{}", '{"": ""}', '{"city": "\\', "{,}", "[,]", ")", "(]",
    '"' * 3, "'" * 5,
    '{"thought": {"a": 1}}', '{"arguments":' * 30 + "1" + "}" * 30, '"\\"\\\\\\"x\\\\\\"\\""',
    "x" * 1_000_000, '{"a":' * 200_000, '{"city": "' + "x" * 1_000_000 + '"}', "{'" * 500_000,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=[f"{number}-{text[:12]!r}" for number, text in enumerate(HOSTILE)])
def test_hostile_texts_give_a_value_or_a_sentence(text: str) -> None:
    for name in BOX.names:
        read_safely(name, text)


def read_safely(name: str, text: str) -> None:
    """Whatever comes of it can be stored and read again."""
    try:
        ready = BOX.prepare(name, text)
    except ForTheModel as problem:
        assert len(str(problem).encode()) < 2000
        return
    event = ToolCalled("1", name, "", ready.arguments, ready.repairs)
    assert load(dump(event)) == event


LOOSE = st.text(alphabet="{}[]()\"'`,:=\\ \n\tabcity3.-daysé*TrueNone", max_size=60)
KEYS = st.text(max_size=8) | st.sampled_from(
    ["query", "city", "days", "numbers", "points", "x", "arguments", "input", "thought", "level"]
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.sampled_from(BOX.names), LOOSE | st.text(max_size=40) | VALUES.map(json.dumps) | VALUES.map(repr))
def test_any_text_gives_a_value_or_a_sentence(name: str, text: str) -> None:
    read_safely(name, text)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30), st.integers(1, 16), st.booleans())
def test_right_json_is_taken_as_it_is(city: str, days: int, hourly: bool) -> None:
    arguments: dict[str, JsonValue] = {"city": city, "days": days, "hourly": hourly}
    ready = BOX.prepare("weather", json.dumps(arguments))
    if "\\" not in city and not {"\f", "\b"} & set(city):
        assert ready.arguments == PARIS | arguments
        assert ready.repairs == ()


def test_tools_are_found_by_their_name_however_it_is_spelled() -> None:
    box = Toolbox([search, replace(search, name="web_search"), replace(search, name="WebSearch")])
    assert box.find("search") is search
    assert box.find(" 'SEARCH' ") is search
    assert box.find("web_search").name == "web_search"
    assert box.find("WebSearch").name == "WebSearch"
    for name in ("websearch", "serch", "", "x" * 1000, "\ud800", "..."):
        with pytest.raises(UnknownTool) as caught:
            box.prepare(name, "x")
        assert str(caught.value).startswith("There is no tool ‘")
        assert str(caught.value).endswith("Tools: search, web_search, WebSearch.")
        assert len(str(caught.value)) < 300


def test_an_unknown_tool_is_told_with_the_nearest() -> None:
    box = Toolbox([calculator, search])
    with pytest.raises(UnknownTool) as caught:
        box.find("Serch")
    assert str(caught.value) == "There is no tool ‘Serch’. Did you mean ‘search’? Tools: calculator, search."
    with pytest.raises(UnknownTool) as caught:
        box.find("browse")
    assert str(caught.value) == "There is no tool ‘browse’. Tools: calculator, search."


def test_a_tool_that_cannot_be_used_says_why() -> None:
    box = Toolbox([calculator], {"news": "Needs NEWS_KEY.", "search": "It is switched off."})
    for name in ("news", "NEWS"):
        with pytest.raises(UnknownTool) as caught:
            box.find(name)
        assert str(caught.value) == f"The tool ‘{name}’ cannot be used now. Needs NEWS_KEY. Tools: calculator."


def test_an_empty_toolbox_works() -> None:
    box = Toolbox([])
    assert (box.names, box.schemas(), box.schemas("why"), box.usage()) == ((), (), (), "")
    with pytest.raises(UnknownTool, match="No tools can be used here"):
        box.prepare("search", "x")


def test_two_tools_of_one_name_are_a_bug() -> None:
    with pytest.raises(ValueError, match="two tools of one name"):
        Toolbox([search, search])


def test_usage_is_short_and_says_what_to_write() -> None:
    told: dict[str, JsonValue] = {
        "properties": {"query": {"type": "string", "description": "Some words, not a question."}},
        "required": ["query"],
    }
    assert Toolbox([calculator, double, today]).usage() == (
        "- calculator: Works out an arithmetic expression. "
        "Input: the expression (text), for example (54 - 32) * 5 / 9\n"
        '- double: Doubles a number. Input: JSON with "number" (whole number), for example {"number": 3}\n'
        "- today: Tells the date. Input: {}"
    )
    assert weather.usage() == (
        '- weather: Tells the weather. Input: JSON with "city" (The city), '
        '"days" (whole number 1–16, default 3: How many days), '
        '"unit" (one of "metric", "imperial", default "metric"), '
        '"day" (date YYYY-MM-DD, optional), "hourly" (true or false, default false), '
        'for example {"city": "Paris"}'
    )
    assert replace(search, parameters=told).usage().endswith(" Input: text: some words, not a question")
    assert reason.usage() == "- reason: Thinks. Input: thought (text)"
    assert "or" in chart.usage() and '"red"' in chart.usage()
    assert "list of text, optional)" in alarm.usage() and "default" not in alarm.usage()


def test_usage_in_japanese() -> None:
    @tool
    def area(radius: Annotated[float, Field(ge=0)], name: Annotated[str, Field(examples=["円"])]) -> str:
        """円の面積を求めます。

        Args:
            radius: 半径
        """
        return ""

    assert area.usage("ja") == (
        '- area: 円の面積を求めます。入力: JSON、項目は "radius"（数値 0 以上：半径）、"name"（テキスト）。'
        '例: {"radius": 0, "name": "円"}'
    )
    assert calculator.usage("ja").endswith("入力: the expression（テキスト）。例: (54 - 32) * 5 / 9")


def test_bounds_of_one_side_and_kinds_of_types() -> None:
    @tool
    def f(
        *,
        top: Annotated[int, Field(le=5)],
        flag: bool,
        one: Literal["only"],
        many: list[int] | str,
        when: datetime,
        anything: Any,
        bag: list[Any],
        level: Level = Level.HIGH,
    ) -> str:
        """Does."""
        return f"{level} {when!r}"

    line = f.usage()
    assert '"top" (whole number at most 5)' in line
    assert '"one" ("only")' in line
    assert '"many" (list of whole number or text)' in line
    assert '"when" (date and time)' in line
    assert '"level" (one of "low", "high", default "high")' in line
    ready = Toolbox([f]).prepare("f", line.rpartition("for example ")[2])
    assert ready.repairs == ()
    assert ready.arguments["level"] == "high"
    assert f.call(ready.arguments).text.startswith("Level.HIGH datetime.datetime(2026, 1, 31, 9, 30")


@pytest.mark.parametrize("one", BOX.tools, ids=BOX.names)
def test_the_example_of_every_tool_can_be_called(one: Tool) -> None:
    with pytest.raises(BadArguments) as caught:
        one.call({"no such field": 1})
    ready = one.prepare(str(caught.value).rpartition("for example: ")[2])
    assert ready.repairs == ()
    assert one.call(ready.arguments).text


def test_a_schema_is_plain_json_schema() -> None:
    assert weather.schema.name == "weather"
    assert weather.schema.description == "Tells the weather."
    assert weather.schema.parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "The city, for example Paris."},
            "days": {"type": "integer", "minimum": 1, "maximum": 16, "default": 3, "description": "How many days."},
            "unit": {"enum": ["metric", "imperial"], "type": "string", "default": "metric"},
            "day": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
            "hourly": {"type": "boolean", "default": False},
        },
        "required": ["city"],
        "additionalProperties": False,
    }
    assert today.schema.parameters == {"type": "object", "properties": {}, "additionalProperties": False}


def test_a_schema_refers_to_nothing_outside_itself() -> None:
    told = json.dumps([schema.parameters for schema in BOX.schemas()])
    assert "$ref" not in told and "$defs" not in told
    assert chart.parameters["properties"]["points"]["items"]["properties"]["x"] == {"type": "number"}  # type: ignore


def test_fields_may_have_any_name() -> None:
    @tool
    def f(title: str, schema: str, copy: int = 1, _x: str = "", properties: dict[str, int] = {}) -> str:  # noqa: B006
        """Does."""
        return f"{title}{schema}{copy}{_x}{properties}"

    assert list(f.parameters["properties"]) == ["title", "schema", "copy", "_x", "properties"]  # type: ignore[arg-type]
    ready = f.prepare('{"title": "a", "schema": "b", "copy": 2, "_x": "c", "properties": {"title": 1}}')
    assert ready.repairs == ()
    assert f.call(ready.arguments).text == "ab2c{'title': 1}"


def test_schemas_with_a_thought_field_first() -> None:
    told = Toolbox([search, reason, today]).schemas("Why, in one sentence.")
    fields = [list(schema.parameters["properties"].items()) for schema in told]  # type: ignore[union-attr]
    assert fields[0][0] == ("thought", {"type": "string", "description": "Why, in one sentence."})
    assert fields[0][1][0] == "query"
    assert told[0].parameters["required"] == ["query"]
    assert told[1].parameters["properties"] == reason.schema.parameters["properties"]
    assert [name for name, _ in fields[2]] == ["thought"]
    assert "thought" not in Toolbox([search]).schemas()[0].parameters["properties"]  # type: ignore[operator]


def test_schemas_leave_out_what_says_nothing() -> None:
    told = Toolbox([weather]).schemas()[0].parameters
    assert told["properties"] == {
        "city": {"type": "string", "description": "The city, for example Paris."},
        "days": {"type": "integer", "minimum": 1, "maximum": 16, "default": 3, "description": "How many days."},
        "unit": {"enum": ["metric", "imperial"], "type": "string", "default": "metric"},
        "day": {"type": "string", "format": "date"},
        "hourly": {"type": "boolean", "default": False},
    }
    assert (told["required"], "additionalProperties" in told) == (["city"], False)


def test_a_brief_list_has_a_line_a_tool() -> None:
    @tool
    def look(text: str, most: int | None = None) -> str:
        """Looks something up. It takes e.g. names.

        Args:
            text: what to look for
            most: how many at most
        """
        return f"{text}{most}"

    box = Toolbox([look, today, look.told_as("調べる", "調べる。言葉で。")])
    assert box.usage(brief=True).split("\n") == [
        "- look: Looks something up",
        "- today: Tells the date",
        "- 調べる: 調べる",
    ]
    told = box.schemas("Why?", brief=True)[0]
    assert told.description == "Looks something up."
    assert told.parameters["properties"] == {"text": {"type": "string"}, "most": {"type": "integer"}}
    assert told.parameters["required"] == ["text"]


def test_calls_give_results() -> None:
    assert search.call({"query": "x"}) == ToolResult("searched x")
    assert calculator.call({"expression": "1"}) == ToolResult("1", cached=True)
    assert weather.call({"city": "Rome", "day": "2026-01-31"}).text == (
        "Rome 3 metric datetime.date(2026, 1, 31) False"
    )
    assert alarm.call({"level": "high"}).text == "<Level.HIGH: 'high'> [] None"
    assert chart.call({"points": [{"x": 1}], "filters": [{"column": "a"}]}).text == (
        "[Point(x=1.0, y=0.0)] [Filter(column='a', value=0)]"
    )
    with pytest.raises(BadArguments, match="‘query’"):
        search.call({})
    with pytest.raises(BadArguments, match="There is no field ‘x’"):
        search.call({"query": "a", "x": 1})


def test_a_default_list_is_never_shared() -> None:
    @tool
    def f(items: list[str] = []) -> str:  # noqa: B006 - what is tested
        """Does."""
        items.append("x")
        return str(items)

    assert f.call({}).text == f.call({}).text == "['x']"


def test_tools_carry_their_settings() -> None:
    assert (calculator.icon, calculator.timeout) == ("calculate", 5)
    assert (search.icon, search.timeout) == ("build", 20.0)
    assert calculator.description == "Works out an arithmetic expression."

    def made(factor: int) -> Tool:
        @tool(name="times", description="Multiplies by the factor set up.")
        def multiply(number: int) -> str:
            return str(number * factor)

        return multiply

    assert made(3).call({"number": 2}).text == "6"
    assert (made(3).name, made(3).description) == ("times", "Multiplies by the factor set up.")
    assert replace(search, description="Other.").schema.description == "Other."
    with pytest.raises(AttributeError):
        search.name = "x"  # type: ignore[misc]


def test_artifacts_are_known_by_their_content() -> None:
    made = artifact("json", "raw", b"{}")
    assert (made.kind, made.name, made.size, made.content) == ("json", "raw", 2, b"{}")
    assert made.hash == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_mending_ends() -> None:
    @tool
    def f(many: list[int] | int) -> str:
        """Does."""
        return ""

    with pytest.raises(BadArguments, match="‘many’ is wrong"):
        f.prepare('{"many": ["x"]}')
    assert f.prepare('{"many": "4"}').arguments == {"many": 4}


class Tree(BaseModel):
    inside: list[Tree]


class Opaque: ...


async def waiting(text: str) -> str:
    """Waits."""
    return text


def no_docstring(text: str) -> str:
    return text


def only_arguments(text: str) -> str:
    """Args:
    text: Something.
    """
    return text


def untyped(text) -> str:  # type: ignore[no-untyped-def]
    """Does."""
    return text


def many(*texts: str) -> str:
    """Does."""
    return ""


def keywords(**texts: str) -> str:
    """Does."""
    return ""


def positional(text: str, /) -> str:
    """Does."""
    return text


def unresolved(text: Nothing) -> str:  # type: ignore[name-defined]  # noqa: F821
    """Does."""
    return ""


def opaque(thing: Opaque) -> str:
    """Does."""
    return ""


def calls(thing: Callable[[int], int]) -> str:
    """Does."""
    return ""


def endless(tree: Tree) -> str:
    """Does."""
    return ""


def wrong_default(number: int = None) -> str:  # type: ignore[assignment]  # noqa: RUF013
    """Does."""
    return ""


def described_wrongly(text: str) -> str:
    """Does.

    Args:
        txt: Something.
    """
    return text


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (no_docstring, "needs a docstring"),
        (waiting, "is an async function"),
        (only_arguments, "needs a docstring"),
        (untyped, "the parameter text without a type"),
        (many, r"\*texts: .* name of its own"),
        (keywords, r"\*\*texts"),
        (positional, "name of its own"),
        (unresolved, "cannot be resolved"),
        (opaque, "that no model can fill in"),
        (calls, "that no model can fill in"),
        (endless, "contains itself"),
        (wrong_default, "not of its type: number"),
        (described_wrongly, "unknown parameters: txt"),
    ],
)
def test_functions_that_no_model_could_be_told_of(function: Callable[..., str], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        tool(function)


def test_docstrings_in_google_style() -> None:
    @tool
    def f(a: str, b: int = 1, c: str = "") -> str:
        """Does
        it.

        Note:
            Not this.

        Args:
            a (str): The first,
                told on two lines: with a colon.
            b: The second.

        Returns:
            c: not a parameter.
        """
        return ""

    fields: Any = f.parameters["properties"]
    assert f.description == "Does it."
    assert fields["a"]["description"] == "The first, told on two lines: with a colon."
    assert fields["b"]["description"] == "The second."
    assert "description" not in fields["c"]


def dice(given: dict[str, JsonValue]) -> dict[str, JsonValue] | None:
    """Reads "2d6" as two dice of six sides."""
    if given.get("sides") == "none":
        raise BadArguments("There is no such die. Ask for 6 sides.")
    count, d, sides = str(given.get("sides", given.get("input", ""))).partition("d")
    return {"count": count, "sides": sides} if d else None


@tool(mend=dice)
def throw(sides: Annotated[int, Field(ge=2)], count: int = 1) -> str:
    """Rolls dice."""
    return str(sides * count)


@pytest.mark.parametrize("text", ["2d6", '{"sides": "2d6"}'])
def test_a_tool_may_mend_what_does_not_fit(text: str) -> None:
    ready = Toolbox([throw]).prepare("throw", text)
    assert ready.arguments == {"sides": 6, "count": 2}
    assert any(note.startswith("The tool itself mended") for note in ready.repairs)


def test_what_fits_or_is_repaired_is_not_given_to_the_tool_to_mend() -> None:
    def never(given: dict[str, JsonValue]) -> None:
        raise AssertionError(given)

    asked = replace(throw, mends=never)
    assert asked.prepare('{"sides": 6}').repairs == ()
    assert asked.prepare('{"sides": "6", "count": 1}').arguments == {"sides": 6, "count": 1}


def test_what_a_tool_cannot_mend_is_refused_as_it_was() -> None:
    plain = replace(throw, mends=None)
    for text in ("{}", '{"sides": "many"}', '{"sides": 1}', "["):
        with pytest.raises(BadArguments) as refused:
            plain.prepare(text)
        with pytest.raises(BadArguments) as still:
            throw.prepare(text)
        assert str(still.value) == str(refused.value)
    with pytest.raises(BadArguments, match=r"sides. is wrong"):
        throw.prepare('{"sides": "2d1"}')  # mended, and still not valid
    with pytest.raises(BadArguments, match="There is no such die"):
        throw.prepare('{"sides": "none"}')


@given(st.text(max_size=60))
def test_mending_raises_nothing_but_bad_arguments(text: str) -> None:
    try:
        ready = throw.prepare(text)
    except BadArguments:
        return
    assert throw.call(ready.arguments)


@tool
def pair(a: tuple[int, str]) -> str:
    """Takes two."""
    return str(a)


@pytest.mark.parametrize("given", ["5", '{"a": [1]}', '{"a": []}'])
def test_too_few_items_are_refused(given: str) -> None:
    with pytest.raises(BadArguments, match="Write, for example"):
        pair.prepare(given)
    assert pair.prepare('{"a": [1, "x"]}').arguments == {"a": [1, "x"]}
