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
from math import prod

from agent.text.free_sums.free_items import MARK, Item, Told, says
from agent.text.free_sums.free_times import told_length
from agent.text.free_sums.free_wishes import asked_measure
from agent.text.problems.story_parts import noun, stem
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_MOST = 5
_MEASURED = frozenset(("time", "length", "mass", "volume", "area", "data"))
_OF_ONE = regex(
    r"(?:\b(?:an?|one|each|every|1|per|the) (?P<one>[a-z]+) (?:is|costs?|takes?|covers?|holds?|weighs?|needs?|gives?|uses?"
    r"|makes?|lasts?|does|gets?|for|at)|\b(?P<many>[a-z]+s) (?:are|were|cost|at|each cost|take|cover|hold|weigh|need|last))"
    r"(?: me| us| you| about| only)?$"
)
_PER = regex(r"(?:per|every|for every|for each|to every|out of every)")
_MANY = regex(r"\bhow many (?P<of>[a-z][a-z -]*)")
_LONG = regex(r"\bhow long\b")
_MONEY = regex(r"\bhow much(?: money)?(?! [a-z]+(?<!is)(?<!do)(?<!will)(?<!would)(?<!for)(?<!does)(?<!did)(?<!to)\b)")
_OTHER = regex(
    r"\b(?:left|change|back|profit|each|per|average|difference|percent|%|an? (?:hour|day|week|month|year|km|mile))\b"
)
_PERIODS = frozenset(("day", "week", "month", "year", "night"))
Kinds = dict[str, int]


def rated(told: Told) -> Iterator[str]:
    """The one product of all quantities that is of the kind asked for."""
    items = [_of_one(item) for item in told.items]
    kind = _kind_asked(told, items)
    if not kind or not 2 <= len(items) <= _MOST or not any(item.per for item in items) or _OTHER.search(told.asked):
        return
    found = {
        way for kinds in product(*(_kinds(item, items) for item in items)) for way in _ways(told, items, kinds, kind)
    }
    if len({_amount(items, way) for way in found}) == 1:
        yield from _told(told, items, found.pop(), kind)


def _of_one(item: Item) -> Item:
    """ "A tub covers 12 m²", "pints are 6.20": so much of each."""
    said = _OF_ONE.search(item.before) if not item.per and item.kind not in ("clock", "percent", "speed") else None
    word = (said["one"] or said["many"]) if said else ""
    if said and said["many"] and measure_of(word):
        word = f"{stem(word)} of it"  # "pints are 6.20 and I had 5"
    return replace(item, per=word) if word and stem(word) not in item.names else item


def _kind_asked(told: Told, items: Sequence[Item]) -> str:
    if _LONG.search(told.asked):
        return "time"
    if many := _MANY.search(told.asked):
        measure = asked_measure(told)
        names, _ = noun(f" {many['of']}", 0)
        return (
            measure.kind
            if measure
            else next((_thing(stem(item.per)) for item in items if stem(item.per) in names), "")
            or "+".join(sorted(names))
        )
    money = says(told.asked, "money_asked") or _MONEY.search(told.asked)
    return "money" if money and any(item.kind in ("money", "bare") for item in items) else ""


def _thing(word: str) -> str:
    """The kind of measure that one is, or the thing itself."""
    kinds = {one.kind for one in measure_of(word)} & _MEASURED if word not in _PERIODS else set[str]()
    return kinds.pop() if len(kinds) == 1 else stem(word)


def _kinds(item: Item, items: Sequence[Item]) -> list[str]:
    """What it may be of."""
    things = sorted({_thing(one.per) for one in items if one.per} - _MEASURED)
    if item.kind == "bare":
        whole = item.amount.denominator == 1 and not item.per
        return ["money", *(things if whole else [])]
    if item.kind != "count":
        return [item.kind]
    return [next((thing for thing in things if thing in item.names), "+".join(sorted(item.names)))]


def _ways(told: Told, items: Sequence[Item], kinds: Sequence[str], wanted: str) -> Iterator[tuple[int, ...]]:
    """1 for each that is multiplied by, -1 for each that is divided by."""
    bound = [
        place
        for place, (one, two) in enumerate(pairwise(items))
        if _PER.fullmatch(told.source[one.end : two.start].strip())
    ]
    for way in product((1, -1), repeat=len(items)):
        if any(way[place] == way[place + 1] for place in bound):
            continue
        sums: Counter[str] = Counter()
        for item, kind, sign in zip(items, kinds, way, strict=True):
            sums[kind] += sign
            if item.per:
                sums[_thing(item.per)] -= sign
        if {kind: times for kind, times in sums.items() if times} == {wanted: 1}:
            yield way


def _amount(items: Sequence[Item], way: Sequence[int]) -> Fraction:
    """In base units."""
    return prod((_base(item) ** sign for item, sign in zip(items, way, strict=True)), start=Fraction(1))


def _base(item: Item) -> Fraction:
    size = next((one.size for one in measure_of(item.per) if one.kind in _MEASURED), Fraction(1))
    return item.value / (size if item.per and item.per not in _PERIODS else 1)


def _told(told: Told, items: Sequence[Item], way: Sequence[int], kind: str) -> Iterator[str]:
    amount = _amount(items, way)
    if kind == "time":
        yield told_length(told.asked, amount / 60)
        return
    measure = asked_measure(told)
    first = next((item for item in items if item.kind == kind), None)
    unit, size = (
        (measure.name, measure.size)
        if measure and kind in _MEASURED
        else (first.unit, first.size)
        if first
        else ("", Fraction(1))
    )
    if kind != "money" and kind not in _MEASURED and amount.denominator != 1:
        return
    times = [figure_of(item.amount) for item, sign in zip(items, way, strict=True) if sign > 0]
    by = [figure_of(item.amount) for item, sign in zip(items, way, strict=True) if sign < 0]
    plain = prod((item.amount**sign for item, sign in zip(items, way, strict=True)), start=Fraction(1))
    if (factor := amount / size / plain) != 1:
        times.append(figure_of(factor))
    sign, name = (unit, "") if kind == "money" else ("", unit)
    yield f"what is {sign}{' * '.join(times)}{''.join(f' / {one}' for one in by)} {name}".strip()
