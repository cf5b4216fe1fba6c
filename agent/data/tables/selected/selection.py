"""What a question asks of the rows of a table: what is shown of which of them, how put together, in what order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from agent.data.tables.questions.table_schema import Column, Filter, Table

Function = Literal["", "count", "distinct", "sum", "avg", "min", "max"]
Operator = Literal["=", "<>", ">", ">=", "<", "<="]
Way = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Figure:
    """What is shown, or ordered by: a column or what ``function`` makes of it; without a column, rows are counted.

    ``conditions``: which rows of ``table`` count, where it is another one than that of the rows shown.
    """

    table: Table
    column: Column | None = None
    function: Function = ""
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class AgainstMean:
    """A figure above or below the mean of its column."""

    column: Column
    operator: Operator


@dataclass(frozen=True, slots=True)
class Extreme:
    """The rows with the largest or smallest figure of a column."""

    column: Column
    way: Way


@dataclass(frozen=True, slots=True)
class Holding:
    """Texts with ``text`` in them, at the beginning, at the end or anywhere; ``negated``: without it."""

    column: Column
    text: str
    place: Literal["in", "begin", "end"] = "in"
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Worded:
    """Cells that have one of the ``texts`` as whole words, in any case, with or without the "s" of plurals."""

    column: Column
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Linked:
    """Rows that belong to rows of another table; ``negated``: to none. ``operator`` and ``number``: to how many."""

    table: Table
    conditions: tuple[Condition, ...] = ()
    negated: bool = False
    operator: Operator | None = None
    number: int = 0


Condition: TypeAlias = "Filter | AgainstMean | Extreme | Holding | Worded | Linked"


@dataclass(frozen=True, slots=True)
class Ordering:
    figure: Figure
    way: Way = "up"


@dataclass(frozen=True, slots=True)
class Selection:
    """``table``: that of the rows; ``shown`` empty: all of its columns. ``having``: how many rows a group must have.

    ``limit`` 0 is none; with 1, all that tie are first. ``cost``: how far its words are from the names they mean.
    """

    table: Table
    shown: tuple[Figure, ...] = ()
    conditions: tuple[Condition, ...] = ()
    groups: tuple[Figure, ...] = ()
    having: tuple[Operator, int] | None = None
    orders: tuple[Ordering, ...] = ()
    limit: int = 0
    different: bool = False
    cost: int = field(default=0, compare=False)
