"""Two figures beside each other that one formula leads to, for two times or two things: "from 21.2% to 20.3%".

No word has to say the formula. One figure many formulas may meet by chance; two figures, each in its place, hardly
any does: so more of them may be tried than for one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations, islice, pairwise, permutations
from math import inf
from typing import NamedTuple

from agent.evidence.derivation.figure_claims import FigureClaim
from agent.evidence.derivation.group_amounts import Amount, GroupAmounts
from agent.evidence.derivation.group_findings import group_outcomes, told
from agent.evidence.derivation.group_steps import GroupStep
from agent.evidence.derivation.known_values import place_of
from agent.evidence.derivation.near_values import MOST_ROWS, NearValues
from agent.evidence.derivation.possible_steps import claim_of
from agent.evidence.derivation.said_around import SaidAround
from agent.evidence.derivation.table_groups import Group
from agent.evidence.derivation.table_measures import Measure
from agent.evidence.kept import kept
from agent.evidence.lookup.numbers import scale_said
from agent.evidence.sources import Finding
from agent.evidence.tables.subjects import Subjects
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import POINTS, alike
from agent.text.regex import regex

_CHANCE = 0.05  # pairs of figures that so many formulas may meet by chance
_ALIKE = 0.3  # of a figure's digits: what a formula comes to in one place is near to what it does in the other
_MOST_TELLING, _FEWEST_TELLING = 500, 12
_NEAR = 90  # characters between two figures that are told together
_MOST_MATES, _MOST_PAIRS, _MOST_MEASURES, _MOST_SINGLE = 3, 6, 12, 16
_NAMED = 3  # measures that are named best
_APART = 20  # times as large: said in another scale
_LIKE = 10  # times as large: of one kind
_BEFORE = regex(  # between a value and the one that was before it
    r"\b(?:from|was|were|previous\w*|than|compared|against|vs|versus|up on|statt|zuvor|gegenüber|contre|frente|desde|"
    r"antes|era|depuis)\b"
)
_TO = regex(r"→|から")


class _Side(NamedTuple):
    """One time or one thing: rows, and the measures of it by what they are of."""

    group: Group
    measures: Mapping[str, Measure]
    when: float | None


class _Way(NamedTuple):
    """A step with what it comes to on the one side and on the other one, in floats and without sign."""

    one: float
    two: float
    step: str
    bases: tuple[str, ...]
    groups: tuple[Group, ...] = ()  # of one column, in place of measures of one group


@dataclass(frozen=True)
class _Pair:
    """Two sides with all ways between their values, sorted by what these come to on the first side."""

    amounts: GroupAmounts
    one: _Side
    two: _Side

    @cached_property
    def ways(self) -> Sequence[_Way]:
        return sorted((*self._of_measures(), *self._of_rows()))

    def between(self, low: float, high: float) -> Sequence[_Way]:
        ways = self.ways
        return ways[bisect_left(ways, (low,)) : bisect_right(ways, (high, inf))]

    @cached_property
    def _sizes(self) -> dict[str, tuple[float, float]]:
        """What each measure comes to on both sides."""
        found: dict[str, tuple[float, float]] = {}
        for base, measure in self.one.measures.items():
            other = self.two.measures.get(base)
            one, two = self._amount(self.one, measure), self._amount(self.two, other)
            if one is not None and two is not None and one.size and two.size:
                found[base] = one.size, two.size
        return found

    def _amount(self, side: _Side, measure: Measure | None, kind: str = "", by: Measure | None = None) -> Amount | None:
        if measure is None:
            return None
        return self.amounts.of(kind or ("mean" if measure.rate else "sum"), side.group, measure, by)

    def _of_measures(self) -> Iterator[_Way]:
        """Measures alone, and each two of them: for each unit of another one, and how far they are apart."""
        several = len(self.one.group.rows) > 1 or len(self.two.group.rows) > 1
        rates = {base for base, measure in self.one.measures.items() if measure.rate}
        sizes = self._sizes
        for base, (one, two) in sizes.items() if several else ():
            yield _Way(abs(one), abs(two), "", (base,))
        for (base, (one, two)), (by, (first, second)) in permutations(sizes.items(), 2):
            if by in rates:
                continue
            if base not in rates:
                yield _Way(abs(one / first), abs(two / second), "ratio", (base, by))
                if abs(one) > abs(first):
                    yield _Way(abs(one - first), abs(two - second), "difference", (base, by))
            elif not several:
                yield _Way(abs(one * first), abs(two * second), "product", (base, by))
            else:
                yield from self._weighed(base, by)

    def _weighed(self, base: str, by: str) -> Iterator[_Way]:
        for kind in ("weighted", "product"):
            made = [
                self._amount(side, side.measures.get(base), kind, side.measures.get(by))
                for side in (self.one, self.two)
            ]
            if made[0] is not None and made[1] is not None:
                yield _Way(abs(made[0].size), abs(made[1].size), kind, (base, by))

    def _of_rows(self) -> Iterator[_Way]:
        """Each two rows in one column of two times: together, apart, and the one as a share of the other."""
        if self.one.group is not self.two.group or self.one.group is not self.amounts.groups.every:
            return
        rows = self.amounts.subjects.table.rows
        single = [Group((row,), rows[row][0].text) for row in self.one.group.rows[:_MOST_SINGLE]]
        for base, measure in self.one.measures.items():
            if measure.rate or (other := self.two.measures.get(base)) is None or other is measure:
                continue
            sizes = [(self.amounts.of("sum", row, measure), self.amounts.of("sum", row, other)) for row in single]
            known = [
                (row, one.size, two.size)
                for row, (one, two) in zip(single, sizes, strict=True)
                if one is not None and two is not None and one.size and two.size
            ]
            for (row, one, two), (by, first, second) in permutations(known, 2):
                yield _Way(abs(one / first), abs(two / second), "share", (base,), (row, by))
                if row.rows < by.rows:
                    both = Group((*row.rows, *by.rows), f"{row.said}, {by.said}")
                    yield _Way(abs(one + first), abs(two + second), "", (base,), (both,))
                    yield _Way(abs(one - first), abs(two - second), "difference", (base,), (row, by))
            if base in self._sizes:
                whole, total = self._sizes[base]
                for row, one, two in known:
                    yield _Way(abs(one / whole), abs(two / total), "share", (base,), (row, self.one.group))

    def step(self, way: _Way, side: _Side) -> GroupStep | None:
        """The step of a way on a side."""
        measures = [side.measures[base] for base in way.bases]
        if way.groups:
            made = [self._amount(side._replace(group=group), measures[0]) for group in way.groups]
        elif way.step == "difference":
            made = [self._amount(side, measure) for measure in measures]
        else:
            kind = "" if len(measures) == 1 else way.step
            one = self._amount(side, measures[0], kind, measures[1] if kind else None)
            return GroupStep("", one) if one is not None else None
        several = [one for one in made if one is not None]
        return GroupStep(way.step, *several) if len(several) == len(made) else None


@dataclass(frozen=True)
class PairedFigures:
    """Of one answer; ``figures`` are all that it says, in their order."""

    near: NearValues
    figures: Sequence[Figure]

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` with the formula that leads to a figure and to one beside it; ``None`` where none does."""
        if not _is_telling(figure):
            return None
        tables = [one for one in self.near.tables if len(one[1].table.rows) <= MOST_ROWS]
        for one, mate in self._mates(figure) if tables else ():
            claim = claim_of(self.near, one)
            for number, subjects in tables:
                if (found := self._in_table(self._amounts(number, subjects), claim, mate)) is not None:
                    return replace(found, verdict="possible")
        return None

    def _mates(self, figure: Figure) -> Sequence[tuple[Figure, Figure]]:
        """The figure with each one of its line that is told with it, the nearest first, both in one scale."""
        left, right = self.near.line(figure.start)
        beside = [
            one
            for one in self.figures
            if left <= one.start < right and one.start != figure.start and abs(one.start - figure.start) < _NEAR
        ]
        beside.sort(key=lambda one: abs(one.start - figure.start))
        meant = ((self._scaled(figure, one), self._scaled(one, figure)) for one in beside if _is_telling(one))
        return [each for each in meant if _is_of_kind(*each)][:_MOST_MATES]

    def _scaled(self, figure: Figure, other: Figure) -> Figure:
        """A figure in the scale that is said once, behind the other one: "from 14.9 to 26.2 million"."""
        text = self.near.standings.answer.text
        power = scale_said(other, text)
        if power and figure.unit in (None, other.unit) and not scale_said(figure, text) and _is_far(figure, other):
            factor = 10**power
            return replace(figure, value=figure.value * factor, step=figure.step * factor, unit=other.unit, others=())
        return figure

    def _in_table(self, amounts: GroupAmounts, claim: FigureClaim, mate: Figure) -> Finding | None:
        """The finding for the formula of a table that leads to both figures, of what is named before any other."""
        around = self._around.of(claim.figure.start)
        said = amounts.measures.said(around.near, around.at, (around.wide,), claim.figure.unit)
        near = amounts.groups.named(around.near, around.at, False)
        named = {one.base for _, one in said[:_NAMED]}, {row for one in near for row in one.rows}
        pairs = [*self._pairs_of(amounts), *self._pairs_named(amounts, near)]
        order, other = self._order(claim.figure, mate), claim_of(self.near, mate)
        pairs = [one for one in pairs if not order or _in_order(one, order)]
        beside = [(_named(way, *named), pair, way, factor) for pair in pairs for way, factor in _beside(pair, claim)]
        most = _CHANCE * _ALIKE * _telling(claim.figure) * _telling(mate)
        for least in (1.0, 0.5, 0.0):
            meant = [one for one in beside if one[0] >= least]
            for _, pair, way, factor in meant if len(meant) <= most else ():
                if claim.figure.holds(way.one * factor) and mate.holds(way.two * factor):
                    step, second = pair.step(way, pair.one), pair.step(way, pair.two)
                    if step is not None and second is not None and _may_be(step, claim) and _may_be(second, other):
                        return told(amounts, claim, step, self.near.standings.sources)
        return None

    def _order(self, figure: Figure, mate: Figure) -> int:
        """1 where the figure is said to be before the other one, -1 where behind it, 0 where nothing says it."""
        lower = self.near.standings.answer.lower
        one, other = place_of(lower, figure.start), place_of(lower, mate.start)
        if one is not None and other is not None and one != other:
            return 1 if one < other else -1
        first, last = sorted((figure, mate), key=lambda each: each.start)
        if _BEFORE.search(lower, first.end, last.start) is not None:
            return -1 if first is figure else 1
        if _TO.search(lower, first.end, last.start) is not None:
            return 1 if first is figure else -1
        return 0

    @cached_property
    def _around(self) -> SaidAround:
        return SaidAround(self.near.standings)

    @kept
    def _amounts(self, number: int, subjects: Subjects) -> GroupAmounts:
        return GroupAmounts(number, subjects, partial(self.near.value_at, number, subjects))

    @kept
    def _pairs_of(self, amounts: GroupAmounts) -> Sequence[_Pair]:
        """The rows, or the columns, of two times."""
        times = amounts.groups.times
        groups = dict.fromkeys((*pairwise(times[-3:]), (times[0], times[-1]))) if len(times) > 1 else ()
        return [*_of_rows(amounts, [*groups]), *_of_columns(amounts, amounts.groups.every)]

    @kept
    def _pairs_of_groups(self, amounts: GroupAmounts, near: tuple[Group, ...]) -> Sequence[_Pair]:
        found = [*_of_rows(amounts, [*combinations(near, 2)])]
        return [*found, *(pair for group in near for pair in _of_columns(amounts, group))]

    def _pairs_named(self, amounts: GroupAmounts, near: Sequence[Group]) -> Sequence[_Pair]:
        """Two groups of rows that are named, and the columns of two times for one."""
        return self._pairs_of_groups(amounts, tuple(near[:4]))


