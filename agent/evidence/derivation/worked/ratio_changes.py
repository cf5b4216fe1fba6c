"""What a ratio was in each column of a table, for how it changed: "the margin rose by 0.5 percentage points"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from agent.evidence.derivation.steps.aggregates import Body
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_ratios import pairs_of_ratio
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.derivation.steps.wholes import rows_over
from agent.evidence.lookup.clauses import Words
from agent.evidence.tables.table_model import Cell
from agent.text.quantities.units import PERCENT, POINTS


def ratios_of_columns(
    body: Body, rows: Sequence[int], claim: FigureClaim, words: Words, known: Callable[[Cell], Known]
) -> Iterator[list[Known]]:
    """A ratio that is named, or that is of one row over another, in each column: of the years said where there are two.

    In per cent for a figure in percentage points; none for one in another unit, and where no change is said.
    """
    if "difference" not in claim.kinds or claim.figure.unit not in (None, POINTS):
        return
    of_rows = rows_over(claim.said, body)
    groups = [_pairs(body, *of_rows)] if of_rows is not None else []
    groups += pairs_of_ratio(body.subjects, rows, claim.named, words.around, every=True)
    for pairs in groups:
        ratios = [_quotient(known(top), known(base), claim.figure.unit is POINTS) for top, base in pairs]
        said = words.around | words.wide
        meant = [one for one in ratios if one.year is not None and str(int(one.year)) in said]
        yield meant if len(meant) == 2 else ratios


def _pairs(body: Body, top: int, base: int) -> list[list[Cell]]:
    table = body.subjects.table
    of_both = [table.rows[row] for row in (top, base)]
    pairs = [[cells[column] for cells in of_both if column < len(cells)] for column in table.numeric_columns]
    return [pair for pair in pairs if len(pair) == 2 and all(cell.numeric for cell in pair)]


def _quotient(known: Known, of: Known, in_percent: bool) -> Known:
    """What one value is of another."""
    value = Fraction(known.operand.value) / Fraction(of.operand.value) if of.operand.value else Fraction(0)
    unit = PERCENT if in_percent else None
    return replace(
        known, operand=replace(known.operand, value=value * 100 if in_percent else value, unit=unit), power=0
    )
