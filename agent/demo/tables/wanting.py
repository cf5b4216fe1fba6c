"""What meanings of a question are made of: its figures and things, how they are ordered, what a bare word is of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from agent.demo.tables.asked import Asked, Measure
from agent.demo.tables.column_words import column_words, id_like
from agent.demo.tables.part import Part
from agent.demo.tables.table_schema import Column, Table

LISTED = 20  # rows or groups that are listed where nobody said how many  # rows or groups, where nobody said how many
_AVERAGED = frozenset(
    [
        "temperature",
        "temp",
        "price",
        "rate",
        "age",
        "score",
        "rating",
        "percent",
        "percentage",
        "height",
        "weight",
        "humidity",
        "pressure",
        "speed",
        "latitude",
        "longitude",
        "average",
        "mean",
        "ratio",
        "grade",
        "level",
        "cost",
        "per",
        "index",
        "気温",
        "価格",
        "単価",
        "年齢",
        "点数",
        "率",
        "身長",
        "体重",
    ]
)
_MONEY = frozenset({"amount", "total", "revenue", "sale", "turnover", "金額", "売上", "売上高"})
_SUMMED = frozenset(
    [
        "amount",
        "total",
        "revenue",
        "sale",
        "sales",
        "turnover",
        "quantity",
        "value",
        "units",
        "sum",
        "金額",
        "売上",
        "売上高",
        "数量",
    ]
)


def numbers_of(part: Part) -> list[Column]:
    return [column for column in part.mentions if column.kind == "number"]


def others_of(part: Part) -> list[Column]:
    return [column for column in part.mentions if column.kind != "number"]


def default_numbers(table: Table) -> list[Column]:
    """The columns that a "total" without a name may be of, the likeliest first."""
    found = [column for column in table.columns if column.kind == "number" and not id_like(column)]
    return sorted(
        found, key=lambda column: (not _MONEY & {*column_words(column)}, not _SUMMED & {*column_words(column)})
    )


def usual(column: Column) -> Measure:
    """How the figures of a column are put together where it is not said: temperatures have no sum."""
    return "avg" if column.unit == "%" or _AVERAGED & {*column_words(column)} else "sum"


def asked_of(part: Part, measure: Measure, column: Column | None = None, **more: Any) -> Asked:
    base = Asked(part.table, measure, column, tuple(part.groups), tuple(part.filters), chart=part.chart)
    return replace(base, **more)


def order_of(part: Part) -> Literal["", "up", "down"]:
    least = part.order == "up" or part.extreme == "min" or part.most == "min"
    return "up" if least else "down" if part.order or part.extreme or part.most else ""


def ranking_of(part: Part) -> dict[str, Any]:
    """Order and limit of groups: "which … most" is the first of them."""
    first = 1 if (part.extreme or part.most) and not part.limit else 0
    return {"order": order_of(part), "limit": part.limit or first}
