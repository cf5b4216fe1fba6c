"""Single steps of arithmetic between seen values, each with what it would show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from agent.evidence.units import DIMENSIONS, Unit, alike
from agent.evidence.written import written


@dataclass(frozen=True, slots=True)
class Operand:
    """A traced figure: the value in its source (exact) and where that is.

    ``stated``: the answer or the question names it.
    """

    value: Fraction
    unit: Unit | None
    spot: tuple[int, int, int]
    year: bool = False
    stated: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """``unit`` is the dimension-less ``None`` where anything fits. ``kind`` names the step, for the hints.

    ``near`` is an operand that the result must not equal at the precision stated, or the other one would not count.
    """

    value: Fraction
    unit: Unit | None
    kind: str
    note: str
    spots: tuple[tuple[int, int, int], ...]
    near: Fraction | None = None


def sizes_of_two(one: Operand, other: Operand) -> tuple[float, ...]:
    """What ``of_two`` may come to, without sign and as floats: for finding a step before it is worked out."""
    first, second = float(one.value), float(other.value)
    sizes = [first + second, abs(first - second), (first + second) / 2, first * second]
    if first and second:
        ratio, change = first / second, abs(first - second) * 100
        sizes += [ratio, 1 / ratio, 100 * ratio, 100 / ratio, change / first, change / second]
    for share, base in ((one, second), (other, first)):
        if share.unit is not None and share.unit.dimension == "share":
            part = float(share.value) * float(share.unit.factor) * base
            sizes += [part, base + part, abs(base - part)]
    return tuple(sizes)


def of_two(one: Operand, other: Operand) -> Iterable[Result]:
    """Every step between two values that their units allow."""
    spots = (one.spot, other.spot)
    large, small = (one, other) if one.value >= other.value else (other, one)
    first, second = written(large.value, large.unit), written(small.value, small.unit)
    same = _addable(one.unit, other.unit)
    unit = one.unit or other.unit
    if one.year and other.year:
        yield Result(large.value - small.value, None, "years", f"{large.value} − {small.value}", spots)
        return
    if one.year or other.year:
        return
    if same:
        yield Result(large.value - small.value, unit, "difference", f"{first} − {second}", spots, near=large.value)
        yield Result(large.value + small.value, unit, "sum", f"{first} + {second}", spots, near=large.value)
        yield Result((large.value + small.value) / 2, unit, "mean", f"mean of {first} and {second}", spots)
    yield from _ratios(one, other, same)
    if not same or one.unit is None or other.unit is None:
        for unit in dict.fromkeys((one.unit or other.unit, other.unit or one.unit)):
            yield Result(large.value * small.value, unit, "product", f"{first} × {second}", spots)
    yield from _shares(one, other)


def _addable(one: Unit | None, other: Unit | None) -> bool:
    """Whether values can be added: of one unit, or one of them without any that we can see."""
    if one is None or other is None:
        return not any(unit is not None and unit.dimension == "share" for unit in (one, other))
    return alike(one, other)


def _ratios(one: Operand, other: Operand, same: bool) -> Iterable[Result]:
    for top, bottom in ((one, other), (other, one)):
        if not bottom.value:
            continue
        ratio = top.value / bottom.value
        first, second = written(top.value, top.unit), written(bottom.value, bottom.unit)
        spots = (top.spot, bottom.spot)
        for unit in dict.fromkeys((None if same else top.unit, top.unit if bottom.unit is None else None)):
            yield Result(ratio, unit, "ratio", f"{first} ÷ {second}", spots)
        if same:
            yield Result(ratio * 100, _percent(), "percent", f"{first} ÷ {second} × 100", spots)
            change = (top.value - bottom.value) / bottom.value * 100
            note = f"({first} − {second}) ÷ {second} × 100"
            yield Result(change, _percent(), "percent", note, spots)


def _shares(one: Operand, other: Operand) -> Iterable[Result]:
    """18 % of 240, and 240 with 18 % more or less."""
    for share, base in ((one, other), (other, one)):
        if share.unit is None or share.unit.dimension != "share" or base.unit is share.unit:
            continue
        part = share.value * share.unit.factor * base.value
        spots = (share.spot, base.spot)
        first, second = written(share.value, share.unit), written(base.value, base.unit)
        yield Result(part, base.unit, "share", f"{first} of {second}", spots)
        yield Result(base.value + part, base.unit, "sum", f"{second} + {first}", spots)
        yield Result(base.value - part, base.unit, "difference", f"{second} − {first}", spots)


def _percent() -> Unit:
    return DIMENSIONS["share"][0]


def of_many(
    values: tuple[Fraction, ...], unit: Unit | None, spots: tuple[tuple[int, int, int], ...], of: str
) -> Iterable[Result]:
    """Sum, mean, smallest, largest and range of a list with two values or more; ``of`` says of what."""
    total = sum(values, Fraction(0))
    shown = of or f" of {len(values)} values"
    yield Result(total, unit, "sum", f"sum{shown}", spots)
    yield Result(total / len(values), unit, "mean", f"mean{shown}", spots)
    yield Result(min(values), unit, "minimum", f"minimum{shown}", spots)
    yield Result(max(values), unit, "maximum", f"maximum{shown}", spots)
    yield Result(max(values) - min(values), unit, "difference", f"range{shown}", spots)
