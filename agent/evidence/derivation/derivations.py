"""Figures that follow from seen values by one step of arithmetic: what step, from which values, recomputed.

The work is bounded: at most ``MOST_OPERANDS`` values, each pair of them once, and aggregates of shown lists. A short
figure could come out of many pairs by chance, so its sentence must name the kind of step.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from agent.evidence.derivation.arithmetic_steps import Operand, Result, Several, of_two, written
from agent.evidence.derivation.lists import columns_of
from agent.evidence.lookup.agreement import units_named
from agent.evidence.lookup.context import Answer
from agent.evidence.lookup.days import Moment
from agent.evidence.sources import Finding, Source, Sources, Spot, Spotted
from agent.interface_text import Text
from agent.text.quantities.claim_words import several
from agent.text.quantities.day_mentions import Day, covering
from agent.text.quantities.figures import Figure
from agent.text.quantities.number_words import exact, exactly
from agent.text.quantities.units import DIMENSIONS, Unit, alike, convert, named_in, rough, unit_at

MOST_OPERANDS = 16

_ITEMS = frozenset(several("rows row entri items item recor lines resul value eleme 件 個 つ 行"))
_MOST_TRIED = 40
_FEW = 4  # values that only observations hold; with more of them a short figure comes out by chance

_HINTS = {
    "sum": re.compile(r"total|\bsum\b|combin|together|altogether|in all\b|plus|\+|overall|\badd|合計|合わせ|総|足"),
    "difference": re.compile(
        r"differ|more\b|less\b|fewer|older|younger|taller|shorter|higher|lower|larger|bigger|smaller|"
        r"longer|faster|slower|cheaper|warmer|cooler|colder|hotter|milder|heavier|lighter|deeper|greater|earlier|"
        r"wetter|drier|richer|poorer|stronger|weaker|steeper|thicker|thinner|narrower|[a-z]{3}er than\b|"
        r"later|farther|further|wider|long|gap|remain|\bleft\b|after|increas|decreas|\bris[ei]|\brose|\bfell|\bgrew|"
        r"drop|gain|lost|ago|\bage|since|lasted|span|minus|above|below|−| - |–|差|多|少|違|増|減|残|低|高|長|短|歳|経"
    ),
    "product": re.compile(r"times|each|\bper\b|×|\*|cost|total|worth|equal|convert|=|\bat\b|\bby\b|乗|掛|で|合計"),
    "ratio": re.compile(r"times|ratio|half|twice|\bper\b|average|every|each|÷|/|densit|倍|比|当たり|あたり|平均"),
    "mean": re.compile(r"average|mean\b|平均"),
    "minimum": re.compile(r"min|lowest|smallest|least|最小|最低|最少"),
    "maximum": re.compile(r"max|highest|largest|most|最大|最高|最多"),
    "years": re.compile(r"year|\bage|later|after|before|earlier|since|between|lasted|older|younger|span|年|歳|才"),
}
_CONVERTIBLE = frozenset(several("temperature length mass speed area volume"))
_UNHINTED = frozenset(("percent", "share", "count"))  # the unit or the noun of the figure says enough


@dataclass(frozen=True)
class Derivations:
    """What can be derived from the operands and the shown lists; looked for in floats, then worked out exactly."""

    operands: tuple[Operand, ...]
    sources: Sources

    @cached_property
    def sizes(self) -> list[tuple[float, str, int, int]]:
        """The size of every result of one step, sorted, with its kind and the two operands or -1 and a list."""
        operands = [one.roughly for one in self.operands[:MOST_OPERANDS]]
        pairs = [
            (float(abs(result.value)), result.kind, first, second)
            for (first, one), (second, other) in combinations(enumerate(operands), 2)
            if one.spot != other.spot
            for result in of_two(one, other)
        ]
        lists = [
            (float(abs(size)), kind, -1, number)
            for number, several in enumerate(self.lists)
            for kind, size in several.sizes()
        ]
        return sorted(pairs + lists)

    @cached_property
    def few(self) -> bool:
        return sum(not operand.stated for operand in self.operands[:MOST_OPERANDS]) <= _FEW

    @cached_property
    def lists(self) -> list[Several]:
        """The operands of one unit, all of them and by source, and the columns that the observations show."""
        groups: dict[tuple[str, int], list[Operand]] = {}
        for operand in self.operands:
            name = operand.unit.name if operand.unit is not None else ""
            if not operand.year:
                groups.setdefault((name, -1), []).append(operand)
                groups.setdefault((name, operand.spot[0]), []).append(operand)
        found: list[Several] = []
        for index, source in enumerate(self.sources.texts):
            for column in columns_of(source, index) if source.origin == "seen" else ():
                unit = next(iter(named_in(f"{column.name} {column.sample}".lower())), None)
                found.append(Several(column, unit, ((column.source, column.start, column.end),)))
        for members in groups.values():
            if len(members) >= 3:
                found.append(Several(tuple(members), members[0].unit, tuple(one.spot for one in members)))
        return found

    def derive(self, figure: Figure, answer: Answer) -> Finding | None:
        """``worked_out`` with its derivation, or nothing."""
        if converted := self._converted(figure):
            return converted
        low, high = figure.edges
        left, right = answer.sentence(figure.start)
        around = answer.lower[max(left, figure.start - 200) : min(right, figure.end + 200)]
        kinds = {kind for kind, pattern in _HINTS.items() if pattern.search(around)} | _UNHINTED
        first = bisect_left(self.sizes, (low,))
        for size, kind, one, other in self.sizes[first : first + _MOST_TRIED]:
            if size > high:
                break
            if kind in kinds and (found := self._worked_out(figure, kind, one, other)) is not None:
                return found
        return None

    def _worked_out(self, figure: Figure, kind: str, one: int, other: int) -> Finding | None:
        """The step between two operands (or of a list) that comes to the figure and can have been meant."""
        low, high = figure.bounds
        results = self.lists[other].results if one < 0 else of_two(self.operands[one], self.operands[other])
        stated = one < 0 or self.few or (self.operands[one].stated and self.operands[other].stated)
        if figure.digits <= 2 and not stated:
            return None
        for result in results:
            if result.kind != kind or not low <= abs(result.value) <= high:
                continue
            absorbed = result.near is not None and low <= result.near <= high
            if not absorbed and _unit_fits(figure, result) and self._allows(figure, result):
                outcome = written(abs(result.value), result.unit)
                return Finding(
                    "worked_out", result.spots, Text("{steps} = {outcome}", steps=result.note, outcome=outcome)
                )
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
        low, high = figure.edges
        if figure.negative:
            low, high = -high, -low
        bottom, top = figure.bounds
        for spot, result, note in self._in_other_units(low, high, figure.unit):
            if bottom <= abs(result) <= top and (result < 0) == figure.negative:
                return Finding("worked_out", (spot,), note)
        return None

    def near(self, figure: Figure) -> Finding | None:
        """``differs`` where a seen value of another unit comes near once it is converted."""
        if figure.unit is None or figure.unit.dimension not in _CONVERTIBLE:
            return None
        value = float(-figure.value if figure.negative else figure.value)
        room = max(abs(value) / 10, 3.0 if figure.unit.dimension == "temperature" else 0.0)
        found = next(iter(self._in_other_units(value - room, value + room, figure.unit)), None)
        return Finding("differs", (found[0],), found[2]) if found else None

    def _in_other_units(self, low: float, high: float, unit: Unit) -> Iterator[tuple[Spotted, Fraction, str]]:
        """Seen values of another unit that come near once they are converted: where, how much, and the conversion."""
        for other in DIMENSIONS[unit.dimension]:
            if not alike(other, unit):
                near, far = sorted((rough(low, unit, other), rough(high, unit, other)))
                for spot, seen in self._with_unit(near, far, other):
                    result = convert(seen, other, unit)
                    yield spot, result, f"{written(seen, other)} = {written(result, unit)}"

    def _with_unit(self, low: float, high: float, unit: Unit) -> Iterable[tuple[Spotted, Fraction]]:
        """Seen values with exactly this unit."""
        sign = -1 if high < 0 else 1
        near, far = (low, high) if sign > 0 else (-high, -low)
        sources = self.sources
        for spot in (*sources.between(near, far, _MOST_TRIED), *sources.amounts_between(near, far, _MOST_TRIED)):
            source = self.sources.texts[spot.source]
            seen, left, _ = unit_at(source.text, spot.start, spot.end)
            negative = source.text[left - 1 : left] == "-"
            if seen is not None and seen.name == unit.name and negative == (sign < 0) and source.trusted(*spot[2:]):
                value = exactly(spot.value, source.text[spot.start : spot.end], source.scan.continental)
                yield spot[1:], sign * value


def _unit_fits(figure: Figure, result: Result) -> bool:
    """Whether the result can have the figure's unit and sign."""
    if figure.negative and result.kind == "percent" and result.value > 0:
        return False
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


