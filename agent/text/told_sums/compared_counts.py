"""So many more or fewer than somebody else: Tim has 12 marbles, 3 more than Tom."""

from __future__ import annotations

import re
from decimal import Decimal

from agent.text.problems.problem_reader import Problem
from agent.text.quantities.number_words import number_at

_HAS = r"(?:has|is|was|had|weighs|earns|got|costs|scored|runs|read|pays|made)"
_NUMBER = (
    r"(?P<{0}_sign>[$€£]?)(?P<{0}>\d+(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten)"
    r" ?(?:(?P<{0}_of>[a-z]+) ?(?:old|tall|long|heavy)?)?"
)
_WHO = r"(?P<{}>(?:[Tt]he |[Mm]y |[Hh]is |[Hh]er )?[A-Za-z]+)"
_MORE = (
    rf"{_NUMBER.format('more')} ?(?:(?P<up>more|older|taller|heavier|longer|dearer)|"
    r"(?P<down>fewer|less|younger|shorter|lighter|cheaper))(?: [a-z]+)? than"
)
_ASKED = (
    r"[.?,;]? [Hh]ow (?:many|much|old|tall|long|heavy)(?: [a-z]+)?? (?:does |did |is |are |has |was )"
    r"(?P<asked>(?:the |my |his |her )?[A-Za-z]+)"
    r"(?: have| has| weigh| earn| got| get| cost| score| read| pay| make| run| there)?(?: [a-z]+)?[ ?.!]*"
)
_BASE = _NUMBER.format("base")
_ONE, _OTHER = _WHO.format("one"), _WHO.format("other")
_LINK = rf"[,;.]? (?:which is |that is |that's |and (?:has |is )?|(?:he|she|it) {_HAS} )?"
_THEN = rf"(?:,? who {_HAS}|[,.;]? (?:and )?(?:(?P=other)|[Hh]e|[Ss]he|[Ii]t) {_HAS})"
_SHARES = frozenset({"time", "percent"})  # of the other one: "2 times more"
_FORMS = (
    # The one that was compared is told; or the other one, behind or before.
    re.compile(rf"{_ONE} {_HAS} {_BASE}{_LINK}{_MORE} {_OTHER}{_ASKED}"),
    re.compile(rf"{_ONE} {_HAS} {_MORE} {_OTHER}{_THEN} {_BASE}{_ASKED}"),
    re.compile(rf"{_OTHER} {_HAS} {_BASE}[,.;]? (?:and )?{_ONE} {_HAS} {_MORE} (?P<same>[A-Za-z]+){_ASKED}"),
)


def compared_count(text: str) -> Problem | None:
    """ "Tim has 12 marbles, 3 more than Tom. How many has Tom?"."""
    for place, form in enumerate(_FORMS):
        found = form.fullmatch(text.strip()) if len(text) <= 200 else None
        if found is None:
            continue
        one, other, asked = (found[name].lower() for name in ("one", "other", "asked"))
        pronoun = found.groupdict().get("same", "").lower()
        if (
            one == other
            or asked != (other if place == 0 else one)
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
        return Problem("compared_count", sum_, sum_)
    return None


def _unit(noun: str | None) -> str:
    return (noun or "").removesuffix("s")


def _figure(text: str) -> str:
    number = number_at(text, 0, "en")
    return number[0] if number else text
