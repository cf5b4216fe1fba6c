"""A figure that stands nowhere, worked out from what its own sentence or its own row and column hold.

It goes from the claim outward: a formula before the figure, then the figures of its sentence, then the cells of the
rows and columns that the sentence names, then what stands before it. Each is a handful of values, so a result that
fits is meant and not chance. The order of years, or of "from … to …", says which value a change starts from.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, islice
from typing import TypeAlias

from agent.evidence.derivation.groups.own_tables import OwnTables
from agent.evidence.derivation.groups.said_once import SaidOnce
from agent.evidence.derivation.spans.due_terms import sums_of_terms
from agent.evidence.derivation.spans.meant_pairs import are_meant
from agent.evidence.derivation.spans.meant_years import in_its_year
from agent.evidence.derivation.spans.row_years import yearly_rate
from agent.evidence.derivation.spans.told_years import Statements
from agent.evidence.derivation.steps.aggregates import Body, Groups, Totals, of_some_row, tables_named
from agent.evidence.derivation.steps.arithmetic_steps import Result
from agent.evidence.derivation.steps.averages import unchanged
from agent.evidence.derivation.steps.chance import UNSURE, Chance, surest
from agent.evidence.derivation.steps.figure_claims import FigureClaim, is_change
from agent.evidence.derivation.steps.hints import Question
from agent.evidence.derivation.steps.known_ratios import pairs_of_ratio
from agent.evidence.derivation.steps.known_values import (
    Known,
    Traced,
    is_in_unit,
    of_one_kind,
    operand_at,
)
from agent.evidence.derivation.steps.pools import ADDED, FEW_NUMBERS, Pool, short_pools
from agent.evidence.derivation.steps.wholes import may_be_of_all, parts_of_wholes, says_share
from agent.evidence.derivation.worked.formulas import formula_before, is_of_all_said
from agent.evidence.derivation.worked.prose import Prose
from agent.evidence.derivation.worked.report_pools import pools_of_report
from agent.evidence.derivation.worked.restated import Restated
from agent.evidence.derivation.worked.selections import picked
from agent.evidence.derivation.worked.series import changes_of_parts, sums_of_series, totals_of_columns
from agent.evidence.derivation.worked.tables_at_hand import TablesAtHand
from agent.evidence.kept import kept
from agent.evidence.lookup.clauses import Words
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Finding, Sources
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.meant_columns import columns_named
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell
from agent.evidence.tables.year_columns import grown_cells
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_FAR = 1_500  # characters before a sentence whose figures it may work with
_MOST_OPERANDS = 14  # of a sentence, or of what stands before it
_MOST_CELLS = 24
_MOST_COLUMNS = 6
_MOST_COUNTED = 60
_FACTOR = regex(r"[×*·]\s?$|[0-9]\s?x\s?$")
_PLAIN = {"product": 1, "ratio": 1, "percent": 100}  # a step with it says nothing new

_Stated: TypeAlias = Sequence[Known]
_Findings: TypeAlias = Iterator[Finding | None]
_Named: TypeAlias = Sequence[tuple[int, Subjects, list[int]]]  # tables, each with the rows that are meant


@dataclass(frozen=True)
class Workings:
    """Works out the figures of one answer; ``traced`` are its figures that were found, with their places.

    ``nearby``: only what a figure's own sentence says is worked with.
    """

    once: SaidOnce
    traced: tuple[Traced, ...]
    nearby: bool = False

    @cached_property
    def standings(self) -> Standings:
        return self.once.standings

    @cached_property
    def sources(self) -> Sources:
        return self.standings.sources

    def derive(self, figure: Figure, start: int, end: int, stands: bool = False) -> Finding | None:
        """``worked_out`` with its steps; ``differs`` where a sum that is written out, or a change, comes to another.

        Of a figure that ``stands`` somewhere, only what its own sentence says is worked with.
        """
        left, right = self.standings.answer.sentence(start)
        first, last = max(left, start - 300), min(right, end + 200)
        said = self.standings.answer.lower[first:last]
        if not figure.value:
            return unchanged(self.sources, self.standings.words(start, end), said)
        kinds = self.once.kinds_between(first, last) | self._question.kinds(
            lambda: self.standings.words(start, end).around
        )
        asked = self._question.line(lambda: self.standings.words(start, end).around)
        if _FACTOR.search(self.standings.answer.lower, left, start) is not None:
            kinds -= {"product"}  # "4 × 100 m" says a factor
        own = self._own_tables.cell(start)
        if own is not None:
            figure, kinds = own.read(figure), kinds | own.kinds
        head = own.head if own is not None else ""
        claim = FigureClaim(figure, self.standings.answer.text, kinds, said, start - first, head, asked)
        if (formula := formula_before(self.standings.whole, start)) is not None:
            return claim.by_formula(*formula)
        stated = self._stated(left, right, start, end)[-_MOST_OPERANDS:]
        pools = own.pools(claim, stated) if own is not None else (Pool(stated),)
        found = surest(self._of_values(claim, pool, stands=stands) for pool in pools)
        if found is None:
            found = self._restated.finding(claim, stands or self.nearby)
        if stands or self.nearby or (found is not None and found.verdict not in UNSURE):
            return found
        if is_of_all_said(self.standings.answer, left, start, len(stated)):
            return found
        if claim.is_share and {known.place for known in stated} >= {0.0, 1.0}:
            # Both ends of the change are said, and it is another one.
            return yearly_rate(claim, stated, self.standings.words(start, end).around) or found
        rows = own.start if own is not None else left  # what stands above a cell is tried by column
        found = surest(chain((found,), self._beyond(claim, stated, rows, end)))
        short = own is not None and (own.head or (own.kinds and not claim.is_share)) and figure.digits < 3
        if found is not None and short and found.verdict == "worked_out":
            return replace(found, verdict="elsewhere")
        return found

    @cached_property
    def _own_tables(self) -> OwnTables:
        return OwnTables(
            self.standings.whole, lambda left, right: self._stated(left, right, right, right), self.once.kinds
        )

    def _beyond(self, claim: FigureClaim, stated: _Stated, left: int, end: int) -> _Findings:
        """What follows from other values than those ``stated`` in the figure's sentence, and those before ``left``."""
        start = claim.figure.start
        yield from self._of_tables(claim, self.standings.words(start, end), stated)
        yield from (self._of_values(claim, pool, stated) for pool in self._short)
        yield self._of_prose(claim, start, end)
        yield from map(partial(self._of_values, claim), self._statements.pools(self.standings.words(start, end)))
        before = [*self._stated(max(0, left - _FAR), left, start, end), *stated][-_MOST_OPERANDS:]
        by_source: dict[int, list[Known]] = {}
        for known in before if len(before) > len(stated) else ():
            by_source.setdefault(known.operand.spot[0], []).append(known)
        yield from (self._of_values(claim, Pool(one, unsure=ADDED)) for one in by_source.values() if len(one) > 1)
        yield of_some_row(self.sources, claim)

    @cached_property
    def _question(self) -> Question:
        return Question(self.standings.question)

    def _of_tables(self, claim: FigureClaim, words: Words, stated: _Stated) -> _Findings:
        """What follows from the rows that the sentence, or what stands before it, names, or from the table at hand."""
        own = tables_named(self.sources, words.around)
        named = own or tables_named(self.sources, words.around | words.wide)  # "It gained 12 %."
        yield from self._of_named(claim, words, stated, named, not own)
        near = self._at_hand.of(claim.figure.start)
        if near is not None and not any(number == near[0] and subjects is near[1] for number, subjects, _ in named):
            yield from self._of_named(claim, words, stated, [(*near, near[1].table.last_totals)], False)

    def _of_named(self, claim: FigureClaim, words: Words, stated: _Stated, named: _Named, alike: bool) -> _Findings:
        """What follows from tables, each with the rows that are meant; ``alike``: only like columns are added up."""
        yield from (self._of_values(claim, pool, stated, alike) for pool in self._pools(words, named))
        for number, subjects, rows in named[:1] if claim.is_share else ():
            for cells in grown_cells(subjects, rows, words.years):
                yield self._of_values(claim, self._cells(number, subjects, cells))
        said = replace(claim, tried=[])  # words say which values these are of, and no others are tried
        yield from (self._of_values(said, pool) for pool in self._ratios(claim, words, named))
        for number, subjects, rows in named[:1] or [(*one, list[int]()) for one in self._at_hand.single]:
            body, known = self._body(number, subjects), partial(self.once.cell, number, subjects)
            yield from self._of_series(claim, words, body, rows)
            yield from (self._of_values(*one) for one in pools_of_report(said, words, body, rows, known))
        yield from self._of_groups(claim, words, tuple((number, subjects) for number, subjects, _ in named))

    def _of_series(self, claim: FigureClaim, words: Words, body: Body, rows: Sequence[int]) -> _Findings:
        """What the parts of one time, what falls due until one, and whole columns come to."""
        subjects, of_all = body.subjects, may_be_of_all(body.subjects, words, claim)
        named = subjects.rows_named(words.near, -2) or subjects.rows_named(words.around, -2)
        if claim.figure.digits > 2:
            due = sums_of_terms(body, rows, claim.about, words.around)
            steps = chain(sums_of_series(body, named, claim, of_all), due)
            found = (claim.fits(*step) for step in steps if is_in_unit(self.sources, claim.figure, step[0]))
            yield from (in_its_year(self.sources, claim, one, words) for one in found if one is not None)
        yield from (self._of_values(claim, Pool(one)) for one in changes_of_parts(body, claim.said))
        if of_all and claim.figure.digits > 1 and not subjects.table.last_totals:
            for totals in totals_of_columns(body, words.around, claim.is_share):
                yield self._of_values(claim, Pool(totals, unsure=ADDED))

    @cached_property
    def _restated(self) -> Restated:
        return Restated(self.sources, self.standings.answer, self.traced, self._said, self._body, self._of_values)

    def _of_prose(self, claim: FigureClaim, start: int, end: int) -> Finding | None:
        """What follows from the numbers of the observed sentence that says most of what the figure's own says."""
        if not claim.of_several:
            return None
        number, values = self._prose.values(self.standings.answer, start, end)
        known = [Known(operand_at(self.sources.texts[number], number, *place)) for place in values]
        known = [one for one in known if not one.operand.dated]
        return self._of_values(claim, Pool(known)) if len(known) <= FEW_NUMBERS else None

    @cached_property
    def _statements(self) -> Statements:
        return Statements(self.sources)

    @cached_property
    def _prose(self) -> Prose:
        return Prose(self.sources)

    def _said(self, index: int) -> Known:
        return self.once.value(self.traced[index])

    def _stated(self, left: int, right: int, start: int, end: int) -> list[Known]:
        """The traced figures between two places of the answer, without the claim itself."""
        first, last = (bisect_left(self.traced, (place,)) for place in (left, right))
        traced = (one for one in self.traced[first:last] if one.start >= end or start >= one.end)
        known = map(self.once.value, traced)
        return [one for one in known if not one.operand.dated]

    @cached_property
    def _at_hand(self) -> TablesAtHand:
        return TablesAtHand(self.standings.answer.text, self.sources, self.traced)

    @cached_property
    def chance(self) -> Chance:
        """What figures of the answer may come to by chance."""
        return Chance(self.standings, self.traced)

    @cached_property
    def _totals(self) -> Totals:
        return Totals(self.sources)

    def _of_groups(self, claim: FigureClaim, words: Words, named: tuple[tuple[int, Subjects], ...]) -> _Findings:
        """What columns and lists come to, and counts of rows."""
        every = self._totals.of(named)
        near = [each for each in every if any(map(claim.comes_near, each.sizes))]
        steps = ((each, claim.of_column(each), result) for each in near for result in each.results)
        for one, meant, result in steps:
            found = meant.fits(result, ()) if is_in_unit(self.sources, claim.figure, result) else None
            if found is not None and claim.counts(result, self.sources):
                if one.name and tokens(one.name.replace("_", " ")).isdisjoint(words.around):
                    tried = ((other.spots[0], size) for other in every for size in other.sizes_of(meant.kinds))
                    if self.chance.explains_one(claim.figure, one.spots[0], tried):
                        found = replace(found, verdict="possible")
                yield in_its_year(self.sources, claim, found, words, self._totals.like(result, named))
        yield self._of_rows(claim, words, named)

    def _of_rows(self, claim: FigureClaim, words: Words, named: tuple[tuple[int, Subjects], ...]) -> Finding | None:
        """A count or a sum of the rows that the sentence names, a count of rows of years for a span of years."""
        figure = claim.figure
        small = figure.step == 1 and 2 <= figure.value <= _MOST_COUNTED
        results: list[Iterator[Result]] = []
        for number, subjects in named[:1] or self._at_hand.single:
            groups = Groups(self._body(number, subjects), words.around, claim.said)
            unit = figure.unit.name if figure.unit is not None else ""
            if small and unit in ("", "times"):
                results.append(one._replace(unit=figure.unit) for one in groups.counted(figure.noun))
            if small and figure.unit is not None and unit == "years":
                results.append(groups.years(figure.unit))
            if claim.is_share:
                results.append(groups.shares(words.near, claim.said[claim.at + figure.end - figure.start :]))
            results.append(picked(groups.body, claim, words.around, self.standings.whole))
            if figure.digits > 1:
                results.append(groups.sums(claim.comes_near, may_be_of_all(subjects, words, claim)))
        fitting = ((result, claim.fits(result, ())) for one in results for result in one)
        return surest(
            in_its_year(self.sources, claim, found, words, self._totals.like(result, named))
            for result, found in fitting
            if found is not None and is_in_unit(self.sources, figure, result)
        )

    @kept
    def _body(self, number: int, subjects: Subjects) -> Body:
        return Body(number, self.sources.texts[number], subjects)

    @cached_property
    def _short(self) -> list[Pool]:
        return short_pools(self.sources)

    def _pools(self, words: Words, named: _Named) -> Iterator[Pool]:
        """Values of the tables that the sentence names rows of, the best named ones first."""
        for number, subjects, rows in named:
            body = subjects.table.rows
            columns = columns_named(subjects, words.around)[:_MOST_COLUMNS]
            totals = subjects.table.last_totals
            for row in dict.fromkeys((*rows, *totals)) if "total" in words.around else rows:
                cells = [cell for cell in body[row] if cell.numeric]
                yield self._cells(number, subjects, [cell for cell in cells if cell.column in columns])
            compared = list(dict.fromkeys((*rows, *totals)))
            for column in columns[:_MOST_COLUMNS]:
                cells = [body[row][column] for row in compared if column < len(body[row])]
                yield self._cells(number, subjects, [cell for cell in cells if cell.numeric])

    def _ratios(self, claim: FigureClaim, words: Words, named: _Named) -> Iterator[Pool]:
        """The cells of the rows named best, each with the one that a ratio of that name is of: "margin" of sales."""
        texts = enumerate(self.sources.texts)
        every = ((number, one, list[int]()) for number, source in texts for one in source.tables)
        about = claim.said if says_share(claim.said) else claim.about
        for number, subjects, rows in named if claim.of_quotient else ():
            body, known = self._body(number, subjects), partial(self.once.cell, number, subjects)
            yield from map(Pool, parts_of_wholes(about, body, rows, columns_named(subjects, words.around), known))
        for number, subjects, rows in islice(named or every, 1) if claim.is_share else ():
            for pairs in pairs_of_ratio(subjects, rows, claim.named, words.around, every=False):
                yield from (self._cells(number, subjects, pair) for pair in pairs)

    @cached_property
    def _of_cells(self) -> dict[tuple[int, ...], Pool]:
        return {}

    def _cells(self, number: int, subjects: Subjects, cells: Sequence[Cell]) -> Pool:
        cells = cells[:_MOST_CELLS]
        key = (number, *(cell.start for cell in cells))
        if key not in self._of_cells:
            self._of_cells[key] = Pool([self.once.cell(number, subjects, cell) for cell in cells], unsure=ADDED)
        return self._of_cells[key]

    def _of_values(self, claim: FigureClaim, pool: Pool, stated: _Stated = (), stands: bool = False) -> Finding | None:
        second: Finding | None = None
        start = claim.figure.start
        claim.tried.append([*pool.values, *stated])
        for result, known in pool.steps(claim, stated):
            strangers = self.standings.answer.strangers(start, self.sources)
            if any([spot[0] in strangers for spot in result.spots]):
                continue
            if not of_one_kind(self.sources, result, known, stands):
                continue
            if any(one.operand.value == _PLAIN.get(result.kind) for one in known) and not is_change(result):
                continue
            found = claim.fits(result, known, len(pool.values))
            if found is not None and is_in_unit(self.sources, claim.figure, result):
                unsure = result.kind in pool.unsure and len(known) == 2 and not is_change(result)
                if found.verdict == "worked_out" and unsure:
                    meant = are_meant(self.sources, known, pool.values, self.standings.words(start, claim.figure.end))
                    found = found if meant else replace(found, verdict="elsewhere")
                if found.verdict == "worked_out" and self.chance.explains(claim, known):
                    found = replace(found, verdict="possible")
                if not all(one.operand.stated for one in known):
                    found = in_its_year(self.sources, claim, found, self.standings.words(start, claim.figure.end))
                if found.verdict == "worked_out":
                    return found
                second = found if second is None or second.verdict == "elsewhere" else second
        return second
