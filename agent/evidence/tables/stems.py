"""What a word says: its stem without accents, a number as its digits, Han and kana by two, Hangul by its first two."""

from __future__ import annotations

from collections.abc import Container

from agent.text.characters import folded
from agent.text.regex import regex

STEM = 6
HAN = regex(r"[\u3040-\u30ff\u3400-\u9fff々]")
_HANGUL = regex(r"[\uac00-\ud7af]")
_ALIKE = {
    "men": "male",
    "man": "male",
    "women": "female",  # "25 women" of a column "Female"
    "woman": "female",
    "won": "win",  # "won 25 times" of a column "Wins"
}


def stems_of(word: str, small: Container[str]) -> tuple[str, ...]:
    """The stems of a word in lower case; none of one that is ``small`` or of a single letter."""
    if word[0].isdigit():
        return (word.replace(",", "").rstrip("."),)
    if HAN.match(word):
        return tuple(word[index : index + 2] for index in range(len(word) - 1)) if len(word) > 1 else (word,)
    if _HANGUL.match(word):
        return (word[:2],)
    word = _ALIKE.get(word, word)
    return (folded(word).removesuffix("s")[:STEM],) if word not in small and len(word) > 1 else ()
