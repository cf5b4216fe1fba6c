"""Days between dates, days of the week, ages, dates before and after, the time anywhere: by the tool ``now``.

Each public function is one ability.
"""

from __future__ import annotations

import re
from datetime import date
from functools import partial

from agent.demo.phrasebook import forms
from agent.demo.rules.plan import NOW, Call, Plan, Question, Said, Steps, asked_clock
from agent.demo.sums.arithmetic import calculation
from agent.text.quantities.birth_months import born_in
from agent.text.quantities.dates import FIRST, WEEKDAYS, day, month_number, written
from agent.text.quantities.eras import era_of
from agent.text.regex import regex
from agent.text.sums.phrases import Value, either, matches, measured, shown
from agent.text.sums.question_forms import (
    Shift,
    Span,
    asked,
    read_day,
    read_shift,
    read_span,
    read_week,
    read_weekday,
)

_DAYS = regex(r": (-?[\d,]+) days?\b")
_YEARS = regex(r"(\d+) years?\b")
_TURNS = {"": "turns", "_over": "turns_over", "_ahead": "turns_ahead"}
_DATE = regex(r"\((\d{4}-\d{2}-\d{2})\)")


def days_called(question: Question, start: date, until: date | None = None, add: str = "") -> Call:
    """The call that tells of ``start``, of the stretch from it to ``until``, or of what is so much later."""
    ends = {"date": start.isoformat(), "until": until.isoformat() if until else ""}
    return asked_clock(question, "counting_days", **ends, add=add)


def days_told(seen: str) -> str:
    """The number of days as the tool tells it."""
    found = _DAYS.search(seen)
    return found[1].replace(",", "") if found else ""


def between(question: Question) -> Plan | None:
    """ "How many days until Christmas?", 「2024年1月1日から2024年3月1日まで何日？」."""
    span = read_span(question.text, question.language, question.today)
    return Plan(partial(told_between, question, span), Value("1", span.unit)) if span else None


def told_between(question: Question, span: Span) -> Steps:
    """In whole units of the kind that is asked for, and the days that are left over."""
    language, seen = question.language, (yield days_called(question, span.first, span.last))
    days = days_told(seen)
    parts = _parts_told(seen, span.unit) or [Value(days, "days")]
    figures = [measured(part, language) for part in parts]
    value = parts[0] if len(parts) == 1 else Value(days, "days")
    more, last = either(language, ", ", "と"), either(language, " and ", "と")
    figure = last.join(filter(None, (more.join(figures[:-1]), figures[-1])))
    ends = {"first": written(span.first, language), "last": written(span.last, language)}
    further = {"days": ("ask_weeks",), "weeks": ("ask_days",)}.get(value.unit if len(parts) == 1 else "", ())
    return Said(question.tell("between", **ends, figure=figure), value, tuple(map(question.tell, further)))


_LENGTH_TOLD = regex(r"(?P<n>\d[\d,]*) (?P<unit>year|month|week|day)s?\b")


def _parts_told(seen: str, unit: str) -> list[Value]:
    """Weeks, months or years as the tool tells them, without those of which there are none; nothing for days."""
    told = [] if unit == "days" or " -" in seen else seen.partition("(")[2].split(";")
    if not told:
        return []
    found = {one["unit"]: int(one["n"].replace(",", "")) for one in _LENGTH_TOLD.finditer(told[unit != "weeks" and -1])}
    if unit == "months":
        found["month"] = 12 * found.pop("year", 0) + found.get("month", 0)
    kinds = (kind for kind in ("year", "month", "week", "day") if found.get(kind))
    return [Value(str(found[kind]), f"{kind}s") for kind in kinds]


def weekday(question: Question) -> Plan | None:
    """ "What day of the week was 20 July 1969?", 「1969年7月20日は何曜日？」."""
    found = read_weekday(question.text, question.language, question.today)
    return Plan(partial(told_on, question, found, "is_weekday", "was_weekday")) if found else None


