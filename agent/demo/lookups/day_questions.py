"""Days between dates, days of the week, ages, dates before and after, by the tool ``now``: each function an ability."""

from __future__ import annotations

import json
import re
from datetime import date
from functools import partial

from agent.demo.rules.plan import NOW, Call, Plan, Question, Said, Steps
from agent.demo.sums.conversion import converting
from agent.text.quantities.dates import FIRST, WEEKDAYS, day, month_number, written
from agent.text.sums.phrases import Value, either, matches, measured, shown
from agent.text.sums.question_forms import Shift, Span, asked, read_shift, read_span, read_weekday

_DAYS = re.compile(r": (-?[\d,]+) days?\b")
_YEARS = re.compile(r"(\d+) years?\b")
_DATE = re.compile(r"\((\d{4}-\d{2}-\d{2})\)")


def _call(question: Question, start: date, **more: str) -> Call:
    thought = either(question.language, "I count on the calendar.", "暦で数えます。")
    return Call(NOW, json.dumps({"date": start.isoformat(), **more}), thought)


def _days_told(seen: str) -> str:
    """The number of days as the tool tells it."""
    found = _DAYS.search(seen)
    return found[1].replace(",", "") if found else ""


def between(question: Question) -> Plan | None:
    """ "How many days until Christmas?", 「2024年1月1日から2024年3月1日まで何日？」."""
    span = read_span(question.text, question.language, question.today)
    return Plan(partial(_between, question, span), Value("1", span.unit)) if span else None


def _between(question: Question, span: Span) -> Steps:
    language, first, last, unit = question.language, span.first, span.last, span.unit
    amount = _days_told((yield _call(question, first, until=last.isoformat())))
    if unit == "weeks":
        amount = yield converting(question, f"{amount} days", "weeks")
    value = Value(amount, unit)
    figure = measured(value, language)
    told = either(
        language,
        f"From {written(first, 'en')} to {written(last, 'en')} is {figure}.",
        f"{written(first, 'ja')}から{written(last, 'ja')}までは{figure}です。",
    )
    days = either(language, "How many days is that?", "それを日で？")
    weeks = either(language, "How many weeks is that?", "それを週間で？")
    return Said(told, value, (days if unit == "weeks" else weeks,))


def weekday(question: Question) -> Plan | None:
    """ "What day of the week was 20 July 1969?", 「1969年7月20日は何曜日？」."""
    found = read_weekday(question.text, question.language, question.today)
    return Plan(partial(_weekday, question, found)) if found else None


def _weekday(question: Question, found: date) -> Steps:
    name = (yield _call(question, found)).partition(",")[0]
    over = question.today is not None and found < question.today
    place = WEEKDAYS["en"].index(name) if name in WEEKDAYS["en"] else found.isoweekday() % 7
    told = either(
        question.language,
        f"{written(found, 'en')} {'was' if over else 'is'} a {name}.",
        f"{written(found, 'ja')}は{WEEKDAYS['ja'][place]}{'でした' if over else 'です'}。",
    )
    return Said(told, None, _until_christmas(question))


def _until_christmas(question: Question) -> tuple[str]:
    return (either(question.language, "How many days until Christmas?", "クリスマスまであと何日？"),)


_LENGTHS = (
    r"how many days (?:are |were )?(?:there )?(?:in|does) (?P<month>[a-z]+)?,? ?(?P<year>\d{4})(?: have)?",
    r"(?:is|was|will) (?P<leap>\d{4})(?: be)? a leap year",
    r"(?P<leap>\d{4})年は(?:閏年|うるう年)",
)


def length(question: Question) -> Plan | None:
    """ "Is 2024 a leap year?", "how many days are in February 2024": from the first day to that of the next."""
    groups = next(matches(_LENGTHS, asked(question.text, question.language)), None)
    if groups is None:
        return None
    leap, name = groups.get("leap"), groups.get("month")
    year = int(leap or groups["year"])
    month = 2 if leap else month_number(name) if name else 0
    if not FIRST.year < year < date.max.year or (name and not month):
        return None
    return Plan(partial(_length, question, year, month, bool(leap)), None if leap else Value("1", "days"))


