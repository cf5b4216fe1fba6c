"""When something begins or is over, and how long all of it takes: the lengths of time of a told sum."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from agent.text.free_sums.free_items import MARK, WORDS, Item, Told, has, says
from agent.text.free_sums.free_terms import Term, has_sum, one_kind, said_beside, terms_of, with_units
from agent.text.free_sums.free_wishes import names_one
from agent.text.problems.clock_figures import after_noon
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_MINUTE = Fraction(60)
_WHEN = regex(r"\b(?:when|whens|when's|what time|arrival time|how soon)\b")
_ORDERS = regex(r"\b(?:order|book) (?:the|a|my) (?:taxi|cab|uber)\b")
_SHIFT = regex(r"\b(?:work|shift|break|lunch)\b.*\b(?:work|shift|break|lunch)\b")
_SLEEPS, _WAKES = regex(r"\b(?:sleep|asleep|bed|nod off|drop off)\b"), regex(r"\b(?:alarm|wake|get up|up)\b")
_AFTER = regex(rf"\bafter {MARK}")  # "starts at 19:30 after 20 minutes of ads"
_NO_NOUN = frozenset(WORDS["told"]["in_a_row"])


def clock_asked(told: Told) -> Iterator[str]:
    """What lies all told lengths before or after the one time of day."""
    clocks = [item for item in told.items if item.kind == "clock"]
    if len(clocks) != 1 or not _WHEN.search(told.asked + " " + told.text[-20:]):
        return
    items, ways = _without_ways([item for item in told.items if item.kind != "clock"])
    terms = _lengths(items, told) if items else [] if ways else None
    asked = _after_when(told)
    ends, starts = has(asked, "after", "asked"), has(asked, "before", "asked")
    if _SLEEPS.search(clocks[0].before) and _WAKES.search(asked):
        ends, starts = True, False
    if terms is None or ends == starts or (len(terms) > 1 and says(told.text, "cooks") and not _in_a_row(terms)):
        return
    clock, minutes = clocks[0], sum((term.value for term in terms), Fraction(0)) / _MINUTE + ways
    fits = _may_begin(told, clock, terms) if ends else _may_be_due(told, clock, terms)
    if fits and minutes and minutes.denominator == 1 and (_ORDERS.search(asked) or not names_one(told, terms)):
        yield f"what time is {minutes} minutes {'after' if ends else 'before'} {_by_day(clock.said, ends, minutes)}"


def _by_day(clock: str, ends: bool, minutes: Fraction) -> str:
    """ "1 o'clock" as 13:00 where it would else be the night before."""
    told = minutes_of(clock)
    early = (
        told is not None and not ends and not re.search(r"[ap]\.?m", clock) and 60 <= told < 13 * 60 and told < minutes
    )
    return f"{told // 60 + 12}:{told % 60:02}" if told is not None and early else clock


def _after_when(told: Told) -> str:
    asked = told.asked or told.text
    found = _WHEN.search(asked)
    return asked if found is None or "arrival" in found[0] or found.end() > len(asked) - 2 else asked[found.end() :]


def _lengths(items: Sequence[Item], told: Told) -> list[Term] | None:
    read = terms_of(items, told.source) if items else None
    of_time = read and one_kind(read) == "time" and not any(term.period for term in read)
    return with_units(read, "time") if read and of_time else None


def _in_a_row(terms: Sequence[Term]) -> bool:
    """Whether each further length follows the first one, and is not of another dish."""
    first, *others = terms
    heats = says(said_beside(first), "heats")
    return heats or all(set(re.findall(r"[a-z']+", term.items[0].before)) <= _NO_NOUN for term in others)


def _may_begin(told: Told, clock: Item, terms: Sequence[Term]) -> bool:
    """Whether all lengths come after the clock."""
    if says(told.text, "flies") or has(told.text, "ahead") or _SHIFT.search(told.text) or _AFTER.search(told.text):
        return False
    return not says(clock.before, "ends")


def _may_be_due(told: Told, clock: Item, terms: Sequence[Term]) -> bool:
    """Whether all lengths come before the clock, and it is not oneself who begins then."""
    if says(clock.before, "over") or any(
        _OF_CLOCK.fullmatch(f"{term.items[0].before}|{term.items[-1].after}") for term in terms
    ):
        return False
    if says(clock.before, "own_start") and not says(clock.before, "event"):
        return False
    return all(has(said_beside(term), "lead") and not has(said_beside(term), "lasting") for term in terms)


# "The train leaves at 16:42 and takes 50 minutes": what it takes begins then.
_OF_CLOCK = regex(
    r"(?:(?:which|that|it|it's|its|this|takes?|lasts?|is|runs?|for|about|and|a|an|of) ?)*\|'? ?"
    r"(?!to\b|away\b|by\b|drive|walk|in the|from|on the|early|before|ride|bus|car)[a-z' ]*"
)


_OTHER_LENGTH = regex(r"\bhow long (?:ago|before)\b|\bper\b|\bafter\b|\bleft\b|\bremain")


def length_asked(told: Told) -> Iterator[str]:
    """How long all of it takes, so many times so long and ways at a speed among them."""
    asked = told.asked or told.text
    if not has(asked, "long", "asked") or _OTHER_LENGTH.search(asked):
        return
    clocks = [item for item in told.items if item.kind == "clock"]
    if clocks or len(told.items) < 2:
        yield from _without_breaks(told, clocks)
        return
    items, ways = _without_rate(told) or _without_ways(told.items)
    if items is None:
        return
    terms = _lengths(items, told) if items else []
    if re.search(r"\bback\b", told.text) or terms is None or (terms and names_one(told, terms)):
        return
    apart = MARK not in told.asked or (not terms if ways else told.asked.count(MARK) == len(told.items))
    if not apart or has_sum(terms, "") or any(has(said_beside(term), "taken") for term in terms):
        return
    minutes = sum((term.value for term in terms), Fraction(0)) / _MINUTE + ways
    several = len(terms) + bool(ways)
    if several < 2 and not ways and len(terms[0].items) < 2:
        return
    if minutes < 60 and not ways and "hour" not in asked:
        yield f"what is {' + '.join(term.told('minutes', _MINUTE) for term in terms)}"
        return
    yield told_length(asked, minutes)


_TWO = 2


def _without_breaks(told: Told, clocks: Sequence[Item]) -> Iterator[str]:
    """What lies between two times of day less the breaks."""
    terms = _lengths([item for item in told.items if item.kind != "clock"], told)
    ends = [minutes_of(said) for said in _of_one_day(clocks)]
    if len(ends) != _TWO or not terms or ends[0] is None or ends[1] is None or MARK in told.asked:
        return
    night = _DAY if ends[1] < ends[0] else 0
    minutes = Fraction(ends[1] + night - ends[0]) - sum((term.value for term in terms), Fraction(0)) / _MINUTE
    if minutes > 0 and len(terms) == 1 and says(said_beside(terms[0]), "breaks"):
        yield told_length(told.asked or told.text, minutes)


def _of_one_day(clocks: Sequence[Item]) -> list[str]:
    said = [clock.said.strip() for clock in clocks]
    return [said[0], after_noon(*said)] if len(said) == _TWO else said


_DAY = 24 * 60


def minutes_of(clock: str) -> int | None:
    """From midnight to that time of day, ``None`` where it is not sure which half of the day is meant."""
    said = re.fullmatch(r"(\d{1,2})(?::(\d\d))? ?(?:([ap])\.?m\.?)?", clock.replace(" o'clock", ":00"))
    if said is None or not (said[2] or said[3]):
        return None
    hours = int(said[1]) % 12 + 12 * (said[3] == "p") if said[3] else int(said[1])
    return hours * 60 + int(said[2] or 0)


def told_length(asked: str, minutes: Fraction) -> str:
    """So many minutes in the units that are asked for."""
    both = re.search(r"hours and minutes", asked) is not None
    into = "hours" if re.search(r"\bin hours\b(?! and)", asked) else "hours and minutes"
    if re.search(r"\bhow many (?:minutes|mins)\b|\bin minutes\b", asked):
        return f"what is {figure_of(minutes / 60)} hours in minutes"
    if re.search(r"\bhow many (?:hours|hrs)\b", asked) and not both:
        into = "hours"
    return f"what is {figure_of(minutes)} minutes in {into}"


def _without_ways(items: Sequence[Item]) -> tuple[list[Item] | None, Fraction]:
    """The items but for a distance with its speed, or a number of things with its rate, and the minutes of those."""
    rates = [
        item for item in items if item.kind == "speed" or (item.per in ("hour", "minute") and item.kind != "money")
    ]
    if not rates:
        return list(items), Fraction(0)
    (rate, *more) = rates
    whole = [item for item in items if item is not rate and _of_rate(item, rate)]
    if more or len(whole) != 1 or not rate.amount:
        return None, Fraction(0)
    size = Fraction(3600) if rate.kind == "speed" or rate.per == "hour" else _MINUTE
    each = _SPEEDS[rate.unit] if rate.kind == "speed" else rate.size
    minutes = whole[0].value / (rate.amount * each) * size / _MINUTE
    return [item for item in items if item is not rate and item is not whole[0]], minutes


_FOR_EVERY = regex(r"(?:for )?(?:every|each|per)|per")


def _without_rate(told: Told) -> tuple[list[Item], Fraction] | None:
    """The items but for so much time for every so much of a thing, and all of that thing; and the minutes of it."""
    for time, each in pairwise(told.items):
        whole = [one for one in told.items if one.kind == each.kind and one is not each]
        bound = time.kind == "time" and _FOR_EVERY.fullmatch(told.source[time.end : each.start].strip())
        if (
            bound
            and not time.per
            and each.kind in ("mass", "length", "volume", "count")
            and len(whole) == 1
            and each.value
        ):
            minutes = time.value * whole[0].value / each.value / _MINUTE
            return [one for one in told.items if one not in (time, each, whole[0])], minutes
    return None


_SPEEDS = {
    "mph": next(one.size for one in measure_of("miles")),
    "km/h": next(one.size for one in measure_of("km")),
}


def _of_rate(item: Item, rate: Item) -> bool:
    if rate.kind == "speed":
        return item.kind == "length"
    return item.kind == rate.kind and (item.kind != "count" or item.names == rate.names)
