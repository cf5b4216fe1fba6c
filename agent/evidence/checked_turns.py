"""The turns of a chat, each checked after those before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent.events import Event
from agent.evidence.checking import check
from agent.evidence.gathering import earlier_turn
from agent.evidence.pages import Pages
from agent.evidence.verdicts import Earlier


def earlier_turns(runs: Iterable[Sequence[Event]]) -> tuple[Earlier, ...]:
    """The turns that ``runs`` are, oldest first, each checked in the light of those before it."""
    turns: list[Earlier] = []
    pages = Pages()
    for events in runs:
        turns.append(earlier_turn(events, check(events, turns, pages).claims))
    return tuple(turns)
