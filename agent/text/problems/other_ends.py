"""A follow-up with the question before: another end, another count, how much more: "and from 10:40 to 14:00?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from agent.text.regex import regex
from agent.text.sums.phrases import Value, shown

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


def as_question(text: str, put: str) -> str:
    """A follow-up that begins as ``text``, with its figure ``put`` in, as a whole question or order."""
    if re.match(
        r"(?:how|is|which|round|add|subtract|take|multiply|divide|increase|decrease|reduce|convert)\b", put, re.I
    ):
        return f"{put[:1].upper()}{put[1:]}{'?' if re.match('how|is|which', put, re.I) else '.'}"
    return f"What is {put[:1].lower() if text[:1] != put[:1] or put[1:2].islower() else put[:1]}{put[1:]}?"


_MORE_OF_TWO = regex(
    r"(?:(?:and|so|but|then)[ ,]+)*how much (?:more|less|cheaper|extra|dearer)(?: (?:would|do|will|did|does|is"
    r"|are) (?:i|we|that|it|you|they))?(?: (?:be|save|pay|spend|cost|get))?(?: (?:then|than before))?[ ?.!]*",
    re.I,
)


def between_answers(text: str, values: Sequence[Value | None]) -> str | None:
    """ "So how much more would I save?" after a question and the same one with another figure: ``values`` of both."""
    if len(values) < 2 or not _MORE_OF_TWO.fullmatch(text):
        return None
    first, second = values[-2:]
    if first is None or second is None or first.unit != second.unit:
        return None
    less, more = sorted((first, second), key=lambda value: Decimal(value.amount))
    return f"What is {shown(more, 'en', grouped=False)} minus {shown(less, 'en', grouped=False)}?"
