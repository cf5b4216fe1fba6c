"""What the person asked to be remembered: a dialog that takes a note, and the list of all of them under Settings."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from agent.application.setup import DEMO
from agent.errors import BadRequest
from agent.interface_text import Text
from agent.store.notes import MOST_CHARACTERS, Note
from pages.ui.session import state
from pages.ui.text.escape import label
from pages.ui.text.words import say, titled_dialog, told
from pages.ui.widgets import problems
from pages.ui.widgets.buttons import button

_TELLS = Text(
    "In every chat, from the next question on. Where they take more than a tenth of the model's window, the newest."
)


@titled_dialog("Remember this", icon=":material/bookmark_add:", on_dismiss=state.close_dialog)
def dialog() -> None:
    text = " ".join(state.dialog_about().split())
    if not text:
        _done()
        return
    st.caption(say("A note is told to the model in all your chats. Keep it short; you find it again under Settings."))
    if len(text) > MOST_CHARACTERS:
        st.caption(say("A note has room for {most} characters: this is the beginning.", most=MOST_CHARACTERS))
    with st.form("note", border=False):
        typed = st.text_area(say("Note"), text[:MOST_CHARACTERS], max_chars=MOST_CHARACTERS, height=120)
        saved = st.form_submit_button(say("Remember"), type="primary", icon=":material/bookmark_add:")
    if not state.choice().notes:
        st.caption(say("The model is told none of your notes now: that is switched off under Settings."))
    elif state.choice().endpoint == DEMO:
        st.caption(say("The demo model works by rules and reads no notes; any other model does."))
    if saved and _kept(lambda: state.services().notes.add(state.visitor(), typed, state.conversation_id())):
        state.open_dialog("remember")
        st.rerun()


def _done() -> None:
    st.write(say("Remembered. The model is told from your next question on."))
    with st.container(horizontal=True):
        if st.button(say("Done"), type="primary"):
            state.close_dialog()
            st.rerun()
        if st.button(say("Notes"), icon=":material/bookmark:"):
            state.open_dialog("preferences", "notes")
            st.rerun()


def line() -> None:
    """How many notes there are, and the way to them."""
    count = len(state.services().notes.of(state.visitor()))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="notes-line"):
        said = say("{n} note is remembered.", "{n} notes are remembered.", n=count) if count else say("No notes yet.")
        st.caption(said if state.choice().notes else f"{said} {say('The model is not told.')}", width="stretch")
        button(Text("Notes"), "notes", "bookmark", state.open_dialog, "preferences", "notes", quiet=True)


def draw() -> None:
    """All notes, to be changed and deleted; a field for another one; the switch."""
    st.markdown(f"**{say('Notes')}**")
    st.toggle(
        say("Tell the model my notes"),
        state.choice().notes,
        key="tell-notes",
        help=told(_TELLS),
        on_change=lambda: state.choose(notes=bool(state.widget("tell-notes"))),
    )
    notes = state.services().notes.of(state.visitor())
    if not notes:
        st.caption(say("Nothing is remembered yet. Press Remember under an answer, or select a text in a chat."))
    for note in notes:
        _row(note)
    with st.form("new-note", border=False, clear_on_submit=True):
        typed = st.text_area(say("Another note"), key="new-note-text", max_chars=MOST_CHARACTERS, height=80)
        added = st.form_submit_button(say("Remember"), icon=":material/bookmark_add:")
    if added and _kept(lambda: state.services().notes.add(state.visitor(), typed)):
        st.rerun()
    st.button(say("Back to settings"), type="tertiary", on_click=state.open_dialog, args=("preferences",))


def _row(note: Note) -> None:
    key = f"note-{note.id}"
    with st.container(border=True, key=f"kept-{note.id}", gap="small"):
        st.text_area(
            say("Note"),
            note.text,
            key=key,
            max_chars=MOST_CHARACTERS,
            height="content",
            label_visibility="collapsed",
            on_change=lambda: _changed(note, str(state.widget(key))),
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            if note.conversation:
                said = say("From: {title}", title=label(note.title, 60))
                place = st.container(width="stretch")
                if place.button(said, key=f"from-{note.id}", type="tertiary"):
                    state.close_dialog()
                    state.open_conversation(note.conversation)
                    st.rerun()
            else:
                st.caption(say("From no chat that is still there"), width="stretch")
            button(
                Text("Delete"),
                f"delete-{note.id}",
                "delete",
                state.services().notes.remove,
                state.visitor(),
                note.id,
                quiet=True,
            )


def _changed(note: Note, text: str) -> None:
    try:
        state.services().notes.change(state.visitor(), note.id, text)
    except BadRequest:
        # Nothing is left in it: what was there stays, and is shown again.
        state.put(f"note-{note.id}", note.text)


def _kept(act: Callable[[], None]) -> bool:
    """Do it; where that cannot be, say why."""
    try:
        act()
    except BadRequest as error:
        problems.tell(error)
        return False
    return True
