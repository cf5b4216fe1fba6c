"""Durations as people write them: "90 days", "1 year and 2 months", "-3 weeks", 「3週間後」, "P1Y2M3DT4H"."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from agent.errors import ToolFailed

MOST = 10_000_000
_UNITS = {
    "year": "months", "yr": "months", "年": "months", "decade": "months", "century": "months", "centurie": "months",
    "month": "months", "か月": "months", "ヶ月": "months", "カ月": "months", "ヵ月": "months", "quarter": "months",
    "week": "days", "wk": "days", "週間": "days", "週": "days", "fortnight": "days", "day": "days", "日間": "days",
    "日": "days", "hour": "seconds", "hr": "seconds", "h": "seconds", "時間": "seconds", "minute": "seconds",
    "min": "seconds", "分": "seconds", "分間": "seconds", "second": "seconds", "sec": "seconds", "s": "seconds",
    "秒": "seconds", "秒間": "seconds",
}  # fmt: skip
_TIMES = {
    "year": 12, "yr": 12, "年": 12, "decade": 120, "century": 1200, "centurie": 1200, "quarter": 3, "week": 7, "wk": 7,
    "週間": 7, "週": 7, "fortnight": 14, "hour": 3600, "hr": 3600, "h": 3600, "時間": 3600, "minute": 60, "min": 60,
    "分": 60, "分間": 60,
}  # fmt: skip
_WORDS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "half a": 0.5, "half an": 0.5,
}  # fmt: skip
_PART = re.compile(
    rf"\s*(?:and |, ?)?([+-]?)\s*(\d+(?:\.\d+)?|{'|'.join(sorted(_WORDS, key=len, reverse=True))})\s*"
    r"([a-z]+|か月|ヶ月|カ月|ヵ月|年|週間|週|日間|日|時間|分間|分|秒間|秒)",
    re.I,
)
_ISO = re.compile(r"(-?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", re.I)
_HELP = "Write it like 90 days, -3 weeks, 1 year 2 months, or 36 hours."


@dataclass(frozen=True, slots=True)
class Duration:
    """Months are of the calendar, days as well (a day may have 23 hours), seconds are time that passes."""

    months: int = 0
    days: int = 0
    seconds: float = 0.0

    @property
    def dates_only(self) -> bool:
        return not self.seconds

    def turned(self) -> Duration:
        return Duration(-self.months, -self.days, -self.seconds)


def duration(text: str) -> Duration:
    """Read ``text``, the whole of it. Raises ``ToolFailed`` for what is no duration, or a too long one."""
    found = _read(re.sub(r",(?=\d{3}\b)", "", text.strip().replace("−", "-")))
    if found is None:
        raise ToolFailed(f"“{text.strip()[:60]}” cannot be read as a length of time. {_HELP}", "input")
    if abs(found.months) > MOST or abs(found.days) > MOST or abs(found.seconds) > MOST * 86400:
        raise ToolFailed("That is longer than the calendar, which has the years 1 to 9999.", "input")
    return found


def _read(text: str) -> Duration | None:
    if len(text) > 200:
        return None
    if (iso := _ISO.fullmatch(text)) and len(text.strip("-")) > 2:
        years, months, weeks, days, hours, minutes, seconds = (int(part or 0) for part in iso.groups()[1:])
        found = Duration(12 * years + months, 7 * weeks + days, 3600.0 * hours + 60 * minutes + seconds)
        return found.turned() if iso[1] else found
    position, total, sign = 0, Duration(), ""
    while position < len(text):
        part = _PART.match(text, position)
        if part is None:
            return None
        sign = part[1] or sign
        added = _part(part[2].lower(), part[3].lower())
        if added is None:
            return None
        added = added.turned() if sign == "-" else added
        total = Duration(total.months + added.months, total.days + added.days, total.seconds + added.seconds)
        position = part.end()
    return total if position else None


def _part(number: str, unit: str) -> Duration | None:
    unit = unit if unit in _UNITS else unit.removesuffix("s")
    if unit not in _UNITS:
        return None
    amount = float(_WORDS.get(number, 0) or number) * _TIMES.get(unit, 1)
    kind = _UNITS[unit]
    if kind == "seconds":
        return Duration(seconds=amount)
    # Half a day is twelve hours; half a month is not a length.
    if amount != int(amount):
        return Duration(seconds=amount * 86400) if kind == "days" else None
    return Duration(months=int(amount)) if kind == "months" else Duration(days=int(amount))


def shifted(start: datetime, by: Duration) -> tuple[datetime, str]:
    """``start`` moved by the calendar and then by time that passes, and a note where a month was too short.

    Raises ``ToolFailed`` beyond the years 1 to 9999.
    """
    try:
        moved, note = _by_months(start, by.months)
        moved += timedelta(days=by.days)
        if by.seconds:
            moved = (moved.astimezone(UTC) + timedelta(seconds=by.seconds)).astimezone(moved.tzinfo)
    except (OverflowError, ValueError):
        raise ToolFailed("That lies outside the calendar, which has the years 1 to 9999.", "input") from None
    return moved, note


def _by_months(start: datetime, months: int) -> tuple[datetime, str]:
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise OverflowError
    last = calendar.monthrange(year, month + 1)[1]
    note = f"That month has no day {start.day}, so its last day is taken." if start.day > last else ""
    return start.replace(year=year, month=month + 1, day=min(start.day, last)), note


def apart(first: date, last: date) -> tuple[int, int, int]:
    """Years, months and days from ``first`` to a later ``last``, as birthdays are counted."""
    start, end = (datetime.combine(day, time()) for day in (first, last))
    months = (end.year - start.year) * 12 + end.month - start.month
    moved, _ = _by_months(start, months)
    if moved > end:
        months -= 1
        moved, _ = _by_months(start, months)
    return months // 12, months % 12, (end - moved).days
