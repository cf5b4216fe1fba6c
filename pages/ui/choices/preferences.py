"""The settings dialog: tools, limits, insisting on evidence, temperature, language of the prompt, wire, price."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import streamlit as st

from agent import prompts
from agent.interface_text import Text
from agent.settings import Limits
from pages.ui.choices import everything, model_menu, notes, pricing, shared_chats, tool_choice
from pages.ui.evals import tests_offer
from pages.ui.session import state
from pages.ui.teams import preset_choice
from pages.ui.text.words import LANGUAGES, say, titled_dialog, told
from pages.ui.widgets.buttons import button, pick

_INTERFACES = {"auto": Text("As in your browser"), **LANGUAGES}
WIRES = {
    "auto": Text("Automatic"),
    "native": Text("The model’s own way"),
    "react": Text("In text, step by step"),
}
_CALLING = Text(
    "Most models have a way of their own to call tools. Any model can write its calls as text: Thought, Action, "
    "Observation. Automatic tries the first, and takes the second where that fails or the model is a small one of "
    "your own."
)
_MERGING = {
    "auto": Text("For the demo model alone"),
    "always": Text("Always"),
    "never": Text("Never"),
}
_MERGED = Text(
    "Before it is asked, a follow-up is rewritten so that it can be understood without the chat. The model is told of "
    "the chat in any case."
)
_MOST_STEPS, _MOST_SECONDS, _MOST_TOKENS, _MOST_MONEY = 100, 3600, 2_000_000, 1_000.0
_INSIST = Text(
    "An answer with figures or names that nothing observed supports goes back to the model once, to be checked."
)
_MARKS = Text(
    "A sign at every figure says what stands behind it. Without it, signs are where something is doubtful; pointing at "
    "any figure shows the rest."
)


@titled_dialog("Settings", on_dismiss=state.close_dialog)
def dialog() -> None:
    if state.dialog_about() == "price":
        pricing.draw()
    elif state.dialog_about() == "notes":
        notes.draw()
    elif state.dialog_about() == "shares":
        shared_chats.draw()
    elif state.dialog_about() in ("everything", "erased"):
        everything.draw()
    else:
        preset_choice.row(model_menu.used(), "settings-")
        _settings()


def _settings() -> None:
    chosen = state.choice()
    st.caption(say("They hold for your next question, and are kept for your next visit: all but a key."))
    with st.form("preferences", border=False):
        tools = tool_choice.field(chosen)
        approve = tool_choice.approval_field(chosen)
        limits = limits_fields(chosen.limits)
        insist = st.toggle(say("Insist on evidence"), chosen.insist, help=told(_INSIST))
        marks = st.toggle(say("Mark every figure"), chosen.marks, help=told(_MARKS))
        left, right = st.columns(2)
        temperature = left.number_input(
            say("Temperature"), 0.0, 2.0, chosen.temperature, step=0.1, placeholder=say("the model's own")
        )
        languages = {language: LANGUAGES[language] for language in prompts.LANGUAGES}
        language = pick(Text("Language of the prompt"), languages, chosen.language, place=right)
        left, right = st.columns(2)
        interface = pick(Text("Language of the interface"), _INTERFACES, chosen.interface, place=left)
        wire = pick(Text("How tools are called"), WIRES, chosen.wire, _CALLING, right)
        merge = pick(Text("Follow-ups as questions of their own"), _MERGING, chosen.merge, _MERGED)
        pressed = _buttons()
    _lines()
    answered: dict[str, Any] = {
        "temperature": temperature,
        "wire": wire,
        "language": language,
        "limits": limits,
        "insist": insist,
    }
    answered |= {"tools": tools, "approve": approve, "merge": merge}
    if pressed == "first":
        tests_offer.run_first(replace(chosen, **answered))
    if pressed == "save":
        state.choose(interface=interface, marks=marks, **answered)
    if pressed == "back":
        state.back_to_defaults()
        model_menu.forget()
    if pressed in ("save", "back"):
        state.close_dialog()
        st.rerun()


def _buttons() -> Literal["save", "back", "first", ""]:
    """What ends the form: save it, forget all, or run the visitor's tests with it first."""
    if state.on_owners_key():
        st.caption(say("On this site's own model, its owner's limits are the most you can have."))
    save, reset = st.columns(2)
    if save.form_submit_button(say("Save"), type="primary", width="stretch"):
        return "save"
    forgets = Text("Forgets everything that was chosen, the connected model and its key, too.")
    if reset.form_submit_button(say("Back to defaults"), width="stretch", help=told(forgets)):
        return "back"
    kept = say("Nothing is saved for it.")
    there = tests_offer.tests_to_run()
    first = there and st.form_submit_button(told(tests_offer.FIRST), icon=":material/rule:", width="stretch", help=kept)
    return "first" if first else ""


def _lines() -> None:
    """What else there is to see and change."""
    pricing.line()
    notes.line()
    shared_chats.line()
    button(Text("Keyboard shortcuts"), "shortcuts", "keyboard", state.open_dialog, "shortcuts", quiet=True)
    everything.line()


def limits_fields(limits: Limits) -> Limits:
    """The fields in which limits are chosen, and what they say."""
    left, right = st.columns(2)
    steps = left.number_input(say("Most steps"), 1, _MOST_STEPS, limits.steps or _MOST_STEPS)
    seconds = right.number_input(say("Most seconds"), 5, _MOST_SECONDS, int(limits.seconds or _MOST_SECONDS))
    left, right = st.columns(2)
    tokens = left.number_input(say("Most tokens"), 1_000, _MOST_TOKENS, limits.tokens or _MOST_TOKENS, step=10_000)
    money = right.number_input(
        say("Most US dollars"),
        0.0,
        _MOST_MONEY,
        limits.money or None,
        step=0.05,
        placeholder=say("no limit"),
        help=say("Counts where the model's price is known."),
    )
    return Limits(steps, float(seconds), tokens, money or 0.0)
