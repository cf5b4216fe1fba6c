"""Columns of an answer's own tables that one formula leads to in all rows: "Cost per run" of what each row costs.

The same step in every row is no chance, though no word may tell it: where it fits at least three figures whose digits
together are more than so many formulas would meet, it is how they were worked out. A figure of the column that it does
not come to is then another one than its row has.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import inf, log10
from typing import NamedTuple, TypeAlias

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.known_values import value_of
from agent.evidence.drafts import Draft
from agent.evidence.item_numbers import own_tables
from agent.evidence.kept import kept
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Finding, Spotted
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell, Table
from agent.interface_text import Text
from agent.text.characters import lowered
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_FEWEST = 3  # figures that one formula leads to
_MOST_ROWS, _MOST_COLUMNS, _MOST_TABLES, _MOST_SERIES = 200, 12, 3, 12
_SURE = 2.0  # digits more than what so many formulas would meet
_MOST_OFF = 0.25  # figures of a series that may be wrong
_OPEN = frozenset(("not_found", "differs", "elsewhere"))
_SUM = "Σ "
_BARE = regex(r"[*_`]+|\s+")
_YEAR = regex(r"(?:fy ?|令和|平成)?([0-9]{4})(?:年度?)?")
_MONTH = regex(r"[0-9]{4}[-/](0?[1-9]|1[0-2])(?:[-/][0-9]{2})?|(1[0-2]|[1-9])月")
_FACTORS = tuple(sorted({1.0, 100.0, 60.0, 3600.0, 24.0, 1 / 60, 1 / 3600, 0.01, *(10.0**n for n in range(-9, 10, 3))}))

_Values: TypeAlias = Sequence[float | None]  # of each figure of a series


class _Column(NamedTuple):
    """What the rows of each figure come to in a column, with where the first of them stands.

    ``whole``: what all rows do; 0 of one that has no parts.
    """

    name: str
    values: _Values
    spots: Sequence[Spotted | None]
    whole: float = 0.0
    told: bool = True  # with its value

    def said(self, row: int) -> str:
        value = Fraction(self.values[row] or 0).limit_denominator(10**6)
        return f"{self.name} {written(value, None)}" if self.told else self.name

    @property
    def of_all(self) -> _Column:
        """The same for what all rows come to."""
        name = self.name if self.name.startswith(_SUM) else f"{_SUM}{self.name}"
        return _Column(name, [self.whole] * len(self.values), self.spots)


class _Way(NamedTuple):
    """A formula: its sign between two columns, their values, and the factor."""

    sign: str
    one: _Column
    other: _Column | None
    factor: float = 1.0

    def size(self, row: int) -> float | None:
        """What it comes to for a figure; ``None`` where a cell is missing."""
        a = self.one.values[row]
        b = self.other.values[row] if self.other is not None else 1.0
        if a is None or b is None:
            return None
        made = _SIGNS[self.sign](a, b)
        return made * self.factor if made is not None else None


_SIGNS: dict[str, Callable[[float, float], float | None]] = {
    "": lambda a, _: a,
    "÷": lambda a, b: a / b if b else None,
    "×": lambda a, b: a * b,
    "−": lambda a, b: a - b,
    "+": lambda a, b: a + b,
    "%": lambda a, b: (a - b) / abs(b) * 100 if b else None,
}
_FREE = frozenset(("", "÷", "×"))  # with any factor


@dataclass(frozen=True)
class OwnSeries:
    """Of one answer with its ``drafts``, in the order of their places."""

    standings: Standings
    drafts: Sequence[Draft]

    def findings(self) -> dict[int, Finding]:
        """For the numbers of drafts that stand nowhere ``worked_out``, or ``differs`` with what its row comes to."""
        found: dict[int, Finding] = {}
        for table in own_tables(self.standings.whole):
            for names, numbers in [one for one in self._series(table) if self._is_open(one[1])][:_MOST_SERIES]:
                found |= self._explained(names, numbers)
        return found

    def _is_open(self, numbers: Sequence[int]) -> bool:
        return any(self.drafts[number].finding.verdict in _OPEN for number in numbers)

    def _series(self, table: Table) -> Iterator[tuple[list[str], list[int]]]:
        """The figures of each column with what their rows are called, and those of each row with their heads."""
        for lines in (table.rows, tuple(zip(*(row for row in table.rows if len(row) == table.width), strict=True))):
            first = table.heads if lines is table.rows else 1
            for place in range(1, max(map(len, lines), default=0)):
                if lines is not table.rows and place < table.heads:
                    continue
                cells = [(line[0], line[place]) for line in lines[first:] if place < len(line)]
                figures = [
                    (_bare(head.text), number) for head, cell in cells if (number := self._figure(cell)) is not None
                ]
                if _FEWEST <= len(figures) <= _MOST_ROWS:
                    yield [name for name, _ in figures], [number for _, number in figures]

    def _figure(self, cell: Cell) -> int | None:
        """The draft of the only figure of a cell."""
        first = bisect_left(self._starts, cell.start)
        last = bisect_left(self._starts, cell.end)
        return first if last == first + 1 and isinstance(self.drafts[first].thing, Figure) else None

    @cached_property
    def _starts(self) -> list[int]:
        return [draft.start for draft in self.drafts]

    @cached_property
    def _tables(self) -> list[tuple[int, Subjects]]:
        texts = enumerate(self.standings.sources.texts)
        found = [(number, one) for number, source in texts for one in source.tables if source.origin == "seen"]
        return [one for one in found if len(one[1].table.rows) <= _MOST_ROWS][:_MOST_TABLES]

    def _explained(self, names: Sequence[str], numbers: Sequence[int]) -> dict[int, Finding]:
        figures = [self.drafts[number].figure for number in numbers]
        known = _rounded([one for one in figures if one is not None])
        for number, subjects in self._tables if len(known) == len(numbers) else ():
            columns = self._columns(number, subjects, tuple(names))
            way = _way_to(known, columns, self._factors) or _way_to(known, columns, self._further(columns))
            if way is not None:
                every = enumerate(zip(numbers, known, strict=True))
                open_ones = ((row, at, one) for row, (at, one) in every if self.drafts[at].finding.verdict in _OPEN)
                found = ((at, _finding(way, row, one)) for row, at, one in open_ones)
                return {at: finding for at, finding in found if finding is not None}
        return {}

    @kept
    def _columns(self, number: int, subjects: Subjects, names: tuple[str, ...]) -> list[_Column]:
        """The columns of a table, each with what the rows of each name come to; none where it has too few of them."""
        rows = _rows_called(subjects.table, names)
        if sum(map(bool, rows)) < _FEWEST:
            return []
        table = subjects.table
        columns = [one for one in table.numeric_columns if one not in table.year_columns][:_MOST_COLUMNS]
        found = [self._column(number, subjects, column, rows) for column in columns]
        if found and any(len(several) > 1 for several in rows):
            cells = {column: self._cells(number, subjects, column) for column in columns}
            found += [_weighted(one, other, cells, rows, table) for one, other in permutations(columns, 2)]
            found.append(_Column("n", [float(len(several)) or None for several in rows], found[0].spots))
        return found

    @kept
    def _cells(self, number: int, subjects: Subjects, column: int) -> dict[int, float]:
        """The numbers of a column by their row."""
        source = self.standings.sources.texts[number]
        cells = [cell for cell in subjects.table.column(column) if cell.numeric]
        known = {cell.row: value_of(source, number, subjects, cell) for cell in cells}
        return {row: float(one.operand.value) * 10.0**one.power for row, one in known.items()}

    def _column(self, number: int, subjects: Subjects, column: int, rows: Sequence[Sequence[int]]) -> _Column:
        table, sizes = subjects.table, self._cells(number, subjects, column)
        sums = [_sum(sizes, several) for several in rows]
        cells = [table.rows[several[0]][column] if several and several[0] in sizes else None for several in rows]
        spots = [(number, one.start, one.end) if one is not None else None for one in cells]
        sign = _SUM if any(len(several) > 1 for several in rows) else ""
        return _Column(f"{sign}{_name(table, column)}", sums, spots, sum(sizes.get(row, 0.0) for row in table.parts))

    def _further(self, columns: Sequence[_Column]) -> Sequence[float]:
        """The numbers that the answer says, "2.5 times", and those of columns that have one value in all rows."""
        figures = [one.figure for one in self.drafts if one.figure is not None]
        said = [one for one in figures if one.unit is None or one.unit.dimension == "ratio"][:_MOST_COLUMNS]
        found = {float(one.value) for one in said if one.value}
        return sorted({*found, *(1 / one for one in found), *_constants(columns)})

    @cached_property
    def _factors(self) -> tuple[float, ...]:
        """Usual factors, and the numbers of the question and of short texts: "24 rooms"."""
        found = set(_FACTORS)
        for source in self.standings.sources.texts:
            for token in source.scan.numbers[:_MOST_COLUMNS] if source.origin != "seen" else ():
                value = abs(float(Fraction(token.value)))
                found.update((value, 1 / value) if value else ())
        return tuple(sorted(found))


def _constants(columns: Sequence[_Column]) -> Iterator[float]:
    """Factors of columns that have one value in all rows: each of "24 rooms" times so many days."""
    for one in columns:
        (value, *others) = {*one.values}
        if value and not others:
            yield from (value, 1 / value, 100 / value)


def _rounded(figures: Sequence[Figure]) -> Sequence[Figure]:
    """The figures of a series, as rounded ones where all of them end in zeros: 107,900 and 109,250."""
    if all(figure.value % 10 == 0 and figure.step == 1 for figure in figures):
        return [replace(figure, loose=figure.loose or "about") for figure in figures]
    return figures


def _sum(sizes: dict[int, float], rows: Sequence[int]) -> float | None:
    return sum(sizes[row] for row in rows) if rows and sizes.keys() >= {*rows} else None


def _name(table: Table, column: int) -> str:
    return table.column_heads[column] if column < len(table.column_heads) else str(column + 1)


def _weighted(
    one: int, other: int, cells: dict[int, dict[int, float]], rows: Sequence[Sequence[int]], table: Table
) -> _Column:
    """The mean of a column, weighted by another one."""
    sizes, weights = cells[one], cells[other]
    products = {row: sizes[row] * weights[row] for row in sizes.keys() & weights.keys()}
    pairs = [(_sum(products, several), _sum(weights, several)) for several in rows]
    means = [top / bottom if top is not None and bottom else None for top, bottom in pairs]
    weight = _name(table, other)
    return _Column(f"{_SUM}({_name(table, one)} × {weight}) ÷ {_SUM}{weight}", means, [None] * len(rows), told=False)


def _way_to(figures: Sequence[Figure], columns: Sequence[_Column], factors: Sequence[float]) -> _Way | None:
    """The formula that leads to the figures of a series, if one does and none would by chance."""
    if not (columns and factors):
        return None
    told = sum(one.told for one in columns)
    bound = log10((told * told * len(_FREE) + len(columns)) * len(factors)) + _SURE
    best: tuple[float, _Way] | None = None
    for way in _ways(figures, columns, factors):
        fitting = [one for row, one in enumerate(figures) if _fits(way, row, one)]
        tried = sum(way.size(row) is not None for row in range(len(figures)))
        if len({one.value for one in fitting}) < _FEWEST or len(fitting) < (1 - _MOST_OFF) * tried:
            continue
        digits = sum(_digits(one) for one in fitting)
        if digits >= bound and (best is None or digits > best[0]):
            best = digits, way
    return best[1] if best is not None else None


def _ways(figures: Sequence[Figure], columns: Sequence[_Column], factors: Sequence[float]) -> Iterator[_Way]:
    """The formulas that lead to one of the first two figures."""
    plain = [_Way("", one, None) for one in columns]
    shares = [_Way("÷", one, one.of_all, 100.0) for one in columns if one.whole]
    told = [one for one in columns if one.told]
    pairs = [_Way(sign, one, other) for one, other in permutations(told, 2) for sign in _SIGNS if sign]
    free = [way.sign in _FREE for way in (*plain, *pairs)]
    for way, is_free in zip((*shares, *plain, *pairs), (*(False for _ in shares), *free), strict=True):
        for row in (0, 1):
            size = way.size(row)
            if not size:
                continue
            if not is_free:
                if figures[row].holds(abs(size)):
                    yield way
            else:
                low, high = figures[row].edges
                first, last = bisect_left(factors, low / abs(size)), bisect_right(factors, high / abs(size))
                yield from (way._replace(factor=factor) for factor in factors[first:last])


def _fits(way: _Way, row: int, figure: Figure) -> bool:
    size = way.size(row)
    return size is not None and not (figure.negative and size > 0) and figure.holds(abs(size))


def _digits(figure: Figure) -> float:
    """How many digits a figure tells: 1 of one that a tenth of all sizes near to it would be taken for."""
    return log10(figure.telling) if 1 < figure.telling < inf else 0.0


def _finding(way: _Way, row: int, figure: Figure) -> Finding | None:
    size = way.size(row)
    columns = [one for one in (way.one, way.other) if one is not None]
    spots = tuple(spot for one in columns if (spot := one.spots[row]) is not None)
    if size is None:
        return None
    said = [one.said(row) for one in columns]
    steps = f" {way.sign} ".join(said) if way.sign != "%" else f"({said[0]} − {said[1]}) ÷ {said[1]} × 100"
    if way.factor != 1.0:
        factor = Fraction(way.factor).limit_denominator(10**9)
        more = written(factor, None) if factor >= 1 else written(1 / factor, None)
        steps = f"{steps} {'×' if factor >= 1 else '÷'} {more}"
    note = Text(
        "{steps} = {outcome}", steps=steps, outcome=written(Fraction(size).limit_denominator(10**6), figure.unit)
    )
    if not _fits(way, row, figure) and figure.unit is not None and any(map(figure.holds, (size / 1e3, size * 1e3))):
        return Finding("possible", spots, note)  # in a larger or smaller unit than its column
    return Finding("worked_out" if _fits(way, row, figure) else "differs", spots, note)


def _bare(text: str) -> str:
    return _BARE.sub(" ", lowered(text)).strip()


def _rows_called(table: Table, names: Sequence[str]) -> list[list[int]]:
    """For each name the rows that have it as a cell, by the column that has most of them."""
    best: list[list[int]] = []
    for column in range(min(table.width, _MOST_COLUMNS)):
        keys: dict[str, list[int]] = {}
        for cell in table.column(column):
            if cell.row in table.parts and cell.text:
                for key in _keys(_bare(cell.text)):
                    keys.setdefault(key, []).append(cell.row)
        found = [next((keys[key] for key in _keys(name) if key in keys), list[int]()) for name in names]
        if sum(map(bool, found)) > sum(map(bool, best)):
            best = found
    return best


def _keys(text: str) -> Iterator[str]:
    """What a name may be called: itself, without what stands in brackets, the year or the month that it is."""
    yield text
    if (bare := text.partition(" (")[0]) != text:
        yield bare
    if (year := _YEAR.fullmatch(text)) is not None and year[1] != text:
        yield year[1]
    if (month := _MONTH.fullmatch(text)) is not None:
        yield f"month {int(month[1] or month[2])}"
