"""What could be asked next of a table: questions that the rules read again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.demo.tables.asked import Asked, Group
from agent.demo.tables.naming import question
from agent.demo.tables.table_schema import Column, Table, table_of
from agent.demo.tables.times import date_column, over_time
from agent.demo.tables.wanting import default_numbers, usual
from agent.text.sums.value_words import Language

_MOST_GROUPS = 30


def suggested(asked: Asked | None, tables: Sequence[Table], language: Language) -> tuple[str, ...]:
    """Up to two; after an answer, they go on from what it was of."""
    del language  # the words of a question are English ones, names apart
    found: list[str] = []
    for candidate in _after(asked) if asked else _first(tables[0]):
        text = question(candidate, tables)
        if text and text not in found:
            found.append(text)
        if len(found) == 2:
            break
    return tuple(found)


def opening(card: Mapping[str, Any], most: int = 3) -> tuple[str, ...]:
    """What to ask first of the table of a card: figures by group, one figure, and one as a chart."""
    table = table_of(card)
    if not table.columns:
        return ()
    found: list[str] = []
    candidates = list(_first(table))
    drawn = [replace(asked, chart="bar") for asked in candidates if asked.groups][:1]
    days = date_column(table)
    if days and candidates:
        drawn.append(replace(candidates[0], groups=(Group(days, over_time(days)),), chart="line"))
    for candidate in (*candidates[:2], *drawn, *candidates[2:]):
        text = question(candidate, [table])
        if text and text not in found:
            found.append(text)
    return tuple(found[:most])


def _after(asked: Asked) -> Iterator[Asked]:
    if asked.groups and not asked.chart and asked.measure != "rows":
        yield replace(asked, chart="bar" if not asked.groups[0].period else "line")
    if not asked.groups and asked.measure != "rows":
        for column in _grouping(asked.table, asked):
            yield replace(asked, groups=(Group(column),))
        if days := date_column(asked.table):
            yield replace(asked, groups=(Group(days, over_time(days)),))
    if asked.groups and asked.measure == "sum":
        yield replace(asked, measure="avg", chart="")
    yield Asked(asked.table, "count", filters=asked.filters)
    yield from _first(asked.table)


def _grouping(table: Table, asked: Asked | None = None) -> list[Column]:
    filtered = [one.column for one in asked.filters] if asked else []
    return [
        column
        for column in table.columns
        if column.kind == "text"
        and 1 < (column.distinct or 0) <= min(_MOST_GROUPS, table.rows - 1)
        and column not in filtered
    ]


def _first(table: Table) -> Iterator[Asked]:
    numbers = default_numbers(table)
    groups = _grouping(table)
    for column in numbers[:2]:
        for group in groups[:1]:
            yield Asked(table, usual(column), column, (Group(group),))
        yield Asked(table, usual(column), column)
    for group in groups[:2]:
        yield Asked(table, "count", None, (Group(group),))
    yield Asked(table, "count")
