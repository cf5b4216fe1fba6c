"""Whether an answer says that something cannot be known: by words, so a person may add their own to a test."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def _words() -> tuple[str, ...]:
    told = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(word for words in told.values() for word in words)


def says_unknown(answer: str, words: tuple[str, ...] = ()) -> bool:
    """Whether one of ``words`` stands in the answer; without any, one that is usual for saying so."""
    lower = " ".join(answer.lower().replace("’", "'").split())
    return any(word.lower().replace("’", "'") in lower for word in words or _words())
