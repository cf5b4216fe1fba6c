"""The chat history of the open conversation: its turns as plain values in session state, filled from the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from threading import Thread
from typing import TypedDict

from agent.errors import StoreFailed
from agent.evidence import earlier_turn
from agent.store.runs import RunRow, Store
from pages.ui.session import state

_HISTORY = "history"
_AHEAD = "read-ahead"


class Turn(TypedDict):
    """What was asked and answered in ``run``; "" where that cannot be read."""

    run: str
    question: str
    answer: str


def known(conversation: str, kept: state.Kept) -> tuple[str, ...]:
    """The runs of the turns that are remembered, oldest first."""
    remembered: dict[str, list[Turn]] = kept.get(_HISTORY) or {}
    return tuple(turn["run"] for turn in remembered.get(conversation, ()))


def turns(conversation: str, rows: Iterable[RunRow]) -> list[Turn]:
    """The ended ones of ``rows``, the runs on the branch that is shown; only those that are new are read."""
    ended = [row.id for row in rows if row.ended]
    kept: dict[str, list[Turn]] = state.widget(_HISTORY) or {}
    before = kept.get(conversation, [])
    same = next(
        (place for place, turn in enumerate(before) if place == len(ended) or turn["run"] != ended[place]), len(before)
    )
    if same == len(before) == len(ended):
        return before
    found = state.services().store.said(conversation, ended[same:])
    told = ((run, earlier_turn(found.get(run, ()))) for run in ended[same:])
    new: list[Turn] = [{"run": run, "question": turn.question, "answer": turn.answer} for run, turn in told]
    state.put(_HISTORY, {conversation: [*before[:same], *new]})
    return [*before[:same], *new]


def read_ahead(past: Sequence[Turn]) -> None:
    """Read what the next prompt of the open chat is made of where it is long, once, while somebody reads the page.

    The turns that are drawn have been read for that.
    """
    conversation = state.conversation_id()
    if len(past) > state.turns_shown(conversation) and state.widget(_AHEAD) != conversation:
        state.put(_AHEAD, conversation)
        about = state.services().store, conversation, [turn["run"] for turn in past]
        Thread(target=_read, args=about, name="read ahead", daemon=True).start()


def _read(store: Store, conversation: str, runs: Sequence[str]) -> None:
    with suppress(StoreFailed):
        store.past(conversation, runs)
