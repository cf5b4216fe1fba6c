"""Time travel: what a run that goes on from somewhere takes over, and that the old run stays as it is."""

from __future__ import annotations

from itertools import pairwise
from threading import Event as Flag

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import BadRequest
from agent.events import Answered, Asked, Event, Failed, Observed, Prepared, Replied, ToolCalled
from agent.loop.agent import Agent
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, answer
from agent.runs.rewind import answering_now, before, resumed, with_action, with_observation
from agent.store.branches import path
from agent.store.runs import RunRow
from agent.views.fold import fold
from agent.views.request import model_calls
from agent.wire.prompt import messages
from tests.support.stories import TOOLS, calls, events_of, final, react, stored


def steps(count: int, wire: str) -> list[object]:
    if wire == "react":
        return [*(react(f"step {n}", "double", str(n)) for n in range(count)), final("done")]
    return [*(calls((f"c{n}", "double", f'{{"number": {n}}}'), text=f"step {n}") for n in range(count)), "done"]


def run(replies: list[object], wire: str, **more: object) -> list[Event]:
    return stored(events_of(Scripted(replies, takes_tools=True), wire=wire, **more))  # type: ignore[arg-type]


def after_asked(events: list[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, Asked)]


def untimed(events: list[Event]) -> list[str]:
    """What happened, without how long it took."""
    return [
        f"{event.type} {getattr(event, 'text', '')} {getattr(event, 'input', '')} {getattr(event, 'call_id', '')}"
        for event in events
    ]


@settings(max_examples=60, deadline=None)
@given(count=st.integers(1, 6), data=st.data(), wire=st.sampled_from(["react", "native"]))
def test_running_on_from_any_step_gives_the_same_again(count: int, data: st.DataObject, wire: str) -> None:
    """Cut before any step, given the same replies from there: the same events, and prompts that extend each other."""
    replies = steps(count, wire)
    whole = run(replies, wire)
    step = data.draw(st.integers(1, count + 1))
    kept = before(whole, step)
    assert list(kept) == after_asked(whole)[: len(kept)], "what is shared is untouched"
    again = run(replies[step - 1 :], wire, so_far=kept)
    assert untimed(after_asked(again)) == untimed(after_asked(whole))
    sent = [call.messages for call in model_calls(again)]
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(sent))


@pytest.mark.parametrize("wire", ["react", "native"])
def test_an_edited_action_is_taken_and_the_model_sees_it(wire: str) -> None:
    whole = run(steps(3, wire), wire)
    so_far, action = with_action(whole, 2, "I would rather double 21.", "double", "21")
    assert so_far[: len(before(whole, 2))] == before(whole, 2)
    model = Scripted(["Final Answer: 42" if wire == "react" else "42"], takes_tools=True)
    branch = events_of(model, wire=wire, so_far=so_far, first=(action,))
    seen = [event for event in branch if isinstance(event, Observed)]
    assert seen[-1].text == "42"
    assert not seen[-1].edited
    assert "21" in str(model.requests[0].messages[-2])
    assert "I would rather double 21." in str(model.requests[0].messages)
    edited = [step.edited for step in fold(branch).steps]
    assert edited[:2] == [False, True]
    assert fold(branch).answer == "42"


def test_an_edited_action_is_checked_like_the_models() -> None:
    so_far, action = with_action(run(steps(1, "react"), "react"), 1, "", "dubble", "x")
    branch = run([final("no")], "react", so_far=so_far, first=(action,))
    seen = next(event for event in branch if isinstance(event, Observed))
    assert seen.error == "unknown_tool"
    assert "double" in seen.text


@pytest.mark.parametrize("wire", ["react", "native"])
def test_a_replaced_observation_is_marked_for_ever(wire: str) -> None:
    whole = run(steps(2, wire), wire)
    call = next(event.call_id for event in whole if isinstance(event, ToolCalled))
    so_far = with_observation(whole, call, "It is 99.")
    model = Scripted(["Final Answer: 99" if wire == "react" else "99"], takes_tools=True)
    branch = stored(events_of(model, wire=wire, so_far=so_far))
    assert "It is 99." in model.requests[0].messages[-1].content
    assert [event.edited for event in branch if isinstance(event, Observed)] == [True]
    assert [call.edited for step in fold(branch).steps for call in step.calls] == [True]
    later = resumed(branch)
    assert any(isinstance(event, Observed) and event.edited for event in later)


def test_one_of_several_observations_is_replaced_and_the_others_stay() -> None:
    both = calls(("a", "double", '{"number": 1}'), ("b", "double", '{"number": 2}'))
    whole = run([both, "done"], "native")
    so_far = with_observation(whole, "a", "7")
    assert [event.text for event in so_far if isinstance(event, Observed)] == ["7", "4"]


@pytest.mark.parametrize("wire", ["react", "native"])
def test_answer_now_asks_once_without_tools(wire: str) -> None:
    events = run(steps(2, wire), wire)
    stopped: list[Event] = [*events[:-2], Failed("cancelled", "Stopped.")]
    so_far = answering_now(stopped)
    model = Scripted(["Final Answer: about 2" if wire == "react" else "about 2"], takes_tools=True)
    branch = events_of(model, wire=wire, so_far=so_far)
    assert not model.requests[0].may_call
    assert "wants an answer now" in model.requests[0].messages[-1].content
    ended = branch[-1]
    assert isinstance(ended, Answered)
    assert (ended.text, ended.reason) == ("about 2", "limit")


def test_what_cannot_be_gone_on_from() -> None:
    whole = run(steps(1, "react"), "react")
    for call in (
        lambda: before(whole, 0),
        lambda: before(whole, 9),
        lambda: with_observation(whole, "", "x"),
        lambda: with_observation(whole, "unknown", "x"),
        lambda: with_action([Asked("q", 1.0), Replied("x", "x", None, 0.0, 0.0)], 1, "", "double", "1"),  # type: ignore[arg-type]
    ):
        with pytest.raises(BadRequest):
            call()
    assert answering_now([Asked("q", 1.0), Failed("model", "x")]) == ()


def test_the_model_of_today_goes_on_from_the_run_of_another() -> None:
    so_far = resumed([*run(steps(2, "native"), "native")[:-1], Failed("cancelled", "Stopped.")])
    model = Scripted([final("ok")], name="other")
    setup = Agent(model, TOOLS, "react")
    branch = list(answer(Question("q", so_far=so_far), setup, Flag()))
    prepared = [event for event in branch if isinstance(event, Prepared)]
    assert [(event.model, event.wire) for event in prepared] == [("other", "react")]
    assert messages(branch)[:2] == messages([prepared[0]])


def row(id: str, follows: str, created: float) -> RunRow:
    return RunRow(id, "c", follows, created, "Answered")


def test_branches_stand_beside_each_other_and_keep_what_follows_them() -> None:
    rows = [row("a", "", 1), row("b", "a", 2), row("c", "b", 3), row("b2", "a", 4), row("a2", "", 5)]
    assert [place.row.id for place in path(rows, {})] == ["a2"]
    back = path(rows, {"": "a"})
    assert [place.row.id for place in back] == ["a", "b2"]
    assert [place.row.id for place in path(rows, {"": "a", "a": "b"})] == ["a", "b", "c"]
    assert [(place.number, len(place.branches)) for place in back] == [(1, 2), (2, 2)]
    assert path([], {"": "a"}) == []
    assert [place.row.id for place in path(rows[:4], {"": "gone"})] == ["a", "b2"]


def test_a_circle_of_runs_ends() -> None:
    assert [place.row.id for place in path([row("a", "", 1), row("a", "a", 2)], {})] == ["a", "a"]
