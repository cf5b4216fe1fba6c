"""Two runs of a conversation side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from agent.application.setup import DEMO
from agent.events import Event
from agent.evidence import Earlier, earlier_turn
from agent.store.runs import RunRow
from agent.views.fold import RunView, fold
from pages.ui.frame import frame
from pages.ui.run.whole import side_by_side
from pages.ui.session import state
from pages.ui.text.escape import one_line
from pages.ui.text.words import moment, say
from pages.ui.widgets import browser
from pages.ui.widgets.figures import ended, model

_MOST_RUNS = 40
_MOST_EARLIER = 12


def main() -> None:
    frame.open_page("Compare", wide=True)
    browser.attend(False)
    left = state.own_run(state.named("a"))
    if left is None:
        frame.no_such_run()
        return
    rows = _choices(left)
    right = next((row for row in rows if row.id == state.named("b")), None) or _beside(left, rows)
    if right and not state.named("b") and right.created < left.created:
        left, right = right, left  # nobody chose an order: what differs is told as what became of the earlier one
    with st.container(key="compare"):
        frame.to_chat(left.conversation)
        st.header(say("Two runs side by side"), anchor=False)
        if right is None:
            st.write(say("There is nothing to compare it with yet. Try again, or change a step, and come back."))
            return
        _side_by_side(left, right, rows)


def _side_by_side(left: RunRow, right: RunRow, rows: Sequence[RunRow]) -> None:
    both = left, right
    views = fold(_events(left)), fold(_events(right))
    numbers = _numbers(left.conversation)
    _pick(both, rows, numbers)
    heads = side_by_side.heads(*views, (numbers.get(left.id, 1), numbers.get(right.id, 1)))
    side_by_side.took(*views, (ended(views[0]), ended(views[1])), heads)
    st.subheader(say("Answers"), anchor=False)
    behind = (_behind(left) if left.ended else "", _behind(right) if right.ended else "")
    side_by_side.answers(*views, behind, heads)
    st.subheader(say("Steps"), anchor=False)
    side_by_side.pairs(*views)


def _choices(row: RunRow) -> list[RunRow]:
    """The runs of its conversation that can be read: those in its own place first, then the latest."""
    store = state.services().store
    rows = [other for other in store.runs(row.conversation) if store.readable(other.id)]
    return sorted(rows, key=lambda other: (other.follows != row.follows, -other.created))[:_MOST_RUNS]


def _beside(row: RunRow, rows: Sequence[RunRow]) -> RunRow | None:
    return next((other for other in rows if other.id != row.id), None)


def _numbers(conversation: str) -> dict[str, int]:
    """The runs of a conversation by their ids, counted from 1 in the order in which they began."""
    return {row.id: number for number, row in enumerate(state.services().store.runs(conversation), start=1)}


def _pick(both: tuple[RunRow, RunRow], rows: Sequence[RunRow], numbers: Mapping[str, int]) -> None:
    rows = rows if both[0] in rows else [both[0], *rows]
    # A picker tells its choices apart by what they are called, so the number belongs to the name.
    names = {row.id: f"{numbers[row.id]}. {_name(row, fold(_events(row)))}" for row in rows}
    for which, row, column in zip(("A", "B"), both, st.columns(2), strict=True):
        with column:
            key = f"compare-{which}"
            state.put(key, row.id)
            st.selectbox(which, list(names), format_func=names.__getitem__, key=key, on_change=_picked)
            st.page_link(
                "pages/run.py",
                label=say("Run {name}", name=which),
                icon=":material/timeline:",
                query_params={"r": row.id},
            )


def _picked() -> None:
    state.name(a=str(state.widget("compare-A")), b=str(state.widget("compare-B")))


def _name(row: RunRow, view: RunView) -> str:
    answered = f" · {one_line(model(view), 30)}" if view.model else ""
    # The field shows some forty characters, and what is compared most often answers one question.
    return f"{one_line(view.question, 24)}{answered} · {ended(view)} · {moment(row.created, seconds=True)}"


def _events(row: RunRow) -> list[Event]:
    return state.services().store.events(row.id)


def _behind(row: RunRow) -> str:
    """What the answer rests on, in a line."""
    services = state.services()
    earlier: list[Earlier] = []
    summary = ""
    for one in services.store.path(row.conversation, row.id)[-_MOST_EARLIER:]:
        if not (events := services.store.readable(one.id)):
            continue
        view = fold(events)
        known = services.evidence(one.id, events, earlier)
        earlier.append(earlier_turn(events, known.claims))
        stands = known.rests_on_results if known.looked_up else view.endpoint != DEMO
        summary = known.summary if view.state == "answered" and stands else ""
    return summary


frame.page(main)
