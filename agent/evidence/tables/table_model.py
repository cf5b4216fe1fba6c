"""Tables of an observation as one model, whether they came as Markdown, CSV, tabs, bars of a query's result or JSON.

A cell knows its place in the text. A table knows which of its first rows are heads, which of its rows name a section
of those that follow, and what its head lines say of scale.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

MOST_TABLES = 60
MOST_ROWS = 2_000
MOST_COLUMNS = 60
MOST_HEADS = 4
_MOST_CELL = 400  # characters of a cell that are looked at
_HEAD_CHARACTERS = 400  # before a table: its caption

_AROUND = ' \t"*'  # of the text of a cell
_LOOKED_BELOW = 12  # rows below a line that may be a head
_WORD_OR_YEAR = re.compile(r"(?!n\.?[/.]?[am]\.?$|nil$|none$)[^\d]*[^\W\d_]|.*(?:1[5-9]|20|21)[0-9]{2}", re.I)
_RULE = re.compile(r"[\s|:+=-]*$")
_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[^\W\d_]")
_GROUPED = re.compile(r"(?<![\w.,])[0-9]{1,3}(?:,[0-9]{3})+(?![\w,])")
YEAR_LIKE = re.compile(r"\D*(?:1[5-9]|20|21)[0-9]{2}\D*(?:(?:1[5-9]|20|21)?[0-9]{2}\D*)?$")
_NUMERIC = re.compile(
    r"[\s(\[−△▲+±~≈<>-]*(?:[A-Z]{0,3}[$€£¥₩₹])?\s*[(−-]?[0-9][0-9.,:'\u00a0 ]*"
    r"\s*(?:%|[a-zA-Z°%€£$¥/²³.]{1,12})?\s*[)\]*†‡]*$"
)
_PAIR = re.compile(r'"((?:[^"\\\n]|\\.){1,80})"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null)')
_OBJECT = re.compile(r"\{[^{}]*\}")
_LIST_OF_OBJECTS = re.compile(r"^\[\s*\{\s*\"", re.M)
_CSV_CELL = re.compile(r'"(?:[^"]|"")*"|[^,\n]*')


class Cell(NamedTuple):
    """Characters ``start`` to ``end`` of the source, in row and column (from 0, head rows included)."""

    start: int
    end: int
    text: str
    row: int
    column: int

    @property
    def numeric(self) -> bool:
        """Whether it holds one quantity and nothing else, a year apart."""
        return _is_numeric(self.text)


@lru_cache(maxsize=8_192)
def _is_numeric(text: str) -> bool:
    return _NUMERIC.match(text) is not None and YEAR_LIKE.match(text) is None


@dataclass(frozen=True)
class Table:
    """``rows`` are the rows as they stand, ``heads`` how many of the first ones are heads of columns.

    ``before`` is the text before it that may be its caption, in lower case.
    """

    rows: tuple[tuple[Cell, ...], ...]
    heads: int
    before: str = ""

    @property
    def start(self) -> int:
        return self.rows[0][0].start

    @property
    def end(self) -> int:
        return self.rows[-1][-1].end

    @cached_property
    def body(self) -> tuple[tuple[Cell, ...], ...]:
        return self.rows[self.heads :]

    @cached_property
    def width(self) -> int:
        return max(len(row) for row in self.rows)

    @cached_property
    def column_heads(self) -> tuple[str, ...]:
        """For each column what its head rows say, in lower case."""
        return tuple(" ".join(path) for path in self.head_paths)

    @cached_property
    def head_paths(self) -> tuple[tuple[str, ...], ...]:
        """For each column its head from the top down, in lower case.

        An empty head cell has what stands on its left, and so has one that stands twice ("2022", "%", "2023", "%");
        what stands alone above other heads is said of all columns.
        """
        paths = list(zip(*(self._heads_in(row) for row in self.rows[: self.heads]), strict=True)) or [()] * self.width
        twice = {path for path, count in Counter(paths).items() if count > 1 and len(path) == 1 and path[0]}
        for column in range(1, self.width):
            paths[column] = (paths[column - 1][0], *paths[column]) if paths[column] in twice else paths[column]
        return tuple(paths)

    def _heads_in(self, row: tuple[Cell, ...]) -> list[str]:
        texts = [cell.text.lower() for cell in row] + [""] * (self.width - len(row))
        filled = [text for text in texts[1:] if text]
        last = filled[0] if len(filled) == 1 and row[0].row < self.heads - 1 else ""
        for column, text in enumerate(texts[1:], 1):
            last = text or last
            texts[column] = last
        return texts

    @cached_property
    def sections(self) -> tuple[str, ...]:
        """For each row the row before it that names a section: text in its first cell alone, or the same in all."""
        found: list[str] = []
        section = ""
        for row in self.rows:
            if is_section(row):
                section = row[0].text.lower()
                found.append("")
            else:
                found.append(section)
        return tuple(found)

    @cached_property
    def _row_starts(self) -> list[int]:
        return [row[0].start for row in self.rows]

    def row_at(self, position: int) -> int:
        """The row that a position of the source is in or behind; -1 before the table."""
        return bisect_right(self._row_starts, position) - 1

    def cell_at(self, position: int) -> Cell | None:
        """The cell that holds a position of the source."""
        index = self.row_at(position)
        if index < 0:
            return None
        for cell in self.rows[index]:
            if cell.start <= position < cell.end:
                return cell
        return None

    def column(self, number: int) -> list[Cell]:
        """The cells of a column below its head."""
        return [row[number] for row in self.body if number < len(row)]

    @cached_property
    def numeric_columns(self) -> tuple[int, ...]:
        """Columns of which at least half of the cells that are filled are numbers."""
        found: list[int] = []
        for number in range(self.width):
            filled = [cell for cell in self.column(number) if _DIGIT.search(cell.text) or cell.text.strip(" -–—")]
            if filled and 2 * sum(cell.numeric for cell in filled) >= len(filled):
                found.append(number)
        return tuple(found)


def tables_in(text: str) -> list[Table]:
    """The tables of a text, at most ``MOST_TABLES``; in time linear in the text."""
    found: list[Table] = []
    if text.startswith(("{", "[")) or ("|" not in text and _LIST_OF_OBJECTS.search(text)):
        found += _records(text)
    if not found:
        for block in _blocks(text):
            if (table := _table(block, text)) is not None:
                found.append(table)
            if len(found) >= MOST_TABLES:
                break
    return found[:MOST_TABLES]


_Line = tuple[int, str]


def _blocks(text: str) -> Iterator[tuple[str, list[_Line]]]:
    """Runs of lines of one kind: the sign between their cells, and each line with where it starts."""
    block: list[_Line] = []
    mark, position = "", 0
    for line in text.split("\n"):
        here = _mark(line)
        if here != mark:
            if mark and block:
                yield mark, block
            block, mark = [], here
        if here:
            block.append((position, line))
        position += len(line) + 1
    if mark and block:
        yield mark, block


def _mark(line: str) -> str:
    if "|" in line:
        return "|"
    if "\t" in line.strip():
        return "\t"
    # "Nile: 6,650 km" is a line of a list, whose comma is part of a number.
    line = _GROUPED.sub("", line) if _LETTER.search(line) else line
    commas = line.count(",")
    return "," if commas and 2 * line.count(", ") <= commas and not line.rstrip().endswith((".", ":", "。")) else ""


def _table(block: tuple[str, list[_Line]], text: str) -> Table | None:
    mark, lines = block
    rows: list[tuple[Cell, ...]] = []
    ruled = 0
    for start, line in lines[:MOST_ROWS]:
        if mark == "|" and _RULE.match(line):
            ruled = ruled or len(rows)
            continue
        rows.append(tuple(_cells(start, line, mark, len(rows))))
    if mark == ",":
        rows = _even(rows)
    if len(rows) < 2 or max(len(row) for row in rows) < 2:
        return None
    before = text[max(0, lines[0][0] - _HEAD_CHARACTERS) : lines[0][0]].lower()
    return Table(tuple(rows), _heads(rows, ruled), before)


def _even(rows: list[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """The rows of a CSV: at least two lines of as many cells; prose with commas has none."""
    widths = [len(row) for row in rows]
    if len(rows) < 2 or any(one != other for one, other in pairwise(widths)):
        return []
    return rows


def _cells(start: int, line: str, mark: str, row: int) -> Iterator[Cell]:
    left, right = 0, len(line.rstrip())
    if mark == "|":
        left += len(line) - len(line.lstrip())
        left += line[left : left + 1] == "|"
        right -= line[:right].endswith("|") and right > left
    if mark == ",":
        spans = _comma_spans(line, right)
        parts = ((begin, line[begin:end]) for begin, end in spans)
    else:
        parts = _parts(line[left:right].split(mark, MOST_COLUMNS), left)
    for column, (begin, part) in enumerate(islice(parts, MOST_COLUMNS)):
        text = part.strip(_AROUND)
        first = start + begin + (len(part) - len(part.lstrip(_AROUND)) if text else 0)
        yield Cell(first, first + len(text), text[:_MOST_CELL], row, column)


def _parts(parts: Iterable[str], position: int) -> Iterator[tuple[int, str]]:
    """Parts of a line with one sign between them, each with where it starts."""
    for part in parts:
        yield position, part
        position += len(part) + 1


def _comma_spans(line: str, right: int) -> Iterable[tuple[int, int]]:
    position = 0
    while position <= right:
        match = _CSV_CELL.match(line, position, right)
        end = match.end() if match is not None else position
        yield position, end
        position = end + 1


def _heads(rows: Sequence[tuple[Cell, ...]], ruled: int) -> int:
    """How many of the first rows are heads: those without quantities, at most ``MOST_HEADS``."""
    count = 0
    for row in rows[: min(MOST_HEADS, len(rows) - 1)]:
        filled = [cell for cell in row if cell.text]
        numbers = [cell for cell in filled if cell.numeric]
        if (numbers and (len(numbers) > 1 or filled[0] not in numbers)) or (count and is_section(row)):
            break
        labelled = any(cell.text for cell in row[:1])
        if count and labelled and not (_of_years(rows[count:]) or _above_numbers(row, rows[count + 1 :])):
            break
        count += 1
    return max(count, min(ruled, 1))


def is_section(row: Sequence[Cell]) -> bool:
    """Whether a row names those that follow: text in its first cell alone, or the same text in all its cells."""
    said = {cell.text for cell in row if cell.text}
    filled = sum(bool(cell.text) for cell in row)
    return len(row) > 1 and len(said) == 1 and bool(row[0].text) and filled in (1, len(row)) and not row[0].numeric


def _of_years(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether the first of some rows reads as heads and the next does not: a table of years has them in all."""
    return _like_heads(rows[0]) and not (len(rows) > 1 and _like_heads(rows[1]) and any(c.text for c in rows[1][1:]))


