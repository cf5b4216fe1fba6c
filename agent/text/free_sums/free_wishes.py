"""What a told sum wishes, by the clause that asks: change, what is left, a share, a total, and of what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from agent.text.free_sums.free_items import MARK, WORDS, Told, has, says
from agent.text.free_sums.free_terms import Term, people_of, said_beside
from agent.text.problems.story_parts import STOP, noun, stem
from agent.text.quantities.units import Measure, measure_of
from agent.text.regex import regex

Wish = Literal["change", "left", "each", "total", ""]
_MANY = regex(r"\bhow many(?P<of> [a-z][a-z -]*|$)")
_MUCH = regex(r"\bhow much (?P<of>[a-z]+)")
_IN_UNIT = regex(r"\bhow many (?P<unit>[a-z]+(?: [a-z]+)?)\b|\bin (?P<to>[a-z]+)$")
_GENERIC = frozenset(WORDS["told"]["no_noun"])
_NAMED = regex(r"\b(?:the|my|our|his|her|their|an?|for|on|of) (?P<noun>[a-z]{3,})")
_NO_AMOUNT = regex(r"\b(?:how long|when|what time)\b")
_I_PAY = regex(r"\bi (?:pay|owe|put in|have to pay|need to pay|chip in)\b")
_OF_US = regex(r"\d of us\b|\d (?:flatmates|housemates|roommates)\b")
_SQUARED = regex(r"\b(?:square|sq|cubic|area|volume|litres?)\b|[²³]")
_PERIODS = frozenset(("day", "week", "month", "year", "hour", "minute", "night"))
_MEASURED = ("length", "time", "mass", "volume", "area", "data")


def asks_apart(told: Told) -> bool:
    """Whether the clause that asks has no figure, or has all of them; and it asks for no time."""
    if _NO_AMOUNT.search(told.asked) and not has(told.asked, "left", "asked"):
        return False
    marks = 0 if _asks_with_counts(told) else told.asked.count(MARK)
    rated = all(item.kind == "count" or item.per or item.kind == "money" or "." in item.said for item in told.items)
    return not marks or (marks == len(told.items) and rated and not re.search(rf"how many {MARK}", told.asked))


def _asks_with_counts(told: Told) -> bool:
    """Whether all figures of the clause that asks count what is told at so much each: "what do 6 classes cost"."""
    begin = told.source.find(told.asked.split(MARK)[0]) if MARK in told.asked else -1
    asked = [item for item in told.items if begin >= 0 and item.start > begin]
    each = {stem(item.per) for item in told.items if item.per}
    return bool(asked) and all(item.kind == "count" and item.names & each and not item.per for item in asked)


def wish_of(told: Told) -> Wish:
    periods = {item.per for item in told.items} & _PERIODS
    asked = re.sub(rf"\b(?:per|an?|each|every) (?:{'|'.join(periods)})$", "", told.asked) if periods else told.asked
    if has(asked, "change", "asked"):
        return "change"
    if has(asked, "refused", "asked"):
        return ""
    if has(asked, "left", "asked"):
        return "left"
    shared = has(told.text, "shared") or (_I_PAY.search(asked) and _OF_US.search(told.source))
    if has(asked, "each", "asked") or (shared and people_of(told.items)):
        return "each"
    percents = any(item.kind == "percent" for item in told.items)
    return "total" if has(asked, "all", "asked") or (percents and has(asked, "raised", "asked")) else ""


def asked_measure(told: Told) -> Measure | None:
    """The unit in which the sum is asked for."""
    said = _IN_UNIT.search(told.asked)
    words = (said["unit"] or said["to"]).split() if said else []
    for word in (" ".join(words), *words[:1]):
        found = [one for one in measure_of(word) if one.kind in _MEASURED and word not in ("in", "a")]
        if len(found) == 1:
            return found[0]
    return None


def asks_of(told: Told, terms: Sequence[Term], kind: str) -> bool:
    """Whether the thing that is asked for is what the terms are of."""
    asked = told.asked
    if (says(asked, "money_asked") and kind not in ("money", "bare")) or (kind == "length" and _SQUARED.search(asked)):
        return False
    named = {name for term in terms for item in term.items for name in item.names}
    if many := _MANY.search(asked):
        return _asks_so_many(told, many["of"], named, kind)
    much = _MUCH.search(asked)
    if much and much["of"] not in STOP and stem(much["of"]) not in _GENERIC and kind != "money":
        beside = " ".join([*map(said_beside, terms), *named, told.source[: told.items[0].start]])
        return stem(much["of"]) in map(stem, re.findall(r"[a-z]+", beside))
    return kind != "count" or much is None


def _asks_so_many(told: Told, of: str, named: set[str], kind: str) -> bool:
    if measure := asked_measure(told):
        return kind == measure.kind
    if kind not in ("count", "bare"):
        return False
    names, _ = noun(of, 0)
    return not names & _PERIODS and (not names or not named or bool(names & named))


def names_one(told: Told, terms: Sequence[Term]) -> bool:
    """Whether the question names a thing that only some of the terms are of."""
    if len(terms) < 2:
        return False
    beside = [
        {stem(word) for word in re.findall(r"[a-z]+", said_beside(term))}
        | {name for item in term.items for name in item.names}
        for term in terms
    ]
    nouns = {stem(said["noun"]) for said in _NAMED.finditer(told.asked)} - _GENERIC - STOP
    return any(0 < sum(name in words for words in beside) < len(terms) for name in nouns)
