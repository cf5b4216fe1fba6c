"""Words of labels and of questions in one form, and which of them say what is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from agent.text.regex import regex
from agent.text.word_tables import word_table

_WORD = regex(r"[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)?|\d+")
_NOTE = regex(r"\((?:\d{1,2}|[a-z])\)|\*+|(?<=[a-z]{3})\d{1,2}\b|\((?:see )?notes? [^()]*\)", re.I)
_BRACKETS = regex(r"\([^()]*\)|/\([^()]*\)")


@cache
def crosstab_words() -> Mapping[str, Any]:
    return word_table(__file__, "crosstab_words.toml")


@cache
def pattern(name: str) -> re.Pattern[str]:
    """The pattern of English questions that is called so."""
    return re.compile(crosstab_words()["en"]["patterns"][name], re.I)


def japanese_parts(text: str) -> str:
    """A pattern with what its "<END>" and the like stand for."""
    parts: dict[str, str] = crosstab_words()["ja"]["parts"]
    return re.sub(r"<([A-Z]+)>", lambda found: parts[found[1]], text)


@cache
def declared(language: str, name: str, key: str = "kind") -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What each pattern of that list says, and the pattern."""
    several = crosstab_words()[language][name]
    return tuple((one[key], re.compile(japanese_parts(one["pattern"]), re.I)) for one in several)


def stem(word: str) -> str:
    """A word without its plural, in one spelling."""
    word = word.lower()
    word = re.sub(r"is(e[ds]?|ing|ation|ations)$", r"iz\1", word) if len(word) > len("noise") else word
    word = re.sub(r"['’]s?$", "", word)
    if len(word) <= 3 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word.removesuffix("s")


def stems(text: str) -> Iterator[str]:
    """The words of a text in one form, those that only join others left out."""
    for found in _WORD.finditer(_NOTE.sub(" ", text)):
        word = stem(found[0])
        if word not in _joining():
            yield word


@cache
def _joining() -> frozenset[str]:
    return frozenset(crosstab_words()["en"]["joining"])


@cache
def light() -> frozenset[str]:
    """Words that a question may have beside the label: "the amount of", "recorded"."""
    return frozenset(map(stem, crosstab_words()["en"]["light"]))


@cache
def label_words(text: str) -> frozenset[str]:
    return frozenset(stems(text))


@cache
def needed_words(text: str) -> frozenset[str]:
    """The words of a label that tell it from others: without what is in brackets, and what only says how it is told."""
    bare = _BRACKETS.sub(" ", text)
    return frozenset(stems(bare if re.search(r"\w", bare) else text)) - _optional()


@cache
def _optional() -> frozenset[str]:
    return frozenset(map(stem, crosstab_words()["en"]["optional"]))


@cache
def caption_words(text: str) -> frozenset[str]:
    return frozenset(stems(re.sub(r"Left out above the header:", " ", text)))


@cache
def head_words(text: str) -> frozenset[str]:
    """The words of a head that tell its column from others of the same period."""
    noise = frozenset(map(stem, crosstab_words()["en"]["noise"]))
    return needed_words(text) - noise - light()
