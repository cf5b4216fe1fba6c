"""What figures can be worked out from: traced figures and dates of the answer, the question, short observations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.evidence.derivation.arithmetic_steps import Operand
from agent.evidence.lookup.durations import Moment
from agent.evidence.sources import Source, Sources
from agent.text.quantities.dates import Day, covering
from agent.text.quantities.figures import Figure
from agent.text.quantities.number_words import exact
from agent.text.quantities.units import unit_at

_MOST_OPERANDS = 60
_FEW = 12  # an observation with at most so many numbers gives all of them


@dataclass(frozen=True, slots=True)
class Traced:
    """A figure or date of the answer; ``spot`` is where it was seen or given, if it was. ``year``: a bare year."""

    thing: object
    spot: tuple[int, int, int] | None
    year: bool


def operands_of(traced: Sequence[Traced], sources: Sources) -> list[Operand]:
    """Traced figures of the answer, figures of the question, and those of short observations."""
    found: dict[tuple[int, int, int], Operand] = {}
    for one in traced:
        if isinstance(one.thing, Figure) and one.spot is not None:
            spot = one.spot
            if sources.texts[spot[0]].trusted(*spot[1:]):
                found.setdefault(spot, Operand(one.thing.value, one.thing.unit, spot, one.year, True))
                found[spot] = _as_seen(found[spot], one.thing, sources)
    for index, source in enumerate(sources.texts):
        if source.origin == "given" or (source.origin == "seen" and len(source.scan.numbers) <= _FEW):
            tokens = [
                token
                for token in source.scan.numbers[:_FEW]
                if covering(source.days, source.day_starts, token.start) is None
            ]
            for token in tokens:
                spot = (index, token.start, token.end)
                found.setdefault(spot, replace(_operand(source, spot), stated=source.origin == "given"))
    return list(found.values())[:_MOST_OPERANDS]


def _as_seen(operand: Operand, figure: Figure, sources: Sources) -> Operand:
    """The operand with the digits of its source, of which the answer may state fewer."""
    index, start, end = operand.spot
    seen = _operand(sources.texts[index], operand.spot)
    low, high = figure.bounds
    same = end > start and low <= seen.value <= high
    return replace(seen, unit=seen.unit or operand.unit, year=operand.year, stated=True) if same else operand


def _operand(source: Source, spot: tuple[int, int, int]) -> Operand:
    _, start, end = spot
    raw = source.text[start : min(end, start + 200)]
    value = exact(raw, source.scan.continental)[0]
    unit, _, _ = unit_at(source.text, start, end)
    year = raw.isdigit() and len(raw) == 4 and 1000 <= value <= 2100 and unit is None
    return Operand(value, unit, spot, year)


def moments_of(traced: Sequence[Traced], sources: Sources) -> list[Moment]:
    found: list[Moment] = []
    for one in traced:
        if isinstance(one.thing, Day) and one.thing.whole is not None and one.spot is not None:
            found.append(Moment(one.thing.whole, one.spot))
    for day, dated in sources.whole_days[:6] if len(sources.whole_days) <= 6 else ():
        found.append(Moment(day, (dated.source, dated.day.start, dated.day.end)))
    if sources.today is not None:
        question = next((number for number, source in enumerate(sources.texts) if source.origin == "given"), 0)
        found.insert(min(len(found), 8), Moment(sources.today, (question, 0, 0)))
    return found
