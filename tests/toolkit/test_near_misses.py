"""Near misses over all tools of the catalogue: mended, and told; or refused in words that say what to write."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from agent.errors import BadArguments
from agent.settings import read_settings
from agent.toolkit.arguments.argument_dates import read_date
from agent.toolkit.base import Toolbox
from agent.tools.catalogue import NAMES, toolbox
from agent.tools.own_data.chart import chart_tool
from agent.tools.own_data.python import python_tool
from agent.tools.own_data.query import query_tool
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from tests.support.cases import each
from tests.support.near_misses import NEAR_MISSES, Refused, on_this_day

TODAY = date(2026, 11, 21)  # a Saturday


@pytest.fixture(scope="module")
def box() -> Toolbox:
    keys = {"keys": {"newsapi": "a", "tmdb": "b", "wolfram": "c"}}
    outside = ("search", "calculator", "convert", "weather", "wikipedia", "news", "movies", "wolfram")
    made = toolbox(Parts(read_settings({}, keys), SearchCache()), outside)
    tables = [query_tool(_unused), chart_tool(_unused), python_tool(_unused)]  # type: ignore[arg-type]
    return Toolbox([*made.tools, *tables])


def _unused(_request: Any) -> Any:
    raise AssertionError("nothing is run here")


@pytest.mark.parametrize(("tool", "text", "wanted"), NEAR_MISSES, ids=lambda value: str(value)[:60])
def test_near_misses(box: Toolbox, tool: str, text: str, wanted: dict[str, Any] | Refused) -> None:
    if isinstance(wanted, Refused):
        with pytest.raises(BadArguments) as caught:
            box.prepare(tool, text)
        said = str(caught.value)
        assert said.startswith(f"The input of {tool} ") and " Write, for example: {" in said
        assert not [word for word in wanted.words if word not in said], said
        return
    before = on_this_day(wanted)
    ready = box.prepare(tool, text)
    assert {name: ready.arguments[name] for name in wanted} in (before, on_this_day(wanted)), "midnight may be between"
    again = box.prepare(tool, json.dumps(ready.arguments))
    assert (again.arguments, again.repairs) == (ready.arguments, ())


def test_the_table_is_long_and_of_all_tools() -> None:
    assert len(NEAR_MISSES) >= 100
    tested = {tool for tool, _, _ in NEAR_MISSES}
    assert {"search", "calculator", "weather", "wikipedia", "news", "movies", "wolfram"} <= tested <= set(NAMES)
    assert {"query", "chart", "python"} <= tested
    assert len({(tool, text) for tool, text, _ in NEAR_MISSES}) == len(NEAR_MISSES)


@each(
    ("text", "found"),
    [
        ("today", "2026-11-21"), ("NOW", "2026-11-21"), ("tonight", "2026-11-21"), ("tomorrow", "2026-11-22"),
        ("Saturday", "2026-11-21"), ("sun", "2026-11-22"), ("on Monday", "2026-11-23"), ("next saturday", "2026-11-28"),
        ("last Saturday", "2026-11-14"), ("this Friday", "2026-11-27"), ("last Sunday", "2026-11-15"),
        ("土曜日", "2026-11-21"), ("月曜", "2026-11-23"), ("3日後", "2026-11-24"), ("2日前", "2026-11-19"),
        ("in a week", "2026-11-28"), ("two weeks ago", "2026-11-07"), ("10 days from now", "2026-12-01"),
        ("21st of November", "2026-11-21"), ("2 January", "2027-01-02"), ("Dec 30", "2026-12-30"),
        ("30 May", "2026-05-30"), ("11月30日", "2026-11-30"), ("１１月３０日", "2026-11-30"), 
        ("1 Jan 1970", "1970-01-01"), ("5-5-2026", "2026-05-05"),
        ("25/12/2026", "2026-12-25"), ("12/25/2026", "2026-12-25"), ("05/05/2026", "2026-05-05"),
        ("Sept. 3, 2026", "2026-09-03"), ("2026.1.2", "2026-01-02"), ("2026-1-2 09:30", "2026-01-02"),
    ],
)  # fmt: skip
def test_dates_in_words(text: str, found: str) -> None:
    assert read_date(text, TODAY) == date.fromisoformat(found)


@each(
    "text",
    ["", "soon", "2026", "5", "03/04/2026", "31 April 2026", "2026-13-01", "29 Feb 2025", "next week", "November",
     "monday or so", "Nov 21 2026 and Nov 22 2026", "0/0/2026", "in 3 years", "tomorrow" * 20, "21 Nov 0000",
     "in 999 weeks ago", "9" * 50],
)  # fmt: skip
def test_what_is_not_one_day_is_none(text: str) -> None:
    assert read_date(text, TODAY) is None


def test_days_at_the_ends_of_time() -> None:
    assert read_date("tomorrow", date.max) is None
    assert read_date("in 3 days", date.max) is None
    assert read_date("yesterday", date.min) is None
    assert read_date("30 December", date.max) == date(9999, 12, 30)
    assert read_date("2 January", date.min) == date(1, 1, 2)
