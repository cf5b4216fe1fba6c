"""Months and years that Japanese names by how far they are from today, as the calendar calls them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING

from agent.text.regex import regex

if TYPE_CHECKING:
    from agent.data.tables.questions.table_schema import Table

_MONTHS = {"先々月": -2, "先月": -1, "前月": -1, "今月": 0, "当月": 0}
_YEARS = {"一昨年": -2, "去年": -1, "昨年": -1, "今年": 0, "本年": 0}
_AWAY = regex("|".join((*_MONTHS, *_YEARS)))


def months_told(text: str, today: date, tables: Iterable[Table]) -> str:
    """``text`` with such names in figures, but for those that the head of a column has ("今月の販売数")."""
    heads = "\n".join(column.called for table in tables for column in table.columns)
    return _AWAY.sub(lambda said: said[0] if said[0] in heads else _told(said[0], today), text)


def _told(said: str, today: date) -> str:
    if said in _YEARS:
        return f"{today.year + _YEARS[said]}年"
    month = today.year * 12 + today.month - 1 + _MONTHS[said]
    return f"{month // 12}年{month % 12 + 1}月"
