"""A shared chat: all that its own page shows, to be read by whoever has the address, or by whom it is shared with."""

from __future__ import annotations

import streamlit as st

from agent.application.readership import Readership
from agent.application.teams.branching import branch
from agent.errors import BadRequest, RunUnreadable
from agent.evidence import Earlier, earlier_turn
from agent.interface_text import Text, packed, unpacked
from agent.sharing.shares import SharedChat
from agent.store.runs import RunRow
from agent.views.fold import fold
from pages.ui.frame import frame
from pages.ui.run import ended_turn, offers, render
from pages.ui.session import reading, state
from pages.ui.teams import received, team_sharing
from pages.ui.text.escape import label
from pages.ui.text.words import moment, say, told
from pages.ui.widgets import browser, problems

_NOTICE = "branch-notice"
_BEGINS = Text("It begins with what stands here, and is yours.")


def main() -> None:
    frame.open_page("Shared chat")
    browser.attend(False)
    shared = reading.shared()
    if shared is None:
        frame.not_shared()
        return
    _head(shared)
    reader, earlier = reading.reader(), list[Earlier]()
    for row in shared.turns[frame.earlier_turns(shared.conversation, len(shared.turns)) :]:
        try:
            _turn(reader, row, earlier)
        except RunUnreadable as error:
            problems.tell(error)
    with st.container(key="shared-foot", gap="small"):
        _going_on(shared)
        st.caption(say("Answers can be wrong. Open any step to check it."))
        st.page_link("app.py", label=say("Ask something yourself"), icon=":material/edit_square:")


def _head(shared: SharedChat) -> None:
    with st.container(gap=None, key="shared-head"):
        st.header(label(shared.title, 200) or say("Shared chat"), anchor=False)
        when = say("As it was on {moment}", moment=moment(shared.updated))
        if shared.sharer:
            st.caption(f":material/group: {received.shared_by(shared.sharer)} · {when}")
        else:
            st.caption(f":material/visibility: {say('A shared chat, to read only')} · {when}")


def _turn(reader: Readership, row: RunRow, earlier: list[Earlier]) -> None:
    events = reader.events(row)
    view, known = fold(events), reader.evidence(row, earlier)
    render.question(row.id, view)
    with ended_turn.draw(reader, row, view, events, known, earlier):
        offers.to_read(row, view)
    earlier.append(earlier_turn(events, known.claims))


def _going_on(shared: SharedChat) -> None:
    """The button to a chat of one's own, where whoever reads may go on."""
    if not shared.branching:
        return
    st.button(
        say("Go on in a chat of my own"), key="branch", icon=":material/fork_right:", type="primary", on_click=_go_on
    )
    st.caption(f"{told(_BEGINS)} {team_sharing.along(shared.files)}")
    if said := state.widget(_NOTICE):
        st.warning(label(told(unpacked(said)), 300), icon=":material/error:")


def _go_on() -> None:
    """Where it was taken back meanwhile, the page says so."""
    shared = reading.shared()
    state.put(_NOTICE, None)
    if shared is None:
        return
    try:
        state.open_conversation(branch(state.services(), state.visitor(), shared))
    except BadRequest as error:
        state.put(_NOTICE, packed(error.text))


frame.page(main)
