"""So many years between two that the answer says near them: "used for 73 years" of 1891 and 1964."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from agent.evidence.drafts import Draft
from agent.evidence.lookup.context import Answer
from agent.evidence.lookup.days import lie_apart
from agent.evidence.sources import Finding
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure

_BEFORE, _BEHIND = 400, 160  # characters
_FEWEST = 2  # digits: two years are a few years apart by chance


def years_between(drafts: Sequence[Draft], numbers: Sequence[int], answer: Answer) -> Iterator[tuple[int, Finding]]:
    """``worked_out`` for spans of years (``numbers``: their places in ``drafts``) of which one is in their sentence."""
    dated = [(one, year) for one in drafts if one.is_known and (year := _year(one.thing)) is not None]
    for number in numbers:
        figure = drafts[number].figure
        if figure is None or figure.unit is None or figure.unit.name != "years" or figure.digits < _FEWEST:
            continue
        left, right = answer.sentence(figure.start)
        near = [each for each in dated if figure.start - _BEFORE <= each[0].start < figure.end + _BEHIND]
        for (one, first), (other, last) in combinations(near, 2):
            inside = any(left <= each.start < right for each in (one, other))
            if inside and figure.holds(abs(last - first)):
                note = lie_apart(min(first, last), max(first, last), abs(last - first), "years")
                yield number, Finding("worked_out", (one.finding.spots[0], other.finding.spots[0]), note)
                break


def _year(thing: object) -> int | None:
    """The year that a claim says."""
    if isinstance(thing, Day):
        return thing.year
    if isinstance(thing, Figure) and thing.unit is None and thing.digits == 4 and 1000 <= thing.value <= 2100:
        return int(thing.value)
    return None
