"""All tools: what each is for, what it needs, what it costs, when it was used; its words to change, itself to try."""

from __future__ import annotations

import streamlit as st

from agent.application.tool_cost import cost, telling
from agent.extensions.folder import Problem
from agent.interface_text import Text
from agent.loop.agent import Agent
from agent.tools.catalogue import CATALOGUE, State, ToolRow, matching, rows
from pages.ui.choices import tool_choice, tool_servers
from pages.ui.frame import frame
from pages.ui.session import state
from pages.ui.text.escape import label
from pages.ui.text.words import say, told
from pages.ui.tools import tool_rows
from pages.ui.widgets import browser

_GROUPS: dict[State, str] = {
    "ready": Text("In use"),
    "off": Text("Switched off"),
    "needs": Text("Need something first"),
    "owner": Text("Not offered here"),
}


def main() -> None:
    frame.open_page("Tools")
    browser.attend(False)
    frame.way_back()
    st.header(say("Tools"), anchor=False)
    services, chosen = state.services(), state.choice()
    listed = rows(tool_choice.parts(), chosen.tools)
    agent = telling(services.settings, chosen, services.capabilities, services.prices)
    st.caption(_summary(listed, agent))
    _problems(services.own_tools.look().problems)
    sought = st.text_input(
        say("Search tools"),
        key="search-tools",
        placeholder=say("Search tools"),
        icon=":material/search:",
        label_visibility="collapsed",
    )
    found = matching(listed, sought)
    if not found:
        st.write(say("No tool has all of these words."))
    for group, title in _GROUPS.items():
        members = [row for row in found if row.state == group]
        if members:
            st.subheader(told(title), anchor=False)
            with st.container(gap="xsmall", key=f"tools-{group}"):
                for row in members:
                    tool_rows.draw(row, agent)
    tool_servers.section()
    if not services.settings.tools_folder:
        how = say(
            "The owner of this site can add tools in five lines of Python: set {setting} and drop a file in.",
            setting=label("GLASSBOX_TOOLS_FOLDER", 40),
        )
        st.caption(f":material/code: {how}")


def _summary(listed: tuple[ToolRow, ...], agent: Agent) -> str:
    used = [row.tool for row in listed if row.state == "ready" and row.tool]
    tokens = sum(cost(tool, agent) for tool in used)
    own = sum(bool(row.spec.file) for row in listed)
    counts = {"used": len(used), "all": len(CATALOGUE) + own}
    if own:
        in_use = say(
            "{used} of {all} tools are in use; {n} is this site's own.",
            "{used} of {all} tools are in use; {n} are this site's own.",
            n=own,
            **counts,
        )
    else:
        in_use = say("{used} of {all} tools are in use.", **counts)
    took = say("Telling the model of them takes about {tokens:,} tokens of every prompt.", tokens=tokens)
    return f"{in_use} {took}"


def _problems(problems: tuple[Problem, ...]) -> None:
    """What is wrong in the owner's own files."""
    for problem in problems:
        where = say(", line {line}", line=problem.line) if problem.line else ""
        st.error(
            f"**{label(problem.file, 80)}{where}** · {label(told(problem.sentence), 300)}", icon=":material/code_off:"
        )


frame.page(main)
