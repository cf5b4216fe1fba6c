"""Going on with what somebody shared, in a chat of one's own."""

from __future__ import annotations

import streamlit as st

from agent.application.teams.branching import branch
from agent.errors import BadRequest
from agent.interface_text import Text, packed, unpacked
from agent.sharing.shares import SharedChat
from pages.ui.session import reading, state
from pages.ui.teams import team_sharing
from pages.ui.text.escape import label
from pages.ui.text.words import say, told

_NOTICE = "branch-notice"
_BEGINS = Text("It begins with what stands here, and is yours.")


def offer(shared: SharedChat) -> None:
    """The button, where whoever reads may go on."""
    if not shared.branching:
        return
    st.button(
        say("Go on in a chat of my own"), key="branch", icon=":material/fork_right:", type="primary", on_click=_go_on
    )
    st.caption(f"{told(_BEGINS)} {team_sharing.along(shared.files)}")
    if said := state.widget(_NOTICE):
        st.warning(label(told(unpacked(said)), 300), icon=":material/error:")


def _go_on() -> None:
    """Where it was taken back meanwhile, the page says so."""
    shared = reading.shared()
    state.put(_NOTICE, None)
    if shared is None:
        return
    try:
        state.open_conversation(branch(state.services(), state.visitor(), shared))
    except BadRequest as error:
        state.put(_NOTICE, packed(error.text))
