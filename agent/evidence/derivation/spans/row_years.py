"""Tables with a row for each year: the change from one to the next, the yearly rate; and ratios within one row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from agent.evidence.derivation.steps.aggregates import Body
from agent.evidence.derivation.steps.arithmetic_steps import Result
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.sources import Finding
from agent.evidence.tables.digits import is_year
from agent.evidence.tables.meant_columns import columns_named
from agent.evidence.tables.table_model import Cell
from agent.text.quantities.units import PERCENT
from agent.text.regex import regex

_FEW = 4  # columns that may all be meant
_MOST_ROWS = 2
_YEARLY = regex(r"\b(?:a|per|each) year\b|\bannual|\byearly\b|\bcagr\b|\bp\.a\.|pro jahr|jährlich|par an\b|年平均|年率")
_LONGEST = 60  # years


def changes_of_years(
    body: Body, claim: FigureClaim, words: frozenset[str], known: Callable[[Cell], Known]
) -> Iterator[list[Known]]:
    """The values of the two years that a sentence says, or of the one and the year before, in each column it names."""
    said = sorted(filter(is_year, words))
    if len(said) not in (1, 2) or not (claim.is_share or "difference" in claim.kinds):
        return
    rows = body.subjects.table.by_year
    first, last = (said[0], said[1]) if len(said) == 2 else (str(int(said[0]) - 1), said[0])
    if first not in rows or last not in rows:
        return
    for column in _meant(body, words):
        ends = [body.subjects.table.rows[rows[year]][column : column + 1] for year in (first, last)]
        if all(end and end[0].numeric for end in ends):
            years = zip(ends, (first, last), strict=True)
            yield [replace(known(end[0]), year=float(year)) for end, year in years]


def ratios_of_rows(
    body: Body, rows: Sequence[int], words: frozenset[str], known: Callable[[Cell], Known]
) -> Iterator[list[Known]]:
    """The numbers of the rows that a sentence names best, of years, too, where few columns have any."""
    table = body.subjects.table
    named = [table.by_year[one] for one in sorted(filter(is_year, words)) if one in table.by_year] or list(rows)
    columns = [one for one in table.numeric_columns if one not in table.year_columns]
    for row in named[:_MOST_ROWS] if len(columns) <= _FEW else ():
        cells = [cell for cell in table.rows[row] if cell.column in columns and cell.numeric]
        yield [_in_unit(body, cell, known(cell)) for cell in cells]


def yearly_rate(claim: FigureClaim, stated: Sequence[Known], years: frozenset[str]) -> Finding | None:
    """The compound rate between the two ends of a change that is said of two ``years``: "8.1% a year on average"."""
    ends = sorted((one for one in stated if one.place is not None), key=lambda one: one.place or 0.0)
    said = sorted(filter(is_year, years))
    if len(ends) != 2 or len(said) != 2 or not claim.is_share or _YEARLY.search(claim.said) is None:
        return None
    count, first, last = int(said[1]) - int(said[0]), ends[0].size, ends[1].size
    if not (0 < count <= _LONGEST and first and last):
        return None
    rate = Fraction(((last / first) ** (1 / count) - 1) * 100)
    filling = {"top": ends[1].operand, "bottom": ends[0].operand, "n": count}
    spots = (ends[1].operand.spot, ends[0].operand.spot)
    step = Result("percent", rate, PERCENT, spots, "(({top} ÷ {bottom})^(1/{n}) − 1) × 100", filling)
    return replace(claim, kinds=claim.kinds | {"difference"}).fits(step, (ends[1], ends[0]))


def _in_unit(body: Body, cell: Cell, one: Known) -> Known:
    """A value in the one unit that its head names, where it has none itself."""
    units = body.subjects.head_units[cell.column] if cell.column < len(body.subjects.head_units) else ()
    if one.operand.unit is not None or len(units) != 1:
        return one
    return replace(one, operand=replace(one.operand, unit=units[0]))


def _meant(body: Body, words: frozenset[str]) -> Sequence[int]:
    """The columns of numbers that words name; all of a few where they name none."""
    table = body.subjects.table
    named = [one for one in columns_named(body.subjects, words) if one in table.numeric_columns]
    return named or (table.numeric_columns if len(table.numeric_columns) <= _FEW else ())