def _like_heads(row: Sequence[Cell]) -> bool:
    """Whether a further row reads as heads: all its cells but the first are years, scales, or nothing."""
    return all(not cell.text or YEAR_LIKE.match(cell.text) or len(cell.text) <= 4 for cell in row[1:])


def _above_numbers(row: Sequence[Cell], below: Sequence[tuple[Cell, ...]]) -> bool:
    """Whether a row without numbers has words or years in two columns of numbers, and in half of what it fills."""
    filled = [cell for cell in row[1:] if _WORD_OR_YEAR.match(cell.text)]
    above = sum(_mostly_numbers(cell.column, below) for cell in filled)
    return above > 1 and 2 * above >= len(filled)


def _mostly_numbers(column: int, rows: Sequence[tuple[Cell, ...]]) -> bool:
    cells = [row[column] for row in rows[:_LOOKED_BELOW] if column < len(row) and row[column].text.strip(" -–—")]
    return bool(cells) and 2 * sum(cell.numeric for cell in cells) >= len(cells)


def _records(text: str) -> Iterator[Table]:
    """A list of JSON objects as a table whose heads are their keys."""
    rows: list[dict[str, Cell]] = []
    columns: dict[str, int] = {}
    for found in _OBJECT.finditer(text):
        if len(rows) >= MOST_ROWS:
            break
        record: dict[str, Cell] = {}
        for pair in _PAIR.finditer(text, found.start(), found.end()):
            key = pair[1]
            if key not in columns and len(columns) < MOST_COLUMNS:
                columns[key] = len(columns)
            if key in columns:
                start, end = pair.span(2)
                value = pair[2]
                if value.startswith('"'):
                    start, end = start + 1, end - 1
                    value = _unescaped(value)
                record[key] = Cell(start, end, value[:_MOST_CELL], len(rows) + 1, columns[key])
        if record:
            rows.append(record)
    if len(rows) > 1 or len(columns) > 1:
        first = min(cell.start for cell in rows[0].values())
        head = tuple(Cell(first, first, key.replace("_", " "), 0, number) for key, number in columns.items())
        body = [_in_columns(row, columns, number) for number, row in enumerate(rows, 1)]
        yield Table((head, *body), 1)


def _in_columns(record: dict[str, Cell], columns: dict[str, int], row: int) -> tuple[Cell, ...]:
    first = min(cell.start for cell in record.values())
    return tuple(record.get(key) or Cell(first, first, "", row, number) for key, number in columns.items())


def _unescaped(value: str) -> str:
    if "\\" not in value:
        return value[1:-1]
    try:
        return str(json.loads(value))
    except ValueError:
        return value[1:-1]
