"""The demo model and the weather: by the tool where it is switched on, by the search else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from threading import Event as Flag

import pytest

from agent.application.setup import Choice, setup
from agent.demo.model import Demo
from agent.events import Answered, Observed, Replied, ToolCalled
from agent.loop.agent import Agent
from agent.models.capabilities import Capabilities
from agent.runs.conversation import Question, answer
from agent.settings import read_settings
from agent.tools.search.search_tool import SearchCache
from tests.support.servers.provider_server import ProviderServer


@pytest.fixture(scope="module")
def server() -> Iterator[ProviderServer]:
    with ProviderServer() as running:
        yield running


def made(server: ProviderServer, tools: tuple[str, ...] | None = None) -> Agent:
    settings = read_settings(server.environment)
    return replace(setup(settings, Choice(tools=tools), Capabilities(), SearchCache()), model=Demo(pace=0))


def ask(question: str, setup: Agent) -> tuple[list[str], str]:
    events = list(answer(Question(question), setup, Flag()))
    assert isinstance(events[-1], Answered)
    assert all(not event.repairs for event in events if isinstance(event, ToolCalled))
    return [f"{event.tool}: {event.input}" for event in events if isinstance(event, ToolCalled)], events[-1].text


TOMORROW = (date.today() + timedelta(days=1)).isoformat()


def test_what_is_asked_back_is_not_announced_as_an_answer(server: ProviderServer) -> None:
    events = answer(Question("来週の天気は？"), made(server), Flag())
    (thought,) = [event.thought for event in events if isinstance(event, Replied)]
    assert thought == "足りない点をお尋ねします。"


@pytest.mark.parametrize("asked", ["What's the weather today?", "will it rain tomorrow?", "来週の天気は？", "天気"])
def test_a_day_is_no_place(server: ProviderServer, asked: str) -> None:
    calls, told = ask(asked, made(server))
    assert not calls and told.startswith(("For which place? Try", "どこの天気でしょうか。"))


@pytest.mark.parametrize(
    ("question", "called", "said"),
    [
        ("weather in Paris", '{"place": "Paris"}', "Now (2026-11-21 20:15): 7.4 °C, light rain"),
        ("What's the weather like in Paris?", '{"place": "Paris"}', "2026-11-21 (Saturday): low 4.2 °C, high 11 °C"),
        ("What is the weather in Paris tomorrow?", f'{{"place": "Paris", "date": "{TOMORROW}"}}', TOMORROW),
        ("Tomorrow's weather in Paris", f'{{"place": "Paris", "date": "{TOMORROW}"}}', TOMORROW),
        (
            "How will the weather be in Paris, Texas tomorrow?",
            f'{{"place": "Paris, Texas", "date": "{TOMORROW}"}}',
            "°F",
        ),
        ("東京の天気", '{"place": "東京"}', "最低気温 4.2 °C、最高気温 11 °C"),
        ("明日の東京の天気は？", f'{{"place": "東京", "date": "{TOMORROW}"}}', f"{TOMORROW} ("),
        ("Weather in Atlantis", '{"place": "Atlantis"}', "I could not look up “Atlantis”: No place called ‘Atlantis’"),
    ],
)
def test_the_weather_is_looked_up(server: ProviderServer, question: str, called: str, said: str) -> None:
    calls, text = ask(question, made(server))
    assert calls == [f"weather: {called}"]
    assert said in text


def test_in_a_longer_question(server: ProviderServer) -> None:
    calls, text = ask("What is the weather in Paris and what is 2+2?", made(server))
    assert calls == ['weather: {"place": "Paris"}', "calculator: 2 + 2"]
    assert text.endswith("[1] 2 + 2 is 4.")


@pytest.mark.parametrize("question", ["weather in my city", "weather of 2024", "forecast for sales of 2024"])
def test_what_is_not_understood_asks_no_weather(server: ProviderServer, question: str) -> None:
    calls, _ = ask(question, made(server))
    assert not [call for call in calls if call.startswith("weather")]


def test_without_the_tool_the_search_is_asked(server: ProviderServer) -> None:
    calls, _ = ask("What is the weather in Paris?", made(server, ("search", "calculator")))
    assert calls == ["search: weather in Paris"]


def test_no_network_is_told() -> None:
    nowhere = "geocoding=http://127.0.0.1:9, forecast=http://127.0.0.1:9"
    settings = read_settings({"GLASSBOX_SERVICES": nowhere})
    offline = replace(setup(settings, Choice(), Capabilities(), SearchCache()), model=Demo(pace=0))
    events = list(answer(Question("weather in Paris"), offline, Flag()))
    assert [event.error for event in events if isinstance(event, Observed)] == ["network"]
    assert isinstance(events[-1], Answered) and "could not reach the internet (Open-Meteo)" in events[-1].text


@pytest.mark.parametrize(
    "question",
    ["asdf qwer zxcv", "Is my tax fair?", "Is it 3pm somewhere nice?", "Who splits fairly?", "When is it enough?",
     "How many miles to happiness?", "あの人は私が好きかな"],
)  # fmt: skip
def test_what_a_decline_names_can_also_be_pressed(server: ProviderServer, question: str) -> None:
    """What the prompt has word for word is taken for an echo of it, and is not offered."""
    end = list(answer(Question(question), made(server), Flag()))[-1]
    assert isinstance(end, Answered)
    named = re.findall("[“「](.+?)[”」]", end.text)
    assert named and set(named) <= set(end.next_questions), end.text
