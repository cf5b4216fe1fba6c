"""The tables of a text: Markdown, CSV, tabs, bars of a query's result, HTML, JSON or lists of lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

from agent.evidence.tables.aligned_text import ALIGNED, Line, aligned_rows, is_title, with_parts
from agent.evidence.tables.digits import YEAR
from agent.evidence.tables.listings import Piece, listed, placed_parts
from agent.evidence.tables.nested_objects import json_tables
from agent.evidence.tables.row_kinds import MOST_CELL, MOST_COLUMNS, MOST_ROWS, counted, heads_of, named_first
from agent.evidence.tables.table_model import Cell, Table
from agent.text.regex import regex

MOST_TABLES = 60
_HEAD_CHARACTERS = 400  # before a table: its caption
_AROUND = ' \t"*'  # of the text of a cell
_RULE = regex(r"[\s|:+=-]*$")
_DIGIT, _DIGITS = regex(r"[0-9]"), regex(r"[0-9]+")
_LETTER = regex(r"[^\W\d_]")
_GROUPED = regex(r"(?<![0-9A-Za-z_.,])(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])|[0-9.]+,[0-9]{1,2}(?=[ \u00a0]?[%€£$°‰)]))")
_DECIMALS = regex(r"[^\W\d_][^,]* [0-9]{1,3}(?:\.[0-9]{3})*,[0-9]{1,2}$")  # behind a name
_LIST_OF_OBJECTS = regex(r"^\[\s*\{\s*\"", re.M)
_HTML_ROW = regex(r"<tr\b.*?(?=</tr>|<tr\b|</table>|$)", re.I | re.S)
_HTML_CELL = regex(r"<t([dh])\b[^>]{0,400}>(.*?)(?=</t[dh]>|<t[dhr]\b|$)", re.I | re.S)
_INK = regex(r"[^\n]")
_TAG = regex(r"<[^>]{0,200}>")
_APART = regex(r"[^\s.!?:;] {2,}\S")  # columns that are aligned by spaces
_NOTE = regex(r"\s*(\([^()\n]{3,80}\))")  # "(in million tonnes)" below a table
_SEMICOLONS = regex(r"[^;\n]*(?:;(?! )[^;\n]*){2,}$")  # a CSV of a country with decimal commas
_CARETS = regex(r"[^^\n]*(?:\^(?! )[^^\n]*){2,}$")  # of data that have all other signs
_PIPE = regex(r"(?<!\\)\|")
_ONE_COLUMN = regex(  # what a query or a program showed: "2 rows:", the head with its type, a line for each row
    r"(?m)^[0-9][0-9,]* rows?(?:; [^\n:|]*)?:\n"
    r"([^\n|]+ (?:[A-Z][A-Z_]+(?:\([0-9, ]+\))?|u?int[0-9]+|float[0-9]+|object|str|string|bool|datetime64\S*))\n"
    r"((?:[^\n|]+(?:\n|\Z))+)"
)
_CSV_CELL = regex(r'"(?:[^"]|"")*"|[^,\n]*')


def tables_in(text: str) -> list[Table]:
    """The tables of a text, at most ``MOST_TABLES``; in time linear in the text."""
    found: list[Table] = []
    if text.startswith(("{'", "[{'")) and '"' not in text:  # a value of Python
        text = text.replace("'", '"')
    if text.startswith(("{", "[")):
        found += json_tables(text)
    elif "|" not in text and (listing := _LIST_OF_OBJECTS.search(text)) is not None:
        found += json_tables(text, listing.start())
    if "<tr" in text:
        found += _of_html(text)
    if not found:
        single = [*_ONE_COLUMN.finditer(text)] if "row:\n" in text or "rows:\n" in text else []
        found += map(_of_one_column, single)
        for one in single:  # its lines are no list
            text = f"{text[: one.start()]}{_INK.sub(' ', one[0])}{text[one.end() :]}"
        found += islice(_of_lines(text), MOST_TABLES)
    return found[:MOST_TABLES]


def _of_one_column(result: re.Match[str]) -> Table:
    """The result of a query that has one column."""
    rows: list[tuple[Cell, ...]] = []
    lines = (result[1], *result[2].rstrip("\n").split("\n"))
    for start, line in islice(placed_parts(lines, result.start(1)), MOST_ROWS):
        said = line.strip()
        first = start + line.find(said)
        rows.append((Cell(first, first + len(said), said[:MOST_CELL], len(rows), 0),))
    return Table(tuple(counted(rows, 1)), 1)


def _of_lines(text: str) -> Iterator[Table]:
    """The tables of lines with a sign between their cells; what has no heads of its own has those of one before it."""
    last: dict[tuple[str, int], Table] = {}  # with heads, by the sign and the number of columns
    for mark, parts in with_parts(_blocks(text)):
        lines = [line for part in parts for line in part][:MOST_ROWS]
        if not mark or _is_list(mark, lines):
            yield from (_of_list(*one, text) for one in listed(lines))
            continue
        whole = _table(mark, lines, text)
        found = [whole] if whole is not None or len(parts) == 1 else [_table(mark, one, text) for one in parts]
        for table in found:
            if table is None:
                continue
            above = last.get((mark, table.width))
            if table.heads:
                last[mark, table.width] = table
            yield from _apart(table if table.heads or above is None else _below(above, table, text))


def _below(above: Table, table: Table, text: str) -> Table:
    """A table without heads below those of another one, with the line right above it as its section."""
    first = table.start
    rows = [*above.rows[: above.heads]]
    line = text[:first].rstrip().rpartition("\n")[2] if "\n" in text[max(0, first - 2 * MOST_CELL) : first] else ""
    if is_title(line):
        rows.append(
            tuple([Cell(0, 0, line.strip(" *#:") if not column else "", 0, column) for column in range(table.width)])
        )
    heads = [
        tuple([Cell(first, first, cell.text, row, cell.column) for cell in cells]) for row, cells in enumerate(rows)
    ]
    body = [tuple([cell._replace(row=cell.row + len(rows)) for cell in row]) for row in table.rows]
    return Table((*heads, *body), above.heads, f"{above.before}\n{table.before}")


def _is_list(mark: str, lines: Sequence[Line]) -> bool:
    """Whether the commas of lines are those of decimals, and no line has any other: "Ruma 5,7"."""
    return mark == "," and all(
        line.count(",") == 1 and _LETTER.search(line) and _DECIMALS.search(line) for _, line in lines
    )


def _blocks(text: str) -> Iterator[tuple[str, list[Line]]]:
    """Runs of lines of one kind: the sign between their cells, and each line with where it starts."""
    block: list[Line] = []
    mark, position = "", 0
    for line in text.split("\n"):
        here = _mark(line) or ("," if mark == "," and _goes_on(block[0][1], line) else "")
        if here != mark:
            if block:
                yield mark, block
            block, mark = [], here
        block.append((position, line))
        position += len(line) + 1
    if block:
        yield mark, block


def _goes_on(first: str, line: str) -> bool:
    """Whether a line has as many cells as the first of a CSV, though its commas might be of one number: "May 8,118"."""
    commas = line.count(",")
    sure = commas > 1 or _DIGIT.search(first) is None
    return sure and commas == first.count(",") and not any(sign in line for sign in ('"', ", ", ": "))


def _mark(line: str) -> str:
    if "|" in line or ("-+-" in line and _RULE.match(line)):
        return "|"
    if "\t" in line.strip():
        return "\t"
    if "  " in line and _APART.search(line.strip()):
        return ALIGNED
    if ";" in line and _SEMICOLONS.match(line):
        return ";"
    if "^" in line and _CARETS.match(line):
        return "^"
    if "," not in line:
        return ""
    # "Nile: 6,650 km" is a line of a list, whose comma is part of a number.
    line = _GROUPED.sub("", line) if _LETTER.search(line) else line
    commas = line.count(",")
    return "," if commas and 2 * line.count(", ") <= commas and not line.rstrip().endswith((".", ":", "。")) else ""


def _table(mark: str, lines: Sequence[Line], text: str) -> Table | None:
    rows: list[tuple[Cell, ...]] = []
    ruled = 0
    if mark == ALIGNED:
        rows = aligned_rows(lines)
        lines = lines or [(0, "")]
    for start, line in lines if mark != ALIGNED else ():
        if mark == "|" and _RULE.match(line):
            ruled = ruled or len(rows)
            continue
        rows.append(row_cells(start, line, mark, len(rows)))
    if mark in (",", ";", "^"):
        rows = _even(rows)
    if len(rows) < 2 or max(len(row) for row in rows) < 2:
        return None
    before = text[max(0, lines[0][0] - _HEAD_CHARACTERS) : lines[0][0]].lower()
    behind = _NOTE.match(text, lines[-1][0] + len(lines[-1][1]))
    before += behind[1].lower() if behind is not None else ""
    heads = heads_of(rows, ruled)
    return Table(tuple(named_first(counted(rows, heads), heads)), heads, before)


def _apart(table: Table) -> Iterator[Table]:
    """A table as it stands, or as several where its heads come again of another time: "2023", rows, "2022", rows."""
    rows, heads = table.rows, table.heads
    own = [_without_digits(row) for row in rows[:heads]]
    starts = [0]
    if len(own) > 1 and any(_DIGIT.search(cell.text) for row in rows[:heads] for cell in row):
        for first in range(2 * heads, len(rows) - heads):
            again = rows[first : first + heads]
            if [_without_digits(row) for row in again] == own and not _same(again, rows[starts[-1] :]):
                starts.append(first)
    if len(starts) == 1:
        yield table
        return
    years = [
        frozenset(YEAR.findall(" ".join(cell.text for row in rows[one : one + heads] for cell in row)))
        for one in starts
    ]
    for number, (start, end) in enumerate(pairwise((*starts, len(rows)))):
        moved = (tuple([cell._replace(row=cell.row - start) for cell in row]) for row in rows[start:end])
        yield Table(tuple(moved), heads, table.before, frozenset[str]().union(*years) - years[number])


def _without_digits(row: Sequence[Cell]) -> list[str]:
    return [_DIGITS.sub("", cell.text) for cell in row]


def _same(again: Sequence[Sequence[Cell]], before: Sequence[Sequence[Cell]]) -> bool:
    """Whether heads say what those before them do, as on the next page of one table."""
    return all(
        cell.text == own.text
        for row, above in zip(again, before, strict=False)
        for cell, own in zip(row, above, strict=False)
    )


def _of_list(heads: tuple[str, ...], lines: Sequence[Sequence[Piece]], text: str) -> Table:
    """A list of lines as a table whose heads stand nowhere by themselves."""
    rows = [
        tuple(
            Cell(start, start + len(said), said[:MOST_CELL], row, column) for column, (start, said) in enumerate(line)
        )
        for row, line in enumerate(lines, 1)
    ]
    first = min(cell.start for cell in rows[0])
    head = tuple(Cell(first, first, said, 0, column) for column, said in enumerate(heads))
    return Table((head, *rows), 1, text[max(0, first - _HEAD_CHARACTERS) : first].lower())


def _of_html(text: str) -> Iterator[Table]:
    """The tables of HTML as it stands, each with what stands before it and its caption."""
    end = 0
    for number, part in enumerate(re.finditer(r"<table\b.*?(?:</table>|$)", text, re.I | re.S)):
        rows: list[tuple[Cell, ...]] = []
        for found in islice(_HTML_ROW.finditer(text, *part.span()), MOST_ROWS):
            cells: list[Cell] = []
            for cell in islice(_HTML_CELL.finditer(text, *found.span()), MOST_COLUMNS):
                said = _TAG.sub(lambda tag: " " * len(tag[0]), cell[2])
                start = cell.start(2) + len(said) - len(said.lstrip())
                cells.append(Cell(start, start + len(said.strip()), said.strip()[:MOST_CELL], len(rows), len(cells)))
            if cells:
                rows.append(tuple(cells))
        if len(rows) > 1 and number < MOST_TABLES:
            first = rows[0][0].start
            before = text[max(end, first - _HEAD_CHARACTERS) : first]
            heads = heads_of(rows, 1)
            yield Table(tuple(named_first(rows, heads)), heads, _TAG.sub(" ", before).lower())
        end = part.end()


def _even(rows: list[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """The rows of a CSV: at least two lines of as many cells; prose with commas has none."""
    widths = [len(row) for row in rows]
    if len(rows) < 2 or any(one != other for one, other in pairwise(widths)):
        return []
    return rows


def row_cells(start: int, line: str, mark: str, row: int) -> tuple[Cell, ...]:
    """The cells of a line that begins at ``start``, ``mark`` between them; a pipe behind a backslash is text."""
    left, right = 0, len(line.rstrip())
    if mark == "|":
        left += len(line) - len(line.lstrip())
        left += line[left : left + 1] == "|"
        right -= line[:right].endswith("|") and right > left
    if mark == ",":
        spans = islice(_comma_spans(line, right), MOST_COLUMNS)
        parts = [(start + begin, line[begin:end]) for begin, end in spans]
    else:
        said = line[left:right]
        pieces = _PIPE.split(said, MOST_COLUMNS) if "\\|" in said else said.split(mark, MOST_COLUMNS)
        parts = placed_parts(pieces[:MOST_COLUMNS], start + left)
    cells: list[Cell] = []
    for column, (begin, part) in enumerate(parts):
        text = part.strip(_AROUND)
        first = begin + part.find(text)
        cells.append(Cell(first, first + len(text), text[:MOST_CELL], row, column))
    return tuple(cells)


def _comma_spans(line: str, right: int) -> Iterable[tuple[int, int]]:
    position = 0
    while position <= right:
        match = _CSV_CELL.match(line, position, right)
        end = match.end() if match is not None else position
        yield position, end
        position = end + 1
