"""What whole columns, lists and groups of rows come to: sums, means, extremes, counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from agent.evidence.derivation.steps.arithmetic_steps import Result, Several, of_two
from agent.evidence.derivation.steps.figure_claims import FigureClaim
from agent.evidence.derivation.steps.known_values import Known, operand_in
from agent.evidence.derivation.steps.lists import Column, columns_of, lists_of
from agent.evidence.kept import kept
from agent.evidence.sources import Finding, Source, Sources
from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.digits import is_year
from agent.evidence.tables.periods import in_period
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import YEAR_LIKE, Cell
from agent.interface_text import keyed
from agent.text.quantities.number_words import as_float
from agent.text.quantities.units import PERCENT, Unit, named_in
from agent.text.regex import regex

_FEW_TABLES = 3
_MOST_WORDS = 12
_COUNT = keyed("count of the {n} rows that name {words}")
_COLUMNS = keyed("count of the {n} columns {words}")
_LISTED = keyed("count of the {n} rows named here")
_REST = {"subtotal": keyed("sum of the {n} other rows"), "mean": keyed("mean of the {n} other rows")}
_WHOLE = regex(r" of ([^.,;:\n]*?)(?: (?:are|is|were|was|belong|lie|live|come)s?\b|[.,;:\n]|$)")
_OTHERS = ("",)  # instead of words that name rows
# What leaves out the rows that a sentence names.
_BUT = regex(
    r"\b(?:excluding|except|without|apart from|other than|ohne|außer|sans|sauf)\b|を除|以外|"
    r"\b(?:other|others|rest|remaining)\b[^.;:,]{0,30}\b(?:together|combined|in total)\b"
)
_SUM = keyed("sum of the {n} rows that name {words}")
_MEAN = keyed("mean of the {n} rows that name {words}")
_MEAN_SAID = regex(r"\b(?:mean|average|avg)\b|平均")  # of a head: a row has its own mean
_YEAR = regex(r"(?:1[5-9]|2[01])[0-9]{2} ?年")  # of a head: its column is not in years
_NUMBERED = regex(r"[0-9]")
_FEW_KINDS = 4
_MOST_NAMED = 5  # rows of a table
_MORE_NAMED = 3  # of one that has both balances and what changes them


@dataclass(frozen=True)
class Totals:
    """What columns and lists come to, worked out once for all figures of an answer."""

    sources: Sources

    @kept
    def of(self, named: tuple[tuple[int, Subjects], ...]) -> list[Several]:
        """The columns of the tables that a sentence names, or of all where there are few, and short lists."""
        seen = [(number, source) for number, source in enumerate(self.sources.texts) if source.origin == "seen"]
        tables = [(number, subjects) for number, source in seen for subjects in source.tables]
        meant = tables if len(tables) <= _FEW_TABLES else named
        found = [column for each in meant for column in self._columns(*each)]
        if len(seen) <= _FEW_TABLES:
            found += [_several(column) for number, source in seen for column in lists_of(source, number)]
        return found

    @kept
    def _columns(self, number: int, subjects: Subjects) -> list[Several]:
        return [_several(column) for column in columns_of(subjects.table, number)]

    def like(self, result: Result, named: tuple[tuple[int, Subjects], ...]) -> Iterator[Result]:
        """What the same step comes to in each column: the sum of all rows beside that of some."""
        kind = "sum" if result.kind == "subtotal" else result.kind
        return (other for one in self.of(named) for other in one.results if other.kind == kind)


def _several(column: Column) -> Several:
    unit = next(iter(named_in(f"{_YEAR.sub(' ', column.name)} {column.sample}".lower())), None)
    return Several(column, unit, ((column.source, column.start, column.end),))


@dataclass(frozen=True)
class Body:
    """The body of a table, read once for all figures that may count its rows or add them up."""

    number: int
    source: Source
    subjects: Subjects

    @property
    def rows(self) -> frozenset[int]:
        """The rows that name no section and are no totals."""
        return self.subjects.table.parts

    @cached_property
    def order(self) -> list[int]:
        return sorted(self.rows)

    @property
    def labels(self) -> dict[int, frozenset[str]]:
        """The rows that are parts of what their column comes to, each with the words of its label."""
        return self.subjects.table.labels

    @kept
    def values(self, column: int) -> dict[int, Fraction]:
        """The numbers of a column by their row, totals apart."""
        rows = self.subjects.table.rows
        cells = [(row, rows[row][column]) for row in self.labels if column < len(rows[row])]
        return {row: Fraction(operand_in(self.source, self.number, cell).value) for row, cell in cells if cell.numeric}

    @cached_property
    def added(self) -> dict[tuple[int, ...], Known | None]:
        """What some cells come to, kept for all figures."""
        return {}

    @cached_property
    def texts(self) -> list[dict[str, Cell]]:
        """For each column its different texts in lower case."""
        found: list[dict[str, Cell]] = []
        for column in range(self.subjects.table.width):
            cells = (cell for cell in self.subjects.table.column(column) if len(cell.text) > 2 and not cell.numeric)
            found.append({text: cell for cell in cells if (text := cell.text.lower().strip('"“”'))})
        return found

    @cached_property
    def kinds(self) -> list[tuple[str, list[int]]]:
        """The rows with the same text in a column that has few different ones: "Won", "Nominated"."""
        found: list[tuple[str, list[int]]] = []
        for column in range(self.subjects.table.width):
            kinds: dict[str, list[int]] = {}
            for cell in self.subjects.table.column(column):
                if cell.row in self.rows and cell.text and not cell.numeric:
                    kinds.setdefault(cell.text, []).append(cell.row)
            if len(kinds) <= _FEW_KINDS and sum(map(len, kinds.values())) > _FEW_KINDS:
                found += kinds.items()
        return found

    @cached_property
    def _sizes(self) -> dict[int, dict[int, float]]:
        """The numbers of each column by their row, as floats."""
        if not self.source.scan.continental:
            return self.subjects.table.sizes
        rows = self.subjects.table.rows
        return {
            column: {row: as_float(operand_in(self.source, self.number, rows[row][column]).value) for row in sizes}
            for column, sizes in self.subjects.table.sizes.items()
        }

    @kept
    def totals(self, rows: frozenset[int]) -> list[tuple[int, int, float]]:
        """For each column of numbers how many of some rows have one, and what those come to as floats."""
        columns = ((column, [known[row] for row in rows if row in known]) for column, known in self._sizes.items())
        return [(column, len(values), sum(values)) for column, values in columns if len(values) > 1]


@dataclass(frozen=True)
class Groups:
    """The rows of one table that a sentence counts or adds up; ``said`` are its words, ``lower`` is its text."""

    body: Body
    said: frozenset[str]
    lower: str

    @cached_property
    def _named(self) -> dict[tuple[str, ...], frozenset[int]]:
        """The rows that share a word of the sentence, or two of them, under those words."""
        said = (word for word in self.said if not word[0].isdigit() or is_year(word))  # no value names rows
        with_word = {word: self.body.rows.intersection(self.body.subjects.rows_with(word)) for word in said}
        shared = sorted(
            (word for word, rows in with_word.items() if len(rows) > 1), key=lambda one: (len(with_word[one]), one)
        )
        shared = shared[:_MOST_WORDS]
        found = {(word,): with_word[word] for word in shared}
        pairs = combinations(sorted(shared), 2)
        return found | {(one, two): rows for one, two in pairs if len(rows := with_word[one] & with_word[two]) > 1}

    def counted(self, noun: str) -> Iterator[Result]:
        """Counts of the rows that are named, that are listed, or that are of one kind, where ``noun`` is their head."""
        for words, rows in self._named.items():
            yield self._count(rows, len(rows), self._said(words))
        for texts in self.body.texts:
            listed = [cell for text, cell in texts.items() if text in self.lower]
            if len(listed) > 1:
                spots = tuple((self.body.number, cell.start, cell.end) for cell in listed)
                yield Result("count", len(listed), None, spots, _LISTED, {"n": len(listed)})
        if noun and any(noun in head for head in self.body.subjects.table.column_heads):
            for text, rows in self.body.kinds:
                yield self._count(rows, len(rows), text)

    def years(self, unit: Unit) -> Iterator[Result]:
        """Counts of the years or seasons that the rows are of: those that are named, or all."""
        for words, rows in {**self._named, (): self.body.rows}.items():
            cells = [self.body.subjects.table.rows[row][0].text for row in sorted(rows)]
            if len(cells) > 1 and all(map(YEAR_LIKE.match, cells)):
                yield self._count(rows, len(set(cells)), self._said(words) or cells[0])._replace(unit=unit)
        table = self.body.subjects.table
        heads = [column for column in table.numeric_columns if YEAR_LIKE.match(table.column_heads[column])]
        if len(heads) > 1:
            row = next(row for row in table.rows if len(row) > heads[-1])  # a title above has fewer cells
            spots = tuple((self.body.number, row[one].start, row[one].end) for one in heads)
            named = ", ".join(table.column_heads[one] for one in heads)
            yield Result("count", len(heads), unit, spots, _COLUMNS, {"n": len(heads), "words": named})

    def sums(self, near: Callable[[float], bool], of_all: bool) -> Iterator[Result]:
        """What a column comes to, and its mean, over the rows that are named, of the years named, or ``of_all``.

        Only what comes ``near`` in floats is worked out.
        """
        of_all = of_all and len(self.body.rows) > 2
        every: dict[tuple[str, ...], frozenset[int]] = {(): self.body.rows} if of_all else {}
        groups = {**self._named, **self._called, **self._between_years, **every, _OTHERS: self._rest}
        for words, rows in groups.items():
            for column, count, total in self.body.totals(rows):
                if (near(total) or near(total / count)) and (not self._columns or column in self._columns):
                    yield from self._of_column(rows, column, words)

    @cached_property
    def _called(self) -> dict[tuple[str, ...], frozenset[int]]:
        """The rows that the sentence calls by their whole labels, where they are several: "wind and solar"."""
        rows = self.body.subjects.table.called(self.said)
        words = tuple(sorted(frozenset[str]().union(*[self.body.labels[row] for row in rows])))
        return {words: frozenset(rows)} if 1 < len(rows) < len(self.body.labels) else {}

    @cached_property
    def _rest(self) -> frozenset[int]:
        """The rows that are left where the sentence leaves out those whose labels it says."""
        named = self.body.subjects.table.called(self.said) if _BUT.search(self.lower) is not None else ()
        return self.body.rows.difference(named) if named else frozenset()

    def shares(self, clause: frozenset[str], behind: str) -> Iterator[Result]:
        """How many of all rows are of the one kind that a clause says, in per cent: "60% are in team Red".

        What is said to be the whole ``behind`` the figure is no such kind: "60% of team Red are older".
        """
        clause -= tokens(whole[1]) if (whole := _WHOLE.match(behind)) is not None else frozenset[str]()
        said = [rows for text, rows in self.body.kinds if (own := tokens(text.lower())) and own <= clause]
        for rows in said if len(said) == 1 else ():
            count = self._count(rows, len(rows), "")
            share, filling = (
                Fraction(100 * len(rows), len(self.body.rows)),
                {"n": len(rows), "all": len(self.body.rows)},
            )
            yield Result("percent", share, PERCENT, count.spots, "{n} ÷ {all} × 100", filling)

    def _of_column(self, rows: frozenset[int], column: int, words: tuple[str, ...]) -> Iterator[Result]:
        table, number = self.body.subjects.table, self.body.number
        body = (table.rows[row] for row in sorted(rows))
        cells = [row[column] for row in body if column < len(row) and row[column].numeric]
        operands = [operand_in(self.body.source, number, cell) for cell in cells]
        total, unit, spots = sum(one.value for one in operands), operands[0].unit, tuple(one.spot for one in operands)
        if words == _OTHERS:
            for kind, value in (("subtotal", Fraction(total)), ("mean", Fraction(total) / len(cells))):
                yield Result(kind, value, unit, spots, _REST[kind], {"n": len(cells)})
            return
        said = self._said(words) or " ".join(table.column_heads[column : column + 1])
        filling = {"n": len(cells), "words": said}
        yield Result("subtotal", total, unit, spots, _SUM, filling)
        if words or not _MEAN_SAID.search(" ".join(table.column_heads[column : column + 1])):
            yield Result("mean", Fraction(total) / len(cells), unit, spots, _MEAN, filling)

    @cached_property
    def _columns(self) -> list[int]:
        """The columns of numbers that the sentence names."""
        heads = self.body.subjects.heads
        return [one for one in self.body.subjects.table.numeric_columns if heads[one] & self.said]

    @cached_property
    def _between_years(self) -> dict[tuple[str, ...], frozenset[int]]:
        """The rows of the years from the first to the last that the sentence says, where it says two."""
        years = sorted(filter(is_year, self.said))
        rows = self.body.subjects.table.rows
        found = [
            row for row in self.body.rows if len(text := rows[row][0].text.strip()) == 4 and is_year(text) and years
        ]
        between = frozenset(row for row in found if years[0] <= rows[row][0].text.strip() <= years[-1])
        return {(years[0], years[-1]): between} if len(years) > 1 and len(between) > 1 else {}

    def _count(self, rows: Iterable[int], count: int, words: str) -> Result:
        cells = [self.body.subjects.table.rows[row] for row in sorted(rows)]
        spots = tuple((self.body.number, row[0].start, row[-1].end) for row in cells)
        return Result("count", count, None, spots, _COUNT, {"n": count, "words": words})

    def _said(self, words: tuple[str, ...]) -> str:
        """Words as the text says them, of which stems are known."""
        found = (re.search(rf"(?<!\w){re.escape(word)}\w*", self.lower) for word in words)
        return ", ".join(match[0] if match is not None else word for match, word in zip(found, words, strict=True))


def tables_named(sources: Sources, said_there: frozenset[str]) -> list[tuple[int, Subjects, list[int]]]:
    """The tables whose rows words name, at most two, each with those rows, the best named first."""
    ranked: list[tuple[float, int, Subjects, list[int]]] = []
    for number, source in enumerate(sources.texts):
        for subjects in (*source.tables, *source.page.pivots):
            named = subjects.rows_named(said_there, -2)
            rows = in_period(subjects.periods, _best_called(subjects, named), said_there)
            scored = sorted(((subjects.covered(row, named[row]), row) for row in rows), reverse=True)
            if scored and scored[0][0] > 0:
                most = _MOST_NAMED + (_MORE_NAMED if subjects.periods else 0)
                rows = [row for score, row in scored[:most] if score > 0.3 * scored[0][0]]
                ranked.append((scored[0][0], number, subjects, rows))
    ranked.sort(key=lambda one: -one[0])
    return [(number, subjects, rows) for _, number, subjects, rows in ranked[:2]]


def _best_called(subjects: Subjects, named: Mapping[int, frozenset[str]]) -> list[int]:
    """The rows that are ``named``, but for those named by part of another label alone, which is said whole.

    "Operating profit" does not name "Gross profit"; "Q3 2024" may mean "Q2 2024" as well, which it is compared with.
    """
    if len(named) < 2:
        return list(named)
    labels = {row: subjects.label_of(row) for row in named}
    whole = [label for row, label in labels.items() if label and label <= named[row]]
    whole = [label for label in whole if not any(map(_NUMBERED.search, label))]
    return [row for row, said in named.items() if labels[row] in whole or not any(said < label for label in whole)]


_SURE = 5  # digits; a shorter figure comes by chance from some row
_MOST_ROWS = 200
_MOST_CELLS = 6


def of_some_row(sources: Sources, claim: FigureClaim) -> Finding | None:
    """``elsewhere`` for what two cells of one row come to, though no word says that row: it may be called otherwise."""
    if claim.figure.digits < _SURE or not claim.in_line:
        return None
    for number, source in enumerate(sources.texts):
        for subjects in source.tables:
            for row in subjects.table.body[:_MOST_ROWS]:
                cells = [cell for cell in row if cell.numeric][:_MOST_CELLS]
                values = [Known(operand_in(source, number, cell)) for cell in cells] if len(cells) > 1 else []
                for one, other in combinations(values, 2):
                    if claim.near(one, other) and (found := _step(claim, one, other)) is not None:
                        return found
    return None


def _step(claim: FigureClaim, one: Known, other: Known) -> Finding | None:
    results = (result for result in of_two(one.operand, other.operand) if result.kind in ("sum", "difference", "mean"))
    found = (claim.fits(result, (one, other)) for result in results)
    return next((replace(each, verdict="elsewhere") for each in found if each is not None), None)
