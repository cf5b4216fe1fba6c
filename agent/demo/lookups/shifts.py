"""Ages, and dates that lie days or weeks from another: each function is one ability."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from agent.demo.lookups.calendar import asked
from agent.demo.lookups.clock import date_told, day_called, has_clock
from agent.demo.lookups.demo_dates import FIRST, day, written
from agent.demo.rules.plan import CALCULATOR, Call, Plan, Question, Said, Steps
from agent.demo.sums.arithmetic import calculated
from agent.text.sums.phrases import matches
from agent.text.sums.value_words import Value, either

_AGES = {
    "en": (
        r"how old (?:is|would) (?:someone|somebody|a person|one)(?: be)?(?: who (?:was|is))?(?: be)? born (?:on|"
        r"in)? ?(?P<day>.+)",
        r"how old am i if i was born (?:on )?(?P<day>.+)",
        r"i was born (?:on )?(?P<day>.+?)[.,;]? how old am i(?: now| today)?",
    ),
    "ja": (r"(?P<day>.+?)生まれ(?:の人)?は?(?:今)?何歳",),
}


def age(question: Question) -> Plan | None:
    """ "How old is someone born on 1990-05-01?": full years."""
    for groups in matches(_AGES[question.language], asked(question)):
        born = day(groups["day"], question.today) if re.search(r"\d{4}", groups["day"]) else None
        if born and question.today and born <= question.today:
            return _age(question, born, question.today)
    return None


def _age(question: Question, born: date, today: date) -> Plan:
    language = question.language
    to_come = (today.month, today.day) < (born.month, born.day)
    called = either(
        language,
        f"the full years from {written(born, 'en')} to today, {written(today, 'en')}",
        f"{written(born, 'ja')}から今日までの満年数",
    )

    def told(value: Value) -> str:
        years = "year" if value.amount == "1" else "years"
        return either(
            language,
            f"Someone born on {written(born, 'en')} is {value.amount} {years} old today.",
            f"{written(born, 'ja')}生まれの人は今日で満{value.amount}歳です。",
        )

    wanted = f"{today.year} - {born.year}{' - 1' if to_come else ''}"
    return calculated(question, called, wanted, told=told, keeps=False)


_AMOUNT = r"(?P<n>\d+) (?P<unit>days|weeks|day|week)"
_SHIFTS = {
    "en": (
        rf"(?:what (?:date|day) (?:is|will it be|will be|was) )?{_AMOUNT} (?P<way>after|from|before) (?P<day>.+)",
        rf"what (?:date|day) (?:is|will it be|will be|is it) (?P<way>in) {_AMOUNT}",
        rf"what (?:date|day) (?:was it|was|is) {_AMOUNT} (?P<way>ago)",
        rf"(?:what is )?(?:the )?date (?P<way>in) {_AMOUNT}",
        rf"(?:what (?:is|was) )?(?:the )?date {_AMOUNT} (?P<way>ago)",
    ),
    "ja": (
        r"(?P<day>.+?)(?:から|の)(?P<n>\d+)(?P<unit>日|週間)(?P<way>後|前)は?(?:いつ|何月何日|何日)?",
        r"(?P<n>\d+)(?P<unit>日|週間)(?P<way>後|前)は(?:いつ|何月何日|何日)",
    ),
}


def shift(question: Question) -> Plan | None:
    """ "What date is 90 days after 2024-01-01?", 「100日後は何月何日？」."""
    text = asked(question) if "from" not in question.text else re.sub(r"[ ?.]+$", "", question.text)
    text = re.sub(r"from (?:now|today)$", "from today", text)
    for groups in matches(_SHIFTS[question.language], text):
        if start := day(groups.get("day") or "today", question.today):
            back = groups["way"].lower() in {"before", "ago", "前"}
            count = int(groups["n"]) * (7 if groups["unit"] in {"weeks", "week", "週間"} else 1)
            target = start.toordinal() + (-count if back else count)
            return (
                _shift(question, start, groups, back) if FIRST.toordinal() <= target <= date.max.toordinal() else None
            )
    return None


def _shift(question: Question, start: date, groups: dict[str, str], back: bool) -> Plan:
    language, weeks = question.language, groups["unit"] in {"weeks", "week", "週間"}
    days = f"{groups['n']} * 7" if weeks else groups["n"]
    thought = either(
        language,
        f"{written(start, 'en')} is day {start.toordinal()} of our calendar. I {'subtract' if back else 'add'} "
        f"the days.",
        f"{written(start, 'ja')}は暦の{start.toordinal()}日目です。日数を{'引き' if back else '足し'}ます。",
    )

    def steps() -> Steps:
        if has_clock(question):
            why = either(language, "I count on the calendar.", "暦で数えます。")
            unit = "weeks" if weeks else "days"
            found = date_told((yield day_called(question, start, why, f"{'-' if back else ''}{groups['n']} {unit}")))
        else:
            number = yield Call(CALCULATOR, f"{start.toordinal()} {'-' if back else '+'} {days}", thought)
            found = date.fromordinal(max(1, min(int(Decimal(number)), date.max.toordinal())))
        count = f"{groups['n']} {groups['unit']}" if language == "en" else f"{groups['n']}{groups['unit']}"
        told = either(
            language,
            f"{count} {'before' if back else 'after'} {written(start, 'en')} is {written(found, 'en')}.",
            f"{written(start, 'ja')}の{count}{'前' if back else '後'}は{written(found, 'ja')}です。",
        )
        which = either(
            language, f"What day of the week is {written(found, 'en')}?", f"{written(found, 'ja')}は何曜日？"
        )
        return Said(told, None, (which,))

    return Plan(steps)
