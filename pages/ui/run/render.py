"""From view values to widgets: one drawing of a turn, for a run as it happens and for one that has ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic, time
from typing import Any

import streamlit as st

from agent.application.setup import DEMO
from agent.interface_text import Text
from agent.views.closing_thought import steps_shown
from agent.views.event_list import WENT_ON
from agent.views.fold import CallView, RunView, StepView
from agent.views.gauge import cut_short, gauge, room_made
from pages.ui.run.steps import QUICK_SECONDS, ReadArtifact, Timeline, doing
from pages.ui.session import state
from pages.ui.text.escape import label, markdown, plain
from pages.ui.text.words import say, told
from pages.ui.widgets import artifacts, pictures
from pages.ui.widgets.buttons import button
from pages.ui.widgets.figures import model, seconds_taken

LOGO = "static/logo.svg"
_NOTED_SECONDS = 2.0  # after which a person would ask what the model does


def question(run: str, view: RunView) -> None:
    """A question, in the place in which it can be edited later: what is drawn there then replaces nothing."""
    with st.container(key=f"asked-{run}"), st.chat_message("user"):
        said(run, view)


def said(run: str, view: RunView) -> None:
    """The words and the pictures of a question."""
    if view.question or view.state == "running":
        st.markdown(plain(view.question))
    else:
        st.caption(say("This question was not kept: the server was stopped before it was stored."))
    pictures.draw(view.pictures, partial(state.services().store.artifact, run))
    if view.unseen:
        st.caption(say("This model takes no pictures: it was told in words that there are some."))


def asked(text: str) -> None:
    with st.chat_message("user"):
        st.markdown(plain(text))


def announcer() -> Callable[[str], object]:
    """The place whose text a screen reader says aloud; it must be the same place in every drawing of a page."""
    with st.container(key="announcer"):
        slot = st.empty()
    return slot.text


@dataclass
class Turn:
    """The assistant's side of a turn: steps, answer, and what can be done next. What has not changed stays.

    ``ask`` draws what a call waits for, ``prompt`` gives the tokens of the prompt that the model is reading, ``quick``
    is as in ``Timeline``. ``doing`` is what a run at work does, as plain text.
    """

    run: str
    read: ReadArtifact
    ask: Callable[[CallView], None] | None = None
    prompt: Callable[[], int] | None = None
    quick: float = QUICK_SECONDS
    message: Any = field(default_factory=lambda: st.chat_message("assistant", avatar=LOGO))
    understood: Any = None
    resumed: Any = None
    room: Any = None
    timeline: Any = None
    figures: Any = None
    answer: Any = None
    foot: Any = None
    shown: RunView = field(default_factory=RunView)
    pictured: bool = False
    at: tuple[object, ...] = ()
    now: str = ""
    doing: str = ""
    waiting: tuple[object, ...] = ()
    since: float = 0.0
    reading: int = 0
    unbooked: float = 0.0

    def __post_init__(self) -> None:
        with self.message:
            self.understood = st.empty()
            self.resumed = st.empty()
            self.room = st.empty()
            self.timeline = Timeline(self.run, self.read, self.ask, self.quick)
            self.figures = st.empty()
            self.answer = st.empty()
            self.foot = st.empty()

    def draw(self, view: RunView, place: int = 0) -> None:
        """Bring the drawing to ``view``. ``place`` is the run's place in the queue."""
        if (view.understood, view.merge_error) != (self.shown.understood, self.shown.merge_error):
            with self.understood.container():
                _understood(self.run, view)
        if view.resumed != self.shown.resumed:
            self.resumed.caption(_went_on())
        if view.rooms != self.shown.rooms:
            self.room.caption(_room(view))
        self.timeline.draw(view)
        if not self.pictured and (view.answer or view.state != "running"):
            # Above the answer, whose words tell the same figures.
            self.pictured = True
            with self.figures.container():
                artifacts.pictures(self.run, view, self.read)
        if view.answer != self.shown.answer:
            self.answer.markdown(markdown(view.answer))
        if view.state == "running":
            self._keep_time(view)
            if (at := (place, *_standing(view))) != self.at:
                self.at, self.now, self.doing = at, _now(view), _current(view, place)
            self._wait(view, place)
        self.shown = view

    def _keep_time(self, view: RunView) -> None:
        """Keep since when nothing has come, and how long the prompt was read until the whole reply tells that."""
        if view.read != self.shown.read:
            self.unbooked = 0.0
        elif self.since and self.shown.is_reading and not view.is_reading:
            self.unbooked = monotonic() - self.since
        if view != self.shown or not self.since:
            self.since, self.reading = monotonic(), 0

    def _wait(self, view: RunView, place: int) -> None:
        """What the run does; after the first second, also how far it is towards its limits.

        It is worked out anew when it may have changed, not with every piece of a text.
        """
        quiet = monotonic() - self.since if view.is_reading else 0.0
        taken = view.waited + view.read + self.unbooked + quiet
        seconds = int(time() - view.started - taken) if view.started and not view.waiting else 0
        reads = quiet > _NOTED_SECONDS and self.prompt and not place
        if (waiting := (self.at, seconds, int(quiet) if reads else 0)) == self.waiting:
            return
        self.waiting = waiting
        used = gauge(view, seconds) if seconds > 0 and not (place or reads) else None
        if used:
            self.foot.progress(used.part, text=f"{label(self.now, 200)} · {label(told(used.text), 200)}")
        elif reads and self.prompt:
            self.reading = self.reading or self.prompt()
            tokens = say("The model is reading {tokens:,} tokens", tokens=self.reading)
            self.foot.caption(f"{tokens} · {int(quiet)} s")
        else:
            self.foot.caption(label(self.doing, 200) + (f" · {seconds} s" if seconds > 0 else ""))


