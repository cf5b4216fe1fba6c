"""Times that follow from one said beside them and a span of the sources, and what lies between two lengths: "arrive at
09:15" of 08:30 and a crossing of 45 minutes, "23:37 for the second 5 km" of 47:18 and 23:41.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from typing import NamedTuple

from agent.evidence.drafts import TO_WORK_WITH, Draft
from agent.evidence.lookup.context import Answer, line_bounds
from agent.evidence.sources import Finding, Sources, Spotted
from agent.interface_text import Text
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_DAY = 1_440  # minutes
_MINUTE = 60  # seconds
_HOURS = r"(?:h|hrs?|hours?|std|stunden?|heures?|時間)"
_SPAN = regex(
    rf"(?<![0-9.,:])(?:([0-9]{{1,2}}) ?{_HOURS} ?(?:and |und |et )?(?=[0-9]))?([0-9]{{1,3}})[ -]?"
    rf"(?:({_HOURS})|(?:min|mins|minutes?|minuten|minutos?|分))(?![^\W\d_]| ?[0-9])"
)
_LENGTH = regex(r"(?<![0-9:.,])(?:([0-9]{1,2}):)?([0-9]{1,2}):([0-5][0-9])(?![0-9:])")
_MOST_SPANS, _MOST_LENGTHS = 16, 40
_MOST_TIMES = 4
_CHANCE = 0.05  # of the lengths around a figure that differences may come to
_SURE = 100  # seconds: differences come to less by chance


class _Span(NamedTuple):
    """How many minutes something takes, with its place and its text."""

    minutes: int
    spots: tuple[Spotted, ...]
    text: str


@dataclass(frozen=True)
class ReckonedTimes:
    """Of one answer with its ``drafts``."""

    drafts: Sequence[Draft]
    answer: Answer
    sources: Sources

    def findings(self, numbers: Sequence[int]) -> Iterator[tuple[int, Finding]]:
        """``possible`` for those of some claims (``numbers``: their places in ``drafts``) that such a step comes to."""
        worked: dict[int, int] = {}
        for number in numbers:
            draft = self.drafts[number]
            found = self._after_span(draft, worked) if isinstance(draft.thing, Day) else None
            if found is None and (seconds := _seconds(draft.thing)) is not None:
                found = self._between_lengths(draft, seconds)
            if found is not None:
                yield number, found

    def _after_span(self, draft: Draft, worked: dict[int, int]) -> Finding | None:
        """A time so long after, or before, another one of its line."""
        day = draft.thing
        if not isinstance(day, Day) or day.minute is None or day.seconds:
            return None
        left, right = line_bounds(self.answer.text, draft.start, draft.end)
        beside = [one for one in self.drafts if left <= one.start < right and one.start != draft.start]
        times: list[tuple[int, Draft, int]] = []
        for one in beside:
            known = one.finding.verdict in TO_WORK_WITH
            if isinstance(one.thing, Day) and one.thing.minute is not None and (known or one.start in worked):
                times.append((abs(one.start - draft.start), one, one.thing.minute))
        times.sort(key=lambda one: one[0])
        for _, time, minute in times[:_MOST_TIMES]:
            for span, spot, text in (*_told(beside, self.answer.text), *self._spans):
                for sign, later in (("+", minute + span), ("−", minute - span)):
                    if later % _DAY == day.minute:
                        worked[draft.start] = day.minute
                        said, outcome = (self.answer.text[one.start : one.end] for one in (time, draft))
                        note = Text("{steps} = {outcome}", steps=f"{said} {sign} {text}", outcome=outcome)
                        return Finding("possible", (*time.finding.spots[:1], *spot), note)
        return None

    @cached_property
    def _spans(self) -> list[_Span]:
        """The first spans that the sources say."""
        found = islice(self._all(_SPAN), _MOST_SPANS)
        return [
            _Span(int(one[1] or 0) * _MINUTE + int(one[2]) * (_MINUTE if one[3] else 1), (spot,), one[0])
            for one, spot in found
        ]

    @cached_property
    def _lengths(self) -> list[tuple[int, Spotted]]:
        """The first lengths of the sources, in seconds: "47:18", "1:11:02"."""
        found = islice(self._all(_LENGTH), _MOST_LENGTHS)
        return [((int(one[1] or 0) * _MINUTE + int(one[2])) * _MINUTE + int(one[3]), spot) for one, spot in found]

    def _all(self, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], Spotted]]:
        """Where a pattern stands in what was observed."""
        for number, source in enumerate(self.sources.texts):
            for match in pattern.finditer(source.lower) if source.origin == "seen" else ():
                yield match, (number, *match.span())

    def _between_lengths(self, draft: Draft, seconds: int) -> Finding | None:
        """What lies between two lengths that are told with minutes and seconds."""
        pairs = [(abs(one[0] - other[0]), one, other) for one, other in combinations(self._lengths, 2)]
        near = {apart for apart, _, _ in pairs if seconds / 2 <= apart <= 2 * seconds}
        if seconds < _SURE or len(near) > _CHANCE * 1.5 * seconds:
            return None
        for apart, one, other in pairs:
            if apart == seconds:
                (_, more), (_, less) = sorted((one, other), reverse=True)
                texts = [self.sources.texts[spot[0]].text[spot[1] : spot[2]] for spot in (more, less)]
                outcome = self.answer.text[draft.start : draft.end]
                note = Text("{steps} = {outcome}", steps=f"{texts[0]} − {texts[1]}", outcome=outcome)
                return Finding("possible", (more, less), note)
        return None


def _told(drafts: Sequence[Draft], text: str) -> Iterator[_Span]:
    """The spans of whole minutes among some drafts that were found."""
    for one in drafts:
        unit = one.figure.unit if one.figure is not None else None
        if one.figure and unit and unit.dimension == "time" and one.finding.verdict in TO_WORK_WITH:
            minutes = float(one.figure.value) * unit.rate / _MINUTE
            if minutes >= 1 and minutes == int(minutes):
                yield _Span(int(minutes), one.finding.spots[:1], text[one.start : one.end])


def _seconds(thing: object) -> int | None:
    """How long a claim says that something took, in seconds; ``None`` where it says none, or no seconds."""
    if isinstance(thing, Day):
        return thing.length
    if isinstance(thing, Figure) and thing.unit is not None and thing.unit.name == "s" and thing.step == 1:
        return int(thing.value)
    return None
