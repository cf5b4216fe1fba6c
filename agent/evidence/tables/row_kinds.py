"""Rows of a table that is being read: which of them are heads, and which numbers only look like years."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from agent.evidence.tables.cell_words import CODE
from agent.evidence.tables.table_model import YEAR_LIKE, Cell, is_section, is_title
from agent.text.regex import regex

MOST_ROWS = 2_000
MOST_COLUMNS = 60
MOST_HEADS = 4
MOST_CELL = 400  # characters of a cell that are looked at
_LONG_NUMBER = 6  # digits
_WITH_CENTS = regex(r"[-−+$€£¥ ]*[0-9]+[.,][0-9]{2}")
_LOOKED_BELOW = 12  # rows below a line that may be a head
_FEWEST_OTHERS = 8  # numbers, of which one is no year
_OF_YEARS = regex(
    r"year|date|since|found|built|build|open|clos|establish|born|birth|died|death|started|ended|^from$|^to$|"
    r"until|complet|publish|release|season|edition|jahr|gegründet|erbaut|eröffn|geboren|gestorben|seit|ann[ée]e|"
    r"fond|naissance|mort|année|año|fund|nac|desde|anno|年|時代",
    re.I,
)
_OF_SUMS = regex(r" (?:HUGEINT|DOUBLE|DECIMAL\([0-9, ]+\))$")
_WORD_OR_YEAR = regex(r"(?!n\.?[/.]?[am]\.?$|nil$|none$)[^\d]*[^\W\d_]|.*(?:1[5-9]|20|21)[0-9]{2}", re.I)

_SEVERAL = regex(  # of a head: what is counted
    r"(?<![^\W\d_])(?!(?:olympics|games|championships|elections|finals|playoffs|census|series)\b)[a-z]{3,}(?<!s)s$",
    re.I,
)
_TIME = regex(r"[0-2]?[0-9][:.h][0-5][0-9](?: ?(?:[-–]|to|bis) ?[0-2]?[0-9][:.h][0-5][0-9])?(?: ?[ap]m)?")
_RANKS = frozenset(("", "#", "pos", "position", "rank", "no", "nr", "platz", "rang", "place", "index", "順位"))
_RANK = regex(r"[0-9]{1,3}")
_LETTER = regex(r"[^\W\d_]")
_FEWEST_RANKED = 2  # rows, and cells that each has more of
_WORDS = regex(r"[^\d]*[^\W\d_]{2}[^\d]*")
_FEWEST_WORDS = 3  # of a head with cells that could be quantities: above numbers, and no fewer than these


def counted(rows: list[tuple[Cell, ...]], heads: int) -> list[tuple[Cell, ...]]:
    """The rows, with what could be a year as a number in columns that have as many other numbers, and codes as names.

    One in eight is enough below a head that says nothing of years: "rating" above 1742, 1903, 1455 and 2014. So is
    none below one whose type is that of a sum or a mean, or which counts things: "total HUGEINT" above 1620, "signups";
    and none beside a column whose head says that its numbers are years.
    """
    plain = [cell for row in rows[heads:] for cell in row if cell.text.isdigit() and len(cell.text) < _LONG_NUMBER]
    columns = Counter(cell.column for cell in plain)
    years = Counter(cell.column for cell in plain if YEAR_LIKE.match(cell.text))
    said = {column: " ".join(row[column].text for row in rows[:heads] if column < len(row)) for column in columns}
    dated = {column for column in years if said[column].strip() and says_years(said[column])}
    mixed = {
        column
        for column, count in years.items()
        if 2 * count < columns[column]
        or (
            (
                _FEWEST_OTHERS * count <= (_FEWEST_OTHERS - 1) * columns[column]
                or dated - {column}
                or _is_measured(rows[:heads], column)
                or any(_SEVERAL.search(row[column].text) for row in rows[:heads][-1:] if column < len(row))
            )
            and not says_years(said[column])
        )
    }
    for row in {cell.row for cell in plain if cell.column in mixed}:
        rows[row] = tuple([cell._replace(counted=cell.column in mixed and cell.text.isdigit()) for cell in rows[row]])
    for cell in _amounts(rows, heads):
        row = rows[cell.row]
        rows[cell.row] = (*row[: cell.column], cell._replace(counted=True), *row[cell.column + 1 :])
    names = [row[0].text for row in rows[heads:] if row]
    if len({name[-1:] for name in names}) > 1 and all(map(CODE.fullmatch, names)):
        rows[heads:] = [(row[0]._replace(coded=True), *row[1:]) for row in rows[heads:]]
    return rows


def _amounts(rows: list[tuple[Cell, ...]], heads: int) -> list[Cell]:
    """The cells that could be a month of a year in a column that has other amounts: "1526.04" below "612.18"."""
    cells = [cell for row in rows[heads:] for cell in row if _WITH_CENTS.fullmatch(cell.text)]
    months = [cell for cell in cells if YEAR_LIKE.match(cell.text)]
    others = {cell.column for cell in cells if not YEAR_LIKE.match(cell.text)} if months else set[int]()
    dated = {
        column for row in rows[:heads] for column in others if column < len(row) and _OF_YEARS.search(row[column].text)
    }
    return [cell for cell in months if cell.column in others - dated]


def says_years(head: str) -> bool:
    """Whether a column has no head, or one that speaks of years."""
    return not head.strip() or _OF_YEARS.search(head) is not None


def _is_measured(heads: Sequence[tuple[Cell, ...]], column: int) -> bool:
    """Whether a head has behind it the type of what a query adds up."""
    return any(column < len(row) and _OF_SUMS.search(row[column].text) is not None for row in heads)


def named_first(rows: list[tuple[Cell, ...]], heads: int) -> list[tuple[Cell, ...]]:
    """The rows with their names before their ranks: "Port Elm" before 2, of a table whose first column only numbers it.

    The cells keep their places in the text.
    """
    body = rows[heads:]
    if len(body) < _FEWEST_RANKED or heads > 1 or any(len(row) <= _FEWEST_RANKED for row in rows):
        return rows
    head = rows[0][0].text.lower().strip(" .") if heads else ""
    ranks = [row[0].text.rstrip(".") for row in body]
    if head not in _RANKS or not all(_RANK.fullmatch(rank) for rank in ranks):
        return rows
    numbers, names = [int(rank) for rank in ranks], [row[1] for row in body]
    rising = all(one < other for one, other in pairwise(numbers))
    if not rising or any(cell.numeric or not _LETTER.search(cell.text) for cell in names):
        return rows
    if len({cell.text for cell in names}) < len(names):
        return rows
    return [(name._replace(column=0), rank._replace(column=1), *rest) for rank, name, *rest in rows]


def heads_of(rows: Sequence[tuple[Cell, ...]], ruled: int) -> int:
    """How many of the first rows are heads: those without quantities, at most ``MOST_HEADS``."""
    count = 0
    for row in rows[: min(MOST_HEADS, len(rows) - 1)]:
        filled = [cell for cell in row if cell.text]
        if filled and not filled[0].column and _TIME.fullmatch(filled[0].text):
            break  # "09:30-09:45" above other times
        numbers = [cell for cell in filled if cell.numeric]
        measured = numbers and (len(numbers) > 1 or filled[0] not in numbers)
        if measured and not count and _words_above_numbers(row, rows[1:]) >= max(_FEWEST_WORDS, len(numbers)):
            measured = False  # "3P%" beside "player", "points" and "salary"; "25%" beside "mean", "min" and "max"
        if measured or (count and (is_section(row) or _opens_section(row))):
            break
        labelled = any(cell.text for cell in row[:1])
        if count and labelled and not (_of_years(rows[count:]) or _above_numbers(row, rows[count + 1 :])):
            break
        if count and labelled and _is_below_years(row, rows[count - 1]):
            break
        count += 1
    return max(count, min(ruled, 1))


def _opens_section(row: Sequence[Cell]) -> bool:
    return is_title(row) and next(cell.text for cell in row if cell.text).endswith(":")


def _of_years(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether the first of some rows reads as heads and the next does not: a table of years has them in all.

    Above rows without any number a second row of short words is one of them.
    """
    if not any(cell.numeric for row in rows[1:] for cell in row[1:]):
        return False
    return _like_heads(rows[0]) and not (len(rows) > 1 and _like_heads(rows[1]) and any(c.text for c in rows[1][1:]))


