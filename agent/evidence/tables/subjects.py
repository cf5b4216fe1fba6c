"""Whether a cell is the one that a sentence speaks of: its row and its column against all others of the table.

A sentence names rows by what stands in their other cells ("in 2014" for the row of 2014), columns by their heads. A
cell is not the one meant where another row (or column) has all the words that its own has, and more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Literal, TypeAlias

from agent.evidence.kept import kept, kept_last
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.digits import figures, is_year
from agent.evidence.tables.periods import periods_of
from agent.evidence.tables.row_words import RowWords, row_words
from agent.evidence.tables.scales import powers_of_all
from agent.evidence.tables.table_model import YEAR_LIKE, Cell, Table, value_of
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.units import Unit, alike, named_in, units_of_column
from agent.text.regex import regex

# Whether words mean a row (or column), another one, either of them alike, or none.
Fit: TypeAlias = Literal["own", "other", "alike", "none"]

_COMMON = 40  # rows: a word of more tells none of them apart
_MOST_ALIKE = 12  # rows that are asked what of them is said whole
_TIMES, _MORE = 3.0, 0.5  # by how much another row must be named better
_DAY = regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_IN_BRACKETS = regex(r"[(\[]([WVAJNΩ])[)\]]")
_OF_KELVIN = regex(r"(?i:temp|temperature|teq|\bt)[ _]?[(\[]?[Kk][)\]]?$")  # other heads with a K are in thousands


def _no_day(_: int) -> None:
    return None


@dataclass(frozen=True, eq=False)
class Subjects:
    """Which rows and columns of a table words name; ``lower`` is the text that the table is in, in lower case, of which
    ``day_at`` tells the days.

    Its words are indexed once, when first asked for; of what else was asked, the last results are kept.
    """

    table: Table
    lower: str
    day_at: Callable[[int], Day | None] = _no_day

    @cached_property
    def heads(self) -> tuple[frozenset[str], ...]:
        return tuple(tokens(head) for head in self.table.column_heads)

    @cached_property
    def head_units(self) -> tuple[tuple[Unit, ...], ...]:
        """The units that the heads of the columns name; of one letter, in brackets, as it stands: "Power (W)"."""
        found = [units_of_column(head) for head in self.table.column_heads]
        for cells in self.table.rows[: self.table.heads]:
            for cell in cells:
                found[cell.column] += [unit for text in _IN_BRACKETS.findall(cell.text) for unit in named_in(text)]
                found[cell.column] += named_in("kelvin") if _OF_KELVIN.search(cell.text) is not None else []
        return tuple(tuple(dict.fromkeys(units)) for units in found)

    @cached_property
    def powers(self) -> tuple[int, ...]:
        """The powers of ten that the table says of all of its columns."""
        return powers_of_all(self.table)

    def is_said_of_all(self, unit: Unit) -> bool:
        """Whether the caption or the corner of the table names a unit for all of its figures."""
        return any(alike(one, unit) for one in self._units_of_all)

    @cached_property
    def _units_of_all(self) -> tuple[Unit, ...]:
        return tuple(named_in(f"{self.table.before} {self.table.rows[0][0].text.lower()}"))

    @cached_property
    def _index(self) -> dict[str, list[int]]:
        """Its words, each with the rows of the body that have it, up to one more than tell it apart."""
        found: dict[str, list[int]] = {}
        for row in range(len(self.table.rows)):
            for word in self.words_of(row):
                rows = found.setdefault(word, [])
                if row >= self.table.heads and len(rows) <= _COMMON:
                    rows.append(row)
        return found

    @cached_property
    def _known(self) -> frozenset[str]:
        """All that its cells say: other words name no row."""
        return frozenset(self._index)

    @cached_property
    def periods(self) -> dict[int, tuple[str, str]]:
        """Its rows that are of a time between two others, each with the years where this starts and ends."""
        return periods_of(self.table)

    def says(self, text: str) -> bool:
        """Whether a text in lower case stands in the table."""
        return self.lower.find(text, self.table.start, self.table.end) >= 0

    def knows(self, words: frozenset[str]) -> bool:
        """Whether one of the words stands in a cell."""
        return not words.isdisjoint(self._known)

    @cached_property
    def _in_heads(self) -> frozenset[str]:
        return frozenset[str]().union(*self.heads)

    @cached_property
    def _sections(self) -> dict[str, frozenset[str]]:
        return {section: tokens(section) for section in set(self.table.sections) if section}

    def rows_with(self, word: str) -> Sequence[int]:
        """The rows of the body that have a word; none where so many have it that it tells none apart."""
        rows = self._index.get(word, ())
        return rows if len(rows) <= _COMMON else ()

    def words_of(self, row: int) -> Mapping[str, int]:
        """The words of a row, each with its column; or one of the signs for none."""
        return self._read(row).words

    def label_of(self, row: int) -> frozenset[str]:
        """The words of the first text of a row."""
        return self._read(row).label

    @kept
    def _read(self, row: int) -> RowWords:
        sections = self._sections.get(self.table.sections[row], frozenset[str]())
        return row_words(self.table.rows[row], sections, self.day_at)

    def _named(self, row: int, words: frozenset[str], column: int) -> frozenset[str]:
        """Those of the words that a row has in another column than ``column``."""
        own = self.words_of(row)
        return frozenset([word for word in words.intersection(own) if own[word] != column])

    @kept_last
    def _rows_named(self, words: frozenset[str]) -> list[tuple[int, frozenset[str]]]:
        """The rows that have some of the words, in their order, each with those that it has."""
        rows: set[int] = set()
        rows.update(*[self.rows_with(word) for word in words])
        return [(row, words.intersection(self.words_of(row))) for row in sorted(rows)]

    def rows_named(self, words: frozenset[str], column: int) -> dict[int, frozenset[str]]:
        """The rows that words name by another column than ``column``, each with the words that do."""
        words &= self._known
        return self._beside(words, column) if words else {}

    @kept_last
    def _beside(self, words: frozenset[str], column: int) -> dict[int, frozenset[str]]:
        found: dict[int, frozenset[str]] = {}
        for row, said in self._rows_named(words):
            own = self.words_of(row)
            rest = frozenset([word for word in said if own[word] != column])
            if rest:
                found[row] = rest
        return found

    def covered(self, row: int, said: frozenset[str]) -> float:
        """How well words name a row: rare ones count more, and so does a label said whole; 0 for its numbers alone."""
        texts = [one.said for one in self._read(row).texts] or [
            self._sections.get(self.table.closed_by(row), frozenset())
        ]
        share = max((len(one & said) / len(one) for one in texts if one), default=0.0)
        return share + min(self._weight(said), 3.0) if share else 0.0

    def row_fits(
        self, cell: Cell, words: frozenset[str], stated: frozenset[str] = frozenset(), clause: bool = False
    ) -> Fit:
        """How the words name the cell's row against all others that have another value in its column.

        Those whose value is ``stated`` in the same sentence have their own figure, and are no rivals. Words of one
        ``clause`` mean the row of which they say a text whole ("Main workers" or "Workers").
        """
        words &= self._known
        if not words:
            return "none"
        return self._row_fits(cell, words, stated, clause)

    @kept_last
    def _row_fits(self, cell: Cell, words: frozenset[str], stated: frozenset[str], clause: bool) -> Fit:
        named = self.rows_named(words, cell.column)
        if not named:
            return "own" if self._named(cell.row, words, cell.column) else "none"
        own = self._value(cell.row, cell.column)
        mine = self._named(cell.row, words, cell.column)
        weight = self._weight(mine)
        alike: list[int] = []
        spoken = False
        ranks: dict[frozenset[str], Fit] = {}  # most rows have the same few words
        for row, other in named.items():
            rank = ranks.get(other)
            if rank is None:
                rank = ranks[other] = self._ranked(mine, other)
            if clause and rank in ("none", "alike") and row != cell.row and self._weight(other) > weight:
                rank = "other" if self._whole(row, other) > self._whole(cell.row, mine) else rank
            if rank == "none" or row == cell.row:
                continue
            value = self._value(row, cell.column)
            if value in stated:
                spoken = spoken or (mine < other and self._weight(other) > weight + _MORE)
            elif value != own and (figures(value) or (value and not figures(own))):
                if rank == "other":
                    return "other"
                alike.append(row)
        if not mine or not alike:
            return "own" if mine and not (spoken and cell.numeric and cell.row not in self.table.totals) else "none"
        return self._of_alike(cell, alike, words)

    def _ranked(self, mine: frozenset[str], other: frozenset[str]) -> Fit:
        """Whether another row that is named by ``other`` is named better than one named by ``mine``, alike, or not."""
        if other == mine:
            return "alike"
        if mine < other or (mine and mine <= (titled := self.table.titled) and titled.isdisjoint(other)):
            return "other"
        better = not other < mine and self._weight(other - mine) > _TIMES * self._weight(mine - other) + _MORE
        return "other" if better else "none"

    def _of_alike(self, cell: Cell, alike: Sequence[int], words: frozenset[str]) -> Fit:
        """Whether a cell's row is the one meant of those of which the same words are said.

        Of a group its total is; else the one of whose label, or of whose texts, more is said whole.
        """
        if cell.numeric and len(alike) > _MOST_ALIKE:
            return "alike"
        if cell.numeric and cell.row in self.table.totals and self.table.totals.isdisjoint(alike):
            return "own"
        share, whole = self._share(cell.row, words), self._all_whole(cell.row, words, cell.column)
        rivals = self.table.totals.intersection(alike) if cell.numeric and cell.row not in self.table.totals else ()
        if any([self._share(row, words) >= share for row in rivals]):
            return "other"
        for row in alike:
            if self._share(row, words) > share or whole < self._all_whole(row, words, cell.column):
                return "other"
        return "own" if share == 1.0 and all([self._share(row, words) < 1.0 for row in alike]) else "alike"

    def _all_whole(self, row: int, words: frozenset[str], column: int) -> frozenset[frozenset[str]]:
        """The texts of a row beside a column that words say all of, those without letters apart."""
        texts = self._read(row).texts
        return frozenset([one.said for one in texts if one.said <= words and one.column != column and one.letters])

    def of_another_name(self, cell: Cell, names: frozenset[str], words: frozenset[str]) -> bool:
        """Whether the ``names`` of a clause are of other rows alone, and its ``words`` say no cell of the row whole."""
        names &= self._known
        named = self.rows_named(names, cell.column) if names else {}
        if not named or cell.row in named or self._whole(cell.row, self._named(cell.row, words, cell.column)):
            return False
        own = self._value(cell.row, cell.column)
        return any((value := self._value(row, cell.column)) and value != own for row in named)

    def by_numbers_alone(self, cell: Cell, words: frozenset[str], names: frozenset[str]) -> bool:
        """Whether only numbers of a sentence name a row, while its ``names`` are of other rows."""
        mine = self._named(cell.row, words, cell.column)
        if any(word[0].isalpha() for word in mine):
            return False
        own = self._value(cell.row, cell.column)
        named = self.rows_named(names, cell.column)
        return any((value := self._value(row, cell.column)) and value != own for row in named)

    def named_well(self, cell: Cell, words: frozenset[str]) -> float:
        """How much words say of a cell's row: more for rare ones."""
        return self._weight(self._named(cell.row, words, cell.column))

    def _share(self, row: int, words: frozenset[str]) -> float:
        """How much of a row's label is said: "East" says all of "East", and half of "North East"."""
        label = self._read(row).label
        return len(label & words) / len(label) if label else 0.0

    def is_said_whole(self, cell: Cell, words: frozenset[str]) -> bool:
        """Whether words say all of a text that a figure is a part of, and that no other row has: "12 Mill Lane"."""
        said = [word for word in tokens(cell.text.lower()) if word[0].isalpha()] if not cell.numeric else []
        if len(said) < 2 or not words.issuperset(said):
            return False
        rows = [set(self.rows_with(one)) for one in said]
        return rows[0].intersection(*rows) == {cell.row}

    def _whole(self, row: int, words: frozenset[str]) -> float:
        """How much the best of those texts of a row says that words say all of; 0 where they say none whole.

        Where no space parts words, a text stands in longer ones, and tells nothing.
        """
        weights = [self._weight(one.said) for one in self._read(row).texts if one.parted and one.said <= words]
        return max(weights, default=0.0)

    @kept
    def numbers(self, column: int) -> frozenset[str]:
        """The digits of the numbers of a column."""
        return frozenset(figures(one.text) for one in self.table.column(column) if one.numeric)

    @kept_last
    def _weight(self, words: frozenset[str]) -> float:
        """How much words say: one that a single row has counts 1, one of ten rows a tenth."""
        return fsum([1.0 / len(rows) for word in words if (rows := self.rows_with(word))])

    def column_fits(
        self, cell: Cell, words: frozenset[str], stated: frozenset[str], among: frozenset[int] | None = None
    ) -> Fit:
        """The same for heads of a row's columns of numbers (for a year or a day those of such), or those ``among``."""
        words &= self._in_heads
        if not words:
            return "none"
        mine = self.heads[cell.column] & words if cell.column < len(self.heads) else frozenset[str]()
        own = {*stated, figures(cell.text)}
        alike = next((kind.match for kind in (YEAR_LIKE, _DAY) if kind.match(cell.text)), None)
        others = [
            said
            for one in self.table.rows[cell.row]
            if one.column != cell.column and (among is None or one.column in among)
            if one.column < len(self.heads) and (said := self.heads[one.column] & words)
            if (alike(one.text) if alike is not None else one.numeric) and figures(one.text) not in own
        ]
        dated = not any(word[0].isalpha() or is_year(word) for word in mine)  # a day tells less than a year
        if any(mine < other or (mine and dated and any(map(is_year, other))) for other in others):
            return "other"
        return "none" if not mine else "alike" if mine in others else "own"

    @kept
    def _value(self, row: int, column: int) -> str:
        """What stands in a cell; "" where there is nothing."""
        cells = self.table.rows[row]
        return value_of(cells[column].text) if column < len(cells) else ""
