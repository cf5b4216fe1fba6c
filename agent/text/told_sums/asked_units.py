"""A problem whose result is asked for in a unit: "150 miles in 2.5 hours, how fast in km/h?"."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.text.problems.problem_reader import Problem, read_problem
from agent.text.problems.story_totals import StorySum
from agent.text.quantities.units import CURRENCIES, measure_of, named
from agent.text.regex import regex
from agent.text.sums.phrases import Language
from agent.text.told_sums.simple_interest import simple_interest
from agent.text.told_sums.span_sums import span_sum

_INTO = regex(
    r"(?P<far>,? how far)?,? (?:(?:how fast|what speed)(?: (?:is|was) (?:that|it|this))?|(?:what )?is (?:that|it))? ?"
    r"in (?P<to>[a-z/]+(?: per [a-z]+)?)[ ?.!]*$",
    re.I,
)
_NO_SPEED = regex(r"\bhow (?:far|long|much|many)\b", re.I)


def problem_asked(text: str, language: Language) -> Problem | None:
    """The problem that ``text`` poses, its result in the unit that the end of it names."""
    if language == "en" and (loan := simple_interest(text)):
        return loan
    if lengths := span_sum(text, language):
        return lengths
    into = _INTO.search(text) if language == "en" else None
    targets = measure_of(into["to"].lower()) if into else ()
    if into is None or not targets:
        return read_problem(text, language)
    bare, speed = text[: into.start()] + (into["far"] or ""), any(one.kind == "speed" for one in targets)
    found = read_problem(bare, language) or (read_problem(f"average speed {bare}", language) if speed else None)
    found = found or (None if speed else read_problem(text, language))
    unit = named(found.unit) if found else None
    if found and found.name == "lengths":
        return None
    if found is None or unit is None:
        return None
    target = next((one for one in targets if one.kind == unit.kind), None)
    if target is None or (speed and _NO_SPEED.search(text)):
        return None
    sum_ = f"({found.expression}) * {unit.multiplier} / {target.multiplier}"
    return found if unit == target else replace(found, expression=sum_, unit=target.name)


def in_asked_unit(text: str, found: StorySum) -> StorySum | None:
    """The sum in the unit that the end of ``text`` names; ``None`` where it is of another kind."""
    bare = _BARE_IN_UNIT.fullmatch(text)
    if bare and (names := _names(bare["to"].lower())) and found.unit not in names:
        return None
    into = _IN_UNIT.search(text)
    unit = named(found.unit)
    targets = measure_of(into["to"].lower()) if into else ()
    target = next((one for one in targets if unit and one.kind == unit.kind), None)
    if not targets or unit is None or found.rest or target == unit:
        return found
    if target is None:
        return None
    sum_ = f"({found.expression}) * {unit.multiplier} / {target.multiplier}"
    return replace(found, expression=sum_, unit=target.name)


def _names(word: str) -> set[str]:
    """Those of the units that the word may be, the sign of a currency among them."""
    return {one.name for one in measure_of(word)} | {CURRENCIES.get(word, "")} - {""}


_BARE_IN_UNIT = regex(
    r"(?:what(?:'s| is) )?(?:half|a third|a quarter|double|twice|triple|[\d$€£¥])(?!.*\bhow\b).*"
    r" (?:in|into|to|as) (?P<to>°?[a-z]+)[ ?.!]*",
    re.I,
)
_IN_UNIT = regex(
    r"(?:\b(?:how (?:much|heavy|long|far)|what(?:'s| is)) (?:is |are )?[^?!]*"
    r"|,) in (?P<to>[a-z]+)[ ?.!]*$",
    re.I,
)
