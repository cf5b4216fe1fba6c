"""What a figure that stands nowhere may come from: one step between values that stand beside what its line says.

No word has to say the step, as it has for ``workings``. So the values are few and the nearest go first, and a step
counts only where so many tries would hardly meet a figure by chance: "2,846 (+13.3%)" of "2,846 (2,512 before)". What
is found this way is no proof, and is told as what it may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, product
from math import inf
from typing import TypeAlias

from agent.evidence.derivation.groups.group_findings import group_outcomes, told
from agent.evidence.derivation.groups.group_steps import NamedSteps
from agent.evidence.derivation.possible.near_values import MOST_BESIDE, MOST_ROWS, NEAREST, NearValues, Row
from agent.evidence.derivation.spans.meant_years import in_its_year
from agent.evidence.derivation.steps.arithmetic_steps import Operand, Result, Several, of_two, with_share
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_values import Known, is_in_unit, of_one_kind
from agent.evidence.sources import Finding
from agent.evidence.tables.digits import YEARS, is_year
from agent.evidence.tables.subjects import Subjects
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import POINTS, alike
from agent.text.regex import regex

_CHANCE = 0.05  # figures that so many tries may meet by chance
_NEAR_BY = 3  # times as many of the values of a figure's own line may
_MOST_CELLS = 24
AROUND = 300  # characters of the answer to either side of a line
_DIGITS = regex(r"[0-9]+")
_COUNTED = regex(  # says how many are added up
    r"\b(?:two|three|four|five|six|seven|eight|both|zwei|drei|vier|fünf|beide|deux|trois|quatre|cinq|dos|tres|cuatro|"
    r"cinco|ambos|top [0-9])\b|上位|[二三四五]つ|両"
)
_EVERY = frozenset(("sum", "difference", "product", "ratio", "mean", "percent", "share", "count", "subtotal"))
_SAYS_ENOUGH = 300  # figures as exact around one of which no word has to say the step
_SIGN = regex(r"[+−±▲△-]\S?$")
_Step: TypeAlias = tuple[Known, ...]  # two values, or more that are added up


@dataclass(frozen=True)
class PossibleSteps:
    """Of one answer, between the values that are ``near`` a figure."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` with the step that leads to the figure; ``None`` where none does, or one may by chance."""
        if not figure.value or figure.ordinal or figure.spelled or figure.telling == inf:
            return None
        claim = claim_of(self.near, figure)
        if self._is_other_change(claim):
            return None
        found = self._in_groups(claim, _CHANCE * figure.telling) or self._between(claim, self._tiers(claim))
        if found is not None or claim.is_share or figure.telling < _SAYS_ENOUGH:
            return found
        if self.near.once.around.of(figure.start).in_cell:
            return None
        amounts = (
            filter(_of_amounts, steps)
            for steps in (*self._said(figure.start), combinations(self._told_around(figure.start), 2))
        )
        return self._between(replace(claim, kinds=claim.kinds | _EVERY), amounts)

    def _between(self, claim: FigureClaim, tiers: Iterable[Iterable[_Step]]) -> Finding | None:
        """The finding for the first step that leads to a figure, in at most so many tries."""
        figure = claim.figure
        tried, most = 0, _CHANCE * figure.telling
        for tier, steps in enumerate(tiers):
            for step in steps:
                if not (values := figure.beside(outcomes(step, claim))):
                    continue
                tried += len(values)
                if tried > most * (1 if tier else _NEAR_BY):
                    break
                if any(map(figure.holds, values)) and (found := self._told(claim, step)) is not None:
                    return found
            if tried > most:
                return None
        return None

    def _is_other_change(self, claim: FigureClaim) -> bool:
        """Whether both ends of a change are said, in values or in years: then it is of no others.

        What is said with a sign is told beside its value: "52,318, 3,212 more than in 2023 (+6.5%), +11.6% on 2022".
        """
        if not claim.is_share or claim.sign:
            return False
        start = claim.figure.start
        stated = self.near.stated(*self.near.standings.answer.sentence(start), start)
        return {one.place for one in stated} >= {0.0, 1.0} or len({*YEARS.findall(claim.said)}) > 1

    def _told(self, claim: FigureClaim, step: _Step) -> Finding | None:
        """The finding for a step that comes near to a figure, worked out exactly; none that its sentence rules out."""
        sources = self.near.standings.sources
        for result in _results(tuple(one.operand for one in step)):
            found = claim.fits(result, step)
            if (
                found is None
                or (result.kind == "percent" and claim.sign * result.value < 0)
                or not of_one_kind(sources, result, step, stands=False)
                or found.verdict != "worked_out"
                or not is_in_unit(sources, claim.figure, result)
            ):
                continue
            if self._is_in_its_year(claim, found):
                return replace(found, verdict="possible")
        return None

    def _is_in_its_year(self, claim: FigureClaim, found: Finding) -> bool:
        words = self.near.standings.words(claim.figure.start, claim.figure.end)
        return in_its_year(self.near.standings.sources, claim, found, words).verdict == "worked_out"

    def _said(self, start: int) -> Iterator[Iterable[_Step]]:
        """The steps between what the answer says around a figure, and the question: no word has to say these."""
        stated = self.near.stated(*self.near.line(start), start)
        yield chain(combinations(stated, 2), self._beside(stated))
        yield product([*stated[:NEAREST], *self.near.asked], self.near.asked)

    def _tiers(self, claim: FigureClaim) -> Iterator[Iterable[_Step]]:
        """The steps, those between the nearest values first."""
        near, start = self.near, claim.figure.start
        left, right = near.line(start)
        stated = near.stated(left, right, start)
        yield from self._said(start)
        rows = near.rows(left, right, start, stated)
        for row in rows:
            yield self._alike_in(row)
            yield self._of_total(row) if claim.is_share else ()
        for row in rows:
            yield chain(combinations(near.values(row).values(), 2), product(near.values(row).values(), near.asked))
        yield from self._in_prose(left, right, start, stated)
        yield self._together(claim, stated)
        tables = [*dict.fromkeys((number, subjects) for number, subjects, _ in rows)] or near.tables[:1]
        yield from chain.from_iterable(self._of_table(*table, claim, stated) for table in tables)
        yield chain.from_iterable(map(self._in_column, combinations(rows, 2)))
        yield self._around(start)

    def _around(self, start: int) -> Iterator[_Step]:
        """The steps between what the lines around say, and the observed sentences of these."""
        around = self._told_around(start)
        return chain(combinations(around, 2), self._beside(around))

    def _told_around(self, start: int) -> Sequence[Known]:
        left, right = self.near.line(start)
        return self.near.stated(left - AROUND, right + AROUND, start)

    def _beside(self, stated: Sequence[Known]) -> Iterator[_Step]:
        """Each value with the other numbers of the observed sentence that it stands in."""
        for one in stated:
            number, start, end = one.operand.spot
            for other in self.near.numbers(number, start) if end > start else ():
                if other.operand.spot[1] != start:
                    yield one, other

    def _in_prose(self, left: int, right: int, start: int, stated: Sequence[Known]) -> Iterator[Iterable[_Step]]:
        """The numbers behind the words that the line says, where they were observed, and those of their sentences."""
        named = self.near.named_values(left, right, start)
        yield chain(self._beside(named), combinations(named, 2), product(stated, named))
        spots = (one.operand.spot for one in (*named, *stated[:NEAREST]))
        for sentence in dict.fromkeys(tuple(self.near.numbers(*spot[:2])) for spot in spots):
            yield combinations(sentence, 2)

    def _together(self, claim: FigureClaim, stated: Sequence[Known]) -> Iterator[_Step]:
        """Three and more values of the line, and of the observed sentence of the nearest one, one after another."""
        if not self._may_add_up(claim):
            return
        yield from (tuple(stated[:count]) for count in range(3, len(stated) + 1))
        for one in stated[:1]:
            numbers = sorted(self.near.numbers(*one.operand.spot[:2]), key=lambda other: other.operand.spot[1])
            runs = combinations(range(len(numbers) + 1), 2)
            yield from (tuple(numbers[first:last]) for first, last in runs if last - first > 2)

    def _may_add_up(self, claim: FigureClaim) -> bool:
        """Whether its line speaks of a sum, and of no number of things that are added up."""
        left, right = self.near.line(claim.figure.start)
        return "sum" in claim.kinds and _COUNTED.search(self.near.standings.whole[left:right]) is None

    def _alike_in(self, row: Row) -> Iterator[_Step]:
        """Each two cells of a row below heads that differ by a number alone: "sales_2023", "sales_2024"."""
        heads = row[1].table.column_heads
        values = self.near.values(row)
        names = {column: _DIGITS.sub("", heads[column]) if column < len(heads) else "" for column in values}
        for (first, one), (second, other) in combinations(values.items(), 2):
            if names[first] == names[second] and heads[first : first + 1] != heads[second : second + 1]:
                yield one, other

    def _of_total(self, row: Row) -> Iterator[_Step]:
        """Each cell of a row with what its column comes to."""
        number, subjects, _ = row
        for column, one in self.near.values(row).items():
            total = self.near.total(number, subjects, column)
            if total is not None:
                yield one, total

    def _in_groups(self, claim: FigureClaim, most: float) -> Finding | None:
        """The finding for what the groups of a table's rows come to that are named, in at most so many tries."""
        figure, tried = claim.figure, 0
        if is_year(claim.text[slice(*figure.number)]):
            return None
        once, answer = self.near.once, self.near.standings.answer.lower
        around = once.around.of(figure.start)
        hinted = once.kinds(around.near)
        for number, subjects in self.near.tables:
            if len(subjects.table.rows) > MOST_ROWS:
                continue
            amounts = once.amounts(number, subjects)
            for step in NamedSteps(amounts, claim, around, answer, hinted, once.weighting).steps():
                values = figure.beside(group_outcomes(step, claim))
                tried += len(values)
                if tried > most:
                    break
                if any(map(figure.holds, values)):
                    found = told(amounts, claim, step, self.near.standings.sources)
                    if found is not None and self._is_in_its_year(claim, found):
                        return replace(found, verdict="possible")
        return None

    def _of_table(
        self, number: int, subjects: Subjects, claim: FigureClaim, stated: Sequence[Known]
    ) -> Iterator[Iterable[_Step]]:
        """What columns come to: with the values of the line, with one another; their first and their largest cells."""
        if claim.of_quotient:
            totals = self.near.totals(number, subjects)
            yield product(stated[:NEAREST], totals)
            yield combinations(totals, 2)
        whole = not (subjects.table.last_totals or any(subjects.table.sections))
        for column in subjects.table.numeric_columns[:MOST_BESIDE] if whole and self._may_add_up(claim) else ():
            cells = [
                self.near.value_at(number, subjects, row, column) for row in sorted(subjects.table.parts)[:_MOST_CELLS]
            ]
            values = [one for one in cells if one is not None]
            ranked = sorted(values, key=lambda one: one.size)
            for several in (values, ranked, ranked[::-1]):
                yield (tuple(several[:count]) for count in range(3, len(several)))

    def _in_column(self, rows: tuple[Row, Row]) -> Iterator[_Step]:
        """Each two cells of a column in two rows of a table."""
        if rows[0][1] is rows[1][1]:
            one, other = map(self.near.values, rows)
            yield from ((one[column], other[column]) for column in one if column in other)


