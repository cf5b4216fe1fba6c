"""Days between dates, days of the week, the length of months and years: each function is one ability."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from agent.demo.lookups.clock import day_called, days_between, days_told, has_clock, weekday_told
from agent.demo.lookups.demo_dates import FIRST, WEEKDAYS, day, month_number, stretch, written
from agent.demo.rules.plan import CALCULATOR, Call, Plan, Question, Said, Steps
from agent.text.sums.phrases import matches
from agent.text.sums.value_words import Value, either, measured, shown

_BETWEEN = {
    "en": (
        r"(?:how many )?(?P<unit>days|weeks) (?:are |is )?(?:there |lie |it is )?(?:between|from) (?P<a>.+?) "
        r"(?:and|to|until|till) (?P<b>.+)",
        r"how long (?:is it )?(?:between|from) (?P<a>.+?) (?:and|to|until|till) (?P<b>.+)",
        r"(?:the )?number of (?P<unit>days|weeks) (?:between|from) (?P<a>.+?) (?:and|to|until|till) (?P<b>.+)",
        r"(?:how many )?(?P<unit>days|weeks) (?:are |is )?(?:there |it )?(?:left )?"
        r"(?:until|till|to|before) (?P<b>.+)",
        r"how (?:long|many days) (?:is it |is there )?(?:until|till|to) (?P<b>.+)",
        r"(?:how many )?(?P<unit>days|weeks) (?:have passed |has it been |is it |passed )?since (?P<a>.+)",
        r"how many (?P<unit>days|weeks) ago (?:was|is) (?P<a>.+)",
    ),
    "ja": (
        r"(?P<a>.+)から(?P<b>.+)まで(?:は|に|の日数は)?何?(?P<unit>日|週間)?(?:間)?(?:ありますか|ある|です)?",
        r"(?P<a>.+)と(?P<b>.+)の間(?:は|に|の日数は)何(?P<unit>日|週間)(?:間)?(?:ありますか|ある)?",
        r"(?P<b>.+)まで(?:は)?(?:あと)?何(?P<unit>日|週間)(?:間)?(?:ありますか|ある)?",
        r"(?P<a>.+)から何(?P<unit>日|週間)(?:たちましたか|経ちましたか|経った|たった)",
    ),
}


def asked(question: Question) -> str:
    text = re.sub(r"^(?:please )?(?:tell me |can you tell me )", "", question.text, flags=re.I)
    ending = (
        r"(?:ですか|でしょうか|か)?[?。]*$"
        if question.language == "ja"
        else r"(?: (?:please|from now|from today))?[ ?.!]*$"
    )
    return re.sub(ending, "", text, flags=re.I)


def between(question: Question) -> Plan | None:
    """ "How many days until Christmas?", 「2024年1月1日から2024年3月1日まで何日？」."""
    for groups in matches(_BETWEEN[question.language], asked(question)):
        if ends := _ends(groups.get("a", ""), groups.get("b", ""), question):
            return _between(question, *ends, groups.get("unit") or "days")
    return None


def _ends(first: str, last: str, question: Question) -> tuple[date, date] | None:
    """Without a first or last day it is today; "until" a day that is over, or "since" one to come, went wrong."""
    if first and last:
        return stretch(first, last, question.today)
    begin = day(first, question.today, ahead=False) if first else question.today
    end = day(last, question.today) if last else question.today
    return (begin, end) if begin and end and begin <= end else None


def _between(question: Question, begin: date, end: date, unit: str) -> Plan:
    first, last = sorted((begin, end))
    language = question.language
    weeks = unit in {"weeks", "週間"}
    days = f"{last.toordinal()} - {first.toordinal()}"

    def steps() -> Steps:
        if has_clock(question) and not weeks:
            why = either(language, "I count the days on the calendar.", "暦で日数を数えます。")
            amount = days_told((yield days_between(question, first, last, why)))
        else:
            amount = yield Call(CALCULATOR, f"({days}) / 7" if weeks else days, _numbered(question, first, last))
        value = Value(amount, "weeks" if weeks else "days")
        figure = measured(value, language)
        told = either(
            language,
            f"From {written(first, 'en')} to {written(last, 'en')} is {figure}.",
            f"{written(first, 'ja')}から{written(last, 'ja')}までは{figure}です。",
        )
        other = either(
            language,
            "How many days is that?" if weeks else "How many weeks is that?",
            "それを日で？" if weeks else "それを週間で？",
        )
        return Said(told, value, (other,))

    return Plan(steps, Value("1", "weeks" if weeks else "days"))


def _numbered(question: Question, first: date, last: date) -> str:
    return either(
        question.language,
        f"Counted from the start of our calendar, {written(first, 'en')} is day {first.toordinal()} and "
        f"{written(last, 'en')} is day {last.toordinal()}. I subtract the two.",
        f"暦の初日から数えると、{written(first, 'ja')}は{first.toordinal()}日目、"
        f"{written(last, 'ja')}は{last.toordinal()}日目です。引き算をします。",
    )


_WEEKDAYS = {
    "en": (
        r"(?:what|which) day(?: of the week)? (?:was|is|will) (?:it on )?(?P<day>.+?)(?: be)?",
        r"(?:on )?(?:what|which) (?:day of the week|weekday) (?:was|is|will|did|does) (?P<day>.+?)(?: (?:be|fall "
        r"on|fall|on))?",
        r"(?P<day>.+) (?:was|is|will be|falls on|fell on) (?:what|which) (?:day of the week|weekday)",
    ),
    "ja": (r"(?P<day>.+?)は?(?:何|なん)曜日(?:でしたか|でした)?",),
}


_OVER = re.compile(r"\b(?:was|did|fell)\b|でした", re.I)


def weekday(question: Question) -> Plan | None:
    """ "What day of the week was 20 July 1969?", 「1969年7月20日は何曜日？」."""
    ahead = not _OVER.search(question.text)
    for groups in matches(_WEEKDAYS[question.language], asked(question)):
        if found := day(groups["day"], question.today, ahead):
            return _weekday(question, found)
    return None


def _weekday(question: Question, found: date) -> Plan:
    number, language = found.toordinal(), question.language
    thought = either(
        language,
        f"{written(found, 'en')} is day {number} of our calendar, and day 7 was a Sunday. The remainder of "
        f"dividing by 7 tells the day.",
        f"{written(found, 'ja')}は暦の{number}日目で、7日目は日曜日でした。7で割った余りで曜日が分かります。",
    )

    def steps() -> Steps:
        if has_clock(question):
            why = either(language, "I look at the calendar.", "暦を見ます。")
            place = weekday_told((yield day_called(question, found, why)))
        else:
            remainder = yield Call(CALCULATOR, f"{number} - 7 * floor({number} / 7)", thought)
            place = int(Decimal(remainder)) % 7
        weekday = WEEKDAYS[language][place]
        told = either(language, f"{written(found, 'en')} is a {weekday}.", f"{written(found, 'ja')}は{weekday}です。")
        past = question.today is not None and found < question.today
        told = told.replace(" is a ", " was a ").replace("です。", "でした。") if past else told
        return Said(told, None, (_until_christmas(question),))

    return Plan(steps)


def _until_christmas(question: Question) -> str:
    return either(question.language, "How many days until Christmas?", "クリスマスまであと何日？")


_LENGTHS = (
    r"how many days (?:are |were )?(?:there )?(?:in|does) (?P<month>[a-z]+)?,? ?(?P<year>\d{4})(?: have)?",
    r"(?:is|was|will) (?P<leap>\d{4})(?: be)? a leap year",
    r"(?P<leap>\d{4})年は(?:閏年|うるう年)",
)


def length(question: Question) -> Plan | None:
    """ "Is 2024 a leap year?", "how many days are in February 2024": the first days of two months, subtracted."""
    groups = next(matches(_LENGTHS, asked(question)), None)
    if groups is None:
        return None
    leap, name = groups.get("leap"), groups.get("month")
    year = int(leap or groups["year"])
    month = 2 if leap else month_number(name) if name else 0
    if not FIRST.year < year < date.max.year or (name and not month):
        return None
    first = date(year, month or 1, 1)
    last = date(year + (month == 12 or not month), month % 12 + 1 if month else 1, 1)
    called = written(first, "en").removeprefix("1 ") if month else str(year)

    def steps() -> Steps:
        amount = yield Call(CALCULATOR, f"{last.toordinal()} - {first.toordinal()}", _numbered(question, first, last))
        value = Value(amount, "days")
        if not leap:
            return Said(f"{called} has {shown(value, 'en')}.", value, ("How many weeks is that?",))
        told = either(
            question.language,
            f"{year} is {'' if amount == '29' else 'not '}a leap year: its February has {amount} days.",
            f"{year}年はうるう年で{'す' if amount == '29' else 'はありません'}。2月は{amount}日です。",
        )
        return Said(told, None, (_until_christmas(question),))

    return Plan(steps, None if leap else Value("1", "days"))


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
    """The one thing that the prompt tells by itself."""
    groups = next(matches(_TODAY[question.language], asked(question)), None)
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
    return Said(told, None, (_until_christmas(question),))
