"""Ages in months and weeks, the first Monday of a month, and the last day before a deadline: by the tool ``now``."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from agent.demo.lookups.day_questions import days_called, shift
from agent.demo.phrasebook import phrase
from agent.demo.rules.plan import Plan, Question, Said, Steps
from agent.text.problems.rewording import LENGTH, days_named, length_named, only_calendar_words
from agent.text.quantities.dates import MONTH, WEEKDAYS, month_number, written
from agent.text.quantities.spelled_words import spelled_numbers

_PLACES = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "last": -1}
_NTH = re.compile(
    rf"\b(?P<place>{'|'.join(_PLACES)}) (?P<weekday>{'|'.join(WEEKDAYS['en'])}) (?:of|in) "
    rf"(?:(?P<near>this|next) month|(?P<month>{MONTH})(?: (?P<year>\d{{4}}))?)\b",
    re.I,
)
_LONGEST = 250  # characters


def nth_weekday(question: Question) -> Plan | None:
    """ "When's the last Friday of next month?", "the first Monday in March 2027"."""
    found = _NTH.search(question.text)
    if found is None or question.language != "en" or question.today is None:
        return None
    rest = _POLITE.sub(" ", f"{question.text[: found.start()]} {question.text[found.end() :]}")
    if not only_calendar_words(rest) or _OTHER_WAY.search(rest):
        return None
    day = _nth(found, question.today)
    return Plan(partial(_nth_told, question, found[0], day)) if day else None


_POLITE = re.compile(r"\b(?:please|thanks|cheers|hi|hello|hey|pls)\b|(?<=[a-z])'s\b", re.I)
_OTHER_WAY = re.compile(r"\b(?:how|before|after|until|till|since|ago|from|to|between|plus|minus|days|weeks)\b", re.I)


def _nth(found: re.Match[str], today: date) -> date | None:
    """The day; of a month without a year the next one that is to come."""
    if near := found["near"]:
        months = today.year * 12 + today.month - 1 + (near.lower() == "next")
        return _of_month(found, months // 12, months % 12 + 1)
    number = month_number(found["month"])
    if found["year"]:
        return _of_month(found, int(found["year"]), number)
    day = _of_month(found, today.year, number)
    return day if day and day >= today else _of_month(found, today.year + 1, number)


def _of_month(found: re.Match[str], year: int, month: int) -> date | None:
    if not date.min.year < year < date.max.year or not month:
        return None
    wanted = (WEEKDAYS["en"].index(found["weekday"].capitalize()) - 1) % 7
    first = date(year, month, 1)
    days = [first + timedelta(days=step) for step in range(monthrange(year, month)[1])]
    return [day for day in days if day.weekday() == wanted][_PLACES[found["place"].lower()]]


def _nth_told(question: Question, name: str, found: date) -> Steps:
    weekday = (yield days_called(question, found)).partition(",")[0]
    over = question.today is not None and found < question.today
    told = {"near": f"the {name}", "weekday": weekday, "day": written(found, "en")}
    return Said(question.tell("near_day_over" if over else "near_day", **told), None, (question.tell("ask_christmas"),))


_AGE = phrase("age_in_units")
_BORN = phrase("born")
_NOT_NOW = phrase("age_not_now")


def age_in_units(question: Question) -> Plan | None:
    """ "My lad was born on 3 March 2019. How old is he in months now?": whole months or weeks."""
    asked = _AGE.search(question.text)
    if asked is None or question.language != "en" or question.today is None or len(question.text) > _LONGEST:
        return None
    bare, days = days_named(question.text, question.today)
    plain = bool(_BORN.search(bare)) and not _NOT_NOW.search(bare) and not re.search(r"\d", bare)
    if len(days) != 1 or not plain or any(spelled_numbers(bare)) or days[0] > question.today:
        return None
    unit = (asked["unit"] or asked["of"]).lower()
    return Plan(partial(_age_told, question, days[0], question.today, unit))


_LENGTH_TOLD = re.compile(r"; (?:(\d+) years?)?(?:,? ?(?:and )?(\d+) months?)?(?:,? ?(?:and )?(\d+) days?)?\)")
_WEEKS_TOLD = re.compile(r"\((\d[\d,]*) weeks?(?: and (\d) days?)?")


def _age_told(question: Question, born: date, now: date, unit: str) -> Steps:
    seen = yield days_called(question, born, now)
    pattern = _WEEKS_TOLD if unit == "weeks" else _LENGTH_TOLD
    found = pattern.search(seen)
    if found is None:
        return Said(question.tell("lengths"), declined=True)
    years, rest = (0, found[2]) if unit == "weeks" else (int(found[1] or 0), found[3])
    whole = int(found[1].replace(",", "")) if unit == "weeks" else years * 12 + int(found[2] or 0)
    ends = {"first": written(born, "en"), "last": written(now, "en")}
    figure = f"{whole} whole {unit if whole != 1 else unit[:-1]}"
    over = f" and {rest} day{'' if rest == '1' else 's'}" if int(rest or 0) else ""
    return Said(question.tell("between", **ends, figure=figure + over), None, (question.tell("ask_christmas"),))


_AHEAD = re.compile(
    rf"{LENGTH.pattern} (?:before(?= (?:that|it|then|§|the (?:end|date|deadline))|\W|$)"
    r"|beforehand|in advance|ahead|prior|notice|earlier"
    r"|(?:still |left |remaining )+on it|(?:still )?(?:to run|left)(?= on it| when|\W|$))",
    re.I,
)
_OF_NOTICE = re.compile(r"['’](?= notice)", re.I)  # "three months' notice"
_LATEST = phrase("latest_day")
_NOT_BACK = phrase("deadline_moved")


def deadline(question: Question) -> Plan | None:
    """ "My passport runs out on 30 September 2027 and needs six months still on it. What's the latest date?"."""
    if question.language != "en" or question.today is None or not _LATEST.search(question.text):
        return None
    if len(question.text) > _LONGEST or _NOT_BACK.search(question.text):
        return None
    bare, days = days_named(_OF_NOTICE.sub("", question.text), question.today)
    ahead = list(_AHEAD.finditer(bare))
    if len(days) != 1 or len(ahead) != 1 or days[0] <= question.today:
        return None
    length = length_named(ahead[0])
    rest = f"{bare[: ahead[0].start()]} {bare[ahead[0].end() :]}"
    if not length or re.search(r"\d", rest) or any(spelled_numbers(rest)):
        return None
    return shift(replace(question, text=f"what date is {length} before {days[0]}"))
