"""Figures that a question says in words or leaves to be understood: "noon", "a tenner", "compounded monthly"."""

from __future__ import annotations

from collections.abc import Iterator

from agent.text.regex import regex

# What people say, in small letters, and the figure that an answer writes for it.
_SAID = (
    (regex(r"\b(?:noon|midday)\b|正午"), "12:00"),
    (regex(r"\bmidnight\b"), "00:00"),
    (regex(r"\btenner\b"), "10"),
    (regex(r"\bfiver\b"), "5"),
)
_TIMES_A_YEAR = {"monthly": 12, "quarterly": 4, "weekly": 52, "daily": 365}
_COMPOUNDED = regex(rf"\bcompound\w* (?:interest )?({'|'.join(_TIMES_A_YEAR)})\b")
_HALF_OF_DAY = regex(
    r"(?<![0-9:.,])(?P<hour>1[0-2]|[1-9])(?P<minutes>:[0-5][0-9])?(?: o'clock)? "
    r"(?:in the (?P<half>morning|afternoon|evening)|at night)\b"
)


def figures_said(text: str) -> Iterator[str]:
    """Each as it is written out: "12:00", "9 am", "12 times". ``text`` is in lower case."""
    for said, figure in _SAID:
        if said.search(text):
            yield figure
    for often in _COMPOUNDED.finditer(text):
        yield f"{_TIMES_A_YEAR[often[1]]} times"
    for time in _HALF_OF_DAY.finditer(text):
        yield f"{time['hour']}{time['minutes'] or ''} {'am' if time['half'] == 'morning' else 'pm'}"
