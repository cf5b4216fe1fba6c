"""The text of a query's result, read again: its rows and figures exactly as they were observed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from agent.data.tables.headings import EMPTY, capitalised, says_unit, unit_apart, words_of
from agent.data.tables.questions.table_schema import Asked, Column, Group, id_like
from agent.text.literal_marks import literal
from agent.text.piped import cells_piped
from agent.text.plain import japanese
from agent.text.regex import regex
from agent.text.sums.phrases import Value

_COUNT = regex(r"(?P<total>[\d,]+) rows?(?:; the first [\d,]+)?:")
_YEAR = regex(r"1[5-9]\d\d|20\d\d|2100")
_NONE = "No rows."
_BEFORE = ("$", "£", "¥")
_AMOUNT = regex(r"(-?)([\d,]+(?:\.\d+)?)")
_CENTS = 2  # digits
_SIGNS = (*_BEFORE, "€")
_MONEY = regex(r"(?P<whole>-?[$£€]?[\d,]+)(?:\.(?P<cents>\d\d?))?(?P<unit>(?: €)?)")
_UNKNOWN = (*EMPTY, "–", "")
_LONG = regex(r"-?\d{4,15}(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Seen:
    """``rows`` are the first of ``total``, each with as many cells as columns were asked for, as they were observed."""

    total: str
    rows: tuple[tuple[str, ...], ...]


def seen(observation: str, columns: int) -> Seen | None:
    """``None`` where it is no result but a sentence about what went wrong."""
    if observation.startswith(_NONE):
        return Seen("0", ())
    first, *lines = observation.split("\n")
    count = _COUNT.fullmatch(first.strip())
    if count is None or not lines:
        return None
    rows = (tuple(cells_piped(line)) for line in lines[1:])
    return Seen(count["total"], tuple(row for row in rows if len(row) == columns))


def found(observation: str) -> list[tuple[bool, str, str]] | None:
    """What a search for a value gave: whether it is the very text, its column, and the value."""
    if observation.startswith(_NONE):
        return []
    result = seen(observation, 4)
    if result is None:
        return None
    return [(difference == "0", column, value) for difference, _, column, value in result.rows]


def all_meant(hits: Sequence[tuple[bool, str, str]], text: str) -> tuple[str, ...]:
    """The first of the values that a search found, with those of its column that have the text as whole words, too."""
    if not hits or hits[0][0] or not _has(hits[0][2], text):
        return tuple(value for _, _, value in hits[:1])
    return tuple(value for _, column, value in hits if column == hits[0][1] and _has(value, text))


def _has(value: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", value, re.I) is not None


def only_figure(wanted: Asked, rows: Sequence[Sequence[str]]) -> Value | None:
    """The one figure that the answer to ``wanted`` is."""
    alone = len(rows) == 1 and not wanted.groups and wanted.measure != "rows"
    return Value(rows[0][0]) if alone and rows[0][0].lstrip("-").replace(".", "", 1).isdigit() else None


def grouped(figure: str) -> str:
    """1234567.5 as 1,234,567.5; what is no plain number stays."""
    if not _LONG.fullmatch(figure):
        return figure
    whole, point, rest = figure.partition(".")
    return f"{int(whole):,}{point}{rest}"


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]], figures: Sequence[bool]) -> list[str]:
    """In Markdown; the columns of ``figures`` to the right."""
    line = ["---:" if figure else "---" for figure in figures]
    even = zip(*map(_even, heads, zip(*rows, strict=True)), strict=True) if rows else ()
    escaped = [[literal(cell).replace("|", "\\|") for cell in row] for row in (heads, *even)]
    return [f"| {' | '.join(row)} |" for row in (escaped[0], line, *escaped[1:])]


def _even(head: str, cells: Sequence[str]) -> Sequence[str]:
    """The cells of a column of figures with one or two digits behind the point with as many each, of money with two."""
    amounts = [_MONEY.fullmatch(cell) for cell in cells]
    known = [amount for amount in amounts if amount]
    told = all(amount or cell in _UNKNOWN for amount, cell in zip(amounts, cells, strict=True))
    digits = max((len(amount["cents"] or "") for amount in known), default=0)
    if not (told and digits):
        return cells
    money = any(sign in text for sign in _SIGNS for text in (head, *cells))
    digits = _CENTS if money else digits
    return [
        f"{amount['whole']}.{(amount['cents'] or '').ljust(digits, '0')}{amount['unit']}" if amount else cell
        for amount, cell in zip(amounts, cells, strict=True)
    ]


def lines_told(heads: Sequence[str], rows: Sequence[Sequence[str]], figures: Sequence[bool]) -> list[str]:
    """A list in Markdown where there is one column or row, else a table as ``markdown_table`` has it."""
    if len(heads) == 1:
        return [f"- {literal(cell)}" for (cell,) in rows]
    if len(rows) == 1:
        pairs = zip(heads, rows[0], strict=True)
        return ["- " + ", ".join(f"{literal(head)}: {literal(cell)}" for head, cell in pairs)]
    return markdown_table(heads, rows, figures)


def cells_told(cells: tuple[str, ...], head: str) -> str:
    """The cells as people read them; what is empty is said in the language of ``head``."""
    return " / ".join(EMPTY[japanese(head)] if cell in ("NULL", "") else cell for cell in cells)


_YES_NO = {"true": ("yes", "はい"), "false": ("no", "いいえ")}


def cell_told(column: Column | None, cell: str) -> str:
    """As people read it: figures with marks between thousands, yes and no in the language of the column's head."""
    if column and column.kind == "boolean" and cell in _YES_NO:
        return _YES_NO[cell][japanese(column.called)]
    return grouped(cell) if column and column.kind == "number" and not is_plain(column) else cell


