"""Two figures beside each other that one formula leads to, for two times or two things: "from 21.2% to 20.3%".

No word has to say the formula. One figure many formulas may meet by chance; two figures, each in its place, hardly
any does: so more of them may be tried than for one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise
from math import inf

from agent.evidence.derivation.groups.group_amounts import GroupAmounts
from agent.evidence.derivation.groups.group_findings import group_outcomes, told
from agent.evidence.derivation.groups.group_steps import GroupStep
from agent.evidence.derivation.groups.table_groups import Group
from agent.evidence.derivation.possible.near_values import MOST_ROWS, NearValues
from agent.evidence.derivation.possible.paired_sides import SidePair, Way, of_columns, of_rows
from agent.evidence.derivation.possible.possible_steps import claim_of
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_values import place_of
from agent.evidence.direction import turned
from agent.evidence.kept import kept
from agent.evidence.lookup.numbers import scale_said
from agent.evidence.sources import Finding
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import PERCENT, POINTS, alike
from agent.text.regex import regex

_CHANCE = 0.05  # pairs of figures that so many formulas may meet by chance
_ALIKE = 0.3  # of a figure's digits: what a formula comes to in one place is near to what it does in the other
_MOST_TELLING, _FEWEST_TELLING = 500, 12
_NEAR = 90  # characters between two figures that are told together
_MOST_MATES = 3
_RIGHT_BESIDE = 24  # characters between a change and what it is in per cent
_NAMED = 3  # measures that are named best
_APART = 20  # times as large: said in another scale
_LIKE = 10  # times as large: of one kind
_BEFORE = regex(  # between a value and the one that was before it
    r"\b(?:from|was|were|previous\w*|than|compared|against|vs|versus|up on|statt|zuvor|gegenüber|contre|frente|desde|"
    r"antes|era|depuis)\b"
)
_TO = regex(r"→|から")


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
            of_change = (one.unit is PERCENT) != (mate.unit is PERCENT)
            for number, subjects in tables:
                amounts = self.near.once.amounts(number, subjects)
                found = self._change(amounts, claim, mate) if of_change else self._in_table(amounts, claim, mate)
                if found is not None:
                    return replace(found, verdict="possible")
        return None

    def _change(self, amounts: GroupAmounts, claim: FigureClaim, mate: Figure) -> Finding | None:
        """The finding for a change that is told as an amount and in per cent: "+980 (18.6%)"."""
        figure = claim.figure
        amount, percent = (mate, figure) if claim.is_share else (figure, mate)
        near = amounts.groups.named(*self.near.once.around.of(figure.start)[:2], False)
        most, tried = _CHANCE * _telling(amount) * _telling(percent), 0
        for pair in (*self._pairs_of(amounts), *self._pairs_named(amounts, near)):
            if (pair.one.when or 0) < (pair.two.when or 0):
                continue
            factors = _factors(pair, amount)
            for way in pair.amounts_there:
                size = way.one - way.two
                tried += len(amount.beside(abs(size) * factor for factor in factors))
                if tried > most:
                    return None
                if not (percent.holds(abs(size) / way.two * 100) and _holds(amount, abs(size), factors)):
                    continue
                step = pair.step(way, pair.one)
                if step is not None and not _is_turned(pair, claim, size):
                    return Finding("possible", (amounts.spot(step.one),), _told_change(way, claim))
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
        return [each for each in meant if _is_of_kind(*each) or _is_beside(*each)][:_MOST_MATES]

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
        around = self.near.once.around.of(claim.figure.start)
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

    @kept
    def _pairs_of(self, amounts: GroupAmounts) -> Sequence[SidePair]:
        """The rows, or the columns, of two times."""
        times = amounts.groups.times
        groups = dict.fromkeys((*pairwise(times[-3:]), (times[0], times[-1]))) if len(times) > 1 else ()
        return [*of_rows(amounts, [*groups]), *of_columns(amounts, amounts.groups.every)]

    @kept
    def _pairs_of_groups(self, amounts: GroupAmounts, near: tuple[Group, ...]) -> Sequence[SidePair]:
        found = [*of_rows(amounts, [*combinations(near, 2)])]
        return [*found, *(pair for group in near for pair in of_columns(amounts, group))]

    def _pairs_named(self, amounts: GroupAmounts, near: Sequence[Group]) -> Sequence[SidePair]:
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


def _in_order(pair: SidePair, order: int) -> bool:
    one, two = pair.one.when, pair.two.when
    return one is None or two is None or (two - one) * order >= 0


def _named(way: Way, bases: set[str], rows: set[int]) -> float:
    """How much of what a way is of is named: of its measures, or of its rows."""
    if way.groups:
        return sum(rows.issuperset(group.rows) for group in way.groups) / len(way.groups)
    return sum(base in bases for base in way.bases) / len(way.bases)


def _is_beside(figure: Figure, other: Figure) -> bool:
    """Whether one of two figures is in per cent, and stands right beside the other."""
    first, last = sorted((figure, other), key=lambda each: each.start)
    return (figure.unit is PERCENT) != (other.unit is PERCENT) and last.start - first.end < _RIGHT_BESIDE


def _holds(figure: Figure, size: float, factors: Sequence[float]) -> bool:
    return any(figure.holds(size * factor) for factor in factors)


def _is_turned(pair: SidePair, claim: FigureClaim, size: float) -> bool:
    """Whether a change is said to go the other way than that between two times."""
    if pair.one.when == pair.two.when:
        return False
    sign = 1 if size > 0 else -1
    return claim.sign * sign < 0 or (not claim.sign and turned(claim.said, claim.at, claim.figure.negative, sign))


def _told_change(way: Way, claim: FigureClaim) -> Text:
    one, two = (written(Fraction(size).limit_denominator(10**6)) for size in (way.one, way.two))
    steps = f"({one} − {two}) ÷ {two} × 100" if claim.is_share else f"{one} − {two}"
    size = (way.one - way.two) / way.two * 100 if claim.is_share else way.one - way.two
    outcome = written(Fraction(size).limit_denominator(10**6), PERCENT if claim.is_share else None)
    return Text("{steps} = {outcome}", steps=steps, outcome=outcome)


def _factors(pair: SidePair, figure: Figure) -> Sequence[float]:
    """The factors of the scales in which a figure may give what measures come to."""
    if figure.unit is PERCENT or figure.unit is POINTS:
        return (1.0, 100.0)
    measures = pair.one.measures.values()
    scaled = {power for one in measures for power in (one.power, -one.power, one.power - 6) if one.power}
    scaled |= {3, -3} if any(one.scaled(figure.unit) for one in measures) else set()
    return [10.0**power for power in (0, *sorted(scaled - {0}))]


def _beside(pair: SidePair, claim: FigureClaim) -> Iterator[tuple[Way, float]]:
    """The ways that come near to a figure on the first side, with the factor of its scale."""
    half = float(claim.figure.value) / 2
    for factor in _factors(pair, claim.figure):
        yield from ((way, factor) for way in pair.between(half / factor, 4 * half / factor))
