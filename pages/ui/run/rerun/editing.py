"""The question of a turn: as a bubble with an offer to edit it, or as the form in which it is edited."""

from __future__ import annotations

import streamlit as st

from agent.application.chat_runs import ChatRuns
from agent.errors import GlassboxError
from agent.interface_text import Text
from agent.store.runs import RunRow
from agent.views.fold import RunView
from pages.ui.run import render
from pages.ui.session import asking, state
from pages.ui.text.words import say
from pages.ui.widgets import problems
from pages.ui.widgets.buttons import button

_WHAT = "editing"
_HINT = Text("Edit the question and ask it again. The old one stays beside it.")
_LINE_CHARACTERS, _LINE_PIXELS = 70, 24
_LEAST_PIXELS, _MOST_PIXELS = 90, 400


def question(row: RunRow, view: RunView) -> None:
    """The question of an ended run."""
    with st.container(key=f"asked-{row.id}"):
        if state.opened_in_place(_WHAT) == row.id:
            with st.chat_message("user"):
                _form(row, view.question)
            return
        with st.chat_message("user"):
            render.said(row.id, view)
        name, key = Text("Edit the question"), f"edit-{row.id}"
        button(name, key, "edit", _open, row, quiet=True, help=_HINT)


def _open(row: RunRow) -> None:
    # Its branch stays on the page: else the form would be gone, with what is typed, where another tab adds one.
    state.pick(row.follows, row.id)
    state.open_in_place(_WHAT, row.id)


def _form(row: RunRow, text: str) -> None:
    with st.form(f"edit-form-{row.id}", border=False):
        typed = st.text_area(say("Your question"), text, key=f"edited-{row.id}", height=_height(text))
        with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
            st.caption(say("Its answer stands beside the old one; later turns stay with that."), width="stretch")
            cancelled = st.form_submit_button(say("Cancel"), type="tertiary")
            asked = st.form_submit_button(say("Ask this instead"), type="primary")
    if cancelled:
        state.open_in_place(_WHAT)
        st.rerun()
    if asked:
        try:
            asking.run_on(ChatRuns.edited, row, typed)
        except GlassboxError as error:
            problems.tell(error, 300)
            return
        state.open_in_place(_WHAT)
        st.rerun()


def _height(text: str) -> int:
    lines = sum(1 + len(line) // _LINE_CHARACTERS for line in text.split("\n"))
    return max(_LEAST_PIXELS, min(_MOST_PIXELS, (lines + 1) * _LINE_PIXELS))
