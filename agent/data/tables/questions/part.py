"""A question being read from left to right, and its words that pick rows: values, comparisons, years and days."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from agent.data.tables.questions.items import Item
from agent.data.tables.questions.table_lexicon import LEXICON, words
from agent.data.tables.questions.table_schema import (
    Asked,
    Chart,
    Column,
    Filter,
    Group,
    Measure,
    Operator,
    Table,
    column_words,
    date_column,
    dated,
    default_numbers,
    is_money,
    kinds_of,
    measured,
    told_of,
    usual,
    year_column,
)

_BOTH_ENDS = 2
_MONEY = frozenset(LEXICON["columns"]["money"])
_COMPARED = {"after": ">", "since": ">=", "before": "<", "until": "<="}
_OF_TEXTS = ("=", "<>", "find", "not find")
_OF_SEVERAL = ("=", "<>", "year", "month")


@dataclass(slots=True)
class Part:
    """A question, or what a follow-up adds to it, being read from left to right.

    ``mentions`` are columns of which it is not said what they are for; ``focus`` the one just named. An extreme that
    is ``bare`` needs a column that is named, or the only one with figures: of one of its ``kinds``, where these are
    known of both. ``implied``: it said itself which, of all that it ``could`` be of. ``counted``: "how many" stands
    before the value of a filter. ``paid``: a verb is of money, that comes in or goes out.
    """

    table: Table
    turn: int = 0
    dates: int = 0
    measure: Measure | None = None
    extreme: str = ""
    timed: bool = False
    bare: bool = False
    kinds: frozenset[str] = frozenset()
    implied: bool = False
    could: list[str] = field(default_factory=list[str])
    asks_who: bool = False
    counted: bool = False
    sought: bool = False
    per: bool = False
    paid: Literal["", "in", "out"] = ""
    awaits_verb: bool = False
    after_and: bool = False
    most: str = ""
    mentions: list[Column] = field(default_factory=list[Column])
    targets: list[Column] = field(default_factory=list[Column])
    groups: list[Group] = field(default_factory=list[Group])
    filters: list[Filter] = field(default_factory=list[Filter])
    order: str = ""
    limit: int = 0
    chart: Chart = ""
    named: bool = False
    rows: bool = False
    listed: bool = False
    also: bool = False
    cost: int = 0
    pending: str = ""
    focus: Column | None = None
    negated: bool = False
    operator: str = ""
    ends: list[str] | None = None
    number: str = ""

    def whole(self) -> bool:
        """Whether nothing is left that waits for more."""
        return (
            not (self.operator or self.number or self.negated or self.awaits_verb)
            and self.ends is None
            and self.pending not in ("top", "which")
        )

    def bind(self, kinds: Sequence[str]) -> Column | None:
        """The column just named, where its kind fits: it is then what a filter is about, and nothing else."""
        column = self.focus
        if column is None or column.kind not in kinds:
            return None
        if self.mentions and self.mentions[-1] is column:
            self.mentions.pop()
        return column

    def filter(self, column: Column | None, operator: Operator, *values: str, said: str = "") -> bool:
        """One more filter; a second value of one column is another that may be."""
        last = self.filters[-1] if self.filters else None
        if last and last.column == column and last.operator == operator and operator in _OF_SEVERAL:
            self.filters[-1] = Filter(column, operator, (*last.values, *values), self.turn)
        else:
            self.filters.append(Filter(column, operator, values, self.turn, said))
        self.operator, self.number, self.negated = "", "", False
        return True


def numbers_of(part: Part) -> list[Column]:
    return [column for column in part.mentions if column.kind == "number"]


def others_of(part: Part) -> list[Column]:
    return [column for column in part.mentions if column.kind != "number"]


def order_of(part: Part) -> Literal["", "up", "down"]:
    least = part.order == "up" or part.extreme == "min" or part.most == "min"
    return "up" if least else "down" if part.order or part.extreme or part.most else ""


def ranking_of(part: Part) -> dict[str, Any]:
    """Order and limit of groups: "which … most" is the first of them."""
    first = 1 if (part.extreme or part.most) and not part.limit else 0
    return {"order": order_of(part), "limit": part.limit or first}


def asked_of(part: Part, measure: Measure, column: Column | None = None, **more: Any) -> Asked:
    base = Asked(part.table, measure, column, tuple(part.groups), tuple(part.filters), chart=part.chart)
    return replace(base, **more)


def called(table: Table, names: Sequence[str]) -> Column | None:
    for name in names:
        for column in table.columns:
            if column.kind in ("number", "date") and name in column_words(column):
                return column
    return None


def of_kind(table: Table, names: Sequence[str]) -> Column | None:
    """The one column whose unit measures that: kilograms a weight."""
    wanted = kinds_of(names)
    found = [column for column in table.of_kind("number") if wanted & measured(column)]
    return found[0] if len(found) == 1 else None


def unsure(part: Part, measure: Measure) -> bool:
    """Whether a figure without a name may be of several columns, or ages would be added up."""
    found = [one for one in default_numbers(part.table) if not part.paid or is_money(one)]
    of_money = part.paid or (part.named and _MONEY & {*words(part.table.name)})
    several = len(found) > 1 and not (of_money and is_money(found[0]) and not is_money(found[1]))
    return several or (measure == "sum" and any(usual(one) == "avg" for one in found[:1]))


def compares(kinds: Set[str], column: Column) -> bool:
    """Whether what is compared by figures of those kinds, of any where there are none, may be this column."""
    of_units = measured(column)
    return not kinds or ("money" in kinds and is_money(column)) or (bool(of_units) and kinds >= of_units)


def whole_number(text: str) -> int:
    return int(text) if text.isdigit() and len(text) <= 4 else 0


def wide(column: Column) -> bool:
    """Whether a column of dates has more of them than can be groups one by one."""
    return column.kind == "date" and (column.distinct or 0) > 60


def value(part: Part, item: Item) -> bool:
    if item.column is None or part.operator:
        return False
    if part.focus is not None and part.focus != item.column and part.pending == "is":
        return False
    last = part.filters[-1] if part.filters else None
    if part.after_and and last and last.operator in _OF_TEXTS and last.column != item.column:
        return False  # "shoes and food", an item and a category: no row is both
    if part.focus == item.column:
        part.bind((item.column.kind,))
    part.pending = "where"
    return part.filter(item.column, "<>" if part.negated else "=", item.text)


def unknown(part: Part, item: Item) -> bool:
    """A text that is in no card may yet be in the table, where the question has a place for one."""
    if part.operator or not (part.pending in ("where", "is") or part.negated or part.focus or part.turn):
        return False
    column = part.bind(("text", "other"))
    if column is None and part.focus is not None and part.pending != "where":
        return False
    part.pending = "where"
    if item.cost == 0 and column is not None and column.kind == "text":
        return part.filter(column, "<>" if part.negated else "=", item.text)  # it was in quotation marks
    part.cost += 2
    return part.filter(column, "not find" if part.negated else "find", item.text)


def number(part: Part, item: Item) -> bool:
    if part.ends is not None:
        return _end(part, item)
    if part.pending == "top":
        part.limit, part.pending = whole_number(item.text), ""
        return part.limit > 0
    if part.operator:
        column = part.bind(("number",))
        if column is not None:
            return part.filter(column, cast("Operator", _COMPARED.get(part.operator, part.operator)), item.text)
    elif column := part.bind(("number",)) if part.pending in ("where", "is") else None:
        return part.filter(column, "<>" if part.negated else "=", item.text)
    if part.number or (part.operator in _COMPARED):
        return False
    part.number = item.text
    return True


def _end(part: Part, item: Item) -> bool:
    """One of the two ends of "between a and b"."""
    ends = part.ends = [*(part.ends or []), item.text]
    if len(ends) < _BOTH_ENDS:
        return True
    part.ends = None
    if item.role == "number":
        column = part.bind(("number",))
        return column is not None and part.filter(column, "between", *ends)
    column = part.bind(("date",)) or date_column(part.table, part.dates)
    return column is not None and _dated(part, column, "since", ends[0]) and _dated(part, column, "until", ends[1])


def time(part: Part, item: Item) -> bool:
    if part.ends is not None:
        return _end(part, item)
    compared = part.pending == "is" or part.operator not in ("", *_COMPARED)
    if item.role == "year" and part.focus and part.focus.kind == "number" and compared:
        return number(part, item)
    column = part.bind(("date",)) or date_column(part.table, part.dates)
    part.pending = "where"
    if column is None:
        years = year_column(part.table)
        operator = _COMPARED.get(part.operator, part.operator) or "="
        if years is None or item.role != "year" or part.number:
            return False
        return part.filter(years, cast("Operator", "<>" if part.negated else operator), item.text)
    if part.operator or item.role == "day":
        if part.negated or part.number:
            return False
        one_year = column.least[:4] == column.most[:4] and item.text.startswith("0-")
        told = f"{column.most[:4]}{item.text[1:]}" if one_year else item.text  # "since November"
        return _dated(part, column, part.operator or "on", told)
    if part.negated:
        return False
    return part.filter(column, cast("Operator", item.role), item.text)


def _dated(part: Part, column: Column, operator: str, text: str) -> bool:
    told = f"{operator} {told_of(text)}"
    found = dated(operator, text)
    for place, (comparison, day) in enumerate(found):
        part.filter(column, comparison, day, said=told if place == 0 else "-")
    return bool(found)


def operator_said(part: Part, item: Item) -> bool:
    if part.operator or part.negated:
        return False
    part.operator, *names = item.text.split()
    if names:
        part.focus = called(part.table, names)
    return not names or part.focus is not None


def where(part: Part, item: Item) -> bool:
    if part.pending == "period" and item.text == "of":
        part.pending = "period of"
    elif part.pending != "top":
        part.pending = "where"
    if part.focus is not None and part.focus.kind != "date":
        part.focus = None
    return True


def is_said(part: Part, _: Item) -> bool:
    if part.focus is not None:
        part.pending = "is"
    return True
