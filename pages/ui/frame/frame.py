"""What every page shares: page settings, the sidebar, the dialogs; and the question box of the chat."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import sleep
from typing import LiteralString

import streamlit as st

from agent.errors import GlassboxError, RunUnreadable, StoreFailed, StoreRefused
from agent.interface_text import Text
from agent.store.runs import ConversationRow
from agent.store.totals import sentence
from pages.ui.choices import connect, model_menu, notes, preferences, shared_chats, tool_servers
from pages.ui.data import databases, first_rows, tables
from pages.ui.evals import keep_dialog
from pages.ui.frame import share as traveling
from pages.ui.frame import shortcuts, sidebar
from pages.ui.frame.first_paint import WITHOUT_SIDEBAR
from pages.ui.run import evidence, inspector, render
from pages.ui.run.rerun import changing, trying
from pages.ui.session import asking, people, reading, state
from pages.ui.teams import beginning
from pages.ui.text.escape import label, one_line
from pages.ui.text.words import FOLDER, say, speak, spoken, told
from pages.ui.tools import tool_editing, tool_trying
from pages.ui.widgets import browser, documents, pictures, problems
from pages.ui.widgets.buttons import button

log = logging.getLogger(__name__)
_AWAY_SECONDS = 2.0
_LONGEST_TITLE = 60  # characters, of a tab
_STYLE = Path(__file__).parent / "style.css"
_ALL_MARKS = Path(__file__).parent / "marks.css"
# Where a page is not drawn, no sidebar comes into the place that the page's first style keeps for it.
_NO_SIDEBAR = f"<style>{WITHOUT_SIDEBAR} {{ margin-left: 0 !important; }}</style>"
_TOTALS = Text(
    "All that this chat took up to now, tries and branches included; steps that a branch took over are "
    "counted once. Models without a known price are named, and the built-in one costs nothing."
)
_ADDRESS = Text("Opens in this browser only")
_DIALOGS = {
    "connect": connect.dialog,
    "database": databases.dialog,
    "table": first_rows.dialog,
    "preferences": preferences.dialog,
    "remember": notes.dialog,
    "rename": sidebar.rename_dialog,
    "call": inspector.dialog,
    "evidence": evidence.dialog,
    "change": changing.dialog,
    "with": trying.dialog,
    "export": traveling.export_dialog,
    "import": traveling.import_dialog,
    "keep-test": keep_dialog.dialog,
    "servers": tool_servers.dialog,
    "share": shared_chats.dialog,
    "shortcuts": shortcuts.dialog,
    "tool-words": tool_editing.dialog,
    "tool-try": tool_trying.dialog,
}
# Those that readers of a shared chat can open.
_TO_READ = "call", "evidence"


def open_page(title: LiteralString, wide: bool = False) -> None:
    layout = "wide" if wide else "centered"
    _speak()
    st.set_page_config(page_title=f"{_called(title)} · Glassbox", page_icon=render.LOGO, layout=layout)
    st.html(_STYLE)
    if spoken() != "en":
        st.html(FOLDER / f"{spoken()}.css")
    st.html(away_style() + _refused_style())
    st.logo(render.LOGO, size="large")
    try:
        state.services()
    except GlassboxError as error:
        broken(error)
        st.stop()
    if state.choice().marks:
        st.html(_ALL_MARKS)
    going = state.entered(title)
    if going is not None:
        st.switch_page("app.py", query_params={"c": going} if going else None)
    people.note()
    reading.note_read()  # before the list that says what is unread
    guest = reading.as_guest()
    if not guest:
        sidebar.draw()
    if state.dialog() in (_TO_READ if guest else _DIALOGS):
        _DIALOGS[state.dialog()]()


def _called(title: LiteralString) -> str:
    """What the browser's tab calls the page: the open chat by its own title."""
    with suppress(GlassboxError):  # it is said on the page
        if title == "Chat" and (chat := state.conversation()):
            return one_line(chat.title, _LONGEST_TITLE) or say("Chat")
    return say(title)


