"""What is left of something of which a share goes, and then shares of the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import PERCENT, Part
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import Telling, declared, pattern_of, said, telling

_SHARES = declared("shares")
_NAMED = "|".join(sorted(_SHARES, key=len, reverse=True))
_SHARE = regex(rf"(?P<percent>\d+(?:\.\d+)?) ?(?:%|percent\b|per cent\b)|\b(?P<named>{_NAMED})\b(?! (?:an?|past)\b)")
_LEFT = regex(r"(?<!was )(?<!'s )(?<!is )\bleft\b")  # "20% of the guests left": they went
_OF_REST = regex(rf" of (?:{pattern_of('rest')})")
_OF_ELSE = regex(r" of (?!(?:it|them|that|these|those|all|the (?:total|lot|whole lot))\b)")
_FEWEST, _MOST = 2, 6


def left_of_rest(text: str) -> Problem | None:
    """ "80 litres. I used 15% on Monday and 15% of the rest on Tuesday. How much is left?"."""
    text = text.lower()
    shares = list(_SHARE.finditer(text))
    told = telling(_SHARE.sub(lambda share: share[0] if share["percent"] else " part ", text)) if shares else None
    if told is None or not told.asks("asks_left") or told.says("gains") or _LEFT.search(_before_asking(told)):
        return None
    going = text[shares[0].start() : len(text) - len(told.asked)]
    whole = next(iter(told.parts), None)
    if whole is None or whole.names == PERCENT or whole.by or not whole.amount or not going:
        return None
    if said(going, "not_gone") or told.asks("not_left") or len(text) - len(told.asked) < shares[-1].end():
        return None
    gone = _gone(text, told, shares)
    if not _FEWEST <= len(gone) <= _MOST or not said(text, "rest"):
        return None
    kept = figure_of(whole.amount)
    for one in gone:
        if isinstance(one, Part):
            kept += f" - {figure_of(one.amount)}"
        else:
            kept = f"{f'({kept})' if ' - ' in kept.rpartition(')')[2] else kept} * (1 - {_in_figures(one)})"
    names = " and then ".join(figure_of(one.amount) if isinstance(one, Part) else _called(one) for one in gone)
    called = f"what is left of {figure_of(whole.amount)}{_unit(whole.unit)} after {names} of the rest"
    return Problem("left_of_rest", kept, called, whole.unit)


def _before_asking(told: Telling) -> str:
    return told.text[: len(told.text) - len(told.asked)]


def _unit(unit: str) -> str:
    return f" {unit}" if unit else ""


def _gone(text: str, told: Telling, shares: Sequence[re.Match[str]]) -> list[Part | Fraction]:
    """What goes one after the other, so much or a share of the rest; none where one may be of something else."""
    gone: list[Part | Fraction] = []
    words: list[str] = []
    whole = told.parts[0]
    for token in told.tokens[told.tokens.index(whole) + 1 :]:
        if token == "part" or (isinstance(token, Part) and token.names == PERCENT):
            if not shares:
                return []  # "part of it"
            share, *shares = shares
            of_rest, of_else = (each.match(text, share.end()) for each in (_OF_REST, _OF_ELSE))
            if not of_rest if gone else of_else:
                return []
            gone.append(Fraction(share["percent"]) / 100 if share["percent"] else Fraction(_SHARES[share["named"]]))
        elif isinstance(token, Part):
            if (
                token.by
                or token.unit != whole.unit
                or not (token.names <= whole.names and said(" ".join(words), "goes"))
            ):
                return []
            gone.append(token)
        else:
            words.append(token)
            continue
        words = []
    return gone


def _in_figures(share: Fraction) -> str:
    return f"{share.numerator} / {share.denominator}"


def _called(share: Fraction) -> str:
    percent = share * 100
    return f"{figure_of(percent)}%" if percent.denominator in (1, 2, 4, 5, 10) else _in_figures(share)
