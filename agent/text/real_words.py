"""How common an English word is, so that a real word is never taken for a slip of another one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

_RARE = 100  # uses: the list gives half as many to each word that its texts do not have
_FAR_MORE = 50  # times as common


def is_real(word: str) -> bool:
    """Whether English texts have the word, in small letters: "goats", and not "gaots"."""
    return _uses().get(word, 0) > _RARE


def is_far_more_common(word: str, than: str) -> bool:
    """Whether ``word`` is typed so much more often that ``than`` may be a slip of it: "when" than "wen"."""
    return _uses().get(word, 0) > _FAR_MORE * _uses().get(than, 0)


@cache
def _uses() -> Mapping[str, int]:
    from spellchecker import SpellChecker  # reads its list of 160,000 words: only once a question has an odd word

    return SpellChecker(distance=1).word_frequency.dictionary
