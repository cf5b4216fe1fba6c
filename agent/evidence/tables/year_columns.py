"""Columns of years, and heads with years: what a sentence counts is no year, and what it dates is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.evidence.tables.cell_words import tokens
from agent.evidence.tables.digits import YEAR, figures, is_year
from agent.evidence.tables.meant_columns import unit_of
from agent.evidence.tables.row_kinds import says_years
from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import YEAR_LIKE, Cell
from agent.text.quantities.units import Unit
from agent.text.regex import regex

_OF_TIME = tokens("year season date")
_OF_RACES = ("s", "min", "h")
_SHORT = 2  # digits
_EARLY = regex(r"1?[0-9]{3}|20[0-9]{2}|")
_MAY_FOLLOW_YEARS = frozenset(("time", "month", "length", "ratio"))  # dimensions: "2003 in Oslo" is of no inches


def is_of_years(subjects: Subjects, cell: Cell) -> bool:
    """Whether a cell is a year in a column of years, of early ones, too: 1215 beside 1590.

    Of a single row only the head can say it: 1500 of "amount" may be any number.
    """
    if not is_year(cell.text[:4]):
        return False
    heads = subjects.table.column_heads
    if len(subjects.table.body) == 1 and not says_years(heads[cell.column] if cell.column < len(heads) else ""):
        return False
    if cell.column in subjects.table.year_columns:
        return True
    return not cell.numeric and all(_EARLY.fullmatch(one.text) for one in subjects.table.column(cell.column))


def is_counted(subjects: Subjects, cell: Cell, noun: frozenset[str], stated: frozenset[str], unit: Unit | None) -> bool:
    """Whether a year of the table is said as a quantity: of a unit, or of a ``noun`` beside it that has a column.

    A quantity that is ``stated`` has its own figure: "the 2019 attendance was 58,100".
    """
    if not is_of_years(subjects, cell):
        return False
    if unit is not None and unit.dimension not in _MAY_FOLLOW_YEARS:
        return True
    heads = subjects.heads
    if not noun or cell.column >= len(heads) or heads[cell.column] & noun:
        return False
    row = [one for one in subjects.table.rows[cell.row] if one.numeric and one.column < len(heads)]
    return any(heads[one.column] & noun and figures(one.text) not in stated for one in row)


def is_dated(subjects: Subjects, cell: Cell, words: frozenset[str], when: bool, stated: frozenset[str]) -> bool:
    """Whether a number is said as a year of its row that is not ``stated``: "opened in 18" of 18 stations.

    Its ``words`` name a column of years, and not the cell's; or it stands where only a year can (``when``).
    """
    heads = subjects.heads
    if cell.column >= len(heads) or heads[cell.column] & words:
        return False
    if not cell.numeric and not (when and YEAR_LIKE.match(cell.text) is None and tokens(cell.text).isdisjoint(words)):
        return False
    years = [one for one in subjects.table.rows[cell.row] if one.column < len(heads) and is_of_years(subjects, one)]
    named = [heads[one.column] & words - _OF_TIME for one in years if figures(one.text) not in stated]
    whole = "." not in cell.text and ":" not in cell.text
    return any((when and whole) or any(word[0].isalpha() for word in said) for said in named)


def says_nothing_of(subjects: Subjects, cell: Cell, words: frozenset[str], when: bool, stated: frozenset[str]) -> bool:
    """Whether a bare number, of a column that nothing names, is of another kind than the cell.

    It is a year, the cell has a unit, or only a year can stand there: "in 5.", "in 7.15" of a column "Days". A time may
    stand everywhere.
    """
    unit = unit_of(cell)
    if is_dated(subjects, cell, words, False, stated) or (unit is not None and unit.dimension != "time"):
        return True
    units = subjects.head_units[cell.column] if cell.column < len(subjects.heads) else ()
    measured = bool(units) and not any(one.name in _OF_RACES for one in units)
    return when and cell.numeric and (measured or len(figures(cell.text)) <= _SHORT)


def of_another_year(subjects: Subjects, cell: Cell, words: frozenset[str], stated: frozenset[str]) -> bool:
    """Whether a sentence says years, and only the heads of other columns of numbers have them.

    A number that is ``stated`` has its own figure: "it was 62, compared with 56 in 2023" says no year of 62. A year
    that stands in the row is that of another column: "the zoo, opened in 2004, had 447".
    """
    in_row = frozenset(figures(one.text) for one in subjects.table.rows[cell.row])
    said = frozenset(filter(is_year, words)) - in_row
    heads = subjects.heads
    if not said or not cell.numeric or cell.column >= len(heads):
        return False
    own = frozenset(filter(is_year, heads[cell.column]))
    row = (one for one in subjects.table.rows[cell.row] if one.numeric and one.column < len(heads))
    others = (one for one in row if heads[one.column] & said and figures(one.text) not in stated)
    return bool(own) and own.isdisjoint(said) and (any(others) or not said.isdisjoint(subjects.table.other_years))


def year_of_head(subjects: Subjects, column: int) -> int | None:
    """The first year that the head of a column says."""
    heads = subjects.table.column_heads
    year = YEAR.search(heads[column]) if column < len(heads) else None
    return int(year[1]) if year is not None else None


def grown_cells(subjects: Subjects, rows: Sequence[int], words: frozenset[str]) -> Iterator[list[Cell]]:
    """The cells of rows in the one year that words say and in the year before: "It grew by 6 % in 2023"."""
    years = list(filter(is_year, words))
    if len(years) != 1:
        return
    heads = {year_of_head(subjects, column): column for column in range(len(subjects.table.column_heads))}
    pair = [heads.get(int(years[0]) - less) for less in (1, 0)]
    for cells in (subjects.table.rows[row] for row in rows):
        meant = [cells[column] for column in pair if column is not None and column < len(cells)]
        if len(meant) == 2 and all(cell.numeric for cell in meant):
            yield meant
