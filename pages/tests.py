"""Tests of answers: the sets, running them, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from agent.application.evaluation.matrix import matrix
from agent.application.evaluation.tried_models import tried
from agent.store.evaluations import EvaluationRow, SetRow, TestRow
from pages.ui.evals import card_list, kept_list, results, run_form, set_bar
from pages.ui.frame import frame
from pages.ui.run import render
from pages.ui.session import state
from pages.ui.text.words import say
from pages.ui.widgets import browser


def main() -> None:
    frame.open_page("Tests", wide=True)
    announce = render.announcer()
    browser.attend(False)
    frame.way_back()
    st.header(say("Tests"), anchor=False)
    st.caption(say("Keep answers as tests, and see what a change of prompt, tool or model breaks."))
    shown = set_bar.draw()
    evaluations, visitor = state.services().evaluations, state.visitor()
    tests = evaluations.tests(visitor, shown.id) if shown else []
    if not (shown and tests):
        st.info(
            say(
                "No tests here yet. Under an answer in a chat choose Keep as a test, or import a file: a CSV of "
                "questions and answers will do."
            ),
            icon=":material/rule:",
        )
        card_list.draw()
        return
    rows = evaluations.evaluations(visitor, shown.id)
    # Closed once one begins: what comes of it is what is looked for then.
    key = f"run-tests-{rows[0].id if rows else ''}"
    with st.expander(say("Run the tests"), icon=":material/play_arrow:", expanded=not rows, key=key):
        run_form.draw(shown, tests)
    follow = _results(shown, rows, tests) if rows else None
    kept_list.draw(tests)
    card_list.draw()
    if follow:
        follow(announce)


def _results(
    shown: SetRow, rows: Sequence[EvaluationRow], tests: Sequence[TestRow]
) -> Callable[[results.Announce], None] | None:
    """The latest evaluation, with what earlier ones tried beside it once it has ended."""
    evaluations, (row, *before) = state.services().evaluations, rows
    found = matrix(evaluations, row, tests, before)
    versions = found.summaries if row.working else tried(evaluations, found, tests, before)
    return results.draw(found, shown.name, versions)


frame.page(main)
