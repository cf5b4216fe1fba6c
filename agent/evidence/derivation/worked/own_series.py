"""Columns of an answer's own tables that one formula leads to in all rows: "Cost per run" of what each row costs.

The same step in every row is no chance, though no word may tell it: where it fits at least three figures whose digits
together are more than so many formulas would meet, it is how they were worked out. A figure of the column that it does
not come to is then another one than its row has.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, pairwise, permutations, product
from typing import NamedTuple

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.worked.called_rows import BARE, bare
from agent.evidence.derivation.worked.own_list_rows import own_lists
from agent.evidence.derivation.worked.series_columns import SeriesColumns
from agent.evidence.derivation.worked.series_ways import (
    FEWEST,
    SUM,
    SeriesColumn,
    Told,
    Way,
    fits,
    sums_to,
    way_of_pairs,
    way_to,
    with_constant,
)
from agent.evidence.drafts import OPEN, TO_WORK_WITH, Draft, as_span
from agent.evidence.item_numbers import own_tables
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Finding, Sources, Spotted
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell, Table
from agent.interface_text import Text
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_MOST_ROWS, _MOST_COLUMNS, _MOST_TABLES, _MOST_SERIES = 200, 12, 3, 12
_PLANNED = regex(r"budget|plan\b|target|goal|quota|soll\b|prévu|予算|計画|目標")  # no step leads to what is planned
_NUMBER = regex(r"(?<![0-9.,])[0-9]{1,6}(?:\.[0-9]{1,3})?(?![0-9.,])")
_FACTORS = tuple(sorted({1.0, 100.0, 60.0, 3600.0, 24.0, 1 / 60, 1 / 3600, 0.01, *(10.0**n for n in range(-9, 10, 3))}))


class _Series(NamedTuple):
    """A column or a row of an own table: its head, what its lines are called, the numbers of its drafts.

    ``turned``: it is a row.
    """

    head: str
    names: list[str]
    numbers: list[int]
    turned: bool


class _Worked(NamedTuple):
    """A series that was worked out: what it comes to by name, and a place that it comes from."""

    head: str
    sizes: dict[str, float]
    spot: Spotted | None

    def columns(self, names: Sequence[str]) -> Iterator[SeriesColumn]:
        """What each name comes to, and how far that is from the least and the most: the gap to the leader."""
        sizes, spots = [self.sizes.get(name) for name in names], [self.spot] * len(names)
        yield SeriesColumn(self.head, sizes, spots)
        for end in (min(self.sizes.values()), max(self.sizes.values())):
            apart = [size - end if size is not None else None for size in sizes]
            name = f"{self.head} − {written(Fraction(end).limit_denominator(10**6))}"
            yield SeriesColumn(name, apart, spots, told=False)


@dataclass(frozen=True)
class OwnSeries:
    """Of one answer with its ``drafts``, in the order of their places."""

    standings: Standings
    drafts: Sequence[Draft]

    def findings(self) -> dict[int, Finding]:
        """For the numbers of drafts that stand nowhere ``worked_out``, or ``differs`` with what its row comes to."""
        found: dict[int, Finding] = {}
        for table in (*own_tables(self.standings.whole), *own_lists(self.standings.whole, self.drafts)):
            worked: list[_Worked] = []
            every = list(self._series(table))
            for series in self._open(every):
                way = self._way(series, worked) or self._with_own(series, every)
                if way is not None:
                    explained = self._explained(series, *way)
                    # The items of a list need not say the same in one place, as the rows of a table do.
                    found |= {at: one for at, one in explained.items() if table.heads or one.verdict != "differs"}
                    worked.append(_worked(series, way[0]))
        return found

    def from_own(self) -> dict[int, Finding]:
        """The same for what follows from other columns of the same table alone, once these are known."""
        found: dict[int, Finding] = {}
        for table in own_tables(self.standings.whole):
            every = list(self._series(table))
            for series in self._open(every):
                if (way := self._of_own(series, every, found)) is not None:
                    explained = self._explained(series, *way)
                    # A row of sums may end in a share, which is none.
                    found |= {at: one for at, one in explained.items() if not series.turned or one.verdict != "differs"}
        return found

    def _open(self, every: Iterable[_Series]) -> list[_Series]:
        """The first series that have a figure which is not found in its place."""
        found = [one for one in every if any(self.drafts[at].finding.verdict in OPEN for at in one.numbers)]
        return found[:_MOST_SERIES]

    def _series(self, table: Table) -> Iterator[_Series]:
        """The figures of each column with what their rows are called, and those of each row with their heads."""
        turned = tuple(zip(*(row for row in table.rows if len(row) == table.width), strict=True))
        for lines in (table.rows, turned) if table.heads else (table.rows,):
            first = table.heads if lines is table.rows else 1
            width = max(map(len, lines), default=0)
            for label, place in product(self._labels(lines[first:]), range(1, width)):
                if place <= label or (lines is not table.rows and place < table.heads):
                    continue
                cells = [(line[label], line[place]) for line in lines[first:] if place < len(line)]
                figures = [
                    (bare(head.text), number) for head, cell in cells if (number := self._figure(cell)) is not None
                ]
                if FEWEST <= len(figures) <= _MOST_ROWS:
                    head = lines[0][place] if table.heads else lines[0][0]
                    names, numbers = map(list, zip(*figures, strict=True))
                    yield _Series(bare(head.text), names, numbers, lines is not table.rows)

    def _labels(self, lines: Sequence[Sequence[Cell]]) -> tuple[int, ...]:
        """Which cells of each line may say its name: the first, and the second if no line has a figure there."""
        label = _label_of(lines)
        second = [line[1] for line in lines if len(line) > 1]
        names = {cell.text for cell in second if self._figure(cell) is None and cell.text}
        worded = len(names) == len(lines)
        return (label, 1) if not label and worded else (label,)

    def _figure(self, cell: Cell) -> int | None:
        """The draft of the only figure of a cell."""
        first = bisect_left(self._starts, cell.start)
        last = bisect_left(self._starts, cell.end)
        return first if last == first + 1 and isinstance(self.drafts[first].thing, Figure | Day) else None

    @cached_property
    def _starts(self) -> list[int]:
        return [draft.start for draft in self.drafts]

    @cached_property
    def _tables(self) -> list[tuple[int, Subjects]]:
        texts = enumerate(self.standings.sources.texts)
        found = [(number, one) for number, source in texts for one in source.tables if source.origin == "seen"]
        return [one for one in found if len(one[1].table.rows) <= _MOST_ROWS][:_MOST_TABLES]

    @cached_property
    def _columns(self) -> SeriesColumns:
        return SeriesColumns(self.standings, self.drafts)

    def _told(self, number: int) -> Figure | None:
        """The figure of a draft; a time as the span that it may be."""
        thing = self.drafts[number].thing
        return as_span(thing, self.standings.answer.text) if isinstance(thing, Day) else self.drafts[number].figure

    def _way(self, series: _Series, worked: Sequence[_Worked]) -> tuple[Way, Told] | None:
        """The formula that leads to a series, of those that were ``worked`` out before it, too; and its figures."""
        known = self._known(series)
        if known is None:
            return None
        for number, subjects in self._tables:
            columns = self._columns.named(number, subjects, tuple(series.names))
            head, further = tokens(series.head), self._further(columns, series.head)
            way = way_to(known, columns, self._factors, head) or way_to(known, columns, further, head)
            if way is None and columns and worked:
                more = chain.from_iterable(one.columns(series.names) for one in worked)
                way = way_to(known, [*columns, *more], sorted({*self._factors, *further}), head)
            way = way or sums_to(known, columns) or with_constant(known, columns, self._numbers)
            way = way or way_to(known, self._columns.apart(number, subjects, tuple(series.names)), _FACTORS, head)
            if way is not None:
                return way, known
        return None

    def _with_own(self, series: _Series, every: Sequence[_Series]) -> tuple[Way, Told] | None:
        """The formula over one observed column and one of the same table: "60 g" of so much for each 100 g."""
        known = self._known(series)
        if known is None:
            return None
        own = self._columns_of_own(series, every, {})[:_MOST_COLUMNS]
        for number, subjects in self._tables if own else ():
            columns = self._columns.named(number, subjects, tuple(series.names))
            pairs = [(one, other) for one in columns for other in own if one.told]
            if (way := way_of_pairs(known, pairs, self._factors)) is not None:
                return way, known
        return None

    def _columns_of_own(
        self, series: _Series, every: Sequence[_Series], found: Mapping[int, Finding]
    ) -> list[SeriesColumn]:
        """The other columns, or rows, of the same table, each with those of its figures that are known."""
        names, others = series.names, self._others(series, every, found)
        values = ((other.head, [sizes.get(name) for name in names]) for other, sizes in others)
        return [SeriesColumn(head, sizes, [None] * len(sizes)) for head, sizes in values]

    def _others(
        self, series: _Series, every: Sequence[_Series], found: Mapping[int, Finding]
    ) -> Iterator[tuple[_Series, dict[str, float | None]]]:
        """The other columns, or rows, of the same table, with what each name has there, if it is known."""
        for other in every:
            if other is not series and other.turned == series.turned and other.numbers != series.numbers:
                sizes = [self._size(number) if self._is_known(number, found) else None for number in other.numbers]
                yield other, dict(zip(other.names, sizes, strict=True))

    def _of_own(
        self, series: _Series, every: Sequence[_Series], found: Mapping[int, Finding]
    ) -> tuple[Way, Told] | None:
        """The formula over other columns, or rows, of the same table that leads to a series."""
        known = self._known(series)
        if known is None or _PLANNED.search(series.head) is not None:
            return None
        columns, apart = self._columns_of_own(series, every, found), list[SeriesColumn]()
        for other, sizes in self._others(series, every, found):
            before = dict(pairwise(reversed(other.names)))
            steps = [_apart(sizes.get(before.get(name, "")), sizes.get(name)) for name in series.names]
            apart.append(SeriesColumn(f"Δ {other.head}", steps, [None] * len(steps), told=False))
        few = columns[:_MOST_COLUMNS]
        factors = sorted({1.0, 100.0, *self._further(few, series.head)})
        way = way_to(known, few, factors, tokens(series.head)) or sums_to(known, few) if few else None
        way = way or with_constant(known, few, self._numbers)
        way = way or way_to(known, apart[:_MOST_COLUMNS], _FACTORS, tokens(series.head))
        return (way, known) if way is not None and (way.sign or way.factor != 1 or not way.one.told) else None

    def _is_known(self, number: int, found: Mapping[int, Finding]) -> bool:
        """Whether a figure stands in the sources or follows from them: no two columns prove each other."""
        return found.get(number, self.drafts[number].finding).verdict in TO_WORK_WITH

    def _size(self, number: int) -> float | None:
        figure = self._told(number)
        return None if figure is None else float(-figure.value if figure.negative else figure.value)

    def _known(self, series: _Series) -> Told | None:
        """The figures of a series, if each of its cells has one, and whether they tell their signs."""
        figures = [figure for number in series.numbers if (figure := self._told(number)) is not None]
        text = self.standings.answer.text
        signed = any(one.negative or text[one.start - 1 : one.start] == "+" for one in figures)
        return Told(_rounded(figures), signed) if len(figures) == len(series.numbers) else None

    def _explained(self, series: _Series, way: Way, known: Told) -> dict[int, Finding]:
        every = enumerate(zip(series.numbers, known.figures, strict=True))
        open_ones = ((row, at, one) for row, (at, one) in every if self.drafts[at].finding.verdict in OPEN)
        sources = self.standings.sources
        found = ((at, _finding(way, row, one, sources, known.signed)) for row, at, one in open_ones)
        return {at: finding for at, finding in found if finding is not None}

    def _further(self, columns: Sequence[SeriesColumn], head: str) -> Sequence[float]:
        """The numbers that the answer says, "2.5 times", or a head, and those of columns with one value in all rows."""
        figures = [one.figure for one in self.drafts if one.figure is not None]
        said = [one for one in figures if one.unit is None or one.unit.dimension == "ratio"][:_MOST_COLUMNS]
        found = {float(one.value) for one in said if one.value}
        found |= {float(one) for one in _NUMBER.findall(head) if float(one)}
        return sorted({*found, *(1 / one for one in found), *_constants(columns)})

    @cached_property
    def _numbers(self) -> tuple[float, ...]:
        """The first numbers of the question, of the answer and of what was observed, and what one is of another."""
        found = [float(one.figure.value) for one in self.drafts if one.figure is not None][:_MOST_COLUMNS]
        for source in self.standings.sources.texts:
            found += [abs(token.value) for token in source.scan.numbers[:_MOST_COLUMNS]]
        few = list(dict.fromkeys(one for one in found if one))
        return (*few, *(-one for one in few), *(one / other for one, other in permutations(few[:_MOST_COLUMNS], 2)))

    @cached_property
    def _factors(self) -> tuple[float, ...]:
        """Usual factors, and the numbers of the question and of short texts: "24 rooms"."""
        found = set(_FACTORS)
        for source in self.standings.sources.texts:
            for token in source.scan.numbers[:_MOST_COLUMNS] if source.origin != "seen" else ():
                value = abs(float(Fraction(token.value)))
                found.update((value, 1 / value) if value else ())
        return tuple(sorted(found))


def _apart(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _label_of(lines: Sequence[Sequence[Cell]]) -> int:
    """Which cell of each line says its name: the second, in letters, where the first ones rank them from 1 on."""
    ranks = [BARE.sub("", line[0].text).rstrip(".") for line in lines if line]
    named = all(line[1].text[-1:].isalpha() for line in lines if len(line) > 1)
    return int(named and len(ranks) >= FEWEST and ranks == [str(number) for number in range(1, len(ranks) + 1)])


def _worked(series: _Series, way: Way) -> _Worked:
    """What a formula comes to for each name of a series."""
    sizes = ((name, way.size(row)) for row, name in enumerate(series.names))
    return _Worked(series.head, {name: size for name, size in sizes if size is not None}, way.one.spots[0])


def _constants(columns: Sequence[SeriesColumn]) -> Iterator[float]:
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


def _finding(way: Way, row: int, figure: Figure, sources: Sources, signed: bool) -> Finding | None:
    size = way.size(row)
    columns = [one for one in (way.one, way.other) if one is not None]
    spots = tuple(spot for one in columns if (spot := one.spots[row]) is not None)
    if size is None:
        return None
    said = [one.said(row) for one in columns]
    outcome = written(Fraction(size).limit_denominator(10**6), figure.unit)
    note = Text("{steps} = {outcome}", steps=_steps(way, said), outcome=outcome)
    if way.other is not None and not way.other.sure:
        return Finding("possible", spots, note) if fits(way, row, figure, signed) else None
    if fits(way, row, figure, signed):
        plain = not way.sign and way.factor == 1 and spots and way.one.told and not way.one.name.startswith(SUM)
        return Finding("seen", spots) if plain else Finding("worked_out", spots, note)
    if figure.unit is not None and any(map(figure.holds, (size / 1e3, size * 1e3))):
        return Finding("possible", spots, note)  # in a larger or smaller unit than its column
    if way.other is None and way.one.told and spots:
        return sources.differs(spots[0], widen=True)  # a column as it stands
    return Finding("differs", spots, note)


def _steps(way: Way, said: Sequence[str]) -> str:
    """A formula with what it ``said`` of its columns: "price 7.2 × units 31 ÷ 100"."""
    factor = Fraction(way.factor).limit_denominator(10**9)
    if way.sign == "1 ÷":
        return f"{written(factor, None)} ÷ {said[0]}"
    steps = f" {way.sign} ".join(said) if way.sign != "%" else f"({said[0]} − {said[1]}) ÷ {said[1]} × 100"
    if factor == 1:
        return steps
    return f"{steps} × {written(factor, None)}" if factor > 1 else f"{steps} ÷ {written(1 / factor, None)}"
