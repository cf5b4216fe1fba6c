"""The same question once more with another model or other settings, for this one time."""

from __future__ import annotations

import streamlit as st

from agent.application.chat_runs import ChatRuns
from agent.application.setup import DEMO, Alternative, Choice, alternatives, of_name, one_off
from agent.demo.model import NAME as DEMO_NAME
from agent.interface_text import Text
from agent.store.runs import RunRow
from agent.tools.catalogue import built_in
from agent.views.fold import CallView, RunView, fold
from agent.web.endpoint import origin
from pages.ui.choices import model_menu, preferences, tool_choice
from pages.ui.session import asking, state
from pages.ui.text.escape import one_line
from pages.ui.text.words import say, titled_dialog, told
from pages.ui.widgets import problems
from pages.ui.widgets.buttons import pick

_ALL, _ANY = Text("The question"), Text("Choose or add an option")


@titled_dialog("Try with…", width="medium", icon=":material/alt_route:", on_dismiss=state.close_dialog)
def dialog() -> None:
    run, _, number = state.dialog_about().partition(":")
    row = state.own_run(run)
    if row is None:
        st.write(say("This run is not kept any more."))
        return
    view = fold(state.services().store.events(run))
    st.caption(say("For this one time, as a branch beside the old one. Your own model and settings stay as they are."))
    with st.form("trying", border=False):
        step = _start(view, int(number or 0))
        choice = _choice()
        if st.form_submit_button(say("Run with this"), type="primary", icon=":material/play_arrow:"):
            _run(row, view, step, choice)


def _run(row: RunRow, view: RunView, step: int, choice: Choice) -> None:
    with problems.telling():
        if step:
            asking.run_on(ChatRuns.from_step, row, step, choice)
        else:
            asking.run_on(ChatRuns.again, row, view, choice)
        state.close_dialog()
        st.rerun()


def _start(view: RunView, step: int) -> int:
    """Where to run on from: 0 for the beginning."""
    starts = {told(_ALL): 0}
    for each in view.steps:
        about = _called(each.calls[0]) if each.calls else each.thought or say("the answer")
        starts[one_line(say("Step {number}: {about}", number=each.number, about=about), 80)] = each.number
    if len(starts) < 2:
        return 0
    index = next((index for index, number in enumerate(starts.values()) if number == step), 0)
    return starts[st.selectbox(say("Start from"), list(starts), index)]


def _called(call: CallView) -> str:
    return f"{call.tool} {built_in(call.own_name).about(call.arguments) or call.argument}"


def _choice() -> Choice:
    settings, chosen = state.services().settings, state.choice()
    names = {_name(one): one for one in alternatives(settings, chosen, model_menu.listed().get(chosen.endpoint, ()))}
    hint = Text("Or type the name of another one of the same server.")
    picked = st.selectbox(say("Model"), list(names), accept_new_options=True, placeholder=told(_ANY), help=told(hint))
    wire = pick(Text("How tools are called"), preferences.WIRES, chosen.wire)
    tools = tool_choice.field(chosen)
    limits = preferences.limits_fields(chosen.limits)
    temperature = st.number_input(
        say("Temperature"), 0.0, 2.0, chosen.temperature, step=0.1, placeholder=say("the model's own")
    )
    other = names.get(picked) or of_name(settings, chosen, picked.strip())
    return one_off(chosen, other, wire=wire, tools=tools, temperature=temperature, limits=limits)


def _name(one: Alternative) -> str:
    if one.endpoint == DEMO:
        return told(DEMO_NAME)
    return one_line(f"{one.model} · {origin(one.endpoint).partition('://')[2]}", 120)