def _may_be(step: GroupStep, claim: FigureClaim) -> bool:
    return any(map(claim.figure.holds, group_outcomes(step, claim)))


def _is_telling(figure: Figure) -> bool:
    if figure.ordinal or figure.spelled or not figure.value or figure.telling == inf:
        return False
    return figure.telling >= _FEWEST_TELLING


def _is_far(small: Figure, large: Figure) -> bool:
    return small.value * _APART < large.value


def _telling(figure: Figure) -> float:
    return min(figure.telling, _MOST_TELLING)


def _is_of_kind(figure: Figure, other: Figure) -> bool:
    """Whether two figures may be of one kind: in one unit, or of like size where one has none."""
    if figure.unit is not None and other.unit is not None:
        return alike(figure.unit, other.unit)
    small, large = sorted((figure.value, other.value))
    unit = figure.unit or other.unit
    return small * _LIKE > large and (unit is None or unit.dimension != "share")


def _in_order(pair: _Pair, order: int) -> bool:
    one, two = pair.one.when, pair.two.when
    return one is None or two is None or (two - one) * order > 0


def _named(way: _Way, bases: set[str], rows: set[int]) -> float:
    """How much of what a way is of is named: of its measures, or of its rows."""
    if way.groups:
        return sum(rows.issuperset(group.rows) for group in way.groups) / len(way.groups)
    return sum(base in bases for base in way.bases) / len(way.bases)


