"""What is left of something of which a share goes, and then shares of the rest."""

from __future__ import annotations

import re
from fractions import Fraction

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import PERCENT
from agent.text.problems.story_totals import figure_of
from agent.text.told_sums.telling import Telling, declared, pattern_of, said, telling

_SHARES = declared("shares")
_NAMED = "|".join(sorted(_SHARES, key=len, reverse=True))
_SHARE = re.compile(
    rf"(?P<percent>\d+(?:\.\d+)?) ?(?:%|percent\b|per cent\b)|\b(?P<named>{_NAMED})\b(?! (?:an?|past)\b)"
)
_LEFT = re.compile(r"(?<!was )(?<!'s )(?<!is )\bleft\b")  # "20% of the guests left": they went
_FEWEST, _MOST = 2, 6


def left_of_rest(text: str) -> Problem | None:
    """ "80 litres. I used 15% on Monday and 15% of the rest on Tuesday. How much is left?"."""
    text = text.lower()
    if len(list(_SHARE.finditer(text))) < _FEWEST:
        return None
    told = telling(_SHARE.sub(lambda share: share[0] if share["percent"] else " part ", text))
    if told is None or not told.asks("asks_left") or told.says("gains") or _LEFT.search(_before_asking(told)):
        return None
    going = text[next(_SHARE.finditer(text)).start() : len(text) - len(told.asked)]
    if said(going, "not_gone") or told.asks("not_left"):
        return None
    wholes = [part for part in told.parts if part.names != PERCENT]
    if len(wholes) != 1 or not wholes[0].amount or wholes[0].by:
        return None
    shares = _shares(text, told)
    if not shares:
        return None
    whole = wholes[0]
    kept = " * ".join(f"(1 - {_in_figures(share)})" for share in shares)
    names = " and then ".join(_called(share) for share in shares)
    called = f"what is left of {figure_of(whole.amount)}{_unit(whole.unit)} after {names} of the rest"
    return Problem("left_of_rest", f"{figure_of(whole.amount)} * {kept}", called, whole.unit)


def _before_asking(told: Telling) -> str:
    return told.text[: len(told.text) - len(told.asked)]


def _unit(unit: str) -> str:
    return f" {unit}" if unit else ""


def _shares(text: str, told: Telling) -> list[Fraction]:
    """Each share behind the first, of the rest; none where one of them is of something else, or is asked for."""
    found = list(_SHARE.finditer(text))
    if not _FEWEST <= len(found) <= _MOST or len(text) - len(told.asked) < found[-1].end():
        return []
    of_rest = re.compile(rf" of (?:{pattern_of('rest')})")
    of_else = re.compile(r" of (?!(?:it|them|that|these|those|all|the (?:total|lot|whole lot))\b)")
    if of_else.match(text, found[0].end()) or not all(of_rest.match(text, share.end()) for share in found[1:]):
        return []
    if not said(text, "rest") or not re.search(r"\d", text[: found[0].start()]):
        return []
    return [
        Fraction(share["percent"]) / 100 if share["percent"] else Fraction(_SHARES[share["named"]]) for share in found
    ]


def _in_figures(share: Fraction) -> str:
    return f"{share.numerator} / {share.denominator}"


def _called(share: Fraction) -> str:
    percent = share * 100
    return f"{figure_of(percent)}%" if percent.denominator in (1, 2, 4, 5, 10) else _in_figures(share)
