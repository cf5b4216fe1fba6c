"""Dates of Japanese eras (令和7年4月1日, 平成元年, R7.4.1), in Chinese numerals, and by months (来月の最初の月曜日)."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from agent.text.quantities.claim_words import KANJI_DIGITS
from agent.text.quantities.number_words import kanji_number
from agent.text.regex import regex

# The year before the first of each era.
_ERAS = {
    "慶長": 1595, "元和": 1614, "寛永": 1623, "元禄": 1687, "享保": 1715, "天明": 1780, "寛政": 1788, "文化": 1803,
    "文政": 1817, "天保": 1829, "弘化": 1843, "嘉永": 1847, "安政": 1853, "万延": 1859, "文久": 1860, "元治": 1863,
    "慶応": 1864, "明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018, "民国": 1911, "民國": 1911,
}  # fmt: skip
_LETTERS = {"M": 1867, "T": 1911, "S": 1925, "H": 1988, "R": 2018}
_KANJI = "".join((*KANJI_DIGITS, "十"))
_SMALL = rf"(?:[0-9]{{1,2}}|[{_KANJI}]{{1,3}})"
_REST = rf"(?:[ ]?({_SMALL})月(?:[ ]?({_SMALL})日)?)?"
_YEAR = regex(rf"(?<![{_KANJI}])[{''.join(KANJI_DIGITS)}]{{4}}$")
_MONTH = regex(rf"(?<![{_KANJI}0-9])[{_KANJI}]{{1,2}}$")
_AFTER_YEAR = regex(rf"年{_REST}")
_DAY = regex(rf"月([{_KANJI}]{{1,3}})日")
_LETTERED = regex(r"([MTSHR])([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{1,2})")


class Written(NamedTuple):
    """A date at ``start`` to ``end``; what is not said is ``None``."""

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None


def era_dates(text: str, joined: Sequence[tuple[int, int]]) -> Iterator[Written]:
    """The dates of a text that count their years from an era, or that are in Chinese numerals.

    ``joined`` are its runs of numbers, as ``scanning`` has them.
    """
    if text.isascii():
        return
    for era in [era for era in _ERAS if era in text] if "年" in text else ():
        for match in re.finditer(rf"{era}[ ]?(元|{_SMALL})年{_REST}", text):
            year = 1 if match[1] == "元" else _number(match[1])
            yield Written(*match.span(), _ERAS[era] + (year or 0), _number(match[2]), _number(match[3]))
    for position in _after_numeral(text, "年"):
        if year := _YEAR.search(text, max(0, position - 5), position):
            rest = _AFTER_YEAR.match(text, position)
            month, day = (rest[1], rest[2]) if rest is not None else (None, None)
            yield Written(
                year.start(), rest.end() if rest else position + 1, _number(year[0]), _number(month), _number(day)
            )
    for position in _after_numeral(text, "月"):
        month, day = _MONTH.search(text, max(0, position - 3), position), _DAY.match(text, position)
        if month and day:
            yield Written(month.start(), day.end(), None, _number(month[0]), _number(day[1]))
    for start, end in joined:
        match = _LETTERED.fullmatch(text, start - 1, end) if start and text[start - 1] in _LETTERS else None
        if match is not None and not text[max(0, start - 2) : start - 1].isalnum():
            yield Written(*match.span(), _LETTERS[match[1]] + int(match[2]), int(match[3]), int(match[4]))


def era_year(text: str) -> int | None:
    """The year that 昭和63年, the whole of it, is."""
    found = re.fullmatch(rf"({'|'.join(_ERAS)})[ ]?(元|{_SMALL})年", text)
    return _ERAS[found[1]] + (1 if found[2] == "元" else _number(found[2]) or 0) if found else None


def _after_numeral(text: str, sign: str) -> Iterator[int]:
    """Where a sign stands behind a Chinese numeral."""
    position = text.find(sign)
    while position >= 0:
        if text[position - 1] in _KANJI:
            yield position
        position = text.find(sign, position + 1)


def _number(said: str | None) -> int | None:
    if not said:
        return None
    return int(said) if said.isdecimal() else kanji_number(said)


_OF_MONTH = regex(
    r"(?:(?P<near>今月|来月|先月)の?|(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月の?)"
    r"(?:(?:(?P<first>最初|第一)|(?P<last>最後|最終)|第?(?P<nth>[1-5二三四五]))(?:の|番目の|週の)?(?P<weekday>[月火水木金土日])曜日?"
    r"|(?P<number>\d{1,2})日|(?P<end>末日?|最終日|最後の日))"
)
_MONTHS_AWAY = {"先月": -1, "今月": 0, "来月": 1}


def day_of_month(text: str, today: date) -> date | None:
    """The day that 来月の第2月曜日, 12月の最後の金曜日 or 来月の3日, the whole of it, is."""
    found = _OF_MONTH.fullmatch(text)
    if found is None or (found["month"] and found["number"]):
        return None
    months = today.year * 12 + today.month - 1 + _MONTHS_AWAY.get(found["near"] or "", 0)
    if found["month"]:
        year = int(found["year"] or today.year + (int(found["month"]) < today.month))
        months = year * 12 + int(found["month"]) - 1
    year, month = months // 12, months % 12 + 1
    if not (1582 < year < 9999 and 0 < int(found["month"] or month) <= 12):
        return None
    days = monthrange(year, month)[1]
    number = days if found["end"] else int(found["number"] or 0)
    if found["weekday"]:
        number = _weekday_of(date(year, month, 1), days, found)
    return date(year, month, number) if 0 < number <= days else None


def _weekday_of(first: date, days: int, found: re.Match[str]) -> int:
    """Which day of its month the weekday is: the first, the last or the so-manieth; past its end where it has none."""
    weekday = "月火水木金土日".index(found["weekday"])
    start = 1 + (weekday - first.weekday()) % 7
    if found["last"]:
        end = first + timedelta(days=days - 1)
        return days - (end.weekday() - weekday) % 7
    return start if found["first"] else start + 7 * ((_number(found["nth"]) or 1) - 1)


def era_of(name: str) -> int | None:
    """The year before the first of an era."""
    return _ERAS.get(name)
