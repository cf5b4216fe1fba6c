"""Two answers to the same question: which figures and days of each the other does not have, by value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.evidence.assertions import Statement, statements_in
from agent.evidence.sameness import agree, counted, kin
from agent.interface_text import Text
from agent.messages import Value
from agent.text.characters import lowered

_MOST_FIGURES = 400  # of an answer that are compared
_LEAD, _LETTERS = 40, 3  # characters before a figure that tell what it is of, and how many of them are letters


@dataclass(frozen=True, slots=True)
class TwoAnswers(Value):
    """``left`` and ``right`` are the places, as start and end, of the figures that only that answer has.

    Those that stand where the other answer has such a one are among them, though it may have them elsewhere, too.

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
    leads = _by_lead(left, both[0]), _by_lead(right, both[1])
    return TwoAnswers(
        _places(alone[0], leads[0], alone[1], leads[1]),
        _places(alone[1], leads[1], alone[0], leads[0]),
        differing,
        shared + differing,
    )


def _places(
    alone: Sequence[Statement], mine: dict[str, Statement], others: Sequence[Statement], theirs: dict[str, Statement]
) -> tuple[tuple[int, int], ...]:
    """Where the figures stand that an answer alone has, and those that stand where the other has such a one."""
    opposite = [mine[lead] for lead, one in theirs.items() if one in others and lead in mine]
    return tuple(sorted({(one.start, one.end) for one in (*alone, *opposite)}))


def _by_lead(text: str, statements: Sequence[Statement]) -> dict[str, Statement]:
    """The figures of an answer by what stands right before them; the first of each."""
    found: dict[str, Statement] = {}
    for one in statements:
        lead = lowered(text[max(0, one.start - _LEAD) : one.start])
        if sum(map(str.isalpha, lead)) >= _LETTERS:
            found.setdefault(lead, one)
    return found


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
