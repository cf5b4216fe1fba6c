"""What groups of a table's rows come to, each of one value that a line says: "Manila", "in March", "Tech in Manila"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations

from agent.evidence.derivation.arithmetic_steps import Operand
from agent.evidence.derivation.known_values import Known
from agent.evidence.kept import kept
from agent.evidence.sources import places
from agent.evidence.tables.subjects import Subjects
from agent.interface_text import Text, keyed
from agent.text.regex import regex

_MOST_GROUPS = 4
_MOST_VALUES = 40  # of a column that has groups
_MOST_COLUMNS = 8
_ASCII_WORD = regex(r"[a-z0-9]")
_SUM = keyed("{column} of the {n} rows with {values} together")
_MEAN = keyed("mean {column} of the {n} rows with {values}")
_WEIGHTED = keyed("mean {column} of the {n} rows with {values}, weighted by {weight}")
_OF_ALL = keyed("mean {column}, weighted by {weight}")


@dataclass(frozen=True)
class Grouped(Known):
    """What some rows come to in a column: their "sum" or "mean"; ``said`` tells it."""

    said: str = ""
    kind: str = "sum"
    column: int = 0


@dataclass(frozen=True)
class Groups:
    """Of the table ``subjects`` in the text of that number; ``value`` reads a cell by its row and column."""

    number: int
    subjects: Subjects
    value: Callable[[int, int], Known | None]

    def named(self, line: str, at: int) -> list[tuple[str, tuple[int, ...]]]:
        """The groups that a line names, the one nearest to the place ``at`` first, and where two of them meet."""
        found: list[tuple[int, int, str, frozenset[int]]] = []
        for column, values in self._values.items():
            for text, rows in values.items():
                for place in _said(text, line):
                    away = at - place if place < at else 100 + place - at
                    found.append((away, column, text, rows))
        found.sort(key=lambda one: one[0])
        single = list(dict.fromkeys((text, rows) for _, _, text, rows in found))[:_MOST_GROUPS]
        met = [
            (f"{one[2]}, {other[2]}", one[3] & other[3])
            for one, other in combinations(found[:_MOST_GROUPS], 2)
            if one[1] != other[1]
        ]
        return [(text, tuple(sorted(rows))) for text, rows in dict.fromkeys((*met, *single)) if len(rows) > 1]

    @cached_property
    def _values(self) -> dict[int, dict[str, frozenset[int]]]:
        """For each column of texts its values that several rows have."""
        found: dict[int, dict[str, frozenset[int]]] = {}
        table = self.subjects.table
        for column in range(min(table.width, _MOST_COLUMNS)):
            rows: dict[str, set[int]] = {}
            for cell in table.column(column) if column not in table.numeric_columns else ():
                if cell.row in table.parts and len(cell.text) > 1:
                    rows.setdefault(cell.text.lower(), set()).add(cell.row)
            if 1 < len(rows) <= _MOST_VALUES:
                found[column] = {text: frozenset(several) for text, several in rows.items() if len(several) > 1}
        return found

    @kept
    def sums(self, values: str, rows: tuple[int, ...]) -> list[Grouped]:
        """What the rows come to in each column of numbers."""
        made = (self._of(column, rows, None) for column in self._columns)
        told = ((one, Text(*_SUM, column=self._name(one.column), n=len(rows), values=values)) for one in made if one)
        return [replace(one, said=text) for one, text in told]

    @kept
    def means(self, values: str, rows: tuple[int, ...]) -> list[Grouped]:
        """The mean of each column of numbers, and weighted by each other one; without ``rows`` of all rows."""
        every = rows or tuple(sorted(self.subjects.table.parts))
        found: list[Grouped] = []
        for column, weight in permutations(self._columns, 2):
            one = self._of(column, every, weight)
            if one is not None:
                names = {"column": self._name(column), "weight": self._name(weight)}
                said = Text(*_WEIGHTED, **names, n=len(rows), values=values) if rows else Text(*_OF_ALL, **names)
                found.append(replace(one, said=said, kind="mean"))
        for column in self._columns if rows else ():
            if (one := self._of(column, rows, None)) is not None:
                mean = replace(one.operand, value=Fraction(one.operand.value) / len(rows))
                said = Text(*_MEAN, column=self._name(column), n=len(rows), values=values)
                found.append(replace(one, operand=mean, said=said, kind="mean"))
        return found

    def _of(self, column: int, rows: Sequence[int], weight: int | None) -> Grouped | None:
        """The sum of a column, or its mean weighted by another."""
        values = [self.value(row, column) for row in rows]
        weights = [self.value(row, weight) for row in rows] if weight is not None else []
        known = [one for one in values if one is not None]
        if len(known) < len(rows) or None in weights:
            return None
        if weight is None:
            whole = sum((Fraction(one.operand.value) for one in known), Fraction())
        else:
            heavy = [Fraction(one.operand.value) for one in weights if one is not None]
            if (all_of := sum(heavy)) <= 0 or min(heavy) < 0:
                return None
            whole = sum(Fraction(one.operand.value) * size for one, size in zip(known, heavy, strict=True)) / all_of
        first, last = known[0].operand, known[-1].operand
        spot = (self.number, first.spot[1], last.spot[2])
        return Grouped(Operand(whole, first.unit, spot), None, None, known[0].power, column=column)

    @cached_property
    def _columns(self) -> tuple[int, ...]:
        table = self.subjects.table
        return tuple(one for one in table.numeric_columns if one not in table.year_columns)[:_MOST_COLUMNS]

    def _name(self, column: int) -> str:
        heads = self.subjects.table.column_heads
        return heads[column] if column < len(heads) and heads[column].strip() else str(column + 1)


def _said(text: str, line: str) -> Iterator[int]:
    """Where a line says a value as words of their own."""
    for place in places(line, text, len(line)):
        ends = line[max(0, place - 1) : place], line[place + len(text) : place + len(text) + 1]
        if not any(_ASCII_WORD.match(one) for one in ends):
            yield place
