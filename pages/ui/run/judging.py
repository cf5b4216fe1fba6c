"""A verdict on an answer, by a thumb and a word, kept with the run."""

from __future__ import annotations

import streamlit as st

from agent.interface_text import Text
from agent.store.chats import MOST_COMMENT
from pages.ui.session import state
from pages.ui.text.escape import label
from pages.ui.text.words import say, told

_WHAT = "commenting"
_ASKED = {1: Text("What was good?"), 0: Text("What was wrong?")}


def thumbs(run: str) -> None:
    """The thumbs, and beside them what was written to them."""
    judgement, key = state.services().chats.judgement(run), f"thumbs-{run}"
    st.feedback("thumbs", key=key, default=judgement.verdict, on_change=lambda: _judged(run, state.widget(key)))
    if (judgement.verdict is None and not judgement.comment) or state.opened_in_place(_WHAT) == run:
        return
    st.button(
        f"“{label(judgement.comment, 60)}”" if judgement.comment else say("Say why"),
        key=f"say-{run}",
        type="tertiary",
        help=(
            say("Change what you wrote to this answer.")
            if judgement.comment
            else say("A word on this answer, kept with it.")
        ),
        on_click=state.open_in_place,
        args=(_WHAT, run),
    )


def comment(run: str) -> None:
    """The field for a word, where it is open."""
    if state.opened_in_place(_WHAT) != run:
        return
    judgement = state.services().chats.judgement(run)
    name = _ASKED.get(judgement.verdict if judgement.verdict is not None else -1, Text("What do you think of it?"))
    with (
        st.form(f"comment-form-{run}", border=False),
        st.container(horizontal=True, vertical_alignment="center", key=f"comment-{run}"),
    ):
        said = st.text_input(
            told(name),
            judgement.comment,
            key=f"comment-text-{run}",
            placeholder=told(name),
            max_chars=MOST_COMMENT,
            label_visibility="collapsed",
        )
        keep = st.form_submit_button(say("Keep"))
        skip = st.form_submit_button((say("Not now") if not judgement.comment else say("Cancel")), type="tertiary")
    if judgement.verdict == 0:
        name, about = say("Keep as a test, to see when it is right"), ("keep-test", run)
        st.button(name, key=f"keep-wrong-{run}", icon=":material/rule:", on_click=state.open_dialog, args=about)
    if keep:
        state.services().chats.judge(state.visitor(), run, judgement.verdict, said)
    if keep or skip:
        state.open_in_place(_WHAT)
        st.rerun()


def _judged(run: str, verdict: int | None) -> None:
    state.services().chats.judge(state.visitor(), run, verdict)
    state.open_in_place(_WHAT, "" if verdict is None else run)
