"""The steps of a run as a timeline: what was done, what came of it, and inside each step everything there is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any
from urllib.parse import quote

import streamlit as st

from agent.events import Decided
from agent.interface_text import Text
from agent.loop.runaway import ran_away
from agent.tools.catalogue import built_in
from agent.views import decisions
from agent.views.closing_thought import steps_shown
from agent.views.fold import CallView, RunView, StepView
from pages.ui.run import observations
from pages.ui.session import asking, reading, state
from pages.ui.text.escape import label, markdown, one_line, plain
from pages.ui.text.words import say, told
from pages.ui.widgets import artifacts, problems
from pages.ui.widgets.artifacts import ReadArtifact
from pages.ui.widgets.buttons import button
from pages.ui.widgets.figures import seconds_taken

_THOUGHT_ICON = ":material/psychology:"
_AGENT_ICON = ":material/smart_toy:"
_HAND_ICON = ":material/front_hand:"
_ERROR_ICON = ":material/error:"
_SHORT_RESULT = 24
_MOST_ABOUT = 58  # letters of what a step is about, which fit into its line on a desk
_quiet = partial(button, quiet=True)
QUICK_SECONDS = 0.8  # a step that takes less is not opened meanwhile: what is below it would jump


@dataclass
class Timeline:
    """The steps of one run; what has not changed is not drawn again.

    A step at work for more than ``quick`` seconds is open, and its thought streams in. One that is done is closed and
    costs a line: its body is sent when it is opened, and it stays open when the run ends. ``ask`` draws what a step
    waits for; without it that is only said.
    """

    run: str
    read: ReadArtifact
    ask: Callable[[CallView], None] | None = None
    quick: float = QUICK_SECONDS
    place: Any = field(default_factory=st.container)
    slots: list[Any] = field(default_factory=list[Any])
    drawn: list[StepView] = field(default_factory=list[StepView])
    status: Any = None
    body: Any = None
    begun: float = 0.0
    ended: bool = False
    keys: set[str] = field(default_factory=set[str])

    def whole(self, view: RunView) -> None:
        """Draw the steps of a run that has ended, each where ``draw`` left it while it was at work.

        No place is emptied before, so that what is the same there stays on the page.
        """
        self.ended = True
        for step in steps_shown(view):
            self._closed(self.place, step)

    def draw(self, view: RunView) -> None:
        """Bring the steps to ``view``, a later one of the same run at work."""
        self.ended = view.state != "running"
        steps = steps_shown(view)
        for index in range(len(steps), len(self.slots)):
            self.slots[index].empty()
            self.drawn[index] = StepView(0)
            self.status = None
        for index, step in enumerate(steps):
            if index == len(self.slots):
                self.slots.append(self.place.empty())
                self.drawn.append(StepView(0))
                self.status = None
            if step != self.drawn[index]:
                self._draw(index, step)
                self.drawn[index] = step
        if self.status is not None and self.body is None and monotonic() - self.begun >= self.quick:
            self.status.update(expanded=True)
            self.body = self.status.empty()
            self._fill(self.drawn[len(steps) - 1])

    def _draw(self, index: int, step: StepView) -> None:
        if step.state in ("done", "failed"):
            self.status = None
            self._closed(self.slots[index], step)
            return
        waits = next((call for call in step.calls if call.waiting), None)
        if self.ask and waits:
            key = self._once(f"ask-{self.run}-{step.number}")
            with self.slots[index].expander(title(step), icon=_icon(step), type="step", key=key, expanded=True):
                _body(step)
                self.ask(waits)
            return
        if self.status is None:
            self.status = self.slots[index].status(title(step), expanded=False, type="step")
            self.body, self.begun = None, monotonic()
        elif title(step) != title(self.drawn[index]):
            self.status.update(label=title(step))
        if self.body is not None:
            self._fill(step)

    def _fill(self, step: StepView) -> None:
        with self.body.container():
            _body(step)

    def _once(self, key: str) -> str:
        """``key``, which one drawing of the page can have once: where more came of what had it, all is drawn anew.

        A reply is done until its first call is told, and a limit may be reached after the last one.
        """
        if key in self.keys:
            st.rerun()
        self.keys.add(key)
        return key

    def _closed(self, place: Any, step: StepView) -> None:
        key = self._once(f"step-{self.run}-{step.number}")
        opened = place.expander(title(step), icon=_icon(step), type="step", key=key, on_change="rerun")
        with opened:
            # A step without anything in it cannot be opened.
            st.empty()
            if opened.open:
                _body(step, f"{self.run}:")
                for call in step.every_call:
                    artifacts.draw(f"{self.run}-{step.number}-{call.call_id}", call.artifacts, self.read)
                with st.container(horizontal=True, gap="small", key=f"offers-{self.run}-{step.number}"):
                    self._offers(step)

    def _offers(self, step: StepView) -> None:
        about = f"{self.run}:{step.number}"
        _quiet(Text("See the exact call"), f"call-{about}", "manage_search", state.open_dialog, "call", about)
        if self.ended and not reading.token():
            _quiet(Text("Run again from here"), f"from-{about}", "replay", asking.from_step, self.run, step.number)
            _quiet(Text("Change"), f"change-{about}", "edit", state.open_dialog, "change", about)
            for call in step.calls:
                if call.asked:
                    key = f"anew-{about}-{call.call_id}"
                    _quiet(Text("Decide anew"), key, "front_hand", asking.decide_anew, self.run, call.call_id)
            _quiet(Text("Try with…"), f"with-{about}", "alt_route", state.open_dialog, "with", about)


def title(step: StepView) -> str:
    """What was done and what came of it, on one line."""
    if step.calls:
        return _done(step)
    if step.state == "thinking":
        return say("Thinking…")
    if step.to_check:
        return say(
            "Answered, and was asked to check {n} claim",
            "Answered, and was asked to check {n} claims",
            n=step.to_check,
        )
    if step.unfinished:
        why = Text("you stopped it") if step.stopped else Text("the reply broke off")
        return say("Not finished: {thought}", thought=label(step.thought) or why)
    if step.thought:
        return label(step.thought)
    # A reply that is the answer alone is a step only for a note, that its server cut it, say.
    return say("Could not be read") if step.state == "failed" else say("Model replied")


def doing(step: StepView) -> str:
    """What a step at work is doing, in a word or two; no Markdown."""
    if not step.calls:
        return say("Thinking…")
    calls = [call for call in step.calls if call.observation is None] or [step.calls[-1]]
    return say(", ").join(_alone(_verbs(call, one_line)[0]) for call in calls) + "…"


def _alone(verb: str) -> str:
    return told(verb).rstrip(" :·")


def _verbs(call: CallView, written: Callable[[str, int], str] = label) -> tuple[str, str]:
    """What is said of a call at work, and once it is done; ``written`` is how its tool's name is."""
    name = written(call.tool, 40)
    running, done = built_in(call.own_name).verbs
    return running or Text("Using {name}:", name=name), done or Text("Used {name}:", name=name)


