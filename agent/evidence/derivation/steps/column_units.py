"""Figures in the units that the heads of observed columns name: "2.15 s" of 2150 below "p95_ms"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from agent.evidence.sources import Sources
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import OF_CENTS, PERCENT, POINTS, SPELLINGS, Unit, alike, convert

_CENTS, BASIS_POINTS = SPELLINGS["cents"], SPELLINGS["bp"]
_MOST_GIVEN = 8  # numbers of a question
_FEW = 3  # units of one kind that a figure is read in


def with_units_of_columns(figures: Iterable[Figure], sources: Sources) -> list[Figure]:
    """The figures, each with what else it may mean: itself in the units of its kind that the heads of columns name.

    Cents are read as the whole coin of any currency that has them, per cent as basis points, and the other way round.
    """
    units = [*dict.fromkeys(unit for source in sources.texts for unit in source.page.units_of_heads)]
    units += [_CENTS] if _CENTS not in units and _gives_cents(sources) else []
    return [_with_others(figure, units) if figure.unit is not None else figure for figure in figures]


def _gives_cents(sources: Sources) -> bool:
    """Whether the question gives a price in cents."""
    given = (source.page for source in sources.texts if source.origin == "given")
    return any(
        page.unit_at(token.start, token.end)[0] is _CENTS for page in given for token in page.scan.numbers[:_MOST_GIVEN]
    )


def _with_others(figure: Figure, units: list[Unit]) -> Figure:
    found = [
        replace(figure, value=value, step=step, unit=unit, others=()) for value, step, unit in _read(figure, units)
    ]
    return replace(figure, others=(*figure.others, *found[:_FEW])) if found else figure


def _read(figure: Figure, units: list[Unit]) -> Iterator[tuple[Fraction, Fraction, Unit]]:
    """The value and the step of a figure in other units."""
    own = figure.unit
    if own is None:
        return
    for unit in [*units, *(OF_CENTS if own is _CENTS else ())]:
        if own.dimension == unit.dimension and not own.offset and not unit.offset and own.dimension != "ratio":
            if not alike(own, unit):
                yield convert(figure.value, own, unit), figure.step * own.factor / unit.factor, unit
        elif (factor := _factor(own, unit)) is not None:
            yield figure.value * factor, figure.step * factor, unit


def _factor(own: Unit, unit: Unit) -> Fraction | None:
    """What leads from one unit to another one of another kind that measures the same; ``None`` where none does."""
    if unit is BASIS_POINTS and own in (PERCENT, POINTS):
        return Fraction(100)
    if own is BASIS_POINTS and unit in (PERCENT, POINTS):
        return Fraction(1, 100)
    if own is _CENTS and unit in OF_CENTS:
        return Fraction(1, 100)
    return Fraction(100) if unit is _CENTS and own in OF_CENTS else None


def in_points(figure: Figure) -> Figure:
    """So many basis points as percentage points."""
    return replace(figure, value=figure.value / 100, step=figure.step / 100, unit=POINTS, others=())
