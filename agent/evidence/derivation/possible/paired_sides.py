"""The two sides of a table that two figures may be of: two times or two things, with what each of them comes to."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice, permutations
from math import inf
from typing import NamedTuple

from agent.evidence.derivation.groups.group_amounts import Amount, GroupAmounts
from agent.evidence.derivation.groups.group_steps import GroupStep
from agent.evidence.derivation.groups.table_groups import Group
from agent.evidence.derivation.groups.table_measures import Measure

_MOST_PAIRS, _MOST_MEASURES, _MOST_SINGLE = 6, 12, 16
_SINCE = {"since": "difference", "growth": "change"}
_AMOUNTS = frozenset(("", "difference", "product"))
_FEW_COLUMNS = 4  # of a table of which each two may be compared


class Side(NamedTuple):
    """One time or one thing: rows, and the measures of it by what they are of."""

    group: Group
    measures: Mapping[str, Measure]
    when: float | None


class Way(NamedTuple):
    """A step with what it comes to on the one side and on the other one, in floats and without sign."""

    one: float
    two: float
    step: str
    bases: tuple[str, ...]
    groups: tuple[Group, ...] = ()  # of one column, in place of measures of one group


@dataclass(frozen=True)
class SidePair:
    """Two sides with all ways between their values, sorted by what these come to on the first side."""

    amounts: GroupAmounts
    one: Side
    two: Side

    @cached_property
    def ways(self) -> Sequence[Way]:
        return sorted((*self._of_measures(), *self._of_rows(), *self._since_before()))

    def between(self, low: float, high: float) -> Sequence[Way]:
        ways = self.ways
        return ways[bisect_left(ways, (low,)) : bisect_right(ways, (high, inf))]

    @cached_property
    def amounts_there(self) -> Sequence[Way]:
        """What may have changed from the one side to the other: amounts, single cells too."""
        alone = [Way(abs(one), abs(two), "", (base,)) for base, (one, two) in self._sizes.items()]
        cells = [Way(abs(one), abs(two), "", (base,), (row,)) for base, known in self._cells for row, one, two in known]
        several = (way for way in self.ways if way.step in _AMOUNTS)
        return [way for way in dict.fromkeys((*alone, *cells, *several)) if way.two]

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

    def _amount(self, side: Side, measure: Measure | None, kind: str = "", by: Measure | None = None) -> Amount | None:
        if measure is None:
            return None
        return self.amounts.of(kind or ("mean" if measure.rate else "sum"), side.group, measure, by)

    def _of_measures(self) -> Iterator[Way]:
        """Measures alone, and each two of them: for each unit of another one, and how far they are apart."""
        several = len(self.one.group.rows) > 1 or len(self.two.group.rows) > 1
        rates = {base for base, measure in self.one.measures.items() if measure.rate}
        sizes = self._sizes
        for base, (one, two) in sizes.items() if several else ():
            yield Way(abs(one), abs(two), "", (base,))
        for (base, (one, two)), (by, (first, second)) in permutations(sizes.items(), 2):
            if by in rates:
                continue
            if base not in rates:
                yield Way(abs(one / first), abs(two / second), "ratio", (base, by))
                if abs(one) > abs(first):
                    yield Way(abs(one - first), abs(two - second), "difference", (base, by))
            elif not several:
                yield Way(abs(one * first), abs(two * second), "product", (base, by))
            else:
                yield from self._weighed(base, by)

    def _since_before(self) -> Iterator[Way]:
        """How far each measure is from what it was a time before: "815 more in 2022, 578 in 2023"."""
        before = [self.amounts.groups.before(side.group)[:1] for side in (self.one, self.two)]
        for base, (one, two) in self._sizes.items() if all(before) else ():
            measure = self.one.measures[base]
            first, second = (self._amount(self.one._replace(group=group[0]), measure) for group in before)
            if not measure.rate and first is not None and second is not None and first.size and second.size:
                yield Way(abs(one - first.size), abs(two - second.size), "since", (base,))
                yield Way(abs(one / first.size - 1), abs(two / second.size - 1), "growth", (base,))

    def _weighed(self, base: str, by: str) -> Iterator[Way]:
        for kind in ("weighted", "product"):
            made = [
                self._amount(side, side.measures.get(base), kind, side.measures.get(by))
                for side in (self.one, self.two)
            ]
            if made[0] is not None and made[1] is not None:
                yield Way(abs(made[0].size), abs(made[1].size), kind, (base, by))

    def _of_rows(self) -> Iterator[Way]:
        """Each two rows in one column of two times: together, apart, and the one as a share of the other."""
        for base, known in self._cells:
            for (row, one, two), (by, first, second) in permutations(known, 2):
                yield Way(abs(one / first), abs(two / second), "share", (base,), (row, by))
                if row.rows < by.rows:
                    both = Group((*row.rows, *by.rows), f"{row.said}, {by.said}")
                    yield Way(abs(one + first), abs(two + second), "", (base,), (both,))
                    yield Way(abs(one - first), abs(two - second), "difference", (base,), (row, by))
            for run, one, two in (*known, *_runs(known)):
                if len(run.rows) > 1:
                    yield Way(abs(one), abs(two), "", (base,), (run,))
                if base in self._sizes:
                    whole, total = self._sizes[base]
                    yield Way(abs(one / whole), abs(two / total), "share", (base,), (run, self.one.group))

    @cached_property
    def _cells(self) -> Sequence[tuple[str, Sequence[tuple[Group, float, float]]]]:
        """For each measure the rows, with their cells on both sides; none where the sides have other rows."""
        if self.one.group is not self.two.group or self.one.group is not self.amounts.groups.every:
            return ()
        found: list[tuple[str, Sequence[tuple[Group, float, float]]]] = []
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
            found.append((base, known))
        return found

    def step(self, way: Way, side: Side) -> GroupStep | None:
        """The step of a way on a side."""
        measures = [side.measures[base] for base in way.bases]
        if way.step in _SINCE:
            (before, *_) = self.amounts.groups.before(side.group)
            made = [self._amount(side._replace(group=group), measures[0]) for group in (side.group, before)]
            several = [one for one in made if one is not None]
            return GroupStep(_SINCE[way.step], *several) if len(several) == len(made) else None
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


def _runs(known: Sequence[tuple[Group, float, float]]) -> Iterator[tuple[Group, float, float]]:
    """Three and more rows one after another, which a table may have as a section, with what they come to."""
    for first, last in combinations(range(len(known) + 1), 2):
        several = known[first:last]
        if 2 < len(several) < len(known):
            rows = tuple(row for group, _, _ in several for row in group.rows)
            said = f"{several[0][0].said} … {several[-1][0].said}"
            yield Group(rows, said), sum(one for _, one, _ in several), sum(two for _, _, two in several)


def of_rows(amounts: GroupAmounts, groups: Iterable[tuple[Group, Group]]) -> Iterator[SidePair]:
    measures = [*amounts.measures.single, *amounts.measures.families][:_MOST_MEASURES]
    every = {one.base: one for one in reversed(measures)}
    for one, other in islice(groups, _MOST_PAIRS):
        if not {*one.rows} & {*other.rows}:
            sides = Side(one, every, one.when), Side(other, every, other.when)
            yield from (SidePair(amounts, *sides), SidePair(amounts, *sides[::-1]))


def of_columns(amounts: GroupAmounts, group: Group) -> Iterator[SidePair]:
    measures = [*amounts.measures.single, *amounts.measures.families]
    spans = sorted({one.when for one in measures if one.when is not None})
    always = {one.base: one for one in measures if one.span is None}
    at = {when: {**always, **{one.base: one for one in measures if one.when == when}} for when in spans}
    for one, other in islice(combinations(spans, 2), _MOST_PAIRS):
        sides = Side(group, at[one], one), Side(group, at[other], other)
        yield from (SidePair(amounts, *sides), SidePair(amounts, *sides[::-1]))
    if len(spans) < len(amounts.measures.single) <= _FEW_COLUMNS:  # "budget 2024", "actual 2024"
        for first, last in combinations(amounts.measures.single, 2):
            if first.units == last.units:
                sides = Side(group, {"": first}, first.when), Side(group, {"": last}, last.when)
                yield from (SidePair(amounts, *sides), SidePair(amounts, *sides[::-1]))
