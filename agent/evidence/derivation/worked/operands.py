"""Operands of a sum that an answer writes out, of what the question says in other words.

"87.5 × 1.12 ÷ 5" has 12 % more, "3 - 85 × 0.01" centimetres in metres, "2 ÷ 3 × 90" two thirds, "23 - 18" 11 pm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.drafts import Draft
from agent.evidence.sources import Finding, Source, Sources, Spotted
from agent.evidence.verdicts import QUESTION
from agent.interface_text import Text
from agent.text.quantities.figures import Figure, figures_in
from agent.text.quantities.units import DIMENSIONS, PERCENT, Unit, convert
from agent.text.regex import regex

# Signs of a sum: no mark of a list, and none of bold letters.
_BEFORE = regex(r"(?:[×/÷·]|(?<=[0-9)\s])\*|(?<=[0-9A-Za-z)%²³] )[-+−]) ?\(*$")
_BEHIND = regex(r" ?\)* ?(?:[×/÷·]|\*(?=[\s0-9(])|[-+−](?=\s))|人で割")
_SHARED = regex(r"\b(?:split|shared|divided) (?:between|among|by) $")
_HUNDREDTHS = regex(r"([0-9]+(?:\.[0-9]+)?) ?(?:p|pence|cents?|ct)\b")
_RATIO = regex(r"(?<![0-9:])[0-9]{1,4}(?::[0-9]{1,4}){1,5}(?![0-9:])")
_CLOCK = regex(r"[0-9]{1,2}:[0-5][0-9]")
_SAYS_RATIO = regex(r"\bratio\b|比")
_AND_ME = regex(r"[^.?!]{0,24}\band (?:i|me|myself)\b|人と(?:私|自分|僕|俺)")
_ME_AND = regex(r"(?:\b(?:me|i|myself) and(?: my)? |(?:友達|友人|同僚|家族))$")
_DAYS = regex(r"(?<!月)([0-9]{1,2})日")
_HALF_MORE = regex(r"\b(?:([0-9]+|an?|one|time) (?:[a-z]+ )?and a half)\b|([0-9]+)(?:[年時]間?|か月|ヶ月)半")
_PART_OF = {
    "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "eleventh": 11, "twelfth": 12, "sixteenth": 16,
}  # fmt: skip
_PARTS = regex(rf"\b({'|'.join(_PART_OF)})s?\b")
_MOST = 4_000  # characters of a question that are read
_MOST_FIGURES = 30
_HOUR = 60
_Way: TypeAlias = tuple[Fraction, str, int, int]  # what an operand may be, how, and where that is said


@dataclass(frozen=True)
class Operands:
    """Settles the operands of the sums in ``text``, an answer's; what they are of is asked in the ``sources``."""

    text: str
    sources: Sources

    def findings(self, drafts: Sequence[Draft], numbers: Sequence[int]) -> Iterator[tuple[int, Finding]]:
        """``worked_out`` for those of some drafts that are operands and follow from one quantity of a question."""
        for number in numbers:
            figure = drafts[number].figure
            if figure is None or not self._is_operand(figure):
                continue
            if (found := self._ways.get(figure.value)) is not None:
                spot, how = found
                note = Text("{steps} = {outcome}", steps=how, outcome=written(figure.value))
                yield number, Finding("worked_out", (spot,), note)

    def _is_operand(self, figure: Figure) -> bool:
        start, end = figure.number
        if _BEHIND.match(self.text, end) or _BEFORE.search(self.text, max(0, start - 5), start):
            return True
        return _SHARED.search(self.text, max(0, start - 20), start) is not None

    @cached_property
    def _ways(self) -> dict[Fraction, tuple[Spotted, str]]:
        """What an operand may be, with where that is said first, and how."""
        found: dict[Fraction, tuple[Spotted, str]] = {}
        for number, source in enumerate(self.sources.texts):
            if source.call_id == QUESTION and len(source.text) <= _MOST:
                for value, how, start, end in _of_question(source):
                    found.setdefault(value, ((number, start, end), how))
        return found


def _of_question(source: Source) -> Iterator[_Way]:
    """What the quantities of a question come to as an operand."""
    text, lower = source.text, source.lower
    figures = figures_in(text, lower, source.scan, source.page.days)[:_MOST_FIGURES]
    for figure in figures:
        yield from ((value, how, figure.start, figure.end) for value, how in _of_figure(figure))
    for one, two in pairwise(figures):
        if (one.unit, one.noun) == (two.unit, two.noun):
            how = f"{written(one.value)} + {written(two.value)}"
            yield one.value + two.value, how, one.start, two.end
    for figure in figures:
        alone = figure.value.denominator == 1 and (figure.unit is None or lower.startswith("人", figure.number[1]))
        if alone and (_AND_ME.match(lower, figure.end) or _ME_AND.search(lower, 0, figure.start)):
            yield figure.value + 1, f"{written(figure.value)} + 1", figure.start, figure.end
    yield from _of_signs(lower)
    for day in source.page.days:
        if day.minute is not None and day.minute % _HOUR == 0:
            yield Fraction(day.minute // _HOUR), text[day.start : day.end], day.start, day.end


def _of_figure(figure: Figure) -> Iterator[tuple[Fraction, str]]:
    """A share as a factor, a measure in another unit, the factor between the two, the parts of a fraction in words."""
    value, unit = figure.value, figure.unit
    if unit is PERCENT:
        share = value / 100
        said = written(value, PERCENT)
        yield from ((share, said), (1 + share, f"1 + {said}"), (1 - share, f"1 − {said}"))
    elif unit is not None:
        yield from _of_measure(figure, unit)
    if figure.spelled and value.denominator != 1:
        said = f"{value.numerator} ÷ {value.denominator}"
        yield from ((Fraction(value.denominator), said), (Fraction(value.numerator), said))


def _of_measure(figure: Figure, unit: Unit) -> Iterator[tuple[Fraction, str]]:
    said = written(figure.value, unit)
    for other in DIMENSIONS.get(unit.dimension, ()):
        if other is unit or other.offset or unit.offset:
            continue
        yield convert(figure.value, unit, other), said
        factor = convert(Fraction(1), unit, other)
        yield from ((factor, f"1 {unit.name}"), (1 / factor, f"1 {other.name}"))


def _of_signs(lower: str) -> Iterator[_Way]:
    """Pence in pounds, the sum of a ratio, so many days of a month, and half of one more."""
    for cents in _HUNDREDTHS.finditer(lower):
        yield Fraction(cents[1]) / 100, cents[0], *cents.span()
    for ratio in _RATIO.finditer(lower):
        if _CLOCK.fullmatch(ratio[0]) and not _SAYS_RATIO.search(lower):
            continue
        parts = ratio[0].split(":")
        yield Fraction(sum(map(int, parts))), " + ".join(parts), *ratio.span()
    for days in _DAYS.finditer(lower):
        yield Fraction(days[1]), days[0], *days.span()
    for part in _PARTS.finditer(lower):
        yield Fraction(_PART_OF[part[1]]), part[0], *part.span()
    for more in _HALF_MORE.finditer(lower):
        whole = more[1] or more[2]
        yield Fraction(whole if whole.isdigit() else 1) + Fraction(1, 2), more[0], *more.span()
