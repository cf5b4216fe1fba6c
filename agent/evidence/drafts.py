"""A claim of an answer on the way to its verdict."""

from __future__ import annotations

from typing import NamedTuple

from agent.evidence.masking import Link
from agent.evidence.mentions import Mention
from agent.evidence.sources import Finding
from agent.evidence.verdicts import Kind
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure

_TO_WORK_WITH = ("seen", "given", "elsewhere", "worked_out", "possible")


class Draft(NamedTuple):
    """Characters ``start`` to ``end`` of the answer, what stands there, and what was found of it so far."""

    start: int
    end: int
    kind: Kind
    thing: Figure | Day | Mention | Link
    finding: Finding

    @property
    def figure(self) -> Figure | None:
        return self.thing if isinstance(self.thing, Figure) else None

    @property
    def is_known(self) -> bool:
        """Whether others may be worked out from it."""
        return bool(self.finding.spots) and self.finding.verdict in _TO_WORK_WITH

    def having(self, finding: Finding) -> Draft:
        return self if finding is self.finding else self._replace(finding=finding)


def repeated(drafts: list[Draft]) -> list[Draft]:
    """A bare number that the answer has elsewhere with its unit rests on the same: "212 °F (100 × 9/5 + 32 = 212)"."""
    known = {
        draft.thing.value: draft.finding
        for draft in drafts
        if isinstance(draft.thing, Figure) and draft.thing.unit is not None and draft.finding.verdict == "worked_out"
    }
    return [
        draft._replace(finding=known[draft.thing.value])
        if isinstance(draft.thing, Figure)
        and draft.finding.verdict in ("not_found", "differs")
        and not (draft.thing.unit or draft.thing.noun)
        and draft.thing.value in known
        else draft
        for draft in drafts
    ]
