"""Amounts of a list that are all so many times what the sources have of the same things: a recipe for five instead of
two. The factor is none by chance where it leads to several amounts of different things.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.drafts import Draft
from agent.evidence.sources import Finding, Source, Sources, Spotted
from agent.interface_text import Text
from agent.text.characters import lowered
from agent.text.quantities.compounds import Token
from agent.text.quantities.figures import Figure
from agent.text.quantities.number_words import exactly
from agent.text.quantities.units import PERCENT, alike, convert
from agent.text.regex import regex

_FEWEST = 3  # different things
_MOST_FIGURES, _MOST_PLACES = 40, 24
_BEHIND = regex(r"[\s*_]*(?:(?:of|de|d['’])[ ]?)?((?:[^\W\d_]{2,}[ -]?){1,3})")
_WORD = regex(r"[^\W\d_]{3,}")
_LARGEST = 100  # factor


def scaled_lists(drafts: Sequence[Draft], numbers: Sequence[int], text: str, sources: Sources) -> dict[int, Finding]:
    """``worked_out`` for those of some amounts (``numbers``: their places in ``drafts``) that one factor leads to.

    It is the factor that leads to most of the amounts of an answer with the ``text``.
    """
    found: dict[Fraction, dict[int, tuple[str, Spotted, Fraction]]] = defaultdict(dict)
    lower = lowered(text)
    tokens = sources.first_numbers(_MOST_PLACES)
    figures = [(number, one.figure) for number, one in enumerate(drafts) if one.figure and one.kind == "number"]
    for number, figure in [one for one in figures if _may_be_amount(one[1])][:_MOST_FIGURES]:
        named = _BEHIND.match(lower, figure.end)
        words = frozenset(word[:5] for word in _WORD.findall(named[1])) if named is not None else frozenset[str]()
        for said, size, spot in _amounts(words, figure, tokens) if words else ():
            factor = figure.value / size
            if factor not in (0, 1) and Fraction(1, _LARGEST) <= factor <= _LARGEST:
                found[factor].setdefault(number, (said, spot, size))
    for factor, amounts in sorted(found.items(), key=lambda one: -len(one[1])):
        if len({said for said, _, _ in amounts.values()}) < _FEWEST:
            break
        return {
            number: _finding(size, factor, spot, drafts[number].figure)
            for number, (_, spot, size) in amounts.items()
            if number in numbers
        }
    return {}


def _may_be_amount(figure: Figure) -> bool:
    return figure.unit is not None and figure.unit is not PERCENT and not figure.ordinal and figure.value > 0


def _amounts(
    words: frozenset[str], figure: Figure, texts: Sequence[tuple[int, Source, Sequence[Token]]]
) -> Iterator[tuple[str, Fraction, Spotted]]:
    """What the sources have of a thing, in the unit of a figure, each with its name and where it stands.

    ``texts`` are those that were observed, with their numbers and their first figures.
    """
    for number, source, tokens in texts:
        for token in tokens:
            unit, _, right = source.page.unit_at(token.start, token.end)
            named = _BEHIND.match(source.lower, right)
            if unit is None or figure.unit is None or named is None or unit.dimension != figure.unit.dimension:
                continue
            said = frozenset(word[:5] for word in _WORD.findall(named[1]))
            if not words.isdisjoint(said) and (words <= said or said <= words):
                value = exactly(token.value, source.text[token.start : token.end], source.scan.continental)
                size = value if alike(unit, figure.unit) else convert(value, unit, figure.unit)
                if size > 0:
                    yield " ".join(sorted(said)), size, (number, token.start, token.end)


def _finding(size: Fraction, factor: Fraction, spot: Spotted, figure: Figure | None) -> Finding:
    unit = figure.unit if figure is not None else None
    steps = f"{written(size, unit)} × {written(factor)}"
    note = Text("{steps} = {outcome}", steps=steps, outcome=written(size * factor, unit))
    return Finding("worked_out", (spot,), note)
