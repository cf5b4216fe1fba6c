"""A bare figure after a percentage: "15% tip on 62.40, and with 18?" is of another percentage, and of no amount."""

from __future__ import annotations

import re
from math import log

from agent.text.free_sums.free_plainer import with_parts_in_figures
from agent.text.regex import regex

_FIGURE = regex(r"(?<![\w.,/-])[$€£¥]?(?P<n>\d[\d,]*(?:\.\d+)?)(?![\d/-])(?P<percent> ?(?:%|percent\b|per cent\b))?")
_ASKED = regex(
    r"(?P<lead>(?:(?:and|or|but|so|then|ok|okay|now|what|how|about|if|it's|it is|it were|it was)[ ,]+)*)"
    r"(?P<word>with |at )?(?P<n>\d{1,3}(?:\.\d)?)(?P<end>(?: instead)?[ ?.!]*)",
    re.I,
)
_MOST = 100  # percent
_MUCH = 5  # times as near, by their ratio


def as_share(asked: str, before: str) -> str:
    """``asked`` in figures, with a percent sign where it exchanges the one percentage of the question ``before``."""
    asked = with_parts_in_figures(asked)
    said = _ASKED.fullmatch(asked.strip())
    if said is None or not is_share(said["n"], before, said["word"] or ""):
        return asked
    return f"{said['lead']}{said['word'] or ''}{said['n']}%{said['end']}"


def is_share(figure: str, before: str, word: str) -> bool:
    """Whether a bare ``figure`` is a percentage: behind that ``word``, or alone where it is much nearer."""
    near = _nearness(figure, before)
    of_amount = rf"\b{word.strip()} [$€£]?\d[\d.,]*(?![\d.,]| ?(?:%|per))"
    if near is None or (word and re.search(of_amount, before, re.I)):
        return False
    to_share, to_amount = near
    return to_share < to_amount * _MUCH if word else to_share * _MUCH < to_amount


def may_be_share(figure: str, before: str) -> bool:
    """Whether a bare figure is nearer to the percentage of the question ``before`` than to what it is of."""
    near = _nearness(figure, before)
    return near is not None and near[0] < near[1]


def _nearness(figure: str, before: str) -> tuple[float, float] | None:
    """How far the figure is from the one percentage and from the nearest amount; ``None`` where it can be none."""
    told = list(_FIGURE.finditer(before))
    shares = [_number(one["n"]) for one in told if one["percent"]]
    amounts = [_number(one["n"]) for one in told if not one["percent"]]
    if "," in figure or not re.fullmatch(r"\d+(?:\.\d)?", figure):
        return None
    new = _number(figure)
    if len(shares) != 1 or not amounts or not all((*shares, *amounts)) or not 0 < new <= _MOST:
        return None
    return abs(log(new / shares[0])), min(abs(log(new / one)) for one in amounts)


def _number(said: str) -> float:
    return float(said.replace(",", ""))
