"""What a table has of the columns, values and dates that a question names, where no rule reads all of it.

No figure is given as the answer: rows, total, share, average and ends stand beside one another, and the person sees
which of them was meant. Where a few words are not known at all, it is what can be shown with a decline, and shorter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

from agent.data.tables.crosstabs.crosstab_table import crosstab_of
from agent.data.tables.identifiers import quoted
from agent.data.tables.mentioned.dates_named import dates_named
from agent.data.tables.mentioned.mention_search import Place
from agent.data.tables.mentioned.mentioned_rows import terms
from agent.data.tables.mentioned.mentioned_words import IDLE, WORDS, of_other_noun, plainly
from agent.data.tables.questions.near_questions import filters_meant
from agent.data.tables.questions.observed import Seen, cell_told, grouped, markdown_table
from agent.data.tables.questions.said_names import SaidNames, said_names
from agent.data.tables.questions.table_lexicon import MONTHS, NUMBERS, PHRASES, tokens, words
from agent.data.tables.questions.table_schema import (
    Column,
    Filter,
    Table,
    column_words,
    default_numbers,
    id_like,
    own_texts,
    usual,
)
from agent.data.tables.selected.selection import Condition, Figure, Ordering, Selection, Worded
from agent.data.tables.selected.selection_sql import conditions_written
from agent.data.tables.selected.selection_told import conditions_told, rows_told
from agent.data.tables.worded.rates_and_debts import is_in_units_of_a_kind
from agent.text.regex import regex

_WORDS = WORDS["figures"]
_TURNED = regex(rf"\b(?:{'|'.join(_WORDS['turned'])})\b", re.I)
_LIGHT = IDLE | frozenset(_WORDS["light"])
_COUNTED_NOUN = regex(r"\b(?P<number>\d+)[ -]?(?P<noun>[a-z]+)", re.I)
_LEANS = regex(
    r"(?:ok(?:ay)?|and|or|so|but|then|what about|how about)\b|.*;|.*\band (?:who|what|which|when|where|how)\b"
    r"|(?:is|are|was|were)\b.*(?:\w{3}est|most|least)\b"
    r"|how (?:many|much)(?: [a-z]+){0,2} (?:is|was|are|were) (?:that|those|these|they)\b",
    re.I,
)
_HOW_MANY = regex(r"\bhow many (?P<what>[a-z]+)", re.I)
_TOTAL = regex(r"\b(?:sub-?)?totals?\b|合計|小計", re.I)
_IN_TIME = regex(r"\b(?:before|after|since|until|till)\b", re.I)
_COUNTS = 3  # before the figures of the numbers: the rows picked, all of them, their share
_MOST_NUMBERS = 4
_MOST_GROUPS = 30
_MOST_ROWS = 12
_MOST_COLUMNS = 8
_FEW_WORDS = 3
_MOST_UNREAD = 4  # words
_FEW_ROWS, _FEW_COLUMNS = 8, 6  # of what is shown with a decline
_QUANTITY = regex(
    r"\b(?:how (?:much|many|far|long|old|often|big|heavy)|total|sum|average|avg|mean|altogether|overall|combined"
    r"|together|per ?cent(?:age)?|share|proportion|part|count|number|most|least|difference|add)\b|%",
    re.I,
)
_TITLES = ("total", "percent_of_all", "average", "lowest", "highest")
_HEADS = ("Total", "Of all", "Average", "Lowest", "Highest")


@dataclass(frozen=True, slots=True)
class FiguresNamed:
    """Rows of ``table`` that ``filters`` pick, and their ``numbers``, all in all and for each ``group``.

    ``dates``: how those of the filters are told that are of a date. ``named``: the numbers that the question names.
    ``counted``: it asks how many or how much. ``unread``: the words of it that are not known, as they were typed.
    """

    table: Table
    filters: tuple[Condition, ...]
    numbers: tuple[Column, ...]
    named: tuple[Column, ...] = ()
    group: Column | None = None
    least: bool = False
    counted: bool = False
    dates: str = ""
    unread: tuple[str, ...] = ()

    def totals_asked(self) -> str:
        """SQL of one row: how many rows are picked, and for each number what they come to."""
        where = conditions_written(self.filters, self.table)
        only = f" FILTER (WHERE {where})" if where else ""
        part = f"round(100.0 * count(*){only} / nullif(count(*), 0), 1)"
        fields = [f"count(*){only} AS rows_named", "count(*) AS rows_in_all", f"{part} AS percent_of_rows"]
        for column in self.numbers:
            name = quoted(column.name)
            share = f"round(100.0 * sum({name}){only} / nullif(sum({name}), 0), 1)" if _is_summed(column) else "NULL"
            total = f"sum({name}){only}" if _is_summed(column) else "NULL"
            ends = (f"round(avg({name}){only}, 2)", f"min({name}){only}", f"max({name}){only}")
            several = zip(_TITLES, (total, share, *ends), strict=True)
            fields += [f"{one} AS {quoted(f'{title}_{column.name}')}" for title, one in several]
        return f"SELECT {', '.join(fields)} FROM {self.table.rows_sql}"

    @property
    def cells(self) -> int:
        """How many the result of that has."""
        return _COUNTS + len(_HEADS) * len(self.numbers)

    def is_idle(self, totals: Seen) -> bool:
        """Whether no row is picked, or none with a figure; or each, where that says nothing of what is unread."""
        counted, figures_of = totals.rows[0][0], totals.rows[0][_COUNTS:]
        all_rows = bool(self.unread) and not self.group and int(counted) == self.table.rows
        return counted == "0" or all_rows or (bool(self.numbers) and not {*figures_of} - {"NULL"})

    def rows(self, totals: Seen) -> Selection | None:
        """The groups, or the rows themselves where these are few, or those at the end that is asked for.

        ``None`` where there are none, or, where words are unread, too many to be shown.
        """
        table, picked = self.table, int(totals.rows[0][0])
        if self.group:
            figures = [Figure(table, one, "sum" if _is_summed(one) else "avg") for one in self.numbers]
            shown = (Figure(table, self.group), Figure(table), *figures)
            order = Ordering(figures[0] if self.named else Figure(table), "up" if self.least else "down")
            return Selection(table, shown, self.filters, (Figure(table, self.group),), orders=(order,))
        first = [*own_texts(table)[:1], *table.columns[:1]]
        picking = list(filter(None, map(_column_of, self.filters)))
        columns = [*dict.fromkeys([*first, *picking, *self.named, *table.columns])]
        orders = tuple(Ordering(Figure(table, one), "up" if self.least else "down") for one in self.named[:1])
        if self.filters and picked <= self._few:
            columns = columns[:_FEW_COLUMNS] if self.unread else columns if picked == 1 else columns[:_MOST_COLUMNS]
            kept = tuple(Figure(table, one) for one in table.columns if one in columns)
            return Selection(table, kept, self.filters, orders=orders)
        if (self.named or self.filters) and not self.unread:
            kept = tuple(Figure(table, one) for one in dict.fromkeys([*first[:1], *picking, *self.named]))
            return Selection(table, kept, self.filters, orders=orders, limit=_MOST_ROWS)
        return None

    @property
    def _few(self) -> int:
        """How many rows are shown as they are, beside those of the totals."""
        if not self.unread:
            return _MOST_ROWS
        return _FEW_ROWS - len(self.numbers) if self.counted or self.named else _FEW_ROWS

    def totals_told(self, result: Seen) -> list[str]:
        """A table in Markdown, a row for each number; none for one row, which stands by itself."""
        cells = result.rows[0]
        few = int(cells[0]) <= self._few and not (self.counted or self.named)
        if not self.numbers or cells[0] == "1" or few:
            return []
        several: list[tuple[str, ...]] = []
        for place, column in enumerate(self.numbers):
            total, share, *ends = cells[_COUNTS + place * len(_HEADS) :][: len(_HEADS)]
            told = [cell_told(column, one) if one != "NULL" else "–" for one in (total, *ends)]
            several.append((column.called, told[0], f"{share}%" if share != "NULL" else "–", *told[1:]))
        heads, dropped = ["", *_HEADS], () if self.filters else (2,)
        kept = [place for place in range(len(heads)) if place not in dropped]
        lines = [[row[place] for place in kept] for row in several]
        return ["\n".join(markdown_table([heads[place] for place in kept], lines, [place > 0 for place in kept]))]

    @property
    def words(self) -> str:
        """Those unread, as an answer tells them: "“sold” or “regulars”"."""
        *first, last = (f"“{word}”" for word in self.unread or ("",))
        return f"{', '.join(first)} or {last}" if first else last

    @staticmethod
    def rows_told(made: Selection | None, result: Seen | None) -> list[str]:
        """What ``rows`` gave in Markdown, where it was looked up."""
        return ["\n".join(rows_told(made, result))] if made and result else []

    @property
    def picked(self) -> str:
        """ "rows where status is “open”", "all rows"."""
        others = tuple(one for one in self.filters if not (self.dates and _is_date(_column_of(one))))
        told = filter(None, (conditions_told(Selection(self.table, conditions=others)), self.dates))
        return f"rows with {' and '.join(told)}" if self.filters else "all rows"

    def told(self, totals: Seen) -> str:
        """ "4 of 15 rows (26.7%) with status “open”"."""
        picked, rows, share = totals.rows[0][:_COUNTS]
        if not self.filters:
            return f"all {grouped(rows)} rows of {self.table.name}"
        return f"{grouped(picked)} of {grouped(rows)} {self.picked} in {self.table.name} ({share}%)"


def figures_named(text: str, table: Table, today: date | None, places: Sequence[Place]) -> FiguresNamed | None:
    """What there is of the English question; ``None`` where it names too little of the table, or too much else.

    Up to four words of it, and no more than half, may be ``unread``.

    ``places``: where the names in it were found, beside the values that are known.
    """
    if not _is_open(text, said_names(text, table, "en"), table):
        return None
    dates = dates_named(text, table, today)
    said = said_names(dates.text, table, "en")
    said.values = [one for one in said.values if not one[0] or _is_mostly_said(one[1], dates.text)]
    found, filters = _found(said, places, table), _filters(said, dates.text, table)
    if not dates.sure or found is None or filters is None:
        return None
    names = {word for one in found for text in one.texts for word in words(text)}
    unread = tuple(dict.fromkeys(one for one in unread_words(dates.text, said, table) if not names & {*words(one)}))
    if _are_many(unread, text) or _IN_TIME.search(dates.text) or not (unread or crosstab_of(table) is None):
        return None
    made = _made(text, said, (*filters, *found, *dates.filters), table, unread)
    something = made.named or unread or said.of("sought", "verb", "extreme", "implied")
    if said.of("measure") in ("avg", "sum") and not something:
        return None  # "the average of Leith"
    named = made.named and len(text.split()) > _FEW_WORDS and not unread  # which is mostly what picks the rows
    enough = made.filters or named or (made.group and made.counted)
    return replace(made, dates=dates.told) if enough else None


def _are_many(unread: Sequence[str], text: str) -> bool:
    return len(unread) > min(_MOST_UNREAD, len(text.split()) // 2)


def _made(
    text: str, said: SaidNames, conditions: tuple[Condition, ...], table: Table, unread: tuple[str, ...]
) -> FiguresNamed:
    picking = [*map(_column_of, conditions)]
    named = tuple(one for one in said.columns if one.kind == "number" and one not in picking)[:_MOST_NUMBERS]
    numbers = named or tuple(one for one in default_numbers(table) if one not in picking)[:_MOST_NUMBERS]
    most_groups = _FEW_ROWS - len(numbers) if unread else _MOST_GROUPS
    counted = _QUANTITY.search(text) is not None
    groups = [one for one in said.columns if one not in picking and (counted or named)]
    groups = [one for one in groups if _is_group(one, table, most_groups)]
    groups += [one.column for one in conditions if isinstance(one, Filter) and one.column and len(one.values) > 1]
    least = (said.of("implied", "extreme", "most") or "").startswith("min")
    group = next(iter(groups), None)
    return FiguresNamed(table, conditions, numbers, named, group, least, counted, unread=unread)


def may_be_named(text: str, table: Table) -> bool:
    """Whether it is worth while to look for the names in it: only they are not read, or they and few other words."""
    said = said_names(text, table, "en")
    unknown = any(column is None for column, *_ in said.values)
    return _is_open(text, said, table) and (unknown or not _in_small_letters(text, said, table))


def _is_open(text: str, said: SaidNames, table: Table) -> bool:
    """Whether nothing turns it, and few of its words are not read, the names left aside."""
    if _LEANS.match(text) or turns(text, table) or _is_report(table):
        return False
    return not _are_many(_in_small_letters(text, said, table), text)


def _in_small_letters(text: str, said: SaidNames, table: Table) -> list[str]:
    return [word for word in unread_words(text, said, table) if not word[:1].isupper()]


def _is_report(table: Table) -> bool:
    """Whether it has periods or figures alone for columns or totals for rows: its figures do not add up."""
    values = (value for column in table.of_kind("text") for value in column.known)
    report = crosstab_of(table)
    bare = report is not None and (report.periods or len(report.heads) == len(table.columns) - 1)
    return bool(bare) or any(_TOTAL.search(value) for value in values)


def _column_of(one: Condition) -> Column | None:
    return one.column if isinstance(one, Filter | Worded) else None


def _is_date(column: Column | None) -> bool:
    return column is not None and column.kind == "date"


def _is_mostly_said(value: str, text: str) -> bool:
    """Whether more than half of a value's words are said: "Earl Grey tea" of "Earl Grey tea 80s"."""
    several = words(value)
    return 2 * len({*several} & {*words(text)}) > len({*several})


