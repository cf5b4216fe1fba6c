"""Ratios and differences whose name says what they are of: an operating margin is of sales, working capital is what
current assets are more than current liabilities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from agent.evidence.tables.subjects import Subjects
from agent.evidence.tables.table_model import Cell
from agent.evidence.tables.year_columns import year_of_head
from agent.text.regex import regex

_SALES = (
    "売上高", "売上収益", "営業収益", "revenue", "total revenue", "net revenue", "total net revenue", "net sales",
    "total net sales", "total sales", "sales", "turnover", "umsatzerlöse", "umsatz", "chiffre d'affaires", "ingresos",
)  # fmt: skip
_ASSETS = ("資産合計", "総資産", "total assets")
_EQUITY = ("純資産", "自己資本", "株主資本", "equity", "total equity", "shareholders", "stockholders")
_OVERHEAD = ("販売費及び一般管理費", "販管費", "selling, general and administrative")
_CURRENT_ASSETS = ("total current assets", "current assets", "流動資産")
_CURRENT_DEBTS = ("total current liabilities", "current liabilities", "流動負債")
# What names a ratio, the rows that it is of where they are called otherwise, and the rows it is a share of.
_RATIOS: tuple[tuple[re.Pattern[str], tuple[str, ...], tuple[str, ...]], ...] = (
    (regex(r"\bcurrent ratio|流動比率"), _CURRENT_ASSETS, _CURRENT_DEBTS),
    (regex(r"自己資本比率|純資産比率|equity ratio"), _EQUITY, _ASSETS),
    (regex(r"(?<![a-z])roe(?![a-z])|自己資本利益|純資産利益|return on (?:\w+ )?equity"), (), _EQUITY),
    (regex(r"(?<![a-z])roa(?![a-z])|総資産|return on (?:\w+ )?assets"), (), _ASSETS),
    (regex(r"販管費率|販売管理費率"), _OVERHEAD, _SALES),
    (
        regex(r"\bgross(?: profit)? margin|bruttomarge|marge brute"),
        ("gross profit", "bruttoergebnis", "marge brute"),
        _SALES,
    ),
    (
        regex(r"\b(?:operating|ebit)(?: profit)? margin|ebit-marge|marge opérationnelle"),
        ("operating income", "operating profit", "income from operations", "ebit", "betriebsergebnis"),
        _SALES,
    ),
    (
        regex(r"\bnet(?: profit| income)? margin|nettomarge|marge nette"),
        ("net income", "net profit", "profit for the"),
        _SALES,
    ),
    (regex(r"利益率|損失率|費率|原価率|\bmargin|\bmarge"), (), _SALES),
)
_COST = ("売上原価", "cost of sales", "cost of revenue", "cost of goods")
_PROFIT = ("operating income", "operating profit", "net income", "net profit", "営業利益", "当期純利益")
# What names a difference, the rows that it is of, and the rows that these are less by.
_DIFFERENCES: tuple[tuple[re.Pattern[str], tuple[str, ...], tuple[str, ...]], ...] = (
    (regex(r"\b(?:total|overall|all) (?:operating )?(?:expenses|costs)\b"), _SALES, _PROFIT),
    (regex(r"gross profit|売上総利益"), _SALES, _COST),
    (regex(r"cost of (?:sales|revenue|goods)|\bcogs\b|売上原価"), _SALES, ("gross profit", "売上総利益")),
    (regex(r"working capital|運転資[本金]"), _CURRENT_ASSETS, _CURRENT_DEBTS),
)
# The same of two columns.
_OF_COLUMNS: tuple[tuple[re.Pattern[str], tuple[str, ...], tuple[str, ...]], ...] = (
    (
        regex(r"goal difference|tordifferenz|différence de buts|得失点"),
        ("gf", "goals for", "for", "scored", "goals scored", "tore", "bp", "得点"),
        ("ga", "goals against", "against", "conceded", "goals conceded", "gegentore", "bc", "失点"),
    ),
    (
        regex(r"profit|\bearn|\bmargin|gewinn|bénéfice|利益|\bloss\b|\blost\b"),
        ("revenue", "gross", "sales", "income", "turnover", "umsatz", "売上"),
        ("cost", "budget", "expense", "spend", "kosten", "費用", "予算"),
    ),
)
_MOST_COLUMNS = 6
_MOST = 2  # rows: "Sales" and "Sales of services"


def ratio_named(subjects: Subjects, texts: Sequence[str]) -> tuple[list[int], list[int]]:
    """The rows of the ratio that the first of some texts (in lower case) names, none for its own name, and its bases.

    Both are empty where none is named.
    """
    for said, (pattern, tops, bases) in product(texts, _RATIOS):
        if pattern.search(said):
            return _rows(subjects, tops), _rows(subjects, bases)
    return [], []


def pairs_of_ratio(
    subjects: Subjects, rows: Sequence[int], texts: Sequence[str], words: frozenset[str], every: bool
) -> Iterator[list[list[Cell]]]:
    """The cells that a ratio named in ``texts`` is of, each with its base, for each two rows or columns.

    Of the columns that ``words`` name best, or of ``every`` one; of sales that are a column, in the same row and year.
    """
    body = subjects.table.rows
    tops, bases = ratio_named(subjects, texts)
    columns = subjects.table.numeric_columns[:_MOST_COLUMNS]
    meant = columns if every else columns_meant(subjects, words)
    for row, base in product(tops or rows[:2], bases):
        pairs = [[cells[column] for cells in (body[row], body[base]) if column < len(cells)] for column in meant]
        yield [pair for pair in pairs if row != base and len(pair) == 2 and all(cell.numeric for cell in pair)]
    of_sales = [column for column in columns if subjects.table.column_heads[column].startswith(_SALES)]
    for row in rows[:_MOST] if of_sales and not bases and any(map(_RATIOS[-1][0].search, texts)) else ():
        cells = [
            (cell, year_of_head(subjects, cell.column)) for cell in body[row] if cell.numeric and "%" not in cell.text
        ]
        sales = [(cell, year) for cell, year in cells if cell.column in of_sales]
        yield [[top, base] for (top, one), (base, other) in product(cells, sales) if top is not base and one == other]


def pairs_of_difference(subjects: Subjects, texts: Sequence[str], words: frozenset[str]) -> Iterator[list[Cell]]:
    """The two cells of the differences that the first of some texts names, in each column that ``words`` name best."""
    meant = columns_meant(subjects, words)
    named = ([(tops, bases) for pattern, tops, bases in _DIFFERENCES if pattern.search(said)] for said in texts)
    for tops, bases in next(filter(None, named), ()):
        for row, base, column in product(_rows(subjects, tops), _rows(subjects, bases), meant):
            cells = [subjects.table.rows[one][column : column + 1] for one in (row, base)]
            yield [cell for found in cells for cell in found if cell.numeric]


def pairs_of_columns(subjects: Subjects, rows: Sequence[int], said: str) -> Iterator[list[Cell]]:
    """The two cells of a row that a difference which a text in lower case names is of: goals for and against."""
    heads, columns = subjects.table.column_heads, subjects.table.numeric_columns
    named = ((tops, bases) for pattern, tops, bases in _OF_COLUMNS if pattern.search(said))
    for tops, bases in named:
        both = [[one for one in columns if heads[one].startswith(names)] for names in (tops, bases)]
        for row, top, base in product(rows[:_MOST], *both):
            cells = [subjects.table.rows[row][column : column + 1] for column in (top, base)]
            yield [cell for found in cells for cell in found if cell.numeric]


def columns_meant(subjects: Subjects, words: frozenset[str]) -> list[int]:
    """The first few columns of numbers, or those of them whose heads say most of some words."""
    columns = subjects.table.numeric_columns[:_MOST_COLUMNS]
    named = {column: len(subjects.heads[column] & words) for column in columns}
    return [column for column in columns if named[column] == max(named.values())]


def _rows(subjects: Subjects, labels: tuple[str, ...]) -> list[int]:
    body = subjects.table.body if labels else ()
    named = (row for row in body if row[0].text.lower().startswith(labels))
    return [row[0].row for row in named if any(cell.numeric for cell in row)][:_MOST]
