"""English follow-ups to the one value that an answer told of a table: "how long ago was that?", "and with 20% off?"."""

from __future__ import annotations

import re
from datetime import date

from agent.text.quantities.number_words import number_at
from agent.text.regex import regex
from agent.text.sums.told_values import ONE_VALUE

_OF_ONE_COLUMN = regex(r"^I read this as: List (?P<column>[^\n;]+?) in [^\n;]+ where [^\n;]+ is “[^”\n]+”$", re.M)
MONEY = regex(r"bill|fee|price|cost|rent|fare|charge|gbp|usd|eur|amount|pay", re.I)
_LEAD = r"(?:(?:and|so|ok|oh|but|then) )*"
_SINCE = regex(
    rf"{_LEAD}(?:how long ago (?:is|was) (?:that|it)|how long (?:is|was) (?:that|it)(?: ago)?"
    r"|how many (?P<unit>days|weeks) (?:ago )?(?:is|was) (?:that|it)"
    r"(?: ago| (?:until|up to|to|till) (?:today|now)| by now)?"
    r"|how (?:long|many (?P<of>days|weeks|months|years)) (?:has|have) (?:he|she|it|they|that) been"
    r"(?: (?:here|there|with us|(?:in|on|at)(?: the [a-z]+)?))?(?: for)?"
    r"|how many (?P<ago>months|years) (?:ago )?(?:is|was) (?:that|it)(?: ago)?"
    r"|how (?:long|many (?P<since>days|weeks|months|years)) "
    r"(?:since|since then|has it been since(?: then)?|is it since(?:"
    r" then)?))"
    r"(?: now| then)?[ ?.!]*",
    re.I,
)
_UNTIL = regex(
    rf"{_LEAD}how (?:long|many (?P<unit>days|weeks)) "
    r"(?:is it |is that |until that|until then|till then|to go|left)"
    r"(?:until then|till then|from now|away|to go|left)?[ ?.!]*",
    re.I,
)
_WEEKDAY = regex(
    rf"{_LEAD}(?:(?:what|which) (?:day|weekday)(?: of the week)?(?:'s| is| was| will| does)? (?:that|it|this)(?:"
    rf" be| on"
    r"| fall on)?|on (?:what|which) (?:day|weekday)(?: of the week)? (?:is|was|does) (?:that|it)(?: fall)?"
    r"|(?:is|was) (?:that|it) (?:on )?an? (?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:what|which) (?:day|weekday)"
    r"(?: of the week)?)[ ?.!]*",
    re.I,
)
_DAY_TOLD = regex(r"^- (?:[^\n]+[:,] )?(?P<day>\d{4}-\d\d-\d\d)(?:,[^\n]*)?$", re.M)
_DAYS = regex(r"\d{4}-\d\d-\d\d")
_OFF = regex(
    rf"{_LEAD}(?:(?:what|how) about |what (?:is|would) (?:it|that) (?:be |cost )?)?"
    r"(?:(?:with|at|minus|less|after) )?(?:a )?(?P<p>\d+(?:\.\d+)?) ?(?:%|percent) (?:off|discount)"
    r"(?: it| that)?[ ?.!]*",
    re.I,
)
_SEVERAL = regex(
    rf"{_LEAD}(?:what|how much) (?:would|will|do|are|is|does)(?: the price of)? "
    r"(?P<n>\d+|two|three|four|five|six|seven|eight|nine|ten|twelve)(?: of (?:them|those|these|it))?"
    r"(?: like (?:that|this|it|him|her))?(?: (?:be|cost|come to|make))?[ ?.!]*",
    re.I,
)


def of_told(text: str, answer: str, today: date) -> str | None:
    """The follow-up with what was told put in; ``None`` where more than one value was told, or it asks otherwise."""
    days = _DAY_TOLD.findall(answer)
    if len(days) == 1 and len(_DAYS.findall(answer)) == 1 + answer.count(f" on {days[0]}") and _WEEKDAY.fullmatch(text):
        return f"What day of the week is {days[0]}?"
    value, column = ONE_VALUE.search(answer), _OF_ONE_COLUMN.search(answer)
    if value is None or column is None:
        return None
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value["value"]):
        return _of_day(text, value["value"], today)
    return _of_money(text, value["value"].replace(",", "")) if MONEY.search(column["column"]) else None


def _of_day(text: str, told: str, today: date) -> str | None:
    try:
        over = date.fromisoformat(told) <= today
    except ValueError:
        return None
    found = (_SINCE if over else _UNTIL).fullmatch(text)
    unit = next((unit for unit in found.groups() if unit), "days") if found else ""
    return f"How many {unit.lower()} {'since' if over else 'until'} {told}?" if found else None


def _of_money(text: str, told: str) -> str | None:
    if off := _OFF.fullmatch(text):
        return f"What is {off['p']}% off {told}?"
    several = _SEVERAL.fullmatch(text)
    number = number_at(several["n"].lower(), 0, "en") if several else None
    return f"What is {number[0]} * {told}?" if number else None
