"""How many small ones a large one holds: 250 ml glasses out of a 5 litre keg."""

from __future__ import annotations

import re

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import Part, stem
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import Telling, telling

_KINDS = ("length", "volume", "mass", "time")
_MANY = regex(r"\bhow many (?:full |whole )?(?P<size>\d[^a-z]*[a-z]+[ -](?:of )?)?(?P<things>[a-z]+(?: [a-z]+){0,2})")
_EACH = regex(r"\b(?:each|a|an|every|one) (?P<thing>[a-z]+) (?:takes|holds|needs|uses|is|weighs|contains|wants) \d")


def fits(text: str) -> Problem | None:
    """ "How many 250 ml glasses can I pour out of a 5 litre keg?"."""
    told = telling(text)
    if told is None or len(told.parts) != 2 or told.says("not_fit"):
        return None
    found = _small_and_large(told)
    if found is None:
        return None
    small, large, things = found
    if small.measure is None or large.measure is None or small.names != large.names or small.by or large.by:
        return None
    ratio = large.measure.size / small.measure.size
    count = large.amount * ratio / small.amount if small.amount else 0
    rounded = "" if count == int(count) else None if _FILLED.search(told.text) else _rounded(told)
    if rounded is None or count < 1:
        return None
    times = f" * {figure_of(ratio)}" if ratio != 1 else ""
    sum_ = f"{figure_of(large.amount)}{times} / {figure_of(small.amount)}"
    called = f"the number of {things} of {_size(small)} for {_size(large)}"
    by = {"floor": ", rounded down,", "ceil": ", rounded up,", "": ""}[rounded]
    return Problem("fits", f"{rounded}({sum_})" if rounded else sum_, called + by)


# How many of them fill something of another size: whether the last one may be left half full is not said.
_FILLED = regex(r"\bfill (?:up )?(?:an?|the|my|this|one|our)\b")


def _size(part: Part) -> str:
    return f"{figure_of(part.amount)} {part.unit}"


def _rounded(told: Telling) -> str | None:
    """Whether whole ones are counted or what is needed for all of it; ``None`` where that is not said."""
    up, down = told.asks("up"), told.asks("down")
    return None if up == down else "ceil" if up else "floor"


def _small_and_large(told: Telling) -> tuple[Part, Part, str] | None:
    """The size of those that are counted, the other quantity, and their name."""
    many = _MANY.search(told.text)
    if many is None or not any(told.asks(name) for name in ("down", "up", "exact")):
        return None
    kinds = {kind for part in told.parts for kind in part.names}
    if kinds.isdisjoint({f"@{kind}" for kind in _KINDS}):
        return None
    first, second = told.parts
    things = many["things"].split()[0]
    if many["size"]:  # the one that stands behind "how many"
        before = told.text[: many.start("size")]
        return (second, first, things) if re.search(r"\d", before) else (first, second, things)
    each = _EACH.search(told.text)
    if each is None or stem(each["thing"]) != stem(things):
        return None
    before = re.search(r"\d", told.text[: each.end() - 1])
    return (second, first, things) if before else (first, second, things)
