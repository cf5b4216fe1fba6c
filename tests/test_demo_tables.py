"""The demo and loaded tables: real files, loaded and asked by the real engine, held against plain Python."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from agent import merge
from agent.data.cards import cards_text
from agent.data.jobs import handle
from agent.messages import Message
from agent.models.base import Request
from agent.models.demo import Demo
from agent.models.demo_rules.tables.schema import HEADING
from agent.prompts import render
from agent.tools.calculator import calculate
from agent.wire.labels import LABELS
from agent.wire.observation import fence
from agent.wire.react import read
from agent.wire.reading import Action, Answer
from tests.demo_questions import TODAY
from tests.table_questions import (
    ASKED,
    DECLINED,
    ELSEWHERE,
    FOLLOW_UPS,
    TABLES,
    Ask,
    Then,
    csv_of,
)

TOOLS = ("search", "calculator", "query", "chart")
DEMO = Demo(pace=0)


@dataclass
class Room:
    """A folder with loaded tables; the demo is asked of some of them."""

    folder: Path
    cards: dict[str, dict[str, Any]]

    def system(self, names: Sequence[str], language: str = "en") -> Message:
        lines = "- " + "\n- ".join(TOOLS)
        text = render(language, "react", today=TODAY.isoformat(), tools=lines, names=", ".join(TOOLS))
        cards = f"\n\n{HEADING}\n\n{cards_text([self.cards[name] for name in names])}" if names else ""
        return Message("system", text + cards)


@dataclass
class Ran:
    answer: Answer
    calls: list[Action] = field(default_factory=list[Action])
    results: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def last(self, tool: str) -> int | None:
        return next((place for place in range(len(self.calls) - 1, -1, -1) if self.calls[place].tool == tool), None)


def loaded(folder: Path, name: str, content: bytes) -> list[dict[str, Any]]:
    (folder / "upload").write_bytes(content)
    answer = handle({"kind": "load", "source": "upload", "name": name, "taken": []}, folder)
    assert answer["ok"], answer
    return answer["tables"]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    folder = tmp_path_factory.mktemp("tables")
    return Room(folder, {name: loaded(folder, f"{name}.csv", csv_of(rows))[0] for name, rows in TABLES.items()})


def call(action: Action, room: Room, names: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """What a tool says, and the whole of its result."""
    tables = [room.cards[name] for name in names]
    if action.tool == "query":
        result = handle({"kind": "query", "tables": tables, "sql": action.input}, room.folder)
        return (result["text"] if result["ok"] else result["message"]), result
    if action.tool == "chart":
        chart = json.loads(action.input)
        result = handle({"kind": "chart", "tables": tables, "source": chart.pop("source"), "chart": chart}, room.folder)
        return (f"A {chart['kind']} chart is drawn." if result["ok"] else result["message"]), result
    return (calculate(action.input) if action.tool == "calculator" else f"[1] Page — site: {action.input}"), {}


def run(question: str, room: Room, names: Sequence[str], language: str = "en") -> Ran:
    labels = LABELS[language]
    messages = [room.system(names, language), Message("user", question)]
    calls: list[Action] = []
    results: list[dict[str, Any]] = []
    for _ in range(8):
        reply = "".join(delta.text for delta in DEMO.stream(Request(tuple(messages))))
        reading = read(reply, TOOLS)
        assert not reading.repairs and reading.cut is None, reply
        if isinstance(reading, Answer):
            return Ran(reading, calls, results)
        assert isinstance(reading, Action)
        said, result = call(reading, room, names)
        calls.append(reading)
        results.append(result)
        messages.append(Message("assistant", f"{labels.thought}: {reading.thought}\n{labels.action}: {reading.tool}\n"
                                f"{labels.action_input}: {reading.input}"))  # fmt: skip
        messages.append(Message("user", f"{labels.observation}: {fence(said)}"))
    raise AssertionError(f"{question!r} does not end: {calls}")


def same(given: object, true: object) -> bool:
    if isinstance(true, bool | str | None):
        return given == true
    if isinstance(true, date):
        return str(given) == true.isoformat()
    return float(str(given)) == pytest.approx(float(str(true)), abs=0.006)


def rows_of(result: Mapping[str, Any], width: int) -> list[tuple[Any, ...]]:
    return [tuple(row[:width]) for row in result["rows"]]


def check(ran: Ran, truth: list[tuple[Any, ...]], kind: str) -> None:
    place = ran.last("query")
    assert place is not None, ran.answer.text
    sql, result = ran.calls[place].input, ran.results[place]
    assert result["ok"], (sql, result)
    width = len(truth[0]) if truth else 0
    given = rows_of(result, width) if truth else result["rows"]
    assert len(given) == len(truth), (sql, given, truth)
    exact = all(all(map(same, row, true)) for row, true in zip(given, truth, strict=True))
    free = sorted(map(str, given)) == sorted(str(tuple(map(plain, true))) for true in truth) if not exact else True
    assert exact or (free and "ORDER BY" not in sql), (sql, given, truth)
    drawn = ran.last("chart")
    assert (drawn is not None) == bool(kind), ran.calls
    if drawn is not None:
        assert json.loads(ran.calls[drawn].input)["kind"] == kind
        assert ran.results[drawn]["ok"], ran.results[drawn]
    if kind not in ("scatter", "histogram"):
        figures = {float(text) for text in re.findall(r"-?\d+(?:\.\d+)?", ran.answer.text)}
        for row in truth[:10]:
            for cell in row:
                said = str(cell) in ran.answer.text if isinstance(cell, str | date) else False
                assert said or any(same(figure, cell) for figure in figures), (cell, ran.answer.text)


def plain(cell: Any) -> Any:
    return cell.isoformat() if isinstance(cell, date) else cell


@pytest.mark.parametrize("one", ASKED, ids=lambda one: one.asked)
def test_the_questions(one: Ask, room: Room) -> None:
    ran = run(one.asked, room, one.tables)
    if not one.truth:
        assert "no “" in ran.answer.text
        return
    check(ran, one.truth, one.kind)
    assert re.search(r"^(?:Read as|読み方): ", ran.answer.text, re.M)
    table = next(name for name in one.tables if f'FROM "{name}"' in ran.calls[-1].input.replace('\\"', '"'))
    assert table in ran.answer.text
    assert 1 <= len(ran.answer.next_questions) <= 3


@pytest.mark.parametrize("one", FOLLOW_UPS, ids=lambda one: f"{one.first} / {one.follow_up}")
def test_follow_ups(one: Then, room: Room) -> None:
    first = run(one.first, room, (one.table,))
    history = [merge.Turn(one.first, first.answer.text)]
    found = merge.merge(one.follow_up, history, DEMO, "en")
    assert found, "the follow-up is not seen to lean on the question before"
    check(run(found.question, room, (one.table,)), one.truth, one.kind)


@pytest.mark.parametrize("question", ELSEWHERE)
def test_questions_of_other_things_go_on_as_before(question: str, room: Room) -> None:
    with_tables, without = run(question, room, tuple(TABLES)), run(question, room, ())
    assert with_tables.answer == without.answer
    assert with_tables.calls == without.calls


@pytest.mark.parametrize("question", DECLINED)
def test_what_it_cannot_work_out_it_declines(question: str, room: Room) -> None:
    ran = run(question, room, ("sales",))
    assert all(call.tool == "search" for call in ran.calls), ran.calls
    assert not re.search(r"\d{3}", ran.answer.text.replace(str(80), "")) or ran.calls, ran.answer.text


def test_there_are_as_many_questions_as_promised() -> None:
    assert len(ASKED) + len(DECLINED) >= 120
    assert len(FOLLOW_UPS) >= 25
    assert len(TABLES) >= 5


@pytest.mark.parametrize("one", ASKED[::4], ids=lambda one: one.asked)
def test_what_it_suggests_it_can_answer(one: Ask, room: Room) -> None:
    ran = run(one.asked, room, one.tables)
    for chip in ran.answer.next_questions:
        again = run(chip, room, one.tables)
        assert again.last("query") is not None or not ran.calls, chip