def _found(said: SaidNames, places: Sequence[Place], table: Table) -> list[Worded] | None:
    """What was found of the names that are no value that is known; ``None`` where one stands nowhere."""
    known = {word for column, value, _ in said.values if column for word in plainly(value).split()}
    missing = {word for column, value, _ in said.values if not column for word in plainly(value).split()}
    found: list[Worded] = []
    for place in (places[0] for places in terms(places, table)):
        said_words = {*place.mention.plain.split()}
        if place.column.kind == "text" and not said_words & known and (place.mention.named or place.whole):
            found.append(Worded(place.column, (place.mention.text,)))
            missing -= said_words
    return None if missing else found


def turns(text: str, table: Table) -> bool:
    """Whether a word that no column has turns what is asked."""
    heads = {word for column in table.columns for word in column_words(column)}
    turned = any(not heads & {*words(one[0])} for one in _TURNED.finditer(text))
    return turned or is_in_units_of_a_kind(text, (table,))


def _filters(said: SaidNames, text: str, table: Table) -> tuple[Filter, ...] | None:
    """What picks rows; ``None`` where a number or a "not" is of nothing that is known."""
    yes_or_no = [column for column in said.columns if column.kind == "boolean"]
    if (said.negated and len(yes_or_no) != 1) or any(negated for *_, negated in said.values):
        return None
    counted = [*_counted(text, table)]
    bare = [number for sign, number in said.numbers if not sign]
    numbers = [column for column in said.columns if column.kind == "number"]
    compared = len(said.numbers) - len(bare)
    if any(column.called.isdigit() for column in numbers):
        return None  # "total of 2025"
    if compared and (_counts(text, numbers) or any(map(id_like, numbers)) or of_other_noun(text, numbers, table)):
        return None  # "how many helpers were under 16", "orders over 100", "missed over 3 trains"
    if len(counted) != len(bare) or said.times or (compared and len(numbers) != 1):
        return None
    return tuple(dict.fromkeys([*(one for one in filters_meant(said, table) if one.column), *counted]))


