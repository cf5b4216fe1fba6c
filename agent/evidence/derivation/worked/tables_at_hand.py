"""The table that an answer is at: where it names none, that of the figure before, or the only one there is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.evidence.derivation.steps.known_values import Traced
from agent.evidence.sources import Sources
from agent.evidence.tables.subjects import Subjects

_FAR = 1_500  # characters to a figure of its table


@dataclass(frozen=True)
class TablesAtHand:
    """Of one answer, whose figures that were found are ``traced``. A table comes with the number of its text."""

    answer: str
    sources: Sources
    traced: Sequence[Traced]

    def of(self, start: int) -> tuple[int, Subjects] | None:
        """The table of the traced figure before a place; of the next one, if only that is of the same paragraph."""
        index = bisect_left(self._starts, start, key=lambda one: one[0])
        near = self._starts[max(0, index - 1) : index + 1]
        if len(near) > 1 and "\n\n" in self.answer[near[0][0] : start]:
            near.reverse()
        return near[0][1] if near and abs(near[0][0] - start) < _FAR else None

    @cached_property
    def _starts(self) -> list[tuple[int, tuple[int, Subjects]]]:
        """Where the figures start that were found in tables, each with its table."""
        spots = ((one.start, *one.spot) for one in self.traced)
        found = ((start, number, self.sources.texts[number].page.cell_at(at)) for start, number, at, _ in spots)
        return [(start, (number, at[0])) for start, number, at in found if at is not None]

    @cached_property
    def single(self) -> list[tuple[int, Subjects]]:
        """The tables, where there is only one."""
        found = [(number, one) for number, source in enumerate(self.sources.texts) for one in source.tables[:2]]
        return found if len(found) == 1 else []