def told_on(question: Question, found: date, name: str, over: str, near: str = "") -> Steps:
    """The weekday of a day, as the tool tells it, in the sentence ``name``, or in ``over`` where the day is over."""
    seen = (yield days_called(question, found)).partition(",")[0]
    place = WEEKDAYS["en"].index(seen) if seen in WEEKDAYS["en"] else found.isoweekday() % 7
    told = {"near": near, "weekday": WEEKDAYS[question.language][place], "day": written(found, question.language)}
    name = over if question.today is not None and found < question.today else name
    return Said(question.tell(name, **told), None, (question.tell("ask_christmas"),))


_LENGTHS = forms("length")


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
    amount = days_told((yield days_called(question, first, last)))
    if leap:
        told = question.tell("leap" if amount == "29" else "not_leap", year=year, days=amount)
        return Said(told, None, (question.tell("ask_christmas"),))
    value = Value(amount, "days")
    called = written(first, "en").removeprefix("1 ") if month else str(year)
    return Said(f"{called} has {shown(value, 'en')}.", value, ("How many weeks is that?",))


_TODAY = {"en": forms("today_en"), "ja": forms("today_ja")}


def today(question: Question) -> Said | None:
    """The one thing that the demo is told beforehand."""
    groups = next(matches(_TODAY[question.language], asked(question.text, question.language)), None)
    near = (groups or {}).get("near") or question.tell("today")
    found = day(near, question.today) if groups is not None else None
    if found is None or question.today is None:
        return None
    of_week = WEEKDAYS[question.language][found.isoweekday() % 7]
    told = {"near": near.lower(), "weekday": of_week, "day": written(found, question.language)}
    over = found < question.today
    return Said(question.tell("near_day_over" if over else "near_day", **told), None, (question.tell("ask_christmas"),))


_AGES = {"en": forms("age_en"), "ja": forms("age_ja")}


def age(question: Question) -> Plan | None:
    """ "How old is someone born on 1990-05-01?": full years."""
    for groups in matches(_AGES[question.language], asked(question.text, question.language)):
        born = day(groups["day"], question.today) if re.search(r"\d{4}", groups["day"]) else None
        at = day(groups.get("at") or "today", question.today)
        if born and at and born <= at:
            return Plan(partial(_age, question, born, at))
        year, known = born_in(groups["day"], question.today)
        if year and question.today and FIRST.year < year <= question.today.year and not groups.get("at"):
            return Plan(partial(_age_by_year, question, year, question.today, (groups["day"].title(), known)))
    return None


def _age_by_year(question: Question, year: int, now: date, month: tuple[str, str]) -> Steps:
    """Before the birthday it is one less; ``month`` is that of birth and what it says of this year's birthday."""
    turns = yield calculation(question, question.tell("age_called", year=year), f"{now.year} - {year}")
    told = {"born": year, "year": now.year, "turns": turns, "before": int(turns) - 1, "month": month[0]}
    return Said(question.tell(_TURNS[month[1]] if int(turns) else "turns_none", **told))


def _age(question: Question, born: date, now: date) -> Steps:
    found = _YEARS.search((yield days_called(question, born, now)))
    years = found[1] if found else "0"
    told = "one_year_old" if years == "1" else "years_old"
    told = told if now == question.today else "years_old_on"
    return Said(
        question.tell(told, born=written(born, question.language), years=years, day=written(now, question.language))
    )


def shift(question: Question) -> Plan | None:
    """ "What date is 90 days after 2024-01-01?", 「100日後は何月何日？」."""
    found = read_shift(question.text, question.language, question.today)
    return Plan(partial(_shift, question, found)) if found else None


def _shift(question: Question, asked_for: Shift) -> Steps:
    language, start, back = question.language, asked_for.start, asked_for.before
    seen = yield days_called(question, start, add=asked_for.added)
    found = date.fromisoformat(_DATE.findall(seen)[-1])
    shifted = {"count": asked_for.count, "unit": asked_for.unit, "start": written(start, language)}
    end, weekday = written(found, language), WEEKDAYS[language][found.isoweekday() % 7]
    dated = either(language, f"{weekday}, {end}", f"{end}({weekday})")
    told = question.tell("days_before" if back else "days_after", **shifted, day=dated)
    told += question.tell("weekends_skipped") if "working" in asked_for.added else ""
    ahead = question.today is None or found > question.today
    return Said(told, None, (question.tell("ask_until", day=end) if ahead else question.tell("ask_christmas"),))


