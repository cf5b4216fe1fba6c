"""Whether a step that comes to a figure may do so by chance: so many others that stand as near come near to it, too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import inf

from agent.evidence.derivation.figure_claims import FigureClaim
from agent.evidence.derivation.known_values import Known, Traced
from agent.evidence.derivation.possible_steps import outcomes
from agent.evidence.kept import kept
from agent.evidence.sources import Spotted

UNSURE = frozenset(("elsewhere", "possible"))  # verdicts for which a surer one is still looked for
_MOST = 0.1  # figures that the steps tried may meet by chance
_FEW = 3  # steps that are near enough, however short the figure is
_FAR = 500  # characters: a value that the answer does not say is as far as that


@dataclass(frozen=True)
class Chance:
    """Of one answer; ``traced`` are its figures that were found, with their places."""

    traced: Sequence[Traced]

    def explains(self, claim: FigureClaim, values: Iterable[Known], known: Sequence[Known]) -> bool:
        """Whether steps between two of the ``values`` would meet such a figure anyway; ``known`` are those of the step.

        The pairs that stand nearer to the figure than the two of the step are tried before them. What they come to
        between half of the figure and twice as much is taken as spread evenly there.
        """
        figure, start = claim.figure, claim.figure.start
        if len(known) != 2 or figure.telling == inf:
            return False
        away = {one.operand.spot: self._away(one.operand.spot, start) for one in (*values, *known)}
        single = {one.operand.spot: one for one in values}
        bound = sum(away[one.operand.spot] for one in known)
        most, tried = max(_FEW, _MOST * figure.telling), 0
        for pair in combinations(single.values(), 2):
            if sum(away[one.operand.spot] for one in pair) <= bound:
                tried += len(figure.beside(outcomes(pair, claim)))
                if tried > most:
                    return True
        return False

    @kept
    def _away(self, spot: Spotted, start: int) -> int:
        """How many characters a value stands from a figure of the answer."""
        return min((abs(one - start) for one in self._places.get(spot, ())), default=_FAR)

    @cached_property
    def _places(self) -> dict[Spotted, list[int]]:
        found: dict[Spotted, list[int]] = {}
        for one in self.traced:
            found.setdefault(one.spot, []).append(one.start)
        return found
