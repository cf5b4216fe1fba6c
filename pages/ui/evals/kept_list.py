"""The tests of a set, each with what it expects, to be changed or deleted."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agent.evals.kept_test import KeptTest
from agent.store.evaluations import TestRow
from pages.ui.evals import expectation_fields
from pages.ui.evals.keep_dialog import shelf
from pages.ui.session import state
from pages.ui.text.escape import label, plain
from pages.ui.text.words import say
from pages.ui.widgets import problems
from pages.ui.widgets.buttons import show_more

_SHOWN = 30


def draw(tests: Sequence[TestRow]) -> None:
    """The tests, the first of them where there are many."""
    st.subheader(say("What is tested"), anchor=False)
    most = int(state.widget("tests-shown") or _SHOWN)
    with st.container(gap="xsmall", key="kept-tests"):
        for row in tests[:most]:
            key = f"test-{row.id}"
            with st.expander(label(row.name, 80), key=key, on_change="rerun") as opened:
                if opened.open:
                    _test(row)
    if len(tests) > most:
        show_more("more-tests", "tests-shown", most + _SHOWN)


def _test(row: TestRow) -> None:
    test: KeptTest = shelf().read(row, whole=False)
    st.markdown(plain(test.question))
    if row.recorded:
        st.page_link(
            "pages/run.py",
            label=say("The run it was kept from"),
            icon=":material/timeline:",
            query_params={"r": row.recorded},
        )
    else:
        st.caption(say("Nothing was recorded for it, so it can only be run live."))
    if shelf().lost(row):
        said = say("The chat that it was kept in was deleted, and its tables and documents are gone with it.")
        st.caption(f":material/report: {said}")
    with st.form(f"form-{row.id}", border=False):
        drawn = expectation_fields.draw(row.id, test.expectations)
        more = expectation_fields.add(row.id)
        name = st.text_input(say("Name"), row.name, key=f"name-{row.id}", max_chars=80)
        saved = st.form_submit_button(say("Save"), type="primary")
    with st.popover(say("Delete"), icon=":material/delete:", type="tertiary", key=f"delete-{row.id}"):
        st.write(say("The test goes with its recording and its results."))
        if st.button(say("Delete the test"), type="primary", key=f"gone-{row.id}"):
            state.services().evaluations.remove_test(state.visitor(), row.id)
            st.rerun()
    if saved:
        with problems.telling():
            shelf().change(row, name, expectation_fields.taken(drawn, more))
            st.rerun()
