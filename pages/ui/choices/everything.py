"""Deletes all that is kept of this visitor: a part of the settings dialog, which says what goes and what stays."""

from __future__ import annotations

from uuid import uuid4

import streamlit as st

from agent.application.erasure import erase
from agent.interface_text import Text
from pages.ui.choices import model_menu
from pages.ui.session import history, state
from pages.ui.text.words import say
from pages.ui.widgets import browser
from pages.ui.widgets.buttons import button

_ABOUT = "preferences", "everything"


def line() -> None:
    """The way to it."""
    button(Text("Delete everything…"), "everything", "delete_forever", state.open_dialog, *_ABOUT, quiet=True)


def draw() -> None:
    """What goes, what stays, and the button that deletes; after that, that it is done."""
    st.markdown(f"**{say('Delete everything')}**")
    if state.dialog_about() == "erased":
        st.write(say("Everything is deleted."))
        if st.button(say("Done"), key="erased", type="primary"):
            state.close_dialog()
            st.rerun()
        return
    theirs = state.services().chats.conversations(state.visitor())
    st.write(
        say(
            "Goes: all your chats with their tables, documents, pictures and shared links, your notes, tests and "
            "cards of models, the connected model, databases and settings, and what you typed but did not send."
        )
    )
    if state.signed_in_as():
        st.write(say("Stays: how much you used of this site's budget, what others share with you, and their copies."))
    else:
        st.write(
            say("Stays: how much this browser used of this site's budget, and what you or others exported or copied.")
        )
    st.write(
        say(
            "It is out of reach at once, and removed from the server's files within two hours. "
            "**It cannot be undone:** export the chats that you want to keep."
        )
    )
    if theirs:
        st.caption(say("{n} chat is listed now.", "{n} chats are listed now.", n=len(theirs)))
    with st.container(horizontal=True):
        if st.button(say("Delete everything now"), key="erase", type="primary", icon=":material/delete:"):
            _erase()
            st.rerun()  # the whole page: a dialog's own buttons draw the dialog alone
        button(Text("Keep it all"), "erase-not", "undo", state.open_dialog, "preferences")


def _erase() -> None:
    erase(state.services(), state.visitor())
    state.back_to_defaults()
    model_menu.forget()
    history.forget()
    state.put("deleted", [])
    state.put(browser.ERASED, uuid4().hex)
    state.open_conversation("")
    state.open_dialog("preferences", "erased")
