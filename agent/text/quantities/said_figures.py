"""Figures that a question says in words or leaves to be understood: "noon", "a tenner", "monthly", 「10月」."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from agent.text.regex import regex

# What people say, in small letters, and the figure that an answer writes for it.
_SAID = (
    (regex(r"\b(?:noon|midday)\b|正午"), "12:00"),
    (regex(r"\bmidnight\b"), "00:00"),
    (regex(r"\btenner\b"), "10"),
    (regex(r"\bfiver\b"), "5"),
    (regex(r"\bcompound\w* (?:interest )?monthly\b"), "12 times"),
    (regex(r"\bcompound\w* (?:interest )?quarterly\b"), "4 times"),
    (regex(r"\bcompound\w* (?:interest )?weekly\b"), "52 times"),
    (regex(r"\bcompound\w* (?:interest )?daily\b"), "365 times"),
)
_HALF_OF_DAY = regex(
    r"(?<![0-9:.,])(?P<hour>1[0-2]|[1-9])(?P<minutes>:[0-5][0-9])?(?: o'clock)? "
    r"(?:in the (?P<half>morning|afternoon|evening)|at night)\b"
)
_MONTH_ALONE = regex(r"(?<![0-9年])(?P<month>1[0-2]|[1-9])月(?!間)")


def figures_said(text: str, today: date | None) -> Iterator[str]:
    """Each as it is written out: "12:00", "9 am", "2026-10". ``text`` is in lower case."""
    for said, figure in _SAID:
        if said.search(text):
            yield figure
    for time in _HALF_OF_DAY.finditer(text):
        yield f"{time['hour']}{time['minutes'] or ''} {'am' if time['half'] == 'morning' else 'pm'}"
    if today is not None:
        yield from (f"{today.year:04}-{int(month['month']):02}" for month in _MONTH_ALONE.finditer(text))
