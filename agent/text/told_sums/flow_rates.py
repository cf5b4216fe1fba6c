"""How much of something flows in a time, in the units that are asked for: 90 litres in 6 minutes, gallons a minute."""

from __future__ import annotations

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import unit_named
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import telling

_FLOWS = frozenset({"volume", "mass", "data"})
_ASKED = regex(
    r"\bhow (?:many|much) (?P<unit>[a-z]+)(?: (?!per\b|an?\b)[a-z]+)? (?:per|an?|each|every|in an?) "
    r"(?P<time>second|minute|hour|day)(?: is (?:that|it))?(?:,? in (?P<to>[a-z]+))?[ ?.!]*$"
)
_TURNS = regex(
    r"\b(?:leak\w*|drain\w*|half|full|already|left|not|no|empt\w+|if|or|than|both|two|others?|another|only|after|until"
    r"|before|then|more|less|lost|lose|every \d|each of)\b|n't"
)


def flow(text: str) -> Problem | None:
    """ "A tap fills a 90 litre bath in 6 minutes. How many gallons per minute?"."""
    told = telling(text)
    asked = _ASKED.search(told.asked) if told else None
    if told is None or asked is None or _TURNS.search(told.text) or len(told.parts) != 2:
        return None
    (much, time), target = told.parts, unit_named(asked["to"] or asked["unit"])
    by = unit_named(asked["time"] + "s")
    if target is None or by is None or much.measure is None or time.measure is None or much.by or time.by:
        return None
    if target.kind not in _FLOWS or much.measure.kind != target.kind or time.measure.kind != by.kind or not time.amount:
        return None
    ratio = much.measure.size / target.size * by.size / time.measure.size
    times = f" * {figure_of(ratio)}" if ratio != 1 else ""
    sum_ = f"{figure_of(much.amount)}{times} / {figure_of(time.amount)}"
    called = f"{figure_of(much.amount)} {much.unit} in {figure_of(time.amount)} {time.unit}"
    return Problem("flow", sum_, called, target.name, per=f" per {asked['time']}")
