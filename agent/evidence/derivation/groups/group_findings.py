"""What a step between groups of a table's rows may come to, and what is told of one that comes to a figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TypeVar

from agent.evidence.derivation.groups.group_amounts import Amount, GroupAmounts
from agent.evidence.derivation.groups.group_steps import GroupStep
from agent.evidence.derivation.steps.arithmetic_steps import Result, written
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_values import is_in_unit
from agent.evidence.direction import turned
from agent.evidence.sources import Finding, Sources
from agent.interface_text import Text, keyed
from agent.text.quantities.units import PERCENT, POINTS
from agent.text.regex import regex

_Number = TypeVar("_Number", float, Fraction)
_SUM = keyed("{column} of the {n} rows with {values} together")
_MEAN = keyed("mean {column} of the {n} rows with {values}")
_MEDIAN = keyed("median {column} of the {n} rows with {values}")
_WEIGHTED = keyed("mean {column} of the {n} rows with {values}, weighted by {weight}")
_OF_GROUP = {"sum": _SUM, "mean": _MEAN, "median": _MEDIAN, "weighted": _WEIGHTED}
_OF_ALL = {
    "sum": keyed("sum of {column}"),
    "mean": keyed("mean of {column}"),
    "median": keyed("median of {column}"),
    "weighted": keyed("mean {column}, weighted by {weight}"),
}
_PRODUCTS = keyed("sum of {one} × {other}")
_FORMULAS = {
    "share": "{one} ÷ {other} × 100",
    "change": "({one} − {other}) ÷ {other} × 100",
    "difference": "{one} − {other}",
    "ratio": "{one} ÷ {other}",
}
_TOLD = keyed("{steps} = {outcome} ({one}: {of_one}; {other}: {of_other})")
_PER_SEVERAL = (
    (2, regex(r"(?<![0-9,.])100(?![0-9,.]|%)")),
    (3, regex(r"(?<![0-9,.])1[,. ]?000(?![0-9,.])|1k\b|千")),
)


def group_outcomes(step: GroupStep, claim: FigureClaim) -> Iterator[float]:
    """What a step may come to that can be such a figure, in floats."""
    size = _value(step.step, step.one.size, step.other.size if step.other is not None else 0.0)
    if size is not None:
        yield from (abs(size) * 10.0**power for power in _powers(step, claim))


def _value(step: str, one: _Number, other: _Number) -> _Number | None:
    if not step:
        return one
    if step == "difference":
        return one - other
    if not other:
        return None
    ratio = one / other
    return ratio * 100 if step == "share" else (ratio - 1) * 100 if step == "change" else ratio


def _powers(step: GroupStep, claim: FigureClaim) -> Iterable[int]:
    """The powers of ten in which a step may be such a figure; none where it is of another kind."""
    one, points = step.one, claim.figure.unit is POINTS
    if step.step in ("share", "change"):
        return (0,) if claim.is_share and (step.step == "change" or not claim.is_change_said) else ()
    if claim.is_share or points:
        if one.kind == "ratio":
            return () if claim.is_change_said else (2,) if points == (step.step == "difference") else ()
        return (0,) if one.measure.percent and one.kind != "sum" and points == (step.step == "difference") else ()
    if step.step == "ratio":
        return (0,)
    if one.kind != "ratio":
        return one.powers(claim.figure.unit)
    return one.powers(claim.figure.unit).union(power for power, said in _PER_SEVERAL if said.search(claim.said))


def told(amounts: GroupAmounts, claim: FigureClaim, step: GroupStep, sources: Sources) -> Finding | None:
    """The finding for a step that comes to the figure, told in full; ``None`` where a sentence rules it out."""
    several = (step.one, *((step.other,) if step.other is not None else ()))
    values = [amounts.exact(one) for one in several]
    size = _value(step.step, values[0], values[-1])
    low, high = claim.figure.bounds
    power = next((one for one in _powers(step, claim) if size and low <= abs(size) * Fraction(10) ** one <= high), None)
    if size is None or power is None or _is_turned(claim, step, size):
        return None
    spots = tuple(amounts.spot(one) for one in several)
    percent = claim.is_share and (step.step in ("share", "change") or step.one.kind == "ratio")
    unit = PERCENT if percent else amounts.unit(step.one) if step.step != "ratio" else None
    if not (percent or step.one.kind == "ratio") and not is_in_unit(
        sources, claim.figure, Result("sum", size, unit, spots, "", {})
    ):
        return None
    shown = size * 100 if percent and not step.step else size
    return Finding("worked_out", spots, _note(step, values, written(shown, unit)))


def _is_turned(claim: FigureClaim, step: GroupStep, size: Fraction) -> bool:
    """Whether a change in time, or one with a sign, is said to go the other way."""
    if step.step not in ("change", "difference") or step.other is None:
        return claim.sign * size < 0
    ordered = step.one.when != step.other.when
    sign = (size > 0) - (size < 0)
    if claim.sign:
        return ordered and claim.sign != sign
    return ordered and turned(claim.said, claim.at, claim.figure.negative, sign)


def _note(step: GroupStep, values: list[Fraction], outcome: str) -> Text:
    if step.other is None:
        return Text("{steps} = {outcome}", steps=_said(step.one), outcome=outcome)
    one, other = (written(value) for value in values)
    formula = _FORMULAS[step.step].format(one=one, other=other)
    said = {"of_one": _said(step.one), "of_other": _said(step.other)}
    return Text(*_TOLD, steps=formula, outcome=outcome, one=one, other=other, **said)


def _said(one: Amount) -> Text:
    if one.kind == "ratio" and one.by is not None:
        parts = (_said(one._replace(kind="sum", measure=each, by=None)) for each in (one.measure, one.by))
        return Text("{one} ÷ {other}", one=next(parts), other=next(parts))
    filling = {"column": one.measure.name} | ({"weight": one.by.name} if one.by is not None else {})
    if one.kind == "product" and one.by is not None:
        return Text(*_PRODUCTS, one=one.measure.name, other=one.by.name)
    if not one.group.said:
        return Text(*_OF_ALL[one.kind], **filling)
    return Text(*_OF_GROUP[one.kind], **filling, n=len(one.group.rows), values=one.group.said)
