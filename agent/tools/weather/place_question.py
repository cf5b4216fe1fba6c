"""A whole question about the weather: which place it is about, and which days."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from unicodedata import normalize

from agent.text.plain import japanese
from agent.text.regex import regex
from agent.toolkit.arguments.argument_dates import read_date

_OPENER = regex(
    r"(?:what|how|when|will|is|are|was|were|does|do|did|should|shall|can|could|tell|show|give|any"
    r"|(?:the )?(?:weather|forecast|temperature|rain|snow|wind|sunshine))\b",
    re.IGNORECASE,
)
_CLOCK = regex(
    r"\bat \d{1,2}(?::\d\d)? ?(?:[ap]\.?m\.?|o'clock)?(?!\w)"
    r"|\b(?:in the (?:morning|afternoon|evening)|at (?:night|noon))\b",
    re.IGNORECASE,
)
_WEEKEND = regex(r"\b(?:on |at |over )?(?:(?:this|the|coming) )*weekend\b", re.IGNORECASE)
_PLACE = (
    regex(r"\b(?:in|at|near|around)\s+(?P<place>\S.*)", re.IGNORECASE),
    regex(r"\b(?:for|of)\s+(?P<place>\S.*)", re.IGNORECASE),
    regex(r"(?<=\s)(?P<place>[A-Z]\S*(?:\s+[A-Z]\S*)*)"),
    regex(r"^(?P<place>[A-Z]\S*(?:\s+[A-Z]\S*)*)(?=\s+(?:weather|forecast|temperature)\b)"),
)
_LOOSE = regex(r"^(?:the\s+)?(?:city of\s+)?|[\s,]+(?:in|at|for|on|of|by|please|be|like|the)?$", re.IGNORECASE)
_ABBREVIATED = {"sun", "sat", "wed", "mon", "mar", "may", "second"}  # words of their own, too
_PARTS_OF_A_DAY = {"morning", "noon", "afternoon", "evening", "night"}
_MOST_WORDS = 5  # of a day
_JAPANESE_SKY = "天気|気温|予報|降水|雨|雪|風|湿度|晴|曇|暑|寒|傘"
_JAPANESE_PLACE = regex(rf"(?P<place>.+?)(?:の(?={_JAPANESE_SKY})|では|には|は|で|に|、|(?={_JAPANESE_SKY}))")
_JAPANESE_DAY = regex(
    r"(?:今日|明日|明後日|あさって|昨日|\d{1,2}月\d{1,2}日|\d{1,3}日[後前]|[月火水木金土日]曜日?)(?=[のはに、\s]|\D|$)の?"
)
_JAPANESE_WEEKEND = regex(r"(?:今週末|週末)[のはに]?")


@dataclass(frozen=True, slots=True)
class Understood:
    """The place that a question is about, and its ``first`` and ``last`` day; ``None`` where it names none."""

    place: str
    first: date | None = None
    last: date | None = None


def understood(text: str, today: date) -> Understood | None:
    """What a question asks the weather of; ``None`` for the name of a place, and where no place is found."""
    said = " ".join(normalize("NFKC", text).split())
    bare = said.rstrip("?!。.… ")
    if japanese(said):
        return _japanese(bare, today) if re.search(_JAPANESE_SKY, said) else None
    asks = said != bare and "?" in said[len(bare) :]
    if not asks and not (_OPENER.match(said) and _PLACE[0].search(said)):
        return None
    rest, first, last = _without_days(_CLOCK.sub("", bare), today)
    for pattern in _PLACE:
        if (found := pattern.search(rest)) and (place := _tidy(found["place"])):
            return Understood(place, first, last)
    return None


def _japanese(text: str, today: date) -> Understood | None:
    first = last = None
    if _JAPANESE_WEEKEND.search(text):
        first, last = _weekend(today)
        text = _JAPANESE_WEEKEND.sub("", text, count=1)
    elif found := _JAPANESE_DAY.search(text):
        first = read_date(found[0].rstrip("の"), today)
        text = text[: found.start()] + text[found.end() :]
    place = _JAPANESE_PLACE.match(text.strip(" 、の"))
    named = place["place"].strip(" 、の") if place else ""
    return Understood(named, first, last) if named else None


def _without_days(text: str, today: date) -> tuple[str, date | None, date | None]:
    """The text without the first words that mean a day, and that day; a weekend has two."""
    if found := _WEEKEND.search(text):
        return text[: found.start()] + text[found.end() :], *_weekend(today)
    words = text.split()
    for start, end in _spans(len(words)):
        span = " ".join(words[start:end]).strip(" ,")
        if span.casefold().removesuffix(".") not in _ABBREVIATED and (day := read_date(span, today)):
            of_day = end < len(words) and words[end].strip(",").casefold() in _PARTS_OF_A_DAY
            return " ".join([*words[:start], *words[end + of_day :]]), day, None
    return text, None, None


def _spans(count: int) -> Iterator[tuple[int, int]]:
    """All runs of a few words, the longest first."""
    for length in range(min(_MOST_WORDS, count), 0, -1):
        for start in range(count - length + 1):
            yield start, start + length


def _weekend(today: date) -> tuple[date, date]:
    """Saturday and Sunday of this week; on a Sunday that day alone."""
    saturday = today + timedelta(days=5 - today.weekday())
    return max(today, saturday), saturday + timedelta(days=1)


def _tidy(place: str) -> str:
    before = ""
    while before != place:
        before, place = place, _LOOSE.sub("", place)
    return place
