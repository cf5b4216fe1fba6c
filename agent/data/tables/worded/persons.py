"""Which columns of a table hold people, by their headings and by the names in them."""

from __future__ import annotations

from functools import lru_cache

from agent.data.tables.questions.table_lexicon import words
from agent.data.tables.questions.table_schema import Column, Table
from agent.data.tables.worded.worded_columns import fields_of, forms, named, with_mark
from agent.text.regex import regex


@lru_cache(maxsize=256)
def people_in(table: Table) -> tuple[Column, ...]:
    """The columns that "who" may ask for: the names of the rows, where these are people, or else all with people."""
    first, several = table.columns[0], [one for one in with_mark(table, "who") if _names_people(one)]
    of_people = first.kind == "text" and (first in several or "name" in words(first.name))
    several = several or [one for one in table.of_kind("text") if words(one.name) == ("name",)]
    several = several or [one for one in table.of_kind("text") if _is_doer(one)]
    named_whole = [one for one in several if _are_persons(one)]  # a runner, and not the club
    several = named_whole if len(named_whole) == 1 else several
    return (first,) if of_people else tuple(several)


_PERSON = regex(r"(?:[A-Z][\w'’.-]*\s+){1,2}[A-Z][\w'’-]+")


def _are_persons(column: Column) -> bool:
    """Whether all its known values are names of two words and more."""
    return len(column.known) > 1 and all(map(_PERSON.fullmatch, column.known))


def _is_doer(column: Column) -> bool:
    """Whether its heading is of somebody who does something: "Runner"."""
    return _are_persons(column) and words(column.name)[-1].endswith(("er", "or", "ist", "ant"))


def _names_people(column: Column) -> bool:
    """Whether its heading ends in whom it names: "Contact", not "Contact phone"."""
    return any(
        name[-1] == "name" or name[-1] in forms(tuple(one["names"]))
        for one in fields_of(column)
        if one.get("who")
        for name in named(column)
    )
