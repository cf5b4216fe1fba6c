"""All tools: what each is for, what it needs, what it costs, when it was used; its words to change, itself to try."""

from __future__ import annotations

import streamlit as st

from agent.application.setup import DEMO
from agent.errors import GlassboxError
from agent.extensions.folder import Problem
from agent.tools.catalogue import CATALOGUE
from agent.tools.listing import State, ToolRow, cost, matching, rows
from pages.ui.choices import tool_choice, tool_servers
from pages.ui.frame import frame
from pages.ui.session import state
from pages.ui.text.escape import label
from pages.ui.text.words import say
from pages.ui.tools import tool_rows
from pages.ui.widgets import browser

_GROUPS: dict[State, str] = {
    "ready": "In use",
    "off": "Switched off",
    "needs": "Need something first",
    "owner": "Not offered here",
}


def main() -> None:
    frame.open_page("Tools")
    browser.attend(False)
    conversation = state.conversation()
    back = {"c": conversation.id} if conversation else None
    st.page_link("app.py", label=say("To the chat"), icon=":material/arrow_back:", query_params=back)
    st.header(say("Tools"), anchor=False)
    here, chosen = tool_choice.parts(), state.choice()
    listed = rows(here, chosen.tools)
    wire = "react" if chosen.endpoint == DEMO or chosen.wire == "react" else "native"
    st.caption(say(_summary(listed, wire, here.language)))
    _problems(state.services().own_tools.look().problems)
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
            st.subheader(say(title), anchor=False)
            with st.container(gap="xsmall", key=f"tools-{group}"):
                for row in members:
                    tool_rows.draw(row, wire, here.language)
    tool_servers.section()
    if not state.services().settings.tools_folder:
        st.caption(
            say(
                ":material/code: The owner of this site can add tools in five lines of Python: "
                "set GLASSBOX\\_TOOLS\\_FOLDER and drop a file in."
            )
        )


def _summary(listed: tuple[ToolRow, ...], wire: str, language: str) -> str:
    used = [row.tool for row in listed if row.state == "ready" and row.tool]
    tokens = sum(cost(tool, wire, language) for tool in used)
    own = sum(bool(row.spec.file) for row in listed)
    mine = f"; {own} {'is' if own == 1 else 'are'} this site's own" if own else ""
    count = f"{len(used)} of {len(CATALOGUE) + own} tools are in use{mine}."
    return f"{count} Telling the model of them takes about {tokens:,} tokens of every prompt."


def _problems(problems: tuple[Problem, ...]) -> None:
    """What is wrong in the owner's own files."""
    for problem in problems:
        where = say(f", line {problem.line}") if problem.line else ""
        st.error(
            f"**{label(problem.file, 80)}{where}** · {label(say(problem.sentence), 300)}", icon=":material/code_off:"
        )


try:
    main()
except GlassboxError as error:
    frame.broken(error)
