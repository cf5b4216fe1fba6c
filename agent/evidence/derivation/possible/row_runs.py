"""What rows that stand together come to in one column: the quarters before a date, the fill-ups after the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from agent.evidence.derivation.possible.near_values import NearValues
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.kept import kept
from agent.evidence.sources import Finding, Spotted
from agent.evidence.tables.subjects import Subjects
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import alike
from agent.text.regex import regex

_MEANT = regex(  # of all rows, or of certain ones
    r"\b(?:total\w*|sum of|altogether|overall|gesamt\w*|insgesamt|half|quarter|q[1-4]|h[12]|halbjahr\w*|quartal\w*|"
    r"(?:tri|se)mestres?)\b|合計|総計|半期|上期|下期"
)
_FEWEST, _MOST_ROWS = 4, 60
_CHANCE = 0.05  # figures that so many runs may meet by chance


@dataclass(frozen=True)
class RowRuns:
    """Of one answer, of the tables that were observed; ``near`` reads their cells."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` for a figure that a run of rows comes to, if that is hardly by chance; else ``None``."""
        answer = self.near.standings.answer
        if figure.digits < _FEWEST or _MEANT.search(answer.lower, *answer.sentence(figure.start)):
            return None
        for number, subjects in self.near.tables:
            for column in subjects.table.numeric_columns:
                found = self._in_column(figure, number, subjects, column)
                if found is not None:
                    return found
        return None

    def _in_column(self, figure: Figure, number: int, subjects: Subjects, column: int) -> Finding | None:
        sizes, spots = self._sizes(number, subjects, column)
        runs = len(sizes) * len(sizes) / 2 * len(subjects.table.numeric_columns)
        units = subjects.head_units[column] if column < len(subjects.head_units) else ()
        of_another = figure.unit is not None and units and not any(alike(one, figure.unit) for one in units)
        if len(sizes) < _FEWEST or of_another or runs > _CHANCE * figure.telling:
            return None
        sums = list(accumulate(sizes, initial=0.0))
        for first in range(len(sizes) - 1):
            for last in range(first + 2, len(sizes) + 1):
                if figure.holds(abs(sums[last] - sums[first])):
                    head = subjects.table.column_heads[column]
                    steps = Text("sum of {column} in {n} rows", column=head, n=last - first)
                    outcome = written(Fraction(sums[last] - sums[first]).limit_denominator(10**6), figure.unit)
                    note = Text("{steps} = {outcome}", steps=steps, outcome=outcome)
                    return Finding("possible", (spots[first], spots[last - 1]), note)
        return None

    @kept
    def _sizes(self, number: int, subjects: Subjects, column: int) -> tuple[Sequence[float], Sequence[Spotted]]:
        """The values of a column in the order of its rows, those of totals apart, each with its place."""
        rows = sorted(subjects.table.parts.difference(subjects.table.last_totals))
        values = [self.near.value_at(number, subjects, row, column) for row in rows[: _MOST_ROWS + 1]]
        known = [one for one in values if one is not None]
        if len(known) < len(values) or len(rows) > _MOST_ROWS:
            return (), ()
        return [float(one.operand.value) for one in known], [one.operand.spot for one in known]
