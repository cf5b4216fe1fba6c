"""How long it is between times that were observed: two rows, two lines of a log, a row and the best of its column.

Of spans that stand in tables ("00:31:47") and of times of day; what is tried is counted, as of other steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from typing import NamedTuple

from agent.evidence.derivation.possible.near_values import NearValues, Row
from agent.evidence.derivation.steps.chance import Chance
from agent.evidence.drafts import Draft
from agent.evidence.kept import kept
from agent.evidence.lookup.context import line_bounds
from agent.evidence.pages import Page
from agent.evidence.sources import Finding, Spotted, places
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell
from agent.interface_text import Text
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_DAY, _HOUR, _MINUTE = 86_400, 3_600, 60  # seconds
_MOST_ROWS, _MOST_SAID, _MOST_LINES = 4, 3, 8
_FEWEST = 3  # columns of spans that are added up
_NAME = regex(r"\b(?=[^\W_]*[0-9])(?=[^\W_]*[^\W\d_])[^\W_]{3,}\b")  # of a thing that lines are about: "ic443"
_FAR = 40  # characters of a line before its time
_STAMPED = regex(r"(?:^|\n)[\[(\s]*(?:[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4})?[T ,]*$")
_NEXT = regex(  # says that rows follow one another
    r"\b(?:next|later|then|after|before|until|following|previous|apart|between|gap|wait|nächste\w*|später|danach|bis|"
    r"zwischen|suivante?|après|avant|entre|siguiente|después|antes)\b|次|その後|間隔|待"
)


class _Span(NamedTuple):
    """So many seconds, how they come about and where they do."""

    seconds: int
    formula: str
    spots: tuple[Spotted, ...]


@dataclass(frozen=True)
class SpanGaps:
    """Of one answer with its ``drafts``; ``near`` are the values beside its figures."""

    near: NearValues
    drafts: Sequence[Draft]

    def finding(self, figure: Figure) -> Finding | None:
        """``possible`` with the two times that are so far apart; ``None`` where none are, or some may by chance."""
        sizes = self._units(figure)
        if not (sizes and figure.value and self._has_times):
            return None
        for spans in self._tiers(figure):
            for unit in sizes:
                tried = [(span.spots[0], span.seconds / unit) for span in spans]
                span = next((span for span in spans if figure.holds(span.seconds / unit)), None)
                if span is not None and not self._chance.explains_one(figure, span.spots[0], tried):
                    note = Text("{steps} = {outcome}", steps=span.formula, outcome=_clock(span.seconds))
                    return Finding("possible", span.spots, note)
        return None

    def _units(self, figure: Figure) -> tuple[float, ...]:
        """How many seconds one of a figure may be; none where it is no span."""
        if figure.unit is not None:
            unit = figure.unit
            return (unit.rate,) if unit.dimension == "time" and 1 <= unit.rate < _DAY else ()
        return (1.0, float(_MINUTE)) if ":" in self.near.standings.answer.text[slice(*figure.number)] else ()

    @cached_property
    def _chance(self) -> Chance:
        return Chance(self.near.standings, self.near.traced)

    @cached_property
    def _has_times(self) -> bool:
        return any(source.page.days for source in self.near.standings.sources.texts if source.origin == "seen")

    def _tiers(self, figure: Figure) -> Iterator[list[_Span]]:
        """The spans that may be meant, those of the nearest times first."""
        left, right = self.near.line(figure.start)
        yield [*self._told(figure)]
        rows = self.near.rows(left, right, figure.start, ())[:_MOST_ROWS]
        yield [*self._of_rows(rows)]
        yield [*self._in_turn(left, right, figure.start)]
        yield [*self._of_names(*line_bounds(self.near.standings.whole, figure.start, figure.end))]

    def _told(self, figure: Figure) -> Iterator[_Span]:
        """Spans that the answer writes as times and that were worked out: "+0:40" of its table."""
        for one in self.drafts:
            thing, spots = one.thing, one.finding.spots
            worked = one.finding.verdict == "worked_out" and one.start != figure.start
            if worked and spots and isinstance(thing, Day) and thing.length is not None and not thing.day:
                yield _Span(thing.length, self.near.standings.answer.text[one.start : one.end], spots[:1])

    def _of_rows(self, rows: Sequence[Row]) -> Iterator[_Span]:
        """How far a row is from another one, and from the least and the most of a column of spans, or of their sums."""
        for row in rows:
            number, subjects, cells = row
            columns = self._columns(number, subjects)
            others = [one for one in rows if one is not row and one[1] is subjects]
            mine = cells[0].row if cells else 0
            for spans in columns:
                if mine not in spans:
                    continue
                ends = (min(spans.values(), key=_seconds), max(spans.values(), key=_seconds))
                beside = (spans[one[2][0].row] for one in others if one[2] and one[2][0].row in spans)
                yield from (_apart(spans[mine], other) for other in (*beside, *ends))

    @kept
    def _columns(self, number: int, subjects: Subjects) -> Sequence[dict[int, _Span]]:
        """The columns whose cells are times with their seconds, by their row; last what they come to together."""
        page, table = self.near.source(number).page, subjects.table
        found: list[dict[int, _Span]] = []
        for column in range(table.width) if page.days else ():
            cells = [cell for cell in table.column(column) if cell.text]
            spans = {cell.row: span for cell in cells if (span := _span(page, number, cell)) is not None}
            if len(spans) == len(cells) > 1:
                found.append(spans)
        if len(found) >= _FEWEST:
            rows = set(found[0]).intersection(*found)
            found.append({row: _sum([spans[row] for spans in found]) for row in rows})
        return found

    def _in_turn(self, left: int, right: int, start: int) -> Iterator[_Span]:
        """How long it is from the times of a line to the next ones that were observed, and from those before."""
        said = [one for one in self.drafts if left <= one.start < right and one.finding.spots]
        days = [one for one in said if isinstance(one.thing, Day) and one.thing.minute is not None]
        for one in sorted(days, key=lambda one: abs(one.start - start))[:_MOST_SAID]:
            number, place, _ = one.finding.spots[0]
            column = self._column(number, place)
            if column is not None and _NEXT.search(self.near.standings.answer.lower, left, right) is None:
                continue
            times = self._times(number, column)
            at = next((at for at, time in enumerate(times) if time.spots[0][1] <= place < time.spots[0][2]), None)
            if at is not None:
                yield from (_later(first, last) for first, last in pairwise(times[max(0, at - 1) : at + 3]))

    def _column(self, number: int, place: int) -> tuple[int, int] | None:
        """Where the table around a place of a text starts, and the column there; ``None`` in running text."""
        at = self.near.source(number).page.cell_at(place)
        return (at[0].table.start, at[1].column) if at is not None else None

    @kept
    def _times(self, number: int, column: tuple[int, int] | None = None) -> Sequence[_Span]:
        """The times of day that begin the lines of a text, or those of one column of its table, in their order."""
        page = self.near.source(number).page
        days = [day for day in page.days if day.minute is not None]
        if column is None:
            days = [day for day in days if _STAMPED.search(page.text, max(0, day.start - _FAR), day.start)]
        else:
            days = [day for day in days if self._column(number, day.start) == column]
        return [_Span(_of_day(day), page.text[day.start : day.end], ((number, day.start, day.end),)) for day in days]

    def _of_names(self, left: int, right: int) -> Iterator[_Span]:
        """How long it is from the first to the last line of a log that has a name of the line."""
        names = dict.fromkeys(_NAME.findall(self.near.standings.answer.lower, left, right))
        for name in names:
            for number, source in enumerate(self.near.standings.sources.texts):
                times = self._times(number) if source.origin == "seen" else ()
                lines = [source.page.sentence(place) for place in places(source.page.lower, name, _MOST_LINES)]
                own = [next((one for one in times if start <= one.spots[0][1] < end), None) for start, end in lines]
                found = [*dict.fromkeys(one for one in own if one is not None)]
                yield from (_later(first, last) for first, last in combinations(found, 2))


def _seconds(span: _Span) -> int:
    return span.seconds


def _of_day(day: Day) -> int:
    return day.length if day.seconds and day.length is not None else (day.minute or 0) * _MINUTE


def _span(page: Page, number: int, cell: Cell) -> _Span | None:
    """A cell that is a time with its seconds and no date."""
    day = page.span_in(cell.start, cell.end)
    if day is None or day.length is None:
        return None
    return _Span(day.length, cell.text, ((number, day.start, day.end),))


def _sum(spans: Sequence[_Span]) -> _Span:
    formula = " + ".join(span.formula for span in spans)
    return _Span(sum(map(_seconds, spans)), f"({formula})", tuple(spot for span in spans for spot in span.spots))


def _apart(one: _Span, other: _Span) -> _Span:
    last, first = (one, other) if one.seconds >= other.seconds else (other, one)
    return _Span(last.seconds - first.seconds, f"{last.formula} − {first.formula}", (*one.spots, *other.spots))


def _later(first: _Span, last: _Span) -> _Span:
    """From one time of day to a later one, over midnight, too."""
    return _Span(
        (last.seconds - first.seconds) % _DAY, f"{last.formula} − {first.formula}", (*last.spots, *first.spots)
    )


def _clock(seconds: int) -> str:
    hours, rest = divmod(seconds, _HOUR)
    return f"{hours}:{rest // _MINUTE:02}:{rest % _MINUTE:02}"