def _beside(pair: _Pair, claim: FigureClaim) -> Iterator[tuple[_Way, float]]:
    """The ways that come near to a figure on the first side, with the factor of its scale."""
    half = float(claim.figure.value) / 2
    percent = claim.is_share or claim.figure.unit is POINTS
    measures = pair.one.measures.values()
    scaled = {power for one in measures for power in (one.power, -one.power, one.power - 6) if one.power}
    scaled |= {3, -3} if any(one.scaled(claim.figure.unit) for one in measures) else set()
    for power in (0, 2) if percent else (0, *sorted(scaled - {0})):
        factor = 10.0**power
        yield from ((way, factor) for way in pair.between(half / factor, 4 * half / factor))


def _of_rows(amounts: GroupAmounts, groups: Iterable[tuple[Group, Group]]) -> Iterator[_Pair]:
    measures = [*amounts.measures.single, *amounts.measures.families][:_MOST_MEASURES]
    every = {one.base: one for one in reversed(measures)}
    for one, other in islice(groups, _MOST_PAIRS):
        if not {*one.rows} & {*other.rows}:
            sides = _Side(one, every, one.when), _Side(other, every, other.when)
            yield from (_Pair(amounts, *sides), _Pair(amounts, *sides[::-1]))


def _of_columns(amounts: GroupAmounts, group: Group) -> Iterator[_Pair]:
    measures = [*amounts.measures.single, *amounts.measures.families]
    spans = sorted({one.when for one in measures if one.when is not None})
    always = {one.base: one for one in measures if one.span is None}
    at = {when: {**always, **{one.base: one for one in measures if one.when == when}} for when in spans}
    for one, other in islice(combinations(spans, 2), _MOST_PAIRS):
        sides = _Side(group, at[one], one), _Side(group, at[other], other)
        yield from (_Pair(amounts, *sides), _Pair(amounts, *sides[::-1]))
