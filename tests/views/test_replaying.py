"""A run as a film: all its events at their times, and nothing else is seen at the end than is stored."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.events import Answered, Asked, Event, Failed, Merged, Observed, Prepared, Replied, TextDelta, ToolCalled
from agent.messages import Usage
from agent.views.film import Film, film
from agent.views.fold import fold
from agent.views.timeline import length, spans
from tests.support.stories import stored
from tests.support.whole_runs import asking_run, native_run, refused_wire_run, text_run

USAGE = Usage(10, 0, 5)
RUNS = [text_run(), native_run(), refused_wire_run("x"), asking_run()]
texts = st.text(max_size=60)
seconds = st.floats(0, 60)


@st.composite
def whole_runs(draw: st.DrawFn) -> list[Event]:
    """Any run that the loop could make, ended or not."""
    run: list[Event] = [Asked(draw(texts), 1.0)]
    if draw(st.booleans()):
        run.append(Merged(draw(texts), (), draw(texts), USAGE, draw(seconds)))
    run.append(Prepared("q", "s", (), "native", "m", "e"))
    for step in range(draw(st.integers(0, 4))):
        unfinished = draw(st.booleans())
        run.append(Replied(draw(texts), draw(texts), USAGE, draw(seconds), draw(seconds), unfinished=unfinished))
        calls = [f"{step}-{index}" for index in range(draw(st.integers(0, 3)))]
        run += [ToolCalled(call, "search", "x", None) for call in calls]
        run += [Observed(call, draw(texts), draw(seconds)) for call in calls]
        if not calls:
            run.append(Observed("", draw(texts), error="format"))
    if draw(st.booleans()):
        run.append(Replied(draw(texts), draw(texts), USAGE, draw(seconds), draw(seconds)))
        run.append(draw(st.sampled_from([Answered("It is 5."), Failed("limit", "Too long.", partial="It is")])))
    return run


def film_keeps_its_word(run: list[Event] | tuple[Event, ...]) -> None:
    made = film(run)
    shown = [frame.event for frame in made.frames]
    assert stored(shown) == list(run)
    assert fold(shown) == fold(run)
    times = [frame.at for frame in made.frames]
    assert times == sorted(times)
    assert made.events == len(run)
    for count in range(0, len(shown) + 1, 1 + len(shown) // 40):
        assert fold(made.until(count)) == fold(shown[:count])
    for number in range(len(run) + 1):
        upto = made.frames[: made.after(number)]
        assert stored([frame.event for frame in upto]) == list(run[:number])
        assert not upto or not isinstance(upto[-1].event, TextDelta)


@pytest.mark.slow
@given(whole_runs())
def test_a_film_shows_what_folding_the_run_shows(run: list[Event]) -> None:
    film_keeps_its_word(run)


@pytest.mark.parametrize("run", RUNS)
def test_films_of_whole_runs(run: tuple[Event, ...]) -> None:
    film_keeps_its_word(run)


@pytest.mark.slow
@given(whole_runs(), st.floats(0.5, 5))
def test_waits_are_cut_and_it_is_said_by_how_much(run: list[Event], longest: float) -> None:
    made, whole = film(run, longest), film(run, float("inf"))
    times = [0.0, *(frame.at for frame in made.frames)]
    assert all(later - earlier <= longest + 1e-9 for earlier, later in pairwise(times))
    assert whole.left_out == 0
    assert whole.seconds == pytest.approx(length(spans(run)))
    assert made.seconds + made.left_out == pytest.approx(whole.seconds)


def test_a_reply_streams_in_from_its_first_token_to_its_end() -> None:
    reply = Replied("Thought: " + "x" * 91 + "\nFinal Answer: yes", "x" * 91, USAGE, 3.0, 1.0)
    made = film([Asked("q", 1.0), Prepared("q", "s", (), "react", "m", "e"), reply, Answered("yes")])
    deltas = [frame for frame in made.frames if isinstance(frame.event, TextDelta)]
    assert "".join(frame.event.text for frame in deltas if frame.event.channel == "thought") == "x" * 91  # type: ignore[union-attr]
    assert "".join(frame.event.text for frame in deltas if frame.event.channel == "answer") == "yes"  # type: ignore[union-attr]
    assert deltas[0].at == 1.0
    assert 15 <= len(deltas) <= 35
    assert all(1.0 <= frame.at < 3.0 for frame in deltas)
    assert made.seconds == 3.0


def test_where_a_film_stands() -> None:
    made = film(text_run())
    assert made.shown(-1.0) == 0
    assert made.shown(made.seconds) == len(made.frames)
    half = made.shown(made.seconds / 2)
    assert made.frames[half - 1].at <= made.seconds / 2 < made.frames[half].at
    assert (Film(()).seconds, Film(()).events, Film(()).shown(1.0), Film(()).after(0)) == (0.0, 0, 0, 0)


@given(whole_runs(), st.data())
def test_from_event_to_event(run: list[Event], data: st.DataObject) -> None:
    made = film(run)
    shown = data.draw(st.integers(0, len(made.frames)))
    number = made.number(shown)
    assert number == len(stored([frame.event for frame in made.frames[:shown]]))
    assert made.number(made.beside(shown, 1)) == min(len(run), number + 1)
    inside = made.after(number) < shown
    assert made.number(made.beside(shown, -1)) == (number if inside else max(0, number - 1))
    assert made.beside(shown, -1) < shown or shown == 0
    assert made.at(made.beside(shown, -1)) <= made.at(shown) <= made.at(made.beside(shown, 1))
