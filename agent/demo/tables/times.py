"""Years, months and days of a question as ranges of a column with dates."""

from __future__ import annotations

import re
from datetime import date, timedelta

from agent.demo.tables.asked import Operator, Period
from agent.demo.tables.column_words import words
from agent.demo.tables.table_lexicon import MONTHS
from agent.demo.tables.table_schema import Column, Table

_MONTHS = [name for name in MONTHS if len(name) > 4 or name in ("may", "june", "july")]
_MANY_YEARS, _MANY_MONTHS = 4 * 366, 100  # days


def date_column(table: Table, choice: int = 0) -> Column | None:
    """The column with dates that is meant where none is named: the first, or another for another reading."""
    found = [column for column in table.columns if column.kind == "date"]
    return found[min(choice, len(found) - 1)] if found else None


def year_column(table: Table) -> Column | None:
    """A column that holds years as numbers."""
    for column in table.columns:
        if column.kind == "number" and {"year", "年", "年度"} & {*words(column.name), column.label}:
            return column
    return None


def over_time(column: Column) -> Period:
    """The period in which so long a time is best seen."""
    ends = [re.match(r"\d{4}-\d{2}-\d{2}", text) for text in (column.least, column.most)]
    if not (ends[0] and ends[1]):
        return "month"
    days = (_day(ends[1][0]) - _day(ends[0][0])).days
    return "year" if days > _MANY_YEARS else "month" if days > _MANY_MONTHS else "day"


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date(2000, 1, 1)


def span(text: str) -> tuple[str, str] | None:
    """First day, and the first day after, of ``2023``, ``2023-5`` or ``2023-05-17``; ``None`` where there is none."""
    try:
        if re.fullmatch(r"\d{4}", text):
            return f"{date(int(text), 1, 1)}", f"{date(int(text) + 1, 1, 1)}"
        if found := re.fullmatch(r"(\d{4})-(\d{1,2})", text):
            year, month = int(found[1]), int(found[2])
            return f"{date(year, month, 1)}", f"{date(year + month // 12, month % 12 + 1, 1)}"
        day = date.fromisoformat(text)
        return f"{day}", f"{day + timedelta(days=1)}"
    except (ValueError, OverflowError):
        return None


def dated(operator: str, text: str) -> list[tuple[Operator, str]]:
    """The comparisons that "after 2022", "until March 2023" or "on 2023-05-17" make; none where they make no sense.

    The last day of what is said belongs to "until" and not to "after".
    """
    ends = span(text)
    if ends is None:
        return []
    first, after = ends
    found: dict[str, list[tuple[Operator, str]]] = {
        "on": [(">=", first), ("<", after)],
        "after": [(">=", after)],
        "since": [(">=", first)],
        "before": [("<", first)],
        "until": [("<", after)],
    }
    same = {">": "after", ">=": "since", "<": "before", "<=": "until", "=": "on"}
    return found.get(same.get(operator, operator), [])


def told_of(text: str) -> str:
    """``2023-5`` as ``May 2023``, ``0-5`` as ``May``; years and days as they are."""
    found = re.fullmatch(r"(\d{1,4})-(\d{1,2})", text)
    if found is None:
        return text
    month = _MONTHS[int(found[2]) - 1].capitalize()
    return month if found[1] == "0" else f"{month} {found[1]}"
