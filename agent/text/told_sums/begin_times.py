"""So long per weight, so long extra and a rest: how long that is, and when to begin to be done by a time of day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import Part, Token, one_of
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import Telling, pattern_of, said, telling

_CLOCK = regex(r"\b(?P<hour>\d\d?)(?:[:.](?P<minute>[0-5]\d))? ?(?P<half>am|pm)\b|\b(?P<h>\d\d?):(?P<m>[0-5]\d)\b")
_CLAUSE = regex(r"[.,;!?] | and | but | so ")
_GOES_ON = regex(r",? (?:and )?(?:it )?(?:takes|lasts|is|goes|for)\b", re.I)
_MOST_MINUTES = 1440


@dataclass(frozen=True, slots=True)
class Begin:
    """``minutes`` is the sum for how long before ``clock`` it begins, ``value`` what it comes to."""

    minutes: str
    value: Fraction
    clock: str


@dataclass(frozen=True, slots=True)
class _Term:
    """So many ``minutes``; ``rests``: beside what it takes, and so any number of them."""

    text: str
    minutes: Fraction
    rests: bool = False


def begin(text: str) -> Begin | None:
    """ "20 minutes per 500 g plus 20, rests for 15. It weighs 2 kg, we eat at 1:30 pm. When does it go in?"."""
    clocks = list(_CLOCK.finditer(text.lower()))
    if len(clocks) != 1:
        return None
    told = telling(text[: clocks[0].start()] + " then " + text[clocks[0].end() :])
    if told is None or told.says("not_begin") or not re.match(r"when|what time", told.asked):
        return None
    leaving = told.asks("asks_leave")
    clause = _CLAUSE.split(text[: clocks[0].start()].lower())[-1]
    if leaving == told.asks("asks_begin") or not said(clause, "there_at" if leaving else "done_at"):
        return None
    if leaving != told.says("ways") or (not leaving and said(clause, "begins")):
        return None
    if _GOES_ON.match(text, clocks[0].end()) or said(text[clocks[0].end() :].lower(), "starts_then"):
        return None
    terms = _terms(told)
    if terms is None or sum(not term.rests for term in terms) > 1:
        return None
    if len(re.findall(pattern_of("rests"), told.text)) > 1:
        return None  # of something else
    value = sum((term.minutes for term in terms), Fraction(0))
    clock = " ".join(clocks[0][0].split())
    if not 0 < value < _MOST_MINUTES or value.denominator != 1 or _before_midnight(clocks[0], value):
        return None
    return Begin(" + ".join(term.text for term in terms), value, clock)


_HOW_LONG = regex(r"how (?:long|many minutes|much time)\b")
_NOT_WHOLE = regex(
    r"\b(?:been|already|left|still|so far|remain\w*|gone|longer|each|every|first|another|no|only|minus|less|early"
    r"|extra (?:per|an?|for)|per (?:side|person)|in (?:hours|seconds))\b"
)


def cooking_time(text: str) -> Problem | None:
    """ "40 minutes a kilo plus 20 minutes extra, it weighs 4.2 kg. How long is that?"."""
    told = telling(text)
    if (
        told is None
        or told.says("not_begin", "rests")
        or _NOT_WHOLE.search(told.text)
        or not _HOW_LONG.match(told.asked)
    ):
        return None
    terms = _terms(told) or []
    if not any("*" in term.text for term in terms):
        return None
    sum_ = " + ".join(term.text for term in terms)
    return Problem("cooking_time", sum_, sum_.replace(" * ", " × "), "minutes")


def _before_midnight(clock: re.Match[str], minutes: Fraction) -> bool:
    """Whether it begins the day before, where nothing says which half of the day it is."""
    return clock["half"] is None and int(clock["h"]) * 60 + int(clock["m"]) < minutes


def _terms(told: Telling) -> list[_Term] | None:
    """Each length in minutes, the rate times the weight; ``None`` where a figure is none of these."""
    terms: list[_Term] = []
    rate: tuple[Part, Part] | None = None
    weights: list[Part] = []
    tokens, skip = told.tokens, -1
    for place, token in enumerate(tokens):
        if not isinstance(token, Part) or place == skip:
            continue
        of = _per(tokens, place)
        if of and "@time" in token.names and rate is None:
            rate, skip = (token, of), place + 2 if isinstance(tokens[place + 2], Part) else skip
        elif of:
            return None
        elif token.measure and token.measure.kind == "mass":
            weights.append(token)
        elif minutes := _minutes(token, tokens[:place], rate is not None):
            terms.append(minutes)
        else:
            return None
    if rate is None:
        return terms if not weights and terms else None
    if sum(term.rests for term in terms) > 1:
        return None
    times = _of_weight(rate, weights)
    return [times, *(replace(term, rests=True) for term in terms)] if times else None


def _per(tokens: Sequence[Token], place: int) -> Part | None:
    """What the length is per: "per 500 g", "per kilo", "a pound", "for every kg"."""
    part = tokens[place]
    if isinstance(part, Part) and part.by:
        return part.by
    behind = [*tokens[place + 1 : place + 4], ""]
    if behind[0] == "for" and len(behind) > 2 and behind[1] in ("every", "each"):
        behind = behind[1:]
    if behind[0] not in ("per", "a", "every", "each", "an"):
        return None
    thing = behind[1] if len(behind) > 1 else ""
    if isinstance(thing, Part):
        return thing if behind[0] in ("per", "every", "each") else None
    one = one_of(thing) if thing else None
    return one if one and one.measure else None


def _of_weight(rate: tuple[Part, Part], weights: Sequence[Part]) -> _Term | None:
    length, of = rate
    if len(weights) != 1 or of.measure is None or of.measure.kind != "mass" or length.measure is None:
        return None
    weight = weights[0]
    if weight.measure is None or not of.amount:
        return None
    ratio = weight.measure.size / of.measure.size / of.amount
    minutes = length.amount * length.measure.size / _MINUTE
    text = f"{figure_of(weight.amount)} * {figure_of(ratio)} * {figure_of(minutes)}"
    return _Term(text, weight.amount * ratio * minutes)


_MINUTE = Fraction(60)


def _minutes(part: Part, before: Sequence[Token], has_rate: bool) -> _Term | None:
    """A length in minutes; a bare figure is one where it rests so long."""
    near = " ".join(token for token in before[-3:] if isinstance(token, str))
    rests = said(near, "rests") is not None
    if part.measure and part.measure.kind == "time" and part.unit in ("hours", "minutes"):
        value = part.amount * part.measure.size / _MINUTE
        return _Term(figure_of(value), value, rests)
    if has_rate and rests and not part.measure and not part.names:
        return _Term(figure_of(part.amount), part.amount, rests)
    return None