def claim_of(near: NearValues, figure: Figure) -> FigureClaim:
    """The figure in its sentence, as what may come from any step."""
    answer = near.standings.answer
    start = figure.start
    left, right = answer.sentence(start)
    first = max(left, start - AROUND)
    last = min(right, figure.end + AROUND)
    said = answer.lower[first:last]
    kinds = near.once.kinds_between(first, last) | (
        {"difference"} if _SIGN.search(said, 0, start - first + 1) else frozenset[str]()
    )
    return FigureClaim(figure, answer.text, kinds, said, start - first)


def _of_amounts(step: _Step) -> bool:
    return not any(one.share for one in step)


def _results(operands: tuple[Operand, ...]) -> Iterable[Result]:
    """The steps between two values; of more, their sum."""
    if len(operands) == 2:
        return of_two(*operands)
    return Several(operands, operands[0].unit, tuple(one.spot for one in operands)).results[:1]


def outcomes(step: _Step, claim: FigureClaim) -> Sequence[float]:
    """What a step may come to that can be such a figure, in floats."""
    points = claim.figure.unit is POINTS
    if len(step) != 2:
        fits = (claim.is_share or points) == any([one.share for one in step])
        return _in_powers([sum([one.size for one in step])], step[0].power, 0) if fits else ()
    one, other = step
    a, b = one.size, other.size
    if not (a and b):
        return ()
    if points:
        return (abs(a - b),) if one.share and other.share else ()
    if claim.is_share:
        if one.share or other.share or not _alike(one, other):
            return ()
        return [*_in_percent(a / b, claim.sign, "difference" in claim.kinds)]
    if one.share or other.share:
        return _in_powers(with_share(a, b)[:5], one.power, other.power)
    sizes = _in_powers(_amounts(one, other, claim.kinds), one.power, other.power)
    return [*sizes, a / b, b / a] if "ratio" in claim.kinds else sizes


