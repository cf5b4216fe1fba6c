"""Which tools there are for the open conversation, in which words, and the field in which they are chosen."""

from __future__ import annotations

from dataclasses import replace
from threading import Event as Flag

import streamlit as st

from agent.application.chat_runs import WORDS
from agent.application.preferences import write_down
from agent.application.setup import Choice
from agent.interface_text import Text
from agent.loop.approval import REACHING
from agent.toolkit.wording import ByTool, from_plain, to_plain
from agent.tools import catalogue
from agent.tools.spec import Parts
from pages.ui.session import asking, state
from pages.ui.text.words import say, told

_REACHING = Text("All that reach out")


def parts(cancel: Flag | None = None) -> Parts:
    """What the tools of the open conversation are made with; ``cancel`` ends what they do with its tables."""
    row = state.conversation()
    return asking.runs().parts(row.id if row else "", cancel)


def field(chosen: Choice) -> tuple[str, ...]:
    """The tools that can be used now, to be switched, and what is chosen then."""
    offered = catalogue.to_switch(parts())
    on = [name for name in offered if catalogue.is_on(name, chosen.tools)]
    hint = Text("What the agent may use. The page Tools says what each is, and lets you try it.")
    picked = st.pills(say("Tools"), offered, selection_mode="multi", default=on, format_func=_called, help=told(hint))
    return catalogue.choosing(picked, offered, chosen.tools)


def approval_field(chosen: Choice) -> tuple[str, ...]:
    """The tools that are to ask before each call."""
    there = catalogue.usable(parts())
    offered = [REACHING, *(name for name in there if catalogue.built_in(name).effect != "asks")]
    on = [name for name in offered if name in chosen.approve]
    picked = st.pills(
        say("Ask me before"),
        offered,
        selection_mode="multi",
        default=on,
        format_func=_called,
        help=say("Each call of these waits until you allow it, change it or deny it."),
    )
    return (*picked, *(name for name in chosen.approve if name not in offered))


def _called(name: str) -> str:
    """What people call a tool."""
    return told(_REACHING) if name == REACHING else told(catalogue.built_in(name).title or name)


def keep_own_words(conversation: str, words: ByTool) -> bool:
    """Keep them for that conversation; whether it is the visitor's own."""
    body = write_down({WORDS: to_plain(words)}, "")
    return state.services().chats.choose(state.visitor(), conversation, WORDS, body)


def default_words() -> ByTool:
    """The words chosen for all conversations."""
    return from_plain(state.choice().words)


def parts_without_words() -> Parts:
    """As ``parts``, with the tools in their own words."""
    return replace(parts(), words={})
