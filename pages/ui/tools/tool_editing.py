"""Other words for a tool: the name and the description that the model is told, by default or in one chat."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from agent.application.setup import DEMO
from agent.errors import BadRequest
from agent.interface_text import Text
from agent.store.runs import ConversationRow
from agent.toolkit.wording import MOST_DESCRIPTION, ByTool, Words, changed, to_plain
from agent.tools.catalogue import ToolRow, one_tool, rows, specs
from pages.ui.choices import tool_choice
from pages.ui.evals import tests_offer
from pages.ui.session import asking, state
from pages.ui.text.escape import label
from pages.ui.text.words import say, saying, titled_dialog, told
from pages.ui.widgets import problems

_PLACES = {"here": Text("In this chat"), "all": Text("In all chats")}


@titled_dialog("Change a tool's words", width="medium", icon=":material/edit:", on_dismiss=state.close_dialog)
def dialog() -> None:
    own = state.dialog_about()
    row = next((row for row in rows(tool_choice.parts(), state.choice().tools) if row.spec.name == own), None)
    if row is None or row.tool is None:
        st.write(say("This tool is not here any more."))
        return
    st.caption(
        say(
            "What the model is told of **{own}**: in your language, or in words that suit your questions. "
            "Runs keep what they were told.",
            own=label(own, 64),
        )
    )
    conversation = state.conversation()
    where = "here" if conversation and own in asking.runs().words(conversation.id) else "all"
    if conversation:
        where = (
            st.segmented_control(
                say("Where"), list(_PLACES), default=where, format_func=saying(_PLACES.get), required=True
            )
            or where
        )
    _form(row, conversation if where == "here" else None)


def _form(row: ToolRow, conversation: ConversationRow | None) -> None:
    own, place = row.spec.name, "chat" if conversation else "all"
    words = asking.runs().words(conversation.id) if conversation else tool_choice.default_words()
    mine = words.get(own, Words())
    plain = one_tool(row.spec, tool_choice.parts_without_words())
    with st.form(f"words-{own}-{place}", border=False):
        name = st.text_input(
            say("Name"),
            mine.name or own,
            max_chars=64,
            help=say("Letters of any script, digits, _, - and single blanks."),
        )
        description = st.text_area(
            say("Description"), mine.description or plain.description, max_chars=MOST_DESCRIPTION, height=180
        )
        if state.choice().endpoint == DEMO:
            st.caption(say("The demo model knows tools by their own names: another one holds for other models."))
        save, reset = st.columns(2)
        saved = save.form_submit_button(say("Save"), type="primary", width="stretch")
        back = reset.form_submit_button(say("Back to its own words"), width="stretch", disabled=mine.empty)
        there = tests_offer.tests_to_run()
        tried = there and st.form_submit_button(told(tests_offer.FIRST), icon=":material/rule:", width="stretch")
    if back:
        name = description = ""
    other = "" if description.strip() == plain.description else description
    if saved or back:
        _keep(own, name, other, conversation)
    elif tried and there and (kept := _changed(own, name, other, conversation)) is not None:
        tests_offer.run(there, replace(state.choice(), words=to_plain(kept)))


def _changed(own: str, name: str, description: str, conversation: ConversationRow | None) -> ByTool | None:
    """The words of all tools with these; ``None``, and a person is told why, where they cannot be used."""
    here = tool_choice.parts()
    others = [spec.name for spec in specs(here) if spec.name != own]
    others += [words.name for other, words in here.words.items() if other != own and words.name]
    words = asking.runs().words(conversation.id) if conversation else tool_choice.default_words()
    try:
        return changed(words, own, name, description, others)
    except BadRequest as error:
        problems.tell(error, 300)
        return None


def _keep(own: str, name: str, description: str, conversation: ConversationRow | None) -> None:
    kept = _changed(own, name, description, conversation)
    if kept is None:
        return
    if conversation:
        tool_choice.keep_own_words(conversation.id, kept)
    else:
        state.choose(words=to_plain(kept))
    state.close_dialog()
    st.rerun()
