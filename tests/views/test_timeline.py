"""Where the calls of a run stand in time, and its events as a list to look through."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.events import (
    Answered,
    Asked,
    Event,
    Failed,
    Merged,
    Observed,
    Prepared,
    Replied,
    Source,
    ToolCalled,
    dump,
    load,
)
from agent.messages import Usage
from agent.views.event_list import exact, kinds, lines
from agent.views.request import model_calls
from agent.views.timeline import length, spans
from tests.support.whole_runs import asking_run, native_run, refused_wire_run, text_run

USAGE = Usage(10, 0, 5)


def replied(seconds: float, first: float = 0.0) -> Replied:
    return Replied("r", "t", USAGE, seconds, first)


def called(call_id: str, tool: str = "search") -> ToolCalled:
    return ToolCalled(call_id, tool, "x", {"query": "x"})


def test_calls_are_laid_one_after_another_and_those_of_a_step_side_by_side() -> None:
    run = [
        Asked("q", 1.0),
        Merged("Q", (), "Q", USAGE, 0.5),
        Prepared("Q", "s", (), "native", "m", "e"),
        replied(2.0, 0.5),
        called("a"),
        called("b", "calculator"),
        Observed("a", "1", 1.0),
        Observed("b", "2", 3.0, "timeout"),
        Observed("", "told", error="limit"),
        replied(1.0, 9.0),
        Answered("done"),
    ]
    laid = spans(run)
    assert [(span.kind, span.name, span.start, span.seconds, span.step, span.event) for span in laid] == [
        ("merge", "", 0.0, 0.5, 0, 2),
        ("model", "", 0.5, 2.0, 1, 4),
        ("tool", "search", 2.5, 1.0, 1, 7),
        ("tool", "calculator", 2.5, 3.0, 1, 8),
        ("model", "", 5.5, 1.0, 2, 10),
    ]
    assert [span.first_token for span in laid] == [0.0, 0.5, 0.0, 0.0, 1.0], "never more than the call took"
    assert laid[3].error == "timeout"
    assert length(laid) == 6.5
    assert length(()) == 0.0


def test_steps_told_again_on_another_wire_happened_once() -> None:
    laid = spans(refused_wire_run("x"))
    assert [(span.kind, span.start) for span in laid] == [("model", 0.0), ("tool", 0.1), ("model", 0.1)]


@pytest.mark.parametrize("run", [text_run(), native_run(), asking_run()])
def test_each_call_of_the_model_has_a_span(run: tuple[Event, ...]) -> None:
    of_the_model = [span for span in spans(run) if span.kind != "tool"]
    assert [span.step for span in of_the_model] == [call.step for call in model_calls(run)]
    assert all(run[span.event - 1].seconds == span.seconds for span in spans(run))  # type: ignore[union-attr]


steps = st.lists(
    st.tuples(st.floats(0, 9), st.lists(st.floats(0, 9), max_size=3)),
    max_size=6,
)


@pytest.mark.slow
@given(steps)
def test_no_call_begins_before_what_it_waits_for(taken: list[tuple[float, list[float]]]) -> None:
    run: list[Event] = [Asked("q", 1.0), Prepared("q", "s", (), "native", "m", "e")]
    for number, (seconds, tools) in enumerate(taken):
        run.append(replied(seconds))
        run += [called(f"{number}-{index}") for index in range(len(tools))]
        run += [Observed(f"{number}-{index}", "x", took) for index, took in enumerate(tools)]
    laid = spans(run)
    assert len(laid) == sum(1 + len(tools) for _, tools in taken)
    for span in laid:
        before = [other.end for other in laid if other.step < span.step]
        before += [
            other.end for other in laid if other.step == span.step and (other.kind, span.kind) == ("model", "tool")
        ]
        assert span.start == max(before, default=0.0)


RUN = [
    Asked("How warm is it?", 1.0),
    Merged("How warm is it in SF?", (), "How warm is it in SF?", USAGE, 0.5),
    Prepared("How warm is it in SF?", "You are…", (), "react", "m", "e"),
    Replied("Thought: look\n…", "I look it up: 54?", USAGE, 1.5, 0.5),
    ToolCalled("1", "search", "high in SF", {"query": "high in SF", "Digits": 2}),
    Observed("1", "54 °F, a high; 54 °F", 0.25, sources=(Source(1, "Weather", "https://weather.example.org/SF"),)),
    Observed("", "No more steps.", error="limit"),
    Replied("It is 54 °F.", "", USAGE, 1.0, 0.5),
    Answered("It is 54 °F."),
]


def test_the_list_says_what_each_event_is_about() -> None:
    found = lines(RUN)
    assert [line.number for line in found] == list(range(1, 10))
    assert [line.about for line in found] == [
        "How warm is it?",
        "How warm is it in SF?",
        "m, writes its calls as text, 8 characters of instructions",
        "I look it up: 54?",
        "search: high in SF",
        "54 °F, a high; 54 °F",
        "limit: No more steps.",
        "It is 54 °F.",
        "It is 54 °F.",
    ]
    assert [line.step for line in found] == [-1, 0, -1, 1, -1, -1, -1, 2, -1]
    assert [line.seconds for line in found] == [None, 0.5, None, 1.5, None, 0.25, None, 1.0, None]
    assert lines([Failed("limit", "Too long.")])[0].about == "limit: Too long."
    assert kinds(RUN) == {
        **{"Asked": 1, "Merged": 1, "Prepared": 1, "Replied": 2, "ToolCalled": 1, "Observed": 2, "Answered": 1}
    }


def test_looking_through_the_events() -> None:
    assert [line.number for line in lines(RUN, words="WEATHER.example.ORG/sf")] == [6]
    assert [(line.number, line.hits) for line in lines(RUN, words="54 °f")] == [(6, 2), (8, 1), (9, 1)]
    assert [line.kind for line in lines(RUN, ["Merged", "Failed"])] == ["Merged"]
    assert [line.number for line in lines(RUN, ["Observed"], "look")] == []
    assert [line.number for line in lines(RUN, words="digits")] == [5], "names of arguments are texts, too"
    assert len(lines(RUN, words="   ")) == len(RUN)
    assert lines(RUN, words="Observed") == (), "the kind is not a text of the event"


def test_what_an_event_holds_is_shown_exactly() -> None:
    for event in (*text_run(), *native_run()):
        assert load(json.dumps(json.loads(exact(event)))) == load(dump(event))
    hidden = exact(Answered("a\u202eb\x7f\U000e0041\u3000c"))
    assert all(character.isprintable() or character == "\n" for character in hidden)
    assert json.loads(hidden)["text"] == "a\u202eb\x7f\U000e0041\u3000c"
