"""Replies without end, calls that fail again and again, and replies that come whole after the time is over."""

from __future__ import annotations

from collections.abc import Generator
from time import sleep
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.events import Answered, Failed, Observed, Replied, ToolCalled
from agent.loop import loop
from agent.loop.runaway import Runaway, most_characters
from agent.models.protocol import CallDelta, Delta, Request
from agent.models.scripted import Scripted
from agent.settings import Limits
from tests.support.stories import events_of, final, react, stored

ENDLESS = "And so it goes on. "
HARMLESS = {
    "a table of zeros": "| 0 | 0 | 0 |\n" * 150,
    "a ruler": "-" * 2_900,
    "a numbered list": "".join(f"{number}. The same words again and again\n" for number in range(2_000)),
    "a long cell": "ab" * 1_400,
}


def away(text: str, sizes: list[int], most: int = 1_000_000) -> tuple[int | None, bool, int]:
    watched, at, turn = Runaway(most), 0, 0
    while at < len(text):
        size = sizes[turn % len(sizes)]
        if watched.take(text[at : at + size]):
            break
        at += size
        turn += 1
    return watched.end, watched.repeats, watched.size


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_what_only_looks_alike_goes_on(text: str) -> None:
    assert away(text, [7])[0] is None


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=60),
    st.text(st.sampled_from("abc .\n"), min_size=1, max_size=200),
    st.lists(st.integers(1, 700), min_size=1, max_size=4),
)
def test_pieces_change_nothing(start: str, period: str, sizes: list[int]) -> None:
    text = start + period * (8_000 // len(period))
    whole = away(text, [len(text)])
    assert away(text, sizes) == whole
    assert whole[0] is not None
    assert whole[1]
    assert len(start) <= whole[0] + 2 * len(period) < whole[2] <= 6_000


def test_a_reply_has_a_longest_length() -> None:
    assert away("".join(map(str, range(9_000))), [50], most=20_000) == (20_000, False, 20_000)
    assert most_characters(Limits(tokens=0), 9) == 1_000_000
    assert most_characters(Limits(tokens=10_000), 4_000) == 24_000
    assert most_characters(Limits(tokens=10_000), 40_000) == 4_000


class Endless(Scripted):
    """Says ``deltas``, then the last of them for ever; ``sent`` counts them."""

    def __init__(self, *deltas: Delta, takes_tools: bool = False) -> None:
        super().__init__([], takes_tools=takes_tools)
        self.deltas = deltas
        self.sent = 0

    def stream(self, request: Request) -> Generator[Delta]:
        self.requests.append(request)
        if len(self.requests) > 1:
            yield Delta(text="Final Answer: enough" if not self.takes_tools else "enough")
            return
        yield from self.deltas
        while True:
            self.sent += 1
            yield self.deltas[-1]


@pytest.mark.parametrize(("wire", "label"), [("react", "Final Answer: "), ("native", "")])
def test_an_answer_that_repeats_itself_is_cut_told_and_booked(wire: Any, label: str) -> None:
    model = Endless(Delta(text=f"{label}It is 42. "), Delta(text=ENDLESS), takes_tools=wire == "native")
    events = stored(events_of(model, wire=wire))
    replied = next(event for event in events if isinstance(event, Replied))
    assert isinstance(events[-1], Answered)
    assert events[-1].text.removesuffix(".") == "It is 42. And so it goes on"
    assert model.sent < 400
    assert "repeated itself" in replied.notes[0]
    assert len(replied.cut) > 3_000
    assert replied.usage.output > 700
    assert replied.usage.estimated


def test_thoughts_that_repeat_themselves_are_cut() -> None:
    model = Endless(Delta(reasoning="Hm. "), Delta(reasoning="Wait, let me think again. "), takes_tools=True)
    events = stored(events_of(model, wire="native"))
    replied = [event for event in events if isinstance(event, Replied)]
    assert "repeated itself" in replied[0].notes[0]
    assert isinstance(events[-1], Answered)
    assert events[-1].text == "enough"


def test_arguments_that_repeat_themselves_are_cut() -> None:
    begun = Delta(calls=(CallDelta(0, "a", "double", '{"number": 1'),))
    model = Endless(begun, Delta(calls=(CallDelta(0, "", "", "1"),)), takes_tools=True)
    events = stored(events_of(model, wire="native"))
    assert "repeated itself" in next(event for event in events if isinstance(event, Replied)).notes[0]
    assert isinstance(events[-1], Answered)


@pytest.mark.parametrize("wire", ["native", "react"])
def test_of_very_many_calls_at_once_the_first_are_made(wire: Any) -> None:
    calls = [CallDelta(n, f"c{n}", "double", f'{{"number": {n}}}') for n in range(300)]
    written = [f'<tool_call>{{"name": "double", "arguments": {each.arguments}}}</tool_call>' for each in calls]
    asked = Delta(calls=tuple(calls)) if wire == "native" else Delta(text="\n".join(written))
    answered = Delta(text="enough" if wire == "native" else "Final Answer: enough")
    model = Scripted([[asked], [answered]], takes_tools=wire == "native")
    events = stored(events_of(model, wire=wire))
    replied = next(event for event in events if isinstance(event, Replied))
    assert replied.notes == ("The reply asked for 300 calls at once. The first 64 were made.",)
    assert [event.text for event in events if isinstance(event, Observed)] == [str(2 * n) for n in range(64)]
    assert sum(message.role == "tool" for message in model.requests[-1].messages) == (64 if wire == "native" else 0)
    assert isinstance(events[-1], Answered)


def test_of_calls_that_a_limit_leaves_unmade_none_is_said_to_be_made() -> None:
    called = [Delta(calls=tuple(CallDelta(n, f"c{n}", "double", f'{{"number": {n}}}') for n in range(70)))]
    model = Scripted([[Delta(calls=(CallDelta(0, "c", "double", '{"number": 7}'),))], called], takes_tools=True)
    events = events_of(model, wire="native", limits=Limits(steps=1))
    assert [event.notes for event in events if isinstance(event, Replied)] == [(), ()]


def test_a_reply_longer_than_the_tokens_left_is_cut() -> None:
    class Counting(Scripted):
        def stream(self, request: Request) -> Generator[Delta]:
            number = 0
            while True:
                number += 1
                yield Delta(text=f"{number} ")

    events = stored(events_of(Counting([]), limits=Limits(tokens=3_000)))
    replied = next(event for event in events if isinstance(event, Replied))
    assert "no end within the limits" in replied.notes[0]
    assert 11_000 < len(replied.text) <= 12_500


FAILING = {
    "a tool that fails": react("a", "broken", "x"),
    "an argument that is none": react("a", "double", "a dozen"),
    "a tool that nobody knows": react("a", "fetch", "x"),
}


@pytest.mark.parametrize("reply", FAILING.values(), ids=FAILING)
def test_a_call_that_fails_is_tried_twice(reply: str) -> None:
    model = Scripted([*[reply] * 4, final("I cannot.")])
    events = stored(events_of(model))
    errors = [event.error for event in events if isinstance(event, Observed)]
    assert errors[2:] == ["repeat", "repeat", "limit"]
    assert errors[0] == errors[1] not in ("", "repeat")
    assert sum(isinstance(event, ToolCalled) for event in events) == 4
    assert isinstance(events[-1], Answered)


@pytest.mark.slow
@pytest.mark.parametrize("end", [Delta(finish="stop"), Delta(text=".", finish="stop")])
def test_a_reply_that_came_whole_is_kept_after_the_time_is_over(end: Delta) -> None:
    class Late(Scripted):
        def stream(self, request: Request) -> Generator[Delta]:
            yield Delta(text="Final Answer: It is 42")
            sleep(1.15)  # the limit and its grace of a second are over
            yield end

    events = stored(events_of(Late([]), limits=Limits(seconds=0.1)))
    assert isinstance(events[-1], Answered)
    assert events[-1].text.startswith("It is 42")


@pytest.mark.slow
def test_a_server_that_only_says_that_it_is_there_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Comments of a stream alone: no silence, and no token either."""
    monkeypatch.setattr(loop, "LONGEST_SILENCE", 0.3)
    model = Endless(Delta(), takes_tools=True)
    events = stored(events_of(model, wire="native", limits=Limits(seconds=0.1)))
    assert isinstance(events[-1], Failed)
    assert events[-1].reason == "limit"
    assert len(model.requests) == 1


@pytest.mark.slow
def test_reading_the_prompt_does_not_count_towards_the_time() -> None:
    class Slow(Scripted):
        def stream(self, request: Request) -> Generator[Delta]:
            sleep(1.3)
            yield from super().stream(request)

    events = stored(events_of(Slow([react("a", "double", "21"), final("42")]), limits=Limits(seconds=0.2)))
    assert events[-1] == Answered("42")
