"""Durations as people write them, such as "90 days", 「3週間後」 and "P1Y2M3DT4H", and a time moved by one."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from agent.errors import ToolFailed
from agent.text.quantities.number_words import SMALL
from agent.text.regex import regex

MOST = 10_000_000
_MOST_WORKDAYS = 100_000
# How many months, days or seconds a unit has.
_UNITS = {
    name: (kind, times)
    for kind, times, names in (
        ("months", 1, "month か月 ヶ月 カ月 ヵ月"),
        ("months", 3, "quarter"),
        ("months", 12, "year yr 年"),
        ("months", 120, "decade"),
        ("months", 1200, "century centurie"),
        ("days", 1, "day 日間 日"),
        ("days", 7, "week wk 週間 週"),
        ("days", 14, "fortnight"),
        ("workdays", 1, "workday 営業日"),
        ("seconds", 1, "second sec s 秒 秒間"),
        ("seconds", 60, "minute min 分 分間"),
        ("seconds", 3600, "hour hr h 時間"),
    )
    for name in names.split()
}
_WORDS = {"a": 1, "an": 1, "half a": 0.5, "half an": 0.5, **SMALL}
_PART = regex(
    rf"\s*(?:and |, ?)?([+-]?)\s*(\d+(?:\.\d+)?|{'|'.join(sorted(_WORDS, key=len, reverse=True))})\s*"
    r"([a-z]+|営業日|か月|ヶ月|カ月|ヵ月|年|週間|週|日間|日|時間|分間|分|秒間|秒)",
    re.I,
)
_ISO = regex(r"(-?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", re.I)
# Without a figure: small models take those of an example for their own.
_LENGTH_HELP = "Write numbers with units: years, months, weeks, days, hours, minutes or seconds; a minus for earlier."


@dataclass(frozen=True, slots=True)
class Duration:
    """Months are of the calendar, days as well (a day may have 23 hours), seconds are time that passes.

    ``workdays`` are Mondays to Fridays.
    """

    months: int = 0
    days: int = 0
    seconds: float = 0.0
    workdays: int = 0

    @property
    def dates_only(self) -> bool:
        return not self.seconds

    def plus(self, other: Duration) -> Duration:
        months, days, seconds = self.months + other.months, self.days + other.days, self.seconds + other.seconds
        return Duration(months, days, seconds, self.workdays + other.workdays)

    def turned(self) -> Duration:
        return Duration(-self.months, -self.days, -self.seconds, -self.workdays)


def duration(text: str) -> Duration:
    """Read ``text``, the whole of it. Raises ``ToolFailed`` for what is no duration, or a too long one."""
    plain = re.sub(r",(?=\d{3}\b)", "", text.strip().replace("−", "-"))
    found = _read(re.sub(r"\b(?:working|business|work) day", "workday", plain, flags=re.I))
    if found is None:
        raise ToolFailed(f"“{text.strip()[:60]}” cannot be read as a length of time. {_LENGTH_HELP}", "input")
    if (
        max(abs(found.months), abs(found.days)) > MOST
        or abs(found.workdays) > _MOST_WORKDAYS
        or abs(found.seconds) > MOST * 86400
    ):
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
        total = total.plus(added)
        position = part.end()
    return total if position else None


def _part(number: str, unit: str) -> Duration | None:
    unit = unit if unit in _UNITS else unit.removesuffix("s")
    if unit not in _UNITS:
        return None
    kind, times = _UNITS[unit]
    amount = float(_WORDS.get(number, number)) * times
    if kind == "seconds":
        return Duration(seconds=amount)
    # Half a day is twelve hours; half a month is not a length.
    if amount != int(amount):
        return Duration(seconds=amount * 86400) if kind == "days" else None
    return Duration(**{kind: int(amount)})


def shifted(start: datetime, by: Duration) -> tuple[datetime, str]:
    """``start`` moved by the calendar and then by time that passes, and a note where a month was too short.

    Raises ``ToolFailed`` beyond the years 1 to 9999.
    """
    try:
        moved, note = _by_months(start, by.months)
        moved += timedelta(days=by.days)
        if by.workdays:
            moved, note = (
                _by_workdays(moved, by.workdays),
                "Working days are Mondays to Fridays, public holidays among them.",
            )
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


def _by_workdays(start: datetime, count: int) -> datetime:
    step = 1 if count > 0 else -1
    weeks, rest = divmod(abs(count), 5)
    while start.weekday() > 4:  # from a weekend, as from its end that lies behind
        start -= timedelta(days=step)
    start += timedelta(days=7 * weeks * step)
    while rest:
        start += timedelta(days=step)
        rest -= start.weekday() < 5
    return start


def apart(first: date, last: date) -> tuple[int, int, int]:
    """Years, months and days from ``first`` to a later ``last``, as birthdays are counted."""
    start, end = (datetime.combine(day, time()) for day in (first, last))
    months = (end.year - start.year) * 12 + end.month - start.month
    moved, _ = _by_months(start, months)
    if moved > end:
        months -= 1
        moved, _ = _by_months(start, months)
    return months // 12, months % 12, (end - moved).days
