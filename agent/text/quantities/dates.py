"""Dates and times of day as people write them, alone and in running text, in English, Japanese and the usual figures.

Dates before the Gregorian calendar's beginning in October 1582 are not read as said dates, nor is 3/4/2024, which is
March to some and April to others.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from datetime import date, timedelta
from datetime import date as Date

from agent.text.quantities.claim_words import MONTHS, several
from agent.text.quantities.scanning import Scan

_MONTHS = several(
    "january february march april may june july august september october november december",
)
MONTH = "|".join([*_MONTHS, *(f"{month[:3]}\\.?" for month in _MONTHS), "sept\\.?"])
WEEKDAY_NAMES = "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
_NUMBER = r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FORMS = tuple(
    re.compile(rf"(?:(?:{WEEKDAY_NAMES}),? )?{pattern}(?P<rest>[T ,].*)?", re.I | re.S)
    for pattern in (
        r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})",
        r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})",
        rf"{_NUMBER}(?: of)?[ -](?P<month>{MONTH})(?:(?:,? |-)(?P<year>\d{{4}}))?",
        rf"(?P<month>{MONTH}) {_NUMBER}(?:,? (?P<year>\d{{4}}))?",
        r"(?:(?P<year>\d{4}) ?年 ?)?(?P<month>\d{1,2}) ?月 ?(?P<day>\d{1,2}) ?日"
        r"(?:\([月火水木金土日]\)|[月火水木金土日]曜日?)?",
    )
)
_FEASTS = {
    "christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "new year": (1, 1),
    "new year's": (1, 1), "new year's day": (1, 1), "the new year": (1, 1), "new year's eve": (12, 31),
    "halloween": (10, 31), "valentine's day": (2, 14), "クリスマス": (12, 25), "クリスマスイブ": (12, 24),
    "元日": (1, 1), "元旦": (1, 1), "お正月": (1, 1),
    "大晦日": (12, 31), "ハロウィン": (10, 31), "バレンタインデー": (2, 14),
}  # fmt: skip
_FEAST_OF_YEAR = re.compile(r"([a-z' ]+?)(?: (?:in|of))? (\d{4})", re.I)
# Days by their distance from today.
NEAR = {
    "today": 0, "now": 0, "tonight": 0, "this evening": 0, "this morning": 0, "tomorrow": 1, "yesterday": -1,
    "the day after tomorrow": 2, "day after tomorrow": 2, "the day before yesterday": -2, "day before yesterday": -2,
    "今日": 0, "本日": 0, "今": 0, "今夜": 0, "明日": 1, "あした": 1, "昨日": -1, "きのう": -1, "明後日": 2,
    "あさって": 2, "一昨日": -2, "おととい": -2,
}  # fmt: skip
_YEAR = timedelta(days=366)
FIRST = date(1582, 10, 15)


@dataclass(frozen=True, slots=True)
class Yearly:
    """A date without a year: it comes round every year, 29 February every fourth."""

    month: int
    number: int


def day(text: str, today: date | None, ahead: bool = True) -> date | None:
    """The date that ``text``, the whole of it, stands for.

    A date without a year is the next one from ``today`` on, or with ``ahead`` false the last one up to it.
    """
    found = dated(text, today, ahead)
    return _nearest(found, today, ahead) if isinstance(found, Yearly) else found


def stretch(first: str, last: str, today: date | None) -> tuple[date, date] | None:
    """Both ends of "from ``first`` to ``last``", where a date without a year lies on its side of the other.

    With no year at all it is the first such stretch that ends today or later: on 21 November "Halloween to Christmas"
    begins in the month before.
    """
    first_day, last_day = dated(first, today), dated(last, today)
    for start in (today, _nearest(first_day, today) if isinstance(first_day, Yearly) else None):
        begin, end = first_day, last_day
        if isinstance(end, Yearly):
            end = _nearest(end, start if isinstance(begin, Yearly) else begin)
        if isinstance(begin, Yearly):
            begin = _nearest(begin, end, ahead=False)
        if begin and end and ((first_day, last_day) == (begin, end) or end - begin <= _YEAR):
            return begin, end
    return None


def dated(text: str, today: date | None, ahead: bool = True) -> date | Yearly | None:
    """What ``text`` says of a date by itself; ``ahead`` says whether "next Christmas" or "last Christmas" is one."""
    text = text.strip()
    lower = text.lower().removeprefix("this ").removeprefix("next " if ahead else "last ")
    if lower in NEAR:
        return today + timedelta(days=NEAR[lower]) if today else None
    if lower in _FEASTS:
        return Yearly(*_FEASTS[lower])
    feast = _FEAST_OF_YEAR.fullmatch(lower)
    if feast and feast[1] in _FEASTS:
        return _valid(int(feast[2]), *_FEASTS[feast[1]])
    year, month, number, rest = day_parts(text) or (0, 0, 0, "")
    if rest or not month:
        return None
    return Yearly(month, number) if year is None else _valid(year, month, number)


def day_parts(text: str) -> tuple[int | None, int, int, str] | None:
    """Year, month and day as they stand at the beginning of ``text``, whether there is such a day, and the rest.

    The year is ``None`` where it is not said.
    """
    for pattern in _FORMS:
        if found := pattern.fullmatch(text):
            year, month = found["year"], found["month"]
            number = int(month) if month.isdecimal() else month_number(month)
            return int(year) if year else None, number, int(found["day"]), (found["rest"] or "").strip()
    return None


def day_of(year: int, month: int, number: int) -> date | None:
    """The day; ``None`` where the calendar has none."""
    try:
        return date(year, month, number)
    except ValueError:
        return None


def month_number(name: str) -> int:
    """1 to 12 for an English month's name or its first three letters, 0 for anything else."""
    starts = [month[:3] for month in _MONTHS]
    start = name.strip().lower()[:3]
    known = re.fullmatch(MONTH, name.strip(), re.I)
    return starts.index(start) + 1 if known else 0


