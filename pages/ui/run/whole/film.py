"""A run replayed as it happened, by the drawing of a live run: play, pause, step, and a slider over its events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic, sleep, time
from typing import Any

import streamlit as st

from agent.events import Event
from agent.interface_text import Text
from agent.views.film import LONGEST_WAIT, Film, film
from agent.views.fold import RunView, fold
from pages.ui.run import render, steps
from pages.ui.session import state
from pages.ui.text.words import say, told
from pages.ui.widgets import browser
from pages.ui.widgets.figures import seconds

_FRAME_SECONDS = 1 / 15
_SPEEDS = {"1×": 1.0, "2×": 2.0, "4×": 4.0, "Instant": float("inf")}


def draw(run: str, events: Sequence[Event], read: steps.ReadArtifact) -> None:
    """The film where it stands; while it plays this is the script's last statement, and any click ends it."""
    made = film(events)
    announce = render.announcer()
    shown, playing = _shown(run, made), _playing(run)
    browser.attend(playing, about=f"film {run}" if playing else "")
    now = made.at(shown)
    slot = _controls(run, made, shown, playing)
    render.question(run, fold(events))
    turn = render.Turn(run, read, quick=0)  # it may stand still within a step
    view = fold(made.until(shown))
    _bring(turn, view, now)
    if not playing:
        return
    started = monotonic() - now / _speed(run)
    doing = ""
    while shown < len(made.frames):
        now = (monotonic() - started) * _speed(run) if _speed(run) < float("inf") else made.seconds
        further = made.shown(now)
        view = fold((frame.event for frame in made.frames[shown:further]), view)
        shown = further
        state.put(_at(run), shown)
        _progress(slot, made, shown, now)
        _bring(turn, view, now)
        if turn.doing != doing:
            doing = turn.doing
            announce(doing)
        sleep(_FRAME_SECONDS)
    _stop(run)
    st.rerun()


def _bring(turn: render.Turn, view: RunView, now: float) -> None:
    """Draw the view as it was ``now`` seconds after the question."""
    turn.draw(replace(view, started=time() - now, waited=0.0))
    if view.state != "running":
        with turn.foot.container():
            render.broken_off(view)
            if view.failure:
                render.failure(view)
            render.summary(view)


def _controls(run: str, made: Film, shown: int, playing: bool) -> Any:
    """What moves the film. While it plays, the returned place says where it stands; at rest it has a slider."""
    with st.bottom, st.container(key="film"):
        slot = st.empty()
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="center", gap="small"):
            at_end = shown == len(made.frames)
            _control(Text("Step back"), "skip_previous", _step, run, made, -1, disabled=not (shown or playing))
            if playing:
                _control(Text("Pause"), "pause", _stop, run)
            else:
                _control(Text("Play again") if at_end else Text("Play"), "play_arrow", _play, run, made)
            _control(Text("Step forward"), "skip_next", _step, run, made, 1, disabled=at_end and not playing)
            st.segmented_control(
                say("Speed"),
                list(_SPEEDS),
                format_func=lambda speed: say("Instant") if speed == "Instant" else speed,
                default="1×",
                required=True,
                key=f"speed-{run}",
                label_visibility="collapsed",
            )
        if made.left_out >= 1:
            st.caption(
                say(
                    "Waits are cut to {longest_wait} s: {seconds} of waiting left out.",
                    longest_wait=f"{LONGEST_WAIT:g}",
                    seconds=seconds(made.left_out),
                )
            )
    if not playing:
        state.put(_slider(run), made.number(shown))
        slot.slider(
            _where(made, made.number(shown), made.at(shown)),
            0,
            made.events,
            key=_slider(run),
            on_change=_seek,
            args=(run, made),
        )
    return slot


def _control(name: str, icon: str, act: Callable[..., None], *args: object, disabled: bool = False) -> None:
    # Play and Pause are one button, which keeps the focus.
    key = f"film-{'toggle' if icon in ('pause', 'play_arrow') else icon}"
    st.button(
        told(name), key=key, icon=f":material/{icon}:", help=told(name), on_click=act, args=args, disabled=disabled
    )


def _progress(slot: Any, made: Film, shown: int, now: float) -> None:
    number = made.number(shown)
    slot.progress(min(1.0, number / made.events), text=_where(made, number, min(now, made.seconds)))


def _where(made: Film, number: int, now: float) -> str:
    where = say("Entry {number} of {events}", number=number, events=made.events)
    return f"{where} · {say('{now} of {all} s', now=f'{now:.1f}', all=f'{made.seconds:.1f}')}"


# Where it stands: the number of frames shown, in the session.


def _at(run: str) -> str:
    return f"film-at-{run}"


def _slider(run: str) -> str:
    return f"film-slider-{run}"


def _shown(run: str, made: Film) -> int:
    return min(int(state.widget(_at(run)) or 0), len(made.frames))


def _playing(run: str) -> bool:
    return bool(state.widget(f"film-playing-{run}"))


def _speed(run: str) -> float:
    return _SPEEDS.get(str(state.widget(f"speed-{run}")), 1.0)


def _stop(run: str) -> None:
    state.put(f"film-playing-{run}", False)


def _play(run: str, made: Film) -> None:
    if _shown(run, made) == len(made.frames):
        state.put(_at(run), 0)
    state.put(f"film-playing-{run}", True)


def _step(run: str, made: Film, step: int) -> None:
    _stop(run)
    state.put(_at(run), made.beside(_shown(run, made), step))


def _seek(run: str, made: Film) -> None:
    _stop(run)
    state.put(_at(run), made.after(int(state.widget(_slider(run)) or 0)))
