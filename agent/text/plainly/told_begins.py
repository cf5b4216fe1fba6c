"""What was issued on a day and runs for so long, and who was born in a month: as questions of one day."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

from agent.text.problems.said_days import LENGTH, days_named, length_named
from agent.text.quantities.dates import MONTH, written
from agent.text.regex import regex

_BEGUN = regex(
    r"\b(?:issued|started|starts|began|begins|begun|signed|dated|bought"
    r"|took out|taken out|valid from|opened|runs? from|from|renewed|activated|made)"
    r"(?: (?:it|them))?(?: (?:on|in|from))?(?: the)? § *|\bfrom § *",
    re.I,
)
_RUNS = regex(
    r"\b(?:runs?|lasts?|valid|good|covers?|guaranteed?|for|contract|warranty|membership"
    r"|lease|subscription|notice|term|validity)\b",
    re.I,
)
_ASKED = regex(
    r"\b(?:how many (?:more )?(?P<unit>days|weeks|months)|"
    r"(?P<long>how (?:much )?(?:long(?:er)?|time)))\b(?P<rest>[^?.!;]*)[ ?.!]*$",
    re.I,
)
_LEFT = regex(
    r"\b(?:left|remain(?:s|ing)?|to go|still (?:valid|got|have|run)|(?:until|till|before)"
    r" (?:it|that|the [a-z]+|my [a-z]+) (?:ends?|expires?|runs? out|is (?:over|up)|needs renewing|finishes))\b",
    re.I,
)
_TURNED = regex(
    r"\b(?:not|never|used|since|ago|extend\w*|expired|ended|cancel\w*|paus\w*|every|each"
    r"|per|half|twice|or|working|business|week ?days?|before (?=§)|another|again|already|weekends?"
    r"|first|last|notice|return\w*"
    r"|tomorrow|yesterday|would|if|was i|grace|delayed|moved|except|minus"
    r"|less|more than|earlier|later|early|late|then)\b|n['’]t\b",
    re.I,
)
_WHO = r"(?:[a-z'’-]+ ){0,4}?[a-z'’-]+"
_BORN_DAY = rf"(?:on |in )?(?P<day>(?:(?:\d{{1,2}}(?:st|nd|rd|th)? )?(?:{MONTH}),? )?(?:1[5-9]|20)\d\d)"
_NOW = r"(?: (?:now|today|at the moment|currently|these days|at present|right now))*"
_IS = r"(?:is|am|are|would|will|['’]s)"
_OF_WHOM = rf"(?: {_IS} (?:{_WHO})(?: be)?)?{_NOW}[ ?.!]*"
_ASKS_AGE = r"(?: ?[-–,.;:]+ ?| )(?:so |and )?(?:how old|what age)"
_BORN = (
    regex(
        rf"(?:if )?(?:(?P<who>{_WHO}) (?:was|were|am|is) )?born {_BORN_DAY}{_ASKS_AGE}{_OF_WHOM}",
        re.I,
    ),
    regex(
        rf"(?P<who>{_WHO})['’]s (?:birthday|date of birth|birth ?date) (?:is|was) {_BORN_DAY}{_ASKS_AGE}{_OF_WHOM}",
        re.I,
    ),
    regex(
        rf"(?:how old|what age) (?:is|am|are|would|will) (?P<who>{_WHO}?)(?: be)?{_NOW},?"
        rf" (?:if|when|given(?: that)?|who was|being)(?: {_WHO}?(?: was| were| is| am)?)? ?born {_BORN_DAY}[ ?.!]*",
        re.I,
    ),
)
_OVER = regex(
    r"\b(?:died?|dead|passed|killed|when|lived|before|after|not|never|or|twins|first"
    r"|last|would have|in \d)\b|n['’]t\b",
    re.I,
)


def of_told_begin(text: str, today: date) -> Iterator[str]:
    """ "Issued on 12 May 2019, runs for 10 years, how many days left?" as "how many days until 12 May 2029"."""
    for pattern in _BORN:
        said = pattern.fullmatch(text)
        if said and not _OVER.search(text):
            on = "on" if said["day"][0].isdigit() and " " in said["day"] else "in"
            yield f"how old is someone born {on} {said['day']}"
            return
    bare, days = days_named(text, today)
    asked = _ASKED.search(bare)
    if len(days) != 1 or asked is None or not _LEFT.search(asked["rest"]):
        return
    told = bare[: asked.start()]
    spans = [one for one in LENGTH.finditer(told.replace("-", " ")) if length_named(one)]
    begun = _BEGUN.search(bare.replace("-", " "))
    if len(spans) != 1 or begun is None or not _RUNS.search(told) or _TURNED.search(bare):
        return
    if re.search(r"\d", LENGTH.sub(" ", told.replace("-", " "), count=1)) or not re.search(r"\d{4}", text):
        return
    end = _after(days[0], length_named(spans[0]))
    if end and end > today:
        yield f"how many {asked['unit'] or 'days'} until {written(end, 'en')}"


def _after(begin: date, length: str) -> date | None:
    """The day so much later; ``None`` where that month has no such day."""
    number, *_, units = length.split()
    n, unit = int(number), units.rstrip("s")
    if unit in ("day", "week"):
        return begin + timedelta(days=n * (7 if unit == "week" else 1))
    months = begin.year * 12 + begin.month - 1 + n * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    fits = year <= date.max.year and begin.day <= monthrange(year, month + 1)[1]
    return date(year, month + 1, begin.day) if fits else None