def _nearest(yearly: Yearly, start: date | None, ahead: bool = True) -> date | None:
    """The one on ``start`` or the nearest after it, or before it where ``ahead`` is false."""
    if start is None:
        return None
    step = 1 if ahead else -1
    for years in range(9):
        found = _valid(start.year + step * years, yearly.month, yearly.number)
        if found and (found >= start if ahead else found <= start):
            return found
    return None


def _valid(year: int, month: int, number: int) -> date | None:
    found = day_of(year, month, number)
    return found if found and found >= FIRST else None


WEEKDAYS = {
    "en": ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"),
    "ja": ("日曜日", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日"),
}


def written(found: date, language: str) -> str:
    if language == "ja":
        return f"{found.year}年{found.month}月{found.day}日"
    return f"{found.day} {_MONTHS[found.month - 1].capitalize()} {found.year}"


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
            if month is not None and day_of(year or 2000, month, day or 1) and (year or day):
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
    if before is not None and day_of(2000, month, int(before[1])):
        year = _YEAR_AFTER.match(text, end)
        if year is None:
            return Day(before.start(), end, None, month, int(before[1]))
        return _day(before.start(), year.end(), int(year[1]), month, int(before[1]))
    after = _DAY_AFTER.match(text, end)
    if after is not None and day_of(2000, month, int(after[1])):
        return _day(start, after.end(), int(after[2]) if after[2] else None, month, int(after[1]))
    year = _YEAR_AFTER.match(text, end)
    return Day(start, year.end(), int(year[1]), month) if year is not None and int(year[1]) else None


def _day(start: int, end: int, year: int | None, month: int, day: int) -> Day | None:
    if year is not None and not day_of(year, month, day):
        return None
    return Day(start, end, year, month, day)


def covering(days: list[Day], starts: list[int], position: int) -> Day | None:
    """The date that covers a position; ``starts`` are those of ``days``."""
    index = bisect_right(starts, position) - 1
    return days[index] if index >= 0 and days[index].end > position else None
