"""What the ``now`` and ``convert`` tools are asked by the rules, where they are among the tools."""

from __future__ import annotations

import json
import re
from datetime import date
from functools import partial

from agent.demo.lookups.demo_dates import WEEKDAYS, written
from agent.demo.rules.plan import CONVERT, NOW, Call, Plan, Question, Said, Steps
from agent.text.sums.phrases import matches
from agent.text.sums.value_words import either

_PLAIN = re.compile(r"-?\d{1,15}(?:\.\d{1,12})?")
_DAYS = re.compile(r": (-?[\d,]+) days?\b")
_WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_DAY = re.compile(r"\((\d{4}-\d{2}-\d{2})T")
_DATE = re.compile(r"\((\d{4}-\d{2}-\d{2})\)")


def has_clock(question: Question) -> bool:
    return NOW in question.tools


def can_convert(question: Question, amount: str) -> bool:
    return CONVERT in question.tools and _PLAIN.fullmatch(amount) is not None


def converting(question: Question, amount: str, unit: str, to: str, called: str) -> Call:
    """The call; what it gives is sent back as the bare figure."""
    thought = either(question.language, f"I need {called}. I convert it.", f"{called}を求めます。単位を換算します。")
    wanted = json.dumps({"unit": unit, "to": to}, ensure_ascii=False)
    return Call(CONVERT, f'{{"amount": {amount}, {wanted[1:]}', thought)


def days_between(question: Question, first: date, last: date, thought: str) -> Call:
    return Call(NOW, json.dumps({"date": first.isoformat(), "until": last.isoformat()}), thought)


def days_told(seen: str) -> str:
    """The number of days as the tool tells it."""
    found = _DAYS.search(seen)
    return found[1].replace(",", "") if found else ""


def day_called(question: Question, day: date, thought: str, add: str = "") -> Call:
    return Call(NOW, json.dumps({"date": day.isoformat(), **({"add": add} if add else {})}), thought)


def weekday_told(seen: str) -> int:
    """0 for a Sunday to 6."""
    return _WEEKDAYS.index(seen.partition(",")[0])


def date_told(seen: str) -> date:
    """The last date that the tool names."""
    return date.fromisoformat(_DATE.findall(seen)[-1])


_TIME = {
    "en": (
        r"(?:(?:what|tell me the|what's the|what is the) )?(?:current )?(?:time|local time)(?: is it| it is)?"
        r"(?: (?:right )?now)?(?: (?:in|at) (?P<place>[^?\d]{2,40}?))?(?: (?:right )?now)?",
    ),
    "ja": (
        r"(?:(?P<place>[^\d?]{1,20}?)(?:は|の|では))?(?:今|いま|現在)?(?:の)?(?:何時|時刻|時間)(?:は)?(?:ですか|何時)?",
        r"(?:今|いま|現在)、?(?P<place>[^\d?]{1,20}?)は何時(?:ですか)?",
    ),
}
_ZONED = re.compile(r"(\w+), (\d+ \w+ \d{4}), ([\d:]+) (?:in (\S+) \((.+?)\)|(UTC\S*)) \(")


def time_asked(question: Question) -> Plan | None:
    """ "What time is it in Tokyo?", 「東京は今何時？」."""
    if NOW not in question.tools:
        return None
    for groups in matches(_TIME[question.language], re.sub(r"[ ?.!。]+$", "", question.text)):
        place = re.sub(r"^(?:the )", "", groups["place"].strip(), flags=re.I)
        return Plan(partial(_time, question, place))
    return None


def _japanese(seen: str) -> str:
    found = date.fromisoformat(_DAY.findall(seen)[0])
    return f"{written(found, 'ja')} {WEEKDAYS['ja'][found.isoweekday() % 7]}"


def _time(question: Question, place: str) -> Steps:
    thought = either(question.language, "I look at the clock.", "時計を見ます。")
    seen = yield Call(NOW, json.dumps({"zone": place}, ensure_ascii=False), thought)
    found = _ZONED.match(seen)
    if not found:
        return Said(seen.split("\n", 1)[0])
    weekday, day, clock, zone, letters, plain = found.groups()
    clock = clock[:5]
    where = zone.rpartition("/")[2].replace("_", " ") if zone else plain
    told = either(
        question.language,
        f"In {where} it is {clock} on {weekday}, {day}{f' ({letters})' if letters else ''}.",
        f"{place or where}は今{clock}です（{_japanese(seen)}）。",
    )
    return Said(told)
