"""Before a change is saved: the visitor's tests, run with it and without, so that what it turns is seen first."""

from __future__ import annotations

import streamlit as st

from agent.application.evaluation.evaluation_plan import Plan, tests_for, version_of
from agent.application.evaluation.evaluation_run import begin
from agent.application.setup import DEMO, Choice
from agent.evals.kept_test import Mode
from agent.interface_text import Text
from agent.store.evaluations import SetRow
from pages.ui.session import asking, state
from pages.ui.text.words import say, told
from pages.ui.widgets import problems

FIRST = Text("Run my tests with this first")
_NOW, _THEN = Text("As it is now"), Text("With this change")


def tests_to_run() -> SetRow | None:
    """The first set of the visitor's that has tests."""
    sets = state.services().evaluations.sets(state.visitor())
    return next((each for each in sets if each.tests), None)


def button(changed: Choice, key: str) -> None:
    """The offer, where there are tests."""
    there = tests_to_run()
    if there and st.button(told(FIRST), key=key, icon=":material/rule:", help=say("Nothing is saved for it.")):
        run(there, changed)


def run_first(changed: Choice) -> None:
    """Run the first set that has tests with a changed choice, where something has changed."""
    there = tests_to_run()
    if changed == state.choice():
        st.info(say("Nothing is changed yet."))
    elif there:
        run(there, changed)


def run(there: SetRow, changed: Choice) -> None:
    """Run the set with the visitor's choice as it is and as it would be, and show the page of tests.

    Tools are frozen, so that the change alone makes a difference; the demo model, which costs nothing, answers live.
    """
    services, choice = state.services(), state.choice()
    address = services.settings.base_url
    versions = version_of(told(_NOW), choice, address), version_of(told(_THEN), changed, address)
    mode: Mode = "live" if choice.endpoint == DEMO else "frozen"
    tests = tests_for(mode, services.evaluations.tests(state.visitor(), there.id))
    with problems.telling():
        begin(asking.runs(), there.id, Plan(mode, versions, tests))
        state.close_dialog()
        st.switch_page("pages/tests.py", query_params={**state.open_address(), "s": there.id})
