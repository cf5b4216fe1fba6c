"""What is shown as sent is what was sent, byte for byte; and what can be taken along of it works."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from agent.events import Event, Merged, Replied
from agent.models.scripted import Scripted
from agent.views.fold import fold
from agent.views.request import ModelCall, as_curl, as_json, as_python, model_calls, prompt_tokens
from tests.support.servers.model_server import ModelServer
from tests.support.servers.search_server import SearchServer
from tests.support.stories import events_of, final, react, stored
from tests.support.story import FOLLOW_UP, MODES, QUESTION, replies_of_the_story, tell

RUNS = [(mode, wire) for mode in MODES for wire in ("react", "native")]


def refusals(events: list[Event]) -> int:
    return sum("takes no" in note for event in events if isinstance(event, Replied) for note in event.notes)


@pytest.mark.parametrize(("mode", "wire"), RUNS)
def test_bytes_shown_are_bytes_sent(mode: str, wire: str) -> None:
    """Two runs each, 36 in all: whatever the server refuses, and merging included."""
    habits = MODES[mode]
    if wire == "native" and "tools" in habits.get("refuse", ()):
        wire = "auto"
    told = "react" if wire != "native" else "native"
    with SearchServer() as search, ModelServer(replies_of_the_story(told), key="sk-planted", **habits) as model:
        runs = tell(model, search, wire, [QUESTION, FOLLOW_UP])
        received = [raw.decode() for raw in model.raw]
    before = {str(number): run for number, run in enumerate(runs)}
    shown = [call.body for run in runs for call in model_calls(run, before)]
    assert len(shown) == sum(isinstance(event, Merged | Replied) for run in runs for event in run) == 6
    left = iter(received)
    assert all(body in left for body in shown), "every body shown was received, in that order"
    refused = len(received) - len(shown)
    assert refused == 0 or habits.get("refuse"), "and nothing was received that is not shown, but what was refused"
    assert all("sk-planted" not in body for body in shown)


def calls_of_a_run() -> tuple[ModelCall, ...]:
    with SearchServer() as search, ModelServer(replies_of_the_story("react")) as model:
        (run,) = tell(model, search, "react", [QUESTION])
    return model_calls(run)


def test_what_is_new_since_the_call_before() -> None:
    first, second, third = calls_of_a_run()
    assert (first.new, second.new, third.new) == (2, 2, 2)
    assert second.messages[: len(first.messages)] == first.messages
    assert first.calls[0][0] == "search"
    assert third.calls == ()
    assert third.step == 3


def test_a_model_without_a_server_has_no_bytes() -> None:
    calls = model_calls(stored(events_of(Scripted([react("a", "double", "2"), final("4")]))))
    assert [(call.url, call.body) for call in calls] == [("", ""), ("", "")]
    assert calls[0].messages[-1].content == "q"
    assert model_calls([]) == ()


def test_steps_are_counted_anew_where_a_run_was_prepared_anew() -> None:
    """As the page counts them: the step of a call is the step that it is opened from."""
    asked, prepared, *steps, answered = stored(events_of(Scripted([react("a", "double", "2"), final("4")])))
    events = [asked, prepared, *steps, prepared, *steps, answered]
    assert [call.step for call in model_calls(events)] == [1, 2, 1, 2]
    assert [step.number for step in fold(events).steps] == [1, 2]


def test_speed() -> None:
    call = calls_of_a_run()[0]
    assert call.tokens_per_second >= 0
    assert call.first_token <= call.seconds


@pytest.mark.slow
def test_the_program_that_is_copied_sends_the_same() -> None:
    """Run with a key in the environment, it sends the very same request."""
    call = calls_of_a_run()[1]
    with ModelServer([final("x")], key="sk-of-my-own") as model:
        text = as_python(call).replace(call.url.removesuffix("/chat/completions"), model.endpoint)
        assert "sk-" not in text
        environment = os.environ | {"OPENAI_API_KEY": "sk-of-my-own"}
        subprocess.run([sys.executable, "-c", text], env=environment, check=True, capture_output=True)
        assert model.requests == [json.loads(call.body)]
    assert json.loads(as_json(call)) == json.loads(call.body)


def test_the_command_that_is_copied_sends_the_same() -> None:
    """As a shell reads it: with a ``curl`` that says what it was given."""
    call = calls_of_a_run()[1]
    script = 'curl() { for word in "$@"; do printf "%s\\0" "$word"; done; }\n' + as_curl(call)
    environment = os.environ | {"OPENAI_API_KEY": "sk-of-my-own"}
    said = subprocess.run(["sh", "-c", script], env=environment, check=True, capture_output=True).stdout.decode()
    url, _, key, _, kind, flag, body, _ = said.split("\0")
    assert (url, key, flag, body) == (call.url, "Authorization: Bearer sk-of-my-own", "-d", call.body)
    assert kind == "Content-Type: application/json"


def test_a_run_is_reading_while_nothing_of_a_reply_has_come() -> None:
    events = events_of(Scripted([react("a", "double", "21"), final("42")]))
    views = [fold(events[:count]) for count in range(1, len(events) + 1)]
    told = [(type(event).__name__, view.is_reading) for event, view in zip(events, views, strict=True)]
    assert told[:2] == [("Asked", False), ("Prepared", True)]
    assert [reading for name, reading in told if name in ("TextDelta", "ToolCalled", "Answered")].count(True) == 0
    assert all(reading for name, reading in told if name == "Observed")


def test_the_tokens_being_read_are_those_of_the_prompt() -> None:
    events = stored(events_of(Scripted([react("a", "double", "21"), final("42")])))
    replied = [place for place, event in enumerate(events) if isinstance(event, Replied)]
    assert prompt_tokens(events[:1]) == 0
    assert [prompt_tokens(events[:place]) for place in replied] == [events[place].usage.input for place in replied]  # type: ignore[union-attr]
