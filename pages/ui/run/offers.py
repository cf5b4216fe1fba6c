"""What can be done with an ended turn: go on, try again, ask what was suggested, copy, judge, see another branch."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import streamlit as st

from agent.application.chat_runs import ChatRuns
from agent.application.setup import DEMO
from agent.errors import RunUnreadable
from agent.interface_text import Text
from agent.store.branches import Place
from agent.store.runs import RunRow
from agent.views.fold import RunView
from pages.ui.run import ended_turn, judging, render, two_answers
from pages.ui.session import asking, reading, state
from pages.ui.text.escape import label
from pages.ui.text.words import say, told
from pages.ui.widgets import browser, problems
from pages.ui.widgets.buttons import button


def draw(place: Place, view: RunView, number: int, last: bool) -> None:
    """What stands under the turn of that number, from 1; the ``last`` one has more."""
    row = place.row
    # What only the last turn has leaves an empty place: else it would stay until the next run has ended.
    if last and view.state == "failed" and view.question:
        with st.container(horizontal=True):
            _failed(row, view)
    else:
        st.empty()
    if last and view.next_questions:
        with st.container(horizontal=True, key="next"):
            for text in view.next_questions:
                st.button(label(text), key=f"next-{row.id}-{text}", on_click=asking.ask, args=(text,))
    else:
        st.empty()
    with st.container(gap=None, key=f"foot-{row.id}"):
        render.summary(view)
        with st.container(horizontal=True, vertical_alignment="center", key=f"acts-{row.id}"):
            _acts(place, view, number, last)
    if view.answer:
        judging.comment(row.id)


def unfold(place: Place) -> None:
    """What can be done with a folded turn: draw it whole, see another branch."""
    hint = Text("Shows what this turn did and used, and what can be done with it.")
    with (
        st.container(gap=None, key=f"foot-{place.row.id}"),
        st.container(horizontal=True, vertical_alignment="center", key=f"acts-{place.row.id}"),
    ):
        _branches(place)
        about = ended_turn.unfold, place.row.id
        button(Text("Steps and more"), f"unfold-{place.row.id}", "unfold_more", *about, quiet=True, help=hint)


def to_read(row: RunRow, view: RunView) -> None:
    """What a reader of a shared chat can do with a turn: look closer, and copy."""
    with st.container(gap=None, key=f"foot-{row.id}"):
        render.summary(view)
        with st.container(horizontal=True, vertical_alignment="center", key=f"acts-{row.id}"):
            _calls(row, view)
            if view.answer:
                browser.copy(view.answer)
            with st.container(horizontal=True, vertical_alignment="center", width="content", key=f"pages-{row.id}"):
                _about(row)


def unreadable(place: Place, error: RunUnreadable) -> None:
    """What stands in the place of a run that cannot be read; the other branches are as near as ever."""
    problems.tell(error)
    with st.container(horizontal=True, vertical_alignment="center", key=f"acts-{place.row.id}"):
        _branches(place)


def _acts(place: Place, view: RunView, number: int, last: bool) -> None:
    row = place.row
    _branches(place)
    _calls(row, view)
    if view.state == "answered":
        button(Text("Try again"), f"again-{row.id}", "refresh", asking.run_on, ChatRuns.again, row, view, quiet=True)
        two_answers.button(row, view)
    if view.answer:
        browser.copy(view.answer)
        if view.state == "answered":
            hint = Text("Keeps the question with what is expected of its answer: run it when something has changed.")
            about = "keep-test", row.id
            button(Text("Keep as a test"), f"keep-{row.id}", "rule", state.open_dialog, *about, quiet=True, help=hint)
        judging.thumbs(row.id)
    with st.container(horizontal=True, vertical_alignment="center", width="content", key=f"pages-{row.id}"):
        _pages(place)
        _menu(row, view, number, last)


def _menu(row: RunRow, view: RunView, number: int, last: bool) -> None:
    """What is done with a turn now and then, in a menu of its own: one line is enough for what is done every day."""
    offers = dict(_seldom(row, view, last))
    if not offers:
        return
    key = f"more-{row.id}"

    def chosen() -> None:
        if (name := state.widget(key)) in offers:
            _, act, about = offers[name]
            act(*about)

    st.menu_button(
        say("More about answer {number}", number=number),
        list(offers),
        key=key,
        icon=":material/more_horiz:",
        type="tertiary",
        format_func=lambda name: f":material/{offers[name][0]}: {told(name)}",
        help=say("More"),
        on_click=chosen,
    )


_Offer = tuple[str, tuple[str, Callable[..., None], tuple[object, ...]]]


def _seldom(row: RunRow, view: RunView, last: bool) -> Iterator[_Offer]:
    """The names of a turn's menu, each with its icon, what it does, and with what."""
    answered, dialog = view.state == "answered", state.open_dialog
    if answered or not last:
        yield Text("Try with…"), ("alt_route", dialog, ("with", row.id))
    if answered and last and row.follows and not view.understood and view.endpoint != DEMO:
        yield Text("Rewrite and ask"), ("merge", asking.run_on, (ChatRuns.merged, row, view))
    if view.answer:
        yield Text("Remember"), ("bookmark_add", dialog, ("remember", view.answer))


