"""Groups by how many rows each has: "which owners brought in more than one pet", "who came at least twice"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.sql import condition
from agent.data.tables.questions.table_lexicon import NUMBERS, tokens
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Group, Operator, Table, tells_apart
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.worded_columns import content, named, with_mark
from agent.data.tables.worded.worded_rows import Rows, rows_of
from agent.text.regex import regex

_SEVERAL = regex(
    r"(?P<who>who|which|what)\b ?(?P<head>.*?) (?P<way>more than|at least|fewer than|less than|exactly|at most|over)"
    r" (?P<number>[a-z]+|\d+)(?: (?P<noun>.+))?",
    re.I,
)
_WAYS: dict[str, Operator] = {
    "more than": ">", "over": ">", "at least": ">=", "fewer than": "<", "less than": "<", "exactly": "=",
    "at most": "<=",
}  # fmt: skip
_TIMES = {"once": 1, "twice": 2}
_LISTED = 20  # groups


def several_asked(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """The groups that have so many rows, where the noun is that of the rows and no column is counted."""
    found = _SEVERAL.fullmatch(text)
    if found is None:
        return
    number, noun = found["number"].lower(), found["noun"] or ""
    least = int(number) if number.isdigit() else _TIMES.get(number, NUMBERS.get(number, 0))
    if not least or (number in _TIMES) == bool(noun):
        return
    head = rows_of(found["head"], table, today)
    tail = rows_of(noun, table, today) if noun else None
    if head is None or (noun and (tail is None or tail.asked or not tail.named)):
        return
    groups = head.columns
    if not groups and found["who"].lower() == "who" and not head.named:
        groups = with_mark(table, "who")
    filters = (*head.filters, *(tail.filters if tail else ()))
    own = [one for one in groups if one.kind == "text" and not tells_apart(one, table.rows)]
    if len(groups) != 1 or own != groups or any(one.sought for one in filters):
        return
    yield _counted(table, groups[0], filters, Filter(None, _WAYS[found["way"].lower()], (str(least),)))


_EACH = regex(
    r"how many (?P<rows>.*?)\b(?:of|in|for|with|from|at|on|per|by) (?:each|every)(?: single)?"
    r"(?: (?:kind|type|sort)s?(?: of)?)? (?P<group>.+)",
    re.I,
)


def grouped_count(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """ "How many of each kind of animal have we got"."""
    found = _EACH.fullmatch(text)
    if found is None:
        return
    rows = rows_of(found["rows"], table, today) if found["rows"].strip() else Rows()
    group = rows_of(found["group"], table, today)
    if rows is None or group is None or rows.asked or group.filters:
        return
    columns = group.columns or named_as_rows(found["group"], table)
    if len(columns) == 1 and columns[0].kind in ("text", "boolean") and not tells_apart(columns[0], table.rows):
        yield Asked(table, "count", None, (Group(columns[0]),), rows.filters)


def named_as_rows(text: str, table: Table) -> list[Column]:
    """The kinds of animals in an "animal shelter", where animals are its rows, too."""
    first = tokens(text)[0].word
    return [one for one in table.of_kind("text") if (first,) in named(one)]


def _counted(table: Table, group: Column, filters: tuple[Filter, ...], several: Filter) -> Asked:
    rows = Column("rows_of_each", "Rows of each", "number")
    where = " AND ".join([f"{quoted(group.name)} IS NOT NULL", *map(condition, filters)])
    fields = f"{quoted(group.name)}, count(*) AS {quoted(rows.name)}"
    source = f"(SELECT {fields} FROM {table.rows_sql} WHERE {where} GROUP BY 1)"
    counted = replace(table, columns=(group, rows), joined=source)
    return Asked(counted, "rows", rows, (), (replace(several, column=rows),), "down", _LISTED, (group, rows))


PEOPLE = regex(r"(?:people|guests|persons|folks|of us|of them)\b ?(?P<rest>.+)", re.I)


def people_counted(rest: str, table: Table, today: date | None) -> Asked | None:
    """How many people came, of a column that counts them; or how many different ones are named in those rows."""
    rows, who = rows_of(rest, table, today), people_in(table)
    if rows and rows.filters and not rows.asked and len(who) == 1 and not with_mark(table, "often"):
        return Asked(table, "distinct", who[0], (), rows.filters)
    several = rows.numbers if rows else []
    if rows is None or rows.others or rows.named or len(several) != 1 or not of_people_counted(several[0]):
        return None
    return Asked(table, "sum", several[0], (), rows.filters)


def of_people_counted(column: Column) -> bool:
    """Whether its figures are of people who do something: "Coming", "Invited"."""
    return any(word.endswith(("ing", "ed")) or word in ("visitor", "guest", "attendee") for word in content(column))


def times_counted(rest: str, table: Table, today: date | None) -> Asked | None:
    """How many times somebody came, of a column that tells it."""
    rows, often = rows_of(rest, table, today), with_mark(table, "often")
    asked = {one.column for one in rows.asked} if rows else set[Column]()
    return Asked(table, "sum", often[0], (), rows.filters) if rows and len(often) == 1 and asked == {*often} else None
