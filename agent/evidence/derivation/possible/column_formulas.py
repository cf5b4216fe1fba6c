"""What two columns of a table come to together, row by row: units × price of a row, of all rows, and by how much one
column is more than another on average.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum
from typing import Literal, NamedTuple

from agent.evidence.derivation.possible.near_values import MOST_ROWS, NearValues
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.kept import kept
from agent.evidence.sources import Finding, Spotted
from agent.evidence.tables.subjects import Subjects
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import PERCENT, alike
from agent.text.regex import regex

_FEWEST, _LONG = 4, 5  # digits: so many columns come to shorter ones by chance; a long one may be of any row
_MEAN = regex(r"\b(?:averag\w*|mean|durchschnitt\w*|im schnitt|mittel|(?:en )?moyenne|media|promedio)\b|平均")
_MOST_COLUMNS = 8
_CHANCE = 0.05  # figures that so many formulas may meet by chance


class _Step(NamedTuple):
    kind: Literal["mean", "sum", "row"]
    size: float
    formula: str
    spots: tuple[Spotted, ...]


@dataclass(frozen=True)
class ColumnFormulas:
    """Of one answer, of the tables that were observed; ``near`` reads their cells."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` with the formula that leads to a long figure; ``None`` where none does."""
        if figure.ordinal or figure.unit is PERCENT or figure.digits < _FEWEST:
            return None
        for number, subjects in self.near.tables:
            steps = [one for one in self._steps(number, subjects) if self._is_said(figure, one, subjects)]
            if len(figure.beside(one.size for one in steps)) > max(1.0, _CHANCE * figure.telling):
                continue
            found = next((one for one in steps if figure.holds(one.size)), None)
            if found is not None and self._may_be(number, subjects, figure):
                note = Text("{steps} = {outcome}", steps=found.formula, outcome=written(figure.value, figure.unit))
                return Finding("possible", found.spots, note)
        return None

    def _is_said(self, figure: Figure, step: _Step, subjects: Subjects) -> bool:
        """Whether a sentence can speak of a step: of a mean where it says so, of all rows where it names none.

        What is multiplied is an amount of money.
        """
        answer = self.near.standings.answer
        said = answer.lower[slice(*answer.sentence(figure.start))]
        if step.kind != "mean" and (
            figure.digits < _LONG or figure.unit is None or not figure.unit.dimension.isupper()
        ):
            return False
        if step.kind == "row":
            return True
        mean = _MEAN.search(said) is not None
        named = any(label in said for _, label in subjects.table.names)
        return mean == (step.kind == "mean") and not named

    def _may_be(self, number: int, subjects: Subjects, figure: Figure) -> bool:
        """Whether no column, or one of them, is in the unit of the figure."""
        units = [unit for column in self._columns(number, subjects).values() if (unit := column[0].operand.unit)]
        return figure.unit is None or not units or any(alike(figure.unit, unit) for unit in units)

    @kept
    def _columns(self, number: int, subjects: Subjects) -> dict[int, Sequence[Known]]:
        """The columns of amounts that are filled in all rows: no years, no shares."""
        table = subjects.table
        if not 2 < len(table.rows) <= MOST_ROWS:
            return {}
        rows = sorted(table.parts.difference(table.last_totals))
        found: dict[int, Sequence[Known]] = {}
        for column in table.numeric_columns:
            cells = [one for row in rows if (one := self.near.value_at(number, subjects, row, column)) is not None]
            if len(cells) == len(rows) > 1 and column not in table.year_columns and not cells[0].share:
                found[column] = cells
        return dict([*found.items()][:_MOST_COLUMNS])

    @kept
    def _steps(self, number: int, subjects: Subjects) -> Sequence[_Step]:
        heads, found = subjects.table.column_heads, list[_Step]()
        for (one, first), (other, second) in combinations(self._columns(number, subjects).items(), 2):
            names = [heads[column].replace("_", " ") if column < len(heads) else "" for column in (one, other)]
            found += _of_two(names, first, second)
        return found


def _of_two(names: Sequence[str], first: Sequence[Known], second: Sequence[Known]) -> Iterator[_Step]:
    ends = (first[0].operand.spot, second[-1].operand.spot)
    sizes = [(float(one.operand.value), float(other.operand.value)) for one, other in zip(first, second, strict=True)]
    apart = fsum(one - other for one, other in sizes) / len(sizes)
    yield _Step("mean", abs(apart), f"({names[0]} − {names[1]}) ÷ {len(sizes)}", ends)
    yield _Step("sum", abs(fsum(one * other for one, other in sizes)), f"{names[0]} × {names[1]}", ends)
    for one, other in zip(first, second, strict=True):
        formula = " × ".join(written(each.operand.value, each.operand.unit) for each in (one, other))
        yield _Step("row", one.size * other.size, formula, (one.operand.spot, other.operand.spot))