def rows_shown(columns: Sequence[Column | None], rows: Sequence[Sequence[str]], names: Sequence[str]) -> list[str]:
    """Rows of a table as ``lines_told`` has them; ``columns`` are those of the cells, called ``names``, where known.

    A unit stands behind the head of a column with several rows below it, else behind the figure.
    """
    heads = [_headed(column.called if column else name) for column, name in zip(columns, names, strict=True)]
    units = [column.unit if column and not says_unit(column.called, column.unit) else "" for column in columns]
    several = len(rows) > 1 and len(columns) > 1
    behind = [unit if unit in _BEFORE or not several else "" for unit in units]
    told = [
        f"{head} ({unit})" if unit and not one else head for head, unit, one in zip(heads, units, behind, strict=True)
    ]
    cells = [
        [
            cells_told((with_unit(cell_told(column, cell), unit) if cell else cell,), head)
            for head, column, unit, cell in zip(heads, columns, behind, row, strict=True)
        ]
        for row in rows
    ]
    return lines_told(told, cells, [column is not None and column.kind == "number" for column in columns])


def _headed(name: str) -> str:
    """A name for programs that ends in a unit as words: height_cm as "Height (cm)"."""
    apart = unit_apart(words_of(name))
    return name if apart == words_of(name) else capitalised(apart)


def yes_or_no(groups: Sequence[Group], row: Sequence[str]) -> tuple[str, ...]:
    """The row with its groups as people read them, where these are of yes and no."""
    told = (
        cell_told(one.column, cell) if one.column.kind == "boolean" else cell
        for one, cell in zip(groups, row, strict=False)
    )
    return (*told, *row[len(groups) :])


def is_plain(column: Column) -> bool:
    """Whether its figures have no marks between thousands: they name things, or all of them may be years."""
    return id_like(column) or all(_YEAR.fullmatch(end) for end in (column.least, column.most))


def rows_counted(count: str) -> str:
    """ "1 row", "1,200 rows"."""
    return f"{grouped(count)} row{'' if count == '1' else 's'}"


def ranked(asked: Asked) -> str:
    """Which end of the figures is told, where one is: ", the largest first"."""
    last = {"up": ", the smallest", "down": ", the largest"}.get(asked.order, "") if asked.limit else ""
    return f"{last} first" if last and asked.limit > 1 else last


def asked_told(figure: str, asked: Asked) -> str:
    """With marks between thousands, but for years and numbers of things; units as the table has them."""
    if asked.measure in ("sum", "count", "distinct") or not (asked.column and is_plain(asked.column)):
        figure = grouped(figure)
    unit = asked.column.unit if asked.column and asked.measure not in ("count", "distinct") else ""
    return with_unit(figure, unit)


def with_unit(figure: str, unit: str) -> str:
    """ "12 kg", "12%", "$12.50": dollars, pounds and yen stand before the figure, with two digits of cents or none."""
    if not unit or figure == "NULL":
        return figure
    amount = _AMOUNT.fullmatch(figure) if unit in _BEFORE else None
    if amount is not None:
        return f"{amount[1]}{unit}{_to_cents(amount[2])}"
    return f"{figure}%" if unit == "%" else f"{figure} {unit}"


def _to_cents(amount: str) -> str:
    """12.5 as 12.50, 1,234.5678 as 1,234.57; less than one, such as the price of a sheet, keeps all of its digits."""
    whole, point, digits = amount.partition(".")
    if len(digits) > _CENTS and whole.strip("0"):
        return f"{Decimal(amount.replace(',', '')).quantize(Decimal('0.01'), ROUND_HALF_UP):,}"
    return f"{whole}{point}{digits.ljust(_CENTS, '0') if digits else ''}"