def away_style() -> str:
    """Style with which Streamlit's dialog of a page without its server says so in the person's words."""
    title = json.dumps(say("Connection lost"), ensure_ascii=False)
    text = json.dumps(say("The server cannot be reached. This page connects again by itself."), ensure_ascii=False)
    # Told from the app's dialogs by their blocks, and from Streamlit's others, such as of a page that is not there, by
    # the state of the connection.
    dialog = (
        '#root:not(:has(> * > [data-test-connection-state="CONNECTED"])) '
        '~ .stDialog [role="dialog"]:not(:has([data-testid="stVerticalBlock"]))'
    )
    return (
        f"<style>{dialog} :is(h2, h2 + div) {{ font-size: 0; }}{dialog} h2 + div > * {{ display: none; }}"
        f"{dialog} h2::after {{ content: {title}; font-size: 1.5rem; }}"
        f"{dialog} h2 + div::after {{ content: {text}; font-size: 1rem; }}</style>"
    )


def _refused_style() -> str:
    """Style with which a dialog says why a file is marked red: Streamlit does so in English, to the pointer alone."""
    text = json.dumps(say("This file is of another kind, or too large."), ensure_ascii=False)
    refused = '[data-testid="stFileUploader"]:has([data-testid="stFileChip"][aria-invalid="true"])::after'
    return f"<style>{refused} {{ content: {text}; font-size: 0.86rem; }}</style>"


def way_back() -> None:
    """A link to the chat that the person comes from, to a new one where they come from none."""
    st.page_link("app.py", label=say("To the chat"), icon=":material/arrow_back:", query_params=state.open_address())


def to_chat(conversation: str) -> None:
    """A link to the chat that the page is about; for who reads a shared one, to that."""
    there, address = ("pages/shared.py", reading.address()) if reading.token() else ("app.py", {"c": conversation})
    st.page_link(there, label=say("To its chat"), icon=":material/arrow_back:", query_params=address)


def _speak() -> None:
    """In the language that was chosen; in that of the browser where nobody can be asked."""
    try:
        chosen = state.choice().interface
    except GlassboxError:
        chosen = "auto"
    speak(chosen)


def page(main: Callable[[], None]) -> None:
    """Draw a page; a person is told in its place why it cannot go on."""
    try:
        main()
    except GlassboxError as error:
        broken(error)


def broken(error: GlassboxError) -> None:
    """What a visitor is told when the page itself cannot go on. Where the store is away, the page looks again."""
    st.html(_NO_SIDEBAR)
    away = isinstance(error, StoreFailed) and not isinstance(error, RunUnreadable | StoreRefused)
    if away:
        log.warning("the page cannot be drawn: %s", error)
        text = say("Your chats cannot be reached just now. Nothing is lost, and this page looks again by itself.")
        st.info(text, icon=":material/hourglass_top:")
    else:
        log.error("the page cannot be drawn", exc_info=error)
        problems.tell(error, 600)
    st.button(say("Try again"), key="try-page-again", icon=":material/refresh:")
    if away:
        sleep(_AWAY_SECONDS)
        st.rerun()


def not_shared() -> None:
    """What stands in the place of a shared chat that is not, or no more: the same, whether there is one or not."""
    if not reading.with_people():
        st.header(say("This chat is not shared"), anchor=False)
        st.write(say("The link is not complete, or whoever shared it has taken it back."))
    elif people.person():
        st.header(say("This chat is not shared with you"), anchor=False)
        st.write(say("It was shared with others, or whoever shared it has taken it back or deleted it."))
    else:
        st.header(say("Sign in to read what is shared with you"), anchor=False)
        st.write(say("Chats that are shared with people open for these people alone, once they have signed in."))
        if state.signing_in():
            st.button(say("Sign in"), key="sign-in-to-read", icon=":material/login:", type="primary", on_click=st.login)
    st.page_link("app.py", label=say("Ask something yourself"), icon=":material/edit_square:")


def no_such_run() -> None:
    """What is shown where the address names a run that is not there for whoever reads."""
    if reading.token():
        not_shared()
        return
    nothing_here(say("No such run here"), say("It may have been deleted, or belong to another browser."))


def nothing_here(title: str, text: str, conversation: str = "") -> None:
    """What is shown where there is nothing to show, with the way to the chat."""
    address = {"c": conversation} if conversation else None
    st.page_link("app.py", label=say("To the chat"), icon=":material/arrow_back:", query_params=address)
    st.header(title, anchor=False)
    st.write(text)


