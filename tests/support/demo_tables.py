"""The demo model asked of tables: real files, loaded and asked by the real engine."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.data.tables.card_texts import HEADING, cards_text
from agent.demo.model import Demo
from agent.events import Answered, Asked, Event, Observed, Prepared, Replied, ToolCalled
from agent.messages import Facts, Message, Usage
from agent.models.protocol import Request
from agent.prompts import render
from agent.prompts.labels import LABELS
from agent.tools.calculator.calculate import calculate
from agent.wire.observation import fence
from agent.wire.outcomes import Action, Answer
from agent.wire.react.reader import read
from tests.support.demo_questions import TODAY
from tests.support.jobs import table_job as handle

TOOLS = ("search", "calculator", "query", "chart")
DEMO = Demo(pace=0)


@dataclass
class Room:
    """A folder with loaded tables; the demo is asked of some of them."""

    folder: Path
    cards: dict[str, dict[str, Any]]

    def facts(self, names: Sequence[str]) -> Facts:
        return Facts(TODAY.isoformat(), TOOLS, tuple(self.cards[name] for name in names))

    def system(self, names: Sequence[str], language: str = "en") -> Message:
        lines = "- " + "\n- ".join(TOOLS)
        text = render(language, "react", today=TODAY.isoformat(), tools=lines, names="", example="")
        cards = f"\n\n{HEADING}\n\n{cards_text([self.cards[name] for name in names])}" if names else ""
        return Message("system", text + cards)


@dataclass
class Ran:
    answer: Answer
    calls: list[Action] = field(default_factory=list[Action])
    results: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    said: list[str] = field(default_factory=list[str])

    def last(self, tool: str) -> int | None:
        return next((place for place in range(len(self.calls) - 1, -1, -1) if self.calls[place].tool == tool), None)


def loaded(folder: Path, name: str, content: bytes) -> list[dict[str, Any]]:
    (folder / "upload").write_bytes(content)
    answer = handle({"kind": "load", "source": "upload", "name": name, "taken": []}, folder)
    assert answer["ok"], answer
    return answer["tables"]


def call(action: Action, room: Room, names: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """What a tool says, and the whole of its result."""
    tables = [room.cards[name] for name in names]
    if action.tool == "query":
        result = handle({"kind": "query", "tables": tables, "sql": action.input}, room.folder)
        return (result["text"] if result["ok"] else result["message"]), result
    if action.tool == "chart":
        chart = json.loads(action.input)
        result = handle({"kind": "chart", "tables": tables, "source": chart.pop("data"), "chart": chart}, room.folder)
        return (f"A {chart['kind']} chart is drawn." if result["ok"] else result["message"]), result
    return (calculate(action.input) if action.tool == "calculator" else f"[1] Page — site: {action.input}"), {}


def run(question: str, room: Room, names: Sequence[str], language: str = "en") -> Ran:
    labels = LABELS[language]
    messages = [room.system(names, language), Message("user", question)]
    calls: list[Action] = []
    results: list[dict[str, Any]] = []
    texts: list[str] = []
    for _ in range(8):
        reply = "".join(
            delta.text for delta in DEMO.stream(Request(tuple(messages), language=language, facts=room.facts(names)))
        )
        reading = read(reply, TOOLS)
        assert not reading.repairs and reading.cut is None, reply
        if isinstance(reading, Answer):
            return Ran(reading, calls, results, texts)
        assert isinstance(reading, Action)
        said, result = call(reading, room, names)
        calls.append(reading)
        results.append(result)
        texts.append(said)
        messages.append(Message("assistant", f"{labels.thought}: {reading.thought}\n{labels.action}: {reading.tool}\n"
                                f"{labels.action_input}: {reading.input}"))  # fmt: skip
        messages.append(Message("user", f"{labels.observation}: {fence(said)}"))
    raise AssertionError(f"{question!r} does not end: {calls}")


def events_of(question: str, ran: Ran, *cards: Mapping[str, Any]) -> list[Event]:
    """The run as the loop would have it in events, as far as evidence looks at them."""
    told = Prepared(question, "…", (), "react", "demo", "demo", facts=Facts(cards=cards))
    events: list[Event] = [Asked(question, 0.0), told]
    for number, (action, said) in enumerate(zip(ran.calls, ran.said, strict=True)):
        events.append(Replied("…", action.thought, Usage(0, 0, 0, 0), 0.0, 0.0))
        events.append(ToolCalled(str(number), action.tool, action.input, {"sql": action.input}))
        events.append(Observed(str(number), said))
    return [*events, Answered(ran.answer.text, ran.answer.next_questions)]