def named_day(question: Question) -> Plan | None:
    """ "What date is next Friday?", 「次の金曜日はいつ？」."""
    found = read_day(question.text, question.language, question.today)
    return Plan(partial(told_on, question, found[1], "near_day", "near_day_over", found[0])) if found else None


_WEEK = regex(r"ISO week (\d{4})-W(\d{2})")


def week(question: Question) -> Plan | None:
    """ "What week of the year is it?"."""
    found = read_week(question.text, question.language, question.today)
    return Plan(partial(_week, question, found)) if found else None


def _week(question: Question, found: date) -> Steps:
    told = _WEEK.search((yield days_called(question, found)))
    year, number = (told[1], int(told[2])) if told else (found.year, 0)
    day_told = written(found, question.language)
    return Said(question.tell("week_of", day=day_told, week=number, year=year), None, (question.tell("ask_christmas"),))


_DAY_TOLD = regex(r"\((\d{4}-\d{2}-\d{2})T")

_TIME = {"en": forms("time_en"), "ja": forms("time_ja")}
_POLITE_END = regex(
    r"(?:[ ,?.!。]|\b(?:at the moment|right now|just now|please|pls|plz|thanks|thank you|thx|cheers)\b)+$", re.I
)
_ZONED = regex(r"(\w+), (\d+ \w+ \d{4}), ([\d:]+) (?:in (\S+) \((.+?)\)|(UTC\S*)) \(")


def time_asked(question: Question) -> Plan | None:
    """ "What time is it in Tokyo?", 「東京は今何時？」."""
    if question.tools and NOW not in question.tools:
        return None
    for groups in matches(_TIME[question.language], _POLITE_END.sub("", question.text)):
        place = re.sub(r"^(?:the )", "", groups["place"].strip(), flags=re.I)
        return Plan(partial(_time, question, place))
    return None


def _japanese(seen: str) -> str:
    found = date.fromisoformat(_DAY_TOLD.findall(seen)[0])
    return f"{written(found, 'ja')} {WEEKDAYS['ja'][found.isoweekday() % 7]}"


def _time(question: Question, place: str) -> Steps:
    seen = yield asked_clock(question, "looking_at_clock", zone=place)
    found = _ZONED.match(seen)
    if not found:
        return Said(seen.split("\n", 1)[0])
    weekday, day, clock, zone, letters, plain = found.groups()
    where = zone.rpartition("/")[2].replace("_", " ") if zone else plain
    told = {"where": where, "asked": place or where, "clock": clock[:5], "weekday": weekday, "day": day}
    return Said(question.tell("time", **told, letters=f" ({letters})" if letters else "", japanese=_japanese(seen)))


_ERAS = forms("era_ja")
_LAST = {"明治": 45, "大正": 15, "昭和": 64, "平成": 31}


def era_year_asked(question: Question) -> Plan | None:
    """「平成10年は西暦何年？」, 「1998年は平成何年？」."""
    for said in matches(_ERAS, question.text):
        number, base = 1 if said["year"] == "元" else int(said["year"]), era_of(said["era"])
        if base is None:
            continue
        west = len(said["year"]) > len("64")
        of_era = number - base if west else number
        if 0 < of_era <= _LAST.get(said["era"], question.today.year - base if question.today else of_era):
            return Plan(partial(_era_told, question, said["era"], base, number, west))
    return None


def _era_told(question: Question, era: str, base: int, number: int, west: bool) -> Steps:
    name = f"{number}年" if west else f"{era}{number}年"
    year = yield calculation(question, name, f"{number} {'-' if west else '+'} {base}")
    return Said(f"{name}は{era if west else '西暦'}{year}年です。")
