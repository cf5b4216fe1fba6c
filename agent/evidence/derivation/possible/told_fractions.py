"""Shares in words: "two thirds (66.4%)", "about a quarter of the 389,500 spent", "a third of all rides"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, permutations

from agent.evidence.derivation.possible.near_values import NEAREST, NearValues
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.sources import Finding
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import PERCENT, alike

_BESIDE = 60  # characters to a share in per cent that says the same
_AS_SAID, _AS_DIVIDED = 3.0, 1.0  # percentage points that words leave open
_LOOSE = 2.0  # more of them, on the side that "over" and "almost" say
_MOST_ROWS, _MOST_CELLS = 2, 3


@dataclass(frozen=True)
class ToldFractions:
    """Of one answer; ``near`` gives those of its figures that were found, and the rows that its lines name."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` with a share in per cent, or the two values, that a share in words is told of."""
        if figure.unit is not PERCENT or "%" in self.near.standings.answer.text[figure.start : figure.end]:
            return None
        if not figure.spelled and figure.value.denominator == 1:
            return None
        left, right = self.near.line(figure.start)
        stated = self.near.stated(max(left, figure.start - _BESIDE), min(right, figure.end + _BESIDE), figure.start)
        for one in stated:
            if one.share == "percent" and _says(figure, one.size, _AS_SAID):
                note = Text("{steps} = {outcome}", steps=written(one.operand.value, PERCENT), outcome=_outcome(figure))
                return Finding("possible", (one.operand.spot,), note)
        for one, whole in self._pairs(figure, left, right):
            if whole.size and _says(figure, one.size / whole.size * 100, _AS_DIVIDED):
                steps = " ÷ ".join(written(each.operand.value, each.operand.unit) for each in (one, whole))
                note = Text("{steps} = {outcome}", steps=steps, outcome=_outcome(figure))
                return Finding("possible", (one.operand.spot, whole.operand.spot), note)
        return None

    def _pairs(self, figure: Figure, left: int, right: int) -> Iterator[tuple[Known, Known]]:
        """A part with its whole: values of the line, then cells of the rows that it names with their columns."""
        stated = [one for one in self.near.stated(left, right, figure.start) if not one.share]
        for one, other in permutations(stated[:NEAREST], 2):
            units = one.operand.unit, other.operand.unit
            if one.size < other.size and (None in units or (units[0] and units[1] and alike(units[0], units[1]))):
                yield one, other
        for number, subjects, cells in self.near.rows(left, right, figure.start, stated)[:_MOST_ROWS]:
            values = self.near.values((number, subjects, cells))
            for column, one in islice(values.items(), _MOST_CELLS):
                if (total := self.near.total(number, subjects, column)) is not None:
                    yield one, total


def _says(figure: Figure, share: float, room: float) -> bool:
    """Whether a fraction in words may tell a share in per cent."""
    above = room + (_LOOSE if figure.loose in ("over", "about") else 0)
    below = room + (_LOOSE if figure.loose in ("under", "about") else 0)
    if figure.loose in ("over", "under"):
        above, below = (above, 0.5) if figure.loose == "over" else (0.5, below)
    return float(figure.value) - below <= share <= float(figure.value) + above


def _outcome(figure: Figure) -> str:
    return written(figure.value, PERCENT)
