"""A table of an observation, in whatever form it came.

A cell knows its place in the text. A table knows which of its first rows are heads, which of its rows name a section
of those that follow, and what its head lines say of scale.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from agent.evidence.tables.cell_words import LONG_WORD, beginnings, tokens
from agent.evidence.tables.digits import figures, size
from agent.text.regex import regex

_DIGIT = regex(r"[0-9]")
_LETTER = regex(r"[^\W\d_]{2}")
YEAR_LIKE = regex(  # not 184200, nor 1744.80
    r"\D*(?:1[5-9]|20|21)[0-9]{2}(?:\D*|(?![.,](?:00|1[3-9]|[2-9][0-9])$)\D+(?:1[5-9]|20|21)?[0-9]{2}\D*)$"
)
_AMOUNT = regex(r"[-−+$€£¥][$€£¥ ]*[0-9]{4}$")  # no year has a sign
_BETWEEN_YEARS = frozenset("–-/")
_HEADING = regex(r"(?m)^#+ .+")
_NUMERIC = regex(
    r"[\s(\[−△▲+±~≈<>-]*(?:[A-Z]{0,3}[$€£¥₩₹])?\s*[(−-]?[0-9][0-9.,:'\u00a0 ]*"
    r"(?:\)(?=\s?%))?\s*(?:(?:thousand|[mbtr]+illion|mn|bn|sq\.?|square|cubic) )?"
    r"(?:%|[a-zA-Z°%€£$¥/²³.]{1,12})?\s*[)\]*†‡]*$"
)

_DECIMALS = regex(r"[0-9][.,](?:[0-9]{1,2}|[0-9]{4,})(?![0-9.,])")
NUMBER = regex(r"-?[0-9][0-9,.]*")
MOST_COLUMNS = 40
MOST_CELLS = 1_000
_FEWEST = 3  # rows that another one may be the sum of
_FEWEST_YEARS = 3
_ROUNDED = 0.0005
_FOOTNOTE = regex(r"[(\[][0-9]{1,2}[)\]]")
_LABELS = 3  # columns in which a row may be called total
TOTAL = ("total", "sum", "overall", "合計", "総計", "計", "gesamt", "insgesamt", "summe")
_CALLED_TOTAL = regex(  # no "Sumi", no 計画
    r"(?:totals?|sums?|overall)(?![^\W\d_])|(?:ins)?gesamt|summen?(?![^\W\d_])|合計|総計|計(?![画算測器量上])|"
    r"(?:all|alle|全体)$"
)
_TOTAL = regex(r"\b(?:totals?|overall|insgesamt|gesamt)\b|合計|総計")


class Cell(NamedTuple):
    """Characters ``start`` to ``end`` of the source, in row and column (from 0, head rows included).

    ``counted`` tells that what could be a year is a number like the others of its column, ``coded`` that what could be
    a quantity is a name: "7a" above "7b".
    """

    start: int
    end: int
    text: str
    row: int
    column: int
    counted: bool = False
    coded: bool = False

    @property
    def numeric(self) -> bool:
        """Whether it holds one quantity and nothing else, a year apart."""
        return self.counted or (not self.coded and _is_numeric(self.text))


@lru_cache(maxsize=8_192)
def _is_numeric(text: str) -> bool:
    return _NUMERIC.match(text) is not None and (YEAR_LIKE.match(text) is None or _AMOUNT.match(text) is not None)


@dataclass(frozen=True)
class Table:
    """``rows`` are the rows as they stand, ``heads`` how many of the first ones are heads of columns.

    ``before`` is the text before it that may be its caption, in lower case. ``other_years`` stand in the heads of
    other tables that it was one with, and not in its own.
    """

    rows: tuple[tuple[Cell, ...], ...]
    heads: int
    before: str = ""
    other_years: frozenset[str] = frozenset()

    @cached_property
    def start(self) -> int:
        return min([cell.start for cell in self.rows[0]])

    @cached_property
    def end(self) -> int:
        return max([cell.end for cell in self.rows[-1]])

    @cached_property
    def body(self) -> tuple[tuple[Cell, ...], ...]:
        return self.rows[self.heads :]

    @cached_property
    def fraction_columns(self) -> frozenset[int]:
        """The columns in which a number has decimals: amounts, and no counts."""
        cells = (cell for row in self.body for cell in row if cell.numeric)
        return frozenset(cell.column for cell in cells if _DECIMALS.search(cell.text) is not None)

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
        texts = [_TYPE.sub("", cell.text).lower() for cell in row] + [""] * (self.width - len(row))
        filled = [text for text in texts[1:] if text]
        last = filled[0] if len(filled) == 1 and row[0].row < self.heads - 1 else ""
        for column, text in enumerate(texts[1:], 1):
            last = text or last
            texts[column] = last
        return texts

    @cached_property
    def sections(self) -> tuple[str, ...]:
        """For each row the row before it that names a section: text in one cell alone, or the same in all."""
        found: list[str] = []
        section = ""
        for number, row in enumerate(self.rows):
            if is_section(row) or (number >= self.heads and is_title(row)):
                section = next(cell.text.lower() for cell in row if cell.text)
                found.append("")
            else:
                found.append(section)
        return tuple(found)

    def closed_by(self, row: int) -> str:
        """The section that a row is the sum of: the first one without a label below labelled rows; else ""."""
        section = self.sections[row] if not self.rows[row][0].text else ""
        above = [one for one in range(row) if self.sections[one] == section] if section else []
        closes = above[-1:] == [row - 1] and all([self.rows[one][0].text for one in above])
        return section if closes else ""

    @cached_property
    def _row_starts(self) -> list[int]:
        return [min([cell.start for cell in row]) for row in self.rows]

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

    @cached_property
    def numbers(self) -> tuple[tuple[list[Cell], tuple[str, ...]], ...]:
        """The first cells that are filled of each of the first columns, and the numbers in those that hold one."""
        found: list[tuple[list[Cell], tuple[str, ...]]] = []
        for column in range(min(self.width, MOST_COLUMNS)):
            cells = [cell for cell in self.column(column) if cell.text][:MOST_CELLS]
            numbers = [NUMBER.search(cell.text) for cell in cells if cell.numeric]
            found.append((cells, tuple([match[0].rstrip(".,") for match in numbers if match is not None])))
        return tuple(found)

    @cached_property
    def sizes(self) -> dict[int, dict[int, float]]:
        """The numbers of each column of numbers by their row; below nought as accounts write it, too: "(71)"."""
        columns = ((one, self.column(one)) for one in self.numeric_columns)
        return {one: {cell.row: _signed(cell.text) for cell in cells if cell.numeric} for one, cells in columns}

    @cached_property
    def year_columns(self) -> frozenset[int]:
        """Columns in which all cells that are filled are years and no quantities."""
        columns = ((number, [cell for cell in self.column(number) if cell.text]) for number in range(self.width))
        return frozenset(
            number
            for number, cells in columns
            if cells and all(YEAR_LIKE.match(cell.text) and not cell.numeric for cell in cells)
        )

    @cached_property
    def titled(self) -> frozenset[str]:
        """The words of the headings above the table: they are of all of its rows."""
        return tokens("\n".join(_HEADING.findall(self.before)))

    @cached_property
    def by_year(self) -> dict[str, int]:
        """The rows by their years, where there are three and more and each row has its own."""
        for column in sorted(self.year_columns)[:1]:
            cells = self.column(column)
            years = {figures(cell.text)[:4]: cell.row for cell in cells}
            if len(years) == len(cells) >= _FEWEST_YEARS:
                return years
        return {}

    @cached_property
    def last_totals(self) -> list[int]:
        """The last two rows that are called totals, or the last row of all where it has no label or is their sum."""
        body = self.body
        found = [row[0].row for row in body if called_total(row[0].text.lower())]
        if body and (not body[-1][0].text or (not found and self._adds_up)):
            found.append(body[-1][0].row)
        return found[-2:]

    @cached_property
    def _adds_up(self) -> bool:
        """Whether the last row has what three or more rows above come to, in some column, as it may be rounded."""
        every = (list(map(abs, sizes.values())) for sizes in self.sizes.values() if len(sizes) == len(self.body))
        return len(self.body) > _FEWEST and any(
            whole > 0 and abs(sum(parts) - whole) <= _ROUNDED * whole for *parts, whole in every
        )

    @cached_property
    def parts(self) -> frozenset[int]:
        """The rows of the body that name no section and are no totals."""
        labels = ((row, row[0].text.lower().rstrip()) for row in self.body if not is_section(row))
        return frozenset(row[0].row for row, label in labels if not (label.endswith(":") or called_total(label)))

    @cached_property
    def labels(self) -> dict[int, frozenset[str]]:
        """The rows that are parts of what their column comes to, each with the words of its label."""
        parts = (row for row in sorted(self.parts) if row not in self.last_totals)
        return {row: tokens(_FOOTNOTE.sub(" ", self.rows[row][0].text.lower())) for row in parts}

    @cached_property
    def by_word(self) -> dict[str, list[int]]:
        """Those rows under one of the words of their label."""
        found: dict[str, list[int]] = {}
        for row, label in self.labels.items():
            if label:
                found.setdefault(min(label), []).append(row)
        return found

    def called(self, words: frozenset[str]) -> list[int]:
        """Those of them whose whole label words say."""
        rows = [row for word in words if word in self.by_word for row in self.by_word[word]]
        return sorted([row for row in rows if self.labels[row] <= words])

    @cached_property
    def names(self) -> list[tuple[int, str]]:
        """The rows with a label, and each word of it that no other row has; the whole label, too."""
        words: dict[int, list[str]] = {}
        for row in self.parts:
            text = self.rows[row][0].text.lower()
            if not self.rows[row][0].numeric:
                parts = (part for word in LONG_WORD.findall(text) for part in beginnings(word))
                words[row] = [*filter(None, [text.strip()]), *parts]
        counts = Counter(word for several in words.values() for word in {*several})
        return [(row, word) for row, several in words.items() for word in several if counts[word] == 1]

    @cached_property
    def totals(self) -> frozenset[int]:
        """The rows of the body whose label has the word total."""
        labels = ((row[0].row, cell.text.lower()) for row in self.body for cell in row[:_LABELS])
        return frozenset(row for row, label in labels if _TOTAL.search(label))


_TYPE = regex(  # of a column, as a query's result says it behind its name; "ORDER DATE" is a name
    r" (?:U?(?:BIG|SMALL|TINY|HUGE)?INT(?:EGER)?|DOUBLE|FLOAT|NUMERIC|DECIMAL|VARCHAR|BOOLEAN|"
    r"TIMESTAMP(?: WITH TIME ZONE)?|(?<=[a-z0-9_] )(?:DATE|TIME|TEXT|REAL))(?:\([0-9, ]+\))?$"
)
_OF_PARTS = regex(  # "2025-09-08 14:30", "08.09.2025", "8 Sep 2025", "Sep 8, 2025", "1 h 35 min", "5 ft 6 in"
    r"[0-9]{4}[-/年][0-9]{1,2}|[0-9]{1,2}([./])[0-9]{1,2}\1(?:[0-9]{2}|$)|[0-9]月|"
    r"[0-9]\.? [^\W\d_]{3,9}\.?,? [0-9]{4}$|[^\W\d_]{3} [0-9]{1,2},? [0-9]{4}$|"
    r"[0-9] ?(?:h(?:rs?|ours?)?|m(?:in)?|d|ft|lb|st|Std\.?|時間|日|['′°]),? ?[0-9]"
)


def called_total(label: str) -> bool:
    """Whether a label in lower case begins with a word for a total."""
    return _CALLED_TOTAL.match(label) is not None


def _signed(text: str) -> float:
    value = size(figures(text))
    return -value if text[0] in "(-−–" else value


def value_of(text: str) -> str:
    """What a cell says: a number as its digits; years ("1998–2011"), days, spans and words as they stand."""
    years = not _BETWEEN_YEARS.isdisjoint(text) and YEAR_LIKE.match(text)
    return text if years or _OF_PARTS.search(text) is not None else figures(text) or text


def is_label(cell: Cell) -> bool:
    """Whether a cell names its row in words: "Basalt 1.1 (2021-12-26)"."""
    return not cell.column and not cell.numeric and not YEAR_LIKE.match(cell.text)


def is_section(row: Sequence[Cell]) -> bool:
    """Whether a row names those that follow: text in its first cell alone, or the same text in all its cells."""
    if len(row) < 2 or not row[0].text or (row[1].text and row[1].text != row[0].text):
        return False  # most rows
    said = {cell.text for cell in row if cell.text}
    filled = sum(bool(cell.text) for cell in row)
    return len(said) == 1 and filled in (1, len(row)) and not row[0].numeric


def is_title(row: Sequence[Cell]) -> bool:
    """Whether a row has text in a single cell that is not its first one."""
    if len(row) < 2 or row[0].text:
        return False
    filled = [cell for cell in row if cell.text]
    return len(filled) == 1 and not filled[0].numeric and _LETTER.search(filled[0].text) is not None
