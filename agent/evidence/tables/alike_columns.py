"""Columns of a table that have the same at two times: "rating_start" and "rating_end"."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from agent.evidence.tables.digits import YEAR, is_year
from agent.evidence.tables.table_model import Table
from agent.text.quantities.claim_words import MONTHS, several
from agent.text.regex import regex

_WORD = regex(r"[0-9]+(?:[-/][0-9]+)*[a-z]?|[^\W\d_]+[0-9]*")
_YEAR_OR_PART = regex(r"(?:1[5-9]|20|21)[0-9]{2}(?:[-/][0-9]+)?|[qh][1-4]|(?:fy|cy)[0-9]{2,4}|[0-9]{2}")
_TIMES = frozenset(
    several(
        "start end begin beginning first last initial final before after pre post old new previous prev prior "
        "current now then today yesterday opening closing earlier later spring summer autumn fall winter anfang ende "
        "vorher nachher alt neu vorjahr début fin avant après inicio antes después "
        "前 後 期首 期末 前年 今年 当年 昨年 前年度 今年度 当年度 昨年度 前回 今回 当期 前期 先月 今月 前月 当月"
    )
)
_EARLIER = frozenset(
    several(
        "start begin beginning initial before pre old previous prev prior yesterday opening earlier anfang vorher alt "
        "vorjahr début avant inicio antes 前 期首 前年 昨年 前年度 昨年度 前回 前期 先月 前月"
    )
)
_JAPANESE = regex(r"^((?:前|今|当|昨|先)[年月期回]度?|期[首末])(?=[^\W\d_])")  # no space stands behind these
_MOST_COLUMNS = 24


def pairs_of_times(table: Table) -> tuple[tuple[int, int], ...]:
    """The pairs of columns of numbers whose heads differ by the time alone, the earlier year or the left one first."""
    return _pairs(table.column_heads, table.numeric_columns[:_MOST_COLUMNS]) if table.heads else ()


def time_of(table: Table, column: int) -> float | None:
    """0 of a column that has what another one has later, 1 of that one: "previous_close" beside "close"."""
    for pair in pairs_of_times(table):
        said = [not _EARLIER.isdisjoint(_words(table.column_heads[one])) for one in pair]
        if column in pair and said[0] != said[1]:
            return 0.0 if said[pair.index(column)] else 1.0
    return None


@lru_cache(maxsize=256)
def _pairs(heads: tuple[str, ...], columns: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    words = {one: _words(heads[one]) for one in columns if one < len(heads)}
    return tuple(
        (other, one) if _years(first) > _years(second) else (one, other)
        for (one, first), (other, second) in combinations(words.items(), 2)
        if _differ_by_time(first, second)
    )


def _words(head: str) -> list[str]:
    return _WORD.findall(_JAPANESE.sub(r"\1 ", head).replace("_", " "))


def _years(words: list[str]) -> list[str]:
    return [word for word in words if YEAR.fullmatch(word)]


def _differ_by_time(one: list[str], other: list[str]) -> bool:
    """Whether two heads have the same words but for a time in both, or in one of them."""
    first, second = [word for word in one if word not in other], [word for word in other if word not in one]
    if not (first or second) or len(first) > 1 or len(second) > 1:
        return False
    kept = [word for word in one if word in other]
    of_years = first and second and not kept
    return all(map(_is_time, (*first, *second))) and (bool(kept) or bool(of_years))


def _is_time(word: str) -> bool:
    return word in _TIMES or word in MONTHS or _YEAR_OR_PART.fullmatch(word) is not None


def is_of_earlier(words: frozenset[str], than: frozenset[str]) -> bool:
    """Whether the words of a head are those of another one, but for the year, and this is earlier: "sales 2022"."""
    apart = words ^ than
    return len(apart) == 2 and all(map(is_year, apart)) and max(apart) in than
