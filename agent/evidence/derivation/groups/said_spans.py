"""Months, quarters, halves and years that a text, the head of a column or a cell says, and ranges of months."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from agent.evidence.tables.digits import YEAR
from agent.text.quantities.claim_words import MONTHS
from agent.text.quantities.eras import era_dates
from agent.text.regex import regex

_EVERY = frozenset(range(1, 13))
_WORD = regex(r"[^\W\d_]+")
_PART = regex(r"(?<![^\W_])([qh])([1-4])(?![^\W_])")
_ORDER = ("first", "second", "third", "fourth")
_SAID = regex(
    r"\b(?P<order>first|second|third|fourth) (?P<kind>quarter|half)\b|第?(?P<number>[1-4])四半期|"
    r"(?P<half>[上下])(?:半)?期|"
    r"\b(?P<place>[1-4])\. ?(?P<name>quartal|halbjahr)\b"
)
_MONTH_JA = regex(r"(?<![0-9])(1[0-2]|0?[1-9])月")
_DAY = regex(r"((?:1[5-9]|20|21)[0-9]{2})[-/.](1[0-2]|0?[1-9])(?:[-/.][0-9]{1,2})?(?:[T ].*)?")
_YEAR_BEHIND = regex(r"[ ,_-]{0,2}" + YEAR.pattern)
_YEAR_BEFORE = regex(YEAR.pattern + r"[ 年_-]{0,2}$")
_TO = regex(
    r"\W{0,3}(?:to|through|until|till|and|bis|und|à|et|hasta|から|まで)?\W{0,4}(?:[12][0-9]{3})?\W{0,4}(?:to|bis)?\W{0,3}"
)
_SEASON = regex(r"((?:19|20)([0-9]{2}))[-/_–]((?:20)?[0-9]{2})(?![0-9])")
_LEFT = regex(r"[\W_]+")


class Span(NamedTuple):
    """Months of the year, and the year; 0 where none is said."""

    months: frozenset[int]
    year: int

    def covers(self, other: Span) -> bool:
        return other.months <= self.months and self.year in (0, other.year)

    @property
    def order(self) -> float:
        """Where it stands in time beside another one."""
        return self.year + min(self.months) / 12


class SaidSpan(NamedTuple):
    start: int
    end: int
    span: Span


@lru_cache(maxsize=64)
def spans_said(lower: str) -> tuple[SaidSpan, ...]:
    """What a text in lower case says of months, also from one of them to another, and years, as they stand."""
    found = sorted(_parts(lower))
    ranges: list[SaidSpan] = []
    for one, other in pairwise(found):
        between = lower[one.end : other.start]
        if len(one.span.months) == len(other.span.months) == 1 and _TO.fullmatch(between) is not None:
            first, last = *one.span.months, *other.span.months
            several = range(first, last + 1) if first <= last else (*range(first, 13), *range(1, last + 1))
            year = one.span.year if one.span.year == other.span.year else 0
            ranges.append(SaidSpan(one.start, other.end, Span(frozenset(several), year)))
    years = (SaidSpan(*one.span(), Span(_EVERY, int(one[1]))) for one in YEAR.finditer(lower))
    return (*ranges, *found, *years, *_in_eras(lower))


def _in_eras(lower: str) -> Iterator[SaidSpan]:
    """Years and months that count from an era: 令和7年, 平成30年4月."""
    for one in era_dates(lower, ()):
        if one.year is not None and one.day is None:
            yield SaidSpan(one.start, one.end, Span(frozenset((one.month,)) if one.month else _EVERY, one.year))


def _parts(lower: str) -> Iterator[SaidSpan]:
    found: list[tuple[int, int, frozenset[int]]] = []
    for word in _WORD.finditer(lower):
        if (month := MONTHS.get(word[0])) is not None:
            found.append((*word.span(), frozenset((month,))))
    found += [(*one.span(), frozenset((int(one[1]),))) for one in _MONTH_JA.finditer(lower)]
    found += [(*one.span(), _months(one[1] == "q", int(one[2]))) for one in _PART.finditer(lower)]
    for one in _SAID.finditer(lower):
        number = (
            one["number"]
            or one["place"]
            or (_ORDER.index(one["order"]) + 1 if one["order"] else "上下".index(one["half"]) + 1)
        )
        quarter = one["number"] is not None or one["kind"] == "quarter" or one["name"] == "quartal"
        found.append((*one.span(), _months(quarter, int(number))))
    for start, end, months in found:
        year = _YEAR_BEHIND.match(lower, end) or _YEAR_BEFORE.search(lower, max(0, start - 8), start)
        if months:
            yield SaidSpan(start, end, Span(months, int(year[1]) if year is not None else 0))


def _months(quarter: bool, number: int) -> frozenset[int]:
    size = 3 if quarter else 6
    return frozenset(range(size * (number - 1) + 1, size * number + 1)) & _EVERY


def _first_year(season: re.Match[str]) -> str:
    """The year that a season or a fiscal year of two begins in: 2023 of "2023/24"."""
    return season[1] if int(season[3][-2:]) == (int(season[2]) + 1) % 100 else season[0]


@lru_cache(maxsize=4_096)
def span_of(lower: str) -> tuple[str, Span] | None:
    """The months or the year that a head or a cell says, and what is left of it; ``None`` where it says none."""
    if (day := _DAY.fullmatch(lower)) is not None:
        return "", Span(frozenset((int(day[2]),)), int(day[1]))
    eras = [one for one in era_dates(lower, ()) if one.year is not None]
    if len(eras) == 1:
        (start, end, year, month, _), *_ = eras
        lower = f"{lower[:start]}{year}年{f'{month}月' if month else ''}{lower[end:]}"
    spaced = _SEASON.sub(_first_year, lower).replace("_", " ")
    parts, years = [*_parts(spaced)], YEAR.findall(spaced)
    if len(parts) > 1 or len(years) > 1 or not (parts or years):
        return None
    left = YEAR.sub(" ", spaced if not parts else spaced[: parts[0].start] + " " + spaced[parts[0].end :])
    months = parts[0].span.months if parts else _EVERY
    return _LEFT.sub(" ", left.replace("年度", " ").replace("年", " ")).strip(), Span(
        months, int(years[0]) if years else 0
    )
