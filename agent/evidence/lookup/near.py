"""The seen value that a figure was most likely meant to be, where it stands in no source."""

from __future__ import annotations

from agent.evidence.findings import Finding, differs
from agent.evidence.lookup.agreement import weak
from agent.evidence.lookup.context import Answer, shared, window
from agent.evidence.lookup.counts import counted_otherwise
from agent.evidence.sources import Source, Sources, Spot
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import Unit, alike, unit_at

_POWERS = (-3, 3, -1, 1, -6, 6, -4, 4, -2, 2, -8, 8, -9, 9)


def nearest(figure: Figure, answer: Answer, sources: Sources) -> Finding:
    """``differs`` with the seen value that the figure was most likely meant to be, or ``not_found``."""
    words = answer.words(figure.start, figure.end)
    value = float(figure.value)
    best: tuple[tuple[float, ...], Spot] | None = None
    nearby = sources.between(value * 0.75, value * 1.34, 24) if value else []
    powers = [spot for power in _POWERS for spot in sources.between(value * 10.0**power, value * 10.0**power, 2)]
    for index, spot in enumerate((*nearby, *powers)):
        source = sources.texts[spot.source]
        unit, _, _ = unit_at(source.text, spot.start, spot.end)
        same = _like(figure, unit, source, spot)
        score = shared(words, window(source, spot.start, spot.end))
        close = index < len(nearby) and value >= 3_000 and abs(spot.value - value) <= value / 10
        if not (same or (close and unit is figure.unit)) and (
            score < 2 or weak(figure) or unit is not None or figure.unit is not None
        ):
            continue
        if index >= len(nearby) and figure.digits < 2:
            continue
        rank = (float(source.origin == "seen"), float(same), float(score), -abs(spot.value - value))
        if best is None or rank > best[0]:
            best = rank, spot
    if best is not None:
        return differs(best[1], sources)
    found = counted_otherwise(figure, sources) if weak(figure) else None
    return found or Finding("not_found")


def _like(figure: Figure, unit: Unit | None, source: Source, spot: Spot) -> bool:
    if figure.unit is not None:
        return unit is not None and alike(figure.unit, unit)
    return unit is None and bool(figure.noun) and figure.noun in source.lower[spot.end : spot.end + 24]
