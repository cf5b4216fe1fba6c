"""Dates, times and zones as people write them.

A zone is given by its IANA name, a city, a country, an abbreviation or an offset. What could be two days or two zones
is refused with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import combining, normalize
from zoneinfo import ZoneInfo, available_timezones

from agent.errors import ToolFailed
from agent.text.quantities.dates import NEAR, day_of, day_parts
from agent.text.regex import regex
from agent.text.spelling import nearest
from agent.text.word_tables import word_table

_OFFSET = regex(r"(?:utc|gmt)? ?([+-])(\d{1,2})(?::?(\d{2}))?", re.I)
_MOST_NAMED = 8
_SHORTEST_MISSPELT = 5  # letters
_CONTINENTS = ("Africa/", "America/", "Asia/", "Australia/", "Europe/", "Pacific/")
_NAMES: dict[str, dict[str, Any]] = word_table(__file__, "zones.toml")


def zone(name: str) -> tzinfo:
    """The zone that ``name`` stands for. Raises ``ToolFailed`` where there is none, or more than one."""
    wanted = _folded(name)
    if offset := _OFFSET.fullmatch(wanted):
        return _fixed(offset[1], int(offset[2]), int(offset[3] or 0), name)
    if several := _NAMES["several"].get(wanted):
        raise _ambiguous(name, several)
    known = _iana().get(wanted) or _called("abbreviations").get(wanted) or _called("cities").get(wanted)
    if known:
        return ZoneInfo(known)
    found = _of_country(wanted)
    if len(found) < 1 and (near := _near(wanted)):
        return ZoneInfo(near[1])
    if len(found) < 1:
        raise ToolFailed(
            f"There is no time zone “{name.strip()[:60]}”. Give an IANA name such as Europe/Paris, a large city, or an "
            "offset such as +09:00.",
            "input",
        )
    if len(found) > 1 and not _keep_time_together(found):
        raise _ambiguous(name, found)
    return ZoneInfo(next(iter(found)))


def misspelt(name: str) -> str:
    """What the name of a place was taken for, as a sentence; "" where it is written as it is known."""
    wanted = _folded(name)
    names = (_iana(), _called("abbreviations"), _called("cities"))
    if not wanted or _OFFSET.fullmatch(wanted) or any(wanted in known for known in names) or _of_country(wanted):
        return ""
    near = _near(wanted)
    return f"“{name.strip()[:60]}” is taken as {near[0].title()}." if near else ""


def _near(wanted: str) -> tuple[str, str] | None:
    """The one city, with its zone, of which a name is a misspelling."""
    if not wanted.isascii() or wanted.isdigit():
        return None
    cities = {name: zone for name, zone in _iana().items() if zone.startswith(_CONTINENTS)} | _called("cities")
    found = nearest(wanted, cities, twice=False) if len(wanted) >= _SHORTEST_MISSPELT else []
    return (found[0], cities[found[0]]) if found and len({cities[name] for name in found}) == 1 else None


def _keep_time_together(zones: tuple[str, ...]) -> bool:
    """As Germany's two do, summer and winter."""
    days = [datetime(2026, month, 15, 12, tzinfo=UTC) for month in (1, 4, 7, 10)]
    return len({tuple(day.astimezone(ZoneInfo(name)).utcoffset() for day in days) for name in zones}) == 1


def _fixed(sign: str, hours: int, minutes: int, name: str) -> tzinfo:
    if hours > 14 or minutes > 59:
        raise ToolFailed(f"There is no offset {name.strip()[:20]}: they lie between -12:00 and +14:00.", "input")
    shift = timedelta(hours=hours, minutes=minutes)
    return timezone(-shift if sign == "-" else shift)


