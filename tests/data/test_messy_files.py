"""Twelve messy files: each becomes the table it is meant to be, says how it was read, and is asked five questions."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from agent.data.tables.card_texts import HEADING, cards_text
from agent.data.tables.repair_texts import repair_told
from agent.demo.model import Demo
from agent.messages import Facts, Message
from agent.models.protocol import Request
from agent.prompts import render
from agent.prompts.labels import LABELS
from agent.wire.observation import fence
from agent.wire.outcomes import Action, Answer
from agent.wire.react.reader import read
from tests.support.jobs import table_job
from tests.support.messy_files import MADE, Asked, Messy

pytestmark = pytest.mark.slow

TODAY = date(2026, 3, 2)
TOOLS = ("search", "calculator", "query", "chart")
DEMO = Demo(pace=0)
KINDS = tuple(MADE)


@cache
def made(kind: str) -> Messy:
    return MADE[kind]()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("messy")


@pytest.fixture(scope="module")
def loaded(folder: Path) -> dict[str, dict[str, Any]]:
    """What the loader answers to each file."""
    answers: dict[str, dict[str, Any]] = {}
    for kind in KINDS:
        (folder / "upload").write_bytes(made(kind).content)
        answers[kind] = table_job({"kind": "load", "source": "upload", "name": made(kind).name, "taken": []}, folder)
    return answers


def answer_to(question: str, cards: list[dict[str, Any]], folder: Path) -> tuple[str, bool]:
    """What the demo model answers, and whether it asked the tables for it."""
    facts = Facts(TODAY.isoformat(), TOOLS, tuple(cards))
    tools = "- " + "\n- ".join(TOOLS)
    system = render("en", "react", today=TODAY.isoformat(), tools=tools, names="", example="")
    messages = [Message("system", f"{system}\n\n{HEADING}\n\n{cards_text(cards)}"), Message("user", question)]
    labels, asked = LABELS["en"], False
    for _ in range(8):
        reply = "".join(delta.text for delta in DEMO.stream(Request(tuple(messages), language="en", facts=facts)))
        reading = read(reply, TOOLS)
        if isinstance(reading, Answer):
            return reading.text, asked
        assert isinstance(reading, Action)
        said = "[1] Page — site: nothing of it"
        if reading.tool == "query":
            result = table_job({"kind": "query", "tables": cards, "sql": reading.input}, folder)
            asked, said = True, str(result["text"] if result["ok"] else result["message"])
        call = f"{labels.action}: {reading.tool}\n{labels.action_input}: {reading.input}"
        messages.append(Message("assistant", f"{labels.thought}: {reading.thought}\n{call}"))
        messages.append(Message("user", f"{labels.observation}: {fence(said)}"))
    raise AssertionError(f"{question!r} does not end")


def holds(text: str, truth: tuple[Any, ...]) -> bool:
    figures = [float(found) for found in re.findall(r"-?\d+(?:\.\d+)?", text.replace(",", ""))]
    return all(
        part in text if isinstance(part, str) else any(figure == pytest.approx(part, abs=0.006) for figure in figures)
        for part in truth
    )


def verdict(asked: Asked, answer: dict[str, Any], folder: Path) -> str:
    """``right``, ``declined`` or ``wrong``."""
    if not answer["ok"]:
        return "declined"
    text, looked = answer_to(asked.question, answer["tables"], folder)
    return "right" if holds(text, asked.truth) else "wrong" if looked else "declined"


def all_said(answer: dict[str, Any]) -> str:
    tables = answer["tables"]
    notes = [note for table in tables for note in (*table["notes"], *(c["note"] for c in table["columns"]))]
    repairs = [str(repair_told(repair)) for table in tables for repair in table.get("repairs", ())]
    return " ".join([*answer["notes"], *notes, *repairs])


def shape_of(answer: dict[str, Any]) -> tuple[list[dict[str, str]], list[int]]:
    tables = answer.get("tables", ())
    types = [{column["name"]: column["type"] for column in table["columns"]} for table in tables]
    return types, [table["rows"] for table in tables]


@pytest.mark.parametrize("kind", KINDS)
def test_the_shape(kind: str, loaded: dict[str, dict[str, Any]]) -> None:
    answer, wanted = loaded[kind], made(kind)
    assert answer["ok"], answer
    assert shape_of(answer) == (list(wanted.types), list(wanted.rows))
    for words in wanted.said:
        assert words in all_said(answer)


@pytest.mark.parametrize(("kind", "place"), [(kind, place) for kind in KINDS for place in range(5)])
def test_a_question(kind: str, place: int, loaded: dict[str, dict[str, Any]], folder: Path) -> None:
    asked = made(kind).asked[place]
    assert verdict(asked, loaded[kind], folder) == "right", answer_to(asked.question, loaded[kind]["tables"], folder)
