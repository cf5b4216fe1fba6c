"""The items of a question, one after the other, become what it asks for; ``None`` where they do not go together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, cast

from agent.data.tables.questions.items import Item
from agent.data.tables.questions.part import (
    Part,
    called,
    is_said,
    number,
    of_kind,
    operator_said,
    time,
    unknown,
    value,
    where,
    whole_number,
    wide,
)
from agent.data.tables.questions.spans_worked_out import with_span
from agent.data.tables.questions.table_lexicon import LEXICON, words
from agent.data.tables.questions.table_schema import (
    Chart,
    Column,
    Group,
    Measure,
    Operator,
    Period,
    Table,
    column_words,
    date_column,
    default_numbers,
    is_price_of_one,
    kinds_of,
    measured,
    over_time,
    own_texts,
)


def part_of(items: Sequence[Item], table: Table, turn: int, dates: int) -> Part | None:
    """``dates``: which of several columns with dates a bare year or month is of."""
    part = Part(table, turn, dates)
    for place, item in enumerate(items):
        part.cost += item.cost
        part.counted = part.counted or (item.role == "value" and place > 0 and items[place - 1].text == "count")
        if not _HANDLERS[item.role](part, item):
            return None
        part.after_and = item.role == "and"
    return part if part.whole() else None


def _measure(part: Part, item: Item) -> bool:
    before, now = part.measure, cast("Measure", item.text)
    if before is None or (before, now) in (("sum", "count"), ("count", "distinct")):
        part.measure = now
    elif (before, now) != ("count", "sum") and now not in ("count", before):
        # "The average number of units" is an average, "how many are there altogether" a count.
        return False
    return True


def _extreme(part: Part, item: Item) -> bool:
    if part.extreme or part.most:
        return False
    if item.role == "most":
        part.most = item.text
    else:
        part.extreme, *flags = item.text.split()
        part.timed, part.bare = "time" in flags, "bare" in flags
        part.kinds = kinds_of(flags)
    if part.number:
        part.limit, part.number = whole_number(part.number), ""
        return part.limit > 0
    return item.text != "min" or part.pending != "top"


def _implied(part: Part, item: Item) -> bool:
    """ "The cheapest" is of a column with price or cost in its name."""
    text, *names = item.text.split()
    column = called(part.table, names) or of_kind(part.table, names)
    if column is None and "duration" in names and all(map(measured, default_numbers(part.table))):
        part.table, column = with_span(part.table) or (part.table, None)  # no figure is how long something took
    if column is None:
        return False
    if column not in part.mentions:
        part.mentions.append(column)
    part.implied, part.could = True, names
    return _extreme(part, Item("extreme", text))


def _sought(part: Part, item: Item) -> bool:
    """ "How big is Mars?" is of a column with size or diameter in its name, and of the row that follows."""
    names = item.text.split()
    column = called(part.table, names) or of_kind(part.table, names)
    if names[0] in ("revenue", "spending") and part.measure is None:
        part.measure = "sum"  # the prices of all that was sold
    if column is None or part.mentions or (part.measure and part.measure != "sum"):
        return False
    part.mentions.append(column)
    if part.measure or part.most:  # "the total weight of the samples", "the most money"
        part.focus = column
        return True
    part.pending, part.focus, part.listed, part.sought = "where", None, True, True
    return True


def _dated(part: Part, item: Item) -> bool:
    """ "Started after 1971" is of a column of dates that is called so."""
    dates = part.table.of_kind("date")
    column = next((one for name in item.text.split() for one in dates if name in column_words(one)), None)
    part.focus = column
    return column is not None


def _does(part: Part, _: Item) -> bool:
    """ "What does the Etna weigh?" is of a column that the verb names."""
    if part.mentions or part.measure:
        return False
    part.pending, part.listed, part.sought, part.awaits_verb = "where", True, True, True
    return True


def _verb(part: Part, item: Item) -> bool:
    column = called(part.table, item.text.split()) or of_kind(part.table, item.text.split())
    of_one = column and is_price_of_one(column) and called(part.table, LEXICON["columns"]["pieces"])
    if column is None or not part.sought or of_one:
        return False
    part.mentions, part.awaits_verb = [column], False
    return True


def _who(part: Part, _: Item) -> bool:
    """The names of people: in a column called so or "run by", or in the first of texts that are all different."""
    if part.measure:
        part.pending = "where"
        return True
    of_people = {"name", "person", "employee", "customer", "名前", "氏名"}
    texts = part.table.of_kind("text")
    named = [one for one in texts if of_people & {*column_words(one)} or words(one.name)[-1:] == ("by",)]
    part.targets.extend([*named, *own_texts(part.table)][:1])
    part.asks_who = True
    return bool(part.targets)


def _and(part: Part, _: Item) -> bool:
    """ "By year and region" has two groups; elsewhere what follows is of the same kind by itself."""
    if part.pending == "period":
        part.pending = "group"
    return True


def _not(part: Part, _: Item) -> bool:
    part.negated = True
    if part.pending != "is":
        part.focus = None
    return True


def _first(part: Part, _: Item) -> bool:
    """ "The first 5 rows" are those, "the first order date" is the earliest."""
    if part.pending == "top" or part.limit:
        return False
    part.pending = "top"
    return True


def _top(part: Part, item: Item) -> bool:
    if part.order:
        return False
    part.order, part.pending = item.text, "top"
    return True


def _column(part: Part, item: Item) -> bool:
    column = item.column
    if column is None:
        return False
    if part.asks_who and item.cost > 1 and column.kind == "text":
        part.targets, part.pending = [column], "where"  # "who commanded" asks for the commander
        return True
    if part.operator and part.number:
        return column.kind == "number" and part.filter(column, cast("Operator", part.operator), part.number)
    if part.pending == "period of" and column.kind == "date":
        part.groups[-1], part.pending = Group(column, part.groups[-1].period), ""
        return True
    if part.negated and column.kind != "boolean":
        return _without(part, column)
    if column.kind == "boolean" and part.filters and part.filters[-1].column == column and not part.negated:
        return True  # "haven't paid their dues" of the column "dues paid"
    if column.kind == "boolean" and part.pending not in ("group", "which"):
        return part.filter(column, "true", "false" if part.negated else "true")
    if part.pending == "group":
        return _grouped(part, column)
    if part.pending == "which":
        part.targets.append(column)
        part.pending = ""
        return True
    return _mentioned(part, column)


def _without(part: Part, column: Column) -> bool:
    """ "Without moons": none of them, where there can be none."""
    none = next((one for one in column.examples if not column.nulls and one.casefold() in _NONE), "")
    if none or column.least == "0":
        return part.filter(column, "=", none or "0")
    return column.nulls > 0 and part.filter(column, "null")


_NONE = ("none", "no", "nil", "n/a", "-", "なし")


def _mentioned(part: Part, column: Column) -> bool:
    if part.pending == "top":
        if not part.order and column.kind == "date":
            part.extreme, part.timed = "min", True
        else:
            part.limit = part.limit or 1
        part.pending = ""
    if column not in part.mentions:  # "the farthest" in distance, "the weight of the samples" in kg
        part.mentions.append(column)
    part.focus = column
    return True


def _grouped(part: Part, column: Column) -> bool:
    if part.per and column.kind == "number" and measured(column):
        return False  # fuel per km is a ratio, and no groups of as many km
    if part.implied and {*part.could} & {*column_words(column)}:
        part.mentions, part.pending = [column], ""  # "the smallest by mass"
    elif column.kind == "number" and (part.limit or part.order):
        part.mentions.append(column)  # "the top 5 by amount"
    else:
        group = Group(column, over_time(column) if column.kind == "date" and wide(column) else "")
        part.groups = [*(one for one in part.groups if one != group), group]
        part.focus = None
    return True


def _period(part: Part, item: Item) -> bool:
    column = date_column(part.table, part.dates)
    if column is None:
        return False
    if item.role == "period" and part.pending not in ("group", "which"):
        if item.text != "day" or part.measure not in ("count", "distinct"):
            return False
        part.mentions.append(column)  # "how many days"
        return True
    part.groups.append(Group(column, cast("Period", item.text)))
    part.focus, part.pending = None, "period"
    return True


def _over_time(part: Part, _: Item) -> bool:
    column = date_column(part.table, part.dates)
    if column is None:
        return False
    part.groups.append(Group(column, over_time(column)))
    return True


def _rows(part: Part, item: Item) -> bool:
    part.named = True
    part.rows = part.rows or item.role == "rows"
    if part.number and not part.operator:
        if part.targets and not (part.extreme or part.most or part.order):
            return False  # "which tenant has two units?"
        part.limit, part.number = whole_number(part.number), ""
    if part.pending in ("which", "top"):
        part.limit = part.limit or (10 if part.pending == "top" else 0)  # "which bike is the cheapest?" is one
        part.listed, part.pending = True, ""
    return True


def _group(part: Part, item: Item) -> bool:
    part.pending, part.focus, part.per = "group", None, item.text == "per"
    return True


def _paid(part: Part, item: Item) -> bool:
    part.paid = cast("Literal['in', 'out']", item.text or "in")
    return True


def _sets(**values: object) -> Callable[[Part, Item], bool]:
    """What an item only notes."""

    def handler(part: Part, _: Item) -> bool:
        for name, noted in values.items():
            setattr(part, name, noted)
        return True

    return handler


def _chart(part: Part, item: Item) -> bool:
    if part.chart in ("", "any") or item.text == "any":
        part.chart = cast("Chart", item.text) if item.text != "any" else part.chart or "any"
        return True
    return False


def _ordered(part: Part, item: Item) -> bool:
    way, _, of = item.text.partition(" ")
    part.order = part.order or "down" if way == "by" else way  # "the bottom 2 sorted by price" are the lowest
    part.pending = "where"
    column = date_column(part.table, part.dates) if of == "date" else called(part.table, of.split())
    column = column or of_kind(part.table, of.split())
    if column and column not in part.mentions:
        part.mentions.append(column)
    return not of or column is not None


def _thing(part: Part, item: Item) -> bool:
    """A noun for the rows: it says less than the name of the table."""
    named = part.named
    done = _rows(part, item)
    part.named = named
    part.targets.extend(own_texts(part.table)[:1])
    return done


_HANDLERS: Mapping[str, Callable[[Part, Item], bool]] = {
    "measure": _measure, "extreme": _extreme, "most": _extreme, "implied": _implied, "top": _top, "column": _column,
    "value": value, "unknown": unknown, "number": number, "year": time, "month": time, "day": time,
    "operator": operator_said, "period": _period, "time": _over_time, "where": where, "rows": _rows, "table": _rows,
    "is": is_said, "chart": _chart, "order": _ordered,
    "group": _group, "against": _sets(pending="group", focus=None),
    "sought": _sought, "does": _does, "verb": _verb, "dated": _dated, "thing": _thing,
    "who": _who, "first": _first, "periodic": _period, "close": _sets(pending="", focus=None),
    "paid": _paid, "not": _not, "null": _sets(negated=True), "and": _and,
    "between": _sets(ends=list[str]()),
    "which": _sets(pending="which"), "list": _sets(listed=True), "also": _sets(also=True), "stop": _sets(),
    "next": lambda part, item: False,
}  # fmt: skip