def _about(call: CallView) -> str:
    spec = built_in(call.own_name)
    about = spec.about(call.arguments) or call.about
    match spec.told:
        case "nothing":
            return ""
        case "quoted":
            return say("‘{about}’", about=label(about, 70))
        case "lines":
            return say("{n} line", "{n} lines", n=len(about.strip().splitlines()))
        case "page":
            return observations.page(call, about)
        case "result" if call.observation and not call.error:
            return label(told(spec.line(call.observation)), 120)
        case _:
            return label(about, _MOST_ABOUT)


def _done(step: StepView) -> str:
    call = next((call for call in step.calls if call.waiting), step.calls[0])
    more = say(" and {more} more", more=len(step.calls) - 1) if len(step.calls) > 1 else ""
    about = _about(call)
    running, done = (f"{told(verb)} {about}" if about else _alone(verb) for verb in _verbs(call))
    if call.waiting:
        return (running if call.waiting.kind == "question" else f"{say('Waits for your word')} · {running}") + more
    if call.observation is None:
        return running + more
    marks = (
        say("holds instructions") if any(call.instructions for call in step.calls) else "",
        say("edited by you") if step.edited or any(call.edited for call in step.calls) else "",
        say("changed by you") if call.decided and call.decided.decision == "edited" else "",
    )
    marked = "".join(f" · {mark}" for mark in marks if mark)
    return f"{done}{_result(call)}{more}{marked} :small[:gray[{seconds_taken(step.seconds)}]]"


