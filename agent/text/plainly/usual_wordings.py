"""Short and spoken wordings as plain questions: "avg 10 20 30", "3 and a quarter hours", "worth after 5 years"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from agent.text.problems.story_parts import unit_named
from agent.text.regex import regex

_N = r"\d+(?:\.\d+)?"
_SHORT = regex(r"\bavg\b\.?", re.I)
_SPACED = regex(
    rf"(?:what(?:['’]s| is) )?(?:the )?(?P<s>average|avg|mean|median|range)(?: of)?:?"
    rf" (?P<list>{_N}(?: {_N}){{2,14}})[ =?.!]*",
    re.I,
)
_PARTS = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "third": Fraction(1, 3)}
_MIXED = regex(
    r"(?<![\w.,])(?P<n>\d{1,3}) and (?P<k>an?|one|two|three) (?P<part>half|quarter|third)s?(?: of an?)?"
    r" (?P<unit>[a-z]+)\b",
    re.I,
)
_TIMES = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
_SMALLER = {"hour": 60, "day": 24, "minute": 60, "year": 12}
_SMALL = {"hour": "minutes", "day": "hours", "minute": "seconds", "year": "months"}
_SUM = r"(?P<a>[$€£]?\d[\d,]*(?:\.\d+)?(?: ?(?:euros?|dollars?|pounds?))?)"
_SPAN = r"(?P<t>\d{1,2}) years?(?:['’]? time)?"
_RATE = r"(?P<p>\d+(?:\.\d+)?) ?(?:%|percent|per cent)(?: interest| a year| per year| per annum| annually)*"
_ONCE = (
    r"(?:,? (?:and )?(?:is |with )?(?:interest )?compound(?:ed|ing)?(?: interest)?"
    r"(?: (?:yearly|annually|once a year|every year|each year))?)"
)
_WORTH = (
    regex(
        rf"(?:so )?(?:what|how much) (?:will|would) (?:my |the |a sum of |savings of )?{_SUM}"
        rf" (?:be worth|become|grow to|be) (?:after|in|over) {_SPAN},? (?:at|with|earning) {_RATE}{_ONCE}[ ?.!]*",
        re.I,
    ),
    regex(
        rf"(?:so )?(?:what|how much) (?:will|would) (?:my |the |a sum of |savings of )?{_SUM}"
        rf" (?:be worth|become|grow to|be) (?:at|with) {_RATE}{_ONCE} (?:after|in|over|for) {_SPAN}[ ?.!]*",
        re.I,
    ),
    regex(
        rf"(?:if |when )?(?:my )?{_SUM} (?:grows?|rises?|increases?|gains?)(?: by)? (?P<p>{_N}) ?(?:%|percent)"
        rf" (?:a|every|each|per) year(?:{_ONCE})?[.,;] (?:so )?(?:what|how much) (?:is|will|would) (?:it|that)(?: be)?"
        rf"(?: worth)? (?:after|in) {_SPAN}[ ?.!]*",
        re.I,
    ),
)


# "A risotto for 4 needs 320 g of rice. How much is that per person?"
_PER_HEAD = regex(
    r"(?P<told>[^?]*\bfor \d+\b[^?]*\b(?:needs?|takes?|uses?|calls for|requires?) \d[^?]*?)[.,;]? (?:so |and )?"
    r"(?:how much|what) (?:is|does|will|would)(?: (?:that|it|this))?(?: (?:come to|work out at|be))?"
    r" (?:per|for each|for every|a) (?:person|head|serving|portion|guest)[ ?.!]*",
    re.I,
)


def of_usual(text: str) -> Iterator[str]:
    """The whole question in plainer words, where it has one of the usual short or spoken ones."""
    if said := _SPACED.fullmatch(text):
        figures = said["list"].split()
        yield f"{said['s'].lower().replace('avg', 'average')} of {', '.join(figures[:-1])} and {figures[-1]}"
    elif _SHORT.search(text):
        yield _SHORT.sub("average", text)
    made = _MIXED.sub(_in_one, text)
    if made != text:
        yield made
    if said := _PER_HEAD.fullmatch(text):
        yield f"{said['told']}. How much for 1 person?"
    for pattern in _WORTH:
        if said := pattern.fullmatch(text):
            yield f"{said['a']} invested for {said['t']} years at {said['p']}% a year, compounded yearly"


def _in_one(said: re.Match[str]) -> str:
    """ "3 and a quarter hours" as "3.25 hours", "2 and a third hours" as "140 minutes"; other words stay."""
    unit = said["unit"].lower()
    if not unit_named(unit):
        return said[0]
    amount = int(said["n"]) + _TIMES[said["k"].lower()] * _PARTS[said["part"].lower()]
    if said["part"].lower() != "third":
        return f"{float(amount):g} {unit}"
    one = unit.removesuffix("s")
    whole = amount * _SMALLER.get(one, 0)
    return f"{whole} {_SMALL[one]}" if whole and whole.denominator == 1 else said[0]
