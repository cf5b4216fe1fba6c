"""Values that prose tells of several years: "$214, $187 and $150 in 2023, 2022 and 2021, respectively"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from agent.evidence.derivation.steps.aggregates import tables_named
from agent.evidence.derivation.steps.known_values import Known, operand_at, value_of
from agent.evidence.derivation.steps.pools import Pool
from agent.evidence.lookup.clauses import Words
from agent.evidence.sources import Source, Sources
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.digits import YEARS, is_year
from agent.text.regex import regex

_RESPECTIVELY = regex(r"\brespectively\b|それぞれ")
_IN_BRACKETS = regex(
    r"[(（](?:in |fy ?)?((?:1[5-9]|2[01])[0-9]{2})[:,]? ?[$€£¥]? ?[0-9][0-9,.]*[^()（）0-9]{0,12}[)）]"
)
_STOP = regex(r"[.。](?=\s)|;|\|\n|\n\s*\n")
_LONGEST = 600  # characters of a statement
_MOST = 60  # statements of a text
_ENOUGH = 2  # words that tell a statement


@dataclass(frozen=True)
class Statement:
    """Values of the same thing in several years, with the words that say which."""

    words: frozenset[str]
    values: tuple[Known, ...]

    @cached_property
    def years(self) -> frozenset[str]:
        """The years that it has values of."""
        return frozenset(str(int(one.year)) for one in self.values if one.year is not None)


@dataclass(frozen=True)
class Statements:
    """Those of all observations, read once when first asked for."""

    sources: Sources

    @cached_property
    def _all(self) -> list[Statement]:
        seen = [(number, source) for number, source in enumerate(self.sources.texts) if source.origin == "seen"]
        return [one for number, source in seen for one in _statements(source, number)]

    @cached_property
    def _how_many(self) -> Counter[str]:
        return Counter(word for one in self._all for word in one.words)

    def _meant(self, words: frozenset[str]) -> Statement | None:
        """The statement that words name, two of them at least, and no other one as well."""
        ranked: list[tuple[float, int, Statement]] = []
        for index, one in enumerate(self._all):
            shared = one.words & words
            if len(shared) >= _ENOUGH:
                ranked.append((-sum([1 / self._how_many[word] for word in shared]), index, one))
        ranked.sort(key=lambda one: one[:2])
        sure = len(ranked) == 1 or (len(ranked) > 1 and ranked[0][0] < ranked[1][0])
        return ranked[0][2] if sure else None

    def pools(self, words: Words) -> Iterator[Pool]:
        """The values of the statement that a sentence means, of the years that it says; a single one with cells."""
        around = words.around | words.wide
        one = self._meant(words.around) or self._meant(around)
        if one is None:
            return
        years = one.years & words.around or one.years & around or one.years
        values = [value for value in one.values if value.year is not None and str(int(value.year)) in years]
        yield Pool(values if len(values) > 1 else one.values, together=True)
        if len(values) == 1:
            yield from (Pool([*values, cell]) for cell in self._cells(words.around | one.words, values[0].year))

    def _cells(self, words: frozenset[str], year: float | None) -> Iterator[Known]:
        """The cells of a year in rows whose whole label some words say, and in those of totals."""
        for number, subjects, rows in tables_named(self.sources, words):
            table = subjects.table
            named = [row for row in rows if (label := _words(table.rows[row][0].text.lower())) and label <= words]
            for row in dict.fromkeys((*named, *(table.last_totals if "total" in words else ()))):
                cells = (cell for cell in table.rows[row] if cell.numeric)
                known = (value_of(self.sources.texts[number], number, subjects, cell) for cell in cells)
                yield from (one for one in known if one.year == year)


def _words(lower: str) -> frozenset[str]:
    return frozenset(word for word in tokens(lower) if not word[0].isdigit())


def _statements(source: Source, number: int) -> Iterator[Statement]:
    found = list(_IN_BRACKETS.finditer(source.lower)) if "(" in source.lower else []
    if "respectively" in source.lower or "それぞれ" in source.lower:
        found += _RESPECTIVELY.finditer(source.lower)
    after, years = 0, list[str]()
    for match in sorted(found, key=lambda match: match.start())[:_MOST]:
        start = match.start()
        if source.page.cell_at(start) is not None:
            continue
        left = after = max(after, start - _LONGEST)
        for stop in _STOP.finditer(source.text, after, start):
            left, years = stop.end(), years if stop[0] == ";" else []
        values = _values(source, number, left, match.end())
        if match.lastindex is None:  # "respectively"
            years = YEARS.findall(source.text, left, start) or years
            values = _of_each_year(values, years)
        else:
            values = _before_and_in(values, match)
        after = match.end()
        if len(values) > 1:
            yield Statement(_words(source.lower[left:start]), tuple(values))


def _values(source: Source, number: int, left: int, right: int) -> list[Known]:
    found = source.page.numbers_between(left, right)
    return [
        Known(operand_at(source, number, one.start, one.end))
        for one in found
        if not is_year(source.text[one.start : one.end])
    ]


def _of_each_year(values: list[Known], years: list[str]) -> list[Known]:
    if len(values) != len(years) or len({*years}) < len(years):
        return []
    return [replace(one, year=float(year)) for one, year in zip(values, years, strict=True)]


def _before_and_in(values: list[Known], match: re.Match[str]) -> list[Known]:
    """The value of a year in brackets and the one before it, which is of the next year."""
    year = float(match[1])
    if len(values) < 2 or not values[-2].operand.spot[2] <= match.start() <= values[-1].operand.spot[1]:
        return []
    return [replace(values[-2], year=year + 1), replace(values[-1], year=year)]
