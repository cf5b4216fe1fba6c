"""What a figure that stands nowhere may be: the kinds of steps its sentence speaks of, its unit, its direction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from agent.evidence.derivation.arithmetic_steps import Result, written
from agent.evidence.derivation.direction import turned
from agent.evidence.derivation.known_values import Known
from agent.evidence.sources import Finding, Sources
from agent.interface_text import Text
from agent.text.quantities.claim_words import several
from agent.text.quantities.figures import Figure
from agent.text.quantities.number_words import PIECE, exact
from agent.text.quantities.units import PERCENT, POINTS, alike

_LINEAR = frozenset(("sum", "difference", "mean", "minimum", "maximum"))
_FEW = 4  # values; out of more a short figure comes by chance
_ITEMS = frozenset(several("rows row entri items item recor lines resul value eleme 件 個 つ 行"))


@dataclass(frozen=True)
class FigureClaim:
    """A figure with what its sentence lets it be; ``at`` is its place in ``said``."""

    figure: Figure
    text: str
    kinds: frozenset[str]
    said: str
    at: int

    @cached_property
    def scale(self) -> int:
        """The power of ten that its scale word gives: 6 for "12 million"."""
        raw = self.text[self.figure.number[0] : self.figure.number[1]]
        digits = PIECE.match(raw)
        if digits is None or digits.end() == len(raw):
            return 0
        value = exact(digits[0])[0]
        return len(str(int(self.figure.value / value))) - 1 if value else 0

    @cached_property
    def powers(self) -> tuple[int, ...]:
        return (0, self.scale) if self.scale else (0,)

    def near(self, one: Known, other: Known) -> bool:
        """Whether any step between two values can come to the figure, in floats."""
        a, b = abs(one.size), abs(other.size)
        low, high = self.figure.edges
        if low <= a * b <= high:
            return True
        for power in {*self.powers, one.power, other.power} if self.scale else (0,):
            bottom, top = low / 10.0**power, high / 10.0**power
            if bottom <= a + b <= top or bottom <= abs(a - b) <= top:
                return True
            if bottom <= (a + b) / 2 <= top or bottom <= abs(a - b) / 2 <= top:
                return True
        for top, bottom in ((a, b), (b, a)):
            if bottom:
                ratio = top / bottom
                if low <= ratio <= high or low <= ratio * 100 <= high:
                    return True
                if low <= abs(ratio - 1) * 100 <= high or low <= (ratio + 1) * 100 <= high:
                    return True
        share = one.operand.unit is PERCENT or other.operand.unit is PERCENT
        return share and any(low <= value <= high for value in _with_share(a, b))

    def fits(self, result: Result, known: tuple[Known, ...], crowd: int = 0) -> Finding | None:
        """The finding where a result comes to the figure; ``crowd`` is how many values it was picked from."""
        if result.kind not in self.kinds or not self._of_kind(result):
            return None
        if self.figure.negative and (result.value > 0 if is_change(result) else result.kind != "difference"):
            return None
        if self.figure.digits < 3 and len(known) == 2 and crowd > _FEW and not all(one.operand.stated for one in known):
            return None
        low, high = self.figure.bounds
        for power in self._powers(result, known):
            size = abs(result.value) * 10**power
            if not low <= size <= high:
                continue
            near = result.near * 10**power if result.near is not None else None
            if near is not None and low <= abs(near) <= high:
                continue
            steps = result.note
            outcome = written(result.value, result.unit)
            note = Text("{steps} = {outcome}", steps=steps, outcome=outcome)
            if result.unit is POINTS and self.is_share:
                return Finding("differs", result.spots, Text("These are percentage points: {steps}", steps=note))
            if not _ordered(result, known):
                return Finding("differs", result.spots, Text("It starts from the later value: {steps}", steps=note))
            sign = _sign(result, known)
            if sign and turned(self.said, self.at, self.figure.negative, sign):
                return Finding("differs", result.spots, Text("It goes the other way: {steps}", steps=note))
            return Finding("worked_out", result.spots, note)
        return None

    def _powers(self, result: Result, known: tuple[Known, ...]) -> Iterable[int]:
        if result.kind not in _LINEAR or not self.scale:
            return (0,)
        return dict.fromkeys((0, *(one.power for one in known), self.scale))

    @property
    def is_share(self) -> bool:
        return self.figure.unit is not None and alike(PERCENT, self.figure.unit)

    def by_formula(self, formula: str, value: Fraction) -> Finding:
        """``worked_out`` where the formula before the figure comes to it, in per cent or of the scale that is said."""
        low, high = self.figure.bounds
        for factor in dict.fromkeys((1, 100 if self.is_share else 1, 10**self.scale)):
            if low <= abs(value) * factor <= high:
                outcome = written(value * factor, self.figure.unit)
                return Finding("worked_out", (), Text("{steps} = {outcome}", steps=formula, outcome=outcome))
        return Finding("differs", (), Text("{steps} = {outcome}", steps=formula, outcome=written(value)))

    def counts(self, result: Result, sources: Sources) -> bool:
        """Whether a count is one of what the figure counts: of rows, or of a noun that stands there."""
        if result.kind != "count":
            return True
        index, start, end = result.spots[0]
        noun = self.figure.noun
        return noun in _ITEMS or (
            len(noun) > 1 and sources.texts[index].lower.find(noun, max(0, start - 200), end) >= 0
        )

    def _of_kind(self, result: Result) -> bool:
        figure = self.figure
        if result.kind == "percent":
            return self.is_share and ("difference" in self.kinds or not is_change(result))
        if result.kind == "count":
            return figure.unit is None and figure.step >= 1
        if result.kind == "ratio" and result.unit is None:
            return figure.unit is None or figure.unit.dimension == "ratio"
        if result.unit is None:
            return True
        return figure.unit is None or alike(result.unit, figure.unit) or (result.unit is POINTS and self.is_share)


def is_change(result: Result) -> bool:
    """Whether a result is a change in per cent, which has a base."""
    return result.kind == "percent" and "−" in str(result.formula)


def _when(one: Known, other: Known) -> tuple[float, float] | None:
    """Which of two values came first, by "from … to …" or by their years; ``None`` where nothing says it."""
    for first, second in ((one.place, other.place), (one.year, other.year)):
        if first is not None and second is not None and first != second:
            return first, second
    return None


def _ordered(result: Result, known: tuple[Known, ...]) -> bool:
    """Whether a change has the earlier of its two values as its base."""
    if not is_change(result) or len(known) != 2:
        return True
    new, old = known if known[0].operand.spot == result.spots[0] else known[::-1]
    order = _when(new, old)
    return order is None or order[0] > order[1]


def _sign(result: Result, known: tuple[Known, ...]) -> int:
    """1 where the change is a rise, -1 where it is a fall, 0 where nothing says which value came first."""
    if len(known) != 2 or not (is_change(result) or result.kind == "difference"):
        return 0
    order = _when(*known)
    if order is None:
        return 0
    change = Fraction(known[1].operand.value) - Fraction(known[0].operand.value)
    return ((change > 0) - (change < 0)) * (1 if order[1] > order[0] else -1)


def _with_share(a: float, b: float) -> Iterator[float]:
    for share, base in ((a, b), (b, a)):
        part = share * base / 100
        yield from (part, base + part, abs(base - part))
