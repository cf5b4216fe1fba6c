"""Two answers to the same question: which figures and days of each the other does not have, by value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.evidence.assertions import Statement, statements_in
from agent.evidence.sameness import agree, counted, kin
from agent.interface_text import Text
from agent.messages import Value

_MOST_FIGURES = 400  # of an answer that are compared


@dataclass(frozen=True, slots=True)
class TwoAnswers(Value):
    """``left`` and ``right`` are the places, as start and end, of the figures that only that answer has.

    ``differing`` counts their values, ``figures`` all values of the two; one that both have counts once.
    """

    left: tuple[tuple[int, int], ...]
    right: tuple[tuple[int, int], ...]
    differing: int
    figures: int

    @property
    def summary(self) -> Text:
        """One line for a reader."""
        if not self.figures:
            return Text("Neither answer has figures to compare.")
        if not self.differing:
            return Text("Both answers give the same figures.")
        if self.figures == 1:
            return Text("The one figure differs between the two answers.")
        return Text(
            "{n} of {all} figures differs between the two answers.",
            "{n} of {all} figures differ between the two answers.",
            n=self.differing,
            all=self.figures,
        )


def compared(left: str, right: str) -> TwoAnswers:
    """What differs in the figures of two answers. An altered figure is one that differs, not one here and one there."""
    both = statements_in(left)[:_MOST_FIGURES], statements_in(right)[:_MOST_FIGURES]
    alone = tuple([one for one in mine if not _has(theirs, one)] for mine, theirs in (both, both[::-1]))
    shared = _values([one for one in both[0] if one not in alone[0]])
    differing = max(_values(alone[0]), _values(alone[1]))
    spans = [tuple((one.start, one.end) for one in only) for only in alone]
    return TwoAnswers(spans[0], spans[1], differing, shared + differing)


def _has(statements: Sequence[Statement], one: Statement) -> bool:
    """Whether one of the statements has that value; where they count the same thing ("8 people"), one of those."""
    like = [other for other in statements if counted(other) and counted(other) == counted(one)]
    return any(kin(one, other, strictly=False) and agree(one, other) for other in like or statements)


def _values(statements: Sequence[Statement]) -> int:
    """How many different values there are."""
    found: list[Statement] = []
    for one in statements:
        if not _has(found, one):
            found.append(one)
    return len(found)
