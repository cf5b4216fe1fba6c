"""The chat: lay out, start, follow, draw."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import sleep

import streamlit as st

from agent.errors import GlassboxError
from agent.store import RunRow
from agent.view import RunView, fold
from pages.ui import asking, browser, frame, render, state, welcome
from pages.ui.escape import label

_FRAME_SECONDS = 1 / 15


def main() -> None:
    frame.open_page("Chat")
    say = render.announcer()
    services = state.services()
    conversation = state.conversation()
    path = services.store.path(conversation.id) if conversation else []
    running = bool(path) and not path[-1].ended
    browser.attend(running)
    typed = frame.question_box(path[-1].id if running else "")
    if typed:
        state.ask_next(typed)
    if state.next_question() and not running:
        asking.start(state.next_question(), conversation.id if conversation else "", path[-1].id if path else "")
    # What a screen may lack keeps its place as an empty slot: else the last screen's stays there while a run is drawn.
    opening, bar = st.empty(), st.empty()
    if conversation:
        # A link of the sidebar opens a conversation, but Streamlit leaves the address bar as it was.
        state.open_conversation(conversation.id)
        with bar.container():
            frame.conversation_bar(conversation)
    elif state.conversation_id():
        bar.info("There is no such conversation here. It may have been deleted, or belong to another browser.")
    else:
        with opening.container():
            welcome.draw()
    for row in _shown(path):
        if row.ended:
            _draw(row, row is path[-1], say)
        else:
            _follow(row, say)


def _shown(path: list[RunRow]) -> list[RunRow]:
    """The last turns; earlier ones are drawn when they are asked for."""
    earlier = len(path) - state.turns_shown(path[-1].conversation) if path else 0
    if earlier > 0:
        turns = "1 earlier turn" if earlier == 1 else f"{earlier} earlier turns"
        more = partial(state.show_earlier, path[-1].conversation)
        st.button(f"Show {turns}", key="earlier", icon=":material/expand_less:", type="tertiary", on_click=more)
    return path[max(0, earlier) :]


def _draw(row: RunRow, last: bool, say: Callable[[str], None]) -> None:
    """An ended turn, and what can be done with it."""
    store = state.services().store
    view = fold(store.events(row.id))
    render.question(view)
    turn = render.Turn(row.id, partial(store.artifact, row.id))
    turn.draw(view, unmerge=partial(asking.unmerge, row, view) if last else None)
    with turn.foot.container():
        render.broken_off(view)
        if view.failure:
            render.failure(view)
        _offer(row, view, last)
    if last and state.was_followed(row.id):
        say(view.answer or view.failure)


def _offer(row: RunRow, view: RunView, last: bool) -> None:
    if last and view.state == "failed":
        with st.container(horizontal=True):
            _button("Continue", f"on-{row.id}", "play_arrow", asking.go_on, row, view, where=asking.can_go_on(view))
            _button("Try again", f"again-{row.id}", "refresh", asking.again, row, view)
            connecting = asking.wants_a_model(view)
            _button("Connect a model", f"connect-{row.id}", "neurology", state.open_dialog, "connect", where=connecting)
            offered = view.reason == "budget"
            _button("Use the demo", f"demo-{row.id}", "calculate", asking.with_the_demo, row, view, where=offered)
    if last and view.next_questions:
        with st.container(horizontal=True, key="next"):
            for suggestion in view.next_questions:
                st.button(
                    label(suggestion), key=f"next-{row.id}-{suggestion}", on_click=state.ask_next, args=(suggestion,)
                )
    with st.container(horizontal=True, vertical_alignment="center", key=f"foot-{row.id}"):
        render.summary(view)
        if last and view.state == "answered":
            _button("Try again", f"again-{row.id}", "refresh", asking.again, row, view, quiet=True)
        if view.answer:
            browser.copy(view.answer)
            frame.thumbs(row.id)


def _button(
    name: str, key: str, icon: str, act: Callable[..., None], *args: object, where: bool = True, quiet: bool = False
) -> None:
    if where:
        kind = "tertiary" if quiet else "secondary"
        st.button(name, key=key, icon=f":material/{icon}:", type=kind, on_click=act, args=args)


def _follow(row: RunRow, say: Callable[[str], None]) -> None:
    """Draw a run as it happens. Any click ends this script; the run goes on, and the next script attaches again.

    Does not come back: the page is drawn anew when the run has ended. While a dialog is open, the page stands still.
    """
    services = state.services()
    followed = services.runs.follow(row.id, wait=2.0)
    seen = len(followed.events)
    view = fold(followed.events)
    render.question(view)
    turn = render.Turn(row.id, partial(services.store.artifact, row.id))
    frame.waiting_question()
    doing = ""
    while True:
        turn.draw(view, followed.place)
        if render.current(view, followed.place) != doing:
            doing = render.current(view, followed.place)
            say(doing)
        if followed.done or state.dialog():
            break
        sleep(_FRAME_SECONDS)
        followed = services.runs.follow(row.id, seen)
        seen += len(followed.events)
        view = fold(followed.events, view)
    state.follow_ended(row.id)
    if followed.done:
        st.rerun()


try:
    main()
except GlassboxError as error:
    frame.broken(error)
