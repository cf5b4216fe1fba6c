"""The first number of a cell: its digits, how large it is, and whether it may be a year; the years of a text."""

from __future__ import annotations

from functools import lru_cache
from math import nan

from agent.text.regex import regex

_NUMBER = regex(r"[0-9][0-9.,]*(?::[0-9][0-9.]*)*")
# Years of a head, wherever they stand; and of a sentence, where no part of another number may be one.
YEAR = regex(r"(?<![0-9])(1[5-9][0-9]{2}|20[0-9]{2}|21[0-9]{2})(?![0-9])")
YEARS = regex(r"(?<![0-9.,])(?:1[5-9]|2[01])[0-9]{2}(?![0-9]|[.,][0-9])")
_IN_GROUPS = regex(r"[0-9]{1,3}(?:[ \u00a0][0-9]{3}(?![0-9]))+")


@lru_cache(maxsize=8_192)
def figures(text: str) -> str:
    """The digits of the first number of a text, without separators of thousands."""
    found = _NUMBER.search(text)
    if found is None:
        return ""
    if (" " in text or "\u00a0" in text) and (groups := _IN_GROUPS.match(text, found.start())) is not None:
        return "".join(groups[0].split())
    return found[0].replace(",", "").rstrip(".")


def size(digits: str) -> float:
    """The value of such digits; not a number where they are none ("1.2.3")."""
    try:
        return float(digits)
    except ValueError:
        return nan


def is_year(word: str) -> bool:
    """Whether a word of a text may be a year."""
    return len(word) == 4 and word.isdigit() and word[:2] in ("15", "16", "17", "18", "19", "20", "21")
