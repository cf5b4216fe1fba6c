"""Dates and times as people write them; what could be two days is refused with a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from agent.errors import ToolFailed
from agent.tools.now.zones import zone

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?"
_DATES = tuple(
    re.compile(rf"{_WEEKDAY}{pattern}(?P<rest>[T ,].*)?", re.I | re.S)
    for pattern in (
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})",
        r"(?P<year>\d{4})[/.](?P<month>\d{1,2})[/.](?P<day>\d{1,2})",
        r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})",
        rf"(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH},? (?P<year>\d{{4}})",
        rf"{_MONTH} (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})",
        r"(?P<year>\d{4}) ?年 ?(?P<month>\d{1,2}) ?月 ?(?P<day>\d{1,2}) ?日(?:\(.\)|[日月火水木金土]曜日?)?",
    )
)
_TWO_WAYS = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{2,4})\b")
_ISO_WEEK = re.compile(r"(\d{4})-?W(\d{1,2})(?:-?([1-7]))?", re.I)
_NEAR = {
    "": 0, "now": 0, "today": 0, "tomorrow": 1, "yesterday": -1, "今": 0, "今日": 0, "本日": 0, "明日": 1, "昨日": -1,
}  # fmt: skip
_TIME = re.compile(
    r"[T ,]*(?:at )?(?P<hour>\d{1,2})"
    r"(?::(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d+)?)?| ?時(?:(?P<jm>\d{1,2})分)?)?"
    r" ?(?P<half>(?:am|pm|a\.m\.|p\.m\.)(?![a-z]))?(?P<zone>.*)",
    re.I | re.S,
)
_HELP = "Write it like 2026-01-05, 2026-01-05 14:30, or 5 January 2026."


@dataclass(frozen=True, slots=True)
class Moment:
    """A time in a zone, or where ``whole_day`` a date (at midnight)."""

    at: datetime
    whole_day: bool
    note: str = ""


def moment(text: str, here: tzinfo, now: datetime) -> Moment:
    """What ``text`` stands for; without a zone of its own it is ``here``. Raises ``ToolFailed`` with what to write."""
    wanted = " ".join(text.replace("\u3000", " ").split())
    if wanted.lower() in ("", "now", "今"):
        return Moment(now.astimezone(here), False)
    if wanted.lower() in _NEAR:
        return _day((now.astimezone(here) + timedelta(days=_NEAR[wanted.lower()])).date(), here)
    if wanted.lower().startswith(("today ", "tomorrow ", "yesterday ")):
        name, _, rest = wanted.partition(" ")
        return _timed((now.astimezone(here) + timedelta(days=_NEAR[name.lower()])).date(), rest, here, text)
    if week := _ISO_WEEK.fullmatch(wanted):
        return _day(_valid(lambda: date.fromisocalendar(int(week[1]), int(week[2]), int(week[3] or 1)), text), here)
    for pattern in _DATES:
        if found := pattern.fullmatch(wanted):
            parts = found.groupdict()
            month = _MONTHS.index(parts["name"].lower()[:3]) + 1 if parts.get("name") else int(parts["month"])
            day = _valid(lambda p=parts, m=month: date(int(p["year"]), m, int(p["day"])), text)
            rest = (parts["rest"] or "").strip()
            return _timed(day, rest, here, text) if rest else _day(day, here)
    if _TWO_WAYS.match(wanted):
        raise ToolFailed(
            f"{wanted[:40]} is one day in some countries and another in others. Write the year first: 2026-01-05.",
            "input",
        )
    raise _unread(text)


def _day(found: date, here: tzinfo) -> Moment:
    return Moment(datetime.combine(found, time(), here), True)


def _valid(make: Callable[[], date], text: str) -> date:
    try:
        return make()
    except ValueError:
        raise ToolFailed(f"There is no day {text.strip()[:40]}.", "input") from None


def _timed(day: date, rest: str, here: tzinfo, text: str) -> Moment:
    found = _TIME.fullmatch(rest)
    if found is None:
        raise _unread(text)
    hour, minute = int(found["hour"]), int(found["minute"] or found["jm"] or 0)
    if half := (found["half"] or "").lower()[:1]:
        if not 1 <= hour <= 12:
            raise _unread(text)
        hour = hour % 12 + (12 if half == "p" else 0)
    named = found["zone"].strip(" ,()").removeprefix("in ")
    there = zone(named) if named else here
    try:
        at = datetime.combine(day, time(hour, minute, int(found["second"] or 0)), there)
    except ValueError:
        raise _unread(text) from None
    return _real(at)


def _real(at: datetime) -> Moment:
    """Where clocks are set, a time may not exist, or exist twice."""
    back = at.astimezone(UTC).astimezone(at.tzinfo)
    if back.replace(tzinfo=None) != at.replace(tzinfo=None):
        return Moment(
            back, False, f"{at:%H:%M} does not exist on that day, when clocks go forward: {back:%H:%M} is taken."
        )
    if at.utcoffset() != at.replace(fold=1).utcoffset():
        return Moment(at, False, f"{at:%H:%M} comes twice on that day, when clocks go back: the first is taken.")
    return Moment(at, False)


def _unread(text: str) -> ToolFailed:
    return ToolFailed(f"“{text.strip()[:60]}” cannot be read as a date. {_HELP}", "input")
