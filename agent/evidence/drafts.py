"""A claim of an answer on the way to its verdict."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from agent.evidence.masking import Link
from agent.evidence.mentions import Mention
from agent.evidence.sources import Finding, Spotted
from agent.evidence.verdicts import Kind
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure, sign_before
from agent.text.quantities.units import SPELLINGS, alike
from agent.text.regex import regex

_MINUTES = SPELLINGS["min"]
_LONG = 3  # digits of a figure that is told again
_DIGIT = regex(r"[0-9]")
OPEN = ("not_found", "differs", "elsewhere")
TO_WORK_WITH = ("seen", "given", "elsewhere", "worked_out", "possible")


class Draft(NamedTuple):
    """Characters ``start`` to ``end`` of the answer, what stands there, and what was found of it so far."""

    start: int
    end: int
    kind: Kind
    thing: Figure | Day | Mention | Link
    finding: Finding

    @property
    def figure(self) -> Figure | None:
        return self.thing if isinstance(self.thing, Figure) else None

    @property
    def signed(self) -> Fraction:
        """The value of its figure, with the sign; 0 for no figure."""
        figure = self.figure
        return Fraction(0) if figure is None else -figure.value if figure.negative else figure.value

    @property
    def is_known(self) -> bool:
        """Whether others may be worked out from it."""
        return bool(self.finding.spots) and self.finding.verdict in TO_WORK_WITH

    def having(self, finding: Finding) -> Draft:
        return self if finding is self.finding else self._replace(finding=finding)


def as_span(day: Day, text: str) -> Figure | None:
    """A time of a ``text`` as the span that it may be: "2:05" as 125 of its smaller unit, "2 h 05" as 125 minutes."""
    if day.length is None:
        return None
    negative, place = sign_before(text, day.start) is not None, (day.start, day.end)
    unit = _MINUTES if "h" in text[day.start : day.end] and not day.seconds else None
    return Figure(*place, place, Fraction(day.length), Fraction(1), negative=negative, unit=unit)


def repeated(drafts: list[Draft], text: str) -> list[Draft]:
    """A bare number that has its unit elsewhere rests on the same, if in one line: "212 °F (100 × 9/5 + 32 = 212)"."""
    figures = [(number, draft, draft.thing) for number, draft in enumerate(drafts) if isinstance(draft.thing, Figure)]
    worked_out = [(draft, one) for _, draft, one in figures if draft.finding.verdict == "worked_out"]
    known = {one.value: draft for draft, one in worked_out if one.unit is not None}
    settled = list(drafts)
    for number, draft, one in figures:
        like = known.get(one.value) if not (one.unit or one.noun) else None
        if like is not None and draft.finding.verdict in ("not_found", "differs"):
            apart = "\n" in text[min(draft.end, like.end) : max(draft.start, like.start)]
            settled[number] = draft.having(replace(like.finding, verdict="possible") if apart else like.finding)
    return _said_again(settled, text)


def _said_again(drafts: list[Draft], text: str) -> list[Draft]:
    """A long figure or a time that was worked out in another place of the answer, word for word: of its table."""
    worked_out = (one for one in drafts if one.finding.verdict == "worked_out")
    known = {said: one for one in worked_out if len(_DIGIT.findall(said := text[one.start : one.end])) >= _LONG}
    for number, draft in enumerate(drafts):
        like = known.get(text[draft.start : draft.end])
        if like is not None and draft.finding.verdict in ("not_found", "differs"):
            drafts[number] = draft.having(replace(like.finding, verdict="possible"))
    return drafts


def in_one_unit(one: Figure | None, other: Figure | None) -> bool:
    """Whether two figures are in one unit, or both in none."""
    if one is None or other is None:
        return False
    if one.unit is None or other.unit is None:
        return one.unit is other.unit
    return alike(one.unit, other.unit)


def places_of(*drafts: Draft) -> tuple[Spotted, ...]:
    """The first place of each of some drafts that have one."""
    return tuple(spot for one in drafts for spot in one.finding.spots[:1])
