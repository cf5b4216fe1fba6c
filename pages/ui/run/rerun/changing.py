"""Change a step and run on from there: its thought, action and input, or what was observed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from agent.application.chat_runs import ChatRuns
from agent.store.runs import RunRow
from agent.tools.catalogue import usable
from agent.views.fold import CallView, RunView, fold
from agent.views.request import unread_from
from pages.ui.choices import tool_choice
from pages.ui.session import asking, state
from pages.ui.text.escape import label
from pages.ui.text.words import say, titled_dialog
from pages.ui.widgets import problems


@titled_dialog("Change this step", width="medium", icon=":material/edit:", on_dismiss=state.close_dialog)
def dialog() -> None:
    run, _, number = state.dialog_about().partition(":")
    row = state.own_run(run)
    events = state.services().store.events(run) if row else ()
    view = fold(events) if row else None
    step = next((step for step in view.steps if str(step.number) == number), None) if view else None
    if row is None or view is None or step is None:
        st.write(say("This step is not kept any more."))
        return
    st.caption(say("A new branch runs on from here; the old one stays as it is beside it."))
    call = step.calls[0] if step.calls else CallView("", usable(tool_choice.parts())[0], "", "")
    action, observation = st.tabs([say("What the model does"), say("What was observed")])
    with action, st.form("action", border=False):
        thought = st.text_area(say("Thought"), step.thought)
        tools = [*dict.fromkeys((call.tool, *usable(tool_choice.parts())))]
        tool = st.selectbox(say("Action"), tools, format_func=label)
        text = st.text_area(say("Action input"), call.input)
        if unread := unread_from(events, step.number):
            st.caption(
                say("{count:,} bytes that the model had sent unread from this step on are left behind.", count=unread)
            )
        if st.form_submit_button(say("Run on with this"), type="primary", icon=":material/play_arrow:"):
            _act(ChatRuns.with_action, row, view, step.number, thought, tool, text)
    with observation:
        for seen in step.calls:
            if seen.observation is not None:
                _observation(row, view, seen, seen.observation)
        if unread := unread_from(events, step.number + 1):
            st.caption(
                say("{count:,} bytes that the model had sent unread behind this step are left behind.", count=unread)
            )
        if not step.calls:
            st.caption(say("Nothing was observed in this step."))


def _observation(row: RunRow, view: RunView, seen: CallView, observation: str) -> None:
    with st.form(f"observation-{seen.call_id}", border=False):
        text = st.text_area(say("What {tool} gave", tool=label(seen.tool, 40)), observation, height=180)
        st.caption(say("It is marked as edited by you for ever, wherever it is shown."))
        if st.form_submit_button(say("Run on with this"), type="primary", icon=":material/play_arrow:"):
            _act(ChatRuns.with_observation, row, view, seen.call_id, text)


def _act(begin: Callable[..., str], *about: object) -> None:
    with problems.telling():
        asking.run_on(begin, *about)
        state.close_dialog()
        st.rerun()
