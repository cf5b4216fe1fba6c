"""Texts that a claim can stand in, read when first asked for, and kept for the answers that come after."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from threading import Lock
from typing import TypeAlias

from cachetools import LRUCache

from agent.evidence.assertions import Statement, statements_in, words_in
from agent.evidence.kept import kept
from agent.evidence.tables.digits import YEARS
from agent.evidence.tables.pivots import pivot_of
from agent.evidence.tables.scales import powers_of, powers_said
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_forms import tables_in
from agent.evidence.tables.table_model import Cell
from agent.text.characters import folded, lowered
from agent.text.quantities.compounds import Reading, Token
from agent.text.quantities.day_mentions import Day, covering, dates_in
from agent.text.quantities.figures import sign_before
from agent.text.quantities.number_words import as_float, kanji_numbers
from agent.text.quantities.scanning import Scan, plain, scan
from agent.text.quantities.spelled_words import all_languages, languages_of, spelled_amounts, spelled_numbers
from agent.text.quantities.units import SPELLINGS, Unit, unit_at, units_of_column
from agent.text.regex import regex

MOST_CHARACTERS = 100_000  # of kept texts; a table takes up to 160 bytes a character once answers were checked by it
OWN = 150  # characters that a page counts for beside its text
_SHORT = 500  # characters
_BEGINNING = 400  # characters that tell the script of a text
_MOST_OVERLAPPING = 6  # tables
MOST_NAMES = 2_000  # capitalised words of a text that names are compared with
_ESCAPED = regex(r"\\u[0-9a-fA-F]{4}")  # of JSON: an en dash is no 2013
_LATIN = regex(r"[a-z]")
_POINTED = regex(r"(?<![0-9.,$€£])([0-9]{1,4})\.([0-9]{2})(?![0-9.,]| ?[%$€£])")
_TIMES = 6  # in a text of hardly anything else
_PARTED = regex(r"[0-9][: \u00a0][0-9]")
_HOURS_AND_MINUTES = regex(r"[0-9] ?h ?[0-9]{1,2} ?m\b")
_METRES, _MINUTES = SPELLINGS["m"], SPELLINGS["min"]
_MORE = r"(?:[.'’-][^\W0-9_]+)*\.?"  # of a word: "O'Neil-Smith", "St."
WORD = regex(rf"[^\W0-9_]+{_MORE}")
# Such a word that begins with what may be a capital, and only where no word has begun before it.
_NO_CAPITAL = r"\W0-9_a-z\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_CAPITALISED = regex(rf"[^{_NO_CAPITAL}](?<![^\W0-9_].)(?<![^\W0-9_][.'’-].)[^\W0-9_]*{_MORE}", re.S)
_IN_ROMAN = regex(r"\b([A-Z][^\W\d_]*+) ([IVX]{1,4})\b")
# No end: the initial of "Ida B. Lund", "St. Louis", "No. 12", "ca. 12", "3 Mio. EUR", "8. September", a sign before a
# word that begins small ("Go! on channel 4", "approx. 12 m").
SENTENCE = regex(  # its signs come first, so that other characters are skipped fast
    r"[.!?。！？\n](?:(?<=[。！？\n])|(?=\s|$)(?![ \t]+[a-zà-öø-ÿα-ωа-я])"
    r"(?:(?<=[!?])|(?<!\b[A-Z]\.)(?<!\b[A-Z][a-z]\.)(?<!\b[iedz]\.[eghB]\.)(?!(?<=\bapprox\.) [0-9])"
    r"(?!(?<=\b(?:ca|nr|no|pp|vs|cf|rd)\.) [0-9])"
    r"(?!(?:(?<=[^0-9.,][0-9]\.)|(?<=[^0-9.,][0-9]{2}\.)) (?:J[aä]n|Feb|Mär|Apr|Mai|Ju[nl]|Aug|Sep|Okt|Nov|Dez))"
    r"(?!(?<=\b(?:Tsd|Mio|Mrd|bzw)\.) (?:[0-9]|[€$£]|E(?:UR|uro)\b|USD|CHF|Einwohner))))"
)


_Size: TypeAlias = tuple[float, int, int]  # a number without its sign, start, end


@dataclass(frozen=True)
class Page:
    """One text, ``tabular`` where its tables count; ``text`` is plain (see ``scanning``), ``lower`` as long as it.

    What is read of it depends on the text alone, so that one page serves all answers, in any thread: threads that ask
    for the same at once may each read it.
    """

    text: str
    lower: str
    tabular: bool

    def read(self) -> None:
        """Read now what checks of answers ask for first."""
        said = self.dated, self.sizes, self.spelled, self.amounts, self.ends, self.folded, self.words, self.capitalised
        for each in (*said, self.spans, self.units_of_heads, self._powers_said, self._day_starts, self._table_starts):
            len(each)
        for subjects in (*self.tables, *self.pivots):
            subjects.knows(frozenset())
            table = subjects.table
            table.row_at(0)
            for each in (table.sizes, table.numbers, table.names, table.by_word, table.totals, table.by_year):
                len(each)
            for each in (subjects.heads, subjects.head_units, subjects.periods, subjects.powers):
                len(each)

    @cached_property
    def begins_in(self) -> tuple[bool, bool]:
        """Whether its beginning has Latin letters, and whether it has any other characters than those of ASCII."""
        sample = self.lower[:_BEGINNING]
        return _LATIN.search(sample) is not None, not sample.isascii()

    @cached_property
    def tables(self) -> tuple[Subjects, ...]:
        """The tables that an observation shows, in its order."""
        found = tables_in(self.text) if self.tabular else ()
        return tuple(Subjects(table, self.lower, self.day_at) for table in found)

    @cached_property
    def pivots(self) -> tuple[Subjects, ...]:
        """Its tables with a row for each thing and year, with a column for each year."""
        found = (pivot_of(subjects.table) for subjects in self.tables)
        return tuple(Subjects(table, self.lower, self.day_at) for table in found if table is not None)

    @cached_property
    def _parted(self) -> str:
        """Its text, with other signs for the commas between the cells of a CSV, which part numbers and dates."""
        characters: list[str] | None = None
        for subjects in self.tables:
            rows = [sorted(row) for row in subjects.table.rows]
            if "," in self.text[rows[0][0].end : rows[0][1].start if len(rows[0]) > 1 else 0][:2]:
                characters = characters or list(self.text)
                for cell in (cell for row in rows for cell in row[:-1]):
                    comma = self.text.find(",", cell.end, cell.end + 2)
                    characters[comma] = "|" if comma >= 0 else characters[comma]
        return "".join(characters) if characters is not None else self.text

    @cached_property
    def scan(self) -> Scan:
        """Its numbers."""
        text = self._parted
        return scan(_ESCAPED.sub("------", text) if "\\u" in text else text)

    @cached_property
    def sizes(self) -> list[_Size]:
        """Its numbers in figures, also those written in several parts, the smallest first."""
        return sorted([*self.scan.numbers, *[(one.size, one.start, one.end) for one in self.scan.others]])

    @cached_property
    def spans(self) -> dict[int, Reading]:
        """What is written in several parts, by its start: "1:55.90" is 115.9, "12 000" is 12,000."""
        parted = (one for one in self.scan.others if _PARTED.search(self.text, one.start, one.end))
        return {one.start: one for one in parted}

    def numbers_between(self, left: int, right: int) -> Sequence[Token]:
        """The numbers between two places, those of dates apart."""
        numbers = self.scan.numbers
        first, last = (bisect_left(numbers, place, key=lambda token: token.start) for place in (left, right))
        return [one for one in numbers[first:last] if self.day_at(one.start) is None]

    @cached_property
    def _table_starts(self) -> list[int]:
        return [subjects.table.start for subjects in self.tables]

    @cached_property
    def _overlapping(self) -> int:
        """How many tables may hold a position."""
        inside = any(one.table.end > other.table.start for one, other in pairwise(self.tables))
        return _MOST_OVERLAPPING if inside else 1

    def cell_at(self, position: int) -> tuple[Subjects, Cell] | None:
        """The table cell at a position, with its table: those of JSON may stand in a row of another one."""
        last = bisect_right(self._table_starts, position)
        for subjects in reversed(self.tables[max(0, last - self._overlapping) : last]):
            if (cell := subjects.table.cell_at(position)) is not None:
                return subjects, cell
        return None

    @cached_property
    def ends(self) -> list[int]:
        """Where its sentences end."""
        return [match.end() for match in SENTENCE.finditer(self.text)]

    def sentence(self, position: int) -> tuple[int, int]:
        """Where the sentence around a place starts and ends."""
        index = bisect_right(self.ends, position)
        start = self.ends[index - 1] if index else 0
        return start, self.ends[index] if index < len(self.ends) else len(self.text)

    def years_around(self, position: int) -> frozenset[str]:
        """The years that the sentence around a place says."""
        return self._years_in(*self.sentence(position))

    @kept
    def _years_in(self, left: int, right: int) -> frozenset[str]:
        return frozenset(YEARS.findall(self.text, left, right))

    @cached_property
    def _powers_said(self) -> tuple[int, ...]:
        return powers_said(self.lower)

    def powers_at(self, position: int) -> tuple[int, ...]:
        """The powers of ten that the figure of a table cell may be given in: 6 for "in millions"."""
        at = self.cell_at(position)
        return powers_of(at[0].table, at[1], at[0].powers or self._powers_said) if at is not None else ()

    @cached_property
    def days(self) -> list[Day]:
        return dates_in(self._parted, self.lower, self.scan)

    @cached_property
    def _day_starts(self) -> list[int]:
        return [day.start for day in self.days]

    def day_at(self, position: int) -> Day | None:
        """The date that covers a position."""
        return covering(self.days, self._day_starts, position)

    @cached_property
    def is_timetable(self) -> bool:
        """Whether its numbers with two digits behind a point are times of day: 6.12, 17.18."""
        pointed = [(int(hour), int(minute)) for hour, minute in _POINTED.findall(self.text)]
        return len(pointed) >= _TIMES and all(hour < 24 and minute < 60 for hour, minute in pointed)

    def span_in(self, start: int, end: int) -> Day | None:
        """The time of a cell that may be a span: with its seconds and no date, as in "00:31:47"."""
        day = self.day_at(start)
        if day is None or not day.seconds or day.length is None or day.year is not None or day.end != end:
            return None
        return day

    @cached_property
    def dated(self) -> dict[tuple[int | None, ...], list[Day]]:
        """Its dates under (year, month, day), (None, month, day), (year, month) and, for times, (minute,)."""
        found: dict[tuple[int | None, ...], list[Day]] = {}
        for day in self.days:
            for key in _keys(day):
                found.setdefault(key, []).append(day)
        return found

    @cached_property
    def _languages(self) -> tuple[str, ...]:
        """Those that its numbers in words may be in: a short text gives no hint."""
        return all_languages() if len(self.lower) < _SHORT else languages_of(self.lower) or ("en",)

    @cached_property
    def spelled(self) -> list[_Size]:
        """Numbers in words and in Chinese characters, each with its place."""
        words = (*spelled_numbers(self.lower, self._languages), *kanji_numbers(self.text))
        return [(as_float(word.value), word.start, word.end) for word in words]

    @cached_property
    def amounts(self) -> list[_Size]:
        """Fractions and amounts in words ("half", "a dozen"); a part of a whole in percent, too."""
        return [
            (as_float(size), word.start, word.end)
            for word in spelled_amounts(self.lower, self._languages)
            for size in ((word.value, word.value * 100) if word.part else (word.value,))
        ]

    @kept
    def unit_at(self, start: int, end: int) -> tuple[Unit | None, int, int]:
        """The unit of a number, and where both start and end; read once for all claims that ask."""
        unit, left, right = unit_at(self.text, start, end)
        return (_MINUTES if unit is _METRES and self._times_in_short else unit), left, right

    @cached_property
    def _times_in_short(self) -> bool:
        """Whether an m is a minute, as in "1h 35m" and so in "42m"."""
        return _HOURS_AND_MINUTES.search(self.text) is not None

    @cached_property
    def units_of_heads(self) -> tuple[Unit, ...]:
        """The units that the heads of columns of numbers name."""
        tables = [subjects.table for subjects in self.tables]
        heads = (table.column_heads[one] for table in tables for one in table.numeric_columns if table.heads)
        return tuple(dict.fromkeys(unit for head in dict.fromkeys(heads) for unit in units_of_column(head)))

    def widened(self, start: int, end: int) -> tuple[int, int]:
        """Where a number with its sign, currency and unit starts and ends."""
        _, left, right = self.unit_at(start, end)
        sign = sign_before(self.text, left)
        return (sign.start() if sign is not None else left), right

    @cached_property
    def statements(self) -> list[Statement]:
        """What it states, of an answer or a question."""
        return statements_in(self.text)

    @cached_property
    def says(self) -> frozenset[str]:
        """What it says, as its statements have it: stems of words, numbers."""
        return words_in(self.text)

    @cached_property
    def folded(self) -> str:
        return folded(self.text)

    @cached_property
    def in_roman(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Where a word with a capital and a Roman numeral first stand: "Zarya II"."""
        found: dict[tuple[str, str], tuple[int, int]] = {}
        for match in _IN_ROMAN.finditer(self.text):
            found.setdefault((match[1], match[2]), match.span())
        return found

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words in lower case, without accents."""
        return frozenset(word.rstrip(".") for word in set(WORD.findall(self.folded)))

    @cached_property
    def capitalised(self) -> dict[str, list[tuple[str, int, int, int]]]:
        """Its first capitalised words by two letters: in lower case, its number among them, start, end."""
        words: dict[str, list[tuple[str, int, int, int]]] = {}
        count = 0
        for match in _CAPITALISED.finditer(self.text):
            word = match[0].rstrip(".")
            if len(word) > 3 and word[0].isupper():
                place = (word.lower(), count, match.start(), match.start() + len(word))
                words.setdefault(word[:2].lower(), []).append(place)
                count += 1
                if count >= MOST_NAMES:
                    break
        return words


class Pages:
    """Pages that are kept for the next answer, those asked for last, at most ``most`` characters; for any thread."""

    def __init__(self, most: int = MOST_CHARACTERS) -> None:
        self._lock = Lock()
        self._kept: LRUCache[tuple[str, bool], Page] = LRUCache(most, getsizeof=lambda page: len(page.text) + OWN)

    def page(self, text: str, tabular: bool) -> Page:
        """The page of a text; a long one is not kept."""
        with self._lock:
            page = self._kept.get((text, tabular))
            if page is None:
                straight = plain(text)
                page = Page(straight, lowered(straight), tabular)
                if len(text) + OWN <= self._kept.maxsize:
                    self._kept[text, tabular] = page
        return page


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
            elif month is not None:
                yield (None, None, number)
    if day.year is not None and day.month is not None:
        yield (day.year, day.month)
