"""The chat: lay out, start, follow, draw."""

from __future__ import annotations

from functools import partial
from time import sleep

import streamlit as st

from agent.conversation import Question, ask, history
from agent.errors import GlassboxError
from agent.setup import setup
from agent.store import RunRow
from agent.view import RunView, fold
from pages.ui import frame, render, state
from pages.ui.escape import label

_FRAME_SECONDS = 1 / 15
_EXAMPLES = (
    "What is the square root of 25?",
    "What is 15% of 80?",
    "Convert 72 °F to Celsius",
    "How many days are there between 2024-01-01 and 2024-12-25?",
)


def main() -> None:
    frame.open_page("Chat")
    services = state.services()
    conversation = _conversation()
    path = services.store.path(conversation) if conversation else []
    typed = st.chat_input("Ask anything", key="question", disabled=bool(path) and not path[-1].ended) or state.asked()
    if typed:
        _start(typed, conversation, path[-1].id if path else "")
    # What a screen may lack keeps its place as an empty slot: else the last screen's stays there while a run is drawn.
    welcome = st.empty()
    if not path:
        with welcome.container():
            _welcome()
    for row in path:
        if not row.ended:
            _follow(row.id)
        _draw(row, last=row is path[-1])


def _conversation() -> str:
    """The conversation that the address bar names, if there is one."""
    conversation = state.conversation_id()
    if conversation and state.services().store.conversation(conversation) is None:
        st.info("There is no such conversation here. It may have been deleted, or the address is incomplete.")
        return ""
    return conversation


def _welcome() -> None:
    st.title("What shall we find out?")
    st.caption("Glassbox reasons, uses tools and shows every step.")
    for example in _EXAMPLES:
        if st.button(example, key=f"example-{example}"):
            state.ask_next(example)
            st.rerun()


def _start(text: str, conversation: str, follows: str, parent: str = "", merging: bool = True) -> None:
    """Start a run and show it. ``parent`` is the run that is asked anew, in the same place."""
    services = state.services()
    try:
        conversation = conversation or services.store.add_conversation("", text)
        chosen = setup(services.settings, state.choice(), services.capabilities, services.search_cache(conversation))
        run = services.store.add_run(conversation, follows)
    except GlassboxError as error:
        st.error(label(str(error), 600), icon=":material/error:")
        return
    question = Question(
        text,
        history(services.store, conversation, follows),
        parent=parent or follows,
        at=0 if parent else None,
        merging=merging,
    )
    services.runs.start(run, lambda cancel: ask(services.store, run, question, chosen, cancel))
    state.open_conversation(conversation)
    st.rerun()


def _draw(row: RunRow, last: bool) -> None:
    """An ended turn, and what can be done with it."""
    store = state.services().store
    view = fold(store.events(row.id))
    render.question(view)
    with render.assistant():
        if view.understood or view.merge_error:
            with st.container(horizontal=True, vertical_alignment="center"):
                render.understood(view)
                if (
                    last
                    and view.understood
                    and st.button("Use my words instead", key=f"words-{row.id}", type="tertiary")
                ):
                    _start(view.question, row.conversation, row.follows, parent=row.id, merging=False)
        render.ended(row.id, view, partial(store.artifact, row.id))
        offers = st.empty()
        if last and (view.state == "failed" or view.next_questions):
            with offers.container(horizontal=True):
                _offer(row, view)


def _offer(row: RunRow, view: RunView) -> None:
    if view.state == "failed" and st.button("Try again", key=f"again-{row.id}", icon=":material/refresh:"):
        _start(view.question, row.conversation, row.follows, parent=row.id)
    for suggestion in view.next_questions:
        if st.button(label(suggestion), key=f"next-{row.id}-{suggestion}"):
            state.ask_next(suggestion)
            st.rerun()


def _follow(run: str) -> None:
    """Draw a run as it happens. Any click ends this script; the run goes on, and the next script attaches again.

    Does not come back: the page is drawn anew when the run has ended.
    """
    runs = state.services().runs
    with st.bottom:
        st.button("Stop", key="stop", icon=":material/stop_circle:", on_click=runs.cancel, args=(run,))
    followed = runs.follow(run)
    seen = len(followed.events)
    view = fold(followed.events)
    render.question(view)
    with render.assistant():
        live = render.Live()
    while True:
        live.draw(view, followed.place)
        if followed.done:
            break
        sleep(_FRAME_SECONDS)
        followed = runs.follow(run, seen)
        seen += len(followed.events)
        view = fold(followed.events, view)
    st.rerun()


main()
