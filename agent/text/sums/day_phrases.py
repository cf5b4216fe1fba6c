"""Reads what is asked of days: how many lie between two, which day of the week one is, which day is so far away."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from agent.text.quantities.said_dates import FIRST, day, stretch
from agent.text.sums.phrases import matches
from agent.text.sums.value_words import Language


def asked(text: str, language: Language) -> str:
    """The question without politeness, and without 「ですか」 and "from now" at its end."""
    text = re.sub(r"^(?:please )?(?:tell me |can you tell me )", "", text, flags=re.I)
    ending = (
        r"(?:ですか|でしょうか|か)?[?。]*$" if language == "ja" else r"(?: (?:please|from now|from today))?[ ?.!]*$"
    )
    return re.sub(ending, "", text, flags=re.I)


@dataclass(frozen=True, slots=True)
class Span:
    """From ``first`` to a later or the same ``last``, to be told in ``unit``."""

    first: date
    last: date
    unit: Literal["days", "weeks"]


@dataclass(frozen=True, slots=True)
class Shift:
    """``count`` of ``unit`` after ``start``, or ``before`` it; ``unit`` as typed."""

    start: date
    count: int
    unit: str
    before: bool

    @property
    def added(self) -> str:
        return f"{'-' if self.before else ''}{self.count} {'weeks' if self.unit in _WEEKS else 'days'}"


_UNIT = r"(?:how many )?(?P<unit>days|weeks) "
_LAST = r"(?P<a>.+?) (?:and|to|until|till) (?P<b>.+)"
_BETWEEN = {
    "en": (
        rf"{_UNIT}(?:are |is )?(?:there |lie |it is )?(?:between|from) {_LAST}",
        rf"how long (?:is it )?(?:between|from) {_LAST}",
        rf"(?:the )?number of (?P<unit>days|weeks) (?:between|from) {_LAST}",
        rf"{_UNIT}(?:are |is )?(?:there |it )?(?:left )?(?:until|till|to|before) (?P<b>.+)",
        r"how (?:long|many days) (?:is it |is there )?(?:until|till|to) (?P<b>.+)",
        rf"{_UNIT}(?:have passed |has it been |is it |passed )?since (?P<a>.+)",
        r"how many (?P<unit>days|weeks) ago (?:was|is) (?P<a>.+)",
    ),
    "ja": (
        r"(?P<a>.+)から(?P<b>.+)まで(?:は|に|の日数は)?何?(?P<unit>日|週間)?(?:間)?(?:ありますか|ある|です)?",
        r"(?P<a>.+)と(?P<b>.+)の間(?:は|に|の日数は)何(?P<unit>日|週間)(?:間)?(?:ありますか|ある)?",
        r"(?P<b>.+)まで(?:は)?(?:あと)?何(?P<unit>日|週間)(?:間)?(?:ありますか|ある)?",
        r"(?P<a>.+)から何(?P<unit>日|週間)(?:たちましたか|経ちましたか|経った|たった)",
    ),
}


def read_span(text: str, language: Language, today: date | None) -> Span | None:
    """ "How many days until Christmas?", 「2024年1月1日から2024年3月1日まで何日？」."""
    for groups in matches(_BETWEEN[language], asked(text, language)):
        if ends := _ends(groups.get("a", ""), groups.get("b", ""), today):
            return Span(min(ends), max(ends), "weeks" if groups.get("unit") in _WEEKS else "days")
    return None


def _ends(first: str, last: str, today: date | None) -> tuple[date, date] | None:
    """Without a first or last day it is today; "until" a day that is over, or "since" one to come, went wrong."""
    if first and last:
        return stretch(first, last, today)
    begin = day(first, today, ahead=False) if first else today
    end = day(last, today) if last else today
    return (begin, end) if begin and end and begin <= end else None


_WEEKDAYS = {
    "en": (
        r"(?:what|which) day(?: of the week)? (?:was|is|will) (?:it on )?(?P<day>.+?)(?: be)?",
        r"(?:on )?(?:what|which) (?:day of the week|weekday) (?:was|is|will|did|does) (?P<day>.+?)"
        r"(?: (?:be|fall on|fall|on))?",
        r"(?P<day>.+) (?:was|is|will be|falls on|fell on) (?:what|which) (?:day of the week|weekday)",
    ),
    "ja": (r"(?P<day>.+?)は?(?:何|なん)曜日(?:でしたか|でした)?",),
}
_OVER = re.compile(r"\b(?:was|did|fell)\b|でした", re.I)


def read_weekday(text: str, language: Language, today: date | None) -> date | None:
    """The day of which the weekday is asked: "What day of the week was 20 July 1969?"."""
    ahead = not _OVER.search(text)
    found = (day(groups["day"], today, ahead) for groups in matches(_WEEKDAYS[language], asked(text, language)))
    return next((one for one in found if one), None)


_AMOUNT = r"(?P<n>\d+) (?P<unit>days|weeks|day|week)"
_WEEKS = ("weeks", "week", "週間")
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


def read_shift(text: str, language: Language, today: date | None) -> Shift | None:
    """ "What date is 90 days after 2024-01-01?", 「100日後は何月何日？」."""
    request = asked(text, language) if "from" not in text else re.sub(r"[ ?.]+$", "", text)
    request = re.sub(r"from (?:now|today)$", "from today", request)
    for groups in matches(_SHIFTS[language], request):
        if start := day(groups.get("day") or "today", today):
            back, count = groups["way"].lower() in ("before", "ago", "前"), int(groups["n"])
            days = count * (7 if groups["unit"] in _WEEKS else 1)
            inside = FIRST.toordinal() <= start.toordinal() + (-days if back else days) <= date.max.toordinal()
            return Shift(start, count, groups["unit"], back) if inside else None
    return None
