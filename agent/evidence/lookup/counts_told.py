"""Numbers of what an answer counts: whether the sources count the same, and with other numbers alone."""

from __future__ import annotations

from collections.abc import Iterable

from agent.evidence.sources import Finding, Source, Sources, Spot, places
from agent.evidence.tables.digits import is_year
from agent.text.quantities.claim_words import SPELLED
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_LONG = 3  # letters of a noun
_LIKE = 4  # times as many or as few: others are of something else
_MOST_TRIES = 12  # places of the noun or label that are looked at in each source
_BEFORE = regex(rf"([0-9][0-9,]*|\b(?:{'|'.join(SPELLED)}))[ -](?:[a-z]+ )?$")


def counted_otherwise(figure: Figure, sources: Sources) -> Finding | None:
    """``differs`` where the observations count the figure's noun, and only with other numbers."""
    if len(figure.noun) < _LONG or figure.noun == "peopl" or figure.ordinal or figure.unit is not None:
        return None  # "11 people" may be 11 deaths
    low, high = figure.edges
    others = list(_counts(figure.noun, sources))
    if any(low <= spot.value <= high for spot in others):
        return None
    near = (spot for spot in others if low / _LIKE <= spot.value <= high * _LIKE and not _is_dated(spot, sources))
    other = next(near, None)
    return sources.differs(other[1:], widen=True) if other is not None else None


def _is_dated(spot: Spot, sources: Sources) -> bool:
    """Whether a number is a year, or of a date: "In 1903 two plants opened"."""
    source = sources.texts[spot.source]
    return is_year(source.text[spot.start : spot.end]) or source.page.day_at(spot.start) is not None


def _counts(noun: str, sources: Sources) -> Iterable[Spot]:
    """Numbers directly before the noun (a word may stand between)."""
    for index, source in enumerate(sources.texts):
        for position in _positions(source, noun):
            match = _BEFORE.search(source.lower, max(0, position - 24), position)
            if match is not None and len(match[1]) < 20:
                raw = match[1].replace(",", "")
                value = float(raw) if raw.isdigit() else float(SPELLED[raw])
                yield Spot(value, index, match.start(1), match.end(1))


def _positions(source: Source, word: str) -> Iterable[int]:
    """Where a word stands in an observation, the first few times."""
    return places(source.lower, word, _MOST_TRIES) if source.origin == "seen" else ()
