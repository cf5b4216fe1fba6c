"""The time anywhere, by the tool ``now``: one ability."""

from __future__ import annotations

import json
import re
from datetime import date
from functools import partial

from agent.demo.rules.plan import NOW, Call, Plan, Question, Said, Steps
from agent.text.quantities.dates import WEEKDAYS, written
from agent.text.sums.phrases import either, matches

_DAY = re.compile(r"\((\d{4}-\d{2}-\d{2})T")

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
