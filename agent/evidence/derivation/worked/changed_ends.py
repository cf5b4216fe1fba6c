"""The ends of a change that was worked out from them: "fell by 72.7% to $104.78" of two values of a row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.evidence.drafts import Draft
from agent.evidence.lookup.context import Answer
from agent.evidence.sources import Finding
from agent.text.quantities.units import PERCENT
from agent.text.regex import regex

_LINK = r"[)*_]*,? (?:{}) (?:about |around |nearly )?[*_]*[$€£¥]?"
_TO = regex(_LINK.format("to|auf|à|al?|hasta"))
_FROM = regex(_LINK.format("from|von|gegenüber|de|desde"))
_PAIR = 2  # values that a change has


def changed_ends(drafts: Sequence[Draft], answer: Answer) -> Iterator[tuple[int, Finding]]:
    """By its number each draft that stands ``elsewhere``, and is said to be an end of the change before it."""
    for number, change in enumerate(drafts):
        is_share = change.figure is not None and change.figure.unit is PERCENT
        if not is_share or change.finding.verdict != "worked_out" or len(change.finding.spots) != _PAIR:
            continue
        new, old = change.finding.spots
        first, second = (*drafts[number + 1 : number + 1 + _PAIR], change, change)[:_PAIR]
        if _follows(change, first, answer, _FROM) and _follows(first, second, answer, _TO):  # its order was checked
            ends = {number + 1: {new, old}, number + 2: {new, old}}
        elif _follows(change, first, answer, _TO):
            ends = {number + 1: {new}}
        elif _follows(change, first, answer, _FROM):
            ends = {number + 1: {old}}
        else:
            continue
        for end, spots in ends.items():
            place = next((spot for spot in drafts[end].finding.spots if spot in spots), None)
            if place is not None and drafts[end].finding.verdict == "elsewhere":
                yield end, Finding("seen", (place,))


def _follows(one: Draft, other: Draft, answer: Answer, link: re.Pattern[str]) -> bool:
    return link.fullmatch(answer.lower, one.end, other.start) is not None
