"""Dates and times of day as they are written in English, Japanese and the usual figures."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from datetime import date as Date

from agent.text.quantities.claim_words import MONTHS
from agent.text.quantities.scanning import Scan

_NUMERIC = re.compile(r"([0-9]{1,4})([-/.])([0-9]{1,2})(?:\2([0-9]{1,4}))?")
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::[0-9]{2}(?:\.[0-9]+)?)?(?![0-9:])")
_HALF = re.compile(r"[ \u00a0]?([ap])(?:\.m\.|m\b)|[ \u00a0]?o'clock", re.I)
_CJK = re.compile(r"(?:([0-9]{4})[年년][ ]?)?([0-9]{1,2})[月월](?:[ ]?([0-9]{1,2})[日일])?")
_CJK_YEAR = re.compile(r"([0-9]{4})[年년](?![間前後])")
_CJK_CLOCK = re.compile(r"([0-9]{1,2})[時시](?!間)(?:([0-9]{1,2})[分분]|(半))?")
_DAY_FIRST = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|\.)?(?:[ \u00a0]|-)(?:of |de )?$")
_DAY_AFTER = re.compile(r"\.?[ \u00a0]([0-9]{1,2})(?:st|nd|rd|th)?\b(?!:)(?:,?[ \u00a0]([0-9]{4})\b(?![0-9]))?")
_YEAR_AFTER = re.compile(r"\.?(?:,?[ \u00a0]|-|[ ]de[ ])([0-9]{4})\b(?![0-9,.][0-9])")
_WORD = re.compile(r"[^\W0-9_]+")
_MORNING = re.compile(r"(?:(午前|오전)|(午後|오후))[ ]?$")
_SHORT = tuple(sorted({word[:3] for word in MONTHS}))


@dataclass(frozen=True, slots=True)
class Day:
    """A day, a month or a year; a time of day in minutes. What is not said is ``None``.

    ``other`` is a second reading of "03/04/2024". ``half`` says that morning or afternoon is clear.
    """

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    minute: int | None = None
    half: bool = False
    other: tuple[int, int] | None = None

    @property
    def whole(self) -> Date | None:
        return Date(self.year, self.month, self.day) if self.year and self.month and self.day else None


def dates_in(text: str, lower: str, scanned: Scan) -> list[Day]:
    """All dates and times of a text, without single years, in its order and free of overlaps."""
    found = [
        *_numeric(text, scanned),
        *_with_characters(text, scanned),
        *_with_month_names(text, lower),
        *_halves(text, scanned),
    ]
    found.sort(key=lambda day: (day.start, -day.end))
    kept: list[Day] = []
    for day in found:
        if not kept or day.start >= kept[-1].end:
            kept.append(day)
    return kept


def _numeric(text: str, scanned: Scan) -> list[Day]:
    days: list[Day] = []
    for start, end in scanned.joined:
        match = _NUMERIC.match(text, start, end)
        made = _from_figures(match) if match is not None and end - start < 40 else None
        if match is not None and made is not None:
            days.append(made)
        for clock in _CLOCK.finditer(text, start, min(end, start + 40)):
            days.extend(_clock(text, clock))
        if end - start <= 10 and text[end : end + 1] == "T":
            clock = _CLOCK.match(text, end + 1)
            days.extend(_clock(text, clock) if clock is not None else [])
    return days


def _from_figures(match: re.Match[str]) -> Day | None:
    first, mark, second, third = int(match[1]), match[2], int(match[3]), match[4]
    start, end = match.span()
    if third is None:
        whole = len(match[1]) == 4 and mark != "." and len(match[3]) == 2
        return Day(start, end, first, second) if whole and _is_day(first, second, 1) else None
    if len(match[1]) == 4:
        return Day(start, end, first, second, int(third)) if _is_day(first, second, int(third)) else None
    if len(third) not in (2, 4) or (len(third) == 2 and mark == "."):
        return None
    year = int(third) if len(third) == 4 else 2000 + int(third)
    readings = [(second, first), (first, second)]  # day first, then month first
    readings = [(month, day) for month, day in readings if _is_day(year, month, day)]
    if not readings or len(match[1]) > 2:
        return None
    if mark == "/":
        readings.reverse()
    other = readings[1] if len(readings) > 1 and readings[0] != readings[1] and mark != "." else None
    return Day(start, end, year, *readings[0], other=other)


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        Date(year, month, day)
    except ValueError:
        return False
    return True


def _clock(text: str, match: re.Match[str]) -> list[Day]:
    hour, minute = int(match[1]), int(match[2])
    if hour > 24 or minute > 59:
        return []
    half = _HALF.match(text, match.end())
    start, end = match.start(), half.end() if half is not None else match.end()
    if half is not None and half[1] is not None and hour <= 12:
        return [Day(start, end, minute=_minutes(hour, minute, half[1].lower() == "p"), half=True)]
    if (before := _MORNING.search(text, max(0, start - 3), start)) is not None:
        return [Day(before.start(), end, minute=_minutes(hour, minute, before[2] is not None), half=True)]
    return [Day(start, end, minute=hour * 60 + minute, half=hour > 12 or match[1][0] == "0")]


def _minutes(hour: int, minute: int, afternoon: bool) -> int:
    return (hour % 12 + (12 if afternoon else 0)) * 60 + minute


def _with_characters(text: str, scanned: Scan) -> list[Day]:
    days: list[Day] = []
    if "月" not in text and "年" not in text and "時" not in text and "월" not in text and "시" not in text:
        return days
    for token in scanned.numbers:
        after = text[token.end : token.end + 1]
        if after not in ("年", "月", "時", "년", "월", "시"):
            continue
        if (match := _CJK.match(text, token.start)) is not None:
            year, month, day = (int(part) if part else None for part in match.groups())
            if month is not None and _is_day(year or 2000, month, day or 1) and (year or day):
                days.append(Day(*match.span(), year, month, day))
        elif (match := _CJK_CLOCK.match(text, token.start)) is not None and int(match[1]) <= 24:
            days.append(_spoken_clock(text, match))
        elif (match := _CJK_YEAR.match(text, token.start)) is not None:
            days.append(Day(*match.span(), int(match[1])))
    return days


def _spoken_clock(text: str, match: re.Match[str]) -> Day:
    hour, minute = int(match[1]), 30 if match[3] else int(match[2] or 0)
    if (before := _MORNING.search(text, max(0, match.start() - 3), match.start())) is not None:
        return Day(before.start(), match.end(), minute=_minutes(hour, minute, before[2] is not None), half=True)
    return Day(*match.span(), minute=hour * 60 + minute, half=hour > 12)


def _halves(text: str, scanned: Scan) -> list[Day]:
    """ "3 pm" and "3 o'clock"."""
    days: list[Day] = []
    for token in scanned.numbers:
        if token.end - token.start <= 2 and token.value <= 12 and text[token.end : token.end + 1] in " \u00a0apAP":
            match = _HALF.match(text, token.end)
            if match is not None and text[token.start - 1 : token.start] not in (":", "."):
                afternoon = (match[1] or "a").lower() == "p"
                minute = _minutes(int(token.value), 0, afternoon)
                days.append(Day(token.start, match.end(), minute=minute, half=match[1] is not None))
    return days


def _with_month_names(text: str, lower: str) -> list[Day]:
    days: list[Day] = []
    for short in _SHORT:
        position = lower.find(short)
        while position >= 0:
            word = _WORD.match(lower, position)
            month = MONTHS.get(word[0]) if word is not None and word.end() - position < 12 else None
            # A flood of letters is passed over in one step: nothing inside a word starts a month.
            end = word.end() if word is not None else position + 1
            written = text[position].isupper() or (word is not None and word[0] not in ("may", "mar", "march", "mars"))
            if month is not None and written and not lower[position - 1 : position].isalpha():
                day = _around(text, position, end, month)
                days.extend([day] if day is not None else [])
            position = lower.find(short, end)
    return days


def _around(text: str, start: int, end: int, month: int) -> Day | None:
    """The date whose month name stands at ``start`` to ``end``."""
    before = _DAY_FIRST.search(text, max(0, start - 8), start)
    if before is not None and _is_day(2000, month, int(before[1])):
        year = _YEAR_AFTER.match(text, end)
        if year is None:
            return Day(before.start(), end, None, month, int(before[1]))
        return _day(before.start(), year.end(), int(year[1]), month, int(before[1]))
    after = _DAY_AFTER.match(text, end)
    if after is not None and _is_day(2000, month, int(after[1])):
        return _day(start, after.end(), int(after[2]) if after[2] else None, month, int(after[1]))
    year = _YEAR_AFTER.match(text, end)
    return Day(start, year.end(), int(year[1]), month) if year is not None and int(year[1]) else None


def _day(start: int, end: int, year: int | None, month: int, day: int) -> Day | None:
    if year is not None and not _is_day(year, month, day):
        return None
    return Day(start, end, year, month, day)


def covering(days: list[Day], starts: list[int], position: int) -> Day | None:
    """The date that covers a position; ``starts`` are those of ``days``."""
    index = bisect_right(starts, position) - 1
    return days[index] if index >= 0 and days[index].end > position else None
