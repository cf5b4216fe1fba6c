"""What "the highest", "the cheapest" and "the most" ask for, the likeliest meaning first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent.data.tables.questions.part import (
    Part,
    asked_of,
    compares,
    numbers_of,
    order_of,
    others_of,
    ranking_of,
    unsure,
)
from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    Group,
    Measure,
    default_numbers,
    id_like,
    own_texts,
    usual,
)
from agent.text.regex import regex

_YEAR = regex(r"(?:1\d{3}|20\d\d){2}")  # the least and the most


def _figures_as_text(column: Column) -> bool:
    """Whether its values look like figures that could not be read as numbers, as where several have no unit."""
    return column.kind == "text" and bool(column.examples) and all(text[0].isdigit() for text in column.examples)


def extremes(part: Part) -> Iterator[Asked]:
    metrics = numbers_of(part) or [column for column in part.mentions if column.kind == "date"]
    targets = [*part.targets, *(column for column in others_of(part) if column not in metrics[:1])]
    if part.most and any(column.kind == "date" for column in part.mentions):
        return
    groups = [*part.groups, *(Group(column) for column in targets)]
    if len(metrics) > 1 or len(targets) > 1 or len(groups) > 2 or _ranks_by_number(part):
        return
    if metrics and metrics[0].kind == "date" and part.kinds:
        if groups or not part.kinds & {"time", "age"}:
            return  # no day is the heaviest
        part.extreme = "max" if part.extreme == "min" else "min"  # what is frozen the longest has the earliest day
        part.timed = part.listed = True
    if metrics and metrics[0].kind == "number" and not part.implied and not compares(part.kinds, metrics[0]):
        return  # the slowest helper is not where there are least of them
    if part.most and groups and metrics and metrics[0].numbered:
        metrics = []  # "who ordered the most?" counts the orders and does not add up their numbers
    ranking = ranking_of(part)
    if part.most:
        yield from _most(part, metrics, targets, groups)
        return
    if not metrics and (any(map(_figures_as_text, targets)) or not (metrics := _likeliest(part))):
        return  # "the heaviest" of a table that has no weights
    if (part.implied or part.listed) and not (targets or part.groups or part.rows):
        targets = own_texts(part.table)[:1]
    part.listed = part.listed or (part.implied and part.named)
    part.cost += sum(4 * id_like(one) + 3 * (one.kind == "date" and not part.timed) for one in metrics)
    yield from _extreme_of(part, metrics[0], targets, ranking)


def _most(part: Part, metrics: list[Column], targets: list[Column], groups: list[Group]) -> Iterator[Asked]:
    ranking, names = ranking_of(part), own_texts(part.table)[:1]
    if not groups and metrics and names and part.listed and part.named:  # "which one has the most moons?"
        yield asked_of(part, "rows", metrics[0], shown=tuple(names), **ranking)
    elif not groups and metrics:
        yield asked_of(part, "max" if part.most == "max" else "min", metrics[0])
    elif groups and metrics:
        if metrics[0].kind == "number":
            yield asked_of(part, usual(metrics[0]), metrics[0], groups=tuple(groups), **ranking)
        yield asked_of(part, "rows", metrics[0], groups=(), shown=tuple(targets), **ranking)
    elif groups:
        yield asked_of(part, "count", groups=tuple(groups), **ranking)


def _ranks_by_number(part: Part) -> bool:
    """ "The biggest by moons" names two things to compare."""
    return part.implied and any(group.column.kind == "number" for group in part.groups)


def _likeliest(part: Part) -> list[Column]:
    """The column that "the highest" is of where none is named; none for "the heaviest", which says of what."""
    found = [] if part.filters and unsure(part, "max") else default_numbers(part.table)
    if part.timed:  # the newest ship was built last
        found = [one for one in part.table.of_kind("number") if _YEAR.fullmatch(one.least + one.most)]
        return found if len(found) == 1 else []
    if (part.bare and len(found) > 1) or not all(compares(part.kinds, one) for one in found):
        return []  # no weight is the longest, and no number of portions
    part.cost += 3
    part.listed = True
    return found[:1]


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
