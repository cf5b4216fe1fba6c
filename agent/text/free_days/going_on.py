"""Follow-ups to a question of one day: so much later, her next birthday, another month, another length of time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from agent.text.free_days.free_day import asks_for_day, read_days, shifted
from agent.text.problems.said_days import LENGTH, length_named
from agent.text.quantities.dates import MONTH, Yearly
from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits

_MOST_WORDS = 6  # of a follow-up that does not say what it asks
_BIRTHDAY = regex(
    r"\b(?:the |his |her |my |our |their |its |[a-z]+['’]s )?(?:next )?(?:birthday|b['’]?day)\b"
    r"(?=[ .,?!]*(?:$|how|and|from now))",
    re.I,
)
_BORN = regex(r"\bborn\b", re.I)
_MONTH = regex(
    rf"(?<!\d )(?<!\d\w\w )(?<!\d\w\w of )\b(?P<month>{MONTH})(?P<year>,? \d{{4}})?\b(?! ?\d{{1,2}}\b)", re.I
)
_ONLY = regex(
    r"(?:(?:and|or|what|how|about|in|for|ok|okay|so|then|if|it|is|was|were|the|one|of|now|please)\b|[\s,.?!])*", re.I
)
_INSTEAD = regex(r"\b(?:rather than|instead of|in place of|and not|not)$", re.I)


def gone_on_days(text: str, before: str, today: date) -> Iterator[str]:
    """``before`` with what ``text`` says of its day put in, or the plain question that both come to."""
    first = read_days(before, today)
    if first and len(first.days) == 1 and not first.lengths and asks_for_day(first):
        asks_weekday = asks_for_day(first) == "weekday"
        yield later_than(text, first.day(), today, asks_weekday=asks_weekday) or ""
    if first and len(first.days) == 1 and _BORN.search(before):
        (born,) = first.days
        born = Yearly(born.month, born.day) if isinstance(born, date) else born
        if _BIRTHDAY.search(text):
            yield _BIRTHDAY.sub(f"{born.number} {date(2000, born.month, 1):%B}", text, count=1)
    yield from _other_month(text, before)
    yield from _instead(text, before)


def later_than(text: str, day: date | None, today: date, *, asks_weekday: bool) -> str | None:
    """ "And nine days later?" of a day that was told."""
    told = read_days(text, today)
    if told is None or not (len(text.split()) <= _MOST_WORDS or asks_for_day(told)):
        return None
    return shifted(told, day, asks_weekday=asks_weekday)


def _other_month(text: str, before: str) -> Iterator[str]:
    """ "And in February?" after the last Friday of January 2027."""
    new, old = list(_MONTH.finditer(text)), list(_MONTH.finditer(before))
    if (
        len(new) != 1
        or len(old) != 1
        or re.search(r"\d", _MONTH.sub("", text))
        or not _ONLY.fullmatch(_MONTH.sub("", text))
    ):
        return
    year = new[0]["year"] or old[0]["year"] or ""
    yield f"{before[: old[0].start()]}{new[0]['month']}{year}{before[old[0].end() :]}"


def _instead(text: str, before: str) -> Iterator[str]:
    """ "If it were two months rather than eight weeks?": the length of time that it names is another."""
    before = in_digits(before.lower())
    new = [(found, length) for found in LENGTH.finditer(text.lower()) if (length := length_named(found))]
    old = [(found, length) for found in LENGTH.finditer(before) if (length := length_named(found))]
    if len(new) == 2 and new[0][1] != new[1][1]:
        instead = _INSTEAD.search(text[new[0][0].end() : new[1][0].start()].strip())
        old = [each for each in old if each[1] == new[1][1]] if instead else []
        if len(old) == 1:
            yield f"{before[: old[0][0].start()]}{new[0][1]}{before[old[0][0].end() :]}"