def _result(call: CallView) -> str:
    if call.decided and call.decided.decision in ("denied", "skipped"):
        return f" · {say('denied by you') if call.decided.decision == 'denied' else say('skipped by you')}"
    behind = built_in(call.own_name).told
    if call.error == "nothing" and behind != "page":
        return f" · {say('nothing found')}"
    if call.error:
        return f" · {say('failed')}"
    if call.sources and behind != "page":
        return f" · {say('{n} source', '{n} sources', n=len(call.sources))}"
    result = "" if behind == "result" else call.observation or ""
    return f" → {label(result)}" if 0 < len(result) <= _SHORT_RESULT and "\n" not in result else ""


def _icon(step: StepView) -> str:
    waiting = next((call.waiting for call in step.calls if call.waiting), None)
    denied = any(call.decided and call.decided.decision == "denied" for call in step.calls)
    if (waiting and waiting.kind == "approval") or denied:
        return _HAND_ICON
    if step.state == "failed":
        return _ERROR_ICON
    if step.to_check:
        return ":material/fact_check:"
    return f":material/{built_in(step.calls[0].own_name).icon}:" if step.calls else _THOUGHT_ICON


def _body(step: StepView, about: str = "") -> None:
    """What is in a step; ``about`` is the way to it from its run, for what can be opened there once it has ended."""
    if step.thought:
        thought = say("Thought")
        st.caption(f"{thought} · {say('edited by you')}" if step.edited else thought)
        st.markdown(markdown(step.thought))
    for call in step.calls:
        called(call, about)
    if step.to_check:
        st.caption(say("First answer"))
        st.markdown(markdown(step.dropped))
    for _, text in step.told:
        st.caption(say("Told to the model"))
        st.text(text)
    for note in (*step.notes, *step.repairs, *(repair for call in step.calls for repair in call.repairs)):
        problems.remark(note, 400)
    if step.dropped and not step.to_check:
        st.caption(say("An answer in the same reply was dropped, because the call goes first:"))
        st.code(step.dropped, language=None, wrap_lines=True)
    if step.cut.strip():
        # Why a reply that ran away was cut is told by its note.
        st.caption(
            say("Cut off:")
            if ran_away(step.notes)
            else say("Cut off, because the model went on to write what only a tool may say:")
        )
        st.code(step.cut.strip(), language=None, wrap_lines=True)
    if step.unfinished:
        st.caption(say("This reply was not finished."))


def called(call: CallView, about: str = "") -> None:
    """A call, and what came of it; ``about`` as in a step."""
    if call.asked and call.asked.kind == "question":
        st.caption(say("Question to you"))
        st.markdown(plain(call.asked.text))
    else:
        st.caption(f"{say('Action')} · {label(call.tool)}")
        spec = built_in(call.own_name)
        code = spec.about(call.arguments) or call.argument if spec.language else call.written
        st.code(code or say("(nothing)"), language=spec.language or None, wrap_lines=True)
    if call.decided:
        _decision(call.decided)
    elif call.asked and not call.waiting:
        st.caption(say("It waited for you, and was not decided."))
    if call.inner:
        _steps_of(call, call.inner, f"{about}{quote(call.call_id, safe='')}/" if about else "")
    if call.observation is None:
        return
    observations.draw(call)


def _steps_of(call: CallView, inner: RunView, about: str) -> None:
    """The steps of an agent that was called: open while it works, closed once it is done."""
    steps, runs = steps_shown(inner), inner.state == "running"
    tool = label(call.tool, 40)
    name = say("{n} step of {tool}", "{n} steps of {tool}", n=len(steps), tool=tool)
    with st.expander(
        name if steps else say("{tool} begins…", tool=tool), icon=_AGENT_ICON, type="compact", expanded=runs
    ):
        for step in steps:
            with st.expander(title(step), icon=_icon(step), type="step"):
                _body(step, about)
                if about:
                    key = f"{about}{step.number}"
                    _quiet(Text("See the exact call"), f"call-{key}", "manage_search", state.open_dialog, "call", key)
        if inner.failure:
            st.caption(f"{_ERROR_ICON} {label(told(inner.failure), 400)}")


def _decision(decided: Decided) -> None:
    st.caption(f":material/front_hand: {label(told(decisions.sentence(decided)), 600)}")
    if decided.arguments is not None:
        st.code(decisions.arguments(decided), language="json", wrap_lines=True)
