"""A question, or what a follow-up adds to it, being read from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.demo.tables.asked import Chart, Filter, Group, Measure, Operator
from agent.demo.tables.column_words import column_words
from agent.demo.tables.table_schema import Column, Table

_OF_SEVERAL = ("=", "<>", "year", "month")


@dataclass(slots=True)
class Part:
    """A question, or what a follow-up adds to it, being read from left to right.

    ``mentions`` are columns of which it is not said what they are for; ``focus`` the one just named.
    """

    table: Table
    turn: int = 0
    dates: int = 0
    measure: Measure | None = None
    extreme: str = ""
    timed: bool = False
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
            not (self.operator or self.number or self.negated)
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
        joins = (
            last and last.column == column and last.operator == operator and operator in ("=", "<>", "year", "month")
        )
        if joins and last:
            self.filters[-1] = Filter(column, operator, (*last.values, *values), self.turn)
        else:
            self.filters.append(Filter(column, operator, values, self.turn, said))
        self.operator, self.number, self.negated = "", "", False
        return True


def called(table: Table, names: Sequence[str]) -> Column | None:
    for name in names:
        for column in table.columns:
            if column.kind in ("number", "date") and name in column_words(column):
                return column
    return None


def whole_number(text: str) -> int:
    return int(text) if text.isdigit() and len(text) <= 4 else 0


def wide(column: Column) -> bool:
    """Whether a column of dates has more of them than can be groups one by one."""
    return column.kind == "date" and (column.distinct or 0) > 60
