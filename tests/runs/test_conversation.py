"""From a question to a run, and on from a run that was stopped."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event as Flag

import pytest

from agent.errors import ModelFailed
from agent.events import Answered, Artifact, Asked, Event, Failed, Observed, Prepared, Replied, ToolCalled
from agent.loop.agent import Agent
from agent.messages import Usage
from agent.models.protocol import Delta
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, answer, ask
from agent.runs.rewind import resumed, with_contents
from agent.settings import Limits
from agent.store.runs import Store
from agent.views.fold import fold
from tests.support.stories import TOOLS, calls, events_of, final, react, stored

FAILED = Failed("cancelled", "Stopped.")
PREPARED = Prepared("q", "system", (), "react", "m", "e")


def replied(unfinished: bool = False) -> Replied:
    return Replied("t", "t", Usage(), 1.0, 1.0, unfinished=unfinished)


def called(call: str) -> ToolCalled:
    return ToolCalled(call, "double", "2", {"number": 2})


@pytest.mark.parametrize(
    ("events", "kept"),
    [
        ([], 0),
        ([PREPARED], 1),
        ([PREPARED, replied(unfinished=True), FAILED], 1),
        ([PREPARED, replied(), called("1"), Observed("1", "4"), FAILED], 4),
        ([PREPARED, replied(), called("1"), FAILED], 1),
        ([PREPARED, replied(), called("1"), called("2"), Observed("1", "4"), FAILED], 1),
        ([PREPARED, replied(), called("1"), called("2"), Observed("1", "4"), Observed("2", "4"), FAILED], 6),
        ([PREPARED, replied(), called("1"), Observed("1", "4"), replied(), called("2"), FAILED], 4),
        ([PREPARED, replied(), Observed("", "told", error="format"), replied(unfinished=True), FAILED], 3),
        (
            [PREPARED, replied(), called("1"), Observed("1", "4"), Observed("", "l", error="limit"), replied(), FAILED],
            4,
        ),
    ],
)
def test_a_run_is_taken_over_up_to_its_last_answered_call(events: Sequence[Event], kept: int) -> None:
    assert resumed([Asked("q", 1.0), *events]) == tuple(events[:kept])


@pytest.mark.parametrize("wire", ["react", "native"])
def test_a_stopped_run_goes_on_where_it_was(store: Store, wire: str) -> None:
    first: list[object] = {
        "react": [react("Double it.", "double", "2"), ModelFailed("It broke off.", "broken")],
        "native": [calls(("c", "double", '{"number": 2}')), ModelFailed("It broke off.", "broken")],
    }[wire]
    run = store.add_run(store.add_conversation("", "t"))
    list(ask(store, run, Question("q"), Agent(Scripted(first, takes_tools=True), TOOLS, wire), Flag()))  # type: ignore[arg-type]
    assert store.events(run)[-1] == Failed("model", "It broke off.")
    so_far = with_contents(store, run, resumed(store.events(run)))
    model = Scripted([final("4") if wire == "react" else "4"], takes_tools=True)
    setup = Agent(model, TOOLS, wire, limits=Limits(steps=1))  # type: ignore[arg-type]
    events = list(answer(Question("q", parent=run, at=len(so_far) + 1, so_far=so_far), setup, Flag()))
    ended = events[-1]
    assert isinstance(ended, Answered)
    assert ended.text == "4"
    assert ended.reason != "limit", "what went before must not count against the limit"
    assert [event for event in stored(events) if isinstance(event, ToolCalled)] == [
        event for event in store.events(run) if isinstance(event, ToolCalled)
    ]
    assert "4" in model.requests[0].messages[-1].content
    asked = events[0]
    assert isinstance(asked, Asked)
    assert (asked.parent, asked.at) == (run, len(so_far) + 1)


def test_going_on_merges_nothing_a_second_time_and_may_change_the_model() -> None:
    so_far = resumed(stored(events_of(Scripted([react("Double it.", "double", "2"), ModelFailed("no")]))))
    model = Scripted([[Delta(text="8")]], name="another", takes_tools=True)
    events = events_of(model, wire="native", so_far=so_far)
    prepared = [event for event in events if isinstance(event, Prepared)]
    assert [(event.model, event.wire) for event in prepared] == [("another", "native")]
    assert fold(events).answer == "8"


def test_what_a_run_has_made_goes_with_it(store: Store) -> None:
    run = store.add_run(store.add_conversation("", "t"))
    artifact = Artifact("text", "all", "0" * 64, 3, b"abc")
    store.append(
        run, [Asked("q", 1.0), PREPARED, replied(), called("1"), Observed("1", "4", artifacts=(artifact,)), FAILED]
    )
    observed = with_contents(store, run, resumed(store.events(run)))[-1]
    assert isinstance(observed, Observed)
    assert observed.artifacts[0].content == b"abc"


def test_an_answer_cut_by_the_server_says_so() -> None:
    events = events_of(Scripted([[Delta(text="Final Answer: The first of"), Delta(finish="length")]]))
    ended = events[-1]
    assert isinstance(ended, Answered)
    assert ended.reason == "length"
    reply = next(event for event in events if isinstance(event, Replied))
    assert "length limit" in reply.notes[-1]


@pytest.mark.parametrize(
    ("limits", "replies", "said"),
    [
        (Limits(steps=1), [react("a", "double", "1")] * 2, "limit on model calls (1)"),
        (Limits(tokens=1), [react("a", "double", "1")] * 2, "limit on tokens (1)"),
        (Limits(), [react("a", "double", "1")] * 5, "kept repeating"),
        (Limits(), ["Action: \nAction Input: "] * 4, "could not be read"),
    ],
)
def test_a_limit_without_an_answer_is_named(limits: Limits, replies: list[str], said: str) -> None:
    failed = events_of(Scripted(replies), limits=limits)[-1]
    assert isinstance(failed, Failed)
    assert failed.reason == "limit"
    assert said in failed.message
