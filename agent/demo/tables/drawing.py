"""Which readings can be drawn, and how: a figure alone has no chart but over time, a pie has few slices."""

from __future__ import annotations

from dataclasses import replace

from agent.demo.tables.asked import Asked, Group
from agent.demo.tables.times import date_column, over_time

_MOST_SLICES = 12
_MOST_COLOURS = 20


def drawable(asked: Asked, dates: int) -> Asked | None:
    """``asked``, with what its chart needs put in; ``None`` where it cannot be drawn. What asks for no chart stays."""
    if not asked.chart or asked.chart in ("scatter", "histogram"):
        return asked
    if asked.measure == "rows":
        return None
    days = date_column(asked.table, dates)
    if not asked.groups:
        return replace(asked, groups=(Group(days, over_time(days)),)) if days else None
    first, *others = asked.groups
    if others and _many(others[0], _MOST_COLOURS):
        return None if _many(first, _MOST_COLOURS) else replace(asked, groups=(*others, first))
    slices = asked.limit and asked.limit <= _MOST_SLICES
    if asked.chart == "pie" and (others or (_many(first, _MOST_SLICES) and not slices)):
        return replace(asked, chart="bar")
    return asked


def _many(group: Group, most: int) -> bool:
    return bool(group.period) or group.column.distinct is None or group.column.distinct >= most
