"""Dates as people write them, and the day's number that the calculator subtracts.

Day 1 is 1 January of the year 1 in the Gregorian calendar (``date.toordinal``), a Monday. Dates before the calendar's
beginning in October 1582 are not read, nor 3/4/2024, which is March to some and April to others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from agent.text.quantities.claim_words import several

_MONTHS = several(
    "january february march april may june july august september october november december",
)
MONTH = "|".join([*_MONTHS, *(f"{month[:3]}\\.?" for month in _MONTHS), "sept\\.?"])
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})|(\d{4})/(\d{1,2})/(\d{1,2})")
_DAY_FIRST = re.compile(rf"(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({MONTH}),?(?: (\d{{4}}))?", re.I)
_MONTH_FIRST = re.compile(rf"({MONTH}) (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?", re.I)
_JAPANESE = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})日")
_FEASTS = {
    "christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "new year": (1, 1),
    "new year's": (1, 1), "new year's day": (1, 1), "the new year": (1, 1), "new year's eve": (12, 31),
    "halloween": (10, 31), "valentine's day": (2, 14), "クリスマス": (12, 25), "クリスマスイブ": (12, 24),
    "元日": (1, 1), "元旦": (1, 1), "お正月": (1, 1),
    "大晦日": (12, 31), "ハロウィン": (10, 31), "バレンタインデー": (2, 14),
}  # fmt: skip
_FEAST_OF_YEAR = re.compile(r"([a-z' ]+?)(?: (?:in|of))? (\d{4})", re.I)
_NEAR = {"today": 0, "now": 0, "tomorrow": 1, "yesterday": -1, "今日": 0, "本日": 0, "明日": 1, "昨日": -1}
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
    if lower in _NEAR:
        return today + timedelta(days=_NEAR[lower]) if today else None
    if lower in _FEASTS:
        return Yearly(*_FEASTS[lower])
    feast = _FEAST_OF_YEAR.fullmatch(lower)
    if feast and feast[1] in _FEASTS:
        return _valid(int(feast[2]), *_FEASTS[feast[1]])
    return _written(text)


def _written(text: str) -> date | Yearly | None:
    if match := _ISO.fullmatch(text):
        year, month, number = (group for group in match.groups() if group)
        return _valid(int(year), int(month), int(number))
    if match := _DAY_FIRST.fullmatch(text):
        return _of_parts(match[3], month_number(match[2]), int(match[1]))
    if match := _MONTH_FIRST.fullmatch(text):
        return _of_parts(match[3], month_number(match[1]), int(match[2]))
    if match := _JAPANESE.fullmatch(text):
        return _of_parts(match[1], int(match[2]), int(match[3]))
    return None


def month_number(name: str) -> int:
    """1 to 12 for an English month's name or its first three letters, 0 for anything else."""
    starts = [month[:3] for month in _MONTHS]
    start = name.strip().lower()[:3]
    known = re.fullmatch(MONTH, name.strip(), re.I)
    return starts.index(start) + 1 if known else 0


def _of_parts(year: str | None, month: int, number: int) -> date | Yearly | None:
    return _valid(int(year), month, number) if year else Yearly(month, number)


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
    try:
        found = date(year, month, number)
    except ValueError:
        return None
    return found if found >= FIRST else None


WEEKDAYS = {
    "en": ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"),
    "ja": ("日曜日", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日"),
}


def written(found: date, language: str) -> str:
    if language == "ja":
        return f"{found.year}年{found.month}月{found.day}日"
    return f"{found.day} {_MONTHS[found.month - 1].capitalize()} {found.year}"
