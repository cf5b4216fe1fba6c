"""Values of one table that reports reckon with: ratios of two columns, averages of years, terms, known differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from agent.evidence.derivation.spans.due_terms import shares_of_terms
from agent.evidence.derivation.spans.row_years import changes_of_years, ratios_of_rows
from agent.evidence.derivation.steps.aggregates import Body
from agent.evidence.derivation.steps.averages import averages_of_years
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_ratios import columns_meant, pairs_of_columns, pairs_of_difference
from agent.evidence.derivation.steps.known_values import Known, value_of
from agent.evidence.derivation.steps.pools import Pool
from agent.evidence.derivation.worked.ratio_changes import ratios_of_columns
from agent.evidence.lookup.clauses import Words
from agent.evidence.tables.table_model import Cell


def pools_of_report(
    claim: FigureClaim, words: Words, body: Body, rows: Sequence[int], known: Callable[[Cell], Known]
) -> Iterator[tuple[FigureClaim, Pool]]:
    """Pools, each with what the claim may be of them; ``rows`` are those that its sentence names best.

    ``known`` reads a cell.
    """
    subjects = body.subjects
    less = replace(claim, kinds=frozenset(("difference",)))
    pairs = pairs_of_difference(subjects, claim.named, words.around) if not claim.is_share else ()
    yield from ((less, Pool(list(map(known, pair)))) for pair in pairs)
    yield from ((claim, Pool(one)) for one in changes_of_years(body, claim, words.around, known))
    if "ratio" in claim.kinds and not claim.is_share and claim.figure.digits > 1:
        per = replace(claim, kinds=frozenset(("ratio",)))
        yield from ((per, Pool(one)) for one in ratios_of_rows(body, rows, words.around, known))
    beside = pairs_of_columns(subjects, rows, claim.said) if not claim.is_share else ()
    yield from ((less, Pool(list(map(known, pair)))) for pair in beside)
    yield from ((less, Pool(one)) for one in ratios_of_columns(body, rows, claim, words, known))
    yield from ((claim, Pool(one, together=True)) for one in averages_of_years(subjects, rows, claim, words, known))
    shares = shares_of_terms(body, rows, claim.about, words.around) if claim.of_quotient else ()
    yield from ((claim, Pool(one)) for one in shares)
    yield from ((claim, Pool(one)) for one in _of_both_tables(body, rows, words))


def _of_both_tables(body: Body, rows: Sequence[int], words: Words) -> Iterator[list[Known]]:
    """The values of a row in two tables of different years that stand in one, in the columns that words name best."""
    own = body.subjects
    others = (one for one in body.source.tables if one.table.other_years and one is not own)
    for other in others if own.table.other_years else ():
        for row, column in product(rows[:1], columns_meant(own, words.around)):
            label = own.table.rows[row][0].text
            both = [
                (own, own.table.rows[row]),
                *((other, cells) for cells in other.table.body if cells[0].text == label),
            ]
            cells = [(one, cells[column]) for one, cells in both if column < len(cells) and cells[column].numeric]
            if len(cells) == 2:
                yield [value_of(body.source, body.number, *one) for one in cells]
