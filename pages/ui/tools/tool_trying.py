"""Try a tool: a form made from its schema, or its input as a model would write it; the call is made beside the page."""

from __future__ import annotations

from threading import Event as Flag
from typing import Any

import streamlit as st

from agent.application.tool_trial import ToolTrial
from agent.errors import BudgetReached
from agent.interface_text import Text
from agent.toolkit.forms import Field, fields, text_of
from agent.tools.catalogue import ToolRow, rows
from pages.ui.choices import tool_choice
from pages.ui.run import steps
from pages.ui.session import again, state
from pages.ui.text.escape import label
from pages.ui.text.words import say, saying, spoken, titled_dialog, told
from pages.ui.widgets import artifacts, problems
from pages.ui.widgets.figures import seconds

_LOOK_SECONDS = 0.5
_WAYS = {"form": Text("Form"), "raw": Text("As the model writes it")}


@titled_dialog("Try a tool", width="medium", icon=":material/play_arrow:", on_dismiss=state.close_dialog)
def dialog() -> None:
    own, cancel = state.dialog_about(), Flag()
    row = next((row for row in rows(tool_choice.parts(cancel), None) if row.spec.name == own), None)
    if row is None or row.tool is None or row.state not in ("ready", "off"):
        why = row.why if row and row.why else Text("This tool is not here any more.")
        st.write(label(told(why), 300))
        return
    st.caption(f"**{label(row.name, 64)}** · {label(told(row.spec.purpose), 200)}")
    asked = _input(row)
    if asked is not None:
        _start(row, asked, cancel)
    _result(own)


def _key(own: str) -> str:
    return f"{state.visitor()} {own}"


def _input(row: ToolRow) -> str | None:
    """The input of the call that was asked for just now."""
    assert row.tool is not None
    own = row.spec.name
    form = fields(row.tool.parameters, spoken())
    raw = False
    if form:
        how = st.segmented_control(
            say("Input"), list(_WAYS), default="form", format_func=saying(_WAYS.get), required=True, key=f"how-{own}"
        )
        raw = how == "raw"
    with st.form(f"try-{own}-{'raw' if raw else 'form'}", border=False):
        if raw:
            text = st.text_area(
                say("Input"),
                key=f"raw-{own}",
                placeholder=say("{example}, or near it", example=f'{{"{form[0].name}": …}}'),
            )
        else:
            values = {field.name: _described(own, field) for field in form}
            text = text_of(form, values)
        sent = st.form_submit_button(say("Run"), type="primary", icon=":material/play_arrow:")
    return text if sent else None


def _described(own: str, field: Field) -> object:
    said = _widget(own, field)
    if field.meaning:
        st.caption(label(field.meaning, 300))
    return said


def _widget(own: str, field: Field) -> object:
    name = label(field.name, 60) + ("" if field.required else say(" (optional)"))
    start: Any = field.default
    more: dict[str, Any] = {"key": f"field-{own}-{field.name}"}
    low, high = field.low, field.high
    match field.kind:
        case "boolean":
            return st.toggle(name, bool(start), **more)
        case "choice":
            index = field.choices.index(start) if start in field.choices else 0 if field.required else None
            return st.selectbox(name, field.choices, index, format_func=lambda one: label(str(one), 80), **more)
        case "integer":
            bounds = (None if low is None else int(low), None if high is None else int(high))
            return st.number_input(name, *bounds, start, step=1, **more)
        case "number":
            start = None if start is None else float(start)
            return st.number_input(name, low and float(low), high and float(high), start, step=None, **more)
        case "date":
            return st.date_input(name, start, **more)
        case "long" | "list" | "json":
            hint = {"list": say("one a line"), "json": field.expected}.get(field.kind)
            shown = "\n".join(map(str, start)) if isinstance(start, list) else str(start or "")
            return st.text_area(name, shown, placeholder=hint, **more)
        case _:
            return st.text_input(name, "" if start is None else str(start), **more)


def _start(row: ToolRow, text: str, cancel: Flag) -> None:
    assert row.tool is not None
    services, settings = state.services(), state.services().settings
    if row.spec.reaches_out and (settings.visitor_messages or settings.day_messages):
        # It may be the owner's key that it reaches out with.
        try:
            services.budget.take(state.visitor())
        except BudgetReached as error:
            services.trials.drop(_key(row.spec.name))
            problems.tell(error)
            return
    services.trials.keep(_key(row.spec.name), ToolTrial(row.tool, text, cancel))


def _result(own: str) -> None:
    """What came of the last try. While it is at work a script waits for half a second, then starts anew."""
    trial = state.services().trials.get(_key(own))
    if trial is None:
        return
    if not trial.done():
        with st.container(horizontal=True, vertical_alignment="center", key="trying"):
            st.caption(
                f":material/hourglass_top: {say('At work')} · {trial.seconds:.0f} s",
                width="content",
            )
            st.button(
                say("Stop"), key="stop-try", type="tertiary", on_click=state.services().trials.drop, args=(_key(own),)
            )
        trial.done(_LOOK_SECONDS)
        again.dialog()
    if trial.failure or trial.call is None:
        problems.tell(trial.failure, 300)
        return
    call = trial.call
    st.divider()
    took = seconds(call.seconds)
    st.markdown(
        say(":red[:material/error: Failed] in {took}", took=took)
        if call.error
        else say(":green[:material/check_circle: Done] in {took}", took=took)
    )
    for repair in call.repairs:
        st.caption(f":material/build: {label(told(repair), 300)}")
    steps.called(call)
    artifacts.draw(f"try-{own}", call.artifacts, trial.contents.get)
