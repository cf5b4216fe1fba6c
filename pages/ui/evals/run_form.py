"""How a set is run: in which mode, by which models, on which wire, how often, for how much money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import streamlit as st

from agent.application.evaluation.card_shelf import card_scores
from agent.application.evaluation.evaluation_plan import Plan, Version, tests_for, version_of
from agent.application.evaluation.evaluation_run import begin
from agent.application.setup import DEMO, Alternative, Choice, alternatives, one_off
from agent.demo.model import NAME as DEMO_NAME
from agent.evals.kept_test import MODE_NAMES, MODES
from agent.interface_text import Text
from agent.store.evaluations import SetRow, TestRow
from agent.web.endpoint import origin
from pages.ui.choices import card_table, model_menu
from pages.ui.choices.preferences import WIRES
from pages.ui.session import asking, state
from pages.ui.text.escape import one_line
from pages.ui.text.words import say, saying, told
from pages.ui.widgets import problems

_PROMPTS = {"mine": Text("Your own"), "usual": Text("The usual ones")}
_MOST_REPEATS = 20


def draw(shown: SetRow, tests: Sequence[TestRow]) -> None:
    """The form; a click begins."""
    choice = state.choice()
    known = alternatives(state.services().settings, choice, model_menu.listed().get(choice.endpoint, ()))
    models = _named(known)
    with st.form("run-tests", border=False):
        alone = sum(not row.recorded for row in tests)
        usual = 2 if alone == len(tests) else 0 if choice.endpoint == DEMO else 1
        mode = st.radio(say("How"), MODES, index=usual, format_func=saying(MODE_NAMES.get))
        if alone:
            st.caption(
                say(
                    "{n} test has no recording: it is run live only.",
                    "{n} tests have no recording: they are run live only.",
                    n=alone,
                )
            )
        scores = card_scores(state.services(), state.visitor())
        picked = st.multiselect(
            say("Models"),
            list(models),
            list(models)[:1],
            format_func=lambda name: f"{name}{card_table.beside(scores.of(models[name]))}",
        )
        wires = st.multiselect(say("How tools are called"), list(WIRES), [choice.wire], format_func=saying(WIRES.get))
        prompts = ["mine"]
        if choice.prompts:
            prompts = st.multiselect(say("Prompts"), list(_PROMPTS), ["mine"], format_func=saying(_PROMPTS.get))
        with st.container(horizontal=True):
            repeats = int(st.number_input(say("Runs of each test"), 1, _MOST_REPEATS, 1))
            most = float(st.number_input(say("US dollars at the most (0: no cap)"), 0.0, 1_000.0, 0.0, 0.1))
        started = st.form_submit_button(
            say("Run {n} test", "Run {n} tests", n=len(tests)),
            type="primary",
            icon=":material/play_arrow:",
            disabled=not tests,
        )
    if started:
        how = mode or MODES[0]
        versions = _versions({name: models[name] for name in picked}, wires, prompts)
        run(shown.id, Plan(how, versions, tests_for(how, tests), repeats, most))


def run(test_set: str, plan: Plan) -> None:
    """Begin, and show it."""
    with problems.telling():
        begin(asking.runs(), test_set, plan)
        st.rerun()


def _versions(models: Mapping[str, Alternative], wires: Sequence[str], prompts: Sequence[str]) -> tuple[Version, ...]:
    """Every model on every wire with each of the prompts; a name says what is not the same in all."""
    choice, settings = state.choice(), state.services().settings
    made: list[Version] = []
    for (name, model), wire, kind in product(models.items(), wires, prompts):
        with_model = one_off(choice, model, wire=wire)
        answered: Choice = replace(with_model, prompts=()) if kind == "usual" else with_model
        parts = [
            name,
            told(WIRES[wire]) if len(wires) > 1 else "",
            told(_PROMPTS[kind]) if len(prompts) > 1 else "",
        ]
        made.append(version_of(" · ".join(filter(None, parts)), answered, settings.base_url))
    return tuple(made)


def _named(models: Sequence[Alternative]) -> dict[str, Alternative]:
    """Each by its name, with its server where two have that name."""
    found: dict[str, Alternative] = {}
    for one in models:
        alike = sum(one.model == other.model for other in models) > 1
        server = f" · {one_line(origin(one.endpoint).partition('://')[2], 40)}" if alike else ""
        name = told(DEMO_NAME) if one.endpoint == DEMO else f"{one_line(one.model, 60)}{server}"
        found[name if name not in found else f"{name} · {len(found) + 1}"] = one
    return found
