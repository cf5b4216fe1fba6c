"""The ``now`` tool: what time and day it is anywhere, weekdays, dates before and after, the time between two."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo

from pydantic import JsonValue

from agent.errors import ToolFailed
from agent.text.lenient_json import read as read_json
from agent.text.problems.clock_figures import in_figures
from agent.text.problems.clock_questions import Elsewhere, Later, Spans, read_clock_question
from agent.text.quantities.dates import day
from agent.text.regex import regex
from agent.text.sums.phrases import Language, language_of, plain
from agent.text.sums.question_forms import read_day, read_shift, read_span, read_weekday
from agent.toolkit.base import Tool, ToolResult, tool
from agent.tools.now.dated import Moment, clock_on, misspelt, moment
from agent.tools.now.dated import zone as zone_called
from agent.tools.now.durations import apart, duration, shifted

_GREGORIAN = date(1582, 10, 15)
_MOST_TEXT = 200
_FROM = regex(r"(?P<span>.+?) (?P<way>before|after|from|since) (?P<date>.+)", re.I)
_AGO = regex(r"(?:in )?(?P<span>.+?) ?(?P<way>ago|earlier|before|later|from now|hence|後|前)?", re.I)
# A question of the present, and one of the present in a place, as small models write them as the input.
_WORD = r"(?:what(?:'s)?|which|is|it|the|tell|me|get|current|present|local|exact|right|today(?:'s)?|now|and|of)"
_ASKED = r"(?:date|day|time|datetime|weekday|week)"
_PRESENT_JA = r"(?:今日|現在|本日|今)?[のは、]*(?:日付|日時|時刻|時間|曜日|何日|何時|何曜日)?(?:ですか|は)?"
_PRESENT = regex(rf"(?:{_WORD} )*(?:{_ASKED}|today|now)(?:[ ,]+(?:{_WORD}|{_ASKED}))*|{_PRESENT_JA}", re.I)
_PRESENT_IN = regex(
    rf"(?:{_WORD} )*{_ASKED}(?: {_WORD}| {_ASKED})* (?:in|at|for) (?P<place>\D{{2,60}}?)(?: (?:right )?now| today)?"
    rf"|(?P<before>\D{{2,60}}?) {_ASKED}"
    rf"|(?P<ja>[^\d、]{{1,20}}?)[のはで]+(?:現在|今)?の?(?:時刻|時間|日時|何時)(?:ですか)?",
    re.I,
)
_CALL = regex(r"^now\s*\(\s*(.*?)\s*\)$", re.I | re.S)
_AROUND = " ?.!,;:'\"`()。、？"
_BACK = ("before", "ago", "earlier", "前")


def clock() -> datetime:
    return datetime.now(UTC)


def now_tool(read_clock: Callable[[], datetime] = clock) -> Tool:
    """The tool; ``read_clock`` gives the time with its zone."""

    @tool(timeout=10.0, pure=True, reads=lambda text: read_words(text, read_clock().date()))
    def now(zone: str = "", date: str = "", add: str = "", until: str = "") -> ToolResult:
        """Tells time and date of a place now, or weekday and week of a date; adds durations; counts days between dates.

        Args:
            zone: IANA zone, city or country; UTC where empty; for example Asia/Tokyo
            date: a date or time instead of now, as YYYY-MM-DD HH:MM
            add: what to add, such as 90 days or -3 weeks
            until: a date to count the time to
        """
        for text in (zone, date, add, until):
            if len(text) > _MOST_TEXT:
                raise ToolFailed(f"That is too long: at most {_MOST_TEXT} characters can be read as a date.", "input")
        return ToolResult(tell(read_clock(), zone, date, add, until))

    return now


def read_words(text: str, today: date) -> dict[str, JsonValue] | None:
    """The arguments of "days until Christmas", "3pm New York in London" and "Nairobi"; ``None`` for no such words."""
    said = plain(text[:_MOST_TEXT])
    language = language_of(said)
    if span := read_span(said, language, today):
        return {"date": span.first.isoformat(), "until": span.last.isoformat()}
    if shift := read_shift(said, language, today):
        return {"date": shift.start.isoformat(), "add": shift.added}
    named = read_day(said, language, today)
    if found := read_weekday(said, language, today) or (named[1] if named else None):
        return {"date": found.isoformat()}
    return _of_clock(said, language, today) or _of_other_field(text, today) or _of_name(said, today)


def _of_name(said: str, today: date) -> dict[str, JsonValue] | None:
    """The arguments that a place, a day or a question of the present is, as small models write them."""
    name = _CALL.sub(r"\1", said).strip(_AROUND)
    if not name or _PRESENT.fullmatch(name):
        return {}
    whole = name
    if place := _PRESENT_IN.fullmatch(name):
        name = (place["place"] or place["before"] or place["ja"]).strip(_AROUND)
    # Before the places: Christmas is an island, too.
    if found := day(whole, today) or day(name, today):
        return {"date": found.isoformat()}
    zones = [each for each in (name, name.partition(",")[0]) if _is_zone(each)]
    if zones or place:
        return {"zone": (zones or [name])[0]}
    return None


def _of_other_field(text: str, today: date) -> dict[str, JsonValue] | None:
    """The place or day that stands alone in an object under a name that is no field."""
    found = read_json(text) if text.lstrip().startswith("{") else None
    given = found.value if found and isinstance(found.value, dict) else {}
    values = [value for name, value in given.items() if name != "thought"]
    if len(values) != 1 or given.keys() & {"zone", "date", "add", "until"}:
        return None
    name = values[0]
    if not isinstance(name, str) or len(name) > _MOST_TEXT:
        return None
    if found := day(name, today):
        return {"date": found.isoformat()}
    return {"zone": name} if _is_zone(name) else None


def _is_zone(name: str) -> bool:
    try:
        zone_called(name)
    except ToolFailed:
        return False
    return True


def _of_clock(said: str, language: Language, today: date) -> dict[str, JsonValue] | None:
    match read_clock_question(said, language):
        case Elsewhere(clock, there, place, day):
            return {"zone": place, "date": f"{day or today} {in_figures(clock)} {there}"}
        case Spans(((first, last),)):
            return {"date": f"{today} {in_figures(first)}", "until": in_figures(last)}
        case Later(clock, length, back):
            return {"date": f"{today} {in_figures(clock)}" if clock else "", "add": f"-{length}" if back else length}
        case _:
            return None


def tell(now: datetime, zone: str = "", date: str = "", add: str = "", until: str = "") -> str:
    """The whole answer. Raises ``ToolFailed``."""
    add, date, today_is_start = _anchored(add.strip(), date.strip())
    here: tzinfo = zone_called(zone) if zone.strip() else UTC
    if date.lower() == "today" and add and not duration(add).dates_only:
        date = ""  # hours are added to the time it is
    start = moment(date, here, now)
    if not start.whole_day and zone.strip():
        start = Moment(start.at.astimezone(here), False, start.note)
    if today_is_start and add and duration(add).dates_only:
        start = Moment(start.at.replace(hour=0, minute=0, second=0, microsecond=0), True)
    notes = [misspelt(zone), start.note]
    lines: list[str] = []
    if add:
        by = duration(add)
        at, note = shifted(start.at, by)
        there = Moment(at, start.whole_day and by.dates_only)
        notes.append(note)
        lines.append(f"{_named(start)} {_signed(add)} is {_told(there)}")
        start = there
    if until.strip():
        lines.append(_between(start, _end(start, until, here, now)))
    if not lines:
        lines.append(_told(start))
    if start.at.date() < _GREGORIAN:
        notes.append("Before 15 October 1582 people counted by the Julian calendar; this is the Gregorian one.")
    return "\n".join([*lines, *filter(None, notes)])


def _end(start: Moment, until: str, here: tzinfo, now: datetime) -> Moment:
    """A time of day alone is the next one after the start."""
    last = clock_on(start.at.date(), until.strip(), here) if not start.whole_day else None
    if last and last.at <= start.at:
        last = clock_on(start.at.date() + timedelta(days=1), until.strip(), here)
    return last or moment(until, here, now)


def _anchored(add: str, date: str) -> tuple[str, str, bool]:
    """ "3 weeks before 2026-01-05" and "in 90 days" in plain words: duration, date, whether it is from today."""
    match = _FROM.fullmatch(add)
    if match and not date and match["date"].lower() not in ("now", "today"):
        return _turned(match["span"].removeprefix("in "), match["way"]), match["date"], False
    match = _FROM.fullmatch(add) or _AGO.fullmatch(add)
    if not match:
        return add, date, not date and bool(add)
    return _turned(match["span"].removeprefix("in "), match["way"] or ""), date, not date


def _turned(span: str, way: str) -> str:
    if way.lower() not in _BACK or span.startswith("-"):
        return span
    return f"-{span}"


def _signed(add: str) -> str:
    return f"minus {add.removeprefix('-').strip()}" if add.startswith("-") else f"plus {add.removeprefix('+').strip()}"


def _named(found: Moment) -> str:
    day = f"{found.at:%A}, {found.at.day} {found.at:%B} {found.at.year}"
    return day if found.whole_day else f"{day}, {_clock(found.at)} {_place(found.at)}"


def _clock(at: datetime) -> str:
    return f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}"


def _place(at: datetime) -> str:
    name = str(getattr(at.tzinfo, "key", ""))
    shift = f"{at:%z}"
    offset = f"UTC{shift[:3]}:{shift[3:5]}" if shift.strip("+-0") else "UTC"
    if not name or name == "UTC":
        return offset
    short = at.tzname() or ""
    letters = f"{short}, " if short.isalpha() else ""
    return f"in {name} ({letters}{offset})"


def _told(found: Moment) -> str:
    at = found.at
    year, week, _ = at.isocalendar()
    iso = at.date().isoformat() if found.whole_day else at.replace(microsecond=0).isoformat()
    leap = f"; {at.year} is a leap year" if at.month == 2 and (at.day == 29) else ""
    return f"{_named(found)} ({iso}). ISO week {year}-W{week:02}, day {at.timetuple().tm_yday} of the year{leap}."


def _between(first: Moment, last: Moment) -> str:
    whole = first.whole_day or last.whole_day
    if whole:
        # A time beside a date counts as its day.
        begin, end = first.at.date(), last.at.date()
        days = (end - begin).days
        said = f"From {begin.isoformat()} to {end.isoformat()}: {days:,} day{'' if abs(days) == 1 else 's'}"
        return f"{said}{_in_words(begin, end)}."
    seconds = int((last.at.astimezone(UTC) - first.at.astimezone(UTC)).total_seconds())
    begin, end = (found.at.replace(microsecond=0).isoformat() for found in (first, last))
    return f"From {begin} to {end}: {_elapsed(seconds)} ({seconds:,} seconds)."


def _in_words(begin: date, end: date) -> str:
    sign = "minus " if end < begin else ""
    first, last = sorted((begin, end))
    days = (last - first).days
    if days < 7:
        return ""
    parts = [f"{sign}{_counted((days // 7, 'week'), (days % 7, 'day'))}"]
    years, months, rest = apart(first, last)
    if years or months:
        parts.append(f"{sign}{_counted((years, 'year'), (months, 'month'), (rest, 'day'))}")
    return f" ({'; '.join(parts)})"


def _elapsed(seconds: int) -> str:
    sign, left = ("minus ", -seconds) if seconds < 0 else ("", seconds)
    days, left = divmod(left, 86400)
    hours, left = divmod(left, 3600)
    minutes, left = divmod(left, 60)
    return sign + (_counted((days, "day"), (hours, "hour"), (minutes, "minute"), (left, "second")) or "no time")


def _counted(*parts: tuple[int, str]) -> str:
    said = [f"{count:,} {name}{'' if count == 1 else 's'}" for count, name in parts if count]
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)
