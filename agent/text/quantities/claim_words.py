"""Words that the check knows, from ``claim_words.toml``: numbers, months, and the words that are no names."""

from __future__ import annotations

from typing import Any

from agent.text.word_tables import word_table

_WORDS: dict[str, Any] = word_table(__file__, "claim_words.toml")


def several(words: str) -> tuple[str, ...]:
    """The words of a text that lists them."""
    return tuple(words.split())


def _from(first: int, name: str) -> dict[str, int]:
    """The words of a list, numbered from ``first`` on."""
    return {word: value for value, word in enumerate(several(_WORDS[name]), first)}


SCALES: dict[str, int] = {
    word: 10 ** int(power) for power, words in _WORDS["scales"].items() for word in several(words)
}
KANJI_SCALES: dict[str, int] = {
    sign: 10 ** int(power) for power, signs in _WORDS["kanji_scales"].items() for sign in signs
}
KANJI_DIGITS: dict[str, int] = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {
    "零": 0,
    "两": 2,
}
TENS = {word: 10 * value for word, value in _from(2, "tens").items()}
SPELLED = _from(0, "below_twenty") | TENS | {"dozen": 12}
ORDINALS = _from(1, "ordinals")
MONTHS: dict[str, int] = {word: number for number, words in enumerate(_WORDS["months"], 1) for word in several(words)}
WEEKDAYS: dict[str, int] = {
    word: number for number, words in enumerate(_WORDS["weekdays"], 1) for word in several(words)
}
STOP = frozenset(several(_WORDS["stop"]))
STARTERS = frozenset(several(_WORDS["starters"]))
OPENERS = frozenset(several(_WORDS["openers"]))
OPENERS_DE = frozenset(several(_WORDS["openers_de"]))
CALENDAR = frozenset(several(_WORDS["calendar"])) | frozenset(MONTHS)
TITLES = frozenset(several(_WORDS["titles"]))
ALIASES: tuple[frozenset[str], ...] = tuple(map(frozenset, _WORDS["aliases"]))
LOANWORDS = frozenset(several(_WORDS["loanwords"]))
PLACES_JA = frozenset(several(_WORDS["places_ja"]))
FAILURE: tuple[str, ...] = tuple(_WORDS["failure"])
