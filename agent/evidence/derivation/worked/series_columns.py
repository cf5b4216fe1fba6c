"""The columns of an observed table, each with what the rows come to that the items of a list mean: as they stand, added
up, since the row before, in days until one that is spoken of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date as Date
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise, permutations

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.known_values import value_of
from agent.evidence.derivation.worked.called_rows import rows_called
from agent.evidence.derivation.worked.series_ways import FEWEST, SUM, SeriesColumn
from agent.evidence.drafts import Draft
from agent.evidence.kept import kept
from agent.evidence.lookup.standing import Standings
from agent.evidence.pages import Page
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell, Table
from agent.text.quantities.day_mentions import Day

_MOST_COLUMNS = 12
_DAYS_OF = (1, 7, 365.25 / 12, 365.25)  # a day, a week, a month, a year
_MOST_MEANT = 4  # days that others are counted from


@dataclass(frozen=True)
class SeriesColumns:
    """Of one answer with its ``drafts``."""

    standings: Standings
    drafts: Sequence[Draft]

    @kept
    def named(self, number: int, subjects: Subjects, names: tuple[str, ...]) -> list[SeriesColumn]:
        """The columns of a table, each with what the rows of each name come to; none where it has too few of them."""
        rows = rows_called(subjects.table, names)
        if sum(map(bool, rows)) < FEWEST:
            return []
        table = subjects.table
        plain = [one for one in table.numeric_columns if one not in table.year_columns]
        columns = [*self._timed(number, subjects), *plain][:_MOST_COLUMNS]
        found = [self._column(number, subjects, column, rows) for column in columns]
        if found and any(len(several) > 1 for several in rows):
            cells = {column: self._cells(number, subjects, column) for column in columns}
            found += [_weighted(one, other, cells, rows, table) for one, other in permutations(columns, 2)]
            found += [_products(one, other, cells, rows, table) for one, other in combinations(columns, 2)]
            found.append(SeriesColumn("n", [float(len(several)) or None for several in rows], found[0].spots))
        else:
            since = (one for column in columns for one in self._since(number, subjects, column, rows))
            found += [*(one for one in since if one.told), *self._days_until(number, subjects, rows)]
        return found

    @kept
    def apart(self, number: int, subjects: Subjects, names: tuple[str, ...]) -> list[SeriesColumn]:
        """How far the rows are from the ones before, and how long it is between their dates, for columns that do not
        only rise: tried last, since they are many.
        """
        rows = rows_called(subjects.table, names)
        if sum(map(bool, rows)) < FEWEST or any(len(several) > 1 for several in rows):
            return []
        columns = [one for one in subjects.table.numeric_columns if one not in subjects.table.year_columns]
        columns = [*self._timed(number, subjects), *columns][:_MOST_COLUMNS]
        since = [one for column in columns for one in self._since(number, subjects, column, rows)]
        return [*since, *self._between_dates(number, subjects, rows)]

    def _days_until(self, number: int, subjects: Subjects, rows: Sequence[Sequence[int]]) -> Iterator[SeriesColumn]:
        """How many days lie between each date of a column and a day that is spoken of: "63 days overdue"."""
        page, table = self.standings.sources.texts[number].page, subjects.table
        for column in _without_numbers(table) if page.days else ():
            cells = _first_cells(table, column, rows)
            whole = _whole_days(page, cells)
            if sum(one is not None for one in whole) < FEWEST:
                continue
            spots = [(number, cell.start, cell.end) if cell is not None else None for cell in cells]
            for meant in self._days_meant:
                apart = [float((meant - one).days) if one is not None else None for one in whole]
                steps = [f"{meant} − {one}" for one in whole]
                yield SeriesColumn(_name(table, column), apart, spots, told=False, steps=steps)

    @cached_property
    def _days_meant(self) -> list[Date]:
        """The whole days that the question and the answer say, and today."""
        given = [
            day.whole for source in self.standings.sources.texts if source.origin == "given" for day in source.page.days
        ]
        said = [draft.thing.whole for draft in self.drafts if isinstance(draft.thing, Day)]
        today = self.standings.sources.today
        return [one for one in dict.fromkeys((*given, *said, today)) if one is not None][:_MOST_MEANT]

    def _since(
        self, number: int, subjects: Subjects, column: int, rows: Sequence[Sequence[int]]
    ) -> Iterator[SeriesColumn]:
        """How much more each row has than the one before; a column that only rises, as a meter does, is worked with."""
        sizes = self._cells(number, subjects, column)
        order = sorted(sizes)
        if len(order) < FEWEST:
            return
        rises = all(sizes[one] <= sizes[other] for one, other in pairwise(order))
        before = dict(pairwise(reversed(order)))
        name, own = _name(subjects.table, column), self._column(number, subjects, column, rows)
        pairs = [(row[0], before.get(row[0])) if row else (0, None) for row in rows]
        apart = [sizes[one] - sizes[other] if other is not None else None for one, other in pairs]
        steps = [
            f"({name} {written(Fraction(sizes[one]), None)} − {written(Fraction(sizes[other]), None)})"
            if other is not None
            else ""
            for one, other in pairs
        ]
        yield SeriesColumn(name, apart, own.spots, told=rises, steps=steps)

    def _between_dates(self, number: int, subjects: Subjects, rows: Sequence[Sequence[int]]) -> Iterator[SeriesColumn]:
        """How long it is from the date of one column to that of another one, in days, weeks, months and years."""
        page, table = self.standings.sources.texts[number].page, subjects.table
        dated: dict[int, list[Date | None]] = {}
        for column in _without_numbers(table) if page.days else ():
            whole = _whole_days(page, _first_cells(table, column, rows))
            if sum(one is not None for one in whole) >= FEWEST:
                dated[column] = whole
        for first, last in combinations(dated, 2):
            apart = [(b - a).days if a and b else None for a, b in zip(dated[first], dated[last], strict=True)]
            steps = [f"({b} − {a})" for a, b in zip(dated[first], dated[last], strict=True)]
            for unit in _DAYS_OF:
                sizes = [abs(one) / unit if one is not None else None for one in apart]
                yield SeriesColumn(_name(table, last), sizes, [None] * len(sizes), told=False, steps=steps)

    @kept
    def _timed(self, number: int, subjects: Subjects) -> list[int]:
        """The columns whose cells are times with their seconds, which may be spans: "00:31:47"."""
        page, table = self.standings.sources.texts[number].page, subjects.table
        if not page.days:
            return []
        return [
            one
            for one in _without_numbers(table)
            if all(_span_of(page, cell) is not None for cell in _below(table, one))
        ]

    @kept
    def _cells(self, number: int, subjects: Subjects, column: int) -> dict[int, float]:
        """The numbers of a column by their row."""
        source = self.standings.sources.texts[number]
        if column in self._timed(number, subjects):
            spans = {cell.row: _span_of(source.page, cell) for cell in _below(subjects.table, column)}
            return {row: float(span) for row, span in spans.items() if span is not None}
        cells = [cell for cell in subjects.table.column(column) if cell.numeric]
        known = {cell.row: value_of(source, number, subjects, cell) for cell in cells}
        return {row: float(one.operand.value) * 10.0**one.power for row, one in known.items()}

    def _column(self, number: int, subjects: Subjects, column: int, rows: Sequence[Sequence[int]]) -> SeriesColumn:
        table, sizes = subjects.table, self._cells(number, subjects, column)
        sums = [_sum(sizes, several) for several in rows]
        cells = [table.rows[several[0]][column] if several and several[0] in sizes else None for several in rows]
        spots = [(number, one.start, one.end) if one is not None else None for one in cells]
        sign = SUM if any(len(several) > 1 for several in rows) else ""
        whole = sum(sizes.get(row, 0.0) for row in table.labels)
        first = sizes.get(min(table.labels, default=0), 0.0)
        return SeriesColumn(f"{sign}{_name(table, column)}", sums, spots, whole, first=first)


def _first_cells(table: Table, column: int, rows: Sequence[Sequence[int]]) -> list[Cell | None]:
    """The cell of a column in the first row that each name means."""
    lines = [table.rows[row[0]] if row else () for row in rows]
    return [line[column] if column < len(line) else None for line in lines]


def _whole_days(page: Page, cells: Sequence[Cell | None]) -> list[Date | None]:
    days = [page.day_at(cell.start) if cell is not None else None for cell in cells]
    return [day.whole if day is not None else None for day in days]


def _without_numbers(table: Table) -> list[int]:
    """The first columns that are not of numbers."""
    return [one for one in range(table.width) if one not in table.numeric_columns][:_MOST_COLUMNS]


def _below(table: Table, column: int) -> list[Cell]:
    """The filled cells of a column below its head."""
    return [cell for cell in table.column(column) if cell.text]


def _span_of(page: Page, cell: Cell) -> int | None:
    """A cell that is a time with its seconds, in seconds."""
    day = page.span_in(cell.start, cell.end)
    return day.length if day is not None else None


def _sum(sizes: dict[int, float], rows: Sequence[int]) -> float | None:
    return sum(sizes[row] for row in rows) if rows and sizes.keys() >= {*rows} else None


def _name(table: Table, column: int) -> str:
    return table.column_heads[column] if column < len(table.column_heads) else str(column + 1)


def _weighted(
    one: int, other: int, cells: dict[int, dict[int, float]], rows: Sequence[Sequence[int]], table: Table
) -> SeriesColumn:
    """The mean of a column, weighted by another one."""
    sizes, weights = cells[one], cells[other]
    products = {row: sizes[row] * weights[row] for row in sizes.keys() & weights.keys()}
    pairs = [(_sum(products, several), _sum(weights, several)) for several in rows]
    means = [top / bottom if top is not None and bottom else None for top, bottom in pairs]
    weight = _name(table, other)
    return SeriesColumn(f"{SUM}({_name(table, one)} × {weight}) ÷ {SUM}{weight}", means, [None] * len(rows), told=False)


def _products(
    one: int, other: int, cells: dict[int, dict[int, float]], rows: Sequence[Sequence[int]], table: Table
) -> SeriesColumn:
    """What two columns come to together in all rows of each name: units × price."""
    products = {row: cells[one][row] * cells[other][row] for row in cells[one].keys() & cells[other].keys()}
    name = f"{SUM}({_name(table, one)} × {_name(table, other)})"
    return SeriesColumn(name, [_sum(products, several) for several in rows], [None] * len(rows), told=False)
