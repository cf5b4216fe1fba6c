"""The words and numbers of texts that may be long, looked for in any script, whatever their case, width and marks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from unicodedata import normalize

from agent.text.regex import regex

_CJK = "\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # scripts that are written without spaces
TOKEN = regex(rf"\d{{4}}-\d\d-\d\d(?!\d)|\d+(?:[.,']\d+| \d{{3}}(?!\d))*|[{_CJK}]+|(?:(?![{_CJK}])[^\W\d_])+")
WIDE = regex(rf"[{_CJK}]+")
_LETTER = regex(rf"[^\W\d_{_CJK}]")


def folded_text(text: str) -> str:
    return text.lower() if text.isascii() else normalize("NFKC", text).casefold()


def squeezed_text(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def digits_of(number: str) -> str:
    return re.sub(r"\D", "", number)


class Words:
    """The words of some texts, which may be long: they are looked for, not listed. ``text`` is folded."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)

    @cached_property
    def text(self) -> str:
        return folded_text("\n".join(self._texts))

    @cached_property
    def exact(self) -> frozenset[str]:
        """The words as they are written."""
        return frozenset(TOKEN.findall(normalize("NFKC", "\n".join(self._texts))))

    @cached_property
    def squeezed(self) -> str:
        return squeezed_text(self.text)

    def has(self, word: str) -> bool:
        """Whether a folded word is among them, with no letter before or behind it."""
        place = self.text.find(word)
        while place >= 0:
            end = place + len(word)
            if not _LETTER.match(self.text[place - 1 : place]) and not _LETTER.match(self.text[end : end + 1]):
                return True
            place = self.text.find(word, place + 1)
        return False

    def has_number(self, digits: str) -> bool:
        """Whether a number is among them, with whatever marks between its digits, and with or without cents."""
        written = r"[.,' ]?".join(digits)
        return bool(re.search(rf"(?<!\d)(?<!\d[.,]){written}(?:[.,]\d{{1,2}})?(?![.,]?\d)", self.text))
