"""How far a value is from a bound that the question gives: "4.1 °C over your limit"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agent.evidence.derivation.possible.near_values import NearValues
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.sources import Finding
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import PERCENT, POINTS, alike
from agent.text.regex import regex

_MOST_STATED = 2  # nearest to a figure
_FROM_BOUND = regex(
    r"[ \u00a0*_]*(?:[^\W\d_]+[ \u00a0]){0,1}(?:over|above|beyond|below|under|short|shy|over|too|über|unter|zu|de trop|"
    r"au-dessus|au-dessous|por encima|por debajo)\b"
)


@dataclass(frozen=True)
class AskedBounds:
    """Of one answer; ``near`` reads the rows of observed tables that it names, and the figures of its lines."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` with the difference that leads to the figure; ``None`` where none does."""
        if figure.ordinal or figure.spelled or not figure.value or not self.near.asked:
            return None
        return next((_found(figure, *step) for step in self._of_bound(figure)), None)

    def _of_bound(self, figure: Figure) -> Iterator[tuple[Known, Known]]:
        """How far a value of the line or of its row is from a bound that the question gives."""
        if _FROM_BOUND.match(self.near.standings.answer.lower, figure.end) is None:
            return
        line = self.near.line(figure.start)
        stated = self.near.stated(*line, figure.start)[:_MOST_STATED]
        beside = [one for row in self.near.rows(*line, figure.start, ())[:1] for one in self.near.values(row).values()]
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
