"""Weekdays of a stretch or a month, and the days of a stretch with both its ends: by the tool ``now``."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Collection
from datetime import date, timedelta
from functools import partial

from agent.demo.lookups.day_questions import days_called, days_told, told_on
from agent.demo.phrasebook import phrase
from agent.demo.rules.plan import Plan, Question, Said, Steps
from agent.text.problems.rewording import only_calendar_words
from agent.text.problems.said_days import days_named
from agent.text.quantities.dates import MONTH, WEEKDAYS, month_number, written
from agent.text.regex import regex

_WORKING = regex(r"\b(?:working|business|work|week)[ -]?days?\b", re.I)
_NAMED = regex(r"\b(mon|tues|wednes|thurs|fri|satur|sun)days\b", re.I)
_NAMES = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_THIRTEENTH = phrase("thirteenth")
_IN_MONTH = rf"(?:(?P<name>{MONTH})(?: (?P<year>\d{{4}}))?|(?P<near>this|next) month)\b"
_MONTH = regex(rf"\b{_IN_MONTH}", re.I)
_MOST = 3660  # days of a stretch


def thirteenth(question: Question) -> Plan | None:
    """ "When is the next Friday the 13th?"."""
    if question.today is None or not _THIRTEENTH.fullmatch(question.text):
        return None
    found = question.today + timedelta(days=1)
    while found.day != 13 or found.weekday() != 4:
        found += timedelta(days=1)
    return Plan(partial(told_on, question, found, "is_weekday", "was_weekday"))


def days_with_both_ends(question: Question) -> Plan | None:
    """「12月24日から1月7日まで、初日と最終日も入れて何日？」."""
    if not question.today or question.language != "ja":
        return None
    from agent.text.in_japanese.japanese_wordings import both_ends

    found = both_ends(question.text, question.today)
    return Plan(partial(_with_both_ends, question, *found)) if found else None


def _with_both_ends(question: Question, first: date, last: date) -> Steps:
    told = yield days_called(question, first, last + timedelta(days=1))
    ends = {"first": written(first, "ja"), "last": written(last, "ja")}
    return Said(question.tell("both_ends", **ends, number=days_told(told)))


_MOST_UNDATED = 300  # days; "from 11 December to 1 December" is a slip

# "Are left this month", "were there in March": a part of the stretch, or one that has gone.
_PART_OF = regex(r"\b(?:left|remain\w*|still|been|did|was|were|had|past|passed|ago|so far|already|since)\b", re.I)


def counted_days(question: Question) -> Plan | None:
    """ "How many working days from 1 to 11 December?", "how many Sundays in December 2026?"."""
    working, named = _WORKING.search(question.text), _NAMED.search(question.text)
    if question.language != "en" or question.today is None or bool(working) == bool(named):
        return None
    found = working or named
    if (
        found is None
        or _PART_OF.search(question.text)
        or not re.search(r"\b(?:how many|number of|count)\b", question.text, re.I)
    ):
        return None
    rest = question.text[: found.start()] + "days" + question.text[found.end() :]
    ends = _stretch(rest, question.today)
    if ends is None or not 0 <= (ends[1] - ends[0]).days < _MOST:
        return None
    wanted = tuple(range(5)) if working else (_NAMES.index(named[1].lower()),) if named else ()
    return Plan(partial(_counted, question, ends, wanted))


def _stretch(text: str, today: date) -> tuple[date, date] | None:
    """Both days, the last one counted, where the other words are those of the calendar."""
    bare, days = days_named(text, today)
    if len(days) == 2 and only_calendar_words(bare) and re.search(r"§ (?:to|and|until|till|-) §", bare):
        over_a_year_end = (days[1] - days[0]).days > _MOST_UNDATED and not re.search(r"\d{4}", text)
        return None if days[0] > days[1] or over_a_year_end else (days[0], days[1])
    month = _MONTH.search(text)
    if days or month is None or not only_calendar_words(f"{text[: month.start()]} {text[month.end() :]}"):
        return None
    return _of_month(month, today)


def _of_month(month: re.Match[str], today: date, later: int = 0) -> tuple[date, date] | None:
    """Its first and last day; of a month without a year the next one that is to come, ``later`` years on."""
    number, year = today.month, today.year
    if month["near"]:
        year, number = (year, number) if month["near"].lower() == "this" else divmod(year * 12 + number, 12)
        number += month["near"].lower() == "next"
    else:
        number = month_number(month["name"])
        year = int(month["year"]) if month["year"] else year + (number < today.month) + later
    if not date.min.year < year < date.max.year:
        return None
    return date(year, number, 1), date(year, number, monthrange(year, number)[1])


def _days_of(ends: tuple[date, date], wanted: Collection[int]) -> list[date]:
    """The days from the first to the last that are one of these weekdays, Monday is 0."""
    days = (ends[0] + timedelta(days=step) for step in range((ends[1] - ends[0]).days + 1))
    return [day for day in days if day.weekday() in wanted]


_PLACES = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "last": -1}
_NTH = regex(
    rf"\b(?P<place>{'|'.join(_PLACES)}) (?P<weekday>{'|'.join(_NAMES)})day (?:of|in) {_IN_MONTH}",
    re.I,
)
_POLITE = regex(r"\b(?:please|thanks|cheers|hi|hello|hey|pls)\b|(?<=[a-z])'s\b", re.I)
_OTHER_WAY = regex(r"\b(?:how|before|after|until|till|since|ago|from|to|between|plus|minus|days|weeks)\b", re.I)


def nth_weekday(question: Question) -> Plan | None:
    """ "When's the last Friday of next month?", "the first Monday in March 2027"."""
    found = _NTH.search(question.text)
    if found is None or question.language != "en" or question.today is None:
        return None
    rest = _POLITE.sub(" ", f"{question.text[: found.start()]} {question.text[found.end() :]}")
    if not only_calendar_words(rest) or _OTHER_WAY.search(rest):
        return None
    for later in (0, 1):
        ends = _of_month(found, question.today, later)
        if ends is None:
            return None
        day = _days_of(ends, (_NAMES.index(found["weekday"].lower()),))[_PLACES[found["place"].lower()]]
        if day >= question.today or found["near"] or found["year"]:
            break
    return Plan(partial(told_on, question, day, "near_day", "near_day_over", f"the {found[0]}"))


def _counted(question: Question, ends: tuple[date, date], wanted: tuple[int, ...]) -> Steps:
    first, last = ends
    yield days_called(question, first, last)
    number = len(_days_of(ends, wanted))
    what = "Monday to Friday" if len(wanted) > 1 else WEEKDAYS["en"][(next(iter(wanted)) + 1) % 7]
    return Said(
        question.tell("counted_days", first=written(first, "en"), last=written(last, "en"), what=what, number=number)
    )
