"""Days that are reckoned from others: ten years after one that was seen, the day after the one said before; and how
many days lie from one such day to another: "17 days off, from 19 December to 4 January".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date as Date
from datetime import timedelta
from functools import cached_property
from itertools import product

from agent.evidence.drafts import Draft
from agent.evidence.lookup.context import Answer, line_bounds
from agent.evidence.lookup.days import lie_apart
from agent.evidence.sources import Finding, Sources, Spotted
from agent.interface_text import Text
from agent.text.quantities.claim_words import WEEKDAYS
from agent.text.quantities.dates import day_of
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_LONGEST = 130  # years
_BEFORE = 240  # characters in which the day before is said
_YEAR = regex(r"\b(?:first|second|next|following|one|each|every) year\b|\b(?:twelve|12) months?\b|\byearly\b|annual")
_ONE = timedelta(days=1)
_LENGTHS = ("days", "weeks", "months", "years")
_WEEK, _MANY = 7, 4_000  # days
_MOST_DAYS, _SHORT_NAME = 8, 4  # days that are reckoned from, letters


@dataclass(frozen=True)
class ShiftedDays:
    """Of one answer with its ``drafts``."""

    drafts: Sequence[Draft]
    answer: Answer
    sources: Sources

    def findings(self, numbers: Sequence[int]) -> Iterator[tuple[int, Finding]]:
        """What some days (``numbers``: their places in ``drafts``) are reckoned from, and the spans that tell it."""
        beside: dict[int, Date] = {}
        for number in numbers:
            if not isinstance(day := self.drafts[number].thing, Day):
                continue
            whole_years = list(self._years_after(number, day)) if day.whole is not None else []
            yield from whole_years
            if day.year is not None and (later := self._year_later(day)) is not None:
                yield number, later
            elif not whole_years and (other := self._by_span(day) or self._by_weekday(day)) is not None:
                yield number, other
            if (near := self._beside(day)) is not None:
                whole, other, spot = near
                beside[number] = whole
                after = whole > other
                day_said = other.isoformat()
                note = (
                    Text("The day after {day}.", day=day_said) if after else Text("The day before {day}.", day=day_said)
                )
                yield number, Finding("possible", (spot,), note)
        yield from self._counted(numbers, beside)

    def _years_after(self, number: int, day: Day) -> Iterator[tuple[int, Finding]]:
        """The same day so many full years later as its sentence says."""
        left, right = self.answer.sentence(day.start)
        said = [
            (place, one.figure)
            for place, one in enumerate(self.drafts)
            if left <= one.start < right and one.figure is not None and one.kind == "number"
        ]
        for dated in self.sources.dated(None, day.month, day.day):
            years = (day.year or 0) - (dated.day.year or 0)
            if dated.day.year is None or not 0 < years <= _LONGEST:
                continue
            for place, figure in said:
                if figure.value == years and (figure.unit is None or figure.unit.name == "years"):
                    spot = (dated.source, dated.day.start, dated.day.end)
                    first, last = (f"{year}-{day.month:02}-{day.day:02}" for year in (dated.day.year, day.year))
                    note = lie_apart(first, last, years, "years")
                    yield number, Finding("worked_out", (spot,), note)
                    if self.drafts[place].finding.verdict in ("not_found", "differs"):
                        yield place, Finding("worked_out", (spot,), note)

    def _year_later(self, day: Day) -> Finding | None:
        """A month, or a day, a year after one that was seen, where its sentence or the one before speaks of a year."""
        left, right = self.answer.sentence(day.start)
        if day.month is None or _YEAR.search(self.answer.lower, max(0, left - _BEFORE), right) is None:
            return None
        for dated in self.sources.dated((day.year or 0) - 1, day.month, *([day.day] if day.day else [])):
            first, last = (f"{year}-{day.month:02}" for year in (dated.day.year, day.year))
            spot = (dated.source, dated.day.start, dated.day.end)
            return Finding("possible", (spot,), lie_apart(first, last, 12, "months"))
        return None

    def _by_span(self, day: Day) -> Finding | None:
        """So long before or after a day of the sources or of the answer as the sentence says: two months before."""
        if day.month is None or day.day is None:
            return None
        left, right = self.answer.sentence(day.start)
        spans = [one.figure for one in self.drafts if left <= one.start < right and _in_days_or_months(one.figure)]
        known = product(filter(None, spans), self._known_days if spans else (), ((1, "+"), (-1, "−")))
        for figure, (whole, spot), (sign, name) in known:
            moved = _moved(whole, figure, sign)
            if moved is None:
                continue
            # Twelve months from 1 September end on 31 August.
            for one, less in ((moved, ""), (moved - _ONE, " − 1")) if sign > 0 else ((moved, ""),):
                if _is_on(one, day):
                    steps = f"{whole.isoformat()} {name} {self.answer.text[figure.start : figure.end]}{less}"
                    note = Text("{steps} = {outcome}", steps=steps, outcome=one.isoformat())
                    return Finding("possible", (spot,), note)
        return None

    @cached_property
    def _known_days(self) -> list[tuple[Date, Spotted]]:
        """The first whole days of the sources, and those of the answer that were found."""
        seen = [(whole, (at.source, at.day.start, at.day.end)) for whole, at in self.sources.whole_days[:_MOST_DAYS]]
        for one in self.drafts:
            if isinstance(one.thing, Day) and one.thing.whole is not None and one.is_known:
                seen.append((one.thing.whole, one.finding.spots[0]))
        return seen[: 2 * _MOST_DAYS]

    def _by_weekday(self, day: Day) -> Finding | None:
        """The day of the week that a source tells before or after its date: "early on Saturday" of 6 October."""
        whole = day.whole
        if whole is None:
            return None
        names = [name for name, number in WEEKDAYS.items() if number == whole.isoweekday() and len(name) > _SHORT_NAME]
        for other, at in self.sources.whole_days[:_MOST_DAYS]:
            text = self.sources.texts[at.source].lower
            if 0 < abs((other - whole).days) < _WEEK and any(name in text for name in names):
                days = abs((other - whole).days)
                note = lie_apart(min(whole, other).isoformat(), max(whole, other).isoformat(), days, "days")
                return Finding("possible", ((at.source, at.day.start, at.day.end),), note)
        return None

    def _beside(self, day: Day) -> tuple[Date, Date, Spotted] | None:
        """A day as a whole date, with the seen one that its line says before it and that is right beside it."""
        if day.month is None or day.day is None:
            return None
        left, _ = line_bounds(self.answer.text, day.start, day.end)
        left = max(left, day.start - _BEFORE)
        for one in self.drafts:
            if not (left <= one.start < day.start and isinstance(one.thing, Day) and one.finding.verdict == "seen"):
                continue
            other = one.thing.whole
            for whole in (other + _ONE, other - _ONE) if other is not None else ():
                if (whole.month, whole.day) == (day.month, day.day) and day.year in (None, whole.year):
                    return whole, other or whole, one.finding.spots[0]
        return None

    def _counted(self, numbers: Sequence[int], beside: dict[int, Date]) -> Iterator[tuple[int, Finding]]:
        """The days from the first to the last of two such days of a sentence, both of them counted."""
        places = sorted(beside)
        for number in numbers:
            figure = self.drafts[number].figure
            if figure is None or not _in_days(figure):
                continue
            left, right = self.answer.sentence(figure.start)
            days = [beside[place] for place in places if left <= self.drafts[place].start < right]
            if len(days) == 2 and abs((days[1] - days[0]).days) + 1 == figure.value:
                first, last = sorted(day.isoformat() for day in days)
                yield number, Finding("possible", (), lie_apart(first, last, int(figure.value), "days"))


def _is_on(whole: Date, day: Day) -> bool:
    """Whether a day that is said, maybe without its year, is one."""
    return (whole.month, whole.day) == (day.month, day.day) and day.year in (None, whole.year)


def _in_days_or_months(figure: Figure | None) -> bool:
    return figure is not None and figure.unit is not None and figure.unit.name in _LENGTHS and figure.step == 1


def _moved(day: Date, figure: Figure, sign: int) -> Date | None:
    """A day so many days, weeks, months or years later or earlier; at the end of a shorter month its last."""
    count = sign * int(figure.value)
    unit = figure.unit.name if figure.unit is not None else ""
    if unit in ("days", "weeks"):
        return day + timedelta(days=count * (_WEEK if unit == "weeks" else 1)) if abs(count) < _MANY else None
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "years" else 1)
    year, month = months // 12, months % 12 + 1
    ends = (day_of(year, month, last) for last in (day.day, 30, 29, 28) if last <= day.day)
    return next(filter(None, ends), None)


def _in_days(figure: Figure) -> bool:
    return figure.unit is not None and figure.unit.name == "days" and figure.step == 1
