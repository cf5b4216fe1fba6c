"""Parts of a whole that no text gives: a cell with what its column comes to, for "45.5% of all revenue"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from agent.evidence.derivation.aggregates import Body
from agent.evidence.derivation.figure_claims import FigureClaim
from agent.evidence.derivation.known_values import Known
from agent.evidence.lookup.clauses import Words
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell
from agent.text.regex import regex

_OF_ALL = regex(
    r"\bof (?:all|the|total|overall|our|its|their)\b|\bshare of\b|全体|占め|割合|"
    r"\b(?:aller|de[rs] gesamten|du total|anteil|mach\w+)\b"
)
_PART_OF = regex(r"[0-9] (?:out )?of $")  # "310 of 700"
_MOST_ROWS, _MOST_COLUMNS = 2, 6
_FEWEST = 3  # parts; of two, any figure is soon a share


def says_share(said: str) -> bool:
    """Whether a text in lower case speaks of a part of all."""
    return _OF_ALL.search(said) is not None


def parts_of_wholes(
    said: str, body: Body, rows: Sequence[int], columns: Sequence[int], known: Callable[[Cell], Known]
) -> Iterator[list[Known]]:
    """A cell of ``rows`` and the sum of its column without totals, for each column, where ``said`` is of a share."""
    if not says_share(said):
        return
    table = body.subjects.table.rows
    for row, column in product((row for row in rows[:_MOST_ROWS] if row in body.rows), columns[:_MOST_COLUMNS]):
        parts = [table[one][column] for one in sorted(body.rows) if column < len(table[one])]
        parts = [cell for cell in parts if cell.numeric]
        part = next((cell for cell in parts if cell.row == row), None)
        if part is None or len(parts) < _FEWEST:
            continue
        one = known(part)
        whole = sum(known(cell).operand.value for cell in parts)
        spot = (body.number, parts[0].start, parts[-1].end)
        yield [one, replace(one, operand=replace(one.operand, value=whole, spot=spot, year=False))]


def may_be_of_all(subjects: Subjects, words: Words, claim: FigureClaim) -> bool:
    """Whether a figure may be of all rows of a table: its clause names no single one, or speaks of a sum."""
    start = claim.figure.number[0]
    if words.of_all or _PART_OF.search(claim.text, max(0, start - 12), start) is not None:
        return True
    if not claim.kinds.isdisjoint(("sum", "mean")) or len(subjects.rows_named(words.near, -2)) != 1:
        return True
    return len(subjects.rows_named(words.around, -2)) >= len(subjects.table.body)
