"""So many of what is priced or measured once: "2 adults: €51.20" of €25.60 each, a third of what the year costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations, product

from agent.evidence.derivation.possible.near_values import NearValues
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.lookup.context import line_bounds, shared, stems, window
from agent.evidence.sources import Finding, Source, Spot
from agent.interface_text import Text
from agent.text.quantities.compounds import Token
from agent.text.quantities.figures import Figure, noun_after
from agent.text.quantities.number_words import as_float, exactly
from agent.text.quantities.units import PERCENT, alike
from agent.text.regex import regex

_COUNT = regex(r"(?<![0-9.,:/€$£-])([1-9][0-9]?)(?![0-9.,:/%]|st\b|nd\b|rd\b|th\b)")
_WORDS = {
    word: number
    for number, words in (
        (2, "two both deux zwei dos"),
        (3, "three trois drei tres"),
        (4, "four quatre vier cuatro"),
        (5, "five cinq fünf cinco"),
        (6, "six sechs seis"),
        (7, "seven sept sieben siete"),
        (8, "eight huit acht ocho"),
        (9, "nine neuf neun nueve"),
        (10, "ten dix zehn diez"),
        (12, "twelve dozen year twelfth annual yearly douze zwölf doce"),
    )
    for word in words.split()
}
_WORD = regex(rf"\b(?:{'|'.join(_WORDS)})\b")
_FEWEST = 2  # digits
_MOST_PLACES = 6
_MOST_COUNTS = 6
_PAIR, _MOST_PRICES, _BESIDE = 2, 60, 120  # counts, numbers of a text, characters between two prices


@dataclass(frozen=True)
class Multiples:
    """Of one answer; ``near`` knows its lines."""

    near: NearValues

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` where a figure is a seen value so many times as its line says; ``None`` where none fits.

        The value must stand beside one of the words of the line: prices of other things come to many a sum.
        """
        if figure.ordinal or not (figure.unit or figure.noun) or figure.unit is PERCENT or figure.digits < _FEWEST:
            return None
        answer, sources = self.near.standings.answer, self.near.standings.sources
        left, right = line_bounds(answer.lower, figure.start, figure.end)
        words = stems(answer.lower[left : figure.start]) or answer.words(figure.start, figure.end)
        for count in dict.fromkeys(self._counts(figure, left, right)):
            low, high = (edge / count for edge in figure.edges)
            for spot in sources.between(low, high, _MOST_PLACES):
                if self._is_meant(figure, count, spot, words):
                    source = sources.texts[spot.source]
                    value = exactly(spot.value, source.text[spot.start : spot.end], source.scan.continental)
                    steps = f"{count} × {written(value, figure.unit)}"
                    note = Text("{steps} = {outcome}", steps=steps, outcome=written(value * count, figure.unit))
                    return Finding("possible", (spot[1:],), note)
        return self._of_two(figure, [*self._counts(figure, left, right)][:_MOST_COUNTS])

    def _of_two(self, figure: Figure, counts: Sequence[int]) -> Finding | None:
        """So many of one and so many of another thing that are priced in one sentence: 2 × 84 + 2 × 61."""
        if figure.digits <= _FEWEST or len(counts) < _PAIR:
            return None
        for number, source, tokens in self._first_numbers:
            priced = [one for one in tokens if _is_of_kind(figure, source, one.start, one.end)]
            for (one, other), (first, second) in product(permutations(priced, 2), combinations(counts, 2)):
                if abs(other.start - one.start) < _BESIDE and figure.holds(first * one.value + second * other.value):
                    steps = f"{first} × {written(one.value)} + {second} × {written(other.value)}"
                    note = Text("{steps} = {outcome}", steps=steps, outcome=written(figure.value, figure.unit))
                    return Finding("possible", ((number, one.start, one.end), (number, other.start, other.end)), note)
        return None

    @cached_property
    def _first_numbers(self) -> list[tuple[int, Source, Sequence[Token]]]:
        return self.near.standings.sources.first_numbers(_MOST_PRICES)

    def _counts(self, figure: Figure, left: int, right: int) -> Iterator[int]:
        """The small numbers that the line says, the nearest first, and those of the question."""
        lower = self.near.standings.answer.lower
        said = [(match.start(), int(match[1])) for match in _COUNT.finditer(lower, left, right)]
        said += [(match.start(), _WORDS[match[0]]) for match in _WORD.finditer(lower, left, right)]
        said = [(start, count) for start, count in said if not figure.start <= start < figure.end]
        said.sort(key=lambda one: abs(one[0] - figure.start))
        yield from [count for _, count in said if count > 1][:_MOST_COUNTS]
        asked = [int(one.size) for one in self.near.asked if 1 < one.size < 100 and one.size == int(one.size)]
        yield from asked[:_MOST_COUNTS]

    def _is_meant(self, figure: Figure, count: int, spot: Spot, words: tuple[str, ...]) -> bool:
        source = self.near.standings.sources.texts[spot.source]
        if source.origin != "seen" or shared(words, window(source, spot.start, spot.end)) == 0:
            return False
        if not _is_of_kind(figure, source, spot.start, spot.end):
            return False
        return figure.holds(as_float(Fraction(spot.value) * count))


def _is_of_kind(figure: Figure, source: Source, start: int, end: int) -> bool:
    """Whether a number of a source is in the unit of a figure, or counts what it does: "84 crowns"."""
    unit, _, _ = source.page.unit_at(start, end)
    if figure.unit is None:
        return unit is None and figure.noun == noun_after(source.text, end)
    return unit is not None and alike(unit, figure.unit)
