"""Rows from one day, month or year to another: "between April and June", "from 3 May 2026 to 9 June 2026"."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.data.tables.questions.items import Item
from agent.data.tables.questions.table_lexicon import MONTHS, PHRASES
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Table, dated, told_of
from agent.data.tables.worded.rows_compared import is_of_event
from agent.data.tables.worded.rows_said import Rows, Spot, Steps, filtered
from agent.data.tables.worded.worded_columns import content, fields_of, stem
from agent.text.regex import regex

_WAYS = {"from": ("to", "until", "till", "through"), "between": ("and",)}
_TIMES = ("day", "month", "year")
_MONTH = "|".join(MONTHS)
_SPAN = regex(rf"\b(?:from|between) (?:the )?(?P<a>{_MONTH}) (?:to|until|till|through|and) (?P<b>{_MONTH})\b", re.I)
_MONTHS_OF_YEAR = 12
_OF_WHAT_WAS = regex(r"how many (?:were|are|was) (?:last|this|next) [a-z]+\W*$", re.I)  # no rows are named
_WORD = regex(r"[a-z]+")


def day_spans(spot: Spot) -> Steps:
    """Of the one column of days that was named, or that tells when the rows happened."""
    ends, rows = _WAYS.get(spot.word(), ()), spot.rows
    column = _column_of(rows, spot.table) if ends and not rows.negated and rows.link not in ("and", "or") else None
    if column is None:
        return
    for first in spot.items(1):
        between = 1 + first.length
        if first.role not in _TIMES or not spot.word(between + 1) or spot.word(between) not in ends:
            continue
        for last in spot.items(between + 1):
            made = _within(rows, column, first, last) if last.role in _TIMES else None
            if made:
                yield 2 + first.length + last.length, made


def _column_of(rows: Rows, table: Table) -> Column | None:
    named = list(dict.fromkeys(one.column for one in rows.asked if one.column.kind == "date"))
    several = named or table.of_kind("date")
    return several[0] if len(several) == 1 and (named or is_of_event(several[0], table)) else None


def _within(rows: Rows, column: Column, first: Item, last: Item) -> Rows | None:
    """The rows of those days; ``None`` where the last is before the first, or the year is not told."""
    start, end = first.text, last.text
    if start.startswith("0-") and not end.startswith("0-"):
        start = f"{end[:4]}{start[1:]}"
    if start.startswith("0-"):
        if column.least[:4] != column.most[:4] and first.role == last.role == "month":
            months = range(int(start[2:]), int(end[2:]) + 1)
            of_any_year = Filter(column, "month", tuple(f"0-{month}" for month in months))
            return filtered(rows, of_any_year) if len(months) > 1 else None
        year = column.most[:4] if column.least[:4] == column.most[:4] else ""
        start, end = (f"{year}{text[1:]}" for text in (start, end))
    both = (dated("since", start), dated("until", end)) if start[:4].isdigit() and end[:4].isdigit() else ()
    if not all(both) or not both or both[0][0][1] >= both[1][0][1]:
        return None
    made: Rows | None = rows
    ways = (("since", start), ("until", end))
    for ((comparison, day),), (way, text) in zip(both, ways, strict=True):
        one = Filter(column, comparison, (day,), 0, f"{way} {told_of(text)}")
        made = made and filtered(replace(made, link=""), one)
    return made


def loses_span(text: str, asked: Asked) -> bool:
    """Whether only the two ends of "from May to October" are read, and not the months between them."""
    said = _SPAN.search(text)
    ends = [MONTHS[said[end].lower()] for end in "ab"] if said else []
    if not ends or (ends[1] - ends[0]) % _MONTHS_OF_YEAR <= 1:
        return False
    several = [one for one in asked.filters if one.operator == "month"]
    return len({value for one in several for value in one.values}) in (1, len(ends))


def of_other_days(text: str, asked: Asked) -> bool:
    """Whether "in October" was taken for the day that somebody joined, though nothing was said of joining."""
    typed = _WORD.findall(text.lower())
    if _OF_WHAT_WAS.match(text):
        return True
    if any(role == "dated" for word in typed for role, _ in PHRASES.get((word,), ())):
        return False
    said = {stem(word) for word in typed}
    done = {
        column: {
            stem(verb.split()[0])
            for field in fields_of(column)
            for verb in (*field.get("verbs", ()), *field.get("said", ()))
            if {*verb.split()[1:]} <= {*typed}
        }
        for column in asked.table.columns
    }
    dates = [one.column for one in asked.filters if one.column and one.column.kind == "date" and one.operator != "null"]
    return any(
        not is_of_event(one, asked.table) and not said & ({stem(word) for word in content(one)} | done.get(one, set()))
        for one in dates
    )
