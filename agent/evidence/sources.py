"""The texts that a claim can stand in, with indexes over them made when first asked for, and what was found there."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date as Date
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from agent.evidence.tables.scales import powers_of, powers_said
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_forms import tables_in
from agent.evidence.tables.table_model import Cell
from agent.evidence.verdicts import Claim, Place, Verdict
from agent.interface_text import Text
from agent.text.quantities.compounds import Reading, Token
from agent.text.quantities.day_mentions import Day, covering, dates_in
from agent.text.quantities.figures import sign_before
from agent.text.quantities.number_words import kanji_numbers
from agent.text.quantities.scanning import Scan, scan
from agent.text.quantities.spelled_words import (
    all_languages,
    languages_of,
    spelled_amounts,
    spelled_numbers,
)
from agent.text.quantities.units import Unit, unit_at

Origin: TypeAlias = Literal["seen", "given", "earlier"]
Spotted: TypeAlias = tuple[int, int, int]  # number of the source, start, end
_ORIGINS: tuple[Origin, ...] = ("seen", "given", "earlier")
_SHORT = 500  # characters
_PARTED = re.compile(r"[0-9][: \u00a0][0-9]")
_MOST_SORTED = 2_000  # places of one value
# No end: the initial of "Ida B. Lund", "St. Louis", "No. 12", "ca. 12", a sign before a word that begins small ("Go! on
# channel 4", "approx. 12 m").
YEARS = re.compile(r"(?<![0-9.,])(?:1[5-9]|2[01])[0-9]{2}(?![0-9]|[.,][0-9])")
SENTENCE = re.compile(
    r"(?:(?<!\b[A-Z])(?<!\b[A-Z][a-z])\.(?!(?<=\b(?:ca|nr|no|pp|vs|cf)\.) [0-9])|[!?])"
    r"(?=\s|$)(?![ \t]+[a-zà-öø-ÿα-ωа-я])|[。！？\n]"
)


class Spot(NamedTuple):
    """A number without its sign, in text ``source``; sorted by value."""

    value: float
    source: int
    start: int
    end: int


_Spot: TypeAlias = tuple[float, int, int, int]  # a ``Spot`` that nobody has asked for yet


class Dated(NamedTuple):
    source: int
    day: Day


@dataclass(frozen=True)
class Source:
    """``text`` is plain (see ``scanning``), ``lower`` is as long as it.

    ``claims`` are those of an earlier answer, ``asked`` is what its tool was asked for, in lower case. A ``twin`` has
    the same text and origin, and is read in its place.
    """

    call_id: str
    step: int
    text: str
    lower: str
    origin: Origin
    urls: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    asked: str = ""
    twin: Source | None = None

    @cached_property
    def scan(self) -> Scan:
        """Its numbers; the commas between the cells of a CSV part them."""
        if self.twin is not None:
            return self.twin.scan
        characters: list[str] | None = None
        for subjects in self.tables:
            rows = subjects.table.rows
            if "," in self.text[rows[0][0].end : rows[0][1].start if len(rows[0]) > 1 else 0][:2]:
                characters = characters or list(self.text)
                for cell in (cell for row in rows for cell in row[:-1]):
                    comma = self.text.find(",", cell.end, cell.end + 2)
                    characters[comma] = "|" if comma >= 0 else characters[comma]
        return scan("".join(characters) if characters is not None else self.text)

    @cached_property
    def spans(self) -> dict[int, Reading]:
        """What is written in several parts, by its start: "1:55.90" is 115.9, "12 000" is 12,000."""
        parted = (one for one in self.scan.others if _PARTED.search(self.text, one.start, one.end))
        return {one.start: one for one in parted}

    def numbers_between(self, left: int, right: int) -> Sequence[Token]:
        """The numbers between two places, those of dates apart."""
        numbers = self.scan.numbers
        first, last = (bisect_left(numbers, place, key=lambda token: token.start) for place in (left, right))
        return [one for one in numbers[first:last] if covering(self.days, self.day_starts, one.start) is None]

    @cached_property
    def tables(self) -> tuple[Subjects, ...]:
        """The tables that an observation shows, in its order."""
        if self.twin is not None:
            return self.twin.tables
        return tuple(Subjects(table, self.lower) for table in tables_in(self.text)) if self.origin == "seen" else ()

    @cached_property
    def _table_starts(self) -> list[int]:
        return [subjects.table.start for subjects in self.tables]

    def cell_at(self, position: int) -> tuple[Subjects, Cell] | None:
        """The table cell at a position, with its table."""
        index = bisect_right(self._table_starts, position) - 1
        cell = self.tables[index].table.cell_at(position) if index >= 0 else None
        return (self.tables[index], cell) if cell is not None else None

    @cached_property
    def _ends(self) -> list[int]:
        return self.twin._ends if self.twin is not None else [match.end() for match in SENTENCE.finditer(self.text)]

    def sentence(self, position: int) -> tuple[int, int]:
        """Where the sentence around a place starts and ends."""
        index = bisect_right(self._ends, position)
        start = self._ends[index - 1] if index else 0
        return start, self._ends[index] if index < len(self._ends) else len(self.text)

    @cached_property
    def _years(self) -> dict[int, frozenset[str]]:
        return self.twin._years if self.twin is not None else {}

    def years_around(self, position: int) -> frozenset[str]:
        """The years that the sentence around a place says."""
        left, right = self.sentence(position)
        if left not in self._years:
            self._years[left] = frozenset(YEARS.findall(self.text, left, right))
        return self._years[left]

    @cached_property
    def _powers_said(self) -> tuple[int, ...]:
        return powers_said(self.lower)

    def powers_at(self, position: int) -> tuple[int, ...]:
        """The powers of ten that the figure of a table cell may be given in: 6 for "in millions"."""
        at = self.cell_at(position)
        return powers_of(at[0].table, at[1], self._powers_said) if at is not None else ()

    @cached_property
    def days(self) -> list[Day]:
        return self.twin.days if self.twin is not None else dates_in(self.text, self.lower, self.scan)

    @cached_property
    def day_starts(self) -> list[int]:
        return [day.start for day in self.days]

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Those that its numbers in words may be in: a short text gives no hint."""
        return all_languages() if len(self.lower) < _SHORT else languages_of(self.lower) or ("en",)

    def trusted(self, start: int, end: int) -> bool:
        """Whether values at a place may be worked with: in an earlier answer, only those that were traced."""
        if self.origin != "earlier":
            return True
        return any(claim.traced and claim.start < end and start < claim.end for claim in self.claims)

    @cached_property
    def _units(self) -> dict[tuple[int, int], tuple[Unit | None, int, int]]:
        return self.twin._units if self.twin is not None else {}

    def unit_at(self, start: int, end: int) -> tuple[Unit | None, int, int]:
        """The unit of a number, and where both start and end; read once for all claims that ask."""
        if (start, end) not in self._units:
            self._units[start, end] = unit_at(self.text, start, end)
        return self._units[start, end]

    def widened(self, start: int, end: int) -> tuple[int, int]:
        """Where a number with its sign, currency and unit starts and ends."""
        _, left, right = self.unit_at(start, end)
        sign = sign_before(self.text, left)
        return (sign.start() if sign is not None else left), right

    def place(self, start: int, end: int) -> Place:
        return Place(self.call_id, self.step, start, end)


