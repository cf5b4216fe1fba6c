"""The tables of an observed text that hold a place, as a page can draw them: each cell by its place in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agent.evidence.tables.table_forms import tables_in
from agent.evidence.tables.table_model import Table
from agent.text.regex import regex

_BETWEEN = regex(r"[\s|,;:+=^\"'-]*")  # cells
_AROUND = 12  # rows before and after one that is looked at
_MOST_COLUMNS = 24


class ShownRow(NamedTuple):
    """The cells of a row, where they start and end in the text; ``far``: rows are left out before it."""

    cells: tuple[tuple[int, int], ...]
    is_head: bool
    has_place: bool
    far: bool = False


class ShownTable(NamedTuple):
    """Whole lines of the text, from ``start`` to ``end``; which columns hold numbers; ``more``: rows are left out."""

    start: int
    end: int
    rows: tuple[ShownRow, ...]
    numeric: frozenset[int]
    more: bool


def shown_tables(text: str, places: Sequence[tuple[int, int]]) -> Iterator[ShownTable]:
    """The tables in lines that hold one of the places, with the rows around it; none of JSON, HTML and lists."""
    done = 0
    for table in tables_in(text):
        start, end = text.rfind("\n", 0, table.start) + 1, text.find("\n", table.end)
        end = end if end >= 0 else len(text)
        held = [place for place in places if start <= place[0] and place[1] <= end]
        if start < done or not held or not _is_of_lines(text, table, start, end):
            continue
        every = [_row(table, number, held) for number in range(len(table.rows))]
        rows = tuple(_around(every))
        if all(any(_holds(cell, place) for row in rows for cell in row.cells) for place in held):
            yield ShownTable(start, end, rows, _numeric(table), rows[-1].cells != every[-1].cells)
            done = end


def _row(table: Table, number: int, places: Sequence[tuple[int, int]]) -> ShownRow:
    cells = tuple([(cell.start, cell.end) for cell in sorted(table.rows[number])])
    here = any(_holds(cell, place) for cell in cells for place in places)
    return ShownRow(cells, number < table.heads, here)


def _holds(cell: tuple[int, int], place: tuple[int, int]) -> bool:
    return cell[0] <= place[0] and place[1] <= cell[1]


def _is_of_lines(text: str, table: Table, start: int, end: int) -> bool:
    """Whether each row is a line of its own, and nothing but signs stands between the cells."""
    if table.width < 2 or table.width > _MOST_COLUMNS:
        return False
    at, line = start, -1
    for row in table.rows:
        cells = sorted(row)
        here = text.count("\n", start, cells[0].start)
        if here == line or "\n" in text[cells[0].start : cells[-1].end]:
            return False
        line = here
        for cell in cells:
            if cell.start < at or _BETWEEN.fullmatch(text, at, cell.start) is None:
                return False
            at = cell.end
    return _BETWEEN.fullmatch(text, at, end) is not None


def _around(rows: Sequence[ShownRow]) -> Iterator[ShownRow]:
    """The heads, and the rows near to those that hold a place."""
    meant = [number for number, row in enumerate(rows) if row.has_place]
    last = -1
    for number, row in enumerate(rows):
        if row.is_head or any(abs(number - one) <= _AROUND for one in meant):
            yield row._replace(far=number > last + 1)
            last = number


def _numeric(table: Table) -> frozenset[int]:
    """The columns of numbers, in the order of the text."""
    order = [cell.column for cell in sorted(table.rows[0])]
    return frozenset(place for place, column in enumerate(order) if column in table.numeric_columns)
