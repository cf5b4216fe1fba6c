"""Single steps of arithmetic between seen values, each with what it would show.

Each step is worked out twice: in floats, to find one that comes near a figure, then exactly.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple, TypeAlias

from agent.evidence.derivation.steps.lists import Column
from agent.evidence.sources import Spotted
from agent.interface_text import Templates, Text, keyed
from agent.text.quantities.number_words import as_float
from agent.text.quantities.units import PERCENT, POINTS, Unit, alike

Number: TypeAlias = Fraction | float

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}
_LARGEST = Fraction(10**21)
_MEAN = keyed("mean of {large} and {small}")
_OF_COLUMN: dict[str, Templates] = {
    "sum": keyed("sum of {column}"),
    "mean": keyed("mean of {column}"),
    "minimum": keyed("minimum of {column}"),
    "maximum": keyed("maximum of {column}"),
    "difference": keyed("range of {column}"),
    "count": keyed("count of {column}"),
}
OF_VALUES: dict[str, Templates] = {
    "sum": keyed("sum of {n} values"),
    "mean": keyed("mean of {n} values"),
    "minimum": keyed("minimum of {n} values"),
    "maximum": keyed("maximum of {n} values"),
    "difference": keyed("range of {n} values"),
}


@dataclass(frozen=True, slots=True)
class Operand:
    """A traced figure: the value in its source (exact, or as a float for finding a step) and where that is.

    ``stated``: the answer or the question names it.
    """

    value: Number
    unit: Unit | None
    spot: Spotted
    year: bool = False
    stated: bool = False

    @property
    def dated(self) -> bool:
        """Whether it is a year, if one that reads as a span: "by the 2019 year end"."""
        return self.year or (self.unit is not None and self.unit.name == "years" and 1500 <= self.value <= 2100)


class Result(NamedTuple):
    """``unit`` is the dimension-less ``None`` where anything fits. ``kind`` names the step, for the hints.

    ``formula`` shows the step, with places for what ``filling`` names. ``near`` is an operand that the result must not
    equal at the precision stated, or the other one would not count.
    """

    kind: str
    value: Number
    unit: Unit | None
    spots: tuple[Spotted, ...]
    formula: str | Templates
    filling: Mapping[str, Operand | str | int]
    near: Number | None = None

    @property
    def note(self) -> str:
        said = {
            name: written(part.value, part.unit) if isinstance(part, Operand) else part
            for name, part in self.filling.items()
        }
        return self.formula.format(**said) if isinstance(self.formula, str) else Text(*self.formula, **said)


def of_two(one: Operand, other: Operand) -> Iterator[Result]:
    """The steps between two values, as far as their units allow them."""
    large, small = (one, other) if one.value >= other.value else (other, one)
    spots, both = (large.spot, small.spot), {"large": large, "small": small}
    if one.year or other.year:
        if one.year and other.year:
            yield Result("years", large.value - small.value, None, spots, f"{large.value} − {small.value}", {})
        return
    unit = large.unit or small.unit
    same = _addable(one.unit, other.unit)
    if same:
        yield Result("sum", large.value + small.value, unit, spots, "{large} + {small}", both, large.value)
        apart = POINTS if unit is PERCENT else unit
        yield Result("difference", large.value - small.value, apart, spots, "{large} − {small}", both, large.value)
        yield Result("mean", (large.value + small.value) / 2, unit, spots, _MEAN, both)
    if one.unit is None or other.unit is None or not alike(one.unit, other.unit):
        for either in dict.fromkeys((one.unit or other.unit, other.unit or one.unit)):
            yield Result("product", large.value * small.value, either, spots, "{large} × {small}", both)
    for top, bottom in ((one, other), (other, one)):
        if top.value and bottom.value:
            yield from _ratios(top, bottom, same)
        if top.unit is not None and _is_share(top) and bottom.unit is not top.unit:
            yield from _shares(top, bottom, top.unit)


def _is_share(one: Operand) -> bool:
    return one.unit is not None and one.unit.dimension == "share"


def _addable(one: Unit | None, other: Unit | None) -> bool:
    """Whether values can be added: of one unit, or one of them without any that we can see."""
    if one is None or other is None:
        return not any(unit is not None and unit.dimension == "share" for unit in (one, other))
    return alike(one, other)


def _ratios(top: Operand, bottom: Operand, same: bool) -> Iterator[Result]:
    if _is_share(bottom) and not _is_share(top):
        return  # 318 ÷ 5.1 % is what 318 are a share of: see ``_shares``
    ratio, spots, both = top.value / bottom.value, (top.spot, bottom.spot), {"top": top, "bottom": bottom}
    for unit in dict.fromkeys((None if same else top.unit, top.unit if bottom.unit is None else None)):
        yield Result("ratio", ratio, unit, spots, "{top} ÷ {bottom}", both)
    if same:
        yield Result("percent", ratio * 100, PERCENT, spots, "{top} ÷ {bottom} × 100", both)
        yield Result("percent", (ratio - 1) * 100, PERCENT, spots, "({top} − {bottom}) ÷ {bottom} × 100", both)


def _shares(share: Operand, base: Operand, of: Unit) -> Iterator[Result]:
    """18 % of 240, and 240 with 18 % more or less."""
    part = share.value * (of.factor if isinstance(share.value, Fraction) else of.rate) * base.value
    spots, both = (share.spot, base.spot), {"share": share, "base": base}
    yield Result("share", part, base.unit, spots, "{share} of {base}", both)
    yield Result("sum", base.value + part, base.unit, spots, "{base} + {share}", both)
    yield Result("difference", base.value - part, base.unit, spots, "{base} − {share}", both)
    if share.value:
        whole = base.value * base.value / part if part else base.value
        yield Result("share", whole, base.unit, (base.spot, share.spot), "{base} ÷ {share}", both)


def with_share(a: float, b: float) -> tuple[float, ...]:
    """What one value is in per cent of the other, and the other with that more or less."""
    part = a * b / 100
    wholes = (a * 100 / b, b * 100 / a) if a and b else ()
    return part, a + part, abs(a - part), b + part, abs(b - part), *wholes


@dataclass(frozen=True)
class Several:
    """A column, a list or the figures of one unit: sum, mean and so on can have been meant, or the count of rows."""

    source: Column | tuple[Operand, ...]
    unit: Unit | None
    spots: tuple[Spotted, ...]

    @cached_property
    def results(self) -> tuple[Result, ...]:
        if isinstance(self.source, Column):
            values, name = self.source.values, self.source.name
        else:
            values, name = tuple(one.value for one in self.source), ""
        filling: dict[str, str | int] = {"column": name, "n": len(values)}
        return tuple(
            Result(
                kind,
                value,
                None if kind == "count" else self.unit,
                self.spots,
                _OF_COLUMN[kind] if name or kind == "count" else OF_VALUES[kind],
                filling,
                max(values) if kind == "difference" else None,
            )
            for kind, value in self._totals(values)
        )

    @property
    def name(self) -> str:
        """What its column is called; nothing of other values."""
        return self.source.name if isinstance(self.source, Column) else ""

    def sizes_of(self, kinds: Container[str]) -> Iterator[float]:
        """What the results of some kinds come to, in floats."""
        sizes = self.source.sizes if isinstance(self.source, Column) else [as_float(one.value) for one in self.source]
        return (float(size) for kind, size in self._totals(sizes) if kind in kinds)

    @cached_property
    def sizes(self) -> tuple[Number, ...]:
        """What each result comes to as a float: asked for each figure that is worked out."""
        if isinstance(self.source, Column):
            return tuple(size for _, size in self._totals(self.source.sizes))
        return tuple(size for _, size in self._totals([as_float(one.value) for one in self.source]))

    def _totals(self, values: Sequence[Number]) -> Iterator[tuple[str, Number]]:
        if len(values) >= 2:
            total, low, high = _sum(values), min(values), max(values)
            yield from (("sum", total), ("mean", total / len(values)), ("minimum", low), ("maximum", high))
            yield "difference", high - low
        if isinstance(self.source, Column):
            yield "count", self.source.items


def _sum(values: Sequence[Number]) -> Number:
    """The sum; of fractions over their common denominator, which is made once."""
    fractions = [value for value in values if not isinstance(value, float)]
    if len(fractions) < len(values):
        return sum(values)
    whole = lcm(*{one.denominator for one in fractions})
    return Fraction(sum([one.numerator * (whole // one.denominator) for one in fractions]), whole)


def written(value: Number, unit: Unit | None = None) -> str:
    """At most six digits behind the point, with thousands in groups: "1,243,500", "12.222222 °C", "18%"."""
    value = Fraction(value)
    if abs(value) >= _LARGEST:
        text = f"about 10^{len(str(int(abs(value)))) - 1}" if abs(value) < 10**300 else "a huge number"
    else:
        text = f"{float(value):,.6f}" if value.denominator != 1 else f"{int(value):,}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    text = text.replace("-", "−")
    if unit is None:
        return text
    if unit.name in _SIGNS:
        return f"{_SIGNS[unit.name]}{text}"
    return f"{text}{unit.name}" if unit.name in ("%", "割") else f"{text} {unit.name}"