def ended(run: str, view: RunView, read: ReadArtifact, answer: str, unmerge: Callable[[], None] | None) -> Any:
    """Draw a turn that has ended; what it gives is the place for its foot.

    Each part is drawn at once in the place that a ``Turn`` has for it. None is emptied before, so that the turn stays
    on the page when its run ends. ``answer`` is safe Markdown, ``unmerge`` an offer's click.
    """
    with st.chat_message("assistant", avatar=LOGO):
        if view.understood or view.merge_error:
            with st.container():
                _understood(run, view, unmerge)
        else:
            st.empty()
        if view.resumed:
            st.caption(_went_on())
        else:
            st.empty()
        if view.rooms:
            st.caption(_room(view))
        else:
            st.empty()
        Timeline(run, read).whole(view)
        with st.container():
            artifacts.pictures(run, view, read)
        if answer:
            st.markdown(answer)
        else:
            st.empty()
        return st.container()


def folded(run: str, view: RunView, read: ReadArtifact, answer: str) -> Any:
    """As ``ended``, of an earlier turn that is read rather than looked into: its charts and its answer.

    It stands in a block of another kind, so that Streamlit puts it in the place of the whole turn: of two blocks of one
    kind, what the first had more of would stay below the second for as long as a run is followed.
    """
    with st.container():
        message = st.chat_message("assistant", avatar=LOGO)
    with message:
        artifacts.pictures(run, view, read)
        if answer:
            st.markdown(answer)
    return message


def _went_on() -> str:
    return f":material/restart_alt: {told(WENT_ON)}"


def _room(view: RunView) -> str:
    return f":material/compress: {label(told(room_made(view)), 300)}"


def _standing(view: RunView) -> tuple[object, ...]:
    """How far a run is, whatever text streams in: what it does, and what it has used, follows from this."""
    last = view.steps[-1] if view.steps else StepView(0)
    steps = view.steps[:-1], replace(last, thought=bool(last.thought) * "…")
    return bool(view.answer), *steps, view.usage, view.price, view.limits


def _current(view: RunView, place: int) -> str:
    """What a run at work is doing."""
    if place:
        return say("Waiting for a free place: number {place} in the queue", place=place)
    steps = steps_shown(view)
    return _now(view) + (f" · {say('step {count}', count=len(steps))}" if len(steps) > 1 and not view.answer else "")


def _now(view: RunView) -> str:
    if view.waiting:
        return say("Waiting for you")
    if view.answer:
        return say("Answering…")
    if any(step.to_check for step in view.steps[-2:]) and not view.steps[-1].calls:
        return say("Checking its answer…")
    steps = steps_shown(view)
    return doing(steps[-1]) if steps and steps[-1].state in ("thinking", "calling") else say("Thinking…")


def failure(view: RunView) -> None:
    icon = ":material/stop_circle:" if view.reason == "cancelled" else ":material/error:"
    st.markdown(f"{icon} {label(told(view.failure), 600)}")


def not_kept_yet(slot: Any, view: RunView, late: bool) -> None:
    """Says so, in a slot of its own, while the store does not take what came of a run."""
    if not late:
        slot.empty()
        return
    with slot.container():
        if view.failure:
            failure(view)
        st.warning(
            say(
                "This could not be kept yet: the place for chats is full or cannot be reached. It is tried again by "
                "itself. Until then, copy what you need."
            ),
            icon=":material/sync_problem:",
        )


def broken_off(view: RunView) -> None:
    """Says so where an answer is not all that it could have been."""
    if sentence := cut_short(view):
        st.caption(f":material/content_cut: {label(told(sentence), 300)}")


def summary(view: RunView) -> None:
    """The quiet line under a turn: tools, seconds, tokens, model."""
    calls = sum(len(step.calls) for step in view.steps)
    total = f"{view.usage.total:,}"
    parts = [
        say("{n} tool call", "{n} tool calls", n=calls) if calls else say("No tool used"),
        seconds_taken(view.seconds),
        say("about {count} tokens", count=total) if view.usage.estimated else say("{count} tokens", count=total),
    ]
    if view.price:
        parts.append(f"\\${view.price.amount:.4f}")
    elif view.model and view.endpoint != DEMO:
        parts.append(say("no price"))
    # In a colour, which style.css takes off again, the name is a piece that goes to the next line as a whole.
    st.caption(" · ".join([*parts, f":gray[{label(model(view), 60)}]"] if view.model else parts))


def _understood(run: str, view: RunView, unmerge: Callable[[], None] | None = None) -> None:
    # A run that failed for the same reason says it once, as its end.
    if view.merge_error and view.merge_error != view.failure:
        st.caption(
            say(
                "Asked just as you typed it: rewriting it so that it stands alone did not work. {why}",
                why=label(told(view.merge_error), 300),
            )
        )
    if view.understood:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(say("Understood as: {question}", question=label(view.understood, 500)), width="content")
            name, about = Text("See the exact call"), ("call", f"{run}:0")
            button(name, f"call-{run}-0", "manage_search", state.open_dialog, *about, quiet=True)
            if unmerge:
                st.button(say("Use my words instead"), key=f"words-{run}", type="tertiary", on_click=unmerge)
