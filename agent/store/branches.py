"""The runs of a conversation are a tree: each follows another, and those that follow the same one are its branches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from agent.store.runs import RunRow


class Place(NamedTuple):
    """A run on the path that is shown, and all the runs that stand in the same place, oldest first."""

    row: RunRow
    branches: tuple[RunRow, ...]

    @property
    def number(self) -> int:
        """Which of the branches it is, from 1."""
        return self.branches.index(self.row) + 1


def path(rows: Sequence[RunRow], picks: Mapping[str, str]) -> list[Place]:
    """From the first question to the last: at each fork the branch picked, else the one with the newest run in it.

    ``rows`` are all the runs of a conversation, oldest first. ``picks`` says which run was chosen to follow a run (""
    for the start).
    """
    following: dict[str, list[RunRow]] = {}
    for row in rows:
        following.setdefault(row.follows, []).append(row)
    newest = _newest(rows) if len(following) < len(rows) else {}
    shown: list[Place] = []
    current = ""
    while branches := following.pop(current, None):
        row = branches[0]
        if len(branches) > 1:
            picked = next((each for each in branches if each.id == picks.get(current)), None)
            row = picked or max(branches, key=lambda each: newest[each.id])
        shown.append(Place(row, tuple(branches)))
        current = row.id
    return shown


def _newest(rows: Sequence[RunRow]) -> dict[str, float]:
    """Of each run when the newest of those was made that follow it, itself among them."""
    newest = {row.id: row.created for row in rows}
    for row in reversed(rows):
        if row.follows in newest:
            newest[row.follows] = max(newest[row.follows], newest[row.id])
    return newest
