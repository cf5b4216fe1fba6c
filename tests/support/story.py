"""The classic question of two tools and a follow-up, as a scripted model tells it on either wire."""

from __future__ import annotations

import json
from dataclasses import replace
from threading import Event as Flag
from typing import Any

from agent.application.setup import default_choice, setup
from agent.events import Event
from agent.loop.agent import Before
from agent.models.capabilities import Capabilities
from agent.runs.conversation import Question, answer
from agent.settings import Secret, read_settings
from agent.tools.search.search_tool import SearchCache
from tests.support.servers.model_server import Call, ModelServer, Reply
from tests.support.servers.search_server import SearchServer
from tests.support.stories import final, react, stored

QUESTION = "What was the high temperature in SF yesterday in Fahrenheit? And the same value in Celsius?"
FOLLOW_UP = "what is that in Kelvin?"
STANDALONE = "What is 54 °F in Kelvin?"
SEARCH = "high temperature in San Francisco yesterday"
ANSWER = "The high in San Francisco yesterday was 54 °F, which is 12.2 °C."
LAST = "54 °F is 285.37 K."
# Planted where the search tool has its key.
KEY = "planted-serpapi-key"
# How a model's server may behave.
MODES: dict[str, dict[str, Any]] = {
    "streamed": {},
    "whole": {"whole": True},
    "slow": {"delay": 0.002, "chunk": 3},
    "ignores stop": {"honours_stop": False},
    "refuses stop": {"refuse": ("stop",)},
    "refuses everything optional": {"refuse": ("stop", "stream_options", "temperature")},
    "no tools, as Ollama says it": {"refuse": ("tools",), "wording": "ollama"},
    "no tools, as vLLM says it": {"refuse": ("tools",), "wording": "vllm"},
    "no tools, as OpenRouter says it": {"refuse": ("tools",), "wording": "openrouter"},
}
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


def tell(
    model: ModelServer, search: SearchServer, wire: str, questions: list[str], merging: bool = True
) -> list[list[Event]]:
    """The runs of the questions, one conversation; without ``merging`` each is asked as it is."""
    environment = {
        "SERPAPI_API_KEY": KEY,
        "GLASSBOX_SERPAPI_URL": search.serpapi_url,
        "GLASSBOX_TEMPERATURE": "0.2",
    }
    settings = read_settings(environment)
    own = default_choice(settings)
    choice = replace(own, endpoint=model.endpoint, model="m", key=Secret("sk-planted"), wire=wire)  # type: ignore[arg-type]
    runs: list[list[Event]] = []
    capabilities, cache = Capabilities(), SearchCache()
    for text in questions:
        chosen = setup(settings, choice, capabilities, cache)
        before = Before({str(number): run for number, run in enumerate(runs)})
        question = Question(text, before, merging=merging)
        runs.append(stored(list(answer(question, chosen, Flag()))))
    return runs
