"""Calls that are only quoted never run and shorten no answer; calls as small models write them run.

``quoted_calls.jsonl`` holds whole replies with the answer that the person must get, ``real_calls.jsonl`` whole
replies with the call, or the answer, that they are; ``written_calls.jsonl`` those of both wires that have no label. The
``unseen`` half of each judges a reader that was written with the ``open`` half in view.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest

from agent.events import Answered, Event, TextDelta, ToolCalled
from agent.loop.agent import Agent
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, answer
from agent.settings import WireChoice
from agent.toolkit.base import Toolbox, tool
from agent.wire.outcomes import Action, Answer, Calls, Malformed
from agent.wire.react.reader import read
from tests.support.cases import each

SUPPORT = Path(__file__).parents[1] / "support"
RAN: list[tuple[str, str]] = []
NEVER = "Final Answer: This reply must not be asked for."
# Characters of a piece. One by one is what most often goes wrong; the other sizes take six times as long.
SIZES = pytest.mark.parametrize("sizes", [(1,), pytest.param(range(2, 8), marks=pytest.mark.slow)], ids=["1", "2 to 7"])


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (SUPPORT / name).read_text(encoding="utf-8").splitlines()]


QUOTED, REAL = rows("quoted_calls.jsonl"), rows("real_calls.jsonl")
WRITTEN: list[dict[str, Any]] = [*rows("written_calls.jsonl")]


@tool
def search(query: str) -> str:
    """Finds things on the web.

    Args:
        query: What to search for.
    """
    return ran("search", query)


@tool
def calculator(expression: str) -> str:
    """Works out arithmetic.

    Args:
        expression: What to work out.
    """
    return ran("calculator", expression)


@tool
def read_url(url: str) -> str:
    """Reads a page.

    Args:
        url: Where the page is.
    """
    return ran("read_url", url)


@tool
def python(code: str) -> str:
    """Runs a script.

    Args:
        code: The script.
    """
    return ran("python", code)


@tool
def weather(place: str) -> str:
    """Forecasts the weather.

    Args:
        place: Where.
    """
    return ran("weather", place)


@tool
def query_table(query: str) -> str:
    """Asks a table.

    Args:
        query: The question, in SQL.
    """
    return ran("query_table", query)


TOOLS = Toolbox([search, calculator, read_url, python, weather, query_table])


def ran(name: str, given: str) -> str:
    RAN.append((name, given))
    return "It ran."


def asked(model: Scripted, wire: WireChoice) -> list[Event]:
    """The stored events of one question, after which ``RAN`` holds the calls that were made for it."""
    RAN.clear()
    events = answer(Question("How do agents call tools?"), Agent(model, TOOLS, wire), Flag())
    return [event for event in events if not isinstance(event, TextDelta)]


def scripted(replies: Sequence[str], wire: WireChoice, chunk: int = 0) -> Scripted:
    return Scripted(replies, takes_tools=wire == "native", chunk=chunk)


def wires_of(row: dict[str, str]) -> list[WireChoice]:
    wires: dict[str, list[WireChoice]] = {"text": ["react"], "native": ["native"], "both": ["react", "native"]}
    return wires[row["wire"]]


ON_WIRES = [pytest.param(row, wire, id=f"{row['id']}-{wire}") for row in QUOTED for wire in wires_of(row)]
EACH_REAL = [pytest.param(row, id=row["id"]) for row in REAL]


def assert_only_answered(row: dict[str, str], wire: WireChoice, chunk: int = 0) -> None:
    model = scripted([row["text"], NEVER], wire, chunk)
    last = asked(model, wire)[-1]
    assert RAN == []
    assert isinstance(last, Answered)
    assert last.text.strip() == row["answer"]
    assert len(model.requests) == 1


@each(("row", "wire"), ON_WIRES)
def test_a_quoted_call_is_part_of_the_answer(row: dict[str, str], wire: WireChoice) -> None:
    assert_only_answered(row, wire)


@pytest.mark.slow
@SIZES
@each(("row", "wire"), ON_WIRES)
def test_a_quoted_call_in_pieces_is_part_of_the_answer(
    row: dict[str, str], wire: WireChoice, sizes: Sequence[int]
) -> None:
    for size in sizes:
        assert_only_answered(row, wire, size)


def value(text: str) -> Any:
    """An input as a value: what the JSON says that it begins with, or the text itself."""
    try:
        return json.JSONDecoder().raw_decode(text)[0] if text.startswith("{") else json.loads(text)
    except ValueError:
        return text


@each("row", EACH_REAL)
def test_a_real_call_is_read(row: dict[str, str]) -> None:
    reading = read(row["text"], TOOLS.names)
    if "answer" in row:
        assert isinstance(reading, Answer)
        assert (reading.text.strip(), reading.next_questions) == (row["answer"], ())
    else:
        assert isinstance(reading, Action | Calls)
        first = reading.actions[0]
        assert (first.tool, value(first.input)) == (row["tool"], value(row["input"]))


def assert_it_runs(row: dict[str, str], chunk: int = 0) -> None:
    model = scripted([row["text"], "Final Answer: done"], "react", chunk)
    events = asked(model, "react")
    last = events[-1]
    assert isinstance(last, Answered)
    if "answer" in row:
        assert (last.text.strip(), last.next_questions, RAN) == (row["answer"], (), [])
    else:
        given = value(row["input"])
        first = (row["tool"], next(iter(given.values())) if isinstance(given, dict) else row["input"])
        # Two calls of one reply run side by side, so that the second may be counted before the first.
        assert first in RAN
        assert next(value(event.input) for event in events if isinstance(event, ToolCalled)) == given
        assert last.text == "done"


@each("row", EACH_REAL)
def test_a_real_call_runs(row: dict[str, str]) -> None:
    assert_it_runs(row)


@SIZES
@each("row", EACH_REAL)
def test_a_real_call_in_pieces_runs(row: dict[str, str], sizes: Sequence[int]) -> None:
    for size in sizes:
        assert_it_runs(row, size)


def assert_they_run(row: dict[str, Any], wire: WireChoice, chunk: int = 0) -> None:
    """The calls run, at once or one after the other, and no mark of them is shown."""
    RAN.clear()
    model = scripted([row["text"], "Final Answer: done"], wire, chunk)
    events = [*answer(Question("How do agents call tools?"), Agent(model, TOOLS, wire), Flag())]
    told = "".join(event.text for event in events if isinstance(event, TextDelta) and event.channel == "answer")
    assert sorted(RAN) == sorted((name, given) for name, given in row["calls"])
    assert told.removeprefix("Final Answer: ").endswith("done")
    assert not any(mark in told for mark in "<>{`")


EACH_WRITTEN = [pytest.param(row, id=row["id"]) for row in WRITTEN]
WIRES: list[WireChoice] = ["native", "react"]


@each("wire", WIRES)
@each("row", EACH_WRITTEN)
def test_a_call_in_a_form_of_its_own_runs(row: dict[str, Any], wire: WireChoice) -> None:
    assert_they_run(row, wire)


@pytest.mark.slow
@SIZES
@each("wire", WIRES)
@each("row", EACH_WRITTEN)
def test_a_call_in_a_form_of_its_own_runs_in_pieces(
    row: dict[str, Any], wire: WireChoice, sizes: Sequence[int]
) -> None:
    for size in sizes:
        assert_they_run(row, wire, size)


def test_the_cases_are_many_and_of_all_kinds() -> None:
    assert len(QUOTED) >= 395
    assert len(REAL) >= 178
    assert len(WRITTEN) >= 36
    assert len([row for row in REAL if row["id"].startswith("words-behind")]) >= 17
    assert len({row["id"] for row in [*QUOTED, *REAL, *WRITTEN]}) == len(QUOTED) + len(REAL) + len(WRITTEN)
    assert len({row["language"] for row in QUOTED}) >= 6
    kinds = Counter((row["kind"], row["set"]) for row in QUOTED if row["set"] != "fresh")
    assert len(kinds) == 18
    assert min(kinds.values()) >= 12
    assert {row["set"] for row in REAL} == {row["set"] for row in QUOTED} == {"open", "unseen", "fresh"}


@each("row", [pytest.param(row, id=row["id"]) for row in QUOTED])
def test_an_answer_is_the_whole_of_its_reply(row: dict[str, str]) -> None:
    before, _, behind = row["text"].partition(row["answer"])
    if row["wire"] == "text":
        assert not before.strip() or before.rstrip().endswith("Final Answer:")
        assert not behind.strip() or behind.strip().startswith("Next Actions:\n- ")
    else:
        assert not before.strip() or before.startswith("<think>")
        assert not behind.strip()


@pytest.mark.parametrize("mark", ["<think></think>", "<|im_end|>", "<|im_end|> so "])
def test_a_quote_with_more_marks_than_are_followed_is_read_to_its_end(mark: str) -> None:
    text = f"Here is how it goes:\n\n> {mark * 450}\n\nSo it is, in the end."
    assert isinstance(read(text, ("search",)), Answer | Malformed)


@pytest.mark.parametrize("line", ["so it goes on " * 1_000, "`" + "a: " * 3_000])
def test_a_long_line_behind_a_quote_is_read_in_time_that_grows_with_it(line: str) -> None:
    """It lacks what it would end with, and there are millions of ways to look for that."""
    assert isinstance(read(f"Here:\n```\nAction: search\nAction Input: x\n```\n{line}\n", ("search",)), Action | Answer)
