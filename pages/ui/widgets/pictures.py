"""Pictures of a question: those that wait above the box for the next one, and those in the bubble of an asked one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from agent.data.pictures import picture_size
from agent.events import Artifact
from agent.interface_text import Text
from pages.ui.session import open_chat, state
from pages.ui.text.escape import label
from pages.ui.text.words import say
from pages.ui.widgets.buttons import button

_WIDTH = 240  # pixels
_MOST_NAME = 30


def row() -> None:
    """The pictures that go with the next question, each to be looked at and removed."""
    chat = open_chat.tables()  # the address bar may say anybody's conversation
    tray = state.services().trays.get(chat.conversation) if chat else None
    waiting = tray.pictures if tray else ()
    if not tray or not waiting:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="pictures-row"):
        for picture in waiting:
            name = label(picture.name, _MOST_NAME)
            with st.popover(name, icon=":material/image:", type="tertiary", key=f"waiting-{picture.hash[:8]}"):
                _shown(picture, picture.content)
                button(Text("Remove"), f"remove-picture-{picture.hash[:8]}", "delete", tray.remove, picture.hash)
        st.caption(say("Sent with your next question"), width="content")


def draw(pictures: Sequence[Artifact], read: Callable[[str], bytes | None]) -> None:
    """The pictures that came with a question."""
    if pictures:
        with st.container(horizontal=True):
            for picture in pictures:
                _shown(picture, read(picture.hash))


def _shown(picture: Artifact, content: bytes | None) -> None:
    size = picture_size(content) if content else None
    try:
        shown = bool(content and size and st.image(content, width=min(_WIDTH, size[0]), alt=label(picture.name)))
    except (OSError, SyntaxError, ValueError):  # as Pillow calls what begins as a picture and is none
        shown = False
    if not shown:
        st.caption(say("This picture cannot be shown.") if content else say("It is no longer kept."))
