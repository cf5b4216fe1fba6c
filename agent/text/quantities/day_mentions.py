"""Dates and times in running text: in figures, with names of months, in Chinese characters, of eras; and quarters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date as Date

from agent.text.quantities.claim_words import MONTHS, WEEKDAYS
from agent.text.quantities.clocks import times_in
from agent.text.quantities.dates import day_of
from agent.text.quantities.scanning import Scan
from agent.text.regex import regex

_NUMERIC = regex(r"([0-9]{1,4})([-/.])([0-9]{1,2})(?:\2([0-9]{1,4}))?")
_INTERVAL = regex(r"/(?=[0-9]{4}-)([0-9]{4})([-])([0-9]{2})-([0-9]{2})")
_CJK = regex(r"(?:([0-9]{4})[年년][ ]?)?([0-9]{1,2})[月월](?:[ ]?([0-9]{1,2})[日일])?")
_CJK_YEAR = regex(r"([0-9]{4})[年년](?![間前後])")
_DAY_FIRST = regex(r"(?<![0-9])(?<![0-9][.,])([0-9]{1,2})(?:st|nd|rd|th|er|[.ºª°])?(?:[ \u00a0]|-)(?:of |de |di )?$")
_DAY_BEFORE = regex(r"(?<![0-9.,:/-])([0-9]{1,2})(?:st|nd|rd|th|\.)?(?: ?[-–] ?| (?:to|and|bis|und) (?:the )?)$")
_SECOND_DAY = regex(  # of "August 19–25, 2024"
    r" ?(?:[-–]| (?:to|and|bis|und) (?:the )?) ?([0-9]{1,2})(?:st|nd|rd|th)?(?!:?[0-9]|%|[.,][0-9])(?:,? ([0-9]{4})\b)?"
)
_WEEKDAY = regex(
    rf"\b({'|'.join(sorted(WEEKDAYS, key=len, reverse=True))})\.?,? (?:the |den |le |el )?([0-9]{{1,2}})"
    r"(?:st|nd|rd|th|\.)?(?=[*_]{0,2}(?:[:;,)|\n]| [-–(|]|\.?\s|$))(?! ?[a-z]{1,3}\b)"
)
_WEEKDAYS_DE = ["mo", "di", "mi", "do", "fr", "sa", "so"]
_WEEKDAY_DE = regex(rf"\b({'|'.join(_WEEKDAYS_DE)})\.?,? ([0-9]{{1,2}})\.(?![0-9])")  # "Mo 8."
_WEEKDAYS_JA = "月火水木金土日"
_WEEKDAY_JA = regex(rf"([0-9]{{1,2}})日 ?(?:[(（]([{_WEEKDAYS_JA}])(?:曜日?)?[)）]|の?([{_WEEKDAYS_JA}])曜)")
_ENDS = regex(r"[*_]{0,2}(?:[:;,)|\n]| [-–(|]|$)")  # of a label: what is counted does not follow
_DAY_AFTER = regex(
    r"\.?[ \u00a0]([0-9]{1,2})(?:st|nd|rd|th)?\b(?!:[0-9]|[.,][0-9]| ?%)(?:,?[ \u00a0]([0-9]{4})\b(?![0-9]))?"
)
_YEAR_AFTER = regex(r"\.?(?:,?[ \u00a0]|-|[ ](?:of|del?)[ ])([0-9]{4})\b(?![0-9,.][0-9])")
_WORD = regex(r"[^\W0-9_]+")
# The names that no shorter one begins: enough to find them all.
_STARTS = tuple(word for word in MONTHS if not any(word != one and word.startswith(one) for one in MONTHS))
_DOUBTFUL = ("may", "mar", "march", "mars")  # words of their own where they are not capitalised
_SHORT_DATE = regex(r"(?=0|[0-9]{2}/0)([0-3][0-9])/([0-3][0-9])")
_MONTH_YEAR = regex(r"(0?[1-9]|1[0-2])/((?:1[5-9]|20)[0-9]{2})")
_COMPACT_FIGURES = (8, 9)  # a T is read as trillions
_COMPACT = regex(r"((?:19|20)[0-9]{2})(0[1-9]|1[0-2])([0-3][0-9])")  # 20250908
_COMPACT_TIME = regex(r"T(([01][0-9]|2[0-3])([0-5][0-9])(?:[0-5][0-9])?)Z?(?![0-9])")
_POINTED = regex(  # "8.9.", which is no end of a sentence
    r"(?<![0-9.,])(?:(0[1-9]|[12][0-9]|3[01])\.(0[1-9]|1[0-2])\.(?![0-9])|"
    r"([1-9]|[12][0-9]|3[01])\.([1-9]|1[0-2])\.(?= ?[|,;:)–-]| [a-zäöüß(]))"
)
_SHORT_YEAR = regex(r"(?:-|[ -]?['’])([0-9]{2})(?![0-9]|-[0-9])")  # of "08-Sep-25", "Sep-25", "Sep '25"


@dataclass(frozen=True, slots=True)
class Day:
    """A day, a month or a year; a time of day in minutes. What is not said is ``None``.

    ``other`` is a second reading of "03/04/2024". ``half`` says that morning or afternoon is clear. ``length`` is a
    time as a span, in its smaller unit: "2:05" may be 125 minutes. ``quarter`` is one of the year, from 1, and
    ``weekday`` is 1 for a Monday: "Mon 8" is a day of a month that may not be said.
    """

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    minute: int | None = None
    half: bool = False
    other: tuple[int, int] | None = None
    length: int | None = None
    quarter: int | None = None
    weekday: int | None = None

    @property
    def seconds(self) -> bool:
        """Whether it is a time with its seconds."""
        return self.length is not None and self.length != self.minute

    @property
    def whole(self) -> Date | None:
        return Date(self.year, self.month, self.day) if self.year and self.month and self.day else None


def dates_in(text: str, lower: str, scanned: Scan) -> list[Day]:
    """All dates and times of a text, without single years, in its order and free of overlaps."""
    found = [
        *_numeric(text, scanned),
        *_with_characters(text, scanned),
        *_with_month_names(text, lower),
        *_quarters(text, lower),
    ]
    found += [Day(*date) for date in scanned.eras if day_of(date.year or 2000, date.month or 1, date.day or 1)]
    found += [
        Day(time.start, time.end, minute=time.minute, half=time.half, length=time.length)
        for time in times_in(text, lower, scanned)
    ]
    found += _of_weekdays(text, lower, found)
    found.sort(key=lambda day: (day.start, -day.end))
    kept: list[Day] = []
    for day in found:
        real = day.day is None or day_of(day.year or 2000, day.month or 1, day.day)  # no 31st in "31 to 2 April"
        if real and (not kept or day.start >= kept[-1].end):
            kept.append(day)
    return kept


def _numeric(text: str, scanned: Scan) -> list[Day]:
    days = [*_compact(text, scanned), *(_pointed(text) if "." in text else ())]
    for start, end in scanned.joined:
        match = _NUMERIC.match(text, start, end)
        made = _from_figures(match) if match is not None and end - start < 40 else None
        if match is not None and made is not None:
            days.append(made)
        after = _INTERVAL.match(text, made.end, end) if made is not None else None  # "2026-11-16/2026-11-22"
        if after is not None and (last := _from_figures(after)) is not None:
            days.append(replace(last, start=after.start(1)))
        if (named := _MONTH_YEAR.fullmatch(text, start, end)) is not None:
            days.append(Day(start, end, int(named[2]), int(named[1])))
        short = _SHORT_DATE.fullmatch(text, start, end)
        if short is not None and (one := _without_year(short)) is not None:
            days.append(one)
    return days


def _compact(text: str, scanned: Scan) -> Iterator[Day]:
    """ "20250908", eight figures that no point or comma parts; with a time of day, "20250915T093000Z"."""
    for token in scanned.numbers:
        said = _COMPACT.match(text, token.start) if token.end - token.start in _COMPACT_FIGURES else None
        time = _COMPACT_TIME.match(text, said.end()) if said is not None else None
        if said is None or (time is None and said.end() != token.end):
            continue
        if day_of(*(date := (int(said[1]), int(said[2]), int(said[3])))):
            yield Day(*said.span(), *date)
            if time is not None:
                yield Day(*time.span(1), minute=int(time[2]) * 60 + int(time[3]), half=True)


def _pointed(text: str) -> list[Day]:
    found = ((match.span(), match[1] or match[3], match[2] or match[4]) for match in _POINTED.finditer(text))
    return [Day(*span, None, int(month), int(day)) for span, day, month in found if day_of(2000, int(month), int(day))]


def _without_year(match: re.Match[str]) -> Day | None:
    """ "05/02", which no fraction is written like: the day first, or the month."""
    first, second = int(match[1]), int(match[2])
    readings = [(month, day) for month, day in ((second, first), (first, second)) if day_of(2000, month, day)]
    if not readings:
        return None
    other = readings[1] if len(readings) > 1 and first != second else None
    return Day(*match.span(), None, *readings[0], other=other)


def _from_figures(match: re.Match[str]) -> Day | None:
    first, mark, second, third = int(match[1]), match[2], int(match[3]), match[4]
    start, end = match.span()
    if third is None:
        whole = len(match[1]) == 4 and mark != "." and len(match[3]) == 2
        return Day(start, end, first, second) if whole and day_of(first, second, 1) else None
    if len(match[1]) == 4:
        return Day(start, end, first, second, int(third)) if day_of(first, second, int(third)) else None
    if len(third) not in (2, 4) or (len(third) == 2 and mark == "."):
        return None
    year = int(third) if len(third) == 4 else 2000 + int(third)
    readings = [(second, first), (first, second)]  # day first, then month first
    readings = [(month, day) for month, day in readings if day_of(year, month, day)]
    if not readings or len(match[1]) > 2:
        return None
    if mark == "/":
        readings.reverse()
    other = readings[1] if len(readings) > 1 and readings[0] != readings[1] and mark != "." else None
    return Day(start, end, year, *readings[0], other=other)


def _with_characters(text: str, scanned: Scan) -> list[Day]:
    days: list[Day] = []
    if "月" not in text and "年" not in text and "월" not in text and "년" not in text:
        return days
    for token in scanned.numbers:
        after = text[token.end : token.end + 1]
        if after not in ("年", "月", "년", "월"):
            continue
        if (match := _CJK.match(text, token.start)) is not None:
            year, month, day = (int(part) if part else None for part in match.groups())
            if month is not None and day_of(year or 2000, month, day or 1) and (year or day):
                days.append(Day(*match.span(), year, month, day))
        elif (match := _CJK_YEAR.match(text, token.start)) is not None:
            days.append(Day(*match.span(), int(match[1])))
    return days


def _with_month_names(text: str, lower: str) -> list[Day]:
    days: list[Day] = []
    for start in _STARTS:
        position = lower.find(start)
        while position >= 0:
            word = _WORD.match(lower, position)
            month = MONTHS.get(word[0]) if word is not None and word.end() - position < 12 else None
            # A flood of letters is passed over in one step: nothing inside a word starts a month.
            end = word.end() if word is not None else position + 1
            sure = text[position].isupper() or (word is not None and word[0] not in _DOUBTFUL)
            if month is not None and not lower[position - 1 : position].isalpha():
                day = _around(text, position, end, month, sure)
                days.extend([day, *_first_of_two(text, day), *_second_of_two(text, day)] if day is not None else [])
            position = lower.find(start, end)
    return days


def _around(text: str, start: int, end: int, month: int, sure: bool) -> Day | None:
    """The date whose month name stands at ``start`` to ``end``; a doubtful name has a year behind it."""
    before = _DAY_FIRST.search(text, max(0, start - 10), start)
    if not sure and _YEAR_AFTER.match(text, end) is None:
        return None
    if before is not None and day_of(2000, month, int(before[1])):
        year, last = _year_after(text, end, text[start - 1] == "-")
        return _day(before.start(), last, year, month, int(before[1]))
    after = _DAY_AFTER.match(text, end)
    if after is not None and day_of(2000, month, int(after[1])):
        return _day(start, after.end(), int(after[2]) if after[2] else None, month, int(after[1]))
    year, last = _year_after(text, end, text[start].isupper())
    return Day(start, last, year, month) if year else None


def _year_after(text: str, end: int, short: bool) -> tuple[int | None, int]:
    """The year behind a month that ends at ``end``, and where it ends; ``short``: it may have two figures."""
    if (year := _YEAR_AFTER.match(text, end)) is not None:
        return int(year[1]), year.end()
    if short and (year := _SHORT_YEAR.match(text, end)) is not None:
        return 2000 + int(year[1]), year.end()
    return None, end


def _first_of_two(text: str, last: Day) -> list[Day]:
    """The first day of "3 to 5 March"."""
    first = _DAY_BEFORE.search(text, max(0, last.start - 12), last.start)
    if first is None or last.day is None or last.month is None or text[last.start].isalpha():
        return []
    return [replace(last, start=first.start(), end=first.end(1), day=int(first[1]))] if 0 < int(first[1]) < 32 else []


def _second_of_two(text: str, first: Day) -> list[Day]:
    """The second day of "March 3–5"."""
    last = _SECOND_DAY.match(text, first.end) if first.year is None and text[first.start].isalpha() else None
    if last is None or first.day is None or first.month is None or not first.day < int(last[1]) <= 31:
        return []
    year = int(last[2]) if last[2] else None
    return (
        [Day(last.start(1), last.end(), year, first.month, int(last[1]))]
        if day_of(year or 2000, first.month, int(last[1]))
        else []
    )


def _of_weekdays(text: str, lower: str, found: list[Day]) -> Iterator[Day]:
    """The days beside names of weekdays: in the month said last before them, "Wed 21" below "August 19–25", or in
    none, where they are a label.
    """
    months = sorted((day.start, day.month) for day in found if day.month is not None)
    for match in _WEEKDAY.finditer(lower):
        month = _month_before(months, match.start())
        if month is not None or _ENDS.match(lower, match.end()):
            yield Day(match.start(2), match.end(2), None, month, int(match[2]), weekday=WEEKDAYS[match[1]])
    for match in _WEEKDAY_DE.finditer(lower):
        if text[match.start()].isupper():
            month = _month_before(months, match.start())
            number = _WEEKDAYS_DE.index(match[1]) + 1
            yield Day(match.start(2), match.end(), None, month, int(match[2]), weekday=number)
    for match in _WEEKDAY_JA.finditer(text) if "日" in text else ():
        month = _month_before(months, match.start())
        number = _WEEKDAYS_JA.index(match[2] or match[3]) + 1
        yield Day(match.start(), match.end(1) + 1, None, month, int(match[1]), weekday=number)


def _month_before(months: Sequence[tuple[int, int]], start: int) -> int | None:
    """The month of the last date before a place."""
    index = bisect_right(months, (start, 0)) - 1
    return months[index][1] if index >= 0 else None


def _day(start: int, end: int, year: int | None, month: int, day: int) -> Day | None:
    if year is not None and not day_of(year, month, day):
        return None
    return Day(start, end, year, month, day)


_NUMBERED = {
    word: number
    for number, words in enumerate(
        (
            "1 1st 1. 1er first ersten erstes premier primer primo primeiro 一",
            "2 2nd 2. 2e second zweiten zweites deuxième segundo secondo 二",
            "3 3rd 3. 3e third dritten drittes troisième tercer terzo terceiro 三",
            "4 4th 4. 4e fourth vierten viertes quatrième cuarto quarto 四",
        ),
        1,
    )
    for word in words.split()
}
_QUARTERS = (
    regex(r"\bq([1-4])[ '/-]{0,2}(?:fy ?'?)?((?:19|20)[0-9]{2}|[0-9]{2})(?![0-9])"),
    regex(r"\b([1-4])q[ '/-]{0,2}((?:19|20)[0-9]{2}|[0-9]{2})(?![0-9])"),
    regex(
        rf"(?<!\w)({'|'.join(re.escape(word) for word in _NUMBERED)})[ ](?:quarter|quartal|trimestre)[ ]"
        r"(?:(?:of|in|de|del|di|do|fiscal|fy|year|the)[ ])*((?:19|20)[0-9]{2})(?![0-9])"
    ),
)
_EAST_QUARTER = regex(r"([0-9]{4})[年년](?:度)?[ ]?(?:第)?([1-4一二三四])(?:四半期|季度|분기)")


def _quarters(text: str, lower: str) -> Iterator[Day]:
    """Q3 2024, 3Q24, the third quarter of 2024, 2024年第3四半期."""
    patterns = _QUARTERS[:2] if re.search("q[0-9 '/-]", lower) else ()
    patterns += _QUARTERS[2:] if "quarter " in lower or "quartal" in lower or "trimestre" in lower else ()
    for pattern in patterns:
        for match in pattern.finditer(lower):
            year = int(match[2]) + (2000 if len(match[2]) == 2 else 0)
            yield Day(*match.span(), year, quarter=_NUMBERED[match[1]])
    if "四半期" in text or "季度" in text or "분기" in text:
        for match in _EAST_QUARTER.finditer(text):
            yield Day(*match.span(), int(match[1]), quarter=_NUMBERED[match[2]])


def covering(days: list[Day], starts: list[int], position: int) -> Day | None:
    """The date that covers a position; ``starts`` are those of ``days``."""
    index = bisect_right(starts, position) - 1
    return days[index] if index >= 0 and days[index].end > position else None
