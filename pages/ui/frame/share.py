"""Take a chat along as a file, and bring one in."""

from __future__ import annotations

import streamlit as st

from agent.errors import GlassboxError
from agent.interface_text import Text
from agent.sharing.import_file import MOST_BYTES
from pages.ui.session import state
from pages.ui.text.words import say, titled_dialog, told
from pages.ui.widgets import problems


@titled_dialog("Export this chat", icon=":material/download:", on_dismiss=state.close_dialog)
def export_dialog() -> None:
    from agent.evidence.gathering import notes_of
    from agent.sharing.export.checked_answer import checked
    from agent.sharing.export.collected import take
    from agent.sharing.export.html_page import export_html
    from agent.sharing.export.json_lines import export_json_lines
    from agent.sharing.export.markdown import export_markdown

    st.caption(say("Every question, step and answer, with what was observed. Keys are never part of it."))
    try:
        taken = take(state.services().store, state.visitor(), state.dialog_about())
    except GlassboxError as error:
        problems.tell(error)
        return
    if taken.unreadable:
        st.caption(say("Runs that cannot be read here are left out."))
    if any(notes_of(run.events) for run in taken.runs):
        st.caption(say("The file of events has the exact prompts, and so your notes."))
    web = Text("To read anywhere: one file, no network, no scripts.")
    events = Text("JSON lines: everything, to import it again.")
    forms = (
        (Text("Web page"), web, "html", "text/html", lambda: export_html(taken, checked(taken))),
        (
            "Markdown",
            Text("To paste into notes."),
            "md",
            "text/markdown",
            lambda: export_markdown(taken, checked(taken)),
        ),
        (Text("Events"), events, "jsonl", "application/jsonl", lambda: export_json_lines(taken)),
    )
    for name, hint, ending, kind, write in forms:
        st.download_button(
            f"**{told(name)}** {told(hint)}",
            data=write,
            file_name=f"glassbox-chat.{ending}",
            mime=kind,
            key=f"export-{ending}",
            icon=":material/download:",
            width="stretch",
            on_click="ignore",
        )


@titled_dialog("Import a chat", icon=":material/upload:", on_dismiss=state.close_dialog)
def import_dialog() -> None:
    from agent.sharing.import_file import read_import
    from agent.sharing.import_save import save_import

    sent = st.file_uploader(
        say("A file of events that Glassbox exported"), type=["jsonl"], max_upload_size=MOST_BYTES >> 20
    )
    if sent is None:
        return
    with problems.telling():
        exported = read_import(sent.getvalue())
        conversation = save_import(state.services().store, state.visitor(), exported)
        state.close_dialog()
        state.open_conversation(conversation)
        st.rerun()
