"""What sentences and figures of one answer and the cells of tables say, read once for all ways to work a figure out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from agent.evidence.derivation.groups.group_amounts import GroupAmounts
from agent.evidence.derivation.groups.group_steps import weighting_in
from agent.evidence.derivation.groups.said_around import SaidAround
from agent.evidence.derivation.steps.hints import Hints, hints_in, kinds_hinted
from agent.evidence.derivation.steps.known_values import Known, Traced, as_said, value_of
from agent.evidence.kept import kept
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Spotted
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell


@dataclass(frozen=True)
class SaidOnce:
    """Of one answer."""

    standings: Standings

    @kept
    def kinds(self, said: str) -> frozenset[str]:
        """The kinds of steps that a text in lower case can speak of."""
        return kinds_hinted(said)

    @cached_property
    def _hints(self) -> Mapping[str, Hints]:
        return hints_in(self.standings.answer.lower)

    @kept
    def kinds_between(self, left: int, right: int) -> frozenset[str]:
        """The same of what the answer says between two places."""
        return kinds_hinted(self.standings.answer.lower[left:right], self._hints)

    @kept
    def cell(self, number: int, subjects: Subjects, cell: Cell) -> Known:
        """The value of a cell of the text of that number."""
        return value_of(self.standings.sources.texts[number], number, subjects, cell)

    def value_at(self, number: int, subjects: Subjects, row: int, column: int) -> Known | None:
        """The number of a cell; ``None`` where it holds none."""
        cells = subjects.table.rows[row]
        cell = cells[column] if column < len(cells) else None
        return self.cell(number, subjects, cell) if cell is not None and cell.numeric else None

    @kept
    def names(self, subjects: Subjects) -> Sequence[tuple[int, str]]:
        """The rows of a table that a word of their label tells apart, with those words that the answer says."""
        lower = self.standings.answer.lower
        return [(row, label) for row, label in subjects.table.names if label in lower]

    @kept
    def amounts(self, number: int, subjects: Subjects) -> GroupAmounts:
        """What columns of a table come to in groups of its rows."""
        return GroupAmounts(number, subjects, partial(self.value_at, number, subjects))

    @cached_property
    def around(self) -> SaidAround:
        """What is said around each figure."""
        return SaidAround(self.standings)

    @cached_property
    def weighting(self) -> str:
        """What the answer says of a mean that is weighted."""
        return weighting_in(self.standings.answer.lower)

    @cached_property
    def _values(self) -> dict[tuple[int, Spotted], Known]:
        return {}

    def value(self, one: Traced) -> Known:
        """A traced figure as a value that the answer states; read when a step first asks for it."""
        key = one.start, one.spot
        if key not in self._values:
            self._values[key] = as_said(one, self.standings.answer.lower, self.standings.sources)
        return self._values[key]
