"""Reads what is asked of days and measures.

How many days lie between two, which day of the week one is, which day is so far away; and "5 km in miles", "how many
feet are in a mile", 「華氏100度は摂氏何度？」.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from agent.text.quantities.dates import AFTER_THAT, FIRST, MONTH, day, stretch
from agent.text.quantities.number_words import number_at, written
from agent.text.quantities.units import ABSOLUTE_ZERO, Measure, Quantity, measure_of, quantity
from agent.text.regex import regex
from agent.text.sums.phrases import Language, Value, core, matches, shown
from agent.text.word_tables import word_table

# The forms of questions of days and measures, by what is asked and by language.
_FORMS: dict[str, dict[str, list[str]]] = word_table(__file__, "question_forms.toml")

_WEEKS = ("weeks", "week", "週間")
_MONTHS = ("months", "month", "years", "year", "か月", "ヶ月", "カ月", "年")
_WORKDAYS = regex(r"(?:working|business|work|week) ?days?|営業日|平日", re.I)
_FORTNIGHTS = ("fortnight", "fortnights")
_LONGEST = 100_000  # of a unit, in a shift
_OVER = regex(r"\b(?:was|did|fell)\b|でした", re.I)


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
    unit: Literal["days", "weeks", "months", "years"]


@dataclass(frozen=True, slots=True)
class Shift:
    """``count`` of ``unit`` after ``start``, or ``before`` it; ``unit`` as typed."""

    start: date
    count: int
    unit: str
    before: bool

    @property
    def added(self) -> str:
        """The duration for the tool ``now``."""
        if _WORKDAYS.fullmatch(self.unit):
            unit = "working days"
        elif self.unit in _MONTHS:
            unit = "years" if self.unit in ("years", "year", "年") else "months"
        else:
            unit = "weeks" if self.unit in _WEEKS else "fortnights" if self.unit in _FORTNIGHTS else "days"
        return f"{'-' if self.before else ''}{self.count} {unit}"


def read_span(text: str, language: Language, today: date | None) -> Span | None:
    """ "How many days until Christmas?", 「2024年1月1日から2024年3月1日まで何日？」."""
    request = _LEFT.sub(r"how many \1 until the end of the \2", asked(text, language))
    request = re.sub(r"^今年は?(?:あと)", "年末まであと", request)
    for groups in matches(_FORMS["between"][language], request):
        unit = groups.get("unit", "").rstrip("s") + "s"
        months = unit in ("months", "years")
        first, last = (_month(groups.get(end, "")) if months else groups.get(end, "") for end in "ab")
        if ends := _ends(first, last, today):
            told = "months" if unit == "months" else "years" if unit == "years" else "days"
            return Span(min(ends), max(ends), "weeks" if groups.get("unit") in _WEEKS else told)
    return None


_LEFT = regex(
    r"how many (days|weeks|months) (?:are |is )?(?:there )?(?:still )?(?:left|remaining|remain)(?: (?:in|of))? "
    r"(?:this|the) (year|month)",
    re.I,
)
_ONE_MONTH = regex(rf"(?:{MONTH})(?: \d{{4}})?", re.I)


def _month(text: str) -> str:
    """A month as its first day, for months between two."""
    return f"1 {text}" if _ONE_MONTH.fullmatch(text) else text


def _ends(first: str, last: str, today: date | None) -> tuple[date, date] | None:
    """Without a first or last day it is today; "until" a day that is over, or "since" one to come, went wrong."""
    if first and last:
        return stretch(first, last, today)
    begin = day(first, today, ahead=False) if first else today
    end = day(last, today) if last else today
    return (begin, end) if begin and end and begin <= end else None


def read_weekday(text: str, language: Language, today: date | None) -> date | None:
    """The day of which the weekday is asked: "What day of the week was 20 July 1969?"."""
    ahead = not _OVER.search(text)
    found = (day(groups["day"], today, ahead) for groups in matches(_FORMS["weekday"][language], asked(text, language)))
    return next((one for one in found if one), None)


def read_shift(text: str, language: Language, today: date | None) -> Shift | None:
    """ "What date is 90 days after 2024-01-01?", 「100日後は何月何日？」."""
    request = re.sub(r"[ ?.!。]+$", "", re.sub(r"^(?:please )?(?:tell me |can you tell me )", "", text, flags=re.I))
    request = _COUNTED.sub(_in_figures, request) if language == "en" else request
    request = re.sub(r"from (?:now|today)$", "from today", request, flags=re.I)
    if AFTER_THAT.search(request):
        return None  # of a day that was named before
    for form in (request, asked(request, language)):
        for groups in matches(_FORMS["shift"][language], form):
            if start := day(groups.get("day") or "today", today, _ahead(groups)):
                back, count = groups["way"].lower() in ("before", "ago", "前", "prior to", "earlier"), int(groups["n"])
                return _shift(Shift(start, count, groups["unit"].lower(), back))
    return None


def _ahead(groups: dict[str, str]) -> bool:
    return groups["way"].lower() != "since"


_COUNTED = regex(
    r"\b(?P<n>an?|[a-z]+(?:-[a-z]+)?) (?=(?:(?:working|business) )?(?:days?|weeks?|months?|years?|fortnights?)\b)", re.I
)


def _in_figures(found: re.Match[str]) -> str:
    """ "two weeks" as "2 weeks", "a week" as "1 week"; other words as they are."""
    if found["n"].lower() in ("a", "an"):
        return "1 "
    number = number_at(found["n"].lower(), 0, "en")
    return f"{number[0]} " if number and number[1] == len(found["n"]) and number[0].isdigit() else found[0]


def _shift(found: Shift) -> Shift | None:
    """``None`` where it leads out of the calendar, as far as that can be told without it."""
    days = found.count * (366 if found.unit in _MONTHS else 14)
    at = found.start.toordinal() + (-days if found.before else days)
    return found if found.count <= _LONGEST and FIRST.toordinal() <= at <= date.max.toordinal() else None


def read_day(text: str, language: Language, today: date | None) -> tuple[str, date] | None:
    """The day that is asked for by a name, as it was named: "What date is next Friday?", "when is Easter 2027?"."""
    for groups in matches(_FORMS["named"][language], asked(text, language)):
        if found := day(groups["day"], today):
            return groups["day"], found
    return None


def read_week(text: str, language: Language, today: date | None) -> date | None:
    """A day of which the number of its week is asked: "What week of the year is it?"."""
    for groups in matches(_FORMS["week"][language], asked(text, language)):
        return day(groups.get("day") or "today", today)
    return None


_COMPILED = {language: [regex(one, re.I) for one in several] for language, several in _FORMS["conversion"].items()}
_LINKS = {"en": " and ", "ja": "何"}
# Pairs of units that a value is split into: 90 minutes are 1 hour and 30 minutes.
TOGETHER = {
    "weeks and days", "days and hours", "hours and minutes", "minutes and seconds", "years and months",
    "feet and inches", "yards and feet", "stone and pounds", "pounds and ounces",
}  # fmt: skip
_POWERS = (
    (regex(r"\b(k?m)(?:\^?2)(?!\w)"), r"\1²"),
    (regex(r"\bft\^?2(?!\w)"), "square feet"),
    (regex(r"\bm\^?3(?!\w)"), "cubic metres"),
    (regex(r"(?<=\d) ?in(?= (?:in|to|into)\b)", re.I), " inches"),
    (regex(r"\bl(?:it(?:er|re)s?)? ?(?:/|per) ?100 ?(?:km|kilomet(?:er|re)s?)\b", re.I), "litres per hundred km"),
)
_SUBSTANCE = regex(r"(?<=[a-z]) of [a-z]{3,20}(?: [a-z]{3,20})?$", re.I)  # a cup of brown sugar
# Units that stand before their figure: 大さじ3, 時速60km, 秒速何m.
_OF_WHAT = r"(?:の(?!半分|残り|[^、。]{0,2}倍)[^\d、。はを]{1,8}(?=[はを]))?"
_UNIT_FIRST = (
    (regex(rf"(大さじ|小さじ|カップ)(\d[\d.]*|何)杯?(?:分)?{_OF_WHAT}"), r"\2\1"),
    (regex(r"時速(?:約)?(\d[\d.,]*|何)(?:km|キロ(?:メートル)?)"), r"\1km/h"),
    (regex(r"秒速(?:約)?(\d[\d.,]*|何)(?:m|メートル)"), r"\1m/s"),
)
_JAPANESE_END = regex(
    r"(?:ですか|でしょうか|になりますか|になる|なりますか|してください|して|して下さい|を教えて(?:ください)?)$"
)
# What is measured, before its measure: 「身長175センチは何フィート？」.
_MEASURED = regex(r"^(?:身長|体重|長さ|重さ|距離|高さ|気温|温度|広さ|面積)(?:の|が|は)?(?=\d)")
_JAPANESE_TAIL = regex(r"(?:何度|いくつ|いくら|どれくらい|度)(?:ですか|になりますか|になる|でしょうか)?$")


@dataclass(frozen=True, slots=True)
class Conversion:
    """``typed`` is what is given, as it was typed; ``targets`` are one unit or a pair of ``TOGETHER``.

    ``problem``: why there is no result: units of several ``kinds``, ``lengths`` of months that differ, or ``cold``
    below absolute zero.
    """

    typed: str
    given: tuple[tuple[str, Measure], ...]
    targets: tuple[Measure, ...]
    problem: Literal["", "kinds", "lengths", "cold"] = ""

    @property
    def target(self) -> Measure:
        """The unit wanted, or the larger of two."""
        return self.targets[0]

    def named(self, language: Language) -> str:
        """What is given, as an answer calls it: "5 feet 11 inches"."""
        return " ".join(shown(Value(amount, unit.name), language) for amount, unit in self.given)


def read_conversion(text: str, language: Language) -> Conversion | None:
    """What ``text``, the whole of it, asks to be converted; ``None`` where it asks for something else."""
    request = _request(text, language)
    for pattern in _COMPILED[language]:
        match = pattern.fullmatch(request)
        typed = _SUBSTANCE.sub("", match["given"]) if match else ""
        given = quantity(typed, language) if typed else None
        if match is None or given is None:
            continue
        if both := _in_two(typed, given, match["to"].split(_LINKS[language])):
            return both
        if targets := measure_of(match["to"]):
            return _in_one(typed, given, targets)
    return None


_PART_OF_UNIT = regex(r"(?<![\d/.])(?:(\d{1,4}) )?(\d{1,3}) ?/ ?(2|4|5|8|10|20|25|50|100)(?= ?[a-z])(?! of\b)", re.I)


def _in_decimals(found: re.Match[str]) -> str:
    """3/4 cup as 0.75 cup, 1 1/2 cups as 1.5 cups."""
    return written(Decimal(found[1] or 0) + Decimal(found[2]) / Decimal(found[3]))


def _request(text: str, language: Language) -> str:
    if language == "ja":
        for pattern, form in _UNIT_FIRST:
            text = pattern.sub(form, text)
        text = _JAPANESE_END.sub("", re.sub(r"[?。]+$", "", _MEASURED.sub("", text)))
        return re.sub(r"(?<=.)(?:は|だと|では)$", "", _JAPANESE_TAIL.sub("", text))
    text = _PART_OF_UNIT.sub(_in_decimals, core(text, "en"))
    for pattern, form in _POWERS:
        text = pattern.sub(form, text)
    return text


def _in_two(typed: str, given: Quantity, names: list[str]) -> Conversion | None:
    targets = tuple(meanings[0] for name in names if (meanings := measure_of(name)))
    if len(names) != 2 or " and ".join(unit.name for unit in targets) not in TOGETHER:
        return None
    amount, meanings = given[0]
    fits = [unit for unit in meanings if unit.kind == targets[0].kind]
    if len(given) > 1 or amount.startswith("-") or not fits:
        return None
    return Conversion(typed, ((amount, fits[0]),), targets)


def _in_one(typed: str, given: Quantity, targets: tuple[Measure, ...]) -> Conversion:
    """The one reading in which all units measure the same thing."""
    readings = list(_readings(given, targets))
    if len(readings) != 1:
        kinds = {unit.kind for meanings in (*(units for _, units in given), targets) for unit in meanings}
        return Conversion(typed, (), targets, "lengths" if kinds == {"month", "time"} else "kinds")
    measures, target = readings[0]
    if target.kind != "temperature":
        return Conversion(typed, measures, (target,))
    (amount, unit), *more = measures
    cold = Decimal(amount) < Decimal(ABSOLUTE_ZERO[unit.name])
    return Conversion(typed, measures, (target,), "kinds" if more else "cold" if cold else "")


def _readings(
    given: Quantity, targets: tuple[Measure, ...]
) -> Iterator[tuple[tuple[tuple[str, Measure], ...], Measure]]:
    for target in targets:
        fits = [
            (amount, unit)
            for amount, meanings in given
            for unit in [one for one in meanings if one.kind == target.kind][:1]
        ]
        if len(fits) == len(given):
            yield tuple(fits), target
