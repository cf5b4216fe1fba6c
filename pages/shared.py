"""A shared chat: all that its own page shows, to be read by whoever has the address, or by whom it is shared with."""

from __future__ import annotations

from functools import partial

import streamlit as st

from agent.application.readership import Readership
from agent.errors import GlassboxError, RunUnreadable
from agent.evidence import Earlier, earlier_turn
from agent.sharing.shares import SharedChat
from agent.store.runs import RunRow
from agent.views.fold import fold
from pages.ui.choices.shared_chats import told_moment
from pages.ui.frame import frame
from pages.ui.run import ended_turn, offers, render
from pages.ui.session import reading, state
from pages.ui.teams import going_on, received
from pages.ui.text.escape import label
from pages.ui.text.words import say
from pages.ui.widgets import browser, problems


def main() -> None:
    frame.open_page("Shared chat")
    browser.attend(False)
    shared = reading.shared()
    if shared is None:
        frame.not_shared()
        return
    _head(shared)
    reader, earlier = reading.reader(), list[Earlier]()
    for row in _window(shared):
        try:
            _turn(reader, row, earlier)
        except RunUnreadable as error:
            problems.tell(error)
    with st.container(key="shared-foot", gap="small"):
        going_on.offer(shared)
        st.caption(say("Answers can be wrong. Open any step to check it."))
        st.page_link("app.py", label=say("Ask something yourself"), icon=":material/edit_square:")


def _head(shared: SharedChat) -> None:
    with st.container(gap=None, key="shared-head"):
        st.header(label(shared.title, 200) or say("Shared chat"), anchor=False)
        when = say("As it was on {moment}", moment=told_moment(shared.updated))
        if shared.sharer:
            st.caption(f":material/group: {received.shared_by(shared.sharer)} · {when}")
        else:
            st.caption(f":material/visibility: {say('A shared chat, to read only')} · {when}")


def _window(shared: SharedChat) -> tuple[RunRow, ...]:
    """The last turns; earlier ones are drawn when they are asked for."""
    earlier = max(0, len(shared.turns) - state.turns_shown(shared.conversation))
    if earlier:
        more = partial(state.show_earlier, shared.conversation)
        name = say("Show {n} earlier turn", "Show {n} earlier turns", n=earlier)
        st.button(name, key="earlier", icon=":material/expand_less:", type="tertiary", on_click=more)
    return shared.turns[earlier:]


def _turn(reader: Readership, row: RunRow, earlier: list[Earlier]) -> None:
    events = reader.events(row)
    view, known = fold(events), reader.evidence(row, earlier)
    render.question(row.id, view)
    with ended_turn.draw(reader, row, view, events, known, earlier):
        offers.to_read(row, view)
    earlier.append(earlier_turn(events, known.claims))


try:
    main()
except GlassboxError as error:
    frame.broken(error)
