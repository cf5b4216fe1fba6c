"""The agent as one value, what the loop takes, and how far an event has to travel."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from threading import Event as Flag
from threading import current_thread
from types import FrameType

import pytest
from pydantic import JsonValue

from agent.events import Answered, Event, Failed, Observed, Prepared, TextDelta, ToolCalled, WireName
from agent.loop.agent import Agent, prepare
from agent.loop.loop import run
from agent.models.protocol import Delta, Request
from agent.models.scripted import Scripted
from agent.models.window import Window
from agent.runs.conversation import Question, answer, ask
from agent.settings import Limits
from agent.store.runs import Store
from agent.store.schema import ANYBODY
from agent.toolkit.base import Toolbox, tool
from tests.support.stories import TOOLS, double, final, names, react, stored

MOST_GENERATORS = 5
WRONG = final("Twice 2371 is 4752.")


class Watched(Scripted):
    """A scripted model that notes through which frames its pieces reach the one who reads the run."""

    def __init__(self, replies: Sequence[str]) -> None:
        super().__init__(replies, chunk=4)
        self.ways: set[tuple[str, ...]] = set()

    def stream(self, request: Request) -> Generator[Delta]:
        for delta in super().stream(request):
            self.ways.add(tuple(generators(sys._getframe())))
            yield delta


def generators(frame: FrameType | None) -> Iterator[str]:
    """The generators of ``agent`` that stand between ``frame`` and whoever asked for the next event."""
    while frame := frame and frame.f_back:
        module = str(frame.f_globals.get("__name__"))
        if module.startswith("agent.") and frame.f_code.co_flags & inspect.CO_GENERATOR:
            yield f"{module}.{frame.f_code.co_qualname}"


@pytest.mark.parametrize("insist", [False, True])
def test_an_event_passes_few_generators_on_its_way(store: Store, insist: bool) -> None:
    model = Watched([react("I double it.", "double", "2371"), WRONG, *([final("It is 4742.")] if insist else [])])
    name = store.add_run(store.add_conversation("v", "t"))
    events = list(ask(store, name, Question("q"), Agent(model, TOOLS, insist=insist), Flag()))
    model.finish()
    assert isinstance(events[-1], Answered)
    assert any(isinstance(event, TextDelta) for event in events)
    assert stored(events) == store.events(name)
    assert model.ways
    for way in model.ways:
        assert way[0].endswith("_ask")
        assert len(way) <= MOST_GENERATORS, way


def test_the_loop_takes_few_things() -> None:
    assert len(inspect.signature(run).parameters) <= 4


def test_a_model_and_tools_are_enough() -> None:
    events = list(answer(Question("q"), Agent(Scripted([final("42")])), Flag()))
    assert events[-1] == Answered("42")
    model = Scripted([react("I double it.", "double", "21"), final("42")])
    events = list(answer(Question("q"), Agent(model, Toolbox([double])), Flag()))
    assert names(events)[2:5] == ["Replied", "ToolCalled", "Observed"]


@pytest.mark.parametrize(
    ("chosen", "takes_tools", "small", "wires"),
    [
        ("auto", True, False, ("native", "react")),
        ("auto", False, False, ("react",)),
        ("auto", True, True, ("react",)),
        ("native", True, False, ("native",)),
        ("native", True, True, ("native",)),
        ("native", False, False, ("react",)),
        ("react", True, False, ("react",)),
    ],
)
def test_which_wires_are_tried(chosen: str, takes_tools: bool, small: bool, wires: tuple[WireName, ...]) -> None:
    agent = Agent(Scripted([], takes_tools=takes_tools), TOOLS, chosen, small=small)  # type: ignore[arg-type]
    assert agent.wires == wires
    for wire in wires:
        prepared, _ = prepare(agent, "q", wire, agent.limits)
        assert isinstance(prepared, Prepared)
        assert bool(prepared.tools) == (wire == "native")


class Noting(Store):
    """A store that remembers what was added together."""

    groups: list[list[str]]

    def append(self, run: str, events: Sequence[Event], taken: int = ANYBODY) -> None:
        super().append(run, events, taken)
        self.groups.append(names(list(events)))


@pytest.fixture
def noting(tmp_path: object) -> Iterator[Noting]:
    made = Noting(f"sqlite:///{tmp_path}/glassbox.db")
    made.groups = []
    yield made
    made.close()


def test_a_step_is_stored_at_once(noting: Noting) -> None:
    model = Scripted([react("I double it.", "double", "21"), final("42")])
    name = noting.add_run(noting.add_conversation("v", "t"))
    list(ask(noting, name, Question("q"), Agent(model, TOOLS), Flag()))
    assert noting.groups == [["Asked"], ["Prepared"], ["Replied", "ToolCalled", "Observed"], ["Replied", "Answered"]]


def test_a_call_that_takes_its_time_is_shown_before_it_ends(noting: Noting) -> None:
    seen = Flag()

    @tool
    def patient(text: str) -> str:
        """Waits until somebody has seen that it was called.

        Args:
            text: Anything.
        """
        return "seen" if seen.wait(30) else "not seen"

    model = Scripted([react("I wait.", "patient", "x"), final("done")])
    name = noting.add_run(noting.add_conversation("v", "t"))
    for event in ask(noting, name, Question("q"), Agent(model, Toolbox([patient])), Flag()):
        if isinstance(event, ToolCalled):
            assert event in noting.events(name)
            seen.set()
    assert noting.groups[2:] == [["Replied", "ToolCalled"], ["Observed"], ["Replied", "Answered"]]
    assert "seen" in noting.events(name)[4].text  # type: ignore[union-attr]


def test_a_pure_tool_needs_no_thread() -> None:
    @tool(pure=True)
    def where(text: str) -> str:
        """Tells in which thread it is called.

        Args:
            text: Anything.
        """
        return current_thread().name

    for made, here in ((where, True), (replace(where, pure=False), False)):
        model = Scripted([react("I look.", "where", "x"), final("done")])
        events = stored(list(answer(Question("q"), Agent(model, Toolbox([made])), Flag())))
        observed = next(event for event in events if isinstance(event, Observed))
        assert (observed.text == current_thread().name) is here


def test_a_pure_tool_with_a_bug_ends_the_run_as_any_other() -> None:
    buggy = replace(next(made for made in TOOLS.tools if made.name == "buggy"), pure=True)
    events = list(answer(Question("q"), Agent(Scripted([react("I try.", "buggy", "x")]), Toolbox([buggy])), Flag()))
    assert names(events)[-3:] == ["Replied", "ToolCalled", "Failed"]
    assert isinstance(events[-1], Failed)
    assert events[-1].reference


@pytest.mark.parametrize(
    ("endpoint", "window", "own", "sent"),
    [
        ("http://localhost:8080/v1", Window(8_000, "server"), {}, {"max_tokens": 2_000}),
        ("http://localhost:8080/v1", Window(8_000, "server"), {"max_tokens": 50}, {"max_tokens": 50}),
        ("http://localhost:8080/v1", Window(8_000, "guess"), {}, {}),
        ("https://api.example.com/v1", Window(8_000, "server"), {"temperature": 0}, {"temperature": 0}),
    ],
)
def test_a_local_model_is_given_a_longest_reply(
    endpoint: str, window: Window, own: dict[str, JsonValue], sent: dict[str, JsonValue]
) -> None:
    model = Scripted([])
    model.endpoint = endpoint
    prepared, _ = prepare(Agent(model, window=window, parameters=own), "q", "react", Limits())
    assert prepared.parameters == sent
