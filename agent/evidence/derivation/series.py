"""What the parts of one time come to across a table: the quarters of a row, halves of a year, whole columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from agent.evidence.derivation.aggregates import Body
from agent.evidence.derivation.arithmetic_steps import Result
from agent.evidence.derivation.known_values import Known, value_of
from agent.evidence.tables.year_columns import YEAR
from agent.interface_text import keyed
from agent.text.quantities.claim_words import CALENDAR
from agent.text.quantities.number_words import as_float

_FEWEST = 3  # parts of a series
_MOST_COLUMNS = 6
_QUARTER = re.compile(
    r"\bq[1-4]\b|\b[1-4]q\b|第[1-4一二三四]四半期|[1-4]\. ?quartal|[1-4](?:st|nd|rd|th) quarter|[0-9]月$"
)
_HALVES = (
    re.compile(r"\bfirst half\b|\bh1\b|上期|上半期|erste[nrs]? (?:jahreshälfte|halbjahr)|1\. halbjahr"),
    re.compile(r"\bsecond half\b|\bh2\b|下期|下半期|zweite[nrs]? (?:jahreshälfte|halbjahr)|2\. halbjahr"),
)
_SUM, _MEAN = keyed("sum of {n} values"), keyed("mean of {n} values")


def _in_series(labels: Sequence[str]) -> bool:
    """Whether labels in lower case name different parts of one time: "q1" and so on, months, days of the week."""
    bare = [YEAR.sub("", label).strip(" -/") for label in labels]
    named = all(label in CALENDAR or _QUARTER.search(label) is not None for label in bare)
    return len(set(bare)) == len(bare) >= _FEWEST and named


def _parts(numbers: Sequence[int], labels: Sequence[str], said: str) -> list[Sequence[int]]:
    """The numbers of rows or columns with such ``labels``: all, or the halves that are ``said``; none of others."""
    if not _in_series(labels):
        return []
    half = len(numbers) // 2
    halves = [
        part for part, pattern in zip((numbers[:half], numbers[half:]), _HALVES, strict=True) if pattern.search(said)
    ]
    return halves if len(numbers) % 2 == 0 and halves else [numbers]


def _columns(body: Body) -> Sequence[int]:
    """The columns of a table all of whose columns of numbers are parts of one time."""
    table = body.subjects.table
    return table.numeric_columns if _in_series([table.column_heads[one] for one in table.numeric_columns]) else ()


def sums_of_series(
    body: Body, named: Iterable[int], said: str, of_all: bool, near: Callable[[float], bool]
) -> Iterator[tuple[Result, Known]]:
    """The sum and the mean of the parts of each row that is ``named``, of all rows, and of each column's halves."""
    table = body.subjects.table
    rows = [(row,) for row in named if row in body.rows] + ([tuple(sorted(body.rows))] if of_all else [])
    heads = [table.column_heads[column] for column in table.numeric_columns]
    groups = [(group, part) for part in _parts(table.numeric_columns, heads, said) for group in rows]
    ordered = sorted(body.rows)
    halves = _parts(ordered, [table.rows[row][0].text.lower() for row in ordered], said)
    groups += [(half, (one,)) for half in halves if len(half) < len(ordered) for one in table.numeric_columns]
    for group, columns in groups:
        if (total := _across(body, group, columns)) is not None:
            count = len(group) * len(columns)
            for kind, parts, formula in (("subtotal", 1, _SUM), ("mean", count, _MEAN)):
                if near(as_float(value := Fraction(total.operand.value) / parts)):
                    yield Result(kind, value, total.operand.unit, (total.operand.spot,), formula, {"n": count}), total


def totals_of_columns(body: Body, words: frozenset[str], is_share: bool) -> Iterator[list[Known]]:
    """What the columns that words name come to; for a share, each of a series with what all come to."""
    heads, every, columns = body.subjects.heads, sorted(body.rows), body.subjects.table.numeric_columns
    common = frozenset[str]().union(*heads).intersection(*(heads[one] for one in columns))  # "q" of "Q1" and "Q2"
    named = [one for one in columns if (heads[one] - common) & words][:_MOST_COLUMNS]
    totals = {column: total for column in named if (total := _across(body, every, (column,))) is not None}
    yield list(totals.values())
    whole = _across(body, every, _columns(body)) if is_share else None
    for total in totals.values() if whole is not None else ():
        yield [total, whole]


def share_of_column(body: Body, column: int, part: Known) -> Iterator[list[Known]]:
    """A value of the answer with what the column comes to that it was worked out from, in its scale, too."""
    whole = _across(body, sorted(body.rows), (column,))
    for power in dict.fromkeys((0, whole.power)) if whole is not None else ():
        value = Fraction(whole.operand.value) * 10**power
        yield [part, replace(whole, operand=replace(whole.operand, value=value), power=part.power)]


def _across(body: Body, rows: Sequence[int], columns: Sequence[int]) -> Known | None:
    """What the cells of some rows and columns come to, where two and more are filled, and all of these are numbers."""
    table = body.subjects.table.rows
    cells = [table[row][column] for row in rows for column in columns if column < len(table[row])]
    cells = [cell for cell in cells if cell.text]
    if len(cells) < 2 or not all(cell.numeric for cell in cells):
        return None
    values = [value_of(body.source, body.number, body.subjects, cell) for cell in cells]
    spot = (body.number, cells[0].start, cells[-1].end)
    total = sum(Fraction(one.operand.value) for one in values)
    return replace(values[0], operand=replace(values[0].operand, value=total, spot=spot, year=False))
