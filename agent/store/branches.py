"""The runs of a conversation are a tree: each follows another, and those that follow the same one are its branches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.store.runs import RunRow


@dataclass(frozen=True, slots=True)
class Place:
    """A run on the path that is shown, and all the runs that stand in the same place, oldest first."""

    row: RunRow
    branches: tuple[RunRow, ...]

    @property
    def number(self) -> int:
        """Which of the branches it is, from 1."""
        return self.branches.index(self.row) + 1


def path(rows: Sequence[RunRow], picks: Mapping[str, str]) -> list[Place]:
    """From the first question to the last: at each fork the branch picked, else the one with the newest run in it.

    ``picks`` says which run was chosen to follow a run ("" for the start).
    """
    following: dict[str, list[RunRow]] = {}
    by_id = {row.id: row for row in rows}
    newest = {row.id: row.created for row in rows}
    for row in sorted(rows, key=lambda row: row.created):
        following.setdefault(row.follows, []).append(row)
    for row in sorted(rows, key=lambda row: row.created, reverse=True):
        if row.follows in by_id:
            newest[row.follows] = max(newest[row.follows], newest[row.id])
    shown: list[Place] = []
    current = ""
    while branches := following.pop(current, None):
        picked = next((row for row in branches if row.id == picks.get(current)), None)
        row = picked or max(branches, key=lambda row: newest[row.id])
        shown.append(Place(row, tuple(branches)))
        current = row.id
    return shown
