"""One run, whole: its calls in time, its events to look through, and the run again as a film."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from agent.errors import RunUnreadable
from agent.events import Asked, Event
from agent.interface_text import Text
from agent.store.runs import RunRow
from agent.views.event_list import CALLS
from agent.views.fold import RunView, fold
from agent.views.timeline import Span, length, spans
from pages.ui.frame import frame
from pages.ui.run.whole import event_rows, film
from pages.ui.run.whole import spans as chart
from pages.ui.session import reading, state
from pages.ui.text.escape import label
from pages.ui.text.words import say
from pages.ui.widgets import browser, problems
from pages.ui.widgets.figures import ended, figure, model, money, seconds, tokens


def main() -> None:
    frame.open_page("Run")
    reader = reading.reader()
    row = reader.run(state.named("r"))
    if row is None:
        browser.attend(False)
        frame.no_such_run()
        return
    try:
        events = reader.events(row)
    except RunUnreadable as error:
        browser.attend(False)
        problems.tell(error)
        frame.to_chat(row.conversation)
        return
    reading.lead_back_to(row)
    view = fold(events)
    _header(row, view, events)
    timeline, replay = st.tabs([say("Timeline"), say("Replay")], key=f"tabs-{row.id}", on_change="rerun")
    if replay.open and row.ended:
        with replay:
            film.draw(row.id, events, partial(reader.artifact, row))
        return
    browser.attend(False)
    with replay:
        if not row.ended:
            st.caption(say("It can be replayed when it has ended."))
    with timeline:
        laid = spans(events)
        _figures(view, laid)
        chart.draw(row.id, laid)
        event_rows.draw(row.id)


def _header(row: RunRow, view: RunView, events: list[Event]) -> None:
    others = not reading.token() and len(state.services().store.runs(row.conversation)) > 1
    with st.container(horizontal=True, vertical_alignment="center", key="run-links"):
        frame.to_chat(row.conversation)
        if others:
            st.page_link(
                "pages/compare.py", label=say("Compare"), icon=":material/compare:", query_params={"a": row.id}
            )
    st.header(label(view.question, 200), anchor=False)
    if not reading.token() and (trace := state.services().telemetry.trace(row.id)):
        with st.container(horizontal=True, vertical_alignment="center", key="run-trace"):
            st.caption(say("Trace {id}", id=trace), width="content")
            browser.copy(trace)
    asked = events[0] if events else None
    if isinstance(asked, Asked) and asked.parent and asked.at:
        st.caption(say("It goes on from another run: its first {at} entries are that one's.", at=asked.at))
    if not row.ended:
        with st.container(horizontal=True, vertical_alignment="center"):
            waits = f":material/front_hand: {say('It waits for you, in its chat: this is what is there so far.')}"
            works = f":material/hourglass_top: {say('Still at work: this is what is there so far.')}"
            st.caption(waits if view.waiting else works, width="content")
            st.button(say("Refresh"), key="refresh", icon=":material/refresh:", type="tertiary")


def _figures(view: RunView, laid: Sequence[Span]) -> None:
    with st.container(horizontal=True, key="run-figures"):
        figure(Text("State"), ended(view))
        figure(Text("Model"), model(view) or "–", CALLS.get(view.wire, ""))
        figure(
            Text("Tokens"),
            tokens(view.usage),
            Text("{count:,} from the cache", count=view.usage.cached) if view.usage.cached else "",
        )
        figure(Text("Cost"), money(view.price) if view.usage.total else "–")
        took = length(laid)
        # Calls side by side take less time than each of them together.
        figure(
            Text("Time"),
            seconds(took),
            Text("{seconds} of calls", seconds=seconds(view.seconds)) if view.seconds - took > 0.05 else "",
        )


frame.page(main)
