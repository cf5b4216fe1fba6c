"""Working days, Sundays and other weekdays of a stretch, and the next Friday the 13th: by the tool ``now``."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from functools import partial

from agent.demo.lookups.day_questions import days_called, days_told
from agent.demo.rules.plan import Plan, Question, Said, Steps
from agent.text.in_japanese.japanese_wordings import both_ends
from agent.text.problems.rewording import days_named, only_calendar_words
from agent.text.quantities.dates import MONTH, WEEKDAYS, month_number, written

_WORKING = re.compile(r"\b(?:working|business|work|week)[ -]?days?\b", re.I)
_NAMED = re.compile(r"\b(mon|tues|wednes|thurs|fri|satur|sun)days\b", re.I)
_NAMES = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_THIRTEENTH = re.compile(
    r"(?:when(?:'s| is)?|what(?:'s| is)?(?: the date of)?|what date is)?"
    r"(?: the)? ?next friday,?(?: the)? 13(?:th)?[ ?.!]*",
    re.I,
)
_MONTH = re.compile(rf"\b(?:(?P<name>{MONTH})(?: (?P<year>\d{{4}}))?|(?P<near>this|next) month)\b", re.I)
_MOST = 3660  # days of a stretch


def thirteenth(question: Question) -> Plan | None:
    """ "When is the next Friday the 13th?"."""
    if question.today is None or not _THIRTEENTH.fullmatch(question.text):
        return None
    found = question.today + timedelta(days=1)
    while found.day != 13 or found.weekday() != 4:
        found += timedelta(days=1)
    return Plan(partial(_thirteenth, question, found))


def _thirteenth(question: Question, found: date) -> Steps:
    weekday = (yield days_called(question, found)).partition(",")[0]
    return Said(question.tell("is_weekday", day=written(found, "en"), weekday=weekday))


def days_with_both_ends(question: Question) -> Plan | None:
    """「12月24日から1月7日まで、初日と最終日も入れて何日？」."""
    found = both_ends(question.text, question.today) if question.today and question.language == "ja" else None
    return Plan(partial(_with_both_ends, question, *found)) if found else None


def _with_both_ends(question: Question, first: date, last: date) -> Steps:
    told = yield days_called(question, first, last + timedelta(days=1))
    ends = {"first": written(first, "ja"), "last": written(last, "ja")}
    return Said(question.tell("both_ends", **ends, number=days_told(told)))


_MOST_UNDATED = 300  # days; "from 11 December to 1 December" is a slip

# "Are left this month", "were there in March": a part of the stretch, or one that has gone.
_PART_OF = re.compile(r"\b(?:left|remain\w*|still|been|did|was|were|had|past|passed|ago|so far|already|since)\b", re.I)


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
    number, year = today.month, today.year
    if month["near"]:
        year, number = (year, number) if month["near"].lower() == "this" else divmod(year * 12 + number, 12)
        number += month["near"].lower() == "next"
    else:
        number = month_number(month["name"])
        year = int(month["year"]) if month["year"] else year + (number < today.month)
    return date(year, number, 1), date(year, number, monthrange(year, number)[1])


def _counted(question: Question, ends: tuple[date, date], wanted: tuple[int, ...]) -> Steps:
    first, last = ends
    yield days_called(question, first, last)
    days = (first + timedelta(days=step) for step in range((last - first).days + 1))
    number = sum(day.weekday() in wanted for day in days)
    what = "Monday to Friday" if len(wanted) > 1 else WEEKDAYS["en"][(next(iter(wanted)) + 1) % 7]
    return Said(
        question.tell("counted_days", first=written(first, "en"), last=written(last, "en"), what=what, number=number)
    )
