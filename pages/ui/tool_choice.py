"""Which tools there are for the open conversation, and the field in which they are chosen."""

from __future__ import annotations

import streamlit as st

from agent import catalogue
from agent.approval import REACHING
from agent.setup import Choice
from pages.ui import databases, documents, state, tool_servers

_REACHING = "all that reach out"


def parts() -> catalogue.Parts:
    """What the tools of the open conversation are made with."""
    services = state.services()
    searches = services.search_cache(state.conversation_id())
    language, tables = state.choice().language, state.tables()
    ours = services.settings, searches, language, tables, documents.of_chat(), databases.opened()
    return catalogue.Parts(*ours, tool_servers.tools())


def field(chosen: Choice) -> tuple[str, ...]:
    """The tools that can be used now, to be switched, and what is chosen then."""
    offered = catalogue.usable(parts())
    on = [name for name in offered if catalogue.is_on(name, chosen.tools)]
    picked = st.pills("Tools", offered, selection_mode="multi", default=on, help="What the agent may use.")
    return catalogue.choosing(picked, offered, chosen.tools)


def approval_field(chosen: Choice) -> tuple[str, ...]:
    """The tools that are to ask before each call."""
    offered = [REACHING, *(name for name in catalogue.usable(parts()) if name != "ask_user")]
    on = [name for name in offered if name in chosen.approve]
    picked = st.pills(
        "Ask me before",
        offered,
        selection_mode="multi",
        default=on,
        format_func=lambda name: _REACHING if name == REACHING else name,
        help="Each call of these waits until you allow it, change it or deny it.",
    )
    return (*picked, *(name for name in chosen.approve if name not in offered))
