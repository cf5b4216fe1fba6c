"""What whole columns, lists and groups of rows come to: sums, means, extremes, counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from agent.evidence.derivation.arithmetic_steps import Result, Several
from agent.evidence.derivation.lists import Column, columns_of, lists_of
from agent.evidence.sources import Sources
from agent.evidence.tables.subjects import Subjects
from agent.interface_text import keyed
from agent.text.quantities.units import named_in

_FEW_TABLES = 3
_MOST_WORDS = 12
_COUNT = keyed("count of the {n} rows that name {words}")
_ROWS = keyed("count of the {n} rows named here")


def aggregates(sources: Sources, named: Sequence[tuple[int, Subjects]]) -> Iterator[Several]:
    """The columns of the tables that a sentence names, or of all where there are few, and short lists."""
    seen = [(number, source) for number, source in enumerate(sources.texts) if source.origin == "seen"]
    tables = [(number, subjects) for number, source in seen for subjects in source.tables]
    for number, subjects in tables if len(tables) <= _FEW_TABLES else named:
        yield from _several(columns_of(subjects.table, number))
    if len(seen) <= _FEW_TABLES:
        for number, source in seen:
            yield from _several(lists_of(source, number))


def _several(columns: Iterable[Column]) -> Iterator[Several]:
    for column in columns:
        unit = next(iter(named_in(f"{column.name} {column.sample}".lower())), None)
        yield Several(column, unit, ((column.source, column.start, column.end),))


def rows_counted(number: int, subjects: Subjects, said: frozenset[str], lower: str) -> Iterator[Result]:
    """Counts of the rows that share a word of the sentence, two of them, or whose label the sentence names."""
    groups = {word: frozenset(rows) for word in said if len(rows := subjects.rows_with(word)) > 1}
    shared = sorted(groups, key=lambda word: (len(groups[word]), word))[:_MOST_WORDS]
    for words in (*((word,) for word in shared), *combinations(shared, 2)):
        rows = groups[words[0]].intersection(*(groups[word] for word in words))
        if len(rows) > 1:
            cells = [subjects.table.rows[row] for row in sorted(rows)]
            spots = tuple((number, row[0].start, row[-1].end) for row in cells)
            yield Result("count", len(rows), None, spots, _COUNT, {"n": len(rows), "words": ", ".join(sorted(words))})
    for column in range(subjects.table.width):
        cells = {cell.text.lower(): cell for cell in subjects.table.column(column) if len(cell.text) > 2}
        listed = [cell for text, cell in cells.items() if text.strip('"“”') in lower and not cell.numeric]
        if len(listed) > 1:
            spots = tuple((number, cell.start, cell.end) for cell in listed)
            yield Result("count", len(listed), None, spots, _ROWS, {"n": len(listed)})