def no_such_chat() -> None:
    """What is shown where the address names a chat that is not there."""
    st.info(say("There is no such conversation here. It may have been deleted, or belong to another browser."))
    button(Text("New chat"), "start-anew", "edit_square", state.open_conversation, "")


def no_such_page() -> None:
    """What is shown in the chat where the address named a page that is not there."""
    st.info(say("There is no page at that address. This is the chat; all other pages are in the sidebar."))


def question_box(running: str, asked: bool = False, follows: bool = False) -> None:
    """The box to ask in. While the run of that id is at work, it can be stopped here.

    Where it has ``asked`` something, this may answer it. What is asked ``follows`` an earlier turn, or is the first.
    """
    with st.bottom:
        tables.row()
        documents.row()
        pictures.row()
        if running:
            with st.container(horizontal=True, horizontal_alignment="center", key="stop-row"):
                st.button(
                    say("Stop"),
                    key="stop",
                    icon=":material/stop_circle:",
                    shortcut="Esc",
                    on_click=asking.stop,
                    args=(running,),
                )
        if notice := asking.box_notice():
            st.warning(label(told(notice), 500), icon=":material/error:")
        hint = Text("Ask a follow-up") if follows else Text("Ask anything")
        sent = st.chat_input(
            say("Answer the question above") if asked else told(hint),
            key=asking.BOX,
            on_submit=asking.submit,
            accept_file="multiple",
            file_type=documents.FILE_TYPES,
            max_upload_size=tables.most_megabytes(),
        )
        with st.container(horizontal=True, vertical_alignment="center", key="under-box"):
            model_menu.draw()
            button(Text("Settings"), "preferences", "tune", state.open_dialog, "preferences", quiet=True)
            st.caption(say("Can be wrong. Open any step to check it."), width="content")
    if not asking.submitted() and sent:
        asking.submit()
        st.rerun()


def conversation_bar(conversation: ConversationRow, runs: int) -> None:
    """The title and what can be done with a chat of so many runs. From the second on it tells what all have used."""
    with st.container(horizontal=True, vertical_alignment="center", key="conversation-bar"):
        st.title(label(conversation.title), anchor=False, width="stretch")
        browser.copy(conversation=conversation.id, label=Text("Copy link"), icon="link", hint=_ADDRESS)
        if not state.services().shares.off:
            button(Text("Share…"), "share", "share", state.open_dialog, "share", conversation.id, quiet=True)
        button(Text("Export"), "export", "download", state.open_dialog, "export", conversation.id, quiet=True)
    beginning.line(conversation.id)
    totals = state.services().chats.totals(conversation.id)
    if runs > 1 and totals.runs:  # also while the second is at work: a line that came at its end would move all below
        st.caption(f"{label(told(sentence(totals)), 200)}", help=told(_TOTALS), width="content")


def earlier_turns(conversation: str, count: int) -> int:
    """How many of so many turns are not drawn yet, the first ones, and the button that asks for more of them."""
    earlier = max(0, count - state.turns_shown(conversation))
    if earlier:
        name = Text("Show {n} earlier turn", "Show {n} earlier turns", n=earlier)
        button(name, "earlier", "expand_less", state.show_earlier, conversation, quiet=True)
    return earlier


def waiting_questions(conversation: str, until: str = Text("this answer is there")) -> None:
    """The questions that are asked, one after the other, as soon as that is so."""
    waiting = asking.waiting(conversation)
    # The first of them will be drawn from here on, its turn in place of the slot: a block of another kind, which takes
    # nothing over from it. A question in its place would have what is left of the others beside it for the whole run.
    st.empty()
    # Empty where nothing waits: else a question that was taken back stays there until the run has ended.
    slot = st.empty()
    if not waiting:
        return
    with slot.container():
        for number, text in enumerate(waiting):
            render.asked(text)
            key = f"queued-{number}"
            with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", key=key):
                if number == 0:
                    st.caption(say("Asked next, when {until}.", until=until), width="content")
                remove = partial(asking.take_back, conversation, text)
                st.button(say("Remove"), key=f"remove-next-{number}", type="tertiary", on_click=remove)
