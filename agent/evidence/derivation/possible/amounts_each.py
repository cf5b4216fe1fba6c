"""What an amount is for each of what a source counts or measures: "182,000, i.e. 700 per tree" of 260 trees, "pro
Kilometer sind das etwa 516.000 €" of 3.8 kilometres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from agent.evidence.derivation.possible.near_values import NearValues
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.known_values import Traced
from agent.evidence.sources import Finding, Spotted
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.number_words import exactly
from agent.text.quantities.units import PERCENT
from agent.text.regex import regex

_EACH = r"(?:per|for each|for every|each|pro|je|par|por|a|an)"
_BEHIND = regex(rf"[*_]*,?(?: [^\W\d_]+)? {_EACH} ([^\W\d_]{{3,}})")
_BEFORE = regex(
    r"\b(?:per|for each|for every|pro|je|par|por) ([^\W\d_]{3,})(?: [^\W\d_]+){0,4}:? (?:etwa |about |rund )?[*_$€£]*$"
)
_NOUN = regex(r"[ -][^\W\d_]+(?: [^\W\d_]+)?")
_FEWEST = 2  # digits
_MOST_BEFORE, _AWAY = 3, 300  # amounts, characters before the figure
_STEM, _NEAR = 4, 30  # letters that two forms of a noun share, characters between a number and its noun
_MOST_NUMBERS, _MOST_COUNTED = 400, 6  # of a text, and before a noun


@dataclass(frozen=True)
class AmountsEach:
    """Of one answer; ``near`` knows its lines and its figures that were found."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` where an amount said before the figure comes to it for each of a number of the sources."""
        noun = self._noun(figure)
        if not noun or figure.unit is PERCENT or figure.digits < _FEWEST or figure.ordinal:
            return None
        counted = list(self._counted(noun))
        for one in self._amounts(figure) if counted else ():
            for size, spot in counted:
                share = one.figure.value / size
                if figure.holds(float(share)) and one.figure.value != figure.value:
                    steps = f"{written(one.figure.value, one.figure.unit)} ÷ {written(size, None)}"
                    note = Text("{steps} = {outcome}", steps=steps, outcome=written(share, figure.unit))
                    return Finding("possible", (one.spot, spot), note)
        return None

    def _noun(self, figure: Figure) -> str:
        """What the figure is said to be for each of: the word behind it, or before it."""
        lower = self.near.standings.answer.lower
        behind = _BEHIND.match(lower, figure.end)
        before = _BEFORE.search(lower, max(0, figure.start - 60), figure.start)
        return behind[1] if behind is not None else before[1] if before is not None else ""

    def _amounts(self, figure: Figure) -> Sequence[Traced]:
        """The figures before it that were found, the nearest first, in one unit with it."""
        before = [one for one in self.near.traced if figure.start - _AWAY <= one.start < figure.start and not one.year]
        of_unit = [one for one in before if one.figure.unit is figure.unit or figure.unit is None is one.figure.unit]
        return of_unit[: -_MOST_BEFORE - 1 : -1]

    def _counted(self, noun: str) -> Iterator[tuple[Fraction, Spotted]]:
        """The numbers that stand in the sources, or in the answer, right before a form of a noun or one word before."""
        lower = self.near.standings.answer.lower
        for one in self.near.traced:
            if one.figure.unit is None or one.figure.unit.dimension == "time" or one.figure.unit.name == "months":
                word = _NOUN.search(lower[one.start : one.end + _NEAR])
                if word is not None and noun[:_STEM] in word[0] and one.figure.value > 1:
                    yield one.figure.value, one.spot
        for number, source in enumerate(self.near.standings.sources.texts):
            near = ((one, source.lower[one.end : one.end + _NEAR]) for one in source.scan.numbers[:_MOST_NUMBERS])
            found = (one for one, behind in near if (word := _NOUN.match(behind)) and noun[:_STEM] in word[0])
            for one in islice(found, _MOST_COUNTED):
                value = exactly(one.value, source.text[one.start : one.end], source.scan.continental)
                if value > 1:
                    yield value, (number, one.start, one.end)