def _in_powers(sizes: Sequence[float], one: int, other: int) -> Sequence[float]:
    """Sizes as they are, and in the scales of two values."""
    if not (one or other):
        return sizes
    return [size * 10.0**power for size in sizes for power in {0, one, other}]


def _in_percent(ratio: float, sign: int, changed: bool) -> Iterator[float]:
    """The share, and the change where one is spoken of; said with a sign, the change in its direction."""
    most = max(ratio, 1 / ratio)
    if not sign:
        yield from (ratio * 100, 100 / ratio)
    if changed and sign >= 0:
        yield (most - 1) * 100
    if changed and sign <= 0:
        yield (1 - 1 / most) * 100


def _amounts(one: Known, other: Known, kinds: frozenset[str]) -> list[float]:
    """What two amounts come to by the kinds of steps that are spoken of, ratios apart."""
    a, b, same = one.size, other.size, _alike(one, other)
    sizes: list[float] = []
    if same and "difference" in kinds:
        sizes.append(abs(a - b))
    if same and "sum" in kinds:
        sizes.append(a + b)
    if "product" in kinds and (one.operand.unit is None or other.operand.unit is None or not same):
        sizes.append(a * b)
    return sizes


def _alike(one: Known, other: Known) -> bool:
    first, second = one.operand.unit, other.operand.unit
    return first is None or second is None or alike(first, second)
