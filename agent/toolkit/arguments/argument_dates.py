"""Dates as people and models write them: in figures, with the name of a month, or counted from today."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from unicodedata import normalize

from agent.text.quantities.number_words import SMALL
from agent.text.quantities.said_dates import MONTH, month_number

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NAMED = "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
_KANJI = "月火水木金土日"
_NEAR = {
    "today": 0, "now": 0, "tonight": 0, "this evening": 0, "this morning": 0, "tomorrow": 1, "yesterday": -1,
    "the day after tomorrow": 2, "day after tomorrow": 2, "the day before yesterday": -2, "day before yesterday": -2,
    "今日": 0, "本日": 0, "今": 0, "今夜": 0, "明日": 1, "あした": 1, "昨日": -1, "きのう": -1, "明後日": 2,
    "あさって": 2, "一昨日": -2, "おととい": -2,
}  # fmt: skip
_COUNTS = {"a": 1, "an": 1, **{word: count for word, count in SMALL.items() if 0 < count < 13}}
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)}) (?P<unit>day|week)s?"
_MOST_CHARACTERS = 60


def read_date(text: str, today: date) -> date | None:
    """The one day that ``text`` means, if it can mean one only; ``None`` else.

    A day without a year is the one nearest to ``today``; a weekday the next one, today included. ``03/04/2026`` is the
    third of April for some and the fourth of March for others: no day.
    """
    if len(text) > _MOST_CHARACTERS:
        return None
    words = " ".join(normalize("NFKC", text).casefold().replace(",", " ").split()).strip(" .")
    if words in _NEAR:
        return _later(today, _NEAR[words])
    for pattern, meaning in _PATTERNS:
        if found := re.fullmatch(pattern, words):
            return meaning(found, today)
    return None


def _later(today: date, days: int) -> date | None:
    try:
        return today + timedelta(days=days)
    except OverflowError:
        return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _slashes(found: re.Match[str], today: date) -> date | None:
    first, second, year = int(found["first"]), int(found["second"]), int(found["year"])
    both = {_day(year, second, first), _day(year, first, second)} - {None}
    return both.pop() if len(both) == 1 else None


def _dated(found: re.Match[str], today: date) -> date | None:
    day, month = int(found["day"]), int(found["month"]) if found["month"].isdigit() else month_number(found["month"])
    if found["year"]:
        return _day(int(found["year"]), month, day)
    near = [_day(year, month, day) for year in (today.year - 1, today.year, today.year + 1) if 1 <= year <= 9999]
    return min((one for one in near if one), key=lambda one: abs(one - today), default=None)


def _counted(found: re.Match[str], today: date) -> date | None:
    count = int(found["count"]) if found["count"].isdigit() else _COUNTS[found["count"]]
    days = count * (7 if found["unit"] == "week" else 1)
    return _later(today, -days if found.groupdict().get("ago") else days)


def _weekday(found: re.Match[str], today: date) -> date | None:
    name = found["name"]
    wanted = _KANJI.index(name[0]) if name[0] in _KANJI else _WEEKDAYS.index(name[:3])
    ahead = (wanted - today.weekday()) % 7
    match found.groupdict().get("which"):
        case "next":
            return _later(today, ahead or 7)
        case "last":
            return _later(today, ahead - 7)
        case _:
            return _later(today, ahead)


_WEEKDAY = rf"(?:(?:{_NAMED}) )?"
_ORDINAL = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?: (?P<year>\d{4}))?"
_PATTERNS: tuple[tuple[str, Callable[[re.Match[str], date], date | None]], ...] = (
    (r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?:[t ]\d{1,2}:\d\d.*)?", _dated),
    (r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})", _dated),
    (r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})", _dated),
    (r"(?P<first>\d{1,2})[/-](?P<second>\d{1,2})[/-](?P<year>\d{4})", _slashes),
    (rf"{_WEEKDAY}(?:the )?{_ORDINAL}(?: of)?[ -](?P<month>{MONTH})(?:[ -](?P<year>\d{{4}}))?", _dated),
    (rf"{_WEEKDAY}(?P<month>{MONTH}) {_ORDINAL}{_YEAR}", _dated),
    (r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})日(?:\([月火水木金土日]\))?", _dated),
    (rf"in {_COUNT}", _counted),
    (rf"{_COUNT} (?P<ago>ago)", _counted),
    (rf"{_COUNT} from (?:now|today)", _counted),
    (r"(?P<count>\d{1,3})(?P<unit>日)後", _counted),
    (r"(?P<count>\d{1,3})(?P<unit>日)(?P<ago>前)", _counted),
    (rf"(?:on )?(?:(?P<which>next|this|last|coming) )?(?P<name>{_NAMED})", _weekday),
    (r"(?P<name>[月火水木金土日])曜日?", _weekday),
)
