"""Another end, or another count, in the question before: "and from 10:40 to 14:00?", "and 4?"."""

from __future__ import annotations

import re

from agent.text.regex import regex

_TAIL = regex(
    r"(?:and|or|what about|how about|so)(?: what about| how about)? (?P<by>until|till|from"
    r"|below|under|above|over|after|before"
    r"|between|since) (?P<rest>[^?]*\d[^?]*)\??",
    re.I,
)


_COUNT = regex(r"(?:and|or|what about|how about)(?: for)? (?P<n>\d{1,3})[ ?.!]*", re.I)
_COUNTED = regex(
    r"(?P<before>\D{0,30}?)\b(?P<n>\d{1,3})(?P<thing> [a-z]{3,}s (?:at|@) [$€£]?\d+\.\d\d"
    r"(?: each)?)(?P<behind>\D*)",
    re.I,
)


def with_other_end(text: str, before: str) -> str | None:
    """ "And from 10:40 to 14:00?" after "how many minutes from 10:40 to 13:05": the question before with that end.

    "And 4?" after "3 coffees at 2.80?" is of so many of them.
    """
    count, counted = _COUNT.fullmatch(text.strip()), _COUNTED.fullmatch(before.strip())
    if count and counted:
        return f"{counted['before']}{count['n']}{counted['thing']}{counted['behind']}"
    said = _TAIL.fullmatch(text.strip())
    ends = list(re.finditer(rf"\b{said['by']} ", before, re.I)) if said else []
    if said is None or len(ends) != 1 or not re.search(r"\d", before[ends[0].end() :]):
        return None
    tail = before[ends[0].end() :]
    return None if re.search(r"[.,;!]", tail.rstrip(" ?.!")) else f"{before[: ends[0].end()]}{said['rest']}?"