def _counts(text: str, columns: Sequence[Column]) -> bool:
    """Whether it asks how many of what one of the columns counts."""
    found = _HOW_MANY.search(text)
    return found is not None and any({*words(found["what"])} & {*words(column.name)} for column in columns)


def _counted(text: str, table: Table) -> Iterator[Filter]:
    """ "A 2 bed", where a column counts beds."""
    for found in _COUNTED_NOUN.finditer(text):
        noun = {*words(found["noun"])}
        columns = [one for one in table.of_kind("number") if not one.unit and {*words(one.name)} == noun]
        if len(columns) == 1:
            yield Filter(columns[0], "=", (found["number"],))


def _is_group(column: Column, table: Table, most: int) -> bool:
    return column.kind == "text" and 1 < (column.distinct or 0) <= min(most, table.rows - 1)


def _is_summed(column: Column) -> bool:
    return usual(column) == "sum"


@cache
def _phrase_words() -> frozenset[str]:
    return frozenset(word for phrase in PHRASES for word in phrase)


def unread_words(text: str, said: SaidNames, table: Table) -> Iterator[str]:
    """The words that are of no column, no value, no date and no phrase that is known, and that say something."""
    known = {word for column in said.columns for word in column_words(column)} | {*words(table.name)}
    known |= {word for _, value, _ in said.values for word in words(value)} | {*MONTHS, *NUMBERS}
    known |= _phrase_words()
    for token in tokens(text):
        forms = {token.word, token.text.casefold()}
        if token.kind == "word" and not token.text.isdigit() and not forms & (known | _LIGHT):
            yield token.text
