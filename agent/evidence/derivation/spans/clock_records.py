"""Records that times stand in: a row of a table, an object of JSON, a sentence; with their times and spans."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from agent.evidence.pages import Page
from agent.evidence.sources import Sources, Spotted
from agent.text.quantities.day_mentions import Day
from agent.text.regex import regex

MINUTE = 60  # seconds
_LONGEST = 1_500  # characters of an object
_MOST_TIMES, _MOST_SPANS = 4, 3  # of a record
_LABEL = regex(r"[^,;{}|\n]*$")
_OF_DELAY = regex(r"delay|late\b|verspät|retard|retraso|ritardo|atraso|遅れ|遅延")
_OF_SPAN = regex(r"duration|finish|time\b|_time|dauer|durée|temps|zeit\b|tiempo|tempo|duración|durata|所要|タイム")
_UNITS = (
    (regex(r"(?<![a-zà-ÿ])(?:min|mins|minutes?|minuten|minutos?|minuti)(?![a-zà-ÿ])|分"), MINUTE),
    (regex(r"(?<![a-zà-ÿ])(?:h|hrs?|hours?|std|stunden|heures?|horas?|ore)(?![a-zà-ÿ])|時間"), 3600),
    (regex(r"(?<![a-zà-ÿ])(?:s|sec|secs|seconds?|sekunden|secondes)(?![a-zà-ÿ])|秒"), 1),
)


class Timed(NamedTuple):
    """A time of day, or a span, in seconds; ``text`` is how it stands there, ``late`` tells that it is a delay."""

    seconds: int
    spot: Spotted
    text: str
    late: bool = False


@dataclass(frozen=True)
class Record:
    """One part of a source, from ``start`` to ``end`` of text ``number``."""

    page: Page
    number: int
    start: int
    end: int

    @cached_property
    def days(self) -> list[Day]:
        """Its dates and times, in its order."""
        days = self.page.days
        first, last = (bisect_left(days, place, key=lambda day: day.start) for place in (self.start, self.end))
        return days[first:last]

    @cached_property
    def times(self) -> list[Timed]:
        """Its times of day, the first few."""
        found = [day for day in self.days if day.minute is not None and not self._is_span(day)]
        return [self._timed((day.minute or 0) * MINUTE, day.start, day.end) for day in found[:_MOST_TIMES]]

    @cached_property
    def spans(self) -> list[Timed]:
        """Its spans: "delay_min": 4, 25 minutes, 04:12:36 below "finish_time"."""
        found = [self._timed(day.length or 0, day.start, day.end) for day in self.days if self._is_span(day)]
        for token in self.page.numbers_between(self.start, self.end):
            size = self._unit(token.start, token.end)
            if size and token.value and token.value * size < 86_400:
                late = _OF_DELAY.search(self._label(token.start)) is not None
                found.append(self._timed(round(token.value * size), token.start, token.end)._replace(late=late))
        return found[:_MOST_SPANS]

    def _timed(self, seconds: int, start: int, end: int) -> Timed:
        return Timed(seconds, (self.number, start, end), self.page.text[start:end])

    def _is_span(self, day: Day) -> bool:
        """Whether a time with its seconds is how long something took, by its label."""
        return day.seconds and day.length is not None and _OF_SPAN.search(self._label(day.start)) is not None

    def _label(self, start: int) -> str:
        """What says what a value is, in lower case: the head of its column, or what stands before it."""
        at = self.page.cell_at(start)
        if at is not None:
            return at[0].table.column_heads[at[1].column] if at[1].column < len(at[0].table.column_heads) else ""
        label = _LABEL.search(self.page.lower, max(self.start, start - 40), start)
        return label[0] if label is not None else ""

    def _unit(self, start: int, end: int) -> int:
        """How many seconds one of a number is; 0 where it is no span."""
        unit, _, _ = self.page.unit_at(start, end)
        if unit is not None:
            return round(unit.rate) if unit.dimension == "time" and unit.rate >= 1 else 0
        label = self._label(start).replace("_", " ")
        size = next((size for named, size in _UNITS if named.search(label) is not None), 0)
        return size or (MINUTE if _OF_DELAY.search(label) is not None else 0)


def record_at(sources: Sources, spot: Spotted) -> Record | None:
    """The record around a place of an observation or of the question."""
    number, start, _ = spot
    page = sources.texts[number].page
    if (at := page.cell_at(start)) is not None and "{" not in page.text[max(0, start - _LONGEST) : start]:
        row = at[0].table.rows[at[1].row]
        return Record(page, number, row[0].start, row[-1].end)
    for left, right in _objects(page.text, start):
        record = Record(page, number, left, right)
        if record.times or record.days:
            return record
    return Record(page, number, *page.sentence(start))


def _objects(text: str, position: int) -> Iterator[tuple[int, int]]:
    """The objects of JSON around a place, the innermost first, two at most."""
    left, right = position, position
    for _ in range(2):
        left = _unbalanced(text, left, -1)
        right = _unbalanced(text, right, 1)
        if left < 0 or right < 0:
            return
        yield left, right
        left -= 1


def _unbalanced(text: str, position: int, step: int) -> int:
    """Where the object around a place begins (``step`` -1: at its brace) or ends (1: behind it); -1 for none near."""
    opening, closing = ("}", "{") if step < 0 else ("{", "}")
    depth, place = 0, position if step > 0 else position - 1
    for _ in range(_LONGEST):
        if not 0 <= place < len(text):
            return -1
        depth += (text[place] == opening) - (text[place] == closing)
        if depth < 0:
            return place if step < 0 else place + 1
        place += step
    return -1
