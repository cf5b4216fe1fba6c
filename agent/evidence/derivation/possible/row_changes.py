"""How far values of named rows are apart: "Ilse +59" of two columns, "73 ahead of Lund", "4.1 °C over your limit"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from agent.evidence.derivation.possible.near_values import NearValues, Row
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.direction import direction
from agent.evidence.sources import Finding
from agent.evidence.tables.alike_columns import pairs_of_times
from agent.evidence.tables.digits import YEARS
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import PERCENT, POINTS, alike
from agent.text.regex import regex

_ROWS = 2  # that a line names nearest to a figure
_MOST_PAIRS = 4
_SIGN = regex(r"[+−±▲△-]\S{0,4}$")
_FROM_BOUND = regex(
    r"[ \u00a0*_]*(?:[^\W\d_]+[ \u00a0]){0,1}(?:over|above|beyond|below|under|short|shy|over|too|über|unter|zu|de trop|"
    r"au-dessus|au-dessous|por encima|por debajo)\b"
)
_FROM_ANOTHER = regex(
    r"[ \u00a0*_]*(?:[^\W\d_]+[ \u00a0]){0,3}(?:ahead|behind|more|less|fewer|above|below|than|mehr|weniger|vor|hinter|"
    r"de plus|de moins|más|menos)\b"
)
_LEADS = regex(r"\b(?:leads?|led|trails?|beats?|beat|ahead|behind|gap|führt|vorsprung|rückstand)\b[^.\n]{0,40}$")


@dataclass(frozen=True)
class RowChanges:
    """Of one answer, of the rows of observed tables; ``near`` reads their cells and the figures of the answer."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` with the difference that leads to the figure; ``None`` where none does."""
        if figure.ordinal or figure.spelled or not figure.value or not (self.near.tables or self.near.asked):
            return None
        left, right = self.near.line(figure.start)
        rows = self.near.rows(left, right, figure.start, ())[:_ROWS]
        steps = (
            *self._of_times(figure, rows, left, right),
            *self._of_rows(figure, rows),
            *self._of_bound(figure, rows),
        )
        return next((_found(figure, *step) for step in steps), None)

    def _of_times(self, figure: Figure, rows: list[Row], left: int, right: int) -> Iterator[tuple[Known, Known]]:
        """The change of a row between two columns, in its direction, as it is or in per cent."""
        lower, start = self.near.standings.answer.lower, figure.start
        sign = -1 if figure.negative else 1 if lower[max(left, start - 1) : start] == "+" else 0
        said = lower[left:right]
        if not any(pairs_of_times(row[1].table) for row in rows):
            return
        if not sign and "difference" not in self.near.once.kinds_between(left, right):
            return
        way, years = sign or direction(said, start - left), {*YEARS.findall(said)}
        for row in rows if way or figure.unit is not PERCENT else ():
            values, heads = self.near.values(row), row[1].table.column_heads
            for one, other in islice(pairs_of_times(row[1].table), _MOST_PAIRS):
                of_years = {*YEARS.findall(f"{heads[one]} {heads[other]}".replace("_", " "))}
                if (
                    one not in values
                    or other not in values
                    or not (years <= of_years or (len(years) < 2 and not of_years))
                ):
                    continue
                first, last = values[one], values[other]
                change = float(last.operand.value) - float(first.operand.value)
                if way * change >= 0 and _fits(figure, abs(change), first, last):
                    yield last, first

    def _of_rows(self, figure: Figure, rows: list[Row]) -> Iterator[tuple[Known, Known]]:
        """How far two rows are apart in a column, where one is said to be ahead of the other."""
        lower, start = self.near.standings.answer.lower, figure.start
        compared = _FROM_ANOTHER.match(lower, figure.end) or _LEADS.search(lower, max(0, start - 80), start)
        if len(rows) < 2 or rows[0][1] is not rows[1][1] or compared is None or figure.digits < 2:
            return
        mine, others = map(self.near.values, rows)
        for column, one in mine.items():
            if column in others and _fits(figure, abs(one.size - others[column].size), one, others[column]):
                yield (one, others[column]) if one.size >= others[column].size else (others[column], one)

    def _of_bound(self, figure: Figure, rows: list[Row]) -> Iterator[tuple[Known, Known]]:
        """How far a value of the line or of its row is from a bound that the question gives."""
        if not self.near.asked or _FROM_BOUND.match(self.near.standings.answer.lower, figure.end) is None:
            return
        stated = self.near.stated(*self.near.line(figure.start), figure.start)[:_ROWS]
        beside = [one for row in rows[:1] for one in self.near.values(row).values()]
        for one in (*stated, *beside):
            for bound in self.near.asked:
                if _fits(figure, abs(one.size - bound.size), one, bound):
                    yield (one, bound) if one.size >= bound.size else (bound, one)


def _fits(figure: Figure, size: float, one: Known, other: Known) -> bool:
    """Whether a difference of two values comes to a figure: in the scale of their table, or in per cent of ``one``."""
    units = [unit for unit in (one.operand.unit, other.operand.unit) if unit is not None]
    if figure.unit is PERCENT and not (one.share and other.share):
        return one.size > 0 and figure.holds(size / one.size * 100)
    if figure.unit is not None and figure.unit is not POINTS and not all(alike(figure.unit, unit) for unit in units):
        return False
    return any(figure.holds(size * 10.0**power) for power in {0, one.power})


def _found(figure: Figure, last: Known, first: Known) -> Finding:
    steps = f"{written(last.operand.value, last.operand.unit)} − {written(first.operand.value, first.operand.unit)}"
    if figure.unit is PERCENT and not first.share:
        steps = f"({steps}) ÷ {written(first.operand.value, first.operand.unit)} × 100"
    outcome = written(-figure.value if figure.negative else figure.value, figure.unit)
    note = Text("{steps} = {outcome}", steps=steps, outcome=outcome)
    return Finding("possible", (last.operand.spot, first.operand.spot), note)
