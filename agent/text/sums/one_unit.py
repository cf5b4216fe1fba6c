"""The figures of a sum, put into one unit."""

from __future__ import annotations

from dataclasses import replace

from agent.text.quantities.units import Measure, named
from agent.text.sums.terms import Term, measures


def in_one_unit(term: Term) -> Term:
    """5 km + 300 metres with the metres in km. As it is with units of several kinds, of temperature, or of fuel."""
    found = measures(term)
    return term if has_converted(term) or not found or not found[0] else in_unit(term, found[0]) or term


def in_unit(term: Term, target: Measure) -> Term | None:
    """The term with all figures in that unit; ``None`` where one of them cannot be, or it takes more than a factor."""
    kinds = {measure.kind if measure else "" for measure in measures(term)}
    return _converted(term, target) if kinds == {target.kind} and not kinds & {"temperature", "fuel"} else None


def has_converted(term: Term) -> bool:
    """Whether a figure of the term was put into another unit than its own."""
    return term.form == "in" or any(map(has_converted, term.parts))


def _converted(term: Term, target: Measure) -> Term:
    source = named(term.unit) if term.form == "number" else None
    if source and source != target:
        figure = f"({term.text})" if term.text.startswith("-") else term.text
        return Term("in", (term,), f"{figure} * {source.multiplier} / {target.multiplier}", target.name)
    return replace(term, parts=tuple(_converted(part, target) for part in term.parts))
