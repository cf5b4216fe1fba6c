"""A list of figures whose average, total or range is asked for: "my splits were 5:12, 5:08 and 4:57, altogether?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import MONEY, PERCENT, Part, Token, unit_named
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import Telling, said, telling

_FEWEST, _MOST = 3, 40
_LENGTH = r"\d{1,3}:[0-5]\d"
_LENGTHS = regex(rf"(?<![\d:]){_LENGTH}(?:(?:, ?| and |, and | ){_LENGTH})+(?![\d:])")
_AGGREGATES = {"mean": "the average", "sum": "the total", "spread": "the range"}


def listed(text: str) -> Problem | None:
    """ "Average of my darts scores please: 45, 60, 26, 85, 100"."""
    if found := _of_lengths(text.lower()):
        return found
    told = telling(text)
    way = _way(told.text) if told else ""
    if told is None or not way or told.says("not_listed"):
        return None
    run = _run(told.tokens)
    rest = [part for part in told.parts if part not in run]
    if not _FEWEST <= len(run) <= _MOST or len(told.parts) != len(run) + len(rest):
        return None
    if len(rest) > 1 or any(not _counts(part, told, len(run)) for part in rest):
        return None
    unit = _unit(told, run)
    if unit is None:
        return None
    figures = [figure_of(part.amount) for part in run]
    return Problem("listed", _expression(way, figures), f"{_AGGREGATES[way]} of {', '.join(figures)}", unit)


def _counts(part: Part, told: Telling, number: int) -> bool:
    """ "Five tests: 71, 64, …" says how many figures there are; "3 at 12, 15 and 18" does not."""
    place = told.tokens.index(part)
    before, behind = told.tokens[max(0, place - 1) : place], told.tokens[place + 1 :][:1]
    other = before in (("by",), ("with",)) or behind in (("at",), ("of",), ("for",))
    return part.amount == number and not (part.measure or part.names == MONEY or other)


def _way(text: str) -> str:
    """The one thing that is asked of the list; "" for none, or for two."""
    ways = [way for way in _AGGREGATES if said(text, way)]
    alone = len(ways) == 1 and (ways[0] == "spread" or not said(text, "extremes"))
    return ways[0] if alone else ""


def _run(tokens: Sequence[Token]) -> list[Part]:
    """The longest row of quantities with nothing but commas and "and" between them."""
    best: list[Part] = []
    run: list[Part] = []
    for token in tokens:
        if isinstance(token, Part):
            run.append(token)
            best = max(best, run, key=len)
        elif token not in (",", "and"):
            run = []
    return list(best)


def _unit(told: Telling, run: Sequence[Part]) -> str | None:
    """The one unit of the figures, "" for none; ``None`` where they differ, or another one is asked for."""
    units = {part.unit for part in run if part.unit}
    kinds = {part.names for part in run if part.names and (part.unit or part is not run[-1])}
    if len(units) > 1 or PERCENT in kinds or len(kinds) > 1 or any(one.by for one in run):
        return None
    unit = next(iter(units), "")
    kind = next((part.measure.kind for part in run if part.measure), "")
    named = (measure for word in re.findall(r"[a-z]+", told.text) if (measure := unit_named(word)))
    if any(measure.kind == kind and measure.name != unit for measure in named):
        return None
    return unit


def _expression(way: str, figures: Sequence[str]) -> str:
    if way == "spread":
        ordered = sorted(figures, key=Fraction)
        return f"{ordered[-1]} - {ordered[0]}"
    total = " + ".join(figures)
    return total if way == "sum" else f"({total}) / {len(figures)}"


def _of_lengths(text: str) -> Problem | None:
    """Minutes and seconds, or hours and minutes, by what they are lengths of."""
    found = _LENGTHS.findall(text)
    way = _way(text)
    rest = _LENGTHS.sub(" ", text)
    if len(found) != 1 or way not in ("mean", "sum") or said(rest, "not_listed") or said(rest, "not_lengths"):
        return None
    in_seconds, in_hours = said(rest, "lengths"), said(rest, "hours")
    lengths = re.findall(_LENGTH, found[0])
    counts = [part.amount for part in told.parts] if (told := telling(rest)) else [Fraction(-1)]
    if bool(in_seconds) == bool(in_hours) or any(count != len(lengths) for count in counts):
        return None
    small, units = ("seconds", ("minutes", "seconds")) if in_seconds else ("minutes", ("hours", "minutes"))
    figures = [f"{large} * 60 + {int(rest)}" for large, rest in (one.split(":") for one in lengths)]
    total = sum(int(large) * 60 + int(rest) for large, rest in (one.split(":") for one in lengths))
    if way == "mean":
        if total % len(lengths):
            return None
        total //= len(lengths)
    called = f"{_AGGREGATES[way]} of {', '.join(lengths)}"
    whole = f"{total // 60}:{total % 60:02} ({total // 60} {units[0]} {total % 60} {units[1]}), {{figure}}"
    return Problem("listed", _expression(way, figures), called, small, told=f"{called} is {whole}.")
