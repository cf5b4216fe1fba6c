"""A selection as simple as those of the other readers is theirs: follow-ups lean on what these are read as."""

from __future__ import annotations

from collections.abc import Sequence

from agent.data.tables.questions.table_schema import Asked, Column, Filter, Group
from agent.data.tables.selected.selection import Extreme, Figure, Selection

_MOST_GROUPS = 2


def as_asked(made: Selection) -> Asked | None:
    """The same as one figure, perhaps for each group, or as rows; ``None`` where that cannot say it."""
    own = all(one.table == made.table and not one.conditions for one in (*made.shown, *made.groups))
    if not own or made.having or made.orders or made.different or not made.shown:
        return None
    filters = tuple(one for one in made.conditions if isinstance(one, Filter))
    rest = [one for one in made.conditions if not isinstance(one, Filter)]
    put = [one for one in made.shown if one.function]
    plain = _columns([one for one in made.shown if not one.function])
    groups = _columns(made.groups)
    if len(put) == 1 and not rest and [*plain] == [*groups] and len(groups) <= _MOST_GROUPS:
        measure = put[0].function
        return Asked(made.table, measure or "count", put[0].column, tuple(map(Group, groups)), filters)
    if put or groups:
        return None
    if not rest and filters:
        return Asked(made.table, "rows", filters=filters, shown=plain)
    if len(rest) == 1 and isinstance(rest[0], Extreme):
        return Asked(made.table, "rows", rest[0].column, (), filters, rest[0].way, 1, plain)
    return None


def _columns(figures: Sequence[Figure]) -> tuple[Column, ...]:
    return tuple(one.column for one in figures if one.column)
