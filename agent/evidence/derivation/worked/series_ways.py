"""Formulas over columns of observed tables that lead to the figures of a series, one for each row."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain, permutations, product
from math import ceil, inf, log10
from typing import NamedTuple, TypeAlias

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.sources import Spotted
from agent.evidence.tables.cell_words import tokens
from agent.text.quantities.figures import Figure

FEWEST = 3  # figures that one formula leads to
SUM = "Σ "
_SIGN = log10(2)  # digits that one tells
_SURE = 2.0  # digits more than what so many formulas would meet
_MOST_OFF = 0.25  # figures of a series that may be wrong
_MOST_ADDED = 7  # columns of which some are added up and others are taken away
_SCALES = (1.0, 1e3, 1e6, 1e-3, 1e-6, 60.0, 1 / 60)

_Values: TypeAlias = Sequence[float | None]  # of each figure of a series


class SeriesColumn(NamedTuple):
    """What the rows of each figure come to in a column, with where the first of them stands.

    ``whole``: what all rows do; 0 of one that has no parts. ``first``: what the first row of its table has: "412
    randomised" above what happened to them.
    """

    name: str
    values: _Values
    spots: Sequence[Spotted | None]
    whole: float = 0.0
    told: bool = True  # with its value
    sure: bool = True  # no constant that nothing says
    steps: Sequence[str] = ()  # what it is worked out from in each row
    first: float = 0.0

    def said(self, row: int) -> str:
        if self.steps:
            return self.steps[row]
        value = Fraction(self.values[row] or 0).limit_denominator(10**6)
        return f"{self.name} {written(value, None)}".strip() if self.told else self.name

    @property
    def of_all(self) -> SeriesColumn:
        """The same for what all rows come to."""
        name = self.name if self.name.startswith(SUM) else f"{SUM}{self.name}"
        return SeriesColumn(name, [self.whole] * len(self.values), self.spots)

    @property
    def of_first(self) -> SeriesColumn:
        """The same for what the first row of the table has."""
        return SeriesColumn(self.name, [self.first] * len(self.values), self.spots)


class Told(NamedTuple):
    """The figures of a series; ``signed``: it tells their signs, so that "+86" is no −86."""

    figures: Sequence[Figure]
    signed: bool


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
    "1 ÷": lambda a, _: 1 / a if a else None,
}
_OF_TWO = ("÷", "×", "−", "+", "%")
_BY_NAME = (("−", False), ("%", False), ("÷", False), ("÷", True))  # with or without a hundred
_FREE = frozenset(("", "÷", "×", "1 ÷"))  # with any factor
_EXACT = 1e-6  # of a step: a value with no more decimals than its figure is not rounded
_MOST_BELOW = 100  # of a fraction
_MOST_TIMES = 12  # that one column is added to another, if no text says how often
_FEW_COLUMNS = 7  # of which three may make a formula


def way_to(series: Told, columns: Sequence[SeriesColumn], factors: Sequence[float], head: frozenset[str]) -> Way | None:
    """The formula that leads to the figures of a series, if one does and none would by chance.

    ``head``: the words above the series, which may name a column.
    """
    if not (columns and factors):
        return None
    told = [one for one in columns if one.told]
    if (named := [one for one in told if head & tokens(one.name)]) and (way := _by_name(series, told, named)):
        return way
    bound = log10((len(told) ** 2 * len(_FREE) + len(columns)) * len(factors)) + _SURE
    surest = _surest(_ways(series.figures, columns, factors), series, bound)
    if surest is not None:
        return surest
    bound = log10((len(told) + 1) ** 3 * len(_FREE) * len(factors)) + _SURE
    few = told if len(told) <= _FEW_COLUMNS else ()
    figures = series.figures
    return _surest(chain(_with_several(figures, told, factors), _ways_of_three(figures, few, factors)), series, bound)


def way_of_pairs(
    series: Told, pairs: Sequence[tuple[SeriesColumn, SeriesColumn]], factors: Sequence[float]
) -> Way | None:
    """A product or a quotient of one of some pairs of columns that leads to the figures, if none would by chance."""
    ways = (Way(sign, *pair) for pair in pairs for sign in ("×", "÷"))
    bound = log10(2 * len(pairs) * len(factors) + 1) + _SURE
    return _surest(_with_factors(ways, series.figures, factors), series, bound)


def _by_name(series: Told, told: Sequence[SeriesColumn], named: Sequence[SeriesColumn]) -> Way | None:
    """A difference, a change or a ratio with one of the columns that the head names: "vs. 2021"."""
    pairs = [(one, other) for one, other in permutations(told, 2) if one in named or other in named]
    ways = (Way(sign, *pair, 100.0 if scaled else 1.0) for pair in pairs for sign, scaled in _BY_NAME)
    return _surest(_fitting(ways, series.figures), series, log10(len(pairs) * len(_BY_NAME) + 1) + _SURE)


def _surest(ways: Iterator[Way], series: Told, bound: float) -> Way | None:
    """The way that leads to most digits of the figures, as many as ``bound`` at least; above nought if one does."""
    best: tuple[float, int, Way] | None = None
    for way in ways:
        digits = _told_by(way, series)
        if digits >= bound and (best is None or digits >= best[0]):
            sizes = (way.size(row) for row in range(len(series.figures)))
            above = sum(size is not None and size > 0 for size in sizes)
            if best is None or (digits, above) > best[:2]:
                best = digits, above, way
    return best[2] if best is not None else None


def sums_to(series: Told, columns: Sequence[SeriesColumn]) -> Way | None:
    """The sum of three and more columns, some of them taken away, that leads to the figures, if no chance does."""
    figures = series.figures
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
                if _told_by(way, series) >= bound:
                    return way
    return None


def with_constant(series: Told, columns: Sequence[SeriesColumn], known: Sequence[float]) -> Way | None:
    """A column times, or plus, one and the same number that leads to the figures, whatever that is: of a recipe for
    more, of points still to be had. It is ``sure`` where it is one of those ``known``.

    One figure tells the number, and the others confirm it.
    """
    told = [one for one in columns if one.told]
    bound = log10(2 * len(told) + 1) + _SURE
    best: tuple[float, Way] | None = None
    for column, sign in product(told, ("×", "+")):
        span = _span_of_most(series.figures, column.values, sign)
        if span is None:
            continue
        size = next((one for one in known if span[0] <= one <= span[1]), None)
        constant = SeriesColumn("", [size or _simplest(*span)] * len(column.values), [None] * len(column.values),
                                sure=size is not None)  # fmt: skip
        way = Way(sign, column, constant)
        digits = _told_by(way, series) - max(map(_digits, series.figures))
        if digits >= bound and (best is None or digits > best[0]):
            best = digits, way
    return best[1] if best is not None else None


def _span_of_most(figures: Sequence[Figure], values: _Values, sign: str) -> tuple[float, float] | None:
    """The numbers that lead from most of some values to their figures."""
    spans: list[tuple[float, float]] = []
    for figure, value in zip(figures, values, strict=True):
        low, high = figure.edges if not figure.negative else (-figure.edges[1], -figure.edges[0])
        if value is not None and sign == "+":
            exact = abs(value / step - round(value / step)) < _EXACT if (step := float(figure.step)) else False
            size = float(-figure.value if figure.negative else figure.value)
            room = step * _EXACT
            spans.append((size - value - room, size - value + room) if exact else (low - value, high - value))
        elif value:
            spans.append((min(low / value, high / value), max(low / value, high / value)))
    inside = max(spans, key=lambda one: sum(low <= one[1] <= high for low, high in spans), default=None)
    if inside is None:
        return None
    meeting = [one for one in spans if one[0] <= inside[1] <= one[1]]
    return max(low for low, _ in meeting), min(high for _, high in meeting)


def _simplest(low: float, high: float) -> float:
    """The fraction of the smallest denominator between two numbers."""
    for below in range(1, _MOST_BELOW):
        if (above := ceil(low * below)) <= high * below:
            return above / below
    return (low + high) / 2


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


def _told_by(way: Way, series: Told) -> float:
    """How many digits the figures tell that a formula leads to; 0 where these are too few, or too many others."""
    figures, signed = series
    fitting = [one for row, one in enumerate(figures) if fits(way, row, one, signed)]
    tried = sum(way.size(row) is not None for row in range(len(figures)))
    if len({one.value for one in fitting}) < FEWEST or len(fitting) < (1 - _MOST_OFF) * tried:
        return 0.0
    return sum(map(_digits, fitting)) + (len(fitting) * _SIGN if signed else 0.0)


def _ways(figures: Sequence[Figure], columns: Sequence[SeriesColumn], factors: Sequence[float]) -> Iterator[Way]:
    """The formulas of one column, and of two, that lead to one of the first two figures."""
    told = [one for one in columns if one.told]
    yield from _with_factors((Way("", one, None) for one in columns), figures, factors)
    yield from _fitting((Way("÷", one, one.of_all, 100.0) for one in columns if one.whole), figures)
    yield from _fitting((Way("÷", one, one.of_first, 100.0) for one in columns if one.first), figures)
    yield from _with_factors((Way("1 ÷", one, None) for one in told), figures, factors)
    for sign in _OF_TWO:
        pairs = (Way(sign, one, other) for one, other in permutations(told, 2))
        yield from _with_factors(pairs, figures, factors) if sign in _FREE else _fitting(pairs, figures)


def _ways_of_three(figures: Sequence[Figure], told: Sequence[SeriesColumn], factors: Sequence[float]) -> Iterator[Way]:
    """The formulas of a column with the difference, or the quotient, of two others."""
    for one, other in permutations(told, 2):
        rest = [each for each in told if each is not one and each is not other]
        rate = _combined(one, other, _SIGNS["÷"], "{} ÷ {}")
        yield from _with_factors((Way("×", rate, each) for each in rest), figures, factors)
        apart = _combined(one, other, _SIGNS["−"], "({} − {})")
        yield from _with_factors((Way(sign, apart, each) for each in rest for sign in ("×", "÷")), figures, factors)


def _with_several(figures: Sequence[Figure], told: Sequence[SeriesColumn], factors: Sequence[float]) -> Iterator[Way]:
    """A column with another one several times, more or less: a price with the charges of three persons."""
    times = sorted({*map(float, range(2, _MOST_TIMES + 1)), *(factor for factor in factors if factor > 1)})
    low, high = figures[0].edges
    for (one, other), (sign, name) in product(permutations(told, 2), ((1.0, "+"), (-1.0, "−"))):
        a, b = one.values[0], other.values[0]
        if a is None or not b:
            continue
        for number in times:
            if low <= abs(a + sign * number * b) <= high:
                often = written(Fraction(number).limit_denominator(10**6), None)
                made = _combined(one, other, partial(_added_often, sign * number), f"{{}} {name} {often} × {{}}")
                yield Way("", made, None)


def _added_often(times: float, a: float, b: float) -> float:
    return a + times * b


def _combined(
    one: SeriesColumn, other: SeriesColumn, step: Callable[[float, float], float | None], form: str
) -> SeriesColumn:
    """What a step makes of two columns in each row, written in that form."""
    pairs = zip(one.values, other.values, strict=True)
    sizes = [step(a, b) if a is not None and b is not None else None for a, b in pairs]
    steps = [form.format(one.said(row), other.said(row)) for row in range(len(sizes))]
    return SeriesColumn(one.name, sizes, one.spots, told=False, steps=steps)


def _fitting(ways: Iterable[Way], figures: Sequence[Figure]) -> Iterator[Way]:
    """The ways that lead to one of the first two figures."""
    return (way for way in ways if any((size := way.size(row)) and figures[row].holds(abs(size)) for row in (0, 1)))


def _with_factors(ways: Iterable[Way], figures: Sequence[Figure], factors: Sequence[float]) -> Iterator[Way]:
    """The ways that lead to one of the first two figures with one of the factors."""
    for way, row in product(ways, (0, 1)):
        if size := way.size(row):
            low, high = figures[row].edges
            first, last = bisect_left(factors, low / abs(size)), bisect_right(factors, high / abs(size))
            yield from (way._replace(factor=factor) for factor in factors[first:last])


def fits(way: Way, row: int, figure: Figure, signed: bool) -> bool:
    size = way.size(row)
    return size is not None and not (signed and size and figure.negative != (size < 0)) and figure.holds(abs(size))


def _digits(figure: Figure) -> float:
    """How many digits a figure tells: 1 of one that a tenth of all sizes near to it would be taken for."""
    return log10(figure.telling) if 1 < figure.telling < inf else 0.0
