"""Dates as people and models write them: in figures, with the name of a month, or counted from today."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from unicodedata import normalize

from agent.text.quantities.dates import NEAR, WEEKDAY_NAMES, day_of, day_parts
from agent.text.quantities.number_words import SMALL

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_KANJI = "月火水木金土日"
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
    if words in NEAR:
        return _later(today, NEAR[words])
    year, month, number, rest = day_parts(words) or (None, 0, 0, "")
    if month and (not rest or re.match(r"t?\d{1,2}:\d\d", rest)):
        return day_of(year, month, number) if year is not None else _nearest(month, number, today)
    for pattern, meaning in _PATTERNS:
        if found := re.fullmatch(pattern, words):
            return meaning(found, today)
    return None


def _later(today: date, days: int) -> date | None:
    try:
        return today + timedelta(days=days)
    except OverflowError:
        return None


def _slashes(found: re.Match[str], today: date) -> date | None:
    first, second, year = int(found["first"]), int(found["second"]), int(found["year"])
    both = {day_of(year, second, first), day_of(year, first, second)} - {None}
    return both.pop() if len(both) == 1 else None


def _nearest(month: int, number: int, today: date) -> date | None:
    near = [day_of(year, month, number) for year in (today.year - 1, today.year, today.year + 1)]
    return min((one for one in near if one), key=lambda one: abs(one - today), default=None)


def _in_figures(found: re.Match[str], today: date) -> date | None:
    return day_of(int(found["year"]), int(found["month"]), int(found["day"]))


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


_PATTERNS: tuple[tuple[str, Callable[[re.Match[str], date], date | None]], ...] = (
    (r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})", _in_figures),
    (r"(?P<first>\d{1,2})[/-](?P<second>\d{1,2})[/-](?P<year>\d{4})", _slashes),
    (rf"in {_COUNT}", _counted),
    (rf"{_COUNT} (?P<ago>ago)", _counted),
    (rf"{_COUNT} from (?:now|today)", _counted),
    (r"(?P<count>\d{1,3})(?P<unit>日)後", _counted),
    (r"(?P<count>\d{1,3})(?P<unit>日)(?P<ago>前)", _counted),
    (rf"(?:on )?(?:(?P<which>next|this|last|coming) )?(?P<name>{WEEKDAY_NAMES})", _weekday),
    (r"(?P<name>[月火水木金土日])曜日?", _weekday),
)
