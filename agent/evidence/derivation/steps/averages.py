"""Averages over the years of a row: of all of them, and of each year's start and end, for how such averages differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from agent.evidence.derivation.steps.aggregates import tables_named
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.lookup.clauses import Words
from agent.evidence.sources import Finding, Sources
from agent.evidence.tables.digits import YEAR, is_year
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell
from agent.interface_text import Text
from agent.text.regex import regex

_CHANGE = regex(r"\b(?:chang|differ|increas|decreas|variation|growth)|変化|増減|差")
_MOST_ROWS, _MOST_YEARS = 2, 12


def cells_of_years(subjects: Subjects, row: int) -> list[Cell]:
    """The numbers of a row by year, below those heads that differ in their year alone; no changes beside them."""
    heads, groups = subjects.table.column_heads, dict[str, dict[str, Cell]]()
    for cell in subjects.table.rows[row]:
        head = heads[cell.column] if cell.numeric and cell.column < len(heads) else ""
        if len(set(YEAR.findall(head))) == 1:
            years = groups.setdefault(YEAR.sub("", head).strip(), {})
            years.setdefault(YEAR.findall(head)[0], cell)
    found = max(groups.values(), key=len, default=dict[str, Cell]())
    return [found[year] for year in sorted(found)][:_MOST_YEARS]


def averages_of_years(
    subjects: Subjects, rows: Sequence[int], claim: FigureClaim, words: Words, known: Callable[[Cell], Known]
) -> Iterator[list[Known]]:
    """What a mean may be of, or the means that a difference may be of, where a claim speaks of them.

    The mean of the row named best is that of its years, without the changes beside them. The average of a year is that
    of its start and its end: how it differs from that of another year, or of another row.
    """
    if "mean" not in claim.kinds:
        return
    series = [list(map(known, cells_of_years(subjects, row))) for row in rows[:_MOST_ROWS]]
    if series and len(series[0]) < sum(cell.numeric for cell in subjects.table.rows[rows[0]]):
        yield series[0]
    if "difference" not in claim.kinds:
        return
    said = sorted(filter(is_year, words.around))
    of_years = [{str(int(one.year or 0)): _mean((before, one)) for before, one in pairwise(row)} for row in series]
    for means in of_years[:1]:
        yield [means[year] for year in said if year in means] if said else list(means.values())[-2:]
    if len(series) == _MOST_ROWS and all(of_years):
        year = next((year for year in reversed(said) if all(year in means for means in of_years)), "")
        yield [means[year] for means in of_years] if year else [] if said else list(map(_mean, series))


def _mean(values: Sequence[Known]) -> Known:
    """The mean of some values, which is of the last one's year."""
    last = values[-1]
    mean = sum(Fraction(one.operand.value) for one in values) / len(values)
    return replace(last, operand=replace(last.operand, value=mean))


def unchanged(sources: Sources, words: Words, said: str) -> Finding | None:
    """A change of nought: the row that a sentence names best is the same in both of the years that it says."""
    for number, subjects, rows in tables_named(sources, words.around)[:1] if _CHANGE.search(said) else ():
        cells = cells_of_years(subjects, rows[0])
        said_years = frozenset(filter(is_year, words.around))
        pair = [
            cell for cell in cells if not said_years.isdisjoint(YEAR.findall(subjects.table.column_heads[cell.column]))
        ]
        if len(pair) == len(said_years) == 2 and pair[0].text == pair[1].text:
            steps = f"{pair[1].text} − {pair[0].text}"
            spots = tuple((number, cell.start, cell.end) for cell in pair)
            return Finding("worked_out", spots, Text("{steps} = {outcome}", steps=steps, outcome="0"))
    return None