def _ambiguous(name: str, zones: Sequence[str]) -> ToolFailed:
    more = len(zones) - _MOST_NAMED
    named = ", ".join(zones[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return ToolFailed(f"“{name.strip()[:60]}” has more than one time zone: {named}. Choose one of them.", "input")


def _folded(name: str) -> str:
    """Without case, accents, underscores and dots."""
    plain = "".join(letter for letter in normalize("NFKD", name.strip()) if not combining(letter))
    text = normalize("NFC", plain).replace("−", "-").casefold()
    return " ".join(text.replace("_", " ").replace(".", "").removeprefix("the ").split())


@cache
def _iana() -> dict[str, str]:
    """Each zone under its name, and under its last part where no other has it."""
    names = sorted(name for name in available_timezones() if not name.startswith(("posix", "right", "SystemV")))
    found = {_folded(name): name for name in names}
    last: dict[str, list[str]] = {}
    for name in names:
        if name.partition("/")[0] not in ("Etc", "US", name):
            last.setdefault(_folded(name.rpartition("/")[2]), []).append(name)
    countries = {place for places in _tables()[1].values() for place in places}
    for short, several in last.items():
        # Of links to the same place, the one that a country names.
        chosen = [name for name in several if name in countries] or several
        if len(chosen) == 1:
            found.setdefault(short, chosen[0])
    return found


@cache
def _called(table: str) -> dict[str, str]:
    """The zones by the names that stand behind them in a table of the file."""
    return {_folded(other): name for name, others in _NAMES[table].items() for other in others.split("|")}


def _of_country(wanted: str) -> tuple[str, ...]:
    codes, zones = _tables()
    return zones.get(_NAMES["countries"].get(wanted, codes.get(wanted, "")), ())


@cache
def _tables() -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """From country to its code, from code to its zones: tables of the time zone database itself."""
    folder = files("tzdata") / "zoneinfo"
    codes = {_folded(name): code for code, name, *_ in _lines((folder / "iso3166.tab").read_text(encoding="utf-8"))}
    zones: dict[str, tuple[str, ...]] = {}
    for code, _, name, *_ in _lines((folder / "zone.tab").read_text(encoding="utf-8")):
        zones[code] = (*zones.get(code, ()), name)
    return codes, zones


def _lines(table: str) -> list[list[str]]:
    return [line.split("\t") for line in table.splitlines() if line and not line.startswith("#")]


_TWO_WAYS = regex(r"(\d{1,2})[/.](\d{1,2})[/.](\d{2,4})\b")
_ISO_WEEK = regex(r"(\d{4})-?W(\d{1,2})(?:-?([1-7]))?", re.I)
_TIME = regex(
    r"[T ,]*(?:at )?(?P<hour>\d{1,2})"
    r"(?::(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d+)?)?| ?時(?:(?P<jm>\d{1,2})分)?)?"
    r" ?(?P<half>(?:am|pm|a\.m\.|p\.m\.)(?![a-z]))?(?P<zone>.*)",
    re.I | re.S,
)
_CLOCK = regex(r"\d{1,2}(?::\d{2}| ?[ap]\.?m\b| ?時).{0,60}", re.I | re.S)
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
    if wanted.lower() in NEAR:
        return _day((now.astimezone(here) + timedelta(days=NEAR[wanted.lower()])).date(), here)
    if wanted.lower().startswith(("today ", "tomorrow ", "yesterday ")):
        name, _, rest = wanted.partition(" ")
        return _timed((now.astimezone(here) + timedelta(days=NEAR[name.lower()])).date(), rest, here, text)
    if week := _ISO_WEEK.fullmatch(wanted):
        return _day(_there(_of_week(int(week[1]), int(week[2]), int(week[3] or 1)), text), here)
    if clock := clock_on(now.astimezone(here).date(), wanted, here):
        return clock
    year, month, number, rest = day_parts(wanted) or (None, 0, 0, "")
    if year is not None:
        day = _there(day_of(year, month, number), text)
        return _timed(day, rest, here, text) if rest else _day(day, here)
    if _TWO_WAYS.match(wanted):
        raise ToolFailed(
            f"{wanted[:40]} is one day in some countries and another in others. Write the year first: 2026-01-05.",
            "input",
        )
    raise _unread(text)


def clock_on(day: date, text: str, here: tzinfo) -> Moment | None:
    """A time of that day, such as 22:45 or 6:30 am; ``None`` where the text is none. Raises as ``moment`` does."""
    return _timed(day, text, here, text) if _CLOCK.fullmatch(text) else None


def _day(found: date, here: tzinfo) -> Moment:
    return Moment(datetime.combine(found, time(), here), True)


def _of_week(year: int, week: int, number: int) -> date | None:
    try:
        return date.fromisocalendar(year, week, number)
    except ValueError:
        return None


def _there(found: date | None, text: str) -> date:
    if found is None:
        raise ToolFailed(f"There is no day {text.strip()[:40]}.", "input")
    return found


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
    found_at = _real(at)
    return replace(found_at, note=" ".join(filter(None, (misspelt(named) if named else "", found_at.note))))


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
