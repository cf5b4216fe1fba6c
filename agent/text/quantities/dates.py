"""Dates as people say them when they ask, in English, Japanese and the usual figures.

Dates before the Gregorian calendar's beginning in October 1582 are not read as said dates, nor is 3/4/2024, which is
March to some and April to others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from agent.text.quantities.claim_words import several
from agent.text.quantities.eras import day_of_month
from agent.text.regex import regex

_MONTHS = several(
    "january february march april may june july august september october november december",
)
MONTH = "|".join([*_MONTHS, "sept\\.?", *(f"{month[:3]}\\.?" for month in _MONTHS)])
WEEKDAY_NAMES = "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
_NUMBER = r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FORMS = tuple(
    regex(rf"(?:(?:{WEEKDAY_NAMES}),? )?{pattern}(?P<rest>[T ,].*)?", re.I | re.S)
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
    "元日": (1, 1), "元旦": (1, 1), "お正月": (1, 1), "大みそか": (12, 31), "おおみそか": (12, 31),
    "七夕": (7, 7), "ひな祭り": (3, 3), "こどもの日": (5, 5),
    "大晦日": (12, 31), "ハロウィン": (10, 31), "バレンタインデー": (2, 14),
}  # fmt: skip
_FEAST_OF_YEAR = regex(r"([a-z' ]+?)(?: (?:in|of))? (\d{4})", re.I)
# Days by their distance from today.
NEAR = {
    "today": 0, "now": 0, "tonight": 0, "this evening": 0, "this morning": 0, "tomorrow": 1, "yesterday": -1,
    "the day after tomorrow": 2, "day after tomorrow": 2, "the day before yesterday": -2, "day before yesterday": -2,
    "今日": 0, "本日": 0, "今": 0, "今夜": 0, "明日": 1, "あした": 1, "昨日": -1, "きのう": -1, "明後日": 2,
    "あさって": 2, "一昨日": -2, "おととい": -2,
}  # fmt: skip
_YEAR = timedelta(days=366)
_STARTS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NAMED_DAY = regex(
    rf"(?:on )?(?P<which>next|this|(?:the |this )?coming|last|(?:the )?past|previous)? ?(?P<day>{WEEKDAY_NAMES})"
    r"(?P<week>(?: of)? (?:next|this|last) week)?"
    rf"|(?P<week_before>next|this|last) week(?: on)? (?P<day_after>{WEEKDAY_NAMES})"
    r"|(?P<which_ja>次|今度|今週|来週|先週|前|この前)の(?P<ja>[月火水木金土日])曜日?",
    re.I,
)
_WEEKS_AWAY = {"next": 1, "来週": 1, "this": 0, "今週": 0, "last": -1, "先週": -1}
_OVER = ("last", "past", "the past", "previous", "前", "この前")
_EASTERS = {"good friday": -2, "easter": 0, "easter sunday": 0, "easter monday": 1, "pentecost": 49, "whit sunday": 49}
_ENDS = regex(
    r"(?:the )?(?:end|last day) of (?P<which>the|this|next) (?P<of>year|month)|(?P<ja>年末|今年の終わり|月末|今月末)",
    re.I,
)
_NTH_DAY = regex(
    rf"(?:the )?(?P<nth>first|second|third|fourth|last) (?P<day>{WEEKDAY_NAMES}) (?:of|in) (?P<month>{MONTH}),? "
    r"(?P<year>\d{4})",
    re.I,
)
_NTH = {"first": 0, "second": 7, "third": 14, "fourth": 21}
FIRST = date(1582, 10, 15)


@dataclass(frozen=True, slots=True)
class Yearly:
    """A date without a year: it comes round every year, 29 February every fourth."""

    month: int
    number: int


# "Three weeks after that": of a day that was named before.
AFTER_THAT = regex(r"\b(?:after|before|from|since|following) (?:that|then|it|this)\W*$", re.I)


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


_LONGEST_DAY = 60  # characters
_YEARS_AWAY = {"next": 1, "this": 0, "last": -1, "来年": 1, "今年": 0, "去年": -1, "昨年": -1}
_OF_YEAR = regex(
    r"(?P<day>.*\d.*?)(?: of)? (?P<en>next|this|last) year|(?P<ja>来年|今年|去年|昨年)の?(?P<rest>\d.*)", re.I
)


def _of_that_year(text: str, today: date | None) -> str:
    """ "4 July next year" with the year in figures."""
    feast = re.fullmatch(r"(?:(来年|今年|去年|昨年)|(\d{4})年)の?(.+)", text)
    if feast and feast[3] in _FEASTS and today:
        year = int(feast[2]) if feast[2] else today.year + _YEARS_AWAY[feast[1]]
        return "{}年{}月{}日".format(year, *_FEASTS[feast[3]])
    found = _OF_YEAR.fullmatch(text) if len(text) < _LONGEST_DAY else None
    if found is None or today is None:
        return text
    year = today.year + _YEARS_AWAY[(found["en"] or found["ja"]).lower()]
    return f"{found['day']} {year}" if found["en"] else f"{year}年{found['rest']}"


@lru_cache(maxsize=4096)  # a sentence is looked through for dates by several readers, and in several wordings
def dated(text: str, today: date | None, ahead: bool = True) -> date | Yearly | None:
    """What ``text`` says of a date by itself; ``ahead`` says whether "next Christmas" or "last Christmas" is one."""
    text = _of_that_year(text.strip(), today)
    lower = text.lower().removeprefix("this ").removeprefix("next " if ahead else "last ")
    if lower in NEAR:
        return today + timedelta(days=NEAR[lower]) if today else None
    if lower in _FEASTS:
        return Yearly(*_FEASTS[lower])
    if today and (named := weekday_named(text, today, ahead) or _moving(lower, today) or day_of_month(text, today)):
        return named
    if nth := _NTH_DAY.fullmatch(lower):
        return _nth_weekday(nth)
    feast = _FEAST_OF_YEAR.fullmatch(lower)
    if feast and feast[1] in _FEASTS:
        return _valid(int(feast[2]), *_FEASTS[feast[1]])
    if feast and feast[1] in _EASTERS:
        return easter(int(feast[2])) + timedelta(days=_EASTERS[feast[1]]) if int(feast[2]) > FIRST.year else None
    year, month, number, rest = day_parts(text) or (0, 0, 0, "")
    if rest or not month:
        return None
    return Yearly(month, number) if year is None else _valid(year, month, number)


def weekday_named(text: str, today: date, ahead: bool = True) -> date | None:
    """ "next Friday" is the first after today, "last Friday" the last before it; "Friday" by ``ahead`` either."""
    found = _NAMED_DAY.fullmatch(text.strip().lower())
    if found is None:
        return None
    english = (found["day"] or found["day_after"] or "")[:3]
    number = _STARTS.index(english) if english else "月火水木金土日".index(found["ja"])
    which = found["which"] or found["which_ja"] or ""
    week = (found["week"] or "").removesuffix(" week").removeprefix(" of").strip() or found["week_before"] or ""
    week = which if which in ("来週", "今週", "先週") else week
    if week:
        monday = today - timedelta(days=today.weekday())
        return None if which and which != week else monday + timedelta(days=number + 7 * _WEEKS_AWAY[week])
    if which in _OVER or not (which or ahead):
        return today - timedelta(days=(today.weekday() - number - 1) % 7 + 1)
    return today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)


def _nth_weekday(found: re.Match[str]) -> date | None:
    """ "The first Monday of December 2026"."""
    year, month, number = int(found["year"]), month_number(found["month"]), _STARTS.index(found["day"][:3])
    if not FIRST.year < year < date.max.year:
        return None
    if found["nth"] == "last":
        end = date(year + month // 12, month % 12 + 1, 1)
        return end - timedelta(days=(end.weekday() - number - 1) % 7 + 1)
    start = date(year, month, 1)
    return start + timedelta(days=(number - start.weekday()) % 7 + _NTH[found["nth"]])


def _moving(text: str, today: date) -> date | None:
    """Easter and what hangs on it, the next from ``today`` on, and the end of this or the next year or month."""
    if text in _EASTERS:
        several = (easter(today.year + more) + timedelta(days=_EASTERS[text]) for more in (0, 1))
        return next(found for found in several if found >= today)
    end = _ENDS.fullmatch(text)
    if end is None:
        return None
    more = end["which"] == "next"
    if end["of"] == "year" or end["ja"] in ("年末", "今年の終わり"):
        return date(today.year + more, 12, 31)
    months = today.year * 12 + today.month + more
    return date(months // 12, months % 12 + 1, 1) - timedelta(days=1)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the rule of Meeus, Jones and Butcher."""
    golden, (century, rest) = year % 19, divmod(year, 100)
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, number = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, number + 1)


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
