"""One tool on the page of tools: a line that opens to all there is to say of it."""

from __future__ import annotations

import streamlit as st

from agent.application.tool_cost import cost
from agent.interface_text import Text
from agent.loop.agent import Agent
from agent.store.tool_uses import Use, last_uses
from agent.toolkit.base import Tool
from agent.toolkit.forms import fields
from agent.tools import catalogue
from agent.tools.catalogue import ToolRow
from pages.ui.session import state
from pages.ui.text.escape import label, one_line, table_cell
from pages.ui.text.words import moment, say, spoken, told
from pages.ui.widgets.buttons import button
from pages.ui.widgets.figures import figure, seconds

_KINDS = {"arguments": Text("wrong input"), "timeout": Text("took too long"), "calls": Text("called too often")}


def draw(row: ToolRow, agent: Agent) -> None:
    own = row.spec.name
    key = f"tool-{own}"
    icon = f":material/{row.spec.icon}:"
    opened = st.expander(_title(row), icon=icon, key=key, on_change="rerun", type="compact")
    with opened:
        # Without anything in it, it could not be opened.
        st.empty()
        if opened.open:
            _body(row, agent)


def _title(row: ToolRow) -> str:
    called, name = told(row.spec.title), row.spec.name
    names = [called or name] if called.casefold() in ("", name) else [called, name]
    return f"{' · '.join(f'**{label(one, 64)}**' for one in names)} · {label(told(row.spec.purpose), 160)}"


def _by_another_name(row: ToolRow) -> str:
    # Not in the line itself: one that changes would close.
    return f" · {say('as **{name}**', name=label(row.name, 64))}" if row.name != row.spec.name else ""


def _body(row: ToolRow, agent: Agent) -> None:
    spec, tool = row.spec, row.tool
    if row.lack:
        icon = ":material/key:" if row.lack.kind == "setting" else ":material/info:"
        st.info(label(told(row.lack.sentence), 300), icon=icon)
    if tool:
        st.caption(f"{say('What the model is told')}{_by_another_name(row)}")
        st.text(tool.description)
        _parameters(tool)
        _figures(row, tool, agent)
    if spec.file:
        own = say("This site's own, from {file}.", file=label(spec.file, 80))
        st.caption(f":material/code: {own}")
    if spec.reaches_out:
        sent = say("What it is given is sent to somebody else's server.")
        st.caption(f":material/public: {sent}")
    if tool and tool.direct:
        st.caption(f":material/output: {say('Its result is the answer, as it is.')}")
    _actions(row)
    _uses(last_uses(state.services().store.database, state.visitor(), spec.name))


def _parameters(tool: Tool) -> None:
    form = fields(tool.parameters, spoken())
    if not form:
        st.caption(say("It takes no input."))
        return
    lines = [f"| {say('Input')} | {say('Takes')} | {say('Meaning')} |", "|---|---|---|"]
    for field in form:
        takes = field.expected if field.required else say("{expected}, optional", expected=field.expected)
        lines.append(f"| {table_cell(field.name)} | {table_cell(takes)} | {table_cell(field.meaning or '–')} |")
    st.markdown("\n".join(lines))


def _figures(row: ToolRow, tool: Tool, agent: Agent) -> None:
    with st.container(horizontal=True, key=f"figures-{row.spec.name}"):
        figure(Text("To tell of it"), Text("{count:,} tokens", count=cost(tool, agent)))
        figure(Text("May take"), say("{n} s", n=f"{tool.timeout:g}"))
        figure(
            Text("For one question"),
            Text("{n} call", "{n} calls", n=tool.most) if tool.most else Text("any number of calls"),
        )


def _actions(row: ToolRow) -> None:
    name = row.spec.name
    with st.container(horizontal=True, key=f"actions-{name}", vertical_alignment="center"):
        if row.state in ("ready", "off"):
            button(Text("Try it"), f"try-{name}", "play_arrow", state.open_dialog, "tool-try", name)
        if row.tool:
            button(Text("Change its words"), f"words-{name}", "edit", state.open_dialog, "tool-words", name, quiet=True)
        if row.can_be_switched:
            on = catalogue.is_on(name, state.choice().tools)
            st.toggle(
                say("The agent may use it"),
                on,
                key=f"use-{name}-{'ready' if on else 'off'}",
                on_change=_switch,
                args=(name,),
            )


def _switch(name: str) -> None:
    """Switch a tool: on where it was off, and the other way round."""
    chosen = state.choice()
    on = catalogue.is_on(name, chosen.tools)
    state.choose(tools=catalogue.choosing(() if on else (name,), (name,), chosen.tools))


def _uses(uses: list[Use]) -> None:
    if not uses:
        return
    st.caption(say("Last uses"))
    for use in uses:
        when = moment(use.asked)
        error = told(_KINDS.get(use.error, use.error))
        came = say("failed ({error})", error=error) if use.error else say("ok")
        name = one_line(use.input, 60) or say("without input")
        st.page_link(
            "pages/run.py",
            label=f"{label(name, 60)} :small[:gray[· {when} · {seconds(use.seconds)} · {label(came, 60)}]]",
            icon=":material/error:" if use.error else ":material/check:",
            query_params={"r": use.run},
        )
