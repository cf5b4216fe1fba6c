"""What else is asked of the row that is most or first: "and when was that", "and who got it", "what is its rent"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from agent.data.tables.questions.table_schema import Asked, Column, Table, is_money
from agent.data.tables.worded.rows_compared import is_of_event
from agent.data.tables.worded.worded_columns import by_field, with_mark
from agent.data.tables.worded.worded_extremes import by_day_asked, most_asked
from agent.data.tables.worded.worded_figures import whole_column
from agent.data.tables.worded.worded_rows import of_people, rows_of
from agent.text.regex import regex

_PARTS = regex(r"(?:: ?| - |[,.?] and |\? ?| and |[,.] )", re.I)
_OF_ROW = regex(
    r"(?:(?:on|in|by|at|for|from|with|of) )?"
    r"(?:(?:what|which|whose|its|his|her|their|the|a|is|was|are|were) )*(?P<name>.+)",
    re.I,
)
_TOLD = ("text", "number", "date", "boolean")
_IT = r"(?:it|that|they|he|she|this|them|those|these)"
# The figure that puts it first is told with it.
_FIGURE = regex(
    rf"(?:by |for )?how (?:much|many|often)(?: times)?(?: in all| altogether| in total)?"
    rf"(?: (?:is|was|did|does|were|are|would) {_IT}(?: be)?"
    rf"(?: (?P<paid>cost|come to|make|take|get|bring in|clear|earn|raise))?(?: in all| altogether| in total)?)?"
    rf"|what (?:is|was) {_IT}|(?:what (?:is |was )?)?(?:the |its )?(?:amount|figure|value)",
    re.I,
)
_NAME = regex(
    rf"(?:the )?(?:name|number)|which(?: one| ones)?(?: (?:is|was|are|were) {_IT})?"
    rf"|(?P<who>who)(?: (?:got|was|is|has|had|did|made|won|scored)(?: {_IT})?)?",
    re.I,
)
_WHEN = regex(r"(?:on |in |since |from )?(?:when|(?:what|which) (?:date|day)|the date|date)\b ?(?P<rest>.*)", re.I)
# What it was for, and who has it, as "who was it for" and "who had it" ask: columns that one of these words names.
_FOR = regex(rf"(?:what|who) (?:is|was|were|are) {_IT} for|(?:what|who) for", re.I)
_HAD = regex(rf"who(?: has| had|['’]s)(?: got)? {_IT}(?: out)?", re.I)
_HOW = regex(rf"how (?P<how>[a-z]+)(?: (?:is|was|are|were) {_IT})?", re.I)


def most_told_asked(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """ "Largest invoice: number and client", "who is the oldest member, and on what plan": columns of that row."""
    ask, *several = (one.strip() for one in _PARTS.split(text))
    if not several:
        return
    for made in (*most_asked(ask, table, today, of_row=True), *by_day_asked(ask, table, today)):
        if made is None or made.limit != 1 or (made.measure != "rows" and not made.groups):
            continue
        if made.groups:  # "which drawer has the most portions, and how many is that"
            if all(_is_told(one, made) for one in several):
                yield made
            continue
        parts = [_of_part(one, table, today, made) for one in several]
        if all(columns is not None for columns in parts):
            told = [column for columns in parts for column in columns or ()]
            yield replace(made, shown=tuple(dict.fromkeys([*made.shown, *told])))


def _is_told(text: str, made: Asked) -> bool:
    """Whether the figure alone is asked for, that is told of the group that has the most."""
    figure = _FIGURE.fullmatch(re.sub(r"^and ", "", text, flags=re.I))
    if figure and made.column and re.search(r"\b(?:times|often)\b", text, re.I):
        return False
    return figure is not None and (not figure["paid"] or (made.column is not None and is_money(made.column)))


def _of_part(text: str, table: Table, today: date | None, made: Asked) -> list[Column] | None:
    """The columns that are asked for; none for the name or the figure, which are told anyway."""
    text = re.sub(r"^and ", "", text, flags=re.I)
    who = _NAME.fullmatch(text)
    figure = _FIGURE.fullmatch(text)
    if figure and figure["paid"] and not (made.column and is_money(made.column)):
        return None  # what the oldest one costs is not how old it is
    if figure or (who and (not who["who"] or of_people(table))):
        return []
    if (for_it := _FOR.fullmatch(text)) or _HAD.fullmatch(text):
        fits = with_mark(
            table, "for" if for_it and text.lower().startswith("what") else "for_whom" if for_it else "had"
        )
        return fits if len(fits) == 1 else None
    if when := _WHEN.fullmatch(text):
        return _days(when["rest"], table, today, made)
    if (how := _HOW.fullmatch(text)) and (fits := by_field(table, "how", how["how"].lower())):
        return fits if len(fits) == 1 else None
    found = _OF_ROW.fullmatch(text)
    bare = re.sub(rf" (?:is|was|are|were) {_IT}$", "", found["name"], flags=re.I) if found else ""
    column = whole_column(bare, table, _TOLD) if bare else None
    if column:
        return [column]
    rows = rows_of(re.sub(rf"\b{_IT}\b|^how many ", "", found["name"], flags=re.I), table, today) if found else None
    if rows is None or rows.filters:
        return None
    columns = rows.columns
    return columns if len(columns) == 1 or (rows.named and not columns) else None


def _days(rest: str, table: Table, today: date | None, made: Asked) -> list[Column] | None:
    """The day that "when did we do it" is of: the one that is named, or the only one there is."""
    bare = re.sub(rf"\b(?:{_IT}|do|happen|be)\b", "", rest, flags=re.I).strip()
    rows = rows_of(bare, table, today) if bare else None
    if bare and (rows is None or rows.filters):
        return None
    named = rows.columns if rows else []
    days = named or table.of_kind("date")
    sure = (
        len(days) == 1
        and days[0].kind == "date"
        and (bool(named) or days[0] == made.column or is_of_event(days[0], table))
    )
    return days if sure else None
