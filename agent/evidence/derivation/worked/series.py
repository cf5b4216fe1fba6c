"""What the parts of one time come to across a table: the quarters of a row, halves of a year, whole columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, product

from agent.evidence.derivation.steps.aggregates import Body
from agent.evidence.derivation.steps.arithmetic_steps import OF_VALUES, Result
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_values import Known, operand_in, value_of
from agent.evidence.tables.digits import YEAR, is_year
from agent.text.quantities.claim_words import CALENDAR, MONTHS
from agent.text.regex import regex

_FEWEST = 3  # parts of a series
_MOST_COLUMNS, _MOST_PARTS, _MOST_CELLS = 6, 32, 400
_QUARTER = regex(r"\bq[1-4]\b|\b[1-4]q\b|第[1-4一二三四]四半期|[1-4]\. ?quartal|[1-4](?:st|nd|rd|th) quarter|[0-9]月$")
_HALVES = (
    regex(r"\bfirst half\b|\bh1\b|上期|上半期|erste[nrs]? (?:jahreshälfte|halbjahr)|1\. halbjahr|premier semestre"),
    regex(r"\bsecond half\b|\bh2\b|下期|下半期|zweite[nrs]? (?:jahreshälfte|halbjahr)|2\. halbjahr|second semestre"),
)
_QUARTERS = tuple(
    regex(rf"\b(?:{words}) (?:quarter|quartal|trimestre)\b|\bq{number}\b|第[{number}{kanji}]四半期")
    for number, kanji, words in (
        (1, "一", r"first|1st|erste[nrs]?|1\.|premier"),
        (2, "二", r"second|2nd|zweite[nrs]?|2\.|deuxième"),
        (3, "三", r"third|3rd|dritte[nrs]?|3\.|troisième"),
        (4, "四", r"fourth|4th|vierte[nrs]?|4\.|quatrième"),
    )
)


def _parts(numbers: Sequence[int], labels: Sequence[str], said: str = "", both: bool = False) -> list[Sequence[int]]:
    """The rows or columns whose ``labels`` are parts of one time: all, or the halves and quarters that are ``said``.

    ``both``: the other half, too, where one is said.
    """
    bare = [YEAR.sub("", label).strip(" -/") for label in labels]
    if not len(set(bare)) == len(bare) >= _FEWEST or not all(one in CALENDAR or _QUARTER.search(one) for one in bare):
        return []
    half = len(numbers) // 2
    halves: list[Sequence[int]] = [numbers[:half], numbers[half:]] if len(numbers) % 2 == 0 else []
    found = [part for part, name in zip(halves, _HALVES, strict=False) if name.search(said)]
    found = halves if found and both else found
    months = [MONTHS.get(label, 0) for label in bare]
    for quarter, name in enumerate(_QUARTERS, 1) if all(months) else ():
        part = [number for number, month in zip(numbers, months, strict=True) if (month + 2) // 3 == quarter]
        if len(part) == 3 and name.search(said):
            found.append(part)
    return found or [numbers]


def _parts_of_rows(body: Body, said: str, both: bool = False) -> list[Sequence[int]]:
    """The same of the rows of a table; none where they are many."""
    labels = [body.subjects.table.rows[row][0].text.lower() for row in body.order[:_MOST_PARTS]]
    return _parts(body.order, labels, said, both) if len(body.order) < _MOST_PARTS else []


def sums_of_series(
    body: Body, named: Iterable[int], claim: FigureClaim, of_all: bool
) -> Iterator[tuple[Result, tuple[Known, ...]]]:
    """The sum and the mean of the parts of each row that is ``named``, of all rows, and of each column's halves."""
    table, ordered, said = body.subjects.table, body.order, claim.said
    rows = [[row] for row in named if row in body.rows] + ([ordered] if of_all else [])
    columns = _parts(table.numeric_columns, [table.column_heads[one] for one in table.numeric_columns], said)
    parts = [part for part in _parts_of_rows(body, said) if len(part) < len(ordered)]
    for group, meant in chain(product(rows, columns), product(parts, ([one] for one in table.numeric_columns))):
        if (total := _across(body, group, meant)) is not None:
            count = len(group) * len(meant)
            for kind, among, formula in (("subtotal", 1, OF_VALUES["sum"]), ("mean", count, OF_VALUES["mean"])):
                value = Fraction(total.operand.value) / among
                if claim.comes_near(value, total.power):
                    spots = (total.operand.spot,)
                    yield Result(kind, value, total.operand.unit, spots, formula, {"n": count}), (total,)


def changes_of_parts(body: Body, said: str) -> Iterator[list[Known]]:
    """What each column comes to in the halves or quarters of a year that are ``said``, to tell one from another."""
    parts = _parts_of_rows(body, said, both=True)
    for column in body.subjects.table.numeric_columns if len(parts) > 1 else ():
        yield [total for part in parts if (total := _across(body, part, (column,))) is not None]


def totals_of_columns(body: Body, words: frozenset[str], is_share: bool) -> Iterator[list[Known]]:
    """What the columns that words name come to; for a share, each of a series with what all come to."""
    heads, every, columns = body.subjects.heads, body.order, body.subjects.table.numeric_columns
    common = frozenset[str]().union(*heads).intersection(*(heads[one] for one in columns))  # "q" of "Q1" and "Q2"
    named = [one for one in columns if (heads[one] - common) & words][:_MOST_COLUMNS]
    named += [one for one in columns if one not in named and any(_apart(heads[one], heads[other]) for other in named)]
    totals = {column: total for column in named if (total := _across(body, every, (column,))) is not None}
    yield list(totals.values())
    series = _parts(columns, [body.subjects.table.column_heads[one] for one in columns]) if is_share else []
    if series and (whole := _across(body, every, series[0])) is not None:
        yield from ([total, whole] for total in totals.values())


def _apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two heads say the same of two years: "employees 2023" and "employees 2022"."""
    apart = one ^ other
    return len(apart) == 2 and all(map(is_year, apart))


def share_of_column(body: Body, column: int, part: Known) -> Iterator[list[Known]]:
    """A value of the answer with what the column comes to that it was worked out from, in its scale, too."""
    whole = _across(body, body.order, (column,))
    if whole is None:
        return
    for power in dict.fromkeys((0, whole.power)):
        value = Fraction(whole.operand.value) * 10**power
        yield [part, replace(whole, operand=replace(whole.operand, value=value), power=part.power)]


def _across(body: Body, rows: Sequence[int], columns: Sequence[int]) -> Known | None:
    """What the cells of some rows and columns come to, where two and more are filled, and all of these are numbers."""
    key = (*rows[:1], *rows[-1:], len(rows), *columns)
    if key not in body.added:
        body.added[key] = _total(body, rows, columns)
    return body.added[key]


def _total(body: Body, rows: Sequence[int], columns: Sequence[int]) -> Known | None:
    table = body.subjects.table.rows
    cells = [table[row][column] for row in rows for column in columns if column < len(table[row])]
    cells = [cell for cell in cells if cell.text]
    if not 2 <= len(cells) <= _MOST_CELLS or not all(cell.numeric for cell in cells):
        return None
    spot = (body.number, cells[0].start, cells[-1].end)
    total = sum(Fraction(operand_in(body.source, body.number, cell).value) for cell in cells)
    first = value_of(body.source, body.number, body.subjects, cells[0])
    return replace(first, operand=replace(first.operand, value=total, spot=spot, year=False))
