"""Those who share with people that are counted: "me and 2 friends" are 3 people, 「友達3人と食事」 is of 4."""

from __future__ import annotations

import re
from functools import cache

from agent.text.problems.problem_words import WORDS
from agent.text.quantities.number_words import number_at
from agent.text.regex import regex
from agent.text.sums.phrases import Language

_SPEAKER = regex(r"\b(?:I|[Mm]y)\b")


def with_all(text: str, language: Language) -> str | None:
    """``text`` with all who share in the place of those who are counted; ``None`` where it may be somebody more.

    Only where it is asked what one of them, or all of them, have or pay.
    """
    if not _pattern(f"asks_{language}").search(text):
        return text
    counted = _pattern(f"counted_{language}").sub(lambda found: _all(found, text, language), text)
    return None if _pattern(f"besides_{language}").search(counted) else counted


def _all(found: re.Match[str], text: str, language: Language) -> str:
    """Those who are counted and the one beside them; as it is where that one may not be alone."""
    said = {name: group for name, group in found.groupdict().items() if group}
    number = number_at(next(iter(said.values())).lower(), 0, language)
    alone = "with" not in said or _SPEAKER.search(text[: found.start()])
    if number is None or not number[0].isdigit() or not alone:
        return found[0]
    several = int(number[0]) + 1
    return f"{several}人で" if language == "ja" else f"{'with ' if 'with' in said else ''}{several} people"


@cache
def _pattern(name: str) -> re.Pattern[str]:
    words: dict[str, str] = WORDS["companions"]
    return regex(words[name].replace("{WHO}", words[f"who{name[-3:]}"]))
