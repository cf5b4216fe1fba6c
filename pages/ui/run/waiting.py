"""What a run waits for, in its step: a question to answer, or a call to allow, change or deny."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from agent.application.chat_runs import MOST_SAID
from agent.events import Waiting
from agent.interface_text import Text
from agent.interruptions import Decision
from agent.store.runs import RunRow
from agent.views.fold import CallView, fold
from pages.ui.run import render
from pages.ui.session import asking, state
from pages.ui.text.escape import label, one_line
from pages.ui.text.words import say, told

_MOST_CHOICES = 8
_SECONDS_BETWEEN = 2.0


def asked(row: RunRow | None) -> Waiting | None:
    """What a run that has not ended waits for; the title of the tab says so."""
    call = fold(state.services().store.readable(row.id)).waiting if row and not row.ended else None
    if call:
        st.set_page_config(page_title=f"{say('Waits for you')} · Glassbox")
    return call.waiting if call else None


def turn(row: RunRow, announce: Callable[[str], object]) -> None:
    """A turn that waits for the person, at rest. It is drawn anew when it is decided in another tab."""
    view = fold(state.services().store.events(row.id))
    render.question(row.id, view)
    drawn = render.Turn(row.id, partial(state.services().store.artifact, row.id), ask=partial(_draw, row.id))
    drawn.draw(view)
    waits = view.waiting.waiting if view.waiting else None
    asks = waits and waits.kind == "question"
    announce(
        say("The agent asks you: {text}", text=waits.text) if waits and asks else say("The agent waits for your word.")
    )
    _watch(row.id)


@st.fragment(run_every=_SECONDS_BETWEEN)
def _watch(run: str) -> None:
    if not state.services().store.is_waiting(run):
        st.rerun()


def _draw(run: str, call: CallView) -> None:
    if call.asked is None:
        return
    with st.container(key=f"decide-{run}", gap="small"):
        # Above what was clicked, where no popover covers it; its place is always there, so that an open one stays open.
        slot = st.empty()
        if notice := asking.notice(run):
            slot.warning(label(told(notice), 500), icon=":material/error:")
        if call.asked.kind == "question":
            _question(run, call.asked)
        else:
            _approval(run, call, call.asked)


def _question(run: str, asked: Waiting) -> None:
    choices = [choice for choice in dict.fromkeys(asked.choices) if choice.strip()][:_MOST_CHOICES]
    if choices:
        with st.container(horizontal=True, gap="small"):
            for number, choice in enumerate(choices):
                key = f"choice-{run}-{asked.call_id}-{number}"
                st.button(label(choice, 80), key=key, on_click=asking.answer, args=(run, asked.call_id, choice))
    key = f"typed-{run}-{asked.call_id}"
    with st.form(f"answer-{run}-{asked.call_id}", border=False):
        name = Text("Or in your own words") if choices else Text("Your answer")
        st.text_input(told(name), max_chars=MOST_SAID, key=key)
        with st.container(horizontal=True, gap="small"):
            st.form_submit_button(
                say("Answer"), type="primary", icon=":material/send:", on_click=_answer, args=(run, asked.call_id, key)
            )
            st.form_submit_button(
                say("Skip"),
                type="tertiary",
                help=say("The agent decides, and says what it assumed."),
                on_click=asking.decide,
                args=(run, asked.call_id, "skipped"),
            )


def _approval(run: str, call: CallView, asked: Waiting) -> None:
    why = label(told(asked.text), 600)
    st.markdown(why if asked.again else say("May the agent do this? {why}", why=why))
    with st.container(horizontal=True, gap="small"):
        if "allowed" in asked.choices:
            name = Text("Run it again") if asked.again else Text("Allow once")
            _button(name, "check", run, asked, "allowed", primary=True)
        if "always" in asked.choices:
            hint = Text("{tool} does not ask again in this chat.", tool=one_line(call.tool, 40))
            _button(Text("Always in this chat"), "done_all", run, asked, "always", hint=hint)
        if "edited" in asked.choices:
            _edit(run, call)
        _deny(run, call)


def _edit(run: str, call: CallView) -> None:
    key = f"arguments-{run}-{call.call_id}"
    with st.popover(say("Edit"), icon=":material/edit:"), st.form(f"edit-{run}-{call.call_id}", border=False):
        st.text_area(say("Arguments of {tool}", tool=label(call.tool, 40)), call.input, height=140, key=key)
        _submit(Text("Allow with this"), "check", run, call.call_id, "edited", key)


def _deny(run: str, call: CallView) -> None:
    key = f"why-{run}-{call.call_id}"
    with st.popover(say("Deny"), icon=":material/block:"), st.form(f"deny-{run}-{call.call_id}", border=False):
        hint = Text("The agent is told, and does without.")
        st.text_input(say("Why not?"), max_chars=MOST_SAID, placeholder=say("optional"), help=told(hint), key=key)
        _submit(Text("Deny"), "block", run, call.call_id, "denied", key)


def _submit(name: str, icon: str, run: str, call_id: str, decision: Decision, key: str) -> None:
    """A form's button. It decides before the page is drawn: a popover in which a run of the page ends early closes."""
    icon = f":material/{icon}:"
    st.form_submit_button(told(name), type="primary", icon=icon, on_click=_decide, args=(run, call_id, decision, key))


def _decide(run: str, call_id: str, decision: Decision, key: str) -> None:
    asking.decide(run, call_id, decision, str(state.widget(key) or ""))


def _answer(run: str, call_id: str, key: str) -> None:
    asking.answer(run, call_id, str(state.widget(key) or ""))


def _button(
    name: str, icon: str, run: str, asked: Waiting, decision: Decision, hint: str = "", primary: bool = False
) -> None:
    st.button(
        told(name),
        key=f"{decision}-{run}-{asked.call_id}",
        icon=f":material/{icon}:",
        type="primary" if primary else "secondary",
        help=told(hint) if hint else None,
        on_click=asking.decide,
        args=(run, asked.call_id, decision),
    )
