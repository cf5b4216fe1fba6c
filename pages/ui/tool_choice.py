"""Which tools there are for the open conversation, in which words, and the field in which they are chosen."""

from __future__ import annotations

from dataclasses import replace
from threading import Event as Flag
from typing import Any

import streamlit as st

from agent import catalogue
from agent.preferences import read_back, write_down
from agent.setup import Choice, words_for
from agent.tools.words import ByTool, from_plain, to_plain
from pages.ui import state

_KIND = "words"


def parts(cancel: Flag | None = None) -> catalogue.Parts:
    """What the tools of the open conversation are made with; ``cancel`` ends what they do with its tables."""
    services, row = state.services(), state.conversation()
    # What a tool finds for somebody without a conversation is nobody else's.
    searches = services.search_cache(row.id if row else f"visitor {state.visitor()}")
    tables = services.tables.open(state.visitor(), row.id, cancel) if row and cancel else state.tables()
    chosen, more = state.choice(), catalogue.own_entries(services.own_tools.look())
    words = words_for(chosen, own_words(row.id if row else ""))
    return catalogue.Parts(services.settings, searches, chosen.language, tables, more, words)


def field(chosen: Choice) -> tuple[str, ...]:
    """The tools that can be used now, to be switched, and what is chosen then."""
    here = parts()
    offered = catalogue.usable(here)
    on = [name for name in offered if catalogue.is_on(name, chosen.tools, here.more)]
    hint = "What the agent may use. The page Tools says what each is, and lets you try it."
    picked = st.pills("Tools", offered, selection_mode="multi", default=on, help=hint)
    return catalogue.choosing(picked, offered, chosen.tools, here.more)


def own_words(conversation: str) -> ByTool:
    """The words chosen for tools in a conversation of the visitor's own."""
    body = state.services().chats.chosen(conversation, _KIND) if conversation else ""
    kept: Any = read_back(body).get(_KIND, ())
    return from_plain(kept)


def keep_own_words(conversation: str, words: ByTool) -> bool:
    """Keep them for that conversation; whether it is the visitor's own."""
    body = write_down({_KIND: to_plain(words)}, "")
    return state.services().chats.choose(state.visitor(), conversation, _KIND, body)


def default_words() -> ByTool:
    """The words chosen for all conversations."""
    return from_plain(state.choice().words)


def parts_without_words() -> catalogue.Parts:
    """As ``parts``, with the tools in their own words."""
    return replace(parts(), words={})
