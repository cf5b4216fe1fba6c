"""Two groups of rows, or two columns of the same, set against each other: whether more was paid in Rome than in Vienna.

"A vs B, how many minutes longer is it?" is told as the question for the difference that it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Literal

from agent.data.tables.questions.table_lexicon import tokens
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Table, id_like, usual
from agent.data.tables.worded.everyday_wordings import columns_named, day_called
from agent.data.tables.worded.rows_said import Rows
from agent.data.tables.worded.worded_columns import by_field, columns_at, holds_money
from agent.data.tables.worded.worded_figures import whole_column
from agent.data.tables.worded.worded_rows import rows_of
from agent.data.tables.wordings.set_against import Pair
from agent.text.regex import regex

_AND_ALL = r"(?:,? (?:overall|in total|altogether|all together|in all|all in all|all told|so far|in sum))*"
_PAID = r"billed|charged|invoiced|paid|spent|spend|pay|cost|owed?|earned?|raised?|made|make"
_GROUPS = regex(
    rf"(?:did|does|do|has|have|was|were|is|are) (?:the )?(?P<a>.+?) (?:(?:get|got|been|being|be) )?(?P<verb>{_PAID})"
    rf" (?:any |a lot |much |out )?(?P<much>more|less) than (?:the )?(?P<b>.+?)"
    rf"(?: (?:did|was|were|has|have))?{_AND_ALL}",
    re.I,
)
_PLACED = r"(?:in|at|on|for|to|with|from|of|during)"
_WE = regex(
    r"(?:did|do|have|has) (?:we|i|they|you) (?P<verb>[a-z]+) (?P<much>more|fewer|less) (?P<what>.+?)"
    rf" (?P<prep>{_PLACED}) (?P<a>.+?) than (?:we did )?(?:{_PLACED} )?(?P<b>.+?){_AND_ALL}",
    re.I,
)
_VERSUS = regex(
    r"(?P<a>.+?),? (?:vs\.?|versus|compared (?:to|with)|against) (?P<b>.+?)[,:;-]+ ?(?:by )?how (?:much|many)"
    r"(?: (?P<unit>[a-z]+))? (?P<how>more|less|fewer|[a-z]+er)(?: (?P<what>(?!is |was |are )[a-z]+))?"
    r"(?: (?:is|was|were|are|does|did|do) (?:it|that|they|the first(?: one)?)(?: (?:is|cost|take|have))?"
    r"|(?: (?:is|was|were|are) (?:the |its |their )?(?P<of>[a-z][a-z ]*?)))?",
    re.I,
)


def groups_against(text: str, table: Table, today: date | None) -> Pair | None:
    """Both figures, by their names, and whether the first has to be above the second or below."""
    if said := _GROUPS.fullmatch(text):
        column = _paid_in(said["verb"], table)
        return _of_both(Asked(table, "sum", column), said, table, today) if column else None
    if said := _WE.fullmatch(text):
        return _of_columns(said, table, today) or _of_places(said, table, today)
    return None


def _way(said: re.Match[str]) -> Literal["up", "down"]:
    return "up" if said["much"].lower() == "more" else "down"


def _paid_in(verb: str, table: Table) -> Column | None:
    """The one column of the verb, or of what is paid, where its figures add up."""
    numbers = [one for one in table.of_kind("number") if not id_like(one)]
    found = [one.column for one in columns_at(0, tokens(verb), table) if one.column in numbers]
    paid = [one for one in numbers if holds_money(one)]
    several = list(dict.fromkeys(found)) or paid
    return several[0] if len(several) == 1 else None


def _of_both(one: Asked, said: re.Match[str], table: Table, today: date | None, prep: str = "of") -> Pair | None:
    """The figure of the rows of one value of a column, and of another value of it."""
    ends = [_only(rows_of(f"{prep} {said[end]}", table, today)) for end in "ab"]
    first, second = ends
    if first is None or second is None or first.column != second.column or first == second:
        return None
    both = [replace(one, filters=(*one.filters, end)) for end in (first, second)]
    return both[0], both[1], (said["a"], said["b"]), _way(said)


def _only(rows: Rows | None) -> Filter | None:
    """The one filter of them, of a value or a time that a column has."""
    fits = rows and len(rows.filters) == 1 and not rows.asked
    one = rows.filters[0] if rows and fits else None
    return one if one and one.column and one.operator in ("=", "month", "year") else None


def _of_columns(said: re.Match[str], table: Table, today: date | None) -> Pair | None:
    """ "More flat whites on Sunday than on Saturday" of a column for each of the days."""
    columns = [columns_named(f"{said['verb']} {said['prep']} {said[end]}", table) for end in "ab"]
    first, second = columns
    rows = rows_of(said["what"], table, today) if first and second and first != second else None
    if rows is None or rows.asked or not (rows.filters or rows.named):
        return None
    if any(one.column is None for one in rows.filters):
        return None
    one, other = (Asked(table, "sum", column, (), rows.filters) for column in (first, second))
    return one, other, (day_called(said["a"]), day_called(said["b"])), _way(said)


def _of_places(said: re.Match[str], table: Table, today: date | None) -> Pair | None:
    """ "More hours in Rome than in Vienna", "more repairs in May than in June"."""
    column = whole_column(said["what"], table, ("number",))
    if column:
        fits = not id_like(column) and usual(column) == "sum"
        return _of_both(Asked(table, "sum", column), said, table, today, said["prep"]) if fits else None
    rows = rows_of(said["what"], table, today)
    if rows is None or rows.asked or not rows.named or any(one.column is None for one in rows.filters):
        return None
    return _of_both(Asked(table, "count", None, (), rows.filters), said, table, today, said["prep"])


def versus_told(text: str, table: Table) -> Iterator[tuple[str, str]]:
    """What each of both is asked by in "A vs B, how many minutes longer is it?"."""
    said = _VERSUS.fullmatch(text)
    if said is None:
        return
    way = f"{said['how'].lower()} than"
    by_word = [one for key in ("more", "less") for one in by_field(table, key, way)]
    named = {
        part: whole_column(said[part], table, ("number",)) for part in ("what", "of", "unit") if said[part]
    }  # the metres of "how many metres more climbing" are the unit of the climb
    columns = [one for one in named.values() if one and not id_like(one)] or by_word
    if columns and named.get("what", columns[0]) and named.get("of", columns[0]):
        yield f"what is the “{columns[0].called}” of {said['a']}", f"of {said['b']}"
