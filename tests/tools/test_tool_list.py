"""What the page of tools shows: states, forms of schemas, tries, last uses; each worked out without a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from enum import Enum
from threading import Event as Flag
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field as Bound

from agent.application.tool_trial import ToolTrial
from agent.events import Answered, Asked, Observed, Prepared, Replied, ToolCalled
from agent.messages import Usage
from agent.settings import read_settings
from agent.store.runs import Store
from agent.store.tool_uses import Use, last_uses
from agent.toolkit.base import Hints, ToolResult, artifact, tool
from agent.toolkit.forms import Field, fields, text_of
from agent.toolkit.wording import Words
from agent.tools.calculator.calculate import calculator
from agent.tools.catalogue import matching, rows
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from tests.support.stories import broken, buggy, double, slow

ANNA, BERT = "a" * 32, "b" * 32
SECONDS = 20.0


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@tool
def everything(
    word: str,
    sql: str,
    essay: Annotated[str, Bound(max_length=5_000)],
    count: Annotated[int, Bound(ge=1, le=9)],
    colour: Colour,
    day: date,
    tags: list[str],
    weights: list[float] | None = None,
    ratio: float = 0.5,
    loud: bool = False,
    unit: Literal["km", "mi"] = "km",
    until: date | None = None,
    options: dict[str, int] | None = None,
    either: int | str = 3,
) -> str:
    """Takes all there is.

    Args:
        word: A word, for example fog.
    """
    return "|".join(
        map(str, (word, sql, essay, count, colour, day, tags, weights, ratio, loud, unit, until, options, either))
    )


FORM = fields(everything.parameters)


def test_a_schema_becomes_a_form() -> None:
    assert {field.name: field.kind for field in FORM} == {
        "word": "text",
        "sql": "long",
        "essay": "long",
        "count": "integer",
        "colour": "choice",
        "day": "date",
        "tags": "list",
        "weights": "list",
        "ratio": "number",
        "loud": "boolean",
        "unit": "choice",
        "until": "date",
        "options": "json",
        "either": "json",
    }
    by_name = {field.name: field for field in FORM}
    assert by_name["word"] == Field("word", "text", "text", True, None, "A word, for example fog.")
    assert (by_name["count"].low, by_name["count"].high, by_name["count"].expected) == (1, 9, "whole number 1–9")
    assert (by_name["colour"].choices, by_name["unit"].choices) == (("red", "blue"), ("km", "mi"))
    assert [field.name for field in FORM if field.required] == [
        "word",
        "sql",
        "essay",
        "count",
        "colour",
        "day",
        "tags",
    ]
    assert (by_name["ratio"].default, by_name["unit"].default, by_name["weights"].default) == (0.5, "km", None)
    assert fields({"type": "object", "properties": {}}) == ()
    huge = {"type": "object", "properties": {"x": {"type": "integer", "minimum": -(10**20)}}}
    assert fields(huge)[0].low is None


def test_what_was_filled_in_is_the_input_of_a_call() -> None:
    values = {
        "word": "fog",
        "sql": "SELECT 1",
        "essay": "",
        "count": 3,
        "colour": "blue",
        "day": date(2026, 11, 21),
        "tags": "one\n\n two ",
        "weights": "1\n2.5",
        "ratio": None,
        "loud": True,
        "unit": None,
        "until": None,
        "options": '{"a": 1}',
        "either": "x",
    }
    ready = everything.prepare(text_of(FORM, values))
    assert ready.repairs == ()
    assert ready.tool.call(ready.arguments).text == (
        "fog|SELECT 1||3|Colour.BLUE|2026-11-21|['one', 'two']|[1.0, 2.5]|0.5|True|km|None|{'a': 1}|x"
    )
    assert json.loads(text_of(FORM, {})) == {}
    assert json.loads(text_of(FORM, {"options": "{", "tags": " ", "word": ""})) == {"options": "{", "word": ""}


def test_where_nothing_was_filled_in_the_tool_says_what_is_missing() -> None:
    trial = ToolTrial(everything, text_of(FORM, {"word": "fog"}))
    assert trial.done(SECONDS) and trial.call
    assert (trial.call.error, "‘sql’ (text) is missing" in (trial.call.observation or "")) == ("arguments", True)


# Tries.


def test_a_try_is_what_a_run_would_make_of_it() -> None:
    trial = ToolTrial(calculator, '```json\n{"expr": "2 \\* 3"}\n```')
    assert trial.done(SECONDS) and trial.call
    assert (trial.call.observation, trial.call.error, trial.call.tool) == ("6", "", "calculator")
    assert trial.call.repairs


def test_a_try_is_the_person_s_own_and_asks_nothing() -> None:
    trial = ToolTrial(replace(double, hints=Hints("mine", destructive=True), effect="acts"), "3")
    assert trial.done(SECONDS) and trial.call
    assert trial.call.observation == "6"


@pytest.mark.parametrize(
    ("tried", "text", "kind", "said"),
    [
        (broken, "x", "refused", "The service is closed. Try tomorrow."),
        (slow, "5", "timeout", "The tool took longer than 0.15 seconds."),
        (double, "many", "arguments", "whole number was expected"),
        (calculator, "1/0", "input", "zero"),
    ],
)
def test_a_try_that_fails_says_so_in_a_sentence(tried: Any, text: str, kind: str, said: str) -> None:
    trial = ToolTrial(tried, text)
    assert trial.done(SECONDS) and trial.call
    assert trial.call.error == kind
    assert said in (trial.call.observation or "")


def test_a_bug_is_not_shown_but_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    trial = ToolTrial(buggy, "x")
    assert trial.done(SECONDS) and trial.call is None
    reference = trial.failure.split()[-1].rstrip(".")
    assert "Something went wrong in the tool itself" in trial.failure
    assert reference in caplog.text and "a bug of ours" in caplog.text
    assert trial.done() and reference in trial.failure


def test_a_try_can_be_given_up_and_keeps_what_it_made() -> None:
    held, begun = Flag(), Flag()

    @tool
    def waits(text: str) -> str:
        """Waits to be let go."""
        begun.set()
        held.wait(SECONDS)
        return "late"

    trial = ToolTrial(waits, "x")
    assert begun.wait(SECONDS) and not trial.done()
    trial.give_up()
    assert trial.done(SECONDS) and trial.call and trial.call.error == "stopped"
    held.set()

    @tool
    def makes(text: str) -> ToolResult:
        """Makes a table."""
        return ToolResult("a table", (artifact("text", "notes", b"whole"),))

    made = ToolTrial(makes, "x")
    assert made.done(SECONDS) and made.call
    assert made.contents == {made.call.artifacts[0].hash: b"whole"}
    assert made.seconds > 0


# The list.


def parts(**environment: str) -> Parts:
    return Parts(read_settings(environment), SearchCache())


def test_each_tool_has_its_state() -> None:
    states = {row.spec.name: (row.state, row.tool is not None) for row in rows(parts(), None)}
    assert states["search"] == states["calculator"] == ("ready", True)
    assert states["query"] == states["python"] == ("needs", False)
    assert {row.spec.name: row.state for row in rows(parts(), ("search",))}["calculator"] == "off"
    off = {row.spec.name: row for row in rows(parts(GLASSBOX_TOOLS="calculator"), None)}
    assert (off["search"].state, off["search"].why) == ("owner", "Off: the owner of this site does not offer it.")
    assert off["query"].state == "owner" and off["calculator"].state == "ready"


def test_tools_are_found_by_any_of_their_words() -> None:
    told = replace(parts(), words={"search": Words("lookup", "ウェブを検索します。")})
    listed = rows(told, None)
    lookup = next(row for row in listed if row.name == "lookup")
    assert "calculator" in [row.name for row in listed]
    for sought in ("LOOKUP", "search", "検索", "ｗｅｂ", "web things", " "):
        assert lookup in matching(listed, sought), sought
    assert matching(listed, "web nothing") == ()
    assert len(matching(listed, "")) == len(listed)


# Last uses.


def used(store: Store, visitor: str, *calls: tuple[ToolCalled, Observed]) -> str:
    conversation = store.add_conversation(visitor, "q")
    run = store.add_run(conversation)
    events: list[Any] = [Asked("q", 1.0), Prepared("q", "s", (), "react", "m", "demo")]
    for called, seen in calls:
        events += [Replied("", "", Usage(), 0.1, 0.1), called, seen]
    store.append(run, [*events, Answered("a")])
    return run


def test_last_uses_are_the_visitors_own_latest_first(store: Store) -> None:
    first = used(store, ANNA, (ToolCalled("1", "search", "fog", {}), Observed("1", "x", 0.5)))
    used(store, BERT, (ToolCalled("1", "search", "secret", {}), Observed("1", "x", 0.1)))
    second = used(
        store,
        ANNA,
        (ToolCalled("1", "search", "fog", {}), Observed("1", "x", 0.5)),  # taken over by a branch
        (ToolCalled("2", "lookup", "rain", {}, own="search"), Observed("2", "x", 0.25, "quota")),
        (ToolCalled("3", "calculator", "1+1", {}), Observed("3", "2", 0.1)),
    )
    found = last_uses(store.database, ANNA, "search")
    assert [(use.run, use.input, use.seconds, use.error) for use in found] == [
        (second, "rain", 0.25, "quota"),
        (first, "fog", 0.5, ""),
    ]
    assert all(isinstance(use, Use) and use.asked > 0 for use in found)
    assert [use.input for use in last_uses(store.database, ANNA, "search", most=1)] == ["rain"]
    assert last_uses(store.database, ANNA, "python") == last_uses(store.database, "", "search") == []


def test_deleted_chats_are_no_uses(open_store: Callable[..., Store]) -> None:
    from agent.store.chats import Chats

    store = open_store()
    run = used(store, ANNA, (ToolCalled("1", "search", "fog", {}), Observed("1", "x", 0.5)))
    row = store.run(run)
    assert row and Chats(store).delete(ANNA, row.conversation)
    assert last_uses(store.database, ANNA, "search") == []