@dataclass(frozen=True)
class Sources:
    """All texts: observations, the question, earlier turns, in this order."""

    texts: tuple[Source, ...]
    today: Date | None = None

    @cached_property
    def numbers(self) -> list[_Spot]:
        spots = [
            (value, index, start, end)
            for index, source in enumerate(self.texts)
            for value, start, end in source.scan.numbers
        ]
        spots += [
            (reading.size, index, reading.start, reading.end)
            for index, source in enumerate(self.texts)
            for reading in source.scan.others
        ]
        spots.sort()
        return spots

    @cached_property
    def spelled(self) -> list[_Spot]:
        """Numbers in words and in Chinese characters."""
        return sorted(
            (float(word.value), index, word.start, word.end)
            for index, source in enumerate(self.texts)
            for word in (*spelled_numbers(source.lower, source.languages), *kanji_numbers(source.text))
        )

    @cached_property
    def amounts(self) -> list[_Spot]:
        """Fractions and amounts in words ("half", "a dozen"); a part of a whole in percent, too."""
        return sorted(
            (float(size), index, word.start, word.end)
            for index, source in enumerate(self.texts)
            for word in spelled_amounts(source.lower, source.languages)
            for size in ((word.value, word.value * 100) if word.part else (word.value,))
        )

    @cached_property
    def days(self) -> dict[tuple[int | None, ...], list[Dated]]:
        """Dates under (year, month, day), (None, month, day), (year, month) and, for times, (minute,)."""
        found: dict[tuple[int | None, ...], list[Dated]] = {}
        for index, source in enumerate(self.texts):
            for day in source.days:
                for key in _keys(day):
                    found.setdefault(key, []).append(Dated(index, day))
        return found

    @cached_property
    def whole_days(self) -> list[tuple[Date, Dated]]:
        """Dates with year, month and day, sorted."""
        found = [
            (day.whole, Dated(index, day))
            for index, source in enumerate(self.texts)
            for day in source.days
            if day.whole is not None
        ]
        return sorted(found, key=lambda pair: pair[0])

    def between(
        self, low: float, high: float, most: int, spelled: bool = False, first: Container[int] = ()
    ) -> list[Spot]:
        """Up to ``most`` numbers from ``low`` to ``high``, without sign; ``spelled``: those in words.

        Those of the texts whose numbers are in ``first`` come before all others.
        """
        return _between(self.spelled if spelled else self.numbers, low, high, most, first)

    def amounts_between(self, low: float, high: float, most: int) -> list[Spot]:
        """The same of ``amounts``."""
        return _between(self.amounts, low, high, most)

    def found(self, spots: Iterable[Spotted]) -> Finding:
        """``given`` where only the person says so, else ``seen``; observations first, else in the order given."""
        ordered = sorted(spots, key=lambda spot: _ORIGINS.index(self.texts[spot[0]].origin))
        return Finding("given" if self.texts[ordered[0][0]].origin == "given" else "seen", tuple(ordered))

    def differs(self, spot: Spotted, widen: bool = False) -> Finding:
        """``differs``, with what stands at the place; ``widen`` takes in the unit and sign of a number."""
        index, start, end = spot
        source = self.texts[index]
        left, right = source.widened(start, end) if widen else (start, end)
        return Finding("differs", (spot,), Text("Seen: {text}", text=source.text[left:right].strip()))


