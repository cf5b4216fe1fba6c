"""Several values at once: a column, a list, the figures of one unit, and what they add up to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from agent.evidence.derivation.arithmetic_steps import Operand, Result, of_many
from agent.evidence.derivation.lists import Column
from agent.interface_text import Text
from agent.text.quantities.units import Unit


@dataclass(frozen=True)
class Several:
    """Values whose sum, mean and so on can have been meant, or that were counted."""

    source: Column | tuple[Operand, ...]
    unit: Unit | None
    spots: tuple[tuple[int, int, int], ...]

    @cached_property
    def results(self) -> tuple[Result, ...]:
        return tuple(self._worked_out())

    def _worked_out(self) -> Iterable[Result]:
        if isinstance(self.source, Column):
            if len(self.source.raw) >= 2:
                yield from of_many(self.source.values, self.unit, self.spots, self.source.name)
            count = Fraction(self.source.items)
            yield Result(count, None, "count", Text("count of {column}", column=self.source.name), self.spots)
        else:
            yield from of_many(tuple(one.value for one in self.source), self.unit, self.spots, "")

    def sizes(self) -> tuple[tuple[float, str], ...]:
        """What the results come to, as floats without sign, and the kind of each."""
        counted: tuple[tuple[float, str], ...] = ()
        if isinstance(self.source, Column):
            values, counted = self.source.sizes, ((float(self.source.items), "count"),)
        else:
            values = [float(one.value) for one in self.source]
        if len(values) < 2:
            return counted
        total, low, high = sum(values), min(values), max(values)
        return (
            (abs(total), "sum"),
            (abs(total / len(values)), "mean"),
            (abs(low), "minimum"),
            (abs(high), "maximum"),
            (high - low, "difference"),
            *counted,
        )