_MOST_TOGETHER = 60
_FEW_NUMBERS = 12  # an observation with at most so many numbers gives all of them


@dataclass(frozen=True, slots=True)
class Traced:
    """A figure or date of the answer; ``spot`` is where it was seen or given, if it was. ``year``: a bare year."""

    thing: object
    spot: Spotted | None
    year: bool


def operands_of(traced: Sequence[Traced], sources: Sources) -> list[Operand]:
    """Traced figures of the answer, figures of the question, and those of short observations."""
    found: dict[Spotted, Operand] = {}
    for one in traced:
        if isinstance(one.thing, Figure) and one.spot is not None:
            spot = one.spot
            if sources.texts[spot[0]].trusted(*spot[1:]):
                found.setdefault(spot, Operand(one.thing.value, one.thing.unit, spot, one.year, True))
                found[spot] = _as_seen(found[spot], one.thing, sources)
    for index, source in enumerate(sources.texts):
        if source.origin == "given" or (source.origin == "seen" and len(source.scan.numbers) <= _FEW_NUMBERS):
            tokens = [
                token
                for token in source.scan.numbers[:_FEW_NUMBERS]
                if covering(source.days, source.day_starts, token.start) is None
            ]
            for token in tokens:
                spot = (index, token.start, token.end)
                found.setdefault(spot, replace(_operand(source, spot), stated=source.origin == "given"))
    return list(found.values())[:_MOST_TOGETHER]


