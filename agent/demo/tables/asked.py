"""A question about one table, understood: what to work out, by what, of which rows, in which order, drawn or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agent.demo.tables.table_schema import Column, Table

Measure = Literal["count", "sum", "avg", "median", "min", "max", "distinct", "rows"]
Period = Literal["", "year", "quarter", "month", "week", "day"]
Operator = Literal["=", "<>", ">", ">=", "<", "<=", "between", "year", "month", "null", "true", "find", "not find"]
Chart = Literal["", "any", "bar", "line", "area", "pie", "scatter", "histogram"]


@dataclass(frozen=True, slots=True)
class Filter:
    """``values`` are texts as they stand in the table, numbers and dates as SQL takes them, or a year and a month.

    ``turn``: which question of a conversation it is from. ``said``: how a date
    was told, "after 2022", where the SQL has another; "-" for the end of a day, which is not told again.
    ``find`` and ``not find``: a text that is still to be looked for, in ``column`` or in all of them.
    """

    column: Column | None
    operator: Operator
    values: tuple[str, ...] = ()
    turn: int = 0
    said: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    column: Column
    period: Period = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """``rows``: the rows themselves, of ``shown`` columns (all where empty), by ``column`` where they are ordered.

    ``order``: the groups or rows from the largest ("down") or the smallest ("up"); ``limit`` 0 is no limit.
    """

    table: Table
    measure: Measure
    column: Column | None = None
    groups: tuple[Group, ...] = ()
    filters: tuple[Filter, ...] = ()
    order: Literal["", "up", "down"] = ""
    limit: int = 0
    shown: tuple[Column, ...] = ()
    chart: Chart = ""