def _like_heads(row: Sequence[Cell]) -> bool:
    """Whether a further row reads as heads: all its cells but the first are years, scales, or nothing."""
    return all(not cell.text or YEAR_LIKE.match(cell.text) or len(cell.text) <= 4 for cell in row[1:])


def _is_below_years(row: Sequence[Cell], above: Sequence[Cell]) -> bool:
    """Whether all that may be years in a row stands below other years: "Lyon, 1850, 1920" below "City, 2022, 2023"."""
    pairs = [(one.text, other.text) for one, other in zip(row[1:], above[1:], strict=False) if one.text]
    return bool(pairs) and all(one != other and YEAR_LIKE.match(one) and YEAR_LIKE.match(other) for one, other in pairs)


def _above_numbers(row: Sequence[Cell], below: Sequence[tuple[Cell, ...]]) -> bool:
    """Whether a row without numbers has words or years in two columns of numbers, and in half of what it fills."""
    filled = [cell for cell in row[1:] if _WORD_OR_YEAR.match(cell.text)]
    above = sum(_mostly_numbers(cell.column, below) for cell in filled)
    return above > 1 and 2 * above >= len(filled)


def _words_above_numbers(row: Sequence[Cell], below: Sequence[tuple[Cell, ...]]) -> int:
    """How many columns of numbers have a word without any digit above them."""
    words = (cell for cell in row if _WORDS.fullmatch(cell.text))
    return sum(_mostly_numbers(cell.column, below) for cell in words)


def _mostly_numbers(column: int, rows: Sequence[tuple[Cell, ...]]) -> bool:
    cells = [row[column] for row in rows[:_LOOKED_BELOW] if column < len(row) and row[column].text.strip(" -–—")]
    return bool(cells) and 2 * sum(cell.numeric for cell in cells) >= len(cells)
