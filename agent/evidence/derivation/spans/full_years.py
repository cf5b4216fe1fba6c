"""How old somebody was, worked out from two days of one row, or from one and the day that is spoken of or asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, product

from agent.evidence.derivation.spans.clock_records import Record
from agent.evidence.derivation.steps.aggregates import tables_named
from agent.evidence.drafts import Draft
from agent.evidence.lookup.days import Moment, full_years
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Finding, Spotted
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_OLDEST = 130  # years
_MOST_DAYS = 4  # of a row, and as many of the sentence and the question
_BEFORE, _BEHIND = 240, 40  # characters in which an age is spoken of
_SPOKEN_OF = regex(
    r"\b(?:age[ds]?|old(?:er|est)?|young(?:er|est)?|died|turn(?:s|ed)?|birthdays?|anniversary|full years|born"
    r"|alt|älteste[rn]?|jüngste[rn]?|âge|ans|años|edad)\b|歳|才|享年"
)


@dataclass(frozen=True)
class FullYears:
    """Works out ages of one answer; ``found`` are its figures and dates in their order."""

    standings: Standings
    found: Sequence[Draft]

    def finding(self, thing: object, start: int, end: int, found: Finding | None) -> Finding | None:
        """``worked_out`` where a row that the claim's clause names has two such days, or one is spoken of.

        What else was ``found`` of the days of another row is ``elsewhere``.
        """
        if not isinstance(thing, Figure) or not self._may_be_age(thing, start, end):
            return found
        said = list(islice(self._spoken_of(start), _MOST_DAYS))
        rows = list(self._rows(start, end))
        for record in rows:
            row = list(islice(_moments(record.number, record.days), _MOST_DAYS))
            for one, other in (*combinations(row, 2), *product(row, said)):
                if (finding := full_years(one, other, int(thing.value))) is not None:
                    return found or finding
        return replace(found, verdict="elsewhere") if found and rows and self._is_of_another(found, rows) else found

    def _may_be_age(self, figure: Figure, start: int, end: int) -> bool:
        if figure.step != 1 or figure.negative or not 0 < figure.value <= _OLDEST:
            return False
        if figure.unit is not None and figure.unit.name != "years":
            return False
        around = self.standings.answer.lower[max(0, start - _BEFORE) : end + _BEHIND]
        return _SPOKEN_OF.search(around) is not None or _SPOKEN_OF.search(self.standings.question) is not None

    def _is_of_another(self, found: Finding, rows: Sequence[Record]) -> bool:
        """Whether a day that was reckoned with stands in a row of a table, and in none of these."""
        for number, start, _ in found.spots:
            in_row = self.standings.sources.texts[number].page.cell_at(start) is not None
            if in_row and not any(one.number == number and one.start <= start < one.end for one in rows):
                return True
        return False

    def _rows(self, start: int, end: int) -> Iterator[Record]:
        """The row that the clause of a claim names best, else its sentence."""
        words, sources = self.standings.words(start, end), self.standings.sources
        named = tables_named(sources, words.near) or tables_named(sources, words.around)
        for number, subjects, rows in named[:1]:
            row = subjects.table.rows[rows[0]]
            yield Record(sources.texts[number].page, number, row[0].start, row[-1].end)

    def _spoken_of(self, start: int) -> Iterator[Moment]:
        """The whole days of the sentence, the nearest first, and of the question."""
        left, right = self.standings.answer.sentence(start)
        days = [one for one in self.found if isinstance(one.thing, Day) and one.finding.spots and one.start < right]
        for one in sorted(days, key=lambda one: abs(one.start - start)):
            if isinstance(one.thing, Day) and one.thing.whole and one.start >= left:
                yield Moment(one.thing.whole, one.finding.spots[0])
        for number, source in enumerate(self.standings.sources.texts):
            if source.origin == "given":
                yield from _moments(number, source.page.days)


def _moments(number: int, days: Iterable[Day]) -> Iterator[Moment]:
    spots: Iterator[tuple[Day, Spotted]] = ((day, (number, day.start, day.end)) for day in days)
    return (Moment(day.whole, spot) for day, spot in spots if day.whole)
