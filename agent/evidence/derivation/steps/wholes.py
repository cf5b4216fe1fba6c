"""Parts of a whole that no text gives: a cell with what its column comes to, for "45.5% of all revenue"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from agent.evidence.derivation.steps.aggregates import Body
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.lookup.clauses import Words
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell
from agent.text.regex import regex

_OF_ALL = regex(
    r"\b(?:of|over) (?:all|the|total|overall|our|its|their)\b|\bshare of\b|\b(?:its|their|whose) share\b|"
    r"\b(?:account(?:s|ed|ing)? for|contribut\w+|ma[dk]es? up|repr[eé]sent\w*|entf[ai][el]\w+|trug\b.{3,60}\bbei)\b|"
    r"% (?:were|are|sind|waren)\b|"
    r"\b(?:aller|de[rs] gesamten|du total|anteil|mach\w+)\b|全体|占め|割合"
)
_OVER = regex(r" (?:over|as an? (?:percentage|share|proportion|fraction) of) ")
_PART_OF = regex(r"[0-9] (?:out )?of $")  # "310 of 700"
_MOST_ROWS, _MOST_COLUMNS = 2, 6
_FEWEST = 3  # parts; of two, any figure is soon a share


@lru_cache(maxsize=8)
def says_share(said: str) -> bool:
    """Whether a text in lower case speaks of a part of all."""
    return _OF_ALL.search(said) is not None


def parts_of_wholes(
    said: str, body: Body, rows: Sequence[int], columns: Sequence[int], known: Callable[[Cell], Known]
) -> Iterator[list[Known]]:
    """A part with its whole in each column, where ``said`` is of a share.

    The part is a cell of ``rows``, or what those of them come to that ``said`` calls by their whole labels: "Germany
    and Norway". The whole is its column without totals, or the row that a share is said to be "over".
    """
    if not says_share(said):
        return
    over = _OVER.search(said)
    together = _labelled(body, said[: over.start()] if over is not None else said)
    named = _labelled(body, said[over.end() :]) if over is not None else []
    of = max((row for row in named if row not in together), key=lambda row: len(body.labels[row]), default=None)
    groups = [[row] for row in rows[:_MOST_ROWS] if row in body.labels]
    groups += [together] if 1 < len(together) < len(body.labels) else []
    for group, column in product(groups, columns[:_MOST_COLUMNS]):
        part = _sum(body, group, column, 1, known)
        if (column,) not in body.added:
            body.added[column,] = _sum(body, list(body.labels), column, _FEWEST, known)
        wholes = [body.added[column,], _sum(body, [of], column, 1, known) if of is not None else None]
        yield from ([part, whole] for whole in wholes if part is not None and whole is not None)


def rows_over(said: str, body: Body) -> tuple[int, int] | None:
    """The two rows of "research as a percentage of sales" that are called by their whole labels, if there are both."""
    over = _OVER.search(said)
    if over is None:
        return None
    tops, bases = (_labelled(body, part) for part in (said[: over.start()], said[over.end() :]))
    top, base = (max(rows, key=lambda row: len(body.labels[row]), default=None) for rows in (tops, bases))
    return (top, base) if top is not None and base is not None and top != base else None


def _labelled(body: Body, said: str) -> list[int]:
    """The rows whose whole label a text says."""
    return body.subjects.table.called(tokens(said))


def _sum(body: Body, rows: Sequence[int], column: int, fewest: int, known: Callable[[Cell], Known]) -> Known | None:
    """What the numbers of a column come to in some rows; ``None`` where these are fewer."""
    table = body.subjects.table.rows
    cells = [table[row][column] for row in rows if column < len(table[row]) and table[row][column].numeric]
    if len(cells) < fewest:
        return None
    total, spot = sum(known(cell).operand.value for cell in cells), (body.number, cells[0].start, cells[-1].end)
    first = known(cells[0])
    return replace(first, operand=replace(first.operand, value=total, spot=spot, year=False))


def may_be_of_all(subjects: Subjects, words: Words, claim: FigureClaim) -> bool:
    """Whether a figure may be of all rows of a table: its clause names no single one, or speaks of a sum."""
    start = claim.figure.number[0]
    if words.of_all or _PART_OF.search(claim.text, max(0, start - 12), start) is not None:
        return True
    if not claim.kinds.isdisjoint(("sum", "mean")) or len(subjects.rows_named(words.near, -2)) != 1:
        return True
    return len(subjects.rows_named(words.around, -2)) >= len(subjects.table.body)
