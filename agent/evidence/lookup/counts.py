"""What the sources state of the same thing: of the noun that follows a figure, or under the label before it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.evidence.findings import Finding, differs
from agent.evidence.lookup.context import Answer
from agent.evidence.sources import Source, Sources, Spot
from agent.text.quantities.claim_words import SPELLED
from agent.text.quantities.figures import Figure, figure_at
from agent.text.quantities.units import alike

_MOST_TRIES = 12  # places of the noun or label that are looked at in each source
_BEFORE = re.compile(rf"([0-9][0-9,]*|\b(?:{'|'.join(SPELLED)}))[ -](?:[a-z]+ )?$")
_LABEL = re.compile(r"([a-z]{3,}|[\u30a0-\u30ff\u3400-\u9fff]{2,})(?:[ ]?(?:is|was|of|at|は|が|:|：|=))?[ *_]{0,4}$")
_AFTER = re.compile(r"[^0-9\n.,;。、]{0,6}?[-−]?([0-9]+(?:[.,][0-9]+)*)")


def counted_otherwise(figure: Figure, sources: Sources) -> Finding | None:
    """``differs`` where the observations count the figure's noun, and only with other numbers."""
    if not figure.noun or len(figure.noun) < 3 or figure.ordinal or figure.unit is not None:
        return None
    low, high = figure.edges
    other: Spot | None = None
    for spot in _counts(figure.noun, sources):
        if low <= spot.value <= high:
            return None
        other = other or spot
    return differs(other, sources) if other is not None else None


def _counts(noun: str, sources: Sources) -> Iterable[Spot]:
    """Numbers directly before the noun (a word may stand between)."""
    for index, source in enumerate(sources.texts):
        for position in _positions(source, noun):
            match = _BEFORE.search(source.lower, max(0, position - 24), position)
            if match is not None and len(match[1]) < 20:
                raw = match[1].replace(",", "")
                value = float(raw) if raw.isdigit() else float(SPELLED[raw])
                yield Spot(value, index, match.start(1), match.end(1))


def labelled_otherwise(figure: Figure, answer: Answer, sources: Sources) -> Finding | None:
    """``differs`` where the word before the figure stands directly before numbers of its unit, and of other values."""
    label = _LABEL.search(answer.lower, max(0, figure.start - 24), figure.start)
    if label is None or figure.unit is None:
        return None
    low, high = figure.bounds
    other: Spot | None = None
    for index, source in enumerate(sources.texts):
        for position in _positions(source, label[1]):
            match = _AFTER.match(source.text, position + len(label[1]))
            if match is None:
                continue
            seen = figure_at(source.text, match.start(1), match.end(1))
            if seen.unit is None or not alike(seen.unit, figure.unit):
                continue
            if low <= seen.value <= high:
                return None
            other = other or Spot(0.0, index, match.start(1), match.end(1))
    return differs(other, sources) if other is not None else None


def _positions(source: Source, word: str) -> Iterable[int]:
    """Where a word stands in an observation, the first few times."""
    if source.origin != "seen":
        return
    position = source.lower.find(word)
    for _ in range(_MOST_TRIES):
        if position < 0:
            return
        yield position
        position = source.lower.find(word, position + len(word))
