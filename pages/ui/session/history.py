"""The chat history of the open conversation: its turns as plain values in session state, filled from the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from threading import Thread
from typing import NotRequired, TypedDict

from agent.errors import StoreFailed
from agent.evidence import earlier_turn
from agent.store.runs import RunRow, Store
from pages.ui.session import state

_HISTORY = "history"
_AHEAD = "read-ahead"


class Turn(TypedDict):
    """What was asked and answered in ``run``: "" where that cannot be read, left out where it is not drawn."""

    run: str
    question: NotRequired[str]
    answer: NotRequired[str]


def known(conversation: str, kept: state.Kept) -> tuple[str, ...]:
    """The runs of the turns that are remembered, oldest first."""
    remembered: dict[str, list[Turn]] = kept.get(_HISTORY) or {}
    return tuple(turn["run"] for turn in remembered.get(conversation, ()))


def forget() -> None:
    """Remember no turns."""
    state.put(_HISTORY, {})


def turns(conversation: str, rows: Iterable[RunRow]) -> list[Turn]:
    """The ended ones of ``rows``, the runs on the branch that is shown; what is new of those that are drawn is read."""
    ended = [row.id for row in rows if row.ended]
    kept: dict[str, list[Turn]] = state.widget(_HISTORY) or {}
    before = kept.get(conversation, [])
    read = {turn["run"]: turn for turn in before if "question" in turn}
    new = [run for run in ended[-state.turns_shown(conversation) :] if run not in read]
    if not new and [turn["run"] for turn in before] == ended:
        return before
    found = state.services().store.said(conversation, new)
    for run in new:
        turn = earlier_turn(found.get(run, ()))
        read[run] = {"run": run, "question": turn.question, "answer": turn.answer}
    now: list[Turn] = [read.get(run) or {"run": run} for run in ended]
    state.put(_HISTORY, {conversation: now})
    return now


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
