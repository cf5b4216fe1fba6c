"""The sidebar: new chat, the visitor's conversations, what is left of a budget, signing in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from itertools import groupby

import streamlit as st

from agent.interface_text import Text
from agent.store.runs import ConversationRow
from agent.store.unanswered import MOST_OF_TITLE
from pages.ui.session import asking, people, state
from pages.ui.teams import received
from pages.ui.text.escape import label
from pages.ui.text.words import say, titled_dialog, told, zone
from pages.ui.widgets.buttons import button, show_more
from pages.ui.widgets.figures import dollars

_MENU = {"Rename": Text("Rename"), "Pin": Text("Pin"), "Unpin": Text("Unpin"), "Delete": Text("Delete")}
_ICONS = {
    "Rename": ":material/edit:",
    "Pin": ":material/keep:",
    "Unpin": ":material/keep_off:",
    "Delete": ":material/delete:",
}
_ROWS = 30  # conversations


def draw() -> None:
    with st.sidebar:
        st.button(
            say("New chat"),
            key="new-chat",
            icon=":material/edit_square:",
            width="stretch",
            type="primary",
            on_click=state.open_conversation,
            args=("",),
        )
        _conversations()
        button(Text("Import a chat"), "import", "upload", state.open_dialog, "import", quiet=True)
        open_chat = state.open_address()
        with st.container(key="pages"):
            st.page_link("pages/tools.py", label=say("Tools"), icon=":material/handyman:", query_params=open_chat)
            st.page_link("pages/prompts.py", label=say("Prompts"), icon=":material/article:", query_params=open_chat)
            st.page_link("pages/tests.py", label=say("Tests"), icon=":material/rule:", query_params=open_chat)
            contents = {**open_chat, "view": "all"}
            st.page_link("pages/handbook.py", label=say("Handbook"), icon=":material/menu_book:", query_params=contents)
            if people.owns_site():
                st.page_link("pages/site.py", label=say("Site"), icon=":material/monitoring:", query_params=open_chat)
        if state.services().servers.offered:
            button(Text("Tool servers"), "servers", "extension", state.open_dialog, "servers", quiet=True)
        _meter()
        _account()


def _conversations() -> None:
    chats = state.services().chats
    matching = st.text_input(
        say("Search chats"),
        key="search",
        placeholder=say("Search chats"),
        icon=":material/search:",
        label_visibility="collapsed",
    )
    most = int(state.widget("rows") or _ROWS)
    rows = chats.conversations(state.visitor(), matching, most=most + 1)
    _undo()
    shown, others = rows[:most], None if matching else received.listed()
    # While a run is followed, what is not drawn again stays: a list that has changed goes into the other slot.
    mine = [f"{_group(row)} {row.id} {row.waiting}" for row in shown]
    slot = state.slot_of_list([*mine, *(f"{each.id} {each.unread}" for each in others or ())])
    if slot:
        st.empty()
    with st.container():
        if matching and not rows:
            st.caption(say("No chat has all of these words."))
        _rows(shown)
        if len(rows) > len(shown):
            show_more("more-chats", "rows", most + _ROWS)
        if others is not None:
            received.draw(others)
    if not slot:
        st.empty()


def _rows(shown: Sequence[ConversationRow]) -> None:
    for group, members in groupby(shown, key=_group):
        st.caption(told(group))
        with st.container(gap=None):
            for row in members:
                _row(row)


def _row(row: ConversationRow) -> None:
    current = row.id == state.conversation_id()
    key = f"chat-{'current-' if current else ''}{row.id}"
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap=None, key=key):
        icon = ":material/front_hand:" if row.waiting else None
        title = f"{say('Waits for you')} · {label(row.title, 60)}" if row.waiting else label(row.title, 60)
        st.page_link("app.py", label=title, icon=icon, query_params={"c": row.id}, width="stretch")
        key = f"menu-{row.id}"
        st.menu_button(
            say("More of “{title}”", title=label(row.title, 60)),
            ("Rename", "Unpin" if row.pinned else "Pin", "Delete"),
            key=key,
            icon=":material/more_horiz:",
            type="tertiary",
            format_func=lambda name: f"{_ICONS[name]} {told(_MENU[name])}",
            on_click=partial(chosen, row, key),
        )


def chosen(row: ConversationRow, key: str) -> None:
    """Do what was chosen in the menu of a chat, the widget of that key."""
    chats, visitor = state.services().chats, state.visitor()
    match state.widget(key):
        case "Rename":
            state.open_dialog("rename", row.id)
        case "Pin" | "Unpin":
            chats.pin(visitor, row.id, not row.pinned)
        case "Delete":
            if chats.delete(visitor, row.id):
                asking.stop_all(row.id)
                state.deleted(row.id, row.title)
                if state.conversation_id() == row.id:
                    state.open_conversation("")
        case _:
            pass


def _undo() -> None:
    """A way back to each of the chats that were deleted last, the last one first."""
    with st.empty().container(gap=None):
        for conversation, title in reversed(state.deleted()):
            with st.container(horizontal=True, vertical_alignment="center", key=f"undo-row-{conversation}"):
                st.caption(say("Deleted “{title}”", title=label(title, 30)), width="stretch")
                button(Text("Undo"), f"undo-{conversation}", "undo", _restore, conversation, quiet=True)


def _restore(conversation: str) -> None:
    if state.services().chats.restore(state.visitor(), conversation):
        state.open_conversation(conversation)
    state.put("deleted", [each for each in state.deleted() if each[0] != conversation])


@titled_dialog("Rename chat", on_dismiss=state.close_dialog)
def rename_dialog() -> None:
    row = state.services().store.conversation(state.dialog_about())
    if row is None or row.visitor != state.visitor():
        st.write(say("This chat is gone."))
        return
    with st.form("rename", border=False):
        # With a bound the field would take nothing of a longer text that is pasted, without a word.
        title = st.text_input(say("Name"), value=row.title)
        if st.form_submit_button(say("Rename"), type="primary"):
            if len(" ".join(title.split())) > MOST_OF_TITLE:
                st.caption(say("A name has at most {most} characters; this is longer.", most=MOST_OF_TITLE))
            elif state.services().chats.rename(state.visitor(), row.id, title):
                state.close_dialog()
                st.rerun()
            else:
                st.caption(say("A chat needs a name."))


def _group(row: ConversationRow) -> str:
    """The heading a conversation stands under, by the visitor's own calendar."""
    if row.pinned:
        return Text("Pinned")
    days = (datetime.now(zone()).date() - datetime.fromtimestamp(row.updated, zone()).date()).days
    if days < 2:
        return Text("Today") if days < 1 else Text("Yesterday")
    return Text("Last 7 days") if days < 8 else Text("Last 30 days") if days < 31 else Text("Earlier")


def _meter() -> None:
    """What is left of the owner's budget, where this visitor is on it."""
    if not state.on_owners_key():
        return
    meter = state.services().budget.meter(state.visitor())
    if meter.messages_most:
        part = min(1.0, meter.messages_used / meter.messages_most)
        st.progress(
            part,
            text=say(
                "{messages_used} of {messages_most} messages today",
                messages_used=meter.messages_used,
                messages_most=meter.messages_most,
            ),
        )
    if meter.money_most:
        part = min(1.0, meter.money_used / meter.money_most)
        st.progress(
            part,
            text=say(
                "{money_used} of {money_most} USD today",
                money_used=dollars(meter.money_used, meter.money_most),
                money_most=dollars(meter.money_most),
            ),
        )


def _account() -> None:
    if not state.signing_in():
        return
    if name := state.signed_in_as():
        st.caption(say("Signed in as {name}", name=label(name, 60)))
        st.button(say("Sign out"), key="sign-out", type="tertiary", on_click=st.logout)
    else:
        st.button(say("Sign in"), key="sign-in", icon=":material/login:", on_click=st.login)
