"""An account as tokens, and which of the declared words it says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from agent.text.problems.story_parts import PERCENT, Part, Token, tokens
from agent.text.quantities.number_words import SMALL, number_at
from agent.text.regex import regex
from agent.text.word_tables import word_table

_LONGEST = 300  # characters
_WORDS: dict[str, Any] = word_table(__file__, "told_sum_words.toml")
_PLAINER = (
    (regex(r"(?<=\d) ?p\b"), " pence"),
    (regex(r"\bkilos?\b"), "kg"),
    (regex(r"[’]"), "'"),
    (regex(r"\bi mean\b"), " "),
    (regex(r"\b(\d+) hours? (\d\d?)(?= (?:and|long|in all)\b|[,.])"), r"\1 hours \2 minutes"),
)
_ASKING = regex(r"\b(?:how|what|what's|whats|when|which)\b(?:[^.?!]|\.(?=\d))*[ ?.!]*$")


@dataclass(frozen=True, slots=True)
class Telling:
    """An account in small letters: its ``text``, its ``tokens``, and the clause that ``asked``, "" where none does."""

    text: str
    tokens: tuple[Token, ...]
    asked: str

    @property
    def parts(self) -> tuple[Part, ...]:
        return tuple(token for token in self.tokens if isinstance(token, Part))

    @property
    def percents(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.names == PERCENT)

    def says(self, *names: str) -> bool:
        """Whether a word of one of these lists stands anywhere in it."""
        return any(_pattern(name).search(self.text) for name in names)

    def asks(self, name: str) -> bool:
        """Whether a word of that list stands in the clause that asks."""
        return _pattern(name).search(self.asked) is not None


@lru_cache(maxsize=64)  # several readers ask it of one question
def telling(text: str) -> Telling | None:
    """``text`` as an account, ``None`` where it is too long or has a sign that is no word."""
    if len(text) > _LONGEST:
        return None
    text = text.lower()
    for pattern, form in _PLAINER:
        text = pattern.sub(form, text)
    found = tokens(text)
    if not found or any(isinstance(token, str) and token.isdigit() for token in found):
        return None
    asked = _ASKING.search(text)
    return Telling(text, tuple(found), asked[0] if asked else "")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    words = sorted(_WORDS[name], key=len, reverse=True)
    return regex(rf"(?<![\w'-])(?:{'|'.join(map(re.escape, words))})(?![\w'-])")


def said(text: str, name: str) -> re.Match[str] | None:
    """The first word of that list in ``text``."""
    return _pattern(name).search(text)


def declared(name: str) -> dict[str, str]:
    """What each word of that table stands for."""
    return _WORDS[name]


def pattern_of(name: str) -> str:
    """The words of that list as an alternative of a pattern."""
    return _pattern(name).pattern


_ONES = list(SMALL)
_FOLLOWED = f"{'|'.join(_ONES[1:10])}|hundred|thousand|thirds?|quarters?|fifths?"
_WORDED = regex(
    rf"(?<![\w-])(?<!hundred )(?<!thousand )(?<!dred and )(?:{'|'.join(_ONES[2:])}|twenty|thirty|forty|fifty)\b"
    rf"(?![ -](?:{_FOLLOWED})\b)"
)


def in_digits(text: str) -> str:
    """``text`` in small letters with its numbers in words from two to nineteen, and whole tens to fifty, as figures."""
    return _WORDED.sub(lambda word: number[0] if (number := number_at(word[0], 0, "en")) else word[0], text)
