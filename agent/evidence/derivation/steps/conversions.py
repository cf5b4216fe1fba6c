"""Seen values in another unit, and the dates that durations lie between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.chance import Chance
from agent.evidence.lookup.context import Answer
from agent.evidence.lookup.days import Moment
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Finding, Source, Sources, Spotted
from agent.evidence.tables.meant_columns import units_above
from agent.interface_text import Text
from agent.text.quantities.claim_words import several
from agent.text.quantities.dates import day_of
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.quantities.number_words import as_float, exactly
from agent.text.quantities.units import DIMENSIONS, Unit, alike, convert, rough
from agent.text.regex import regex

_MOST_TRIED = 40
_MEASURED = regex(r"(?: ?[x×] ?[0-9][0-9.,]*){0,2} ?[x×] ?([0-9][0-9.,]*)")  # "1650 x 620 x 640 mm"
_LIKE = 100  # parts of a value, of which one may come from another rounding
_Derive: TypeAlias = Callable[[Figure, int, int], Finding | None]
_CONVERTIBLE = frozenset(several("temperature length mass speed area volume"))


@dataclass(frozen=True)
class Conversions:
    """The values of the sources, in other units."""

    standings: Standings

    @property
    def sources(self) -> Sources:
        return self.standings.sources

    def converted(self, figure: Figure, chance: Chance) -> Finding | None:
        """A conversion of any seen value with another unit of the same dimension: of one of the figure's own row.

        It ``differs`` where the value is told in the figure's unit right there, too, and otherwise.
        """
        if figure.unit is None or figure.unit.dimension in ("ratio", "degree", "pound"):
            return None
        low, high = figure.edges
        if figure.negative:
            low, high = -high, -low
        bottom, top = figure.bounds
        found: Finding | None = None
        for spot, result, other, note in self._in_other_units(low, high, figure.unit):
            if not (bottom <= abs(result) <= top and (result < 0) == figure.negative):
                continue
            if (told := self._told_beside(spot, figure, figure.unit)) is not None:
                return self.sources.differs(told, widen=True)
            seen = _in_unit(figure, figure.unit, other)
            settled = self.standings.settle(Finding("seen", (spot,)), figure.start, figure.end, seen)
            if settled.verdict == "seen":
                by_chance = chance.explains_one(figure, spot, self._of_all_sizes(figure))
                return Finding("possible" if by_chance else "worked_out", (spot,), note)
            found = found or settled
        return found

    def _of_all_sizes(self, figure: Figure) -> Iterator[tuple[Spotted, float]]:
        """What seen values come to once they are converted, between half of a figure and twice as much."""
        ends = sorted(as_float(-size if figure.negative else size) for size in (figure.value / 2, figure.value * 2))
        found = self._in_other_units(ends[0], ends[1], figure.unit) if figure.unit is not None else ()
        return ((spot, as_float(abs(result))) for spot, result, *_ in found)

    def _told_beside(self, spot: Spotted, figure: Figure, wanted: Unit) -> Spotted | None:
        """Where the row or the sentence of a value has next to the same as a figure, in the ``wanted`` unit."""
        number, start, _ = spot
        page = self.sources.texts[number].page
        at = page.cell_at(start)
        row = at[0].table.rows[at[1].row] if at is not None else ()
        left, right = (row[0].start, row[-1].end) if row else page.sentence(start)
        for token in page.numbers_between(left, right):
            unit = page.unit_at(token.start, token.end)[0]
            if unit is not None and alike(unit, wanted) and 0 < abs(token.value - figure.value) < figure.value / _LIKE:
                return number, token.start, token.end
        return None

    def near(self, figure: Figure) -> Finding | None:
        """``differs`` where a seen value of another unit comes near once it is converted."""
        if figure.unit is None or figure.unit.dimension not in _CONVERTIBLE:
            return None
        value = as_float(-figure.value if figure.negative else figure.value)
        room = max(abs(value) / 10, 3.0 if figure.unit.dimension == "temperature" else 0.0)
        found = next(iter(self._in_other_units(value - room, value + room, figure.unit)), None)
        return Finding("differs", (found[0],), found[3]) if found else None

    def _in_other_units(self, low: float, high: float, unit: Unit) -> Iterator[tuple[Spotted, Fraction, Unit, str]]:
        """Seen values of another unit that come near once they are converted: where, how much, their unit, the step."""
        for other in DIMENSIONS[unit.dimension]:
            if not alike(other, unit):
                near, far = sorted((rough(low, unit, other), rough(high, unit, other)))
                for spot, seen in self._with_unit(near, far, other):
                    result = convert(seen, other, unit)
                    yield spot, result, other, f"{written(seen, other)} = {written(result, unit)}"

    def _with_unit(self, low: float, high: float, unit: Unit) -> Iterable[tuple[Spotted, Fraction]]:
        """Seen values with exactly this unit."""
        sign = -1 if high < 0 else 1
        near, far = (low, high) if sign > 0 else (-high, -low)
        sources = self.sources
        for spot in (*sources.between(near, far, _MOST_TRIED), *sources.amounts_between(near, far, _MOST_TRIED)):
            source = self.sources.texts[spot.source]
            seen, left, _ = source.page.unit_at(spot.start, spot.end)
            negative = source.text[left - 1 : left] == "-"
            if seen is None and (measured := _MEASURED.match(source.text, spot.end)) is not None:
                seen = source.page.unit_at(*measured.span(1))[0]
            said = seen.name == unit.name if seen is not None else _heads_in(source, spot.start, unit)
            if said and negative == (sign < 0) and source.trusted(*spot[2:]):
                value = exactly(spot.value, source.text[spot.start : spot.end], source.scan.continental)
                yield spot[1:], sign * value


def _in_unit(figure: Figure, unit: Unit, other: Unit) -> Figure:
    """A figure in the unit that a source tells it in."""
    value = convert(-figure.value if figure.negative else figure.value, unit, other)
    step = abs(convert(figure.step, unit, other) - convert(Fraction(0), unit, other))
    return replace(figure, value=abs(value), negative=value < 0, step=step, unit=other, others=())


def _heads_in(source: Source, start: int, unit: Unit) -> bool:
    """Whether a number stands in a column whose head has a unit."""
    at = source.page.cell_at(start)
    return at is not None and at[1].numeric and any(one.name == unit.name for one in units_above(*at))


_AND_MONTH = regex(r" (?:per|for each|for every|a) [^\W\d_]+(?:,? and| per| each| every| a|,) month\b")


def of_a_month(figure: Figure, derive: _Derive, answer: Answer, sources: Sources) -> Finding | None:
    """ "4,000 EUR per employee and month" of a year's figures: a twelfth of what it is per employee."""
    if _AND_MONTH.match(answer.lower, figure.end) is None:
        return None
    of_year = replace(figure, value=figure.value * 12, step=figure.step * 12, others=())
    found = derive(of_year, figure.start, figure.end)
    if found is None or found.verdict != "worked_out":
        return None
    pages = [(sources.texts[number].page, start) for number, start, _ in found.spots]
    if any("month" in page.lower[slice(*page.sentence(start))] for page, start in pages):
        return None
    outcome = written(figure.value, figure.unit)
    return replace(found, note=Text("{steps} = {outcome}", steps=f"{found.note} ÷ 12", outcome=outcome))


def moments_of(dates: Sequence[tuple[Day, Spotted]], sources: Sources) -> list[Moment]:
    """The whole dates to reckon with: those of the answer that were found, those of short sources, and today."""
    found = [Moment(day.whole, spot) for day, spot in dates if day.whole is not None]
    years = {one.day.year for one in found}
    if len(years) == 1:  # "on 10 August 2025; the deadline is 20 July, 21 days earlier"
        (year,) = years
        said = [
            (day_of(year, day.month, day.day), spot) for day, spot in dates if day.month and day.day and not day.year
        ]
        found += [Moment(day, spot) for day, spot in said if day is not None]
    for day, dated in sources.whole_days[:6] if len(sources.whole_days) <= 6 else ():
        found.append(Moment(day, (dated.source, dated.day.start, dated.day.end)))
    if sources.today is not None:
        question = next((number for number, source in enumerate(sources.texts) if source.origin == "given"), 0)
        found.insert(min(len(found), 8), Moment(sources.today, (question, 0, 0)))
    return found
