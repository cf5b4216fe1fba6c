"""What columns come to in groups of a table's rows: sums, means, and what one sum is for each unit of another.

In floats, and exactly for what came to a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from agent.evidence.derivation.groups.table_groups import Group, Groups
from agent.evidence.derivation.groups.table_measures import Measure, Measures
from agent.evidence.derivation.steps.arithmetic_steps import Number
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.kept import kept
from agent.evidence.sources import Spotted
from agent.evidence.tables.subjects import Subjects
from agent.text.quantities.number_words import as_float
from agent.text.quantities.units import Unit

_UP_AND_DOWN = (-3, 3, 6, -6)


class Amount(NamedTuple):
    """What a measure comes to: its "sum", "mean" or "median", its mean "weighted" ``by`` one, its "ratio" to one.

    Its "product" with one is added up over the rows.
    """

    kind: str
    size: float
    group: Group
    measure: Measure
    by: Measure | None = None

    @property
    def when(self) -> float | None:
        """Where it stands in time, beside another one."""
        return self.measure.when if self.group.when is None else self.group.when

    def powers(self, unit: Unit | None) -> set[int]:
        """The powers of ten in which a figure of that unit may give it: where its head has a unit with larger ones."""
        power, scaled = self.measure.power, self.measure.scaled(unit)
        if self.kind == "product" and self.by is not None:
            return {0, power, self.by.power, power + self.by.power, *_UP_AND_DOWN[:2]}
        if self.kind == "ratio" and self.by is not None:
            scaled = scaled or self.by.scaled(unit)
            powers = {0, power, -self.by.power, power - self.by.power}
            return {*powers, *_UP_AND_DOWN} if scaled else powers
        if scaled and not power:
            return {0, *_UP_AND_DOWN[:2]}
        return {0, power, power - 6} if power else {0}


@dataclass(frozen=True)
class GroupAmounts:
    """Of the table ``subjects`` in the text of that number; ``value`` reads a cell by its row and column."""

    number: int
    subjects: Subjects
    value: Callable[[int, int], Known | None]

    @cached_property
    def groups(self) -> Groups:
        return Groups(self.subjects)

    @cached_property
    def measures(self) -> Measures:
        return Measures(self.subjects, self._power)

    def _power(self, column: int) -> int:
        """The power of ten that a column's figures may be given in."""
        found = (self.value(row, column) for row in self.groups.every.rows)
        return next((one.power for one in found if one is not None), 0)

    def of(self, kind: str, group: Group, measure: Measure, by: Measure | None = None) -> Amount | None:
        """An amount; ``None`` where a cell has no number, or nothing divides it."""
        size = self._size(kind, group.rows, measure.columns, by.columns if by is not None else ())
        return Amount(kind, size, group, measure, by) if size is not None else None

    @kept
    def _size(self, kind: str, rows: tuple[int, ...], columns: tuple[int, ...], by: tuple[int, ...]) -> float | None:
        own, other = self._added(rows, columns), self._added(rows, by)
        if own is None or other is None or (by and not sum(other)):
            return None
        return as_float(_of(kind, own, other))

    @kept
    def _added(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> list[float] | None:
        """For each row what its cells come to."""
        several = [self._column(column) for column in columns]
        try:
            return [sum([values[row] for values in several]) for row in rows]
        except KeyError:
            return None

    @kept
    def _column(self, column: int) -> dict[int, float]:
        found = ((row, self.value(row, column)) for row in self.groups.every.rows)
        return {row: as_float(one.operand.value) for row, one in found if one is not None}

    def exact(self, one: Amount) -> Fraction:
        """The amount as a fraction."""
        columns = one.by.columns if one.by is not None else ()
        own = [self._exactly(row, one.measure.columns) for row in one.group.rows]
        return Fraction(_of(one.kind, own, [self._exactly(row, columns) for row in one.group.rows]))

    def _exactly(self, row: int, columns: Sequence[int]) -> Fraction:
        cells = (self.value(row, column) for column in columns)
        return sum((Fraction(cell.operand.value) for cell in cells if cell is not None), Fraction())

    def spot(self, one: Amount) -> Spotted:
        """From its first cell to its last one."""
        rows, columns = self.subjects.table.rows, one.measure.columns
        first, last = rows[one.group.rows[0]][columns[0]], rows[one.group.rows[-1]][columns[-1]]
        return self.number, first.start, max(first.end, last.end)

    def unit(self, one: Amount) -> Unit | None:
        """The unit of its cells."""
        found = self.value(one.group.rows[0], one.measure.columns[0])
        return found.operand.unit if found is not None and one.kind != "ratio" else None


def _of(kind: str, own: Sequence[Number], other: Sequence[Number]) -> Number:
    if kind == "mean":
        return sum(own) / len(own)
    if kind == "median":
        ranked, half = sorted(own), len(own) // 2
        return (ranked[half] + ranked[~half]) / 2
    if kind == "ratio":
        return sum(own) / sum(other)
    if kind == "product":
        return sum([one * each for one, each in zip(own, other, strict=True)])
    if kind == "weighted":
        return sum([one * weight for one, weight in zip(own, other, strict=True)]) / sum(other)
    return sum(own)
