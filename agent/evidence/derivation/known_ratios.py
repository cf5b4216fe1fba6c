"""Ratios whose name says what they are of: an operating margin is of sales, a return on equity of equity."""

from __future__ import annotations

import re

from agent.evidence.tables.subjects import Subjects

_SALES = ("売上高", "売上収益", "営業収益", "revenue", "total revenue", "net revenue", "net sales", "sales", "turnover")
_ASSETS = ("資産合計", "総資産", "total assets")
_EQUITY = ("純資産", "自己資本", "株主資本", "equity", "total equity", "shareholders", "stockholders")
_OVERHEAD = ("販売費及び一般管理費", "販管費", "selling, general and administrative")
# What names a ratio, the rows that it is of where they are called otherwise, and the rows it is a share of.
_RATIOS: tuple[tuple[re.Pattern[str], tuple[str, ...], tuple[str, ...]], ...] = (
    (re.compile(r"自己資本比率|純資産比率|equity ratio"), _EQUITY, _ASSETS),
    (re.compile(r"(?<![a-z])roe(?![a-z])|自己資本利益|純資産利益|return on (?:\w+ )?equity"), (), _EQUITY),
    (re.compile(r"(?<![a-z])roa(?![a-z])|総資産|return on (?:\w+ )?assets"), (), _ASSETS),
    (re.compile(r"販管費率|販売管理費率"), _OVERHEAD, _SALES),
    (re.compile(r"利益率|損失率|費率|原価率|\bmargin|\bmarge"), (), _SALES),
)
_MOST = 2  # rows: "Sales" and "Sales of services"


def ratio_named(subjects: Subjects, said: str) -> tuple[list[int], list[int]]:
    """The rows that a ratio named in ``said`` (in lower case) is of, none for those of its own name, and its bases.

    Both are empty where none is named.
    """
    for pattern, tops, bases in _RATIOS:
        if pattern.search(said):
            return _rows(subjects, tops), _rows(subjects, bases)
    return [], []


def _rows(subjects: Subjects, labels: tuple[str, ...]) -> list[int]:
    body = subjects.table.body if labels else ()
    return [row[0].row for row in body if row[0].text.lower().startswith(labels)][:_MOST]