def _failed(row: RunRow, view: RunView) -> None:
    if asking.can_go_on(view):
        button(Text("Continue"), f"on-{row.id}", "play_arrow", asking.run_on, ChatRuns.resumed, row, view)
        hint = Text("No more tools: the best answer from what was observed.")
        button(Text("Answer now"), f"now-{row.id}", "bolt", asking.run_on, ChatRuns.answering_now, row, view, help=hint)
    button(Text("Try again"), f"again-{row.id}", "refresh", asking.run_on, ChatRuns.again, row, view)
    hint = Text("The same question with another model or other settings, for this one time.")
    button(Text("Try with…"), f"with-{row.id}", "alt_route", state.open_dialog, "with", row.id, help=hint)
    if view.reason in ("model", "budget"):
        button(Text("Connect a model"), f"connect-{row.id}", "neurology", state.open_dialog, "connect")
    if view.reason == "budget":
        button(Text("Use the demo"), f"demo-{row.id}", "calculate", asking.with_the_demo, row, view)


def _branches(place: Place) -> None:
    """‹ 2/3 ›: the runs that stand in the same place; each keeps what followed it."""
    count, number = len(place.branches), place.number
    if count < 2:
        return
    row = place.row
    with st.container(horizontal=True, vertical_alignment="center", gap=None, width="content", key=f"fork-{row.id}"):
        _branch(place, -1, "chevron_left", Text("Earlier branch"))
        st.caption(f"{number}/{count}", width="content")
        _branch(place, 1, "chevron_right", Text("Later branch"))


def _branch(place: Place, step: int, icon: str, name: str) -> None:
    wanted = place.number - 1 + step
    there = 0 <= wanted < len(place.branches)
    st.button(
        told(name),
        key=f"branch-{step}-{place.row.id}",
        icon=f":material/{icon}:",
        type="tertiary",
        help=told(name),
        disabled=not there,
        on_click=state.pick,
        args=(place.row.follows, place.branches[wanted].id if there else ""),
    )


def _calls(row: RunRow, view: RunView) -> None:
    """The call behind an answer that has no step of its own to open."""
    last = view.steps[-1] if view.steps else None
    if last and not (last.thought or last.calls):
        hint = Text("What was sent to the model and what came back for this answer.")
        about = f"{row.id}:{last.number}"
        button(
            Text("Call"), f"call-{row.id}-end", "manage_search", state.open_dialog, "call", about, quiet=True, help=hint
        )


def _pages(place: Place) -> None:
    """The pages about this run."""
    row = place.row
    _about(row)
    if len(place.branches) > 1:
        other = place.branches[place.number % len(place.branches)]
        # The earlier one first: what differs is told as what became of it.
        first, second = sorted((row, other), key=place.branches.index)
        both = {"a": first.id, "b": second.id}
        st.page_link("pages/compare.py", label=say("Compare"), icon=":material/compare:", query_params=both)


def _about(row: RunRow) -> None:
    there = reading.address(r=row.id)
    st.page_link("pages/run.py", label=say("Run"), icon=":material/timeline:", query_params=there)
    st.page_link("pages/context.py", label=say("Context"), icon=":material/data_usage:", query_params=there)