def _between(spots: list[_Spot], low: float, high: float, most: int, first: Container[int] = ()) -> list[Spot]:
    start = bisect_left(spots, (low,))
    if start == len(spots) or spots[start][0] > high:
        return []
    stop = bisect_right(spots, (high, 1 << 60), start)
    if not first or stop - start <= most:
        return [Spot(*spot) for spot in spots[start : min(start + most, stop)]]
    found = sorted(spots[start : min(start + _MOST_SORTED, stop)], key=lambda spot: spot[1] not in first)
    return [Spot(*spot) for spot in found[:most]]


def places(text: str, word: str, most: int) -> Iterator[int]:
    """Where ``word`` stands in ``text``, the first ``most`` times."""
    position = text.find(word)
    while position >= 0 and most:
        yield position
        position, most = text.find(word, position + len(word)), most - 1


def _keys(day: Day) -> Iterable[tuple[int | None, ...]]:
    if day.minute is not None:
        yield (day.minute,)
        return
    if day.quarter is not None:
        yield (day.year, -day.quarter)
        return
    readings = [(day.month, day.day)] + ([day.other] if day.other else [])
    for month, number in readings:
        if number is not None:
            yield (day.year, month, number)
            if day.year is not None:
                yield (None, month, number)
    if day.year is not None and day.month is not None:
        yield (day.year, day.month)


def lowered(text: str) -> str:
    """Lower case, character for character."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)


_MOST_PLACES = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of looking a claim up. ``spots`` are the places as (source, start, end), the best first."""

    verdict: Verdict
    spots: tuple[Spotted, ...] = ()
    note: str = ""

    def places(self, sources: Sources, widen: bool = False) -> tuple[Place, ...]:
        """The first few places; ``widen`` takes in the unit and sign of a number."""
        found: list[Place] = []
        for index, start, end in self.spots[:_MOST_PLACES]:
            source = sources.texts[index]
            found.append(
                source.place(*(source.widened(start, end) if widen and 0 < end - start < 40 else (start, end)))
            )
        return tuple(found)
