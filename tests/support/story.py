"""The classic question of two tools and a follow-up, as a scripted model tells it on either wire."""

from __future__ import annotations

import json
from typing import Any

from tests.support.servers.model_server import Call, Reply
from tests.support.stories import final, react

QUESTION = "What was the high temperature in SF yesterday in Fahrenheit? And the same value in Celsius?"
FOLLOW_UP = "what is that in Kelvin?"
STANDALONE = "What is 54 °F in Kelvin?"
SEARCH = "high temperature in San Francisco yesterday"
ANSWER = "The high in San Francisco yesterday was 54 °F, which is 12.2 °C."
LAST = "54 °F is 285.37 K."
_STEPS = (
    ("I need yesterday's high first.", "search", "query", SEARCH),
    ("It was 54 °F. I convert it to Celsius.", "calculator", "expression", "(54 - 32) * 5 / 9"),
)
_KELVIN = ("I convert 54 °F to Kelvin.", "calculator", "expression", "(54 - 32) * 5 / 9 + 273.15")


def replies_of_the_story(wire: str) -> list[Any]:
    return [*map(_step(wire), _STEPS), _end(wire, ANSWER), STANDALONE, _step(wire)(_KELVIN), _end(wire, LAST)]


def _step(wire: str) -> Any:
    def reply(step: tuple[str, str, str, str]) -> str | Reply:
        thought, tool, field, text = step
        if wire == "react":
            return react(thought, tool, text)
        return Reply(thought, calls=(Call(tool, json.dumps({field: text})),))

    return reply


def _end(wire: str, text: str) -> str:
    return final(text) if wire == "react" else text
