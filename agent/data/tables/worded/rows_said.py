"""What was read so far of the words that say which rows are meant, and how one more filter goes with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from agent.data.tables.questions.items import Item, at
from agent.data.tables.questions.table_lexicon import Token
from agent.data.tables.questions.table_schema import Column, Filter, Table


@dataclass(frozen=True, slots=True)
class Mention:
    """A column that was named or whose verb was said; ``place``: at which word."""

    column: Column
    place: int
    verb: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """``asked``: columns that were named and are of no filter. ``named``: the rows have a noun.

    ``noun``: the column that the noun is the name of, where it is not the first one.
    """

    filters: tuple[Filter, ...] = ()
    asked: tuple[Mention, ...] = ()
    named: bool = False
    noun: Column | None = None
    cost: int = 0
    negated: bool = False
    chain: Column | None = None  # of the filter just made, which "and" or "or" may go on with
    chained_not: bool = False
    link: str = ""  # the "and", "or" or preposition just read, that something must follow
    last: str = ""


def filtered(rows: Rows, one: Filter, cost: int = 0) -> Iterator[Rows]:
    """With one more filter; a further value of the same column is another that may be."""
    operator = one.operator
    goes_on = rows.link in ("and", "or") and rows.chain is not None and rows.chain == one.column
    if goes_on and rows.filters[-1].operator in ("=", "<>", "find", "not find") and operator in ("=", "find"):
        last = rows.filters[-1]
        if rows.chained_not != (last.operator in ("<>", "not find")):
            return
        operator = "<>" if rows.chained_not and operator == "=" else "not find" if rows.chained_not else operator
        if operator == last.operator and operator in ("=", "<>"):
            filters = (*rows.filters[:-1], replace(last, values=(*last.values, *one.values)))
        else:
            filters = (*rows.filters, replace(one, operator=operator))
    elif rows.link == "or" or (rows.link == "and" and rows.chained_not and not rows.negated):
        return  # "paid or from Dublin", "not paid and shipped"
    else:
        same = [each for each in rows.filters if each.column == one.column and one.column and one.operator == "="]
        if same and not rows.negated and all(each.operator == "=" for each in same):
            return  # two values of one column, without an "and"
        filters = (*rows.filters, one)
    chained = operator in ("<>", "not find") or (operator == "true" and one.values == ("false",))
    yield replace(
        rows, filters=filters, cost=rows.cost + cost, negated=False, chain=one.column, chained_not=chained, link="",
        last="filter",
    )  # fmt: skip


def number_in(place: int, said: Sequence[Token]) -> str:
    if place >= len(said):
        return ""
    found = [item.text for item in items_in(place, said) if item.role == "number"]
    return found[0] if found else ""


_NONE = Table("", "", 0, ())


def items_in(place: int, said: Sequence[Token], today: date | None = None) -> list[Item]:
    return at(place, said, _NONE, today)
