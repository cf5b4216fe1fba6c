"""A rate that goes up or down by so many percentage points, as a source says: 3.39 % of 3.49 % and 0.10 points less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.drafts import Draft
from agent.evidence.sources import Finding, Source, Sources, Spotted
from agent.interface_text import Text
from agent.text.quantities.compounds import Token
from agent.text.quantities.number_words import exactly
from agent.text.quantities.units import PERCENT, POINTS
from agent.text.regex import regex

_MOST_NUMBERS, _MOST_CHANGES, _MOST_RATES = 200, 6, 8
_LESS = regex(r"\b(?:lower|less|reduc|discount|off|drop|fall|down|below|niedriger|weniger|moins|menos)|[-−]\s*$")
_NEAR, _FAR = 50, 600  # characters
_FEWEST = 2  # digits


def changed_rates(drafts: Sequence[Draft], numbers: Sequence[int], sources: Sources) -> Iterator[tuple[int, Finding]]:
    """``worked_out`` for those of some shares (``numbers``: their places in ``drafts``) that such a rate becomes."""
    shares = [number for number in numbers if (one := drafts[number].figure) and one.unit is PERCENT]
    steps = list(islice(_changes(sources), _MOST_CHANGES * _MOST_RATES)) if shares else []
    for number in shares:
        figure = drafts[number].figure
        for rate, change, spots in steps:
            if figure is not None and figure.digits >= _FEWEST and figure.value == rate + change:
                sign = "−" if change < 0 else "+"
                said = f"{written(rate, PERCENT)} {sign} {written(abs(change), PERCENT)}"
                note = Text("{steps} = {outcome}", steps=said, outcome=written(figure.value, PERCENT))
                yield number, Finding("worked_out", spots, note)
                break


def _changes(sources: Sources) -> Iterator[tuple[Fraction, Fraction, tuple[Spotted, Spotted]]]:
    """The rates around each change in percentage points, with that change, below nought where it is taken off."""
    for number, source, tokens in sources.first_numbers(_MOST_NUMBERS):
        units = {token: source.page.unit_at(token.start, token.end)[0] for token in tokens}
        points = [token for token in tokens if units[token] is POINTS][:_MOST_CHANGES]
        for token in points:
            around = source.lower[max(0, token.start - _NEAR) : token.end + _NEAR]
            change = -_size(source, token) if _LESS.search(around) is not None else _size(source, token)
            near = [one for one in tokens if units[one] is PERCENT and abs(one.start - token.start) < _FAR]
            for one in sorted(near, key=lambda one: abs(one.start - token.start))[:_MOST_RATES]:
                spots = ((number, one.start, one.end), (number, token.start, token.end))
                yield _size(source, one), change, spots


def _size(source: Source, token: Token) -> Fraction:
    return exactly(token.value, source.text[token.start : token.end], source.scan.continental)
