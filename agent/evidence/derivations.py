"""Figures that follow from seen values by one step of arithmetic: what step, from which values, recomputed.

The work is bounded: at most ``MOST_OPERANDS`` values, each pair of them once, and aggregates of shown lists. A short
figure could come out of many pairs by chance, so its sentence must name the kind of step.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from agent.evidence.agreement import units_named
from agent.evidence.context import Answer
from agent.evidence.figures import Figure
from agent.evidence.findings import Finding
from agent.evidence.lists import Column, columns_of
from agent.evidence.sources import Sources, Spot
from agent.evidence.steps import Operand, Result, of_many, of_two
from agent.evidence.units import DIMENSIONS, Unit, alike, convert, named_in, unit_at
from agent.evidence.words import several
from agent.evidence.written import written

MOST_OPERANDS = 20

_ITEMS = frozenset(several("rows row entri items item recor lines resul value eleme 件 個 つ 行"))
_MOST_TRIED = 40
_FEW = 4  # values that only observations hold; with more of them a short figure comes out by chance

_HINTS = {
    "sum": re.compile(r"total|\bsum\b|combin|together|altogether|in all\b|plus|\+|overall|\badd|合計|合わせ|総|足"),
    "difference": re.compile(
        r"differ|more\b|less\b|fewer|older|younger|taller|shorter|higher|lower|larger|bigger|smaller|"
        r"longer|faster|slower|cheaper|warmer|colder|hotter|heavier|lighter|deeper|greater|earlier|"
        r"later|farther|further|wider|long|gap|remain|\bleft\b|after|increas|decreas|\bris[ei]|\brose|\bfell|\bgrew|"
        r"drop|gain|lost|ago|\bage|since|lasted|span|minus|above|below|−| - |–|差|多|少|違|増|減|残|低|高|長|短|歳|経"
    ),
    "product": re.compile(r"times|each|\bper\b|×|\*|cost|total|worth|equal|convert|=|\bat\b|\bby\b|乗|掛|で|合計"),
    "ratio": re.compile(r"times|ratio|half|twice|\bper\b|average|every|each|÷|/|densit|倍|比|当たり|あたり|平均"),
    "percent": re.compile(r"%|percent|パーセント|割"),
    "mean": re.compile(r"average|mean\b|平均"),
    "minimum": re.compile(r"min|lowest|smallest|least|最小|最低|最少"),
    "maximum": re.compile(r"max|highest|largest|most|最大|最高|最多"),
    "years": re.compile(r"year|\bage|later|after|before|earlier|since|between|lasted|older|younger|span|年|歳|才"),
}


@dataclass(frozen=True)
class Derivations:
    """What can be derived from the operands and the shown lists; made when first asked for."""

    operands: tuple[Operand, ...]
    sources: Sources

    @cached_property
    def results(self) -> list[tuple[float, int, Result]]:
        """Every result of one step, sorted by size."""
        found = [*self._pairs(), *self._groups(), *self._columns()]
        return sorted((float(abs(result.value)), index, result) for index, result in enumerate(found))

    def _pairs(self) -> Iterable[Result]:
        operands = self.operands[:MOST_OPERANDS]
        few = sum(not operand.stated for operand in operands) <= _FEW
        for index, one in enumerate(operands):
            for other in operands[index + 1 :]:
                if one.spot != other.spot:
                    known = one.stated and other.stated
                    yield from (replace(result, stated=known or few) for result in of_two(one, other))

    def _groups(self) -> Iterable[Result]:
        """Aggregates of all operands of one unit, and of those in each source."""
        groups: dict[tuple[str, int], list[Operand]] = {}
        for operand in self.operands[:60]:
            name = operand.unit.name if operand.unit is not None else ""
            if not operand.year:
                groups.setdefault((name, -1), []).append(operand)
                groups.setdefault((name, operand.spot[0]), []).append(operand)
        for members in groups.values():
            if len(members) >= 3:
                values = tuple(member.value for member in members)
                spots = tuple(member.spot for member in members)
                yield from of_many(values, members[0].unit, spots, "")

    def _columns(self) -> Iterable[Result]:
        for column in self.columns:
            spots = ((column.source, column.start, column.end),)
            if len(column.values) >= 2:
                unit = next(iter(named_in(f"{column.name} {column.sample}".lower())), None)
                yield from of_many(column.values, unit, spots, f" of {column.name}")
            yield Result(Fraction(column.items), None, "count", f"count of {column.name}", spots)

    @cached_property
    def columns(self) -> list[Column]:
        texts = self.sources.texts
        return [
            column
            for index, source in enumerate(texts)
            if source.origin == "seen"
            for column in columns_of(source, index)
        ]

    def derive(self, figure: Figure, answer: Answer) -> Finding | None:
        """``worked_out`` with its derivation, or nothing."""
        return self._converted(figure) or self._computed(figure, answer)

    def _computed(self, figure: Figure, answer: Answer) -> Finding | None:
        low, high = figure.bounds
        left, right = answer.sentence(figure.start)
        around = answer.lower[max(left, figure.start - 200) : min(right, figure.end + 200)]
        slack = 1e-9 * float(high)
        first = bisect_left(self.results, (float(low) - slack,))
        for size, _, result in self.results[first : first + _MOST_TRIED]:
            if size > float(high) + slack:
                break
            absorbed = result.near is not None and low <= result.near <= high
            if (
                not absorbed
                and low <= abs(result.value) <= high
                and _fits(figure, result, around)
                and self._allows(figure, result)
            ):
                return Finding("worked_out", result.spots, f"{result.note} = {written(abs(result.value), result.unit)}")
        return None

    def _allows(self, figure: Figure, result: Result) -> bool:
        """Whether the sources let this step be meant.

        A count must be one of what the figure counts; values without unit must not be of another one by their row
        or record.
        """
        if result.kind == "count":
            index, start, end = result.spots[0]
            lower = self.sources.texts[index].lower
            stands = len(figure.noun) >= 2 and lower.find(figure.noun, max(0, start - 200), end) >= 0
            return figure.noun in _ITEMS or stands
        if figure.unit is None or result.unit is not None:
            return True
        for index, start, end in result.spots:
            named = units_named(self.sources.texts[index], Spot(0.0, index, start, end), figure.unit)
            if named and not any(alike(unit, figure.unit) for unit in named):
                return False
        return True

    def _converted(self, figure: Figure) -> Finding | None:
        """A conversion of any seen value with another unit of the same dimension."""
        if figure.unit is None or figure.unit.dimension in ("ratio", "degree", "pound"):
            return None
        low, high = (-edge for edge in reversed(figure.bounds)) if figure.negative else figure.bounds
        for other in DIMENSIONS[figure.unit.dimension]:
            if alike(other, figure.unit):
                continue
            edges = sorted((convert(low, figure.unit, other), convert(high, figure.unit, other)))
            found = self._with_unit(edges[0], edges[1], other)
            if found is not None:
                spot, value = found
                result = convert(value, other, figure.unit)
                note = f"{written(value, other)} = {written(result, figure.unit)}"
                return Finding("worked_out", (spot,), note)
        return None

    def near(self, figure: Figure) -> Finding | None:
        """``differs`` where a seen value of another unit comes near once it is converted."""
        if figure.unit is None or figure.unit.dimension not in (
            "temperature",
            "length",
            "mass",
            "speed",
            "area",
            "volume",
        ):
            return None
        value = -figure.value if figure.negative else figure.value
        room = max(abs(value) / 10, Fraction(3) if figure.unit.dimension == "temperature" else Fraction(0))
        for other in DIMENSIONS[figure.unit.dimension]:
            if alike(other, figure.unit):
                continue
            edges = sorted(convert(edge, figure.unit, other) for edge in (value - room, value + room))
            if (found := self._with_unit(edges[0], edges[1], other)) is not None:
                spot, seen = found
                note = f"{written(seen, other)} = {written(convert(seen, other, figure.unit), figure.unit)}"
                return Finding("differs", (spot,), note)
        return None

    def _with_unit(self, low: Fraction, high: Fraction, unit: Unit) -> tuple[tuple[int, int, int], Fraction] | None:
        sign = -1 if high < 0 else 1
        near, far = (low, high) if sign > 0 else (-high, -low)
        for spot in self.sources.between(float(near), float(far), _MOST_TRIED):
            source = self.sources.texts[spot.source]
            seen, left, _ = unit_at(source.text, spot.start, spot.end)
            negative = source.text[left - 1 : left] == "-"
            if seen is not None and seen.name == unit.name and negative == (sign < 0) and source.trusted(*spot[2:]):
                value = Fraction(spot.value).limit_denominator(10**9)
                return spot[1:], sign * value
        return None


def _fits(figure: Figure, result: Result, around: str) -> bool:
    """Whether the step can have been meant: the unit is right, and a short figure says what was done."""
    if figure.negative and result.kind == "percent" and result.value > 0:
        return False
    if not _unit_fits(figure, result) or (figure.digits <= 2 and not result.stated):
        return False
    if result.kind in ("percent", "share", "count"):
        return True
    return _HINTS[result.kind].search(around) is not None


def _unit_fits(figure: Figure, result: Result) -> bool:
    if result.kind == "count":
        return figure.unit is None and figure.step >= 1
    if result.kind == "ratio" and result.unit is None:
        return figure.unit is None or figure.unit.dimension == "ratio"
    if result.kind == "years":
        return figure.unit is None or figure.unit.name == "years"
    if result.unit is None:
        return figure.unit is None or figure.digits >= 3
    if figure.unit is None:
        return figure.digits >= 3
    return alike(result.unit, figure.unit)
