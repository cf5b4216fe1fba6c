"""Times and spans that stand nowhere, worked out from the times of one record: an arrival with its delay, how long
it takes, what is left until the time that was asked for, how much longer than another.

It goes from the claim outward: what its own sentence says, the records that its sentence names, then those named
before it in its line. Each is a handful of times, so that one that fits is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date as Date
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from agent.evidence.derivation.spans.clock_records import MINUTE, Record, Timed, record_at
from agent.evidence.derivation.steps.aggregates import tables_named
from agent.evidence.derivation.steps.hints import kinds_hinted
from agent.evidence.drafts import Draft
from agent.evidence.lookup.days import Moment, between_dates
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Finding, Sources, Spotted
from agent.text.quantities.dates import day_of
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure

_DAY, _HOUR, _QUARTER = 86_400, 3_600, 900  # seconds
_MOST_RECORDS, _MOST_TIMES, _PAIR = 4, 40, 2
_MINUTES_APART = 90  # seconds between the bounds of a length that is told to the minute
_FAR, _NEAR = 500, 200  # characters before a claim
_LONG_UNITS = ("days", "weeks", "months", "years")


class _Step(NamedTuple):
    seconds: int
    formula: str
    spots: tuple[Spotted, ...]


@dataclass
class ClockSpans:
    """Works out times and spans of one answer; ``found`` are its figures and dates in their order.

    A time that was worked out is worked with: ``worked`` has its seconds by its start.
    """

    standings: Standings
    found: Sequence[Draft]
    worked: dict[int, Timed] = field(default_factory=dict[int, Timed])

    @property
    def sources(self) -> Sources:
        return self.standings.sources

    def finding(self, thing: object, start: int, end: int) -> Finding | None:
        """``worked_out`` with its step for a time of day, a length or a span in days; ``None`` where none fits."""
        if not self._has_times:
            return None
        if isinstance(thing, Day):
            return self._of_day(thing, start, end) if thing.minute is not None else None
        if not isinstance(thing, Figure) or thing.unit is None:
            return None
        if thing.unit.name in _LONG_UNITS:
            coarse = thing.unit.name in ("months", "years")
            moments = [moment for record in self._records(start, end) for moment in _moments(record, coarse)]
            spoken_of = self._as_of({moment.day.year for moment in moments})
            every = [*self._moments_said(start), *moments, *spoken_of]
            return between_dates(thing, lambda: every, "") if moments else None
        if thing.unit.dimension != "time" or thing.unit.rate < 1:
            return None
        low, high = (float(bound) * thing.unit.rate for bound in thing.bounds)
        found = self._first(self._spans(start, end), lambda seconds: low <= seconds <= high, f"{_said(thing)}")
        if found is not None or low < _HOUR or high - low > _MINUTES_APART:
            return found
        found = self._first(self._of_sentences, lambda seconds: low <= seconds <= high, f"{_said(thing)}")
        return replace(found, verdict="possible") if found is not None else None

    @cached_property
    def _of_sentences(self) -> list[_Step]:
        """How long it is from the first to the last time of each sentence of a source that has just two."""
        found: list[_Step] = []
        for number, source in enumerate(self.sources.texts):
            dated = source.page.days[:_MOST_TIMES] if source.origin == "seen" else ()
            places = dict.fromkeys(source.page.sentence(day.start) for day in dated if day.minute is not None)
            for record in (Record(source.page, number, *place) for place in places):
                if len(record.times) == _PAIR:
                    found += _lengths(record)
        return found

    def _of_day(self, day: Day, start: int, end: int) -> Finding | None:
        """A time of day, or a length that is written like one: "4h 09"."""
        minute = day.minute or 0
        text = self.standings.answer.text[start:end]
        for step in self._times(start, end):
            if step.seconds // MINUTE % (_DAY // MINUTE) == minute:
                self.worked[start] = Timed(minute * MINUTE, step.spots[0], text)
                return Finding("worked_out", step.spots, f"{step.formula} = {text}")
        if day.half and "h" not in text.lower():
            return None
        return self._first(self._spans(start, end), lambda seconds: seconds // MINUTE == minute, text)

    def _first(self, steps: Iterable[_Step], fits: Callable[[int], bool], text: str) -> Finding | None:
        step = next((step for step in steps if fits(step.seconds)), None)
        return Finding("worked_out", step.spots, f"{step.formula} = {text}") if step is not None else None

    def _times(self, start: int, end: int) -> Iterator[_Step]:
        """A time and a span of one record, or of the sentence: 10:37 + 4 min."""
        said = self._spans_said(start)
        for record in self._records(start, end):
            for time in record.times:
                for span in chain(record.spans, said):
                    later, earlier = time.seconds + span.seconds, time.seconds - span.seconds
                    yield _Step(later, f"{time.text} + {span.text}", (time.spot, span.spot))
                    if not any(one.late and one.seconds == span.seconds for one in record.spans):
                        yield _Step(earlier, f"{time.text} − {span.text}", (time.spot, span.spot))

    def _spans(self, start: int, end: int) -> Iterator[_Step]:
        """How far apart times are: of the sentence, of one record, of a record and the one asked for, of two."""
        records, said = self._records(start, end), self._times_said(start)
        for number, one in enumerate(said):
            for other in said[number + 1 :]:
                yield _apart(one, other)
                if other.seconds < one.seconds:  # over midnight
                    yield _Step(
                        other.seconds + _DAY - one.seconds, f"{other.text} − {one.text}", (other.spot, one.spot)
                    )
        exact = [one for one in self._times_said(start, before=True) if one.seconds % MINUTE]
        yield from (_apart(one, other) for one in said if one.seconds % MINUTE for other in exact)  # "46 s off 2:04:55"
        for record in records[:2]:
            yield from _lengths(record)
        long_ago = (one for one in self._times_said(start, before=True, far=_FAR) if one.seconds % _QUARTER)
        yield from (step for one in long_ago for other in said if (step := _apart(one, other)).seconds >= _HOUR)
        for record in records[:2]:
            for time in record.times:
                for other in chain(said, self._asked):
                    yield _apart(time, other)
                    yield from (_with(time, span, other) for span in record.spans)
        left, right = self.standings.answer.sentence(start)
        if records and not kinds_hinted(self.standings.answer.lower[left:right]).isdisjoint(("difference", "years")):
            for other in chain(records[1:], self._first_ones):
                yield from _compared(records[0], other)

    @cached_property
    def _has_times(self) -> bool:
        """Whether any date or time was observed."""
        return any(source.page.dated for source in self.sources.texts if source.origin == "seen")

    @cached_property
    def _first_ones(self) -> list[Record]:
        """The records that the answer speaks of first, which others are compared with."""
        return list(islice(self._at(-1, self.found), 2))

    @cached_property
    def _asked(self) -> list[Timed]:
        """The times that the question says."""
        given = ((index, one.page) for index, one in enumerate(self.sources.texts) if one.origin == "given")
        records = (Record(page, index, 0, len(page.text)) for index, page in given)
        return list(islice(chain.from_iterable(record.times for record in records), 3))

    def _times_said(self, start: int, before: bool = False, far: int = 0) -> list[Timed]:
        """The times of the sentence, or of what stands ``before`` it, that were found or worked out; not the claim.

        ``far``: how many characters before it, across lines.
        """
        left, right = self.standings.answer.sentence(start)
        text, times = self.standings.answer.text, list[Timed]()
        if before:
            left, right = left - far if far else max(text.rfind("\n", 0, start) + 1, left - _NEAR), left
        for one in self.found:
            if not (left <= one.start < right) or one.start == start or not isinstance(one.thing, Day):
                continue
            if one.start in self.worked:
                times.append(self.worked[one.start])
            elif one.thing.minute is not None and one.finding.verdict in ("seen", "given") and one.finding.spots:
                times.append(Timed(_seconds(one.thing), one.finding.spots[0], text[one.start : one.end]))
        return times

    def _spans_said(self, start: int) -> list[Timed]:
        """The spans that the sentence says and some source has: "with the 11-minute delay"."""
        left, right = self.standings.answer.sentence(start)
        spans: list[Timed] = []
        for one in self.found:
            if left <= one.start < right and isinstance(one.thing, Figure) and one.finding.spots:
                unit, traced = one.thing.unit, one.finding.verdict in ("seen", "given")
                if traced and unit is not None and unit.dimension == "time" and unit.rate >= 1:
                    seconds = round(float(one.thing.value) * unit.rate)
                    spans.append(Timed(seconds, one.finding.spots[0], self.standings.answer.text[one.start : one.end]))
        return spans

    def _moments_said(self, start: int) -> Iterator[Moment]:
        """The whole dates of the sentence that were found."""
        left, right = self.standings.answer.sentence(start)
        for one in self.found:
            if left <= one.start < right and isinstance(one.thing, Day) and one.thing.whole and one.finding.spots:
                yield Moment(one.thing.whole, one.finding.spots[0])

    def _as_of(self, years: set[int]) -> Iterator[Moment]:
        """The days that the question and the first sentence say, those without a year in the year of the records."""
        _, end = self.standings.answer.sentence(0)
        first = [one for one in self.found if one.start < end and isinstance(one.thing, Day) and one.finding.spots]
        said = [(one.thing, one.finding.spots[0]) for one in first if isinstance(one.thing, Day)]
        for number, source in enumerate(self.sources.texts):
            if source.origin == "given":
                said += [(day, (number, day.start, day.end)) for day in source.page.days]
        for day, spot in said:
            for year in [day.year] if day.year else years:
                if day.month and day.day and (whole := day_of(year, day.month, day.day)):
                    yield Moment(whole, spot)

    def _records(self, start: int, end: int) -> list[Record]:
        """The records that the sentence of a claim means, the nearest first, then those named before it in its line."""
        left, right = self.standings.answer.sentence(start)
        line = max(self.standings.answer.text.rfind("\n", 0, start) + 1, start - _FAR)
        inside = sorted(
            (one for one in self.found if left <= one.start < right), key=lambda one: abs(one.start - start)
        )
        before = sorted((one for one in self.found if line <= one.start < left), key=lambda one: -one.start)
        found = chain(self._at(start, inside), self._named(start, end), self._at(start, before))
        kept: dict[tuple[int, int], Record] = {}
        for record in islice(found, 3 * _MOST_RECORDS):
            if record.days:
                kept.setdefault((record.number, record.start), record)
            if len(kept) == _MOST_RECORDS:
                break
        return list(kept.values())

    def _named(self, start: int, end: int) -> Iterator[Record]:
        """The rows that the words of the sentence name."""
        for number, subjects, rows in tables_named(self.sources, self.standings.words(start, end).around)[:1]:
            for row in (subjects.table.rows[index] for index in rows[:2]):
                yield Record(self.sources.texts[number].page, number, row[0].start, row[-1].end)

    def _at(self, start: int, found: Iterable[Draft]) -> Iterator[Record]:
        """The records of what was found, times and dates first, then longer figures."""
        traced = (one for one in found if one.start != start and one.finding.verdict in ("seen", "elsewhere"))
        ones = [one for one in traced if one.finding.spots]
        days = [one for one in ones if isinstance(one.thing, Day)]
        figures = [one for one in ones if isinstance(one.thing, Figure) and one.thing.digits > 1]
        for one in (*days, *figures):
            record = record_at(self.sources, one.finding.spots[0])
            if record is not None:
                yield record


def _seconds(day: Day) -> int:
    """A time of day, or, with its seconds, how long it may be."""
    return day.length if day.seconds and day.length is not None else (day.minute or 0) * MINUTE


def _said(figure: Figure) -> str:
    return f"{float(figure.value):g} {figure.unit.name if figure.unit is not None else ''}".strip()


def _apart(one: Timed, other: Timed) -> _Step:
    later, earlier = (one, other) if one.seconds >= other.seconds else (other, one)
    return _Step(later.seconds - earlier.seconds, f"{later.text} − {earlier.text}", (later.spot, earlier.spot))


def _with(time: Timed, span: Timed, other: Timed) -> _Step:
    """How far apart a time with its delay and another one are."""
    seconds = abs(time.seconds + span.seconds - other.seconds)
    return _Step(seconds, f"{other.text} − ({time.text} + {span.text})", (other.spot, time.spot, span.spot))


def _lengths(record: Record) -> Iterator[_Step]:
    """How long it is from one time of a record to a later one, over midnight, too."""
    for number, first in enumerate(record.times):
        for last in record.times[number + 1 :]:
            spots = (last.spot, first.spot)
            yield _Step((last.seconds - first.seconds) % _DAY, f"{last.text} − {first.text}", spots)


def _compared(one: Record, other: Record) -> Iterator[_Step]:
    """How far two records are apart: in their lengths, between them, in each of their times, in each of their spans."""
    for mine, others in zip(_lengths(one), _lengths(other), strict=False):
        seconds = abs(mine.seconds - others.seconds)
        yield _Step(seconds, f"({mine.formula}) − ({others.formula})", (*mine.spots, *others.spots))
    for first, second in ((one, other), (other, one)):
        if first.times and second.times and first.times[-1].seconds < second.times[0].seconds:
            yield _apart(first.times[-1], second.times[0])
    for times in (zip(one.times, other.times, strict=False), zip(one.spans, other.spans, strict=False)):
        yield from (_apart(mine, others) for mine, others in times)


def _moments(record: Record, coarse: bool) -> Iterator[Moment]:
    """The dates of a record; where ``coarse`` ones do, the middle of a month that has no day."""
    for day in record.days:
        middle = Date(day.year, day.month, 15) if coarse and day.year and day.month and not day.day else None
        if (whole := day.whole or middle) is not None:
            yield Moment(whole, (record.number, day.start, day.end))
