"""The steps to a figure from what groups of a table's rows come to, where it is said of them; the best named first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from agent.evidence.derivation.groups.group_amounts import Amount, GroupAmounts
from agent.evidence.derivation.groups.said_around import Around
from agent.evidence.derivation.groups.table_groups import OTHERS, Group
from agent.evidence.derivation.groups.table_measures import Measure
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.kept import kept
from agent.text.quantities.units import alike
from agent.text.regex import regex

_MOST_MEASURES = 5
_MOST_WEIGHTS = 4
_MOST_AMOUNTS = 6  # of which each two make a step
_NEAR = 0.3  # how well a measure is named of which a ratio is
_UNNAMED, _RATIO_UNNAMED = 3, 3  # digits of a figure of measures that nothing names
_BEHIND = 60  # characters behind "weighted"
_WEIGHTED = regex(r"weight|gewichtet|gewogen|pondér|ponder|加重")
_MEDIAN = regex(r"median|médian|mediana|中央値")


def weighting_in(answer: str) -> str:
    """What an answer in lower case says first of a mean that is weighted; "" where it says nothing."""
    at = _WEIGHTED.search(answer)
    return answer[at.start() : at.start() + _BEHIND] if at is not None else ""


class GroupStep(NamedTuple):
    """An amount as it is, or one ``step`` from it to ``other``: "share", "change", "difference", "ratio"."""

    step: str
    one: Amount
    other: Amount | None = None


@dataclass(frozen=True)
class NamedSteps:
    """To the figure of a claim, in one table; ``answer`` is all of the answer in lower case.

    ``hinted`` are the kinds of steps that what is said near the figure speaks of, ``weighted`` is what the answer says
    of a mean that is weighted.
    """

    amounts: GroupAmounts
    claim: FigureClaim
    around: Around
    answer: str
    hinted: frozenset[str]
    weighted: str

    def steps(self) -> Iterator[GroupStep]:
        """All of them, each once; what they come to is worked out as they are asked for."""
        seen: set[tuple[str, float, float | None]] = set()
        for one in self._steps():
            key = one.step, one.one.size, one.other.size if one.other is not None else None
            if key not in seen and not _of_cells(one):
                seen.add(key)
                yield one

    def _steps(self) -> Iterator[GroupStep]:
        found: list[Amount] = []
        for group, measure in self._ranked:
            fresh = [*self._amounts(group, measure)]
            found += fresh
            yield from (GroupStep("", one) for one in fresh)
            if self.claim.is_share and not measure.rate:
                yield from self._shares(group, measure)
            yield from self._changes(group, measure)
        yield from self._between(found)

    @cached_property
    def _ranked(self) -> Sequence[tuple[Group, Measure]]:
        """Each group with each measure, those that are named best first."""
        if not self._named and self.claim.figure.digits < _UNNAMED:
            return ()
        pairs = [
            (at + place, at, group, measure)
            for at, group in enumerate(self._groups)
            for place, measure in enumerate(self._measures)
        ]
        return [(group, measure) for _, _, group, measure in sorted(pairs, key=lambda one: one[:2])]

    @cached_property
    def _named(self) -> Sequence[tuple[float, Measure]]:
        around = self.around
        said = self.amounts.measures.said(around.near, around.at, (around.wide,), self.claim.figure.unit)
        return said[:_MOST_MEASURES]

    @cached_property
    def _measures(self) -> Sequence[Measure]:
        return [one for _, one in self._named] or self.amounts.measures.whole

    @cached_property
    def _near(self) -> Sequence[Measure]:
        return [one for score, one in self._named if score >= _NEAR]

    @cached_property
    def _groups(self) -> Sequence[Group]:
        """The groups that are named beside the figure, the nearest first; of none, all rows and those named around."""
        groups, around = self.amounts.groups, self.around
        others = OTHERS.search(around.near) is not None
        if near := groups.named(around.near, around.at, others):
            return near
        return [groups.every, *groups.named(around.wide, len(around.wide), others), *groups.ends]

    @cached_property
    def _kinds(self) -> frozenset[str]:
        return self.claim.kinds | self.hinted

    def _amounts(self, group: Group, measure: Measure) -> Iterator[Amount]:
        """What a measure comes to in a group by itself, and for each unit of another one."""
        several = len(group.rows) > 1
        mean = several and ("mean" in self._kinds or measure.rate)
        if not measure.rate and (several or len(measure.columns) > 1):
            yield from self._made("sum", group, measure)
        if mean and self._of_median:
            yield from self._made("median", group, measure)
        weighted = mean or (several and self._of_weighted)
        for weight in self._weights(measure) if weighted else ():
            yield from self._made("weighted", group, measure, weight)
        if mean:
            yield from self._made("mean", group, measure)
        for other in self._measures:
            if self._may_be_ratio(measure, other):
                yield from self._made("ratio", group, measure, other)

    def _made(self, kind: str, group: Group, measure: Measure, by: Measure | None = None) -> Iterator[Amount]:
        if (one := self.amounts.of(kind, group, measure, by)) is not None:
            yield one

    def _may_be_ratio(self, one: Measure, other: Measure) -> bool:
        """Whether a figure may be what a measure is for each unit of another one, or what share of it."""
        if one.rate or other.rate or not {*one.columns}.isdisjoint(other.columns):
            return False
        digits, named = self.claim.figure.digits, one in self._near
        if not self.claim.is_share:
            return "ratio" in self._kinds and (named or other in self._near or digits >= _RATIO_UNNAMED)
        like = not (one.units and other.units) or any(
            alike(*each) for each in zip(one.units, other.units, strict=False)
        )
        return like and (named or digits >= _UNNAMED)

    @cached_property
    def _of_median(self) -> bool:
        return _MEDIAN.search(self.around.both) is not None

    @cached_property
    def _of_weighted(self) -> bool:
        return _WEIGHTED.search(self.around.near) is not None

    @kept
    def _weights(self, measure: Measure) -> Sequence[Measure]:
        """What a mean may be weighted by: what the answer says of this, what is of the same, what is said at all."""
        measures = self.amounts.measures
        said = measures.said(f"{self.weighted} {measure.name}", 0, (self.around.near, self.around.wide, self.answer))
        meant = [one for _, one in said if not one.rate and one.columns != measure.columns]
        timed = [one for one in meant if one.span == measure.span or one in measures.whole]
        return (timed or meant)[:_MOST_WEIGHTS]

    def _shares(self, group: Group, measure: Measure) -> Iterator[GroupStep]:
        """What a group is of all rows."""
        whole = self.amounts.groups.every
        for one in self._made("sum", group, measure) if group.rows != whole.rows else ():
            yield from (GroupStep("share", one, of) for of in self._made("sum", whole, measure))

    def _changes(self, group: Group, measure: Measure) -> Iterator[GroupStep]:
        """From the earlier to the later one of two measures of one kind, or of two times."""
        kind = "mean" if measure.rate and len(group.rows) > 1 else "sum"
        others = [(group, one) for one in self.amounts.measures.like(measure)]
        others += [(one, measure) for one in self.amounts.groups.before(group)]
        for one in self._made(kind, group, measure) if others else ():
            for other in others:
                yield from (step for two in self._made(kind, *other) for step in _changed(one, two))

    def _between(self, found: Sequence[Amount]) -> Iterator[GroupStep]:
        """Between what one measure comes to in two groups, or two measures of one kind in one."""
        for one, other in combinations(found[:_MOST_AMOUNTS], 2):
            if (
                one.kind != other.kind
                or one.measure.base != other.measure.base
                or (one.by is None) != (other.by is None)
            ):
                continue
            timed = one.when is not None and other.when is not None and one.when != other.when
            late, early = _changed(one, other)[0][1:]
            yield from _changed(one, other)[not timed :]
            if "ratio" in self._kinds and not self.claim.is_share and early is not None:
                yield from (GroupStep("ratio", late, early), GroupStep("ratio", early, late))


def _of_cells(step: GroupStep) -> bool:
    """Whether a step is between single cells, which other steps are of."""
    several = (step.one, *((step.other,) if step.other is not None else ()))
    return all(len(one.group.rows) == len(one.measure.columns) == 1 and one.by is None for one in several)


def _changed(one: Amount, other: Amount) -> Sequence[GroupStep]:
    """The change from the earlier of two amounts to the later one, and their difference."""
    late, early = (one, other) if (one.when or 0) > (other.when or 0) else (other, one)
    return GroupStep("change", late, early), GroupStep("difference", late, early)
