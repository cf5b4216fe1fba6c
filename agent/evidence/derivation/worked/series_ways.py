"""Formulas over columns of observed tables that lead to the figures of a series, one for each row."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import inf, log10
from typing import NamedTuple, TypeAlias

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.sources import Spotted
from agent.text.quantities.figures import Figure

FEWEST = 3  # figures that one formula leads to
SUM = "Σ "
_SURE = 2.0  # digits more than what so many formulas would meet
_MOST_OFF = 0.25  # figures of a series that may be wrong
_MOST_ADDED = 7  # columns of which some are added up and others are taken away
_SCALES = (1.0, 1e3, 1e6, 1e-3, 1e-6, 60.0, 1 / 60)

_Values: TypeAlias = Sequence[float | None]  # of each figure of a series


class SeriesColumn(NamedTuple):
    """What the rows of each figure come to in a column, with where the first of them stands.

    ``whole``: what all rows do; 0 of one that has no parts.
    """

    name: str
    values: _Values
    spots: Sequence[Spotted | None]
    whole: float = 0.0
    told: bool = True  # with its value

    def said(self, row: int) -> str:
        value = Fraction(self.values[row] or 0).limit_denominator(10**6)
        return f"{self.name} {written(value, None)}" if self.told else self.name

    @property
    def of_all(self) -> SeriesColumn:
        """The same for what all rows come to."""
        name = self.name if self.name.startswith(SUM) else f"{SUM}{self.name}"
        return SeriesColumn(name, [self.whole] * len(self.values), self.spots)


class Way(NamedTuple):
    """A formula: its sign between two columns, their values, and the factor."""

    sign: str
    one: SeriesColumn
    other: SeriesColumn | None
    factor: float = 1.0

    def size(self, row: int) -> float | None:
        """What it comes to for a figure; ``None`` where a cell is missing."""
        a = self.one.values[row]
        b = self.other.values[row] if self.other is not None else 1.0
        if a is None or b is None:
            return None
        made = _SIGNS[self.sign](a, b)
        return made * self.factor if made is not None else None


_SIGNS: dict[str, Callable[[float, float], float | None]] = {
    "": lambda a, _: a,
    "÷": lambda a, b: a / b if b else None,
    "×": lambda a, b: a * b,
    "−": lambda a, b: a - b,
    "+": lambda a, b: a + b,
    "%": lambda a, b: (a - b) / abs(b) * 100 if b else None,
}
_FREE = frozenset(("", "÷", "×"))  # with any factor


def way_to(figures: Sequence[Figure], columns: Sequence[SeriesColumn], factors: Sequence[float]) -> Way | None:
    """The formula that leads to the figures of a series, if one does and none would by chance."""
    if not (columns and factors):
        return None
    told = sum(one.told for one in columns)
    bound = log10((told * told * len(_FREE) + len(columns)) * len(factors)) + _SURE
    best: tuple[float, Way] | None = None
    for way in _ways(figures, columns, factors):
        digits = _told_by(way, figures)
        if digits >= bound and (best is None or digits > best[0]):
            best = digits, way
    return best[1] if best is not None else None


def sums_to(figures: Sequence[Figure], columns: Sequence[SeriesColumn]) -> Way | None:
    """The sum of three and more columns, some of them taken away, that leads to the figures, if no chance does."""
    columns = [one for one in columns if one.told][:_MOST_ADDED]
    row = next((row for row in range(len(figures)) if all(one.values[row] is not None for one in columns)), None)
    if row is None or len(columns) < FEWEST:
        return None
    signs = list(product((0, 1, -1), repeat=len(columns)))
    if sum(map(_digits, figures)) < (bound := log10(len(signs) * len(_SCALES)) + _SURE):
        return None
    low, high = figures[row].edges
    values, negative = [one.values[row] or 0.0 for one in columns], figures[row].negative
    for chosen in signs:
        if len(chosen) - chosen.count(0) < FEWEST or max(chosen) < 1:
            continue
        size = sum(sign * value for sign, value in zip(chosen, values, strict=True))
        if (size < 0) != negative:
            continue
        for factor in _SCALES:
            if low <= abs(size) * factor <= high:
                way = Way("", _added(columns, chosen), None, factor)
                if _told_by(way, figures) >= bound:
                    return way
    return None


def _added(columns: Sequence[SeriesColumn], signs: Sequence[int]) -> SeriesColumn:
    """Columns added up by their signs, those that are taken away last."""
    order = sorted(range(len(signs)), key=lambda one: -signs[one])
    used = [(signs[one], columns[one]) for one in order if signs[one]]
    name = "".join(f" {'+' if sign > 0 else '−'} {one.name}" for sign, one in used)[3:]
    rows = zip(*(one.values for _, one in used), strict=True)
    sums = [_sum_by(row, [sign for sign, _ in used]) for row in rows]
    return SeriesColumn(name, sums, used[0][1].spots, told=False)


def _sum_by(row: Sequence[float | None], signs: Sequence[int]) -> float | None:
    known = [value for value in row if value is not None]
    return sum(sign * value for sign, value in zip(signs, known, strict=True)) if len(known) == len(row) else None


def _told_by(way: Way, figures: Sequence[Figure]) -> float:
    """How many digits the figures tell that a formula leads to; 0 where these are too few, or too many others."""
    fitting = [one for row, one in enumerate(figures) if fits(way, row, one)]
    tried = sum(way.size(row) is not None for row in range(len(figures)))
    if len({one.value for one in fitting}) < FEWEST or len(fitting) < (1 - _MOST_OFF) * tried:
        return 0.0
    return sum(map(_digits, fitting))


def _ways(figures: Sequence[Figure], columns: Sequence[SeriesColumn], factors: Sequence[float]) -> Iterator[Way]:
    """The formulas that lead to one of the first two figures."""
    plain = [Way("", one, None) for one in columns]
    shares = [Way("÷", one, one.of_all, 100.0) for one in columns if one.whole]
    told = [one for one in columns if one.told]
    pairs = [Way(sign, one, other) for one, other in permutations(told, 2) for sign in _SIGNS if sign]
    free = [way.sign in _FREE for way in (*plain, *pairs)]
    for way, is_free in zip((*shares, *plain, *pairs), (*(False for _ in shares), *free), strict=True):
        for row in (0, 1):
            size = way.size(row)
            if not size:
                continue
            if not is_free:
                if figures[row].holds(abs(size)):
                    yield way
            else:
                low, high = figures[row].edges
                first, last = bisect_left(factors, low / abs(size)), bisect_right(factors, high / abs(size))
                yield from (way._replace(factor=factor) for factor in factors[first:last])


def fits(way: Way, row: int, figure: Figure) -> bool:
    size = way.size(row)
    return size is not None and not (figure.negative and size > 0) and figure.holds(abs(size))


def _digits(figure: Figure) -> float:
    """How many digits a figure tells: 1 of one that a tenth of all sizes near to it would be taken for."""
    return log10(figure.telling) if 1 < figure.telling < inf else 0.0
