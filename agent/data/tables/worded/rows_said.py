"""What was read so far of the words that say which rows are meant, and how one more filter goes with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

from agent.data.tables.questions.items import Item, at
from agent.data.tables.questions.table_lexicon import Token
from agent.data.tables.questions.table_schema import Column, Filter, Table
from agent.data.tables.worded.worded_columns import WORDS, Meant, columns_at, nearest_at, typed_at


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
    plain_days: bool = False  # whether days that are not named are those of a column "Date", where there is one

    @property
    def columns(self) -> list[Column]:
        """Those that were named, each once."""
        return list(dict.fromkeys(one.column for one in self.asked))

    @property
    def focus(self) -> Column | None:
        """The column that was named right before."""
        return self.asked[-1].column if self.asked and self.last == "mention" else None

    @property
    def numbers(self) -> list[Column]:
        return [one for one in self.columns if one.kind == "number"]

    @property
    def others(self) -> list[Column]:
        return [one for one in self.columns if one.kind != "number"]


def filtered(rows: Rows, one: Filter, cost: int = 0) -> Rows | None:
    """With one more filter; a further value of the same column is another that may be. ``None`` where it does not go.

    "Paid or from Dublin", "not paid and shipped" and two values of one column without an "and" do not go.
    """
    operator = one.operator
    goes_on = rows.link in ("and", "or") and rows.chain is not None and rows.chain == one.column
    if goes_on and rows.filters[-1].operator in ("=", "<>", "find", "not find") and operator in ("=", "find"):
        last = rows.filters[-1]
        if rows.chained_not != (last.operator in ("<>", "not find")):
            return None
        operator = "<>" if rows.chained_not and operator == "=" else "not find" if rows.chained_not else operator
        if operator == last.operator and operator in ("=", "<>"):
            filters = (*rows.filters[:-1], replace(last, values=(*last.values, *one.values)))
        else:
            filters = (*rows.filters, replace(one, operator=operator))
    elif rows.link == "or" or (rows.link == "and" and rows.chained_not and not rows.negated):
        return None
    else:
        same = [each for each in rows.filters if each.column == one.column and one.column and one.operator == "="]
        if same and not rows.negated and all(each.operator == "=" for each in same):
            return None
        filters = (*rows.filters, one)
    chained = operator in ("<>", "not find") or (operator == "true" and one.values == ("false",))
    return replace(
        rows, filters=filters, cost=rows.cost + cost, negated=False, chain=one.column, chained_not=chained, link="",
        last="filter",
    )  # fmt: skip


@cache
def phrases_of(name: str) -> tuple[tuple[str, ...], ...]:
    """The words of the list, each as it is typed."""
    return tuple(tuple(phrase.split()) for phrase in WORDS["words"][name])


@cache
def _by_first(name: str) -> Mapping[str, Sequence[tuple[str, ...]]]:
    """Those that begin with a word, by that word."""
    return {first: [one for one in phrases_of(name) if one[0] == first] for first, *_ in phrases_of(name)}


@dataclass(frozen=True, slots=True)
class Spot:
    """A place among the words ``said`` of ``table``; ``rows``: what was read before it."""

    place: int
    said: Sequence[Token]
    rows: Rows
    table: Table
    today: date | None = None

    @property
    def token(self) -> Token:
        return self.said[self.place]

    @property
    def ends(self) -> bool:
        """Whether the last word is here."""
        return self.place == len(self.said) - 1

    def word(self, away: int = 0) -> str:
        """The word so many places away, in small letters; "" where there is none."""
        place = self.place + away
        return self.said[place].text.casefold() if 0 <= place < len(self.said) else ""

    def has(self, *phrase: str, away: int = 0) -> bool:
        """Whether these words were typed there."""
        return typed_at(self.place + away, self.said, phrase)

    def first_of(self, phrases: Iterable[str], away: int = 0) -> int:
        """How many words the first of those phrases has that was typed there; 0 where none was."""
        return next((len(one.split()) for one in phrases if self.has(*one.split(), away=away)), 0)

    def lengths(self, name: str) -> Iterator[int]:
        """How many words each phrase of that list has that was typed here."""
        return (len(phrase) for phrase in _by_first(name).get(self.word(), ()) if self.has(*phrase))

    def columns(self, away: int = 0) -> list[Meant]:
        """The columns that the words so many places away may mean."""
        return columns_at(self.place + away, self.said, self.table) if self.place + away < len(self.said) else []

    def nearest(self, away: int = 0) -> list[Meant]:
        """Those of them whose names are nearest to the words."""
        return nearest_at(self.place + away, self.said, self.table) if self.place + away < len(self.said) else []

    def items(self, away: int = 0) -> Sequence[Item]:
        """What the words there may be beside names of the table: numbers, days, months, years."""
        there = self.place + away < len(self.said)
        return items_in(self.place + away, self.said, self.today) if there else []

    def number(self, away: int = 0) -> str:
        return number_in(self.place + away, self.said)

    def of_value(self, column: Column, value: str, length: int = 1, cost: int = 0) -> Steps:
        """A value of a column, or with a "not" before it any but that one."""
        return self.filtered(length, Filter(column, "<>" if self.rows.negated else "=", (value,)), cost)

    def filtered(self, length: int, one: Filter, cost: int = 0, rows: Rows | None = None) -> Steps:
        """``length`` words that make one more filter of the ``rows``, where it goes with what was read."""
        if made := filtered(rows or self.rows, one, cost):
            yield length, made


Steps = Iterator[tuple[int, Rows]]  # how many words are accounted for, and what they say with those before them


def number_in(place: int, said: Sequence[Token]) -> str:
    if place >= len(said):
        return ""
    found = [item.text for item in items_in(place, said) if item.role == "number"]
    return found[0] if found else ""


_NONE = Table("", "", 0, ())


def items_in(place: int, said: Sequence[Token], today: date | None = None) -> Sequence[Item]:
    return at(place, said, _NONE, today)
