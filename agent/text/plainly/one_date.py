"""The days, weeks or years to or since the one date that is told anywhere in a question, and ages in a year."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Iterator
from datetime import date

from agent.text.problems.said_days import LENGTH, days_named, length_named
from agent.text.quantities.dates import MONTH, day_of, month_number
from agent.text.regex import regex

_ASKED = regex(
    r"\b(?:how many (?:(?:full|whole|complete|more|entire) )?(?P<unit>days|weeks|months|years)\b(?! old)"
    r"|(?P<long>how (?:much )?(?:long|longer|time|much longer)))\b(?P<rest>[^?!;.]*)",
    re.I,
)
_TURNS = regex(
    r"\b(?:not|never|except|without|every|each|working|business|week ?days?|weekends?|nights?"
    r"|school (?:days|weeks|terms)|half|twice|per|after|only"
    r"|notice|postponed|delayed|extend\w*|extension|earlier|later|inclusive|including|counting"
    r"|instead|moved|both|or|cost\w*|pay|paid"
    r"|saturdays?|sundays?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|born|birthday"
    r"|taken?|takes?|last(?:s|ed)|finish(?:es)?|ends?)\b|n['’]t\b",
    re.I,
)
_AHEAD = regex(
    r"\b(?:left|until|till|to go|away|before|remain\w*|(?:do|have) (?:i|we|you|they) (?:have"
    r"|got)|does (?:he|she|it|that) (?:have|give|leave)|have i got"
    r"|from (?:now|today)|to (?:prepare|train|practi[cs]e|get|wait|save|finish|do|plan|learn"
    r"|pack|study|revise)|is that|off|will it be|wait|still)\b",
    re.I,
)
_BEHIND = regex(
    r"\b(?:since|ago|been|passed|gone by|have (?:i|we|you|they) (?:now |already )?[a-z]+(?:ed"
    r"|en|own|ung|ad|ept|elt|un)\b|has (?:he|she|it|she now|my [a-z]+) [a-z]+(?:ed|en|un)\b"
    r"|is that|old|have (?:i|we|they) had)\b",
    re.I,
)
_AGES = regex(
    r"^(?:i'm|i am|he's|she's|he is|she is|my [a-z]+ is) (?P<a>\d{1,2})(?: years old)?(?: "
    r"now)?,? (?:and|but) (?:i |he |she |we |you |can |will |want to |plan to |hope to )*"
    r"(?:retire|stop work\w*|finish|draw my pension"
    r"|get my pension)[a-z ]* at (?P<b>\d{2})[,.;]? (?:so )?how (?:many (?:more )?years"
    r"|long)\b[^\d?]*[?.! ]*$",
    re.I,
)
_FEBRUARY = regex(
    r"(?:is|was|will) (?P<y>\d{4}) (?:be )?a leap year\b[^\d]*\bhow many days (?:does|did|will"
    r"|has|are (?:there )?in) february\b[^\d]*$",
    re.I,
)
_AGE_TOLD = regex(
    r"(?<=[a-z]) ?(?:['’]s |is |will be )?(?:turning|turns) \d{1,3}(?= on § *[,.;])", re.I
)  # who somebody is
_LEAP = regex(r"\b(?:when|what|which)\b[^?]*\b(?:next|coming) leap year\b|\bnext leap year\W*(?:when\W*)?$", re.I)
_AT_CLOCK = regex(
    r",? at (?:\d{1,2}(?:[:.][0-5]\d)? ?[ap]\.?m\b\.?|\d{1,2}:[0-5]\d|noon|midnight)(?= |[,.?!;]|$)", re.I
)
_ASKING = regex(r"\b(?:how|what|which|when|whats)\b", re.I)
_OVER = regex(
    r"\b(?:got|was|were|had|bought|went|came|met|saw|began|left(?! to|$| until| till| before)|[a-z]{3,}ed)\b", re.I
)
_BORN = regex(r"\bborn\b|\bbirth(?:day|date)?\b", re.I)
_TURN = regex(
    r"\b(?:turns?|be|reach|hit|becomes?|celebrate) (?:my |his |her )?(?P<n>\d{1,3})(?:th|st|nd|rd)?\b(?! %)", re.I
)
_ON_DAY = regex(r" on (?:the )?§", re.I)  # the day on which, and not the one of birth
_WHICH_YEAR = regex(r"\b(?:what|which) year\b", re.I)
_WHICH_DAY = regex(r"\b(?:what|which) (?:week ?day|day)\b|\bday of the week\b|\bweekday\b", re.I)
_YEAR = regex(r"(?<![\d.,$€£])(1[5-9]\d\d|20\d\d)(?![\d.,]*\d| ?(?:km|m|cm|g|kg|euros?|dollars?|pounds?|%))")
_BUILT = regex(
    r"\b(?:built|founded|established|opened|made|planted|bought|started|married|joined|moved"
    r"|won|since|dates? from|from|graduated|retired)\b",
    re.I,
)
_YEARS_AGO = regex(r"\bhow (?:old|long|many years)\b(?![^?]*\b(?:will|until|till|before|left)\b)", re.I)


def of_one_date(text: str, today: date) -> Iterator[str]:
    """ "The season opens on 6 March 2027. How many weeks do I have left?" as "how many weeks until 2027-03-06"."""
    bare, days = days_named(_AT_CLOCK.sub("", text), today)
    yield from _turning(text, bare, days)
    if (ages := _AGES.match(text)) and int(ages["a"]) < int(ages["b"]):
        yield f"what is {ages['b']} - {ages['a']}"
    if not days:
        yield from _of_year(text, today)
    bare = _AGE_TOLD.sub(" ", bare)
    asked = _ASKED.search(bare)
    if february := _FEBRUARY.match(text):
        yield f"how many days does february {february['y']} have?"
    if _LEAP.search(text) and not re.search(r"\d", text):
        yield f"is {next(year for year in range(today.year + 1, today.year + 9) if isleap(year))} a leap year?"
    if (
        len(_ASKING.findall(bare)) != 1
        or asked is None
        or len(days) != 1
        or _TURNS.search(bare)
        or re.search(r"\d", bare)
        or any(map(length_named, LENGTH.finditer(bare)))
    ):
        return
    ahead, behind = (kind.search(asked["rest"]) is not None for kind in (_AHEAD, _BEHIND))
    told = days[0]
    if behind and told > today and not re.search(r"\b\d{4}\b", text) and told.replace(day=1).year - 1 > 0:
        told = day_of(told.year - 1, told.month, told.day) or told
    unit = asked["unit"].lower() if asked["unit"] else "days" if told > today else "years"
    if told > today and ahead and not (_OVER.search(bare) and not re.search(r"\d{4}", text)):
        yield f"how many {unit} until {told}"
    elif told < today and behind:
        yield f"how many {unit} since {told}"


_IS_TODAY = regex(
    r"^(?:if |since |as |given )?(?:today(?:'s| is)|it(?:'s"
    rf"| is)) (?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)?(?: (?P<m>{MONTH})(?: "
    rf"\d{{4}})?)?(?: today)?[,.;]+ (?:so |then )?",
    re.I,
)


def without_today(text: str, today: date) -> str:
    """ "If today's the 21st, what weekday is …" without what day it is, where it is told rightly."""
    said = _IS_TODAY.match(text)
    right = said and int(said["d"]) == today.day and (not said["m"] or month_number(said["m"]) == today.month)
    return text[said.end() :] if said and right else text


def _turning(text: str, bare: str, days: list[date]) -> Iterator[str]:
    """ "Born 27 August 1988. On what weekday do I turn 65?"."""
    turn = _TURN.search(bare)
    if (
        len(days) != 1
        or turn is None
        or _ON_DAY.match(bare, turn.end())
        or not _BORN.search(bare)
        or re.search(r"\d", _TURN.sub(" ", bare))
    ):
        return
    then = day_of(days[0].year + int(turn["n"]), days[0].month, days[0].day) if re.search(r"\d{4}", text) else None
    if then and (_WHICH_DAY.search(bare) or (_WHICH_YEAR.search(bare) and int(turn["n"]))):
        yield f"what day of the week is {then}"


def _of_year(text: str, today: date) -> Iterator[str]:
    """ "Our house was built in 1932. How old is it?"."""
    years = _YEAR.findall(text)
    if (
        len(years) == 2
        and _BORN.search(text)
        and re.search(r"\bhow old (?:will|would|was|were|am|is)\b[^?.]*\bin (?:19|20)\d\d\b", text, re.I)
        and not re.search(r"\d", _YEAR.sub(" ", text))
    ):
        first, last = sorted(map(int, years))
        if re.search(rf"\bborn (?:in )?{first}\b", text, re.I):
            yield f"what is {last} - {first}"
    if len(years) != 1 or re.search(r"\d", _YEAR.sub(" ", text)) or _TURNS.search(_BUILT.sub(" ", text)):
        return
    if _BUILT.search(text) and _YEARS_AGO.search(text) and int(years[0]) <= today.year:
        yield f"what is {today.year} - {years[0]}"
