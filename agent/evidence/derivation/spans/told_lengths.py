"""Lengths told once more in another form: "4 hours 15 minutes, 4.25 hours", "5:30 (5.5 minutes)" of a plain 5.5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from agent.evidence.drafts import Draft
from agent.evidence.sources import Finding, Sources, Spotted
from agent.interface_text import Text
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.quantities.number_words import exact
from agent.text.regex import regex

_MINUTE, _HOUR = 60, 3_600  # seconds
_NUMBERS = regex(r"[0-9]+")
_BARE = regex(r"\s*([0-9]+(?:\.[0-9]+)?)\s*$")  # all that a tool gave
_PARTS = regex(r"[÷/] 60\b")
_IN_HOURS = regex(r"(?<![0-9.,])([0-9]{1,2}) \+ ([0-9]{1,2}) [÷/] 60\b")
_LONGEST = 40  # characters of it


class _Length(NamedTuple):
    """So many seconds, or half of ``step`` more or less; what says it, and where it was observed."""

    seconds: Fraction
    step: Fraction
    text: str
    spot: Spotted


def told_again(drafts: Sequence[Draft], numbers: Sequence[int], text: str, sources: Sources) -> dict[int, Finding]:
    """``worked_out`` for those of some lengths of an answer that its line, the question or a bare result tells, too.

    The parts of a time in a formula are told by that time: "17 + 45 ÷ 60" of 17:45. ``numbers`` are the places in
    ``drafts`` of what was not found.
    """
    found = dict(_of_formulas(drafts, numbers, text, sources))
    for number in numbers:
        draft = drafts[number]
        forms = list(_forms(draft, text, (0, 0, 0)))
        left = text.rfind("\n", 0, draft.start) + 1 if forms else 0
        right = text.find("\n", draft.end) if forms else 0
        beside = (one for one in drafts if one.is_known and left <= one.start and (right < 0 or one.start < right))
        others = [other for one in beside if forms for other in _forms(one, text, one.finding.spots[0])]
        others += _given(sources) if forms else ()
        others += _bare(sources) if forms and len(_NUMBERS.findall(text, draft.start, draft.end)) > 1 else ()
        for form in forms:
            like = next((one for one in others if 2 * abs(one.seconds - form.seconds) <= form.step), None)
            if like is not None:
                note = Text("{steps} = {outcome}", steps=like.text, outcome=form.text)
                found[number] = Finding("worked_out", (like.spot,), note)
    return found


def _of_formulas(
    drafts: Sequence[Draft], numbers: Sequence[int], text: str, sources: Sources
) -> Iterator[tuple[int, Finding]]:
    """The hours and the minutes of times that a formula has in hours."""
    for formula in _IN_HOURS.finditer(text) if numbers and _PARTS.search(text) is not None else ():
        minutes = int(formula[1]) * _MINUTE + int(formula[2])
        inside = [one for one in numbers if formula.start() <= drafts[one].start < formula.end()]
        spots = (
            (index, day.start, day.end)
            for index, source in enumerate(sources.texts)
            for day in (source.page.days if inside else ())
            if minutes in (day.minute, day.length)
        )
        if (spot := next(spots, None)) is not None:
            yield from ((number, sources.found([spot])) for number in inside)


def _forms(draft: Draft, text: str, spot: Spotted) -> Iterator[_Length]:
    """What a span, or a time that may be one, comes to."""
    thing, said = draft.thing, text[draft.start : draft.end].strip()
    if isinstance(thing, Day) and thing.length is not None:
        for unit in (_MINUTE, 1):  # "5:30" is of hours or of minutes
            yield _Length(Fraction(thing.length * unit), Fraction(unit), said, spot)
    if not isinstance(thing, Figure) or thing.unit is None or thing.negative:
        return
    unit = thing.unit
    if unit.dimension == "time" and unit.rate >= 1:
        yield _Length(thing.value * unit.factor, thing.step * unit.factor, said, spot)


def _given(sources: Sources) -> Iterator[_Length]:
    """What the person told as hours and minutes: "in 3:30 hours"."""
    for index, source in enumerate(sources.texts):
        for day in source.page.days if source.origin == "given" else ():
            if day.length is not None:
                said = source.text[day.start : day.end].strip()
                yield _Length(Fraction(day.length * _MINUTE), Fraction(_MINUTE), said, (index, day.start, day.end))


def _bare(sources: Sources) -> Iterator[_Length]:
    """Results that are a number and no more: of hours or of minutes, as the answer says."""
    for index, source in enumerate(sources.texts):
        match = _BARE.match(source.text) if source.origin == "seen" and len(source.text) < _LONGEST else None
        if match is not None:
            value, step = exact(match[1])
            for unit in (_HOUR, _MINUTE):
                yield _Length(value * unit, step * unit, match[1], (index, *match.span(1)))
