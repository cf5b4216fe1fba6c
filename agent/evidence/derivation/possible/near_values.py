"""The values that stand beside what a line of an answer says: in the observed sentence, in the row, in the column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from agent.evidence.derivation.groups.said_once import SaidOnce
from agent.evidence.derivation.steps.aggregates import tables_named
from agent.evidence.derivation.steps.arithmetic_steps import Operand
from agent.evidence.derivation.steps.known_values import Known, Traced, operand_at
from agent.evidence.kept import kept
from agent.evidence.lookup.context import line_bounds
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Source, Spotted, places
from agent.evidence.tables.cell_words import LONG_WORD, beginnings
from agent.evidence.tables.digits import is_year
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell
from agent.evidence.verdicts import QUESTION
from agent.text.quantities.claim_words import STOP
from agent.text.regex import regex

MOST_BESIDE = 12  # numbers of one observed sentence, cells of a row, columns
NEAREST = 3
_MOST_SAID = 8  # values of a line
_FEW_ROWS = 4
MOST_ROWS = 60  # of a table whose columns are added up
_LONG_LINE = 240
_BEHIND = 30  # characters behind a word in which its number stands
_MOST_TABLES = 3
_WHOLE = regex(r"\bn ?= ?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)")  # in a head
Row: TypeAlias = tuple[int, Subjects, Sequence[Cell]]  # number of the text, table, cells


@dataclass(frozen=True)
class NearValues:
    """Of one answer; ``traced`` are its figures that were found, with their places."""

    once: SaidOnce
    traced: tuple[Traced, ...]

    @cached_property
    def standings(self) -> Standings:
        return self.once.standings

    def line(self, start: int) -> tuple[int, int]:
        """The line around a figure, of a long one its sentence."""
        left, right = line_bounds(self.standings.answer.text, start, start)
        if right - left > _LONG_LINE:
            return self.standings.answer.sentence(start)
        return left, right

    @kept
    def stated(self, left: int, right: int, start: int) -> Sequence[Known]:
        """The figures between two places of the answer that were found, the nearest first; no years."""
        near = [one for one in self.traced if left <= one.start < right and one.start != start]
        near = sorted(near, key=lambda one: abs(one.start - start))[:_MOST_SAID]
        known = map(self.once.value, near)
        return [one for one in known if not one.operand.dated]

    @kept
    def numbers(self, number: int, position: int) -> Sequence[Known]:
        """The numbers of the observed sentence around a place, the nearest first; none where cells hold one each."""
        source = self.source(number)
        at = source.page.cell_at(position)
        if at is not None and at[1].numeric:
            return ()
        left, right = source.page.sentence(position)
        near = sorted(self.numbers_in(number, left, right), key=lambda one: abs(one.operand.spot[1] - position))
        return near[:MOST_BESIDE]

    @kept
    def numbers_in(self, number: int, left: int, right: int) -> list[Known]:
        """The numbers between two places of a text, also those that are written in several parts; no years."""
        source, found, end = self.source(number), list[Known](), left
        for token in source.page.numbers_between(left, right):
            if token.start < end:
                continue
            span = source.page.spans.get(token.start)
            end = span.end if span is not None else token.end
            spot = (number, token.start, end)
            one = operand_at(source, number, token.start, end) if span is None else Operand(span.value, span.unit, spot)
            if not (one.dated or (span is None and is_year(source.text[token.start : end]))):
                found.append(Known(one))
        return found

    def named_values(self, left: int, right: int, start: int) -> Sequence[Known]:
        """The numbers right behind the words of the line, where prose says these."""
        found: dict[tuple[int, int], Known] = {}
        words = self._words(left, right, start)
        for number, source in enumerate(self.standings.sources.texts):
            for word in words if source.origin == "seen" else ():
                for one in self._behind(number, word):
                    found.setdefault((number, one.operand.spot[1]), one)
            if len(found) >= _MOST_SAID:
                break
        return [*found.values()][:_MOST_SAID]

    @kept
    def _behind(self, number: int, word: str) -> Sequence[Known]:
        """The numbers right behind a word where it first stands in prose."""
        found: list[Known] = []
        page = self.source(number).page
        for position in places(page.lower, word, 2):
            at = page.cell_at(position)
            if at is not None and len([cell for cell in at[0].table.rows[at[1].row] if cell.numeric]) > 1:
                continue
            end = position + len(word)
            found += self.numbers_in(number, end, min(end + _BEHIND, page.sentence(position)[1]))[:1]
        return found

    @kept
    def _words(self, left: int, right: int, start: int) -> Sequence[str]:
        """The words of a line, those nearest before the figure first."""
        words = [(match.start(), match[0]) for match in LONG_WORD.finditer(self.standings.answer.lower, left, right)]
        words.sort(key=lambda one: (abs(one[0] - start), one[0]))
        return [*dict.fromkeys(part for _, word in words if word not in STOP for part in beginnings(word))]

    def rows(self, left: int, right: int, start: int, stated: Sequence[Known]) -> list[Row]:
        """The rows of tables that the ``stated`` values of a line stand in, and those that it names."""
        found = [*self._own_rows(stated), *self._named_rows(left, right, start)]
        every = {(number, cells[0].start): (number, subjects, cells) for number, subjects, cells in found}
        return [*every.values()][:_FEW_ROWS]

    def _own_rows(self, stated: Sequence[Known]) -> Iterator[Row]:
        """The rows of tables that values stand in."""
        for number, position, end in (one.operand.spot for one in stated):
            at = self.source(number).page.cell_at(position) if end > position else None
            if at is not None and at[1].numeric:
                yield number, at[0], at[0].table.rows[at[1].row]

    @kept
    def _named_rows(self, left: int, right: int, start: int) -> Sequence[Row]:
        """The rows of tables whose label the line says, the nearest first; else those that the words around name."""
        lower, found = self.standings.answer.lower, list[tuple[int, Row]]()
        for first, label, row in self._labelled(left, right):
            at = lower.rfind(label, left, max(left, start))
            away = start - (at if at >= 0 else first)
            found.append((away if away > 0 else 100 - away, row))
        if found:
            return [row for _, row in sorted(found, key=lambda one: one[0])]
        words = self.standings.words(start, start)
        named = tables_named(self.standings.sources, words.around)[:1]
        return [(number, one, one.table.rows[row]) for number, one, rows in named for row in rows]

    @kept
    def _labelled(self, left: int, right: int) -> Sequence[tuple[int, str, Row]]:
        """Where the words of labels first stand in a line, with these and their rows."""
        line = self.standings.answer.lower[left:right]
        return [
            (left + line.find(label), label, (number, subjects, subjects.table.rows[row]))
            for number, subjects in self.tables
            for row, label in self.once.names(subjects)
            if label in line
        ]

    @cached_property
    def tables(self) -> list[tuple[int, Subjects]]:
        """The first tables of all texts."""
        texts = enumerate(self.standings.sources.texts)
        return [(number, one) for number, source in texts for one in source.tables][:_MOST_TABLES]

    def values(self, row: Row) -> dict[int, Known]:
        """The numbers of a row by their column."""
        number, subjects, cells = row
        numeric = [cell for cell in cells if cell.numeric][:MOST_BESIDE]
        return {cell.column: self.once.cell(number, subjects, cell) for cell in numeric}

    def value_at(self, number: int, subjects: Subjects, row: int, column: int) -> Known | None:
        """The number of a cell; ``None`` where it holds none."""
        return self.once.value_at(number, subjects, row, column)

    @kept
    def totals(self, number: int, subjects: Subjects) -> list[Known]:
        """What each column of numbers comes to."""
        columns = subjects.table.numeric_columns[:MOST_BESIDE]
        return [one for column in columns if (one := self.total(number, subjects, column)) is not None]

    @kept
    def total(self, number: int, subjects: Subjects, column: int) -> Known | None:
        """What a column comes to, or is of as its head says: "Placebo (n = 211)"; ``None`` of a long one."""
        table = subjects.table
        if len(table.rows) > MOST_ROWS:
            return None
        cells = [cell for cell in table.column(column) if cell.numeric and cell.row in table.parts]
        if len(cells) < 2 or column in table.year_columns:
            return None
        values = [self.once.cell(number, subjects, cell) for cell in cells]
        spot: Spotted = (number, cells[0].start, cells[-1].end)
        if (said := _WHOLE.search(table.column_heads[column])) is not None:
            return replace(values[0], operand=Operand(Fraction(said[1].replace(",", "")), None, spot))
        whole = sum(Fraction(one.operand.value) for one in values)
        return replace(values[0], operand=Operand(whole, values[0].operand.unit, spot))

    @cached_property
    def asked(self) -> list[Known]:
        """The numbers of the question."""
        found: list[Known] = []
        for number, source in enumerate(self.standings.sources.texts):
            if source.call_id == QUESTION and not source.step:
                tokens = source.page.numbers_between(0, len(source.text))[:NEAREST]
                found += [Known(operand_at(source, number, token.start, token.end)) for token in tokens]
        return [one for one in found if not one.operand.dated]

    def source(self, number: int) -> Source:
        return self.standings.sources.texts[number]
