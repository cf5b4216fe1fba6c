"""What an open chat began with, where that is something special: a line under its title."""

from __future__ import annotations

import streamlit as st

from agent.application.teams.beginning import BEGINNING, read_beginning
from agent.sharing.shares import Sharer
from pages.ui.session import state
from pages.ui.teams.received import sharer_name
from pages.ui.text.escape import label
from pages.ui.text.words import say

_NAMED = 10  # of what is left


def _left(names: tuple[str, ...]) -> str:
    """What could not come along."""
    if not names:
        return ""
    told = ", ".join(label(name, 60) for name in names[:_NAMED])
    return say("These could not come along, as they are gone, too large or out of reach: {names}.", names=told)


def line(conversation: str) -> None:
    began = read_beginning(state.services().chats.chosen(conversation, BEGINNING))
    if began.sharer:
        name = sharer_name(Sharer(began.sharer, began.confirmed))
        st.caption(f":material/fork_right: {say('Began with what {name} shared.', name=name)} {_left(began.left)}")
    if began.preset:
        name = label(began.preset, 60)
        st.caption(f":material/bookmark: {say('Began with the preset “{name}”.', name=name)}")
