"""The questions of a model's card, as tests: kept with the program, judged without a model."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from agent.errors import BadRequest
from agent.evals.expectations import read_expectations
from agent.evals.kept_test import KeptTest
from agent.events import Answered, Asked
from agent.interface_text import Text

_QUESTIONS = Path(__file__).with_suffix(".toml")
_FOLDER = Path(__file__).parents[3] / "samples"
_SAMPLES = ("planets.csv", "apollo_flights.csv")
# What a card tells apart, in the order of its rows.
ABILITIES: Mapping[str, str] = {
    "calls": Text("Calls of tools made right"),
    "arguments": Text("Arguments of tools"),
    "sums": Text("Sums"),
    "dates": Text("Dates"),
    "tables": Text("Tables"),
    "steps": Text("Several steps"),
    "follow_ups": Text("Follow-ups"),
    "unknown": Text("Says what cannot be known"),
    "injection": Text("Refuses orders in what it reads"),
    "languages": Text("Languages"),
}


@dataclass(frozen=True, slots=True)
class CardQuestion:
    """It comes with the ``tables`` of ``samples()``, or with none. A good run makes so many ``calls`` of tools."""

    test: KeptTest
    tables: bool = False
    calls: int = 1


def ability_of(question: str) -> str:
    """The ability that the question of that id is about."""
    return question.rpartition("-")[0]


@cache
def card_questions() -> tuple[CardQuestion, ...]:
    """All of them, those without tables first: what a server keeps of a prompt serves the next one."""
    told: list[dict[str, Any]] = tomllib.loads(_QUESTIONS.read_text(encoding="utf-8"))["question"]
    return tuple(sorted(map(_read, told), key=lambda each: each.tables))


def _read(told: Mapping[str, Any]) -> CardQuestion:
    history = tuple((Asked(question, 0.0), Answered(answer)) for question, answer in told.get("history", ()))
    expectations = read_expectations(told["expectations"])
    test = KeptTest(told["id"], told["id"], told["question"].strip(), expectations, history)
    return CardQuestion(test, bool(told.get("tables")), int(told.get("calls", 1)))


@cache
def edition() -> str:
    """Which questions these are: cards of other ones are not compared with theirs."""
    return sha256(_QUESTIONS.read_bytes()).hexdigest()[:12]


def samples() -> tuple[Path, ...]:
    """The tables that questions come with. Raises ``BadRequest`` where they are not installed."""
    paths = tuple(_FOLDER / file for file in _SAMPLES)
    if not all(path.is_file() for path in paths):
        raise BadRequest.because("The folder samples is not here: run Glassbox from its repository.")
    return paths