def _as_seen(operand: Operand, figure: Figure, sources: Sources) -> Operand:
    """The operand with the digits of its source, of which the answer may state fewer."""
    index, start, end = operand.spot
    seen = _operand(sources.texts[index], operand.spot)
    low, high = figure.bounds
    same = end > start and low <= seen.value <= high
    return replace(seen, unit=seen.unit or operand.unit, year=operand.year, stated=True) if same else operand


def _operand(source: Source, spot: Spotted) -> Operand:
    _, start, end = spot
    raw = source.text[start : min(end, start + 200)]
    value = exact(raw, source.scan.continental)[0]
    unit, _, _ = unit_at(source.text, start, end)
    year = raw.isdigit() and len(raw) == 4 and 1000 <= value <= 2100 and unit is None
    return Operand(value, unit, spot, year)


def moments_of(traced: Sequence[Traced], sources: Sources) -> list[Moment]:
    found: list[Moment] = []
    for one in traced:
        if isinstance(one.thing, Day) and one.thing.whole is not None and one.spot is not None:
            found.append(Moment(one.thing.whole, one.spot))
    for day, dated in sources.whole_days[:6] if len(sources.whole_days) <= 6 else ():
        found.append(Moment(day, (dated.source, dated.day.start, dated.day.end)))
    if sources.today is not None:
        question = next((number for number, source in enumerate(sources.texts) if source.origin == "given"), 0)
        found.insert(min(len(found), 8), Moment(sources.today, (question, 0, 0)))
    return found
