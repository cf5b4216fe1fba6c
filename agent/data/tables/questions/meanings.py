"""What a part of a question asks for, the likeliest meaning first, as far as a chart of it can be drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.data.tables.questions.extreme_meanings import extremes
from agent.data.tables.questions.part import (
    Part,
    asked_of,
    called,
    numbers_of,
    order_of,
    others_of,
    ranking_of,
    unsure,
    wide,
)
from agent.data.tables.questions.table_lexicon import LEXICON
from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    Filter,
    Group,
    Measure,
    added_up,
    column_words,
    date_column,
    default_numbers,
    id_like,
    is_money,
    is_price_of_one,
    over_time,
    own_texts,
    tells_apart,
    usual,
)

_MOST_SLICES = 12
_MOST_COLOURS = 20
LISTED = 20  # rows or groups, where nobody said how many
_RECEIVED = frozenset(LEXICON["columns"]["received"])
_DAYS = frozenset(["date", "day", "month", "time", "when"])
_PIECES = tuple(LEXICON["columns"]["pieces"])


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


def meanings(part: Part) -> Iterator[Asked]:
    """Empty where it asks for nothing that can be worked out, or drawn where it asks for a chart."""
    for asked in _all(part):
        if drawn := drawable(asked, part.dates):
            yield drawn


def _all(part: Part) -> Iterator[Asked]:
    if part.chart in ("scatter", "histogram"):
        yield from _points(part)
    elif part.measure in ("sum", "avg", "median"):
        yield from _aggregate(part, part.measure)
    elif part.measure:
        yield from _count(part, part.measure)
    elif part.extreme or part.most:
        yield from extremes(part)
    elif part.limit or part.order:
        yield from ranked(part)
    elif part.chart:
        yield from _drawn(part)
    else:
        yield from _listed(part)


def _groups(part: Part) -> tuple[Group, ...] | None:
    """The groups said, or else what is ranked, hardly one for each row; ``None`` where both or too many are."""
    targets = [*part.targets, *others_of(part)]
    part.cost += 2 * any(tells_apart(one, part.table.rows) for one in targets)
    if part.groups:
        return tuple(part.groups) if not targets or [group.column for group in part.groups] == targets else None
    return tuple(Group(column, over_time(column) if wide(column) else "") for column in targets)


def _aggregate(part: Part, measure: Measure) -> Iterator[Asked]:
    groups, numbers = _groups(part), numbers_of(part)
    if groups is None or len(numbers) > 1 or len(groups) > 2:
        return
    ranking = ranking_of(part)
    if ranking["order"] and not groups:
        return
    if not numbers and ((not part.groups and others_of(part)) or unsure(part, measure)):
        return  # "the total product" has no sum
    if numbers or not default_numbers(part.table):
        chosen = numbers
    else:
        chosen = [one for one in default_numbers(part.table) if not part.paid or is_money(one)]
        if part.paid == "out":  # what is spent is not what was taken
            chosen = [one for one in chosen if not _RECEIVED & {*column_words(one)}] or chosen
        part.cost += 2 if part.named else 4
    if not numbers and part.measure == "sum" and part.named and not chosen:
        yield asked_of(part, "count", groups=groups, **ranking)
    part.cost += 4 * sum(map(id_like, numbers))
    one_price = measure == "sum" and any(map(is_price_of_one, chosen[:1]))
    for column in () if one_price and called(part.table, _PIECES) else chosen[:2]:
        yield asked_of(part, measure, column, groups=groups, **ranking)
    if numbers:
        yield asked_of(part, "avg" if measure == "sum" else "sum" if measure == "avg" else "avg", numbers[0],
                     groups=groups, **ranking)  # fmt: skip


def _count(part: Part, measure: Measure) -> Iterator[Asked]:
    numbers, others = numbers_of(part), [*part.targets, *others_of(part)]
    if order_of(part) and not part.groups:
        yield from _counted_in_order(part, measure)
    elif len(numbers) + len(others) == 1:
        yield from _count_of(part, measure, [*numbers, *others][0])
    elif not numbers and not others and measure == "count" and (part.named or part.filters or part.groups):
        part.cost += 0 if part.named else 1
        if part.counted and (pieces := called(part.table, _PIECES)):
            yield asked_of(part, "sum", pieces, **ranking_of(part))
        yield asked_of(part, "count", **ranking_of(part))


def _counted_in_order(part: Part, measure: Measure) -> Iterator[Asked]:
    """ "Which region has the most orders?", "the top 3 by number of units"."""
    numbers, others = numbers_of(part), [*part.targets, *others_of(part)]
    if others and not numbers and measure == "count":
        yield asked_of(part, "count", groups=_groups(part) or (), **ranking_of(part))
    elif len(numbers) == 1 and len(others) == 1:
        yield asked_of(part, "sum", numbers[0], groups=(Group(others[0]),), **ranking_of(part))


def _count_of(part: Part, measure: Measure, column: Column) -> Iterator[Asked]:
    """ "How many units" is a sum, "how many customers" counts different ones, "rows with a price" those with one."""
    ranking = ranking_of(part)
    if measure == "count" and column.kind == "number" and not id_like(column):
        yield asked_of(part, "sum", column, **ranking)
    elif measure == "count" and (part.rows or any(one.column == column for one in part.filters)):
        yield asked_of(part, "count", None if not part.rows else column, **ranking)  # "how many electric bikes"
    elif measure == "count" and column.kind == "date" and not _DAYS & {*column_words(column)}:
        yield asked_of(part, "count", column, **ranking)  # "how many have left"
    yield asked_of(part, "distinct", column, **ranking)
    if measure == "count":
        yield asked_of(part, "count", **ranking)


def _points(part: Part) -> Iterator[Asked]:
    """A chart of every row: two numbers against each other, or how the values of one are spread."""
    numbers = [*numbers_of(part), *(group.column for group in part.groups if group.column.kind in ("number", "date"))]
    if part.chart == "histogram" and len(numbers) == 1 and not others_of(part):
        yield asked_of(part, "rows", numbers[0], groups=())
    elif part.chart == "histogram" and not numbers and len(others_of(part)) == 1:
        yield asked_of(part, "count", groups=(Group(others_of(part)[0]),), chart="bar")
    elif part.chart == "scatter" and len(numbers) == 2:
        yield asked_of(part, "rows", numbers[0], groups=(), shown=(numbers[1],))


def _drawn(part: Part) -> Iterator[Asked]:
    """ "Plot x by y" without a word of how."""
    numbers, groups = numbers_of(part), list(part.groups)
    others = others_of(part)
    if not groups and others:
        groups = [Group(column, over_time(column) if column.kind == "date" else "") for column in others]
    if len(groups) > 2 or (part.groups and others):
        return
    if len(numbers) == 1 and len(groups) == 1 and groups[0].column.kind == "number" and part.chart == "any":
        yield asked_of(part, "rows", numbers[0], groups=(), shown=(groups[0].column,), chart="scatter")
    if len(numbers) == 2 and not groups and part.chart == "any":
        yield asked_of(part, "rows", numbers[0], groups=(), shown=(numbers[1],), chart="scatter")
    if len(numbers) == 1 and not groups:
        days = date_column(part.table, part.dates)
        if part.chart == "any":
            yield asked_of(part, "rows", numbers[0], chart="histogram")
        elif days and part.chart in ("line", "area"):
            yield asked_of(part, usual(numbers[0]), numbers[0], groups=(Group(days, over_time(days)),))
    elif len(numbers) == 1 and groups:
        first = usual(numbers[0])
        yield asked_of(part, first, numbers[0], groups=tuple(groups))
        yield asked_of(part, "sum" if first == "avg" else "avg", numbers[0], groups=tuple(groups))
    elif not numbers and groups:
        yield asked_of(part, "count", groups=tuple(groups))


def _listed(part: Part) -> Iterator[Asked]:
    """No measure is said: rows that fit, the values there are, or the figures "by" something."""
    mentions = [*part.targets, *part.mentions]
    asks = part.listed or bool(part.targets)
    if part.groups:
        yield from _by_group(part, mentions)
    elif part.sought and not part.filters:
        return  # "how big is it?"
    elif mentions and part.filters:
        if _of_a_time(part, mentions):
            yield asked_of(part, "sum", mentions[0])
        compared = {one.column for one in part.filters if one.operator in (">", ">=", "<", "<=")}
        names = own_texts(part.table)[:1] if part.named and compared >= set(mentions) else ()
        yield asked_of(part, "rows", shown=(*names, *mentions), limit=LISTED)
    elif len(mentions) == 1 and asks and mentions[0].kind != "number" and not part.filters:
        yield asked_of(part, "count", groups=(Group(mentions[0]),), order="down", limit=LISTED)
    elif (mentions and asks) or (part.filters and part.listed) or (part.named and (part.listed or part.filters)):
        part.cost += 0 if part.listed else 2
        filters = (*part.filters, *_done(part))
        yield asked_of(
            part, "rows", shown=tuple(mentions), filters=filters, limit=LISTED if mentions or filters else 10
        )


def _done(part: Part) -> Iterator[Filter]:
    """ "Who left?": those with a day of it."""
    days = [one for one in part.mentions if one.kind == "date" and one.nulls]
    if part.targets and len(days) == len(part.mentions) == 1 and not part.filters:
        yield Filter(days[0], ">=", (days[0].least[:10],), part.turn)


def _by_group(part: Part, mentions: Sequence[Column]) -> Iterator[Asked]:
    numbers = numbers_of(part)
    if len(numbers) == 1 and len(mentions) == 1:
        first = usual(numbers[0])
        part.cost += 5 if id_like(numbers[0]) else 1
        yield asked_of(part, first, numbers[0])
        yield asked_of(part, "sum" if first == "avg" else "avg", numbers[0])
    elif not mentions and part.named:
        part.cost += 1
        by = part.groups[0].column
        if part.listed and len(part.groups) == 1 and by.kind == "number" and not id_like(by):
            yield asked_of(part, "rows", by, groups=(), order="up", limit=LISTED)  # "list planets by mass"
        yield asked_of(part, "count")
        for column in default_numbers(part.table)[:1]:
            yield asked_of(part, usual(column), column)


def _of_a_time(part: Part, mentions: Sequence[Column]) -> bool:
    """ "The revenue in October" is all of it, where figures of that kind are added up."""
    summed = len(mentions) == 1 and mentions[0].kind == "number" and usual(mentions[0]) == "sum"
    periods = all(one.operator in ("month", "year") for one in part.filters)
    return summed and periods and not part.listed and added_up(mentions[0])


def ranked(part: Part) -> Iterator[Asked]:
    """ "The top 5 products by amount", "the bottom 3", "sorted by price"."""
    by = [group for group in part.groups if group.column.kind == "number"]
    if part.order and len(by) == 1 and not numbers_of(part):  # "by price, cheapest first"
        part.groups.remove(by[0])
        part.mentions.append(by[0].column)
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
