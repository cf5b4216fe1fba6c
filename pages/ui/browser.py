"""What only the browser can do: the cookie, the draft, the clipboard, the focus."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

from pages.ui import state

_SCRIPT = (Path(__file__).parent / "browser.js").read_text(encoding="utf-8")


def attend(working: bool, about: str = "") -> None:
    """Keep this browser's cookie and draft, and give the focus back when ``working`` ends.

    ``about`` is what else than a conversation grows on the page: its end is kept in sight.
    """
    data = {
        "visitor": "" if state.signed_in_as() else state.cookie(),
        "conversation": about or state.conversation_id(),
        "working": working,
    }
    component = st.components.v2.component("glassbox_browser", js=_SCRIPT)
    with st.container(key="browser"):
        component(key="browser-component", data=data)


def copy(text: str = "", conversation: str = "", label: str = "Copy", icon: str = "content_copy") -> None:
    """A button that copies ``text``, or the address of ``conversation``."""
    carried = {"text": text, "conversation": conversation, "label": label, "icon": icon}
    attributes = " ".join(f'data-{name}="{escape(value)}"' for name, value in carried.items())
    st.html(
        f'<button type="button" class="glassbox-copy" {attributes}>'
        f'<span class="icon" aria-hidden="true">{escape(icon)}</span> <span class="text">{escape(label)}</span>'
        "</button>",
        width="content",
    )
