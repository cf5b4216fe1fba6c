"""Tables and lists that an answer writes itself: what a cell of theirs may come from in its row and its column."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import TypeAlias

from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.hints import says_change
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.derivation.steps.pools import Pool
from agent.evidence.kept import kept
from agent.evidence.lookup.context import ITEM
from agent.evidence.sources import Spotted
from agent.evidence.tables.digits import YEAR
from agent.evidence.tables.table_forms import row_cells
from agent.text.characters import lowered
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import PERCENT
from agent.text.regex import regex

# Below the heads.
_RULE = regex(r"[ \t]*+(?:\|[ \t]*+)?:?-{2,}+:?[ \t]*+(?:\|[ \t]*+:?-{2,}+:?[ \t]*+)*+(?:\|[ \t]*+)?")
_YEAR_OF_ITEM = regex(r"(?<![ \t])" + ITEM.pattern + r"[^0-9\n]{0,30}" + YEAR.pattern + r"[*_]*[ \t]?[:–—]")
_OF_ALL = ("sum", "mean")
_NOTHING, _CHANGED = frozenset[str](), frozenset(("difference",))
_SIGNS = frozenset("+±-−")
_BLANK = " \t*_`"
_MOST_ROWS = 40
_FEWEST = 3  # parts; of two, any figure is soon a share

_Span: TypeAlias = tuple[int, int]
_Column: TypeAlias = Sequence[Known | None]


@dataclass(frozen=True)
class OwnCell:
    """A cell: its ``head``, the ``kinds`` of steps that this or a sign before its figure speaks of, and values.

    ``totals`` where its head speaks of what its row comes to, ``below`` where its row's label does of the rows above.
    Its table, or its item, begins at ``start``. ``column`` are the values of its own column, ``others`` those of the
    other ones: of each cell the first that is no share, with the year that its row says. ``years`` are those that the
    heads of its row's values say, by where these were seen. An item of a list is a row of one cell, whose value may
    stand beside the figure.
    """

    head: str
    kinds: frozenset[str]
    totals: bool
    below: bool
    start: int
    row: int
    column: _Column
    others: Sequence[_Column]
    years: Mapping[Spotted, float]

    def read(self, figure: Figure) -> Figure:
        """A figure of its own with the unit of its head."""
        return replace(figure, unit=PERCENT) if "%" in self.head and figure.unit is None else figure

    def pools(self, claim: FigureClaim, stated: Sequence[Known]) -> Iterator[Pool]:
        """Values that it may have been worked out from, those ``stated`` in its row first."""
        dated = [replace(known, year=self.years.get(known.operand.spot, known.year)) for known in stated]
        yield Pool(dated, together=self.totals)
        if self.below:
            yield Pool([known for known in self.column[: self.row] if known is not None], together=True)
        if "difference" in claim.kinds and (claim.figure.digits > 1 or len(self.others) == 1):  # a digit soon fits
            yield from map(Pool, self._changes())
        if claim.is_share:
            yield from map(Pool, self._shares())

    def _changes(self) -> Iterator[list[Known]]:
        """The value of its row and that of the next one to either side, in each column."""
        for values in self.others:
            mine = values[self.row]
            for beside in (self.row - 1, self.row + 1):
                other = values[beside] if 0 <= beside < len(values) else None
                if mine is not None and other is not None:
                    yield [mine, other]

    def _shares(self) -> Iterator[list[Known]]:
        """The value of its row and what its column comes to, for each column."""
        for values in self.others:
            mine, parts = values[self.row], [known for known in values if known is not None]
            if mine is None or len({known.operand.spot[0] for known in parts}) != 1:
                continue
            *rest, last = [known.operand.value for known in parts]
            total = bool(rest) and sum(rest) == last
            if len(parts) - total >= _FEWEST:
                number, start, _ = min(known.operand.spot for known in parts)
                spot = (number, start, max(known.operand.spot[2] for known in parts))
                whole = replace(mine.operand, value=last if total else sum(rest) + last, spot=spot)
                yield [mine, replace(mine, operand=whole)]


@dataclass(frozen=True)
class OwnTables:
    """The Markdown tables and lists of an answer.

    ``stated`` are its traced values between two places, ``hinted`` the kinds of steps that a text speaks of.
    """

    text: str
    stated: Callable[[int, int], Sequence[Known]]
    hinted: Callable[[str], frozenset[str]]

    @cached_property
    def _lines(self) -> tuple[list[int], list[str]]:
        lines = self.text.split("\n")
        return list(accumulate((len(line) + 1 for line in lines), initial=0)), lines

    @cached_property
    def _rules(self) -> frozenset[int]:
        """The numbers of the lines below heads."""
        _, lines = self._lines
        rules = (number for number, line in enumerate(lines) if "--" in line and _RULE.fullmatch(line) is not None)
        return frozenset(number for number in rules if number and "|" in lines[number - 1])

    def cell(self, position: int) -> OwnCell | None:
        """The cell or the item at a place, with at most 40 rows to either side; ``None`` elsewhere."""
        starts, lines = self._lines
        number = bisect_right(starts, position) - 1
        if ITEM.match(lines[number]) is not None:
            return self._item(number, position)
        return self._of_table(number, position) if self._rules and "|" in lines[number] else None

    def heads(self, position: int) -> tuple[int, int, str] | None:
        """Where the table of a cell starts and ends, with the heads of its row and its column in lower case."""
        starts, lines = self._lines
        number = bisect_right(starts, position) - 1
        if not self._rules or "|" not in lines[number]:
            return None
        first, end = self._around(number, lambda one: "|" in lines[one] and one not in self._rules)
        if first - 1 not in self._rules:
            return None
        row, heads = _cells(lines[number], starts[number]), _cells(lines[first - 2], starts[first - 2])
        column = next((place for place, (start, stop) in enumerate(row) if start <= position < stop), 0)
        if not 0 < column < len(heads):
            return None
        return starts[first - 2], starts[end], f"{self._said(row[0])} | {self._said(heads[column])}"

    def _item(self, number: int, position: int) -> OwnCell | None:
        starts, lines = self._lines
        first, end = self._around(number, lambda one: ITEM.match(lines[one]) is not None)
        if end - first < 2:
            return None
        below = not self.hinted(lowered(lines[number])).isdisjoint(_OF_ALL)
        kinds = self._signed(position)
        return OwnCell("", kinds, False, below, starts[number], number - first, (), self._of_items(first, end), {})

    def _of_table(self, number: int, position: int) -> OwnCell | None:
        starts, lines = self._lines
        first, end = self._around(number, lambda one: "|" in lines[one] and one not in self._rules)
        if first - 1 not in self._rules:
            return None
        values = self._of_rows(first, end)
        row, heads = _cells(lines[number], starts[number]), _cells(lines[first - 2], starts[first - 2])
        column = next((place for place, (start, stop) in enumerate(row) if start <= position < stop), 0)
        if not 0 < column < len(values):
            return None
        head = self._said(heads[column]) if column < len(heads) else ""
        totals, below = (not self.hinted(said).isdisjoint(_OF_ALL) for said in (head, self._said(row[0])))
        kinds = self.hinted(head) | (_CHANGED if says_change(head) else self._signed(position))
        others = [one for place, one in enumerate(values) if place and place != column]
        years = self._years(heads, values, number - first)
        return OwnCell(head, kinds, totals, below, starts[first], number - first, values[column], others, years)

    def _years(self, heads: Sequence[_Span], values: Sequence[_Column], row: int) -> Mapping[Spotted, float]:
        found = [YEAR.search(self.text, *head) for head in heads]
        cells = [(one[row], year) for one, year in zip(values, found, strict=False)]
        return {known.operand.spot: float(year[1]) for known, year in cells if known is not None and year is not None}

    def _signed(self, position: int) -> frozenset[str]:
        before = self.text[max(0, position - 1) : position + 1]
        return _NOTHING if _SIGNS.isdisjoint(before) else _CHANGED

    @kept
    def _of_items(self, first: int, end: int) -> Sequence[_Column]:
        starts, lines = self._lines
        return self._values(
            [[(starts[one], starts[one] + len(lines[one]))] for one in range(first, end)], _YEAR_OF_ITEM
        )

    @kept
    def _of_rows(self, first: int, end: int) -> Sequence[_Column]:
        starts, lines = self._lines
        return self._values([_cells(lines[one], starts[one]) for one in range(first, end)], YEAR)

    def _values(self, rows: Sequence[Sequence[_Span]], of_year: re.Pattern[str]) -> Sequence[_Column]:
        found = [of_year.search(self.text, *row[0]) if row else None for row in rows]
        years = [float(year[1]) if year is not None else None for year in found]
        wide = range(max(map(len, rows)))
        return [[self._value(*one, column) for one in zip(rows, years, strict=True)] for column in wide]

    def _value(self, row: Sequence[_Span], year: float | None, column: int) -> Known | None:
        first = next((one for one in self.stated(*row[column]) if not one.share), None) if column < len(row) else None
        return replace(first, year=year) if first is not None and year is not None else first

    def _around(self, number: int, belongs: Callable[[int], bool]) -> _Span:
        """The lines of a list or a table around one of them: the first, and the one behind the last."""
        first, end = number, number + 1
        while first and number - first < _MOST_ROWS and belongs(first - 1):
            first -= 1
        while end < len(self._lines[1]) and end - number < _MOST_ROWS and belongs(end):
            end += 1
        return first, end

    def _said(self, cell: _Span) -> str:
        return lowered(self.text[slice(*cell)].strip(_BLANK))


def _cells(line: str, start: int) -> list[_Span]:
    return [(cell.start, cell.end) for cell in row_cells(start, line, "|", 0)]
