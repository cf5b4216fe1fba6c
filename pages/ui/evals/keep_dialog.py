"""The dialog that keeps an answer as a test."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from agent.application.evaluation.test_shelf import FIRST_SET, TestShelf
from agent.evals.expectations import Expectation
from agent.interface_text import Text
from agent.store.runs import RunRow
from agent.views.fold import fold
from pages.ui.evals import expectation_fields
from pages.ui.session import state
from pages.ui.text.escape import one_line
from pages.ui.text.words import say, titled_dialog, told
from pages.ui.widgets import problems

_OF_THE_ANSWER = ("figure", "mentions")
_WRONG = Text(
    "You judged this answer bad, so its figures and names are switched off. Type what a good one has, and the test "
    "passes once an answer has it."
)


def shelf() -> TestShelf:
    """The sets of whoever looks."""
    return TestShelf(state.services(), state.visitor(), told(FIRST_SET))


@titled_dialog("Keep as a test", width="medium", icon=":material/rule:", on_dismiss=state.close_dialog)
def dialog() -> None:
    run, _, kept = state.dialog_about().partition(":")
    row = state.own_run(run)
    if row is None:
        st.write(say("This run is not kept any more."))
    elif kept:
        _done(kept)
    else:
        _form(row)


def _form(row: RunRow) -> None:
    view = fold(state.services().store.events(row.id))
    st.caption(say("The question with its chat is kept. An answer passes where all of this holds:"))
    wrong = state.services().chats.judgement(row.id).verdict == 0
    if wrong:
        st.info(told(_WRONG), icon=":material/thumb_down:")
    sets = state.services().evaluations.sets(state.visitor())
    with st.form("keep-test", border=False):
        drawn = expectation_fields.draw("kept", [_usual(each, wrong) for each in shelf().proposed(row)])
        more = expectation_fields.add("kept")
        name = st.text_input(say("Name"), view.question[:80], max_chars=80)
        names = {each.id: each.name for each in sets}
        test_set = st.selectbox(say("Set"), list(names), format_func=lambda id: one_line(names[id], 60)) if sets else ""
        if st.form_submit_button(say("Keep"), type="primary", icon=":material/check:"):
            with problems.telling():
                id = shelf().keep(row, test_set or "", name, expectation_fields.taken(drawn, more))
                state.open_dialog("keep-test", f"{row.id}:{id}")
                st.rerun()


def _usual(expectation: Expectation, wrong: bool) -> Expectation:
    """What a bad answer has is nothing to expect."""
    return replace(expectation, on=False) if wrong and expectation.type in _OF_THE_ANSWER else expectation


def _done(test: str) -> None:
    evaluations, visitor = state.services().evaluations, state.visitor()
    sets = evaluations.sets(visitor)
    found = next((each for each in sets if any(row.id == test for row in evaluations.tests(visitor, each.id))), None)
    st.write(say("Kept. Run it on the page Tests whenever a prompt, a tool or the model has changed."))
    with st.container(horizontal=True):
        if st.button(say("Done"), type="primary"):
            state.close_dialog()
            st.rerun()
        there = state.open_address() | ({"s": found.id} if found else {})
        if st.button(say("To the tests"), icon=":material/rule:"):
            state.close_dialog()
            st.switch_page("pages/tests.py", query_params=there)
