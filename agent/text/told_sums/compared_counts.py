"""So many more or fewer than somebody else: Tim has 12 marbles, 3 more than Tom."""

from __future__ import annotations

import re
from decimal import Decimal

from agent.text.problems.problem_reader import Problem
from agent.text.quantities.number_words import number_at
from agent.text.regex import regex

_HAS = r"(?:has|is|was|had|weighs|earns|got|costs|scored|runs|read|pays|made)"
_NUMBER = (
    r"(?P<{0}_sign>[$€£]?)(?P<{0}>\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten)"
    r" ?(?:(?P<{0}_of>[a-z]+) ?(?:old|tall|long|heavy)?)?"
)
_WHO = r"(?P<{}>(?:[Tt]he |[Mm]y |[Hh]is |[Hh]er )?[A-Za-z]+)"
_MORE = (
    rf"{_NUMBER.format('more')} ?(?:(?P<up>more|older|taller|heavier|longer|dearer)|"
    r"(?P<down>fewer|less|younger|shorter|lighter|cheaper))(?: [a-z]+)? than"
)
_ASKED = (
    r"[.?,;]? [Hh]ow (?:many|much|old|tall|long|heavy)(?: [a-z]+)?? (?:does |did |do |is |are |am |has |was )"
    r"(?P<asked>(?:the |my |his |her )?[A-Za-z]+)"
    r"(?: have| has| weigh| earn| got| get| cost| score| read| pay| make| run| there)?(?: [a-z]+)?[ ?.!]*"
)
_BASE = _NUMBER.format("base")
_ONE, _OTHER = _WHO.format("one"), _WHO.format("other")
_LINK = rf"[,;.]? (?:which is |that is |that's |and (?:has |is )?|(?:he|she|it) {_HAS} )?"
_THEN = rf"(?:,? who {_HAS}|[,.;]? (?:and )?(?:(?P=other)|[Hh]e|[Ss]he|[Ii]t) {_HAS})"
_TOGETHER = regex(r"\b(?:together|altogether|in total|in all)\b", re.I)
_SHARES = frozenset({"time", "percent"})  # of the other one: "2 times more"
_FORMS = (
    # The one that was compared is told; or the other one, behind or before.
    regex(rf"{_ONE} {_HAS} {_BASE}{_LINK}{_MORE} {_OTHER}{_ASKED}"),
    regex(rf"{_ONE} {_HAS} {_MORE} {_OTHER}{_THEN} {_BASE}{_ASKED}"),
    regex(rf"{_OTHER} {_HAS} {_BASE}[,.;]? (?:and )?{_ONE} {_HAS} {_MORE} (?P<same>[A-Za-z]+){_ASKED}"),
)
# "Tom is twice as old as Anna, who is 14. How old is Tom?"
_AS = regex(
    rf"{_ONE} {_HAS} (?P<times>twice|half|(?P<n>\d{{1,3}}|three|four|five|six|seven|eight|nine|ten) times) "
    rf"as (?:old|tall|long|heavy|expensive|big|far|(?:many|much)(?: [a-z]+)?) as {_OTHER}"
    rf"(?:,? (?P<who>who) {_HAS}|[.,;]? (?:and |if )?{_WHO.format('told')} (?:{_HAS}|am|have)) {_BASE}{_ASKED}"
)


def times_as(text: str) -> Problem | None:
    """ "My grandmother is 4 times as old as me. She is 72. How old am I?"."""
    found = _AS.fullmatch(text.strip()) if len(text) <= 200 else None
    if found is None or _of_two_kinds(text.lower(), found["base_of"]):
        return None
    one, other, asked = ("i" if found[name].lower() == "me" else found[name].lower() for name in _NAMES)
    told = other if found["who"] else found["told"].lower()
    # A pronoun is of the one who is no "I".
    told, asked = (one if name in ("he", "she", "it") and other == "i" else name for name in (told, asked))
    times = _figure(found["n"]) if found["n"] else "2"
    if one == other or {told, asked} != {one, other} or not int(times):
        return None
    more = (told == other) != (found["times"] == "half")
    sum_ = f"{_figure(found['base'])} {'*' if more else '/'} {times}"
    return Problem("times_as", sum_, sum_.replace("*", "×").replace("/", "÷"), found["base_sign"])


def _of_two_kinds(text: str, of: str | None) -> bool:
    """Whether one thing is compared and another one told or asked for, or another time."""
    things = {*re.findall(r"\bmany ([a-z]+) (?:as|does|did|do|has|have)\b", text)}
    things |= {of} if things and of else set()
    sizes = {*re.findall(r"\b(?:old|tall|long|heavy|expensive|big|far|many|much)\b", text)}
    return len(things) > 1 or len(sizes) > 1 or {"was", "is"} <= set(text.split())


_NAMES = ("one", "other", "asked")


def compared_count(text: str) -> Problem | None:
    """ "Tim has 12 marbles, 3 more than Tom. How many has Tom?"."""
    for place, form in enumerate(_FORMS):
        found = form.fullmatch(text.strip()) if len(text) <= 200 else None
        if found is None:
            continue
        one, other, asked = (found[name].lower() for name in _NAMES)
        both = asked in ("they", "we") and _TOGETHER.search(text) is not None
        pronoun = found.groupdict().get("same", "").lower()
        if (
            one == other
            or (asked != (other if place == 0 else one) and not both)
            or (pronoun and pronoun not in (other, "him", "her", "it"))
        ):
            return None
        base, more = (_figure(found[name]) for name in ("base", "more"))
        units = {unit for name in ("base", "more") if (unit := found[f"{name}_sign"] or _unit(found[f"{name}_of"]))}
        if len(units) > 1 or not units.isdisjoint(_SHARES):
            return None
        rises = bool(found["up"]) == (place > 0)
        if not rises and Decimal(more) > Decimal(base):
            return None
        sum_ = f"{base} {'+' if rises else '-'} {more}"
        sum_ = f"{base} + {sum_}" if both else sum_
        return Problem("compared_count", sum_, sum_)
    return None


def _unit(noun: str | None) -> str:
    return (noun or "").removesuffix("s")


def _figure(text: str) -> str:
    number = number_at(text, 0, "en")
    return number[0] if number else text
