"""Values that a figure may have been worked out from, and the steps between them that come near to it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, islice
from typing import TypeAlias

from agent.evidence.derivation.steps.arithmetic_steps import Result, Several, of_two, with_share
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_values import Known, known_at
from agent.evidence.sources import Sources
from agent.text.quantities.units import OF_TIME

FEW_NUMBERS = 12  # a source with at most so many numbers gives all of them
_FEW_SHORT = 4  # such sources are worked with together, too
ADDED = frozenset(("sum", "mean"))
_Outcomes: TypeAlias = list[tuple[float, int]]  # sorted, each with the number of its pair


@dataclass(frozen=True)
class Pool:
    """Some values; of those asked for ``often``, what any two come to is sorted once for all figures.

    ``together``: of three and more, only what all of them come to is meant, as in a row called "Total". ``unsure`` are
    the kinds of steps that two of three and more are not meant for unless words name just these two.
    """

    values: Sequence[Known]
    often: bool = False
    together: bool = False
    unsure: frozenset[str] = frozenset()

    def steps(self, claim: FigureClaim, stated: Sequence[Known]) -> Iterator[tuple[Result, tuple[Known, ...]]]:
        """Steps that come near to a figure: between two values, a ``stated`` one and a value, and of all values."""
        said = {known.operand.spot for known in stated}
        crossed = (
            (one, other)
            for one in stated
            for other in self.values
            if other.operand.spot not in said and other.operand.spot[0] == one.operand.spot[0]
        )
        apart = not self.together or len(self.values) < 3
        if apart and claim.may_come_from((*stated, *self.values)):
            yield from self._of_two(claim, chain(self._near(claim), crossed))
        if claim.of_several and len(self.values) >= 3:
            yield from self._together(claim)

    def _of_two(
        self, claim: FigureClaim, pairs: Iterable[tuple[Known, Known]]
    ) -> Iterator[tuple[Result, tuple[Known, ...]]]:
        for one, other in pairs:
            if claim.near(one, other) and one.operand.spot != other.operand.spot:
                for result in of_two(one.operand, other.operand):
                    yield result, (one, other)

    def _together(self, claim: FigureClaim) -> Iterator[tuple[Result, tuple[Known, ...]]]:
        """What values of one unit come to together, if that comes near to the figure."""
        values = [one for one in self.values if not one.operand.year]
        if (
            claim.figure.unit is None or claim.figure.unit.dimension not in OF_TIME
        ):  # no part of a sum: "over all 3 years"
            values = [one for one in values if one.operand.unit is None or one.operand.unit.dimension not in OF_TIME]
        units = {unit.name: unit for known in values if (unit := known.operand.unit) is not None}
        if len(values) >= 3 and len(units) <= 1:
            operands = tuple(known.operand for known in values)
            several = Several(operands, next(iter(units.values()), None), tuple(one.spot for one in operands))
            if claim.near_total(several, values):
                yield from ((result, tuple(values)) for result in several.results if result.kind != "difference")

    def _near(self, claim: FigureClaim) -> Iterable[tuple[Known, Known]]:
        """The pairs of values that a step may lead from to the figure, in their order."""
        if not claim.may_come_from(self.values):
            return ()
        if not self.often or "other" in self._shares:
            return combinations(self.values, 2)
        found: set[int] = set()
        low, high = claim.figure.edges
        if claim.in_line:
            for power in {*claim.powers, *self._powers}:
                found.update(_between(self._sums, low / 10.0**power, high / 10.0**power))
        if claim.of_product:
            found.update(_between(self._products, low, high))
        if claim.of_quotient:
            found.update(_between(self._quotients, low, high))
        if "percent" in self._shares:
            found.update(_between(self._of_shares, low, high))
        return [self._pairs[number] for number in sorted(found)]

    @cached_property
    def _pairs(self) -> list[tuple[Known, Known]]:
        return list(combinations(self.values, 2))

    @cached_property
    def _shares(self) -> frozenset[str]:
        return frozenset([known.share for known in self.values])

    @cached_property
    def _powers(self) -> frozenset[int]:
        return frozenset([known.power for known in self.values])

    @cached_property
    def _sums(self) -> _Outcomes:
        """Sums, differences and means."""
        return self._outcomes(lambda a, b: (a + b, abs(a - b), (a + b) / 2, abs(a - b) / 2))

    @cached_property
    def _products(self) -> _Outcomes:
        return self._outcomes(lambda a, b: (a * b,))

    @cached_property
    def _quotients(self) -> _Outcomes:
        """Ratios, percentages and changes in per cent, both ways."""
        return self._outcomes(lambda a, b: (*_quotients(a, b), *_quotients(b, a)))

    @cached_property
    def _of_shares(self) -> _Outcomes:
        """Shares in per cent of a value, and the value with one more or less."""
        pairs = [(number, one, other) for number, (one, other) in enumerate(self._pairs) if one.share or other.share]
        return sorted((value, number) for number, one, other in pairs for value in with_share(one.size, other.size))

    def _outcomes(self, steps: Callable[[float, float], tuple[float, ...]]) -> _Outcomes:
        sizes = [(one.size, other.size) for one, other in self._pairs]
        return sorted((value, number) for number, (a, b) in enumerate(sizes) for value in steps(a, b))


def _quotients(top: float, bottom: float) -> tuple[float, ...]:
    if not bottom:
        return ()
    ratio = top / bottom
    return ratio, ratio * 100, abs(ratio - 1) * 100, (ratio + 1) * 100


def _between(outcomes: _Outcomes, low: float, high: float) -> Iterator[int]:
    first, last = bisect_left(outcomes, (low,)), bisect_right(outcomes, (high, 1 << 60))
    return (number for _, number in outcomes[first:last])


def short_pools(sources: Sources) -> list[Pool]:
    """The values of the question and of each short observation, which may all be meant."""
    found: list[list[Known]] = []
    for number, source in enumerate(sources.texts):
        undated = (token for token in source.scan.numbers if source.page.day_at(token.start) is None)
        tokens = list(islice(undated, FEW_NUMBERS + 1))
        if source.origin != "earlier" and 0 < len(tokens) <= FEW_NUMBERS:
            found.append([known_at(source, number, token.start, token.end) for token in tokens])
    together = [[known for pool in found for known in pool]] if 1 < len(found) <= _FEW_SHORT else []
    return [
        Pool(values, often=True, unsure=ADDED | {"difference", "product", "ratio", "percent"})
        for values in (*found, *together)
    ]
