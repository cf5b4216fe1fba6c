"""Sums whose quantities cancel to what is asked for: "14 euros an hour, 30 hours a week, how much is it in 4 weeks?".

Each quantity is multiplied or divided by, once; read where only one way comes to the unit or the thing asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, prod

from agent.text.free_sums.free_items import MARK, Item, Told, says
from agent.text.free_sums.free_times import minutes_of, told_length
from agent.text.free_sums.free_units import TOLD
from agent.text.free_sums.free_wishes import asked_measure
from agent.text.problems.story_parts import noun, stem
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_MOST = 5
_MEASURED = frozenset(("time", "length", "mass", "volume", "area", "data"))
_OF_ONE = regex(
    r"(?:\b(?:an?|one|each|every|1|per|the) (?P<one>[a-z]+) (?:is|costs?|takes?|covers?"
    r"|holds?|weighs?|needs?|gives?|uses?"
    r"|makes?|lasts?|does|gets?|for|at)|\b(?P<many>[a-z]+s) (?:are|were|cost|at|each cost"
    r"|take|cover|hold|weigh|need|last))"
    r"(?: me| us| you| about| only)?$"
)
_PER = regex(
    r"(?:(?:of )?[a-z]+ )?(?:per|every|for every|for each|to every|for|to make|makes?"
    r"|serves?|feeds?|needs?|takes?|uses?|costs?|in)"
)
_TO_DO_ONE = regex(r"(?:to [a-z]+|for|on) (?:an?|one|1|each|every) (?P<one>[a-z]+)")
_FOR_SO_MANY = regex(rf"how (?:much|many)(?: (?:do|would|will) (?:i|we) need)?(?: is that)? for {MARK}")
_IN_SPAN = regex(r"\bin (?P<of>days|weeks|months|years)$")
_SHORTLY = regex(rf"\b(?:(?:so|and|what about|how about|how much|what) )*(?:for|to make) {MARK}[ ?.!]*$")
_MANY = regex(r"\bhow many (?P<of>[a-z][a-z -]*)")
_LONG = regex(r"\bhow long\b")
_MONEY = regex(
    r"\bhow much(?: money)?(?= (?:is|are|was|do|does|did|will|would|should|must|can|in|for"
    r"|to|altogether|total|have|has|i|we|he"
    r"|she|they|it|that)\b|[ ?.!]*$)"
)
_FROM_TO = regex(
    rf"{MARK} (?:to|till|until|and (?:left|finished|stopped|went|ended)(?: [a-z]+)? at) {MARK}|{MARK} ?[-–] ?{MARK}"
)
_SPEED = regex(r"\bspeed\b|\bhow fast\b")
_MUCH = regex(r"\bhow much (?P<of>[a-z]{3,})")
_OTHER = regex(
    r"\b(?:left|change|back|profit|each|per|average|difference|percent|%|an? (?:hour|day|week|month|year|km|mile))\b"
)
_PERIODS = frozenset(("day", "week", "month", "year", "night"))
Kinds = dict[str, int]


def rated(told: Told) -> Iterator[str]:
    """The one product of all quantities that is of the kind asked for."""
    if _SPEED.search(told.asked):
        yield from _speed(told)
        return
    items = _with_span([_of_one(item) for item in told.items], told)
    kind = _kind_asked(told, items)
    if (
        not kind
        or not 2 <= len(items) <= _MOST
        or not (any(item.per for item in items) or _bound(told, items))
        or _OTHER.search(told.asked)
    ):
        return
    found = {
        way for kinds in product(*(_kinds(item, items) for item in items)) for way in _ways(told, items, kinds, kind)
    }
    if len({_amount(items, way) for way in found}) == 1:
        yield from _told(told, items, found.pop(), kind)


def _speed(told: Told) -> Iterator[str]:
    ways, times = ([item for item in told.items if item.kind == kind and not item.per] for kind in ("length", "time"))
    if len(told.items) == 2 == len(ways) + len(times) and ways and times:
        yield f"{ways[0].said} {ways[0].unit} in {figure_of(times[0].value / 3600)} hours, average speed?"


def _with_span(items: list[Item], told: Told) -> list[Item]:
    """The time between two times of day in their place: "came at 18:30 and left at 23:00"."""
    clocks = [item for item in items if item.kind == "clock"]
    ends = [minutes_of(item.said) for item in clocks]
    if len(ends) != 2 or ends[0] is None or ends[1] is None or ends[1] <= ends[0] or not _FROM_TO.search(told.text):
        return items
    spent = replace(clocks[0], kind="time", amount=Fraction(ends[1] - ends[0], 60), unit="hours", size=Fraction(3600))
    return [spent if item is clocks[0] else item for item in items if item is not clocks[1]]


def _of_one(item: Item) -> Item:
    """ "A tub covers 12 m²", "pints are 6.20": so much of each."""
    if item.per or item.kind in ("clock", "percent", "speed"):
        return item
    said = _OF_ONE.search(item.before)
    done = None if said else _TO_DO_ONE.match(item.after)
    word = (said["one"] or said["many"]) if said else done["one"] if done else ""
    if said and said["many"] and measure_of(word):
        word = f"{stem(word)} of it"  # "pints are 6.20 and I had 5"
    return replace(item, per=word) if word and stem(word) not in item.names else item


def _kind_asked(told: Told, items: Sequence[Item]) -> str:
    if _LONG.search(told.asked):
        return "time"
    if many := _MANY.search(told.asked) or _IN_SPAN.search(told.asked):
        measure = asked_measure(told)
        names, _ = noun(f" {many['of']}", 0)
        return (
            measure.kind
            if measure
            else next((_thing(stem(item.per)) for item in items if stem(item.per) in names), "")
            or "+".join(sorted(names))
        )
    measured = {item.kind for item in items} & {"money", *_MEASURED}
    if ((not told.asked and _SHORTLY.search(told.text)) or _asks_for_much(told, items)) and len(measured) == 1:
        return measured.pop()
    if (places := _bound(told, items)) and "money" not in measured and _FOR_SO_MANY.fullmatch(told.asked):
        return items[places[0]].kind if items[places[0]].kind != "count" else "+".join(sorted(items[places[0]].names))
    money = says(told.asked, "money_asked") or _MONEY.search(told.asked)
    return "money" if money and any(item.kind in ("money", "bare") for item in items) else ""


def _asks_for_much(told: Told, items: Sequence[Item]) -> bool:
    """ "How much butter", where so much butter is told."""
    much = _MUCH.search(told.asked)
    beside = " ".join(f"{item.before} {item.after}" for item in items if item.kind in _MEASURED)
    return much is not None and re.search(rf"\b{much['of']}\b", beside) is not None


def _thing(word: str) -> str:
    """The kind of measure that one is, or the thing itself."""
    kinds = {one.kind for one in measure_of(word)} & _MEASURED if word not in _PERIODS else set[str]()
    return kinds.pop() if len(kinds) == 1 else stem(word)


def _kinds(item: Item, items: Sequence[Item]) -> list[str]:
    """What it may be of."""
    named = {"+".join(sorted(one.names)) for one in items if one.kind == "count"}
    things = sorted({_thing(one.per) for one in items if one.per} - _MEASURED)
    if item.kind == "bare":
        whole = item.amount.denominator == 1 and not item.per
        return ["money", *({*things, *named, "#"} if whole else ())]
    if item.kind != "count":
        return [item.kind]
    return [next((thing for thing in things if thing in item.names), "+".join(sorted(item.names)))]


def _ways(told: Told, items: Sequence[Item], kinds: Sequence[str], wanted: str) -> Iterator[tuple[int, ...]]:
    """1 for each that is multiplied by, -1 for each that is divided by."""
    bound = _bound(told, items)
    for way in product((1, -1), repeat=len(items)):
        if any(way[place] == way[place + 1] for place in bound):
            continue
        sums: Counter[str] = Counter()
        for item, kind, sign in zip(items, kinds, way, strict=True):
            sums[kind] += sign
            if item.per:
                sums[_thing(item.per)] -= sign
        priced = [sign for kind, sign in zip(kinds, way, strict=True) if kind == "money"]  # no price divides money
        if {kind: times for kind, times in sums.items() if times} == {wanted: 1} and (
            wanted != "money" or min(priced) > 0
        ):
            yield way


def _bound(told: Told, items: Sequence[Item]) -> list[int]:
    """The places of those that are of so many of the next one: "9 litres per 100 km", "200 g of butter for 8"."""
    return [
        place
        for place, (one, two) in enumerate(pairwise(items))
        if one.kind != two.kind
        and not one.per
        and not two.per
        and _PER.fullmatch(told.source[one.end : two.start].strip())
    ][:1]


def _amount(items: Sequence[Item], way: Sequence[int]) -> Fraction:
    """In base units."""
    return prod((_base(item) ** sign for item, sign in zip(items, way, strict=True)), start=Fraction(1))


def _base(item: Item) -> Fraction:
    size = next((one.size for one in measure_of(item.per) if one.kind in _MEASURED), Fraction(1))
    return item.value / (size if item.per and item.per not in _PERIODS else 1)


def _counts_things(item: Item) -> bool:
    divisible = item.per in _PERIODS or measure_of(item.per) or item.per.endswith(TOLD) or item.per == "person"
    return bool(item.per) and not divisible


def _told(told: Told, items: Sequence[Item], way: Sequence[int], kind: str) -> Iterator[str]:
    amount = _amount(items, way)
    if kind == "time":
        yield told_length(told.asked, amount / 60)
        return
    parts = sorted(zip(items, way, strict=True), key=lambda part: part[0].kind != kind or part[1] < 0)
    things = [item for item, sign in parts if sign > 0 and _counts_things(item)]
    begun = [item for item in things if (amount / _base(item)).denominator != 1]
    if begun and kind == "money" and len(things) == 1:  # 4 tins, and not 3.5
        yield f"what is {ceil(amount / _base(begun[0]))} * {begun[0].unit}{begun[0].said}"
        return
    if begun or (kind != "money" and kind not in _MEASURED and amount.denominator != 1):
        return
    measure, first = asked_measure(told), next((item for item in items if item.kind == kind), None)
    unit, size = (first.unit, first.size) if first else ("", Fraction(1))
    if measure and kind in _MEASURED:
        unit, size = measure.name, measure.size
    times = [figure_of(item.amount) for item, sign in parts if sign > 0]
    by = [figure_of(item.amount) for item, sign in parts if sign < 0]
    factor = amount / size / prod((item.amount**sign for item, sign in parts), start=Fraction(1))
    times += [figure_of(factor)] if factor != 1 else []
    sign, name = (unit, "") if kind == "money" else ("", unit)
    times[0] = f"{sign}{times[0]} {name}".strip()
    yield f"what is {' * '.join(times)}{''.join(f' / {one}' for one in by)}"
