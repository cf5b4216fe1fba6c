"""Single steps of arithmetic between seen values, each with what it would show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from agent.evidence.derivation.written import written
from agent.interface_text import Templates, Text, keyed
from agent.text.quantities.units import PERCENT, Unit, alike


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


def sizes_of_two(one: Operand, other: Operand) -> tuple[tuple[float, str], ...]:
    """What steps between two values may come to, as floats without sign, and the kind of each: to find one quickly."""
    first, second = float(one.value), float(other.value)
    apart = abs(first - second)
    if one.year or other.year:
        return ((apart, "years"),) if one.year and other.year else ()
    sizes = [
        (first + second, "sum"),
        (apart, "difference"),
        ((first + second) / 2, "mean"),
        (first * second, "product"),
    ]
    if first and second:
        ratio, change = first / second, apart * 100
        sizes += [(ratio, "ratio"), (1 / ratio, "ratio")] if ratio else []
        sizes += (
            [(size, "percent") for size in (100 * ratio, 100 / ratio, change / first, change / second)] if ratio else []
        )
    for share, base in ((one, second), (other, first)):
        if share.unit is not None and share.unit.dimension == "share":
            part = float(share.value) * share.unit.rate * base
            sizes += [(part, "share"), (base + part, "sum"), (abs(base - part), "difference")]
    return tuple(sizes)


def of_two(one: Operand, other: Operand, kind: str) -> Iterable[Result]:
    """The steps of one kind between two values, worked out exactly, as far as their units allow them."""
    large, small = (one, other) if one.value >= other.value else (other, one)
    spots = (large.spot, small.spot)
    unit = one.unit or other.unit
    if kind == "years":
        yield Result(large.value - small.value, None, kind, f"{large.value} − {small.value}", spots)
    elif kind in _ADDING and _addable(one.unit, other.unit):
        yield _added(large, small, kind)
    elif kind == "product" and (one.unit is None or other.unit is None or not alike(one.unit, other.unit)):
        note = f"{_shown(large)} × {_shown(small)}"
        for either in dict.fromkeys((one.unit or other.unit, other.unit or one.unit)):
            yield Result(large.value * small.value, either, kind, note, spots)
    elif kind in ("ratio", "percent"):
        yield from _ratios(one, other, kind)
    if unit is not None and kind in ("share", "sum", "difference"):
        yield from (result for result in _shares(one, other) if result.kind == kind)


_ADDING = ("sum", "difference", "mean")


def _added(large: Operand, small: Operand, kind: str) -> Result:
    unit, spots = large.unit or small.unit, (large.spot, small.spot)
    if kind == "sum":
        total = large.value + small.value
        return Result(total, unit, kind, f"{_shown(large)} + {_shown(small)}", spots, large.value)
    if kind == "mean":
        mean = (large.value + small.value) / 2
        return Result(
            mean, unit, kind, Text("mean of {large} and {small}", large=_shown(large), small=_shown(small)), spots
        )
    return Result(large.value - small.value, unit, kind, f"{_shown(large)} − {_shown(small)}", spots, large.value)


def _shown(operand: Operand) -> str:
    return written(operand.value, operand.unit)


def _addable(one: Unit | None, other: Unit | None) -> bool:
    """Whether values can be added: of one unit, or one of them without any that we can see."""
    if one is None or other is None:
        return not any(unit is not None and unit.dimension == "share" for unit in (one, other))
    return alike(one, other)


def _ratios(one: Operand, other: Operand, kind: str) -> Iterable[Result]:
    same = _addable(one.unit, other.unit)
    for top, bottom in ((one, other), (other, one)):
        if not bottom.value:
            continue
        ratio, spots = top.value / bottom.value, (top.spot, bottom.spot)
        first, second = _shown(top), _shown(bottom)
        if kind == "ratio":
            for unit in dict.fromkeys((None if same else top.unit, top.unit if bottom.unit is None else None)):
                yield Result(ratio, unit, kind, f"{first} ÷ {second}", spots)
        elif same:
            yield Result(ratio * 100, PERCENT, kind, f"{first} ÷ {second} × 100", spots)
            yield Result((ratio - 1) * 100, PERCENT, kind, f"({first} − {second}) ÷ {second} × 100", spots)


def _shares(one: Operand, other: Operand) -> Iterable[Result]:
    """18 % of 240, and 240 with 18 % more or less."""
    for share, base in ((one, other), (other, one)):
        if share.unit is None or share.unit.dimension != "share" or base.unit is share.unit:
            continue
        part = share.value * share.unit.factor * base.value
        spots = (share.spot, base.spot)
        yield Result(part, base.unit, "share", f"{_shown(share)} of {_shown(base)}", spots)
        yield Result(base.value + part, base.unit, "sum", f"{_shown(base)} + {_shown(share)}", spots)
        yield Result(base.value - part, base.unit, "difference", f"{_shown(base)} − {_shown(share)}", spots)


def of_many(
    values: tuple[Fraction, ...], unit: Unit | None, spots: tuple[tuple[int, int, int], ...], of: str
) -> Iterable[Result]:
    """Sum, mean, smallest, largest and range of a list with two values or more; ``of`` names the column."""
    total = sum(values, Fraction(0))
    yield Result(total, unit, "sum", _of(of, len(values), keyed("sum of {column}"), keyed("sum of {n} values")), spots)
    yield Result(
        total / len(values),
        unit,
        "mean",
        _of(of, len(values), keyed("mean of {column}"), keyed("mean of {n} values")),
        spots,
    )
    yield Result(
        min(values),
        unit,
        "minimum",
        _of(of, len(values), keyed("minimum of {column}"), keyed("minimum of {n} values")),
        spots,
    )
    yield Result(
        max(values),
        unit,
        "maximum",
        _of(of, len(values), keyed("maximum of {column}"), keyed("maximum of {n} values")),
        spots,
    )
    yield Result(
        max(values) - min(values),
        unit,
        "difference",
        _of(of, len(values), keyed("range of {column}"), keyed("range of {n} values")),
        spots,
    )


def _of(column: str, count: int, named: Templates, counted: Templates) -> Text:
    return Text(*named, column=column) if column else Text(*counted, n=count)
