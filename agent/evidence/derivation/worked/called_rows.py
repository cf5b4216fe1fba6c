"""Which rows of a table the names of a list mean: by the whole cell, without its brackets or its rank, in short, as a
month, a day, a year or a country by another name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from agent.evidence.tables.table_model import Table
from agent.text.characters import lowered
from agent.text.quantities.claim_words import ALIASES, MONTHS
from agent.text.quantities.day_mentions import Day, dates_in
from agent.text.quantities.scanning import scan
from agent.text.regex import regex

_MOST_ROWS, _MOST_COLUMNS = 200, 12
_LONGEST_DAY, _MOST_KEPT = 24, 4_096  # characters; names
_YEAR_FIRST = 4  # figures of "2026-03-01", which is a day of its month, too
BARE = regex(r"[*_`]+|\s+")
_WORD = regex(r"[^\s,;:]+")
_SHORT = 3  # letters of a word that is no plural
_RANK = regex(r"^[0-9]{1,2}[.)] (?=[^\W\d])")
_ASIDE = regex(r"([^(]+) \(([^()]+)\)")
_COUNTRIES = {name.lower(): (min(names).lower(),) for names in ALIASES for name in names}
_YEAR = regex(r"(?:fy ?|令和|平成)?([0-9]{4})(?:年度?)?")
_OF_A_YEAR = regex(r"\.?(?: '?[0-9]{2}(?:[0-9]{2})?)?$")
_MONTH = regex(r"(1[0-2]|[1-9])月")


def bare(text: str) -> str:
    return BARE.sub(" ", lowered(text)).strip()


def rows_called(table: Table, names: Sequence[str]) -> list[list[int]]:
    """For each name the rows that have it as a cell, or in short, by the column that has most of them."""
    best: list[list[int]] = []
    for column in range(min(table.width, _MOST_COLUMNS)):
        keys: dict[str, list[int]] = {}
        for cell in table.column(column):
            if cell.row in table.parts and cell.text:
                for key in dict.fromkeys(_keys(bare(cell.text))):
                    keys.setdefault(key, []).append(cell.row)
        found = [next((keys[key] for key in _keys(name) if key in keys), list[int]()) for name in names]
        if not all(found):
            found = [one or short for one, short in zip(found, _called_in_short(table, column, names), strict=True)]
        if sum(map(bool, found)) > sum(map(bool, best)):
            best = found
    return best or [[] for _ in names]


def _called_in_short(table: Table, column: int, names: Sequence[str]) -> list[list[int]]:
    """For each name the only row that has its words among those of its cell: "Osei" of "Jalen Osei", "pump seals"."""
    cells = ((cell.row, cell.text) for cell in table.column(column)[:_MOST_ROWS] if cell.row in table.parts)
    labels = {row: _singular(bare(text)) for row, text in cells}
    found = [[row for row, words in labels.items() if words >= _singular(name)] for name in names]
    return [rows if len(rows) == 1 else [] for rows in found]


def _singular(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") if len(word) > _SHORT else word for word in _WORD.findall(text))


def _keys(text: str) -> Iterator[str]:
    """What a name may be called: itself, with and without what stands in brackets or numbers it; the year, the month or
    the day that it is, the country by any of its names.
    """
    text = _RANK.sub("", text)
    yield text
    if (aside := _ASIDE.fullmatch(text)) is not None:
        for part in aside.groups():
            yield from _keys(part)
    if (year := _YEAR.fullmatch(text)) is not None and year[1] != text:
        yield year[1]
    if (day := _day_of(text)) is not None and day.month is not None:
        days = ((day.month, day.day), *([day.other] if day.other else [])) if day.day else ()
        yield from (f"day {month}-{number}" for month, number in days)
        if day.day is None or text[:_YEAR_FIRST].isdigit():
            yield f"month {day.month}"
    elif (numbered := _MONTH.fullmatch(text)) is not None:
        yield f"month {numbered[1]}"
    elif (month := MONTHS.get(_OF_A_YEAR.sub("", text))) is not None:
        yield f"month {month}"
    yield from _COUNTRIES.get(text, ())


@lru_cache(_MOST_KEPT)
def _day_of(text: str) -> Day | None:
    """The day or the month that a name is, whole; in lower case, as names are compared."""
    if len(text) > _LONGEST_DAY or not any(map(str.isdigit, text)):
        return None
    said = text.title()  # a month has a capital
    return next((day for day in dates_in(said, text, scan(said)) if (day.start, day.end) == (0, len(text))), None)
