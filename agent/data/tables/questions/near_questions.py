"""Questions near one that could not be read, made of the columns, values and words of it that are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import cast

from agent.data.tables.questions.naming import MOST_GROUPS, grouping, question
from agent.data.tables.questions.part import called, of_kind
from agent.data.tables.questions.said_names import SaidNames, said_names
from agent.data.tables.questions.sentence import put_together
from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    Filter,
    Group,
    Measure,
    Operator,
    Table,
    date_column,
    default_numbers,
    own_texts,
    usual,
)
from agent.text.sums.phrases import Language

_MOST_NEAR = 3
_EXTREMES = ("implied", "extreme", "most")


@lru_cache(maxsize=64)  # a question is read again at each step of its answer
def near_questions(text: str, tables: tuple[Table, ...], language: Language) -> tuple[str, ...]:
    """Up to three that are read as they stand, the nearest first; none where ``text`` names nothing of a table."""
    several = [(said_names(text, table, language), table) for table in tables]
    said, table = max(several, key=lambda one: one[0].fit, default=(None, None))
    if said is None or table is None or not (said.fit or said.of(*_EXTREMES)):
        return ()
    told = (question(asked, tables, language) for asked in _near(said, table))
    return tuple(islice(dict.fromkeys(filter(None, told)), _MOST_NEAR))


def _near(said: SaidNames, table: Table) -> Iterator[Asked]:
    filters = filters_meant(said, table)
    numbers, named = _numbers(said, table)
    filtered = [one.column for one in filters if one.column]
    texts = [column for column in said.columns if column.kind in ("text", "date") and column not in filtered]
    if way := said.of(*_EXTREMES):
        yield from _extremes(table, numbers, texts or own_texts(table), filters, way)
    else:
        yield from _measured(said, table, numbers, texts, filters)
    if filters:
        yield from _rows(said, table, [*texts, *named], filters)
        yield from (Asked(table, usual(column), column, (), filters) for column in numbers[:1])
    for column in texts[:1]:
        yield from (Asked(table, usual(number), number, (Group(column),)) for number in numbers[:1])
        if column.distinct != table.rows:
            yield Asked(table, "count", None, (Group(column),))
    for column in named[:1]:
        yield Asked(table, usual(column), column, (), filters)
        yield from _extremes(table, [column], own_texts(table), filters, "max")


def _measured(
    said: SaidNames, table: Table, numbers: Sequence[Column], texts: Sequence[Column], filters: tuple[Filter, ...]
) -> Iterator[Asked]:
    """A sum, a mean or a count, by groups where such are named or "per" is said."""
    measure = cast("Measure | None", said.of("measure"))
    by = [column for column in texts if column.kind == "text"]
    if said.of("group") is not None and not by:
        by = grouping(table)
    groups = tuple(Group(column) for column in by[:1] if (column.distinct or 0) <= MOST_GROUPS)
    if measure in ("sum", "avg", "median") or (groups and not measure and said.of("group") is not None):
        yield from (Asked(table, measure or usual(column), column, groups, filters) for column in numbers[:2])
    elif measure == "count" and not any(_is_one(one, table) for one in filters):
        yield Asked(table, "count", None, groups, filters)


def _is_one(one: Filter, table: Table) -> bool:
    """Whether it picks rows by the text that each has its own of."""
    return one.column is None or one.column in own_texts(table)


def _rows(said: SaidNames, table: Table, columns: Sequence[Column], filters: tuple[Filter, ...]) -> Iterator[Asked]:
    """The rows that are picked: what is named of them, then all of them; else how many there are."""
    several = [one.column for one in filters if one.column and len(one.values) > 1]
    if columns:
        yield Asked(table, "rows", filters=filters, shown=tuple(dict.fromkeys([*several, *columns])))
    yield Asked(table, "rows", filters=filters)
    if said.of("measure") == "count":
        yield Asked(table, "count", None, (), filters)


def filters_meant(said: SaidNames, table: Table) -> tuple[Filter, ...]:
    """What is said of which rows are meant, by values, yes and no, numbers and times."""
    known = [one for one in said.values if one[0]]
    found = [_filter(column, value, no) for column, value, no in dict.fromkeys(known or said.values[:1])]
    yes = "false" if said.negated else "true"
    found += [Filter(column, "true", (yes,)) for column in said.columns if column.kind == "boolean"]
    numbers = [column for column in said.columns if column.kind == "number"]
    if len(numbers) == 1:
        compared = [(sign, number) for sign, number in said.numbers if sign in (">", ">=", "<", "<=")]
        found += [Filter(numbers[0], cast("Operator", sign), (number,)) for sign, number in compared]
    if days := date_column(table):
        found += [Filter(days, "month" if "-" in time else "year", (time,)) for time in said.times[:1]]
    return put_together(found)


def _filter(column: Column | None, value: str, negated: bool) -> Filter:
    if column is None:
        return Filter(None, "not find" if negated else "find", (value,))
    return Filter(column, "<>" if negated else "=", (value,))


def _numbers(said: SaidNames, table: Table) -> tuple[list[Column], list[Column]]:
    """The columns with figures that may be meant, the likeliest first, and those of them that are named."""
    named = [column for column in said.columns if column.kind == "number"]
    if not named:
        hints = [said.of(role) or "" for role in ("implied", "extreme", "sought", "verb")]
        fits = (called(table, names) or of_kind(table, names) for names in map(str.split, hints))
        named = list(dict.fromkeys(filter(None, fits)))
    others = () if said.of("implied") else default_numbers(table)[:2]  # "the longest" is of no weight
    return named or [*others], named


def _extremes(
    table: Table, numbers: Sequence[Column], targets: Sequence[Column], filters: tuple[Filter, ...], way: str
) -> Iterator[Asked]:
    """Which row, or which group of rows, has the most or the least."""
    order = "up" if way.split(maxsplit=1)[0] == "min" else "down"
    for column in numbers:
        for target in targets[:1]:
            if target.kind == "text" and target.distinct != table.rows:
                yield Asked(table, usual(column), column, (Group(target),), filters, order, 1)
            yield Asked(table, "rows", column, (), filters, order, 1, (target,))