def _length(question: Question, year: int, month: int, leap: bool) -> Steps:
    first = date(year, month or 1, 1)
    last = date(year + (month in (0, 12)), month % 12 + 1 if month else 1, 1)
    amount = _days_told((yield _call(question, first, until=last.isoformat())))
    if leap:
        told = either(
            question.language,
            f"{year} is {'' if amount == '29' else 'not '}a leap year: its February has {amount} days.",
            f"{year}年はうるう年で{'す' if amount == '29' else 'はありません'}。2月は{amount}日です。",
        )
        return Said(told, None, _until_christmas(question))
    value = Value(amount, "days")
    called = written(first, "en").removeprefix("1 ") if month else str(year)
    return Said(f"{called} has {shown(value, 'en')}.", value, ("How many weeks is that?",))


_TODAY = {
    "en": (
        r"what(?:'s| is) the date(?: (?P<near>today|tomorrow))?",
        r"(?:what(?:'s| is) )?(?P<near>today|tomorrow|yesterday)'s date",
        r"what (?:date|day) (?:is|was|will) (?:it(?: be)? )?(?P<near>today|tomorrow|yesterday)(?: be)?",
        r"what (?:date|day) is it",
    ),
    "ja": (
        r"(?P<near>今日|明日|昨日)の日付は?(?:何)?",
        r"(?P<near>今日|明日|昨日)は?(?:何月何日|何日|何曜日何日)(?:何曜日)?(?:でした)?",
    ),
}


def today(question: Question) -> Said | None:
    """The one thing that the demo is told beforehand."""
    groups = next(matches(_TODAY[question.language], asked(question.text, question.language)), None)
    near = (groups or {}).get("near") or either(question.language, "today", "今日")
    found = day(near, question.today) if groups is not None else None
    if found is None or question.today is None:
        return None
    of_week = WEEKDAYS[question.language][found.isoweekday() % 7]
    over = found < question.today
    told = either(
        question.language,
        f"{near.capitalize()} {'was' if over else 'is'} {of_week}, {written(found, 'en')}.",
        f"{near}は{written(found, 'ja')}({of_week}){'でした' if over else 'です'}。",
    )
    return Said(told, None, _until_christmas(question))


_AGES = {
    "en": (
        r"how old (?:is|would) (?:someone|somebody|a person|one)(?: be)?(?: who (?:was|is))?(?: be)? born (?:on|in)? ?"
        r"(?P<day>.+)",
        r"how old am i if i was born (?:on )?(?P<day>.+)",
        r"i was born (?:on )?(?P<day>.+?)[.,;]? how old am i(?: now| today)?",
    ),
    "ja": (r"(?P<day>.+?)生まれ(?:の人)?は?(?:今)?何歳",),
}


def age(question: Question) -> Plan | None:
    """ "How old is someone born on 1990-05-01?": full years."""
    for groups in matches(_AGES[question.language], asked(question.text, question.language)):
        born = day(groups["day"], question.today) if re.search(r"\d{4}", groups["day"]) else None
        if born and question.today and born <= question.today:
            return Plan(partial(_age, question, born, question.today))
    return None


def _age(question: Question, born: date, now: date) -> Steps:
    found = _YEARS.search((yield _call(question, born, until=now.isoformat())))
    years = found[1] if found else "0"
    told = either(
        question.language,
        f"Someone born on {written(born, 'en')} is {years} year{'' if years == '1' else 's'} old today.",
        f"{written(born, 'ja')}生まれの人は今日で満{years}歳です。",
    )
    return Said(told)


def shift(question: Question) -> Plan | None:
    """ "What date is 90 days after 2024-01-01?", 「100日後は何月何日？」."""
    found = read_shift(question.text, question.language, question.today)
    return Plan(partial(_shift, question, found)) if found else None


def _shift(question: Question, asked_for: Shift) -> Steps:
    language, start, back = question.language, asked_for.start, asked_for.before
    seen = yield _call(question, start, add=asked_for.added)
    found = date.fromisoformat(_DATE.findall(seen)[-1])
    count = f"{asked_for.count}{' ' if language == 'en' else ''}{asked_for.unit}"
    told = either(
        language,
        f"{count} {'before' if back else 'after'} {written(start, 'en')} is {written(found, 'en')}.",
        f"{written(start, 'ja')}の{count}{'前' if back else '後'}は{written(found, 'ja')}です。",
    )
    which = either(language, f"What day of the week is {written(found, 'en')}?", f"{written(found, 'ja')}は何曜日？")
    return Said(told, None, (which,))
