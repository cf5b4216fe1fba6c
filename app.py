"""The chat: lay out, start, follow, draw."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from time import sleep

import streamlit as st
from starlette.middleware import Middleware

from agent.application.chat_runs import ChatRuns
from agent.errors import RunUnreadable
from agent.evidence import Earlier, earlier_turn
from agent.interface_text import Text
from agent.so_far import tables_told
from agent.store.branches import Place, path
from agent.store.runs import ConversationRow, RunRow
from agent.views.fold import fold
from pages.ui.data import tables
from pages.ui.frame import frame
from pages.ui.frame.first_paint import UNKNOWN, FirstPaint
from pages.ui.run import ended_turn, inspector, offers, render, waiting
from pages.ui.run.pace import pause
from pages.ui.run.rerun import editing
from pages.ui.session import asking, history, reading, state
from pages.ui.session.gate import Gate
from pages.ui.text.aloud import aloud
from pages.ui.text.words import told
from pages.ui.widgets import browser, welcome


def main() -> None:
    frame.open_page("Chat")
    announce = render.announcer()
    services = state.services()
    conversation = state.conversation()
    runs = services.store.runs(conversation.id) if conversation else []
    shown = path(runs, state.picks())
    last = shown[-1].row if shown else None
    running = bool(last) and not last.ended
    loading = tables.at_work()  # before the box says what could not be loaded: else what ends meanwhile is never told
    browser.attend(running, last=last.id if last else "", grows=True, given_back=asking.given_back())
    asked = waiting.asked(last)
    frame.question_box(last.id if last and running else "", bool(asked) and asked.kind == "question", bool(last))
    if last and (last.ended or asked) and state.unseen(last.id):
        # It ended or asked while the sidebar was being drawn, whose list and budget are older than that.
        state.follow_ended(last.id)
        st.rerun()
    past = history.turns(conversation.id, (place.row for place in shown)) if conversation else []
    if conversation and not running and not loading:
        asking.ask_next(conversation.id)
    _above(conversation, len(runs), begun=bool(shown or loading))
    earlier: list[Earlier] = []
    # No turn changes its place while a run is followed: what it lacks of the one there before would stay beside it.
    hidden = frame.earlier_turns(shown[-1].row.conversation, len(shown) - running) if shown else 0
    for number, place in enumerate(shown[hidden:], hidden + 1):
        try:
            if place.row.ended:
                _draw(place, number, len(shown) - number, announce, earlier)
            elif place.row is last and asked:
                waiting.turn(place.row, announce)
                frame.waiting_questions(place.row.conversation)
            else:
                with services.runs.one_follower():
                    _follow(place.row, announce)
        except RunUnreadable as error:
            offers.unreadable(place, error)
    if last and not running and not loading:
        tables.arrived(last.created)
    if loading and conversation:
        frame.waiting_questions(conversation.id, Text("the files are loaded"))
        tables.follow(loading, announce)
    state.warm_up()
    history.read_ahead(past)


def _above(conversation: ConversationRow | None, runs: int, begun: bool) -> None:
    """What stands above the turns: the chat's bar; where nothing was asked yet, what one could ask.

    Both always have a place: what a screen lacks is emptied, else the last screen's stays there while a run is drawn.
    What it has is not emptied before it is drawn, else it would go for a moment.
    """
    if conversation:
        state.open_conversation(conversation.id)
        with st.container():
            frame.conversation_bar(conversation, runs)
    elif state.conversation_id():
        frame.no_such_chat()
    elif state.named(UNKNOWN):
        frame.no_such_page()
    else:
        st.empty()
    if begun or (state.conversation_id() and not conversation):
        st.empty()
        return
    with st.container():
        if conversation:
            tables.opening()
        else:
            welcome.draw()
            tables.samples()


def _draw(place: Place, number: int, later: int, announce: Callable[[str], object], earlier: list[Earlier]) -> None:
    """An ended turn, its ``number`` from 1, with so many ``later``, and what can be done with it.

    It is added to the ``earlier`` ones.
    """
    reader, row, last = reading.reader(), place.row, not later
    folded = ended_turn.is_folded(row.id, later)
    events = reader.events(row)
    view = fold(events)
    if last and view.next_questions and tables.are_gone(tables_told(events)):
        view = replace(view, next_questions=())  # they are about the tables
    known = reader.evidence(row, earlier)
    editing.question(row, view)
    unmerge = partial(asking.run_on, ChatRuns.unmerged, row, view) if last else None
    with ended_turn.draw(reader, row, view, events, known, earlier, unmerge, folded):
        if folded:
            offers.unfold(place)
        else:
            offers.draw(place, view, number, last)
    earlier.append(earlier_turn(events, known.claims))
    if last and state.was_followed(row.id):
        announce(aloud(view.answer) or told(view.failure))


def _follow(row: RunRow, announce: Callable[[str], object]) -> None:
    """Draw a run as it happens. Any click ends this script; the run goes on, and the next script attaches again.

    Does not come back: the page is drawn anew when the run has ended. While a dialog is open, the page stands still.
    """
    services = state.services()
    followed = services.runs.follow(row.id, wait=2.0)
    seen = len(followed.events)
    view = fold(followed.events)
    render.question(row.id, view)
    turn = render.Turn(
        row.id, partial(services.store.artifact, row.id), prompt=partial(inspector.tokens_being_read, row)
    )
    frame.waiting_questions(row.conversation)
    late = st.empty()
    doing, unstored = "", False
    while True:
        turn.draw(view, followed.place)
        if followed.unstored != unstored:
            unstored = followed.unstored
            render.not_kept_yet(late, view, unstored)
        if turn.doing != doing:
            doing = turn.doing
            announce(doing)
        if followed.done or state.dialog():
            break
        services.read_ahead(followed.events)
        sleep(pause(view, services.runs.followers, asking.opened_onto(row)))
        followed = services.runs.follow(row.id, seen)
        seen += len(followed.events)
        view = fold(followed.events, view)
    state.follow_ended(row.id)
    if followed.done:
        st.rerun()


@asynccontextmanager
async def _serving(_: object) -> AsyncIterator[None]:
    """While the server is up; at its end the runs are ended in order."""
    yield
    await asyncio.to_thread(state.end_runs)


if __name__ == "__main__":
    frame.page(main)
else:
    # Streamlit runs this file for every drawing of the page; before that, its server imports it for what is around it.
    app = st.App("app.py", middleware=[Middleware(Gate), Middleware(FirstPaint)], lifespan=_serving)
