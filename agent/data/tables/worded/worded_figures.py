"""Figures of rows whose words are all accounted for: sums, means, what is most, by groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.table_lexicon import form, tokens, words
from agent.data.tables.questions.table_schema import (
    NAMING,
    Asked,
    Column,
    Filter,
    Group,
    Measure,
    Period,
    Table,
    added_up,
    default_numbers,
    id_like,
    is_price_of_one,
    tells_apart,
)
from agent.data.tables.worded.worded_columns import (
    content,
    currency,
    fields_of,
    has_pieces,
    holds_money,
    is_of_period,
    names_of_rows,
    nearest_at,
)
from agent.data.tables.worded.worded_rows import Rows, rows_of
from agent.text.regex import regex

_WORDS_OF: dict[Measure, str] = {
    "sum": "total sum combined overall", "avg": "average mean avg typical", "median": "median",
    "max": "highest maximum max largest biggest", "min": "lowest minimum min smallest",
}  # fmt: skip
_MEASURES: dict[str, Measure] = {word: measure for measure, several in _WORDS_OF.items() for word in several.split()}
_MEASURED = regex(
    r"(?:(?:what|how (?:much|many|high)) (?:is|are|was|were) |give me |show me |list )?(?:the |our |my )?"
    rf"(?P<measure>{'|'.join(_MEASURES)})(?: of)?(?: the)? (?P<rest>.+)",
    re.I,
)
_ADDED = regex(
    r"(?:add up|sum up|add together)(?: all)? (?P<rest>.+)"
    r"|(?:(?:what|how (?:much|many))(?: is| are)? )?(?:the )?(?P<of>.+?),? "
    r"(?:added up|added together|summed up|combined|put together|together|in total|altogether|all together|in all)",
    re.I,
)
_PER = regex(
    r"(?P<rest>.+?),? (?:per|by|for each|for every|in each|of each|at each|from each|on each) (?P<group>[a-z][\w ]*)",
    re.I,
)
_PER_FIRST = regex(
    r"(?:per|by|for each|for every) (?P<group>[a-z][\w ]*?),? (?P<rest>(?:what|how|the|total|average)\b.+)", re.I
)
_LISTED = 20  # rows
PERIODS: dict[str, Period] = {"year": "year", "quarter": "quarter", "month": "month", "week": "week", "day": "day"}
_TIMES = regex(r"(?P<rest>.+?),? (?P<a>[a-z][\w ]*?) (?:times|multiplied by|x|\*|×) (?P<b>[a-z][\w ]*)", re.I)


# "The country of origin" of a column "Origin".
_KIND_OF = regex(
    r"(?:the )?(?:country|place|town|city|region|type|kind|sort|name|level|degree|state) of (?=[a-z])", re.I
)


def whole_column(text: str, table: Table, kinds: Sequence[str]) -> Column | None:
    """The one column that all words of ``text`` mean."""
    found = [one for one in _all_mean(text, table) if one.kind in kinds]
    return found[0] if len(found) == 1 else None


def whole_figure(text: str, table: Table) -> Column | None:
    """The one column of figures, of no numbers of things, that all words of ``text`` mean."""
    found = [one for one in _all_mean(text, table) if one.kind == "number" and not id_like(one)]
    return found[0] if len(found) == 1 else None


def _all_mean(text: str, table: Table) -> list[Column]:
    said = tokens(re.sub(r"^(?:the|each|every|our|my|its) ", "", text.strip(), flags=re.I))
    return [one.column for one in nearest_at(0, said, table) if one.length == len(said)] if said else []


def of_one_row(rows: Rows, table: Table) -> bool:
    """Whether the filters are of a single row, by its name or number."""
    first = table.columns[0]
    own = [one for one in table.columns if tells_apart(one, table.rows) or one.numbered]
    own += [first] if first.distinct == table.rows else []
    single = (one for one in rows.filters if one.operator in ("=", "find") and len(one.values) == 1)
    days = (one for one in rows.filters if one.said[:3] == "on " and one.column and one.column.distinct == table.rows)
    return any(one.column is None or one.column in own or _is_of_one(one) for one in single) or any(days)


def _is_of_one(one: Filter) -> bool:
    """Whether its value stands in one row alone, where that is known."""
    known = dict(zip(one.column.values, one.column.counts, strict=False)) if one.column else {}
    return known.get(one.values[0]) == 1


def led_by_value(text: str, rows: Rows) -> bool:
    """Whether what the rows are called is a value of theirs: "terriers that are not reserved"."""
    first = tuple(token.word for token in tokens(text)[:1])
    return any(first == words(value)[:1] for one in rows.filters if one.operator == "=" for value in one.values)


def measured_asked(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """ "Average crossing time per route", "the total price of the unsold ones"."""
    if first := _PER_FIRST.fullmatch(text):
        text = f"{first['rest']} per {first['group']}"
    found, added = _MEASURED.fullmatch(text), _ADDED.fullmatch(text)
    if added and not found:
        yield _added(text, added["rest"] or added["of"], table, today)
    if found is None:
        return
    measure, rest = _MEASURES[found["measure"].lower()], found["rest"]
    if measure == "sum" and (product := _TIMES.fullmatch(rest)):
        both = [whole_column(product[name], table, ("number",)) for name in "ab"]
        if both[0] and both[1] and both[0] != both[1]:
            widened, column = _product(table, both[0], both[1])
            head = re.sub(r"\b(?:value|price|cost|amount|worth)(?: of)?\b", "", product["rest"])
            rows = rows_of(head, widened, today) if head.strip() else Rows()
            if rows and not rows.asked:
                yield Asked(widened, "sum", column, (), rows.filters)
        return
    groups: tuple[Group, ...] = ()
    if per := _PER.fullmatch(rest):
        group, row = _group(per["group"], table), rows_of(per["group"], table, today)
        of_rows = is_of_period(table, form(per["group"].strip().lower()))
        if measure == "avg" and (of_rows or (row and row.named and not (row.filters or row.asked))):
            rest = per["rest"]  # "per order", "per month", where each row is one
        elif group:
            groups, rest = (group,), per["rest"]
    yield _figure(measure, rest, groups, table, today)


_SHOW = regex(r"^(?:(?:what is|what are|show(?: me)?|list|give me|the|our|my) )+", re.I)


def _total_per(what: str, by: str, table: Table) -> Asked | None:
    column, group = whole_figure(_SHOW.sub("", what), table), _group(by, table)
    counted = column is not None and content(column) & {"stock", "left", "sold"}
    adds = column is not None and (added_up(column) or counted) and not id_like(column)
    return Asked(table, "sum", column, (group,)) if adds and group else None


def total_per_asked(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """ "The stock per country of origin": all of it, where it adds up, and no other measure is said."""
    per = None if _MEASURED.fullmatch(text) or _ADDED.fullmatch(text) else _PER.fullmatch(text)
    if per:
        yield _total_per(per["rest"], per["group"], table)


def _added(text: str, rest: str, table: Table, today: date | None) -> Asked | None:
    rows = rows_of(rest, table, today) if text.lower().startswith("how many") else None
    if text.lower().startswith("how many") and not (rows and rows.numbers):
        return None  # "how many members in total"
    return _figure("sum", rest, (), table, today)


def _figure(measure: Measure, rest: str, groups: tuple[Group, ...], table: Table, today: date | None) -> Asked | None:
    rows = rows_of(rest, table, today)
    if rows is None or rows.others or any(one.column in [group.column for group in groups] for one in rows.filters):
        return None
    numbers = rows.numbers or _led_by_figure(rest, rows, table)
    if len(numbers) > 1 or (not numbers and measure not in ("sum",)):
        return None
    if numbers:
        column = numbers[0]
        if id_like(column) or (measure == "sum" and is_price_of_one(column)):
            return value_of_all(table, rows, groups) if measure == "sum" and not id_like(column) else None
    else:
        several = default_numbers(table)
        whose = [one for one in several if currency(one)] if _is_of_text(rows) else []  # "the total for Ada"
        if len(whose) != 1 and (len(several) != 1 or not rows.named or not added_up(several[0])):
            return None
        column = whose[0] if len(whose) == 1 else several[0]
    if measure == "sum" and has_pieces(table) and is_price(column) and not added_up(column):
        return None  # the price of one, where a row is of several
    return Asked(table, measure, column, groups, rows.filters)


def _led_by_figure(text: str, rows: Rows, table: Table) -> list[Column]:
    """The column that stands first where rows are picked by it, too: "age of the pupils under 18"."""
    compared = {one.column for one in rows.filters if one.operator in (">", ">=", "<", "<=", "between")}
    first = nearest_at(0, tokens(text), table)
    found = [one.column for one in first if one.column.kind == "number" and one.column in compared]
    return found if len(first) == 1 and rows.named else []


def paid_for(rows: Rows, table: Table) -> Column | None:
    """The one column of money, where nothing but whose rows they are is said: "how much was Ada's order"."""
    money = [one for one in table.of_kind("number") if holds_money(one)]
    whose = rows.named and len(rows.filters) == 1 and rows.filters[0].operator in ("=", "find")
    return money[0] if whose and len(money) == 1 else None


def _is_of_text(rows: Rows) -> bool:
    """Whether they are those of one text that a column has."""
    of = rows.filters[0] if len(rows.filters) == 1 else None
    return bool(of and of.operator == "=" and of.column and of.column.kind == "text" and len(of.values) == 1)


def is_price(column: Column) -> bool:
    return any("cost" in one.get("verbs", ()) for one in fields_of(column))


def pieces_and_price(table: Table) -> tuple[Column, Column] | None:
    pieces = [one for one in table.of_kind("number") if content(one) & {"quantity", "pieces", "units"}]
    prices = [one for one in table.of_kind("number") if is_price(one)]
    totals = [one for one in table.of_kind("number") if content(one) & {"total", "amount", "revenue"}]
    return (pieces[0], prices[0]) if len(pieces) == len(prices) == 1 and not totals else None


def value_of_all(table: Table, rows: Rows, groups: tuple[Group, ...]) -> Asked | None:
    both = pieces_and_price(table)
    if both is None or any(one.column is None for one in rows.filters):
        return None
    widened, column = _product(table, *both)
    return Asked(widened, "sum", column, groups, rows.filters)


def _product(table: Table, one: Column, other: Column) -> tuple[Table, Column]:
    """The table with two of its columns multiplied as a column more."""
    name = f"{one.name}_times_{other.name}"
    column = Column(name, f"{one.called} times {other.called}", "number", one.unit or other.unit)
    return table.with_column(column, f"{quoted(one.name)} * {quoted(other.name)}"), column


def _group(text: str, table: Table) -> Group | None:
    bare = text.strip().lower()
    if bare in PERIODS:
        days = table.of_kind("date")
        named = whole_column(bare, table, ("text", "number"))
        return Group(days[0], PERIODS[bare]) if len(days) == 1 and not named else Group(named) if named else None
    of = _KIND_OF.match(text.strip())
    column = whole_column(text, table, ("text", "boolean"))
    ends = (text.strip()[of.end() :], of[0].strip().removesuffix(" of")) if of else ()
    column = column or next(filter(None, (whole_column(end, table, ("text",)) for end in ends)), None)
    return Group(column) if column and not tells_apart(column, table.rows) else None


_CODED = NAMING | {"ref", "reference", "tag"}


def told_of_rows(table: Table, rows: Rows, columns: Sequence[Column], alone: bool = False) -> Asked:
    """The rows that are meant, each by its name, with ``columns`` of them."""
    first = table.columns[0]
    names = names_of_rows(table) or ((first,) if first.kind == "text" else ())
    if [one.kind for one in names] == ["date"]:
        names = (*names, *table.of_kind("text")[:1])  # a day alone tells nobody what was then
    if names == (first,) and (first.numbered or (first.kind == "text" and _CODED & {*words(first.name)})):
        names = (first, *[one for one in table.columns[1:] if tells_apart(one, table.rows)][:1])  # "L05, walking stick"
    names = (rows.noun,) if rows.noun else names
    shown = list(columns) if columns and alone else [*names, *columns]
    return Asked(table, "rows", None, (), rows.filters, shown=tuple(dict.fromkeys(shown)), limit=_LISTED)
