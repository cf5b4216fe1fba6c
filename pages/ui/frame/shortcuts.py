"""The keys of the chat, listed."""

from __future__ import annotations

import streamlit as st

from agent.interface_text import Text
from pages.ui.session import state
from pages.ui.text.words import say, titled_dialog, told

# Those of ``shortcuts.js``, and of the buttons that have one.
_KEYS = (
    ("/", Text("Write a question")),
    ("O", Text("Open or close the last step")),
    ("Esc", Text("Stop the answer")),
    ("Ctrl K", Text("Search chats")),
    ("Ctrl Shift O", Text("New chat")),
    ("?", Text("This list")),
)


@titled_dialog("Keyboard shortcuts", on_dismiss=state.close_dialog)
def dialog() -> None:
    for keys, act in _KEYS:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(told(act), width="stretch")
            st.markdown(" ".join(f"`{key}`" for key in keys.split()), width="content")
    st.caption(say("On a Mac, Command does what Ctrl does."))
