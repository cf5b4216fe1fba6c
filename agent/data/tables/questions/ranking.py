"""The figures and things of a question, how they are ordered, and the highest, the lowest, the top and the bottom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from agent.data.tables.questions.part import Part
from agent.data.tables.questions.table_lexicon import LEXICON
from agent.data.tables.questions.table_schema import Asked, Column, Group, Measure, Table, column_words, id_like

LISTED = 20  # rows or groups, where nobody said how many
_AVERAGED, _MONEY, _SUMMED = (frozenset(LEXICON["columns"][kind]) for kind in ("averaged", "money", "summed"))


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


def extremes(part: Part) -> Iterator[Asked]:
    metrics = numbers_of(part) or [column for column in part.mentions if column.kind == "date"]
    targets = [*part.targets, *(column for column in others_of(part) if column not in metrics[:1])]
    groups = [*part.groups, *(Group(column) for column in targets)]
    if len(metrics) > 1 or len(targets) > 1 or len(groups) > 2:
        return
    ranking = ranking_of(part)
    if part.most:
        if not groups:
            if metrics:
                yield asked_of(part, "max" if part.most == "max" else "min", metrics[0])
            return
        if metrics:
            yield asked_of(part, usual(metrics[0]), metrics[0], groups=tuple(groups), **ranking)
            yield asked_of(part, "rows", metrics[0], groups=(), shown=tuple(targets), **ranking)
        else:
            yield asked_of(part, "count", groups=tuple(groups), **ranking)
        return
    if not metrics:
        metrics = default_numbers(part.table)[:1]
        part.cost += 3
        part.listed = True
    part.cost += sum(4 * id_like(one) + 3 * (one.kind == "date" and not part.timed) for one in metrics)
    if metrics:
        yield from _extreme_of(part, metrics[0], targets, ranking)


def _extreme_of(part: Part, metric: Column, targets: list[Column], ranking: dict[str, Any]) -> Iterator[Asked]:
    extreme: Measure = "min" if part.extreme == "min" else "max"
    if part.groups and not targets:
        if metric.kind == "number" and part.targets:
            return
        yield asked_of(part, extreme, metric)
        if metric.kind == "number":
            yield asked_of(part, usual(metric), metric, **ranking)
        return
    if part.groups:
        return
    rows = asked_of(part, "rows", metric, shown=tuple(targets), order=order_of(part), limit=part.limit or 1)
    if targets or part.limit or (part.named and part.listed):
        yield rows
        if targets and metric.kind == "number":
            yield asked_of(part, usual(metric), metric, groups=(Group(targets[0]),), **ranking)
        return
    yield asked_of(part, extreme, metric)
    yield rows


def ranked(part: Part) -> Iterator[Asked]:
    """ "The top 5 products by amount", "the bottom 3", "sorted by price"."""
    metrics = numbers_of(part) or [column for column in part.mentions if column.kind == "date" and part.order][:1]
    targets = [*part.targets, *(column for column in others_of(part) if column not in metrics)]
    groups = (*part.groups, *(Group(column) for column in targets))
    order, limit = order_of(part), part.limit or LISTED
    if len(metrics) > 1 or len(groups) > 2:
        return
    if not metrics and not groups and not part.named:
        return
    if not order and not metrics and not groups:
        yield asked_of(part, "rows", limit=limit)
        return
    if not metrics:
        yield from _ranked_by_default(part, groups, limit)
        return
    metric = metrics[0]
    rows = asked_of(part, "rows", metric, groups=(), shown=tuple(targets), order=order or "down", limit=limit)
    repeated = any((group.column.distinct or 0) < part.table.rows for group in groups)
    if groups and metric.kind == "number" and (repeated or part.groups):
        yield asked_of(part, usual(metric), metric, groups=groups, order=order or "down", limit=limit)
        yield replace(rows, shown=tuple(group.column for group in groups))
    else:
        yield rows


def _ranked_by_default(part: Part, groups: tuple[Group, ...], limit: int) -> Iterator[Asked]:
    order = order_of(part) or "down"
    numbers = default_numbers(part.table)
    part.cost += 2
    if numbers and groups:
        yield asked_of(part, usual(numbers[0]), numbers[0], groups=groups, order=order, limit=limit)
        yield asked_of(part, "count", groups=groups, order=order, limit=limit)
    elif numbers:
        yield asked_of(part, "rows", numbers[0], order=order, limit=limit)
    elif groups:
        yield asked_of(part, "count", groups=groups, order=order, limit=limit)
