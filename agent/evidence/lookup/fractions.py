"""Figures of the answer that the sources write otherwise: 7.30% as 0.07297, the 95% of a percentile as "p95", £18.50 as
1850 pence.
"""

from __future__ import annotations

from fractions import Fraction

from agent.evidence.lookup.context import Answer, shared, window
from agent.evidence.sources import Finding, Sources
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import MONEY_UNITS, PERCENT, POINTS
from agent.text.regex import regex

_CENTS, _MOST_CENTS = 100, 4
_VALUE = regex(r"\": ?-?$")  # in JSON
_MINOR = regex(r"\"currency\" ?: ?\"|minor units?|\b(?:cents|pence|centimes|centavos)\b")
_PLACES = 2  # that a share has more as a fraction


def in_fractions(figure: Figure, answer: Answer, sources: Sources, most: int) -> Finding | None:
    """``seen`` where a number below one is a share, told with at least as many digits; ``None`` where none is.

    One with none of the sentence's words beside it may be another one: ``elsewhere``.
    """
    if figure.unit not in (PERCENT, POINTS) or figure.digits < _PLACES or not figure.value:
        return None
    if (named := _percentile(figure, sources)) is not None:
        return named
    low, high = figure.edges
    words = answer.words(figure.start, figure.end)
    rated: list[tuple[int, tuple[int, int, int]]] = []
    for spot in sources.between(low / 100, high / 100, most):
        source = sources.texts[spot.source]
        raw = source.text[spot.start : spot.end]
        places = len(raw.partition(".")[2])
        of_one = raw.startswith("0.") and source.page.unit_at(spot.start, spot.end)[0] is None
        if source.origin == "seen" and of_one and Fraction(1, 10**places) <= figure.step / 100:
            rated.append((shared(words, window(source, spot.start, spot.end)), spot[1:]))
    if not rated:
        return None
    rated.sort(key=lambda one: -one[0])
    return sources.found([place for _, place in rated]) if rated[0][0] else Finding("elsewhere", (rated[0][1],))


def in_minor_units(figure: Figure, sources: Sources) -> Finding | None:
    """``seen`` for an amount with cents that JSON has as a whole number of them, and names its currency."""
    if figure.unit is None or figure.unit.dimension not in MONEY_UNITS or figure.step != Fraction(1, _CENTS):
        return None
    cents = float(figure.value * _CENTS)
    for spot in sources.between(cents, cents, _MOST_CENTS):
        source = sources.texts[spot.source]
        before = source.text[max(0, spot.start - 4) : spot.start]
        is_value = source.text[spot.start : spot.end].isdigit() and _VALUE.search(before) is not None
        if source.origin == "seen" and is_value and _MINOR.search(source.lower) is not None:
            return Finding("seen", (spot[1:],))
    return None


def _percentile(figure: Figure, sources: Sources) -> Finding | None:
    """``seen`` for the 95% of which a source says the "p95"."""
    name = f"p{figure.value}" if figure.step == 1 else ""
    for number, source in enumerate(sources.texts):
        start = source.lower.find(name) if name and source.origin == "seen" else -1
        end = start + len(name)
        if start >= 0 and not source.lower[start - 1 : start].isalnum() and not source.lower[end : end + 1].isdigit():
            return Finding("seen", ((number, start, end),))
    return None
