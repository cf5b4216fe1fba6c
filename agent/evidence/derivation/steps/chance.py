"""Whether a step that comes to a figure may do so by chance: the values tried before it would meet so many figures."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from agent.evidence.derivation.steps.arithmetic_steps import of_two
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_values import Known, Traced
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Finding, Spotted
from agent.text.quantities.figures import Figure

UNSURE = frozenset(("elsewhere", "possible"))  # verdicts for which a surer one is still looked for
_MOST = 0.1  # of all figures that are as exact: what the steps tried may meet by chance
_FEW = 3  # figures that may be met, however short the figure is
_EACH = 8  # figures that the steps between two values may meet
_NAMED, _FAR = 100, 500  # characters: how far a value is whose row and column the sentence names, and how far any other


@dataclass(frozen=True)
class Chance:
    """Of one answer; ``traced`` are its figures that were found, with their places."""

    standings: Standings
    traced: Sequence[Traced]

    def explains(self, claim: FigureClaim, known: Sequence[Known]) -> bool:
        """Whether steps between two of the values tried would meet such a figure anyway; ``known`` are those of a step.

        Pairs count that stand as near to the figure as those two. What they come to between half of the figure and
        twice as much, as exact as the figure is, is taken as spread evenly there.
        """
        figure = claim.figure
        most = max(_FEW, _MOST * figure.telling)
        pairs = sum(len(values) * (len(values) - 1) // 2 for values in claim.tried)
        if len(known) != 2 or pairs * _EACH <= most:
            return False
        said, words = self._said(figure.start), self.standings.words(figure.start, figure.end).around
        away = {
            one.operand.spot: said.get(one.operand.spot) or self._unsaid(one.operand.spot, words)
            for values in (*claim.tried, known)
            for one in values
        }
        bound = sum(away[one.operand.spot] for one in known)
        met, seen = set[int](), set[tuple[Spotted, Spotted]]()
        for one, other in chain.from_iterable(combinations(values, 2) for values in claim.tried):
            pair = one.operand.spot, other.operand.spot
            if pair in seen or sum(away[spot] for spot in pair) > bound:
                continue
            seen.add(pair)
            met.update(_as_exact(figure, _outcomes(claim, one, other)))
            if len(met) > most:
                return True
        return False

    def explains_one(self, figure: Figure, spot: Spotted, tried: Iterable[tuple[Spotted, float]]) -> bool:
        """The same of steps from one value each, ``tried`` with what they come to; ``spot`` is that of the step."""
        said, words = self._said(figure.start), self.standings.words(figure.start, figure.end).around
        bound = said.get(spot) or self._unsaid(spot, words)
        met = (size for one, size in tried if (said.get(one) or self._unsaid(one, words)) <= bound)
        return len({*_as_exact(figure, met)}) > max(_FEW, _MOST * figure.telling)

    def _said(self, start: int) -> dict[Spotted, int]:
        """How many characters the values that the sentence of a figure says stand from it."""
        left, right = self.standings.answer.sentence(start)
        first, last = (bisect_left(self.traced, (place,)) for place in (left, right))
        found: dict[Spotted, int] = {}
        for one in self.traced[first:last]:
            found[one.spot] = min(abs(one.start - start), found.get(one.spot, _FAR))
        return found

    def _unsaid(self, spot: Spotted, words: frozenset[str]) -> int:
        """How far a value is that a sentence with those words does not say."""
        number, start, _ = spot
        at = self.standings.sources.texts[number].page.cell_at(start)
        if at is None:
            return _FAR
        subjects, cell = at
        head = subjects.heads[cell.column] if cell.column < len(subjects.heads) else frozenset[str]()
        row = (word for word, column in subjects.words_of(cell.row).items() if column != cell.column)
        return _FAR if words.isdisjoint(head) or words.isdisjoint(row) else _NAMED


def _as_exact(figure: Figure, sizes: Iterable[float]) -> Iterator[int]:
    """The sizes near to a figure, in units of what it is exact to."""
    low, high = figure.edges
    return (round(size / (high - low)) for size in figure.beside(sizes))


def _outcomes(claim: FigureClaim, one: Known, other: Known) -> Iterator[float]:
    """What the steps between two values come to that such a figure may stand for."""
    for result in of_two(one.rough, other.rough):
        if claim.may_be(result):
            for power in claim.scales(result, (one, other)):
                yield abs(result.value) * 10.0**power


def surest(findings: Iterable[Finding | None]) -> Finding | None:
    """The first finding that can be no chance, a step that fits before one that does not; else the first of all."""
    second: Finding | None = None
    for found in filter(None, findings):
        if found.verdict == "worked_out":
            return found
        second = found if second is None or (second.verdict == "elsewhere" != found.verdict) else second
    return second
