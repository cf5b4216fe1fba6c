"""A question asked again to compare: what differs in the figures of the two answers, and both beside each other."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agent.application.chat_runs import ChatRuns
from agent.interface_text import Text
from agent.store.runs import RunRow
from agent.views.fold import RunView, fold
from agent.views.two_answers import compared
from pages.ui.session import asking, reading, state
from pages.ui.text.escape import Marking, label, marked
from pages.ui.text.words import say, told
from pages.ui.widgets import buttons

_HINT = Text("The same question once more, with the same model and settings. What differs in the figures is marked.")


def button(row: RunRow, view: RunView) -> None:
    """One click asks the question of a run again, to compare."""
    _ask(row, view, f"twice-{row.id}", quiet=True)


def draw(row: RunRow, view: RunView) -> None:
    """Under the second answer: how many figures differ; opened, both answers with those marked."""
    if not view.compares:
        return
    reader = reading.reader()
    first = reader.run(view.compares)
    before = fold(reader.readable(first) if first else ())
    if first is None or not before.answer:
        st.caption(
            f":material/compare: {say('The first answer is not kept any more, so there is nothing to compare.')}"
        )
    elif view.state == "failed":
        _not_compared(row, view, first, before)
    else:
        _both(row, view, first, before)


def _not_compared(row: RunRow, view: RunView, first: RunRow, before: RunView) -> None:
    stopped = view.reason == "cancelled"
    st.caption(
        ":material/compare: "
        + (
            say("The second answer was stopped, so there is nothing to compare. The first one is kept.")
            if stopped
            else say("There is no second answer to compare. The first one is kept.")
        )
    )
    if reading.token():
        return
    with st.container(horizontal=True, key=f"compare-{row.id}"):
        _ask(first, before, f"once-more-{row.id}")
        name, follows = Text("Show the first answer"), row.follows
        buttons.button(name, f"first-{row.id}", "undo", state.pick, follows, first.id, quiet=True)


def _both(row: RunRow, view: RunView, first: RunRow, before: RunView) -> None:
    found = compared(before.answer, view.answer)
    icon = ":material/difference:" if found.differing else ":material/check:"
    opened = st.expander(
        label(told(found.summary), 300),
        bool(found.differing),
        icon=icon,
        type="compact",
        key=f"compared-{row.id}",
        on_change="rerun",
    )
    with opened:
        st.empty()
        if not opened.open:
            return
        names = say("The first answer"), say("The second answer")
        both = zip(names, (before.answer, view.answer), (found.left, found.right), st.columns(2), strict=True)
        for name, answer, places, column in both:
            with column, st.container(border=True):
                st.caption(name)
                st.markdown(lit(answer, places))
        if not reading.token():
            both_runs = {"a": first.id, "b": row.id}
            st.page_link(
                "pages/compare.py", label=say("Compare every step"), icon=":material/compare:", query_params=both_runs
            )


def lit(answer: str, places: Sequence[tuple[int, int]]) -> str:
    """An answer as safe Markdown, with those places lit up."""
    return marked(answer, [Marking(start, end, "", "") for start, end in places])


def _ask(row: RunRow, view: RunView, key: str, quiet: bool = False) -> None:
    name, act = Text("Ask again and compare"), ChatRuns.compared
    buttons.button(name, key, "compare", asking.run_on, act, row, view, quiet=quiet, help=_HINT)
