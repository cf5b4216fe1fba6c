"""The values of a selection that no card shows: looked for in the table before the rows are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from agent.data.tables.questions.table_schema import Filter, Table
from agent.data.tables.selected.selection import Condition, Figure, Linked, Selection


def sought(made: Selection) -> Iterator[tuple[Table, Filter]]:
    """Each value that is still to be looked for, and the table it may be in."""
    for table, conditions in ((made.table, made.conditions), *((one.table, one.conditions) for one in made.shown)):
        for one in conditions:
            yield from _sought(one, table)


def _sought(one: Condition, table: Table) -> Iterator[tuple[Table, Filter]]:
    if isinstance(one, Filter) and one.sought:
        yield table, one
    elif isinstance(one, Linked):
        for each in one.conditions:
            yield from _sought(each, one.table)


def with_values(made: Selection, found: Mapping[Filter, Filter]) -> Selection:
    """The selection with what was found in the place of what was sought."""
    settled = replace(made, conditions=tuple(_settled(one, found) for one in made.conditions))
    shown = {one: _figure(one, found) for one in made.shown}
    orders = tuple(replace(one, figure=_figure(one.figure, found)) for one in made.orders)
    return replace(settled, shown=tuple(shown.values()), orders=orders)


def _figure(one: Figure, found: Mapping[Filter, Filter]) -> Figure:
    return replace(one, conditions=tuple(_settled(each, found) for each in one.conditions))


def _settled(one: Condition, found: Mapping[Filter, Filter]) -> Condition:
    if isinstance(one, Filter):
        return found.get(one, one)
    if isinstance(one, Linked):
        return replace(one, conditions=tuple(_settled(each, found) for each in one.conditions))
    return one
