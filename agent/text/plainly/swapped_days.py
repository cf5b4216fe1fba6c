"""The day of a question a year, a week or a day later, and a day in the year of the one before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from agent.text.quantities.dates import Yearly, dated, day
from agent.text.regex import regex

_MOVED = regex(r"(?:the )?(?:(?P<unit>year|week|day) )(?P<way>after|before|later|earlier)(?: that)?", re.I)
_DAY_AT_END = regex(r"(?P<start>.*?\b(?:until|till|since|was|is|on|will) )(?P<day>.+?)(?P<end> be| fall on)?\W*", re.I)


def day_moved(new: str, before: str, today: date | None) -> Iterator[str]:
    """ "And the year after?" of the day that was asked about."""
    moved, said = _MOVED.fullmatch(new), _DAY_AT_END.fullmatch(before)
    found = day(said["day"], today) if said else None
    if not (moved and said and found):
        return
    step = -1 if moved["way"].lower() in ("before", "earlier") else 1
    try:
        if moved["unit"].lower() == "year":
            other = found.replace(year=found.year + step)
        else:
            other = found + timedelta(days=step * (7 if moved["unit"].lower() == "week" else 1))
    except (ValueError, OverflowError):
        return  # no 29 February in that year, or the end of the calendar
    yield f"{said['start']}{other.day} {other:%B} {other.year}{said['end'] or ''}?"


def in_same_year(new: str, old: str, today: date | None) -> str:
    """ "21 July" after "20 July 1969" is of that year; "Christmas" and "today" are not said to be: "" for those."""
    year = re.search(r"\d{4}", old)
    if year is None or re.search(r"\d{4}", new):
        return new
    return f"{new}, {year[0]}" if isinstance(dated(new, today), Yearly) and re.search(r"\d", new) else ""
