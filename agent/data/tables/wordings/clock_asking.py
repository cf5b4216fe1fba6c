"""Rows of a table by a time of day: "how many flights leave before noon?", "which trains arrive after 6 pm?"."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.data.tables.questions.sentence import readings
from agent.data.tables.questions.table_lexicon import words
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Operator, Table, column_words, own_texts
from agent.text.regex import regex

_LONGEST = 200  # characters
_MOST_LISTED = 20
_CLOCKED = regex(
    r"(?P<how>how many|which|what|list|show(?: me)?)(?: of (?:the|our))? "
    r"(?P<rest>[\w ]+?)(?: that| which| do| are| is)? (?P<verb>[a-z]+?)(?: off)? "
    r"(?P<way>before|after|by|from|until|at|earlier than|later than) (?P<clock>noon|midday|midnight"
    r"|(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?(?: ?(?P<half>[ap])\.?m\.?)?)[ ?.!]*",
    re.I,
)
_FIRST = regex(
    r"(?:which|what)(?: of (?:the|our))? (?P<rest>[\w ]+?)(?: is)? (?P<verb>[a-z]+?)(?: off)?(?: the)? "
    r"(?P<place>first|last|earliest|latest)[ ?.!]*",
    re.I,
)
WAYS: dict[str, Operator] = {
    "before": "<", "earlier than": "<", "after": ">", "later than": ">", "by": "<=", "until": "<=", "from": ">=",
    "at": "=", "since": ">=", "till": "<=",
}  # fmt: skip
# A verb, and the beginnings of the names that columns of its times have.
_VERBS = (
    ("leav depart start begin go set take", "depart leav left start begin takeoff"),
    ("arriv land come get end finish reach", "arriv land end finish"),
    ("open", "open"),
    ("clos", "clos"),
)
_SAME_START = 3  # letters of a verb and of the column that is named after it


def clock_asked(text: str, table: Table) -> Asked | None:
    """What is asked of the one table; ``None`` where the column of the time or the rows are not sure."""
    if len(text) > _LONGEST or table.joined:
        return None
    if first := _FIRST.fullmatch(text):
        column, made = _column(first["verb"].lower(), table), _rows(first["rest"], table)
        if column is None or made is None:
            return None
        way = "up" if first["place"].lower() in ("first", "earliest") else "down"
        return replace(made, column=column, order=way, limit=1, shown=(*_named(first["rest"], table), column))
    found = _CLOCKED.fullmatch(text)
    clock = _clock(found) if found else ""
    column = _column(found["verb"].lower(), table) if found and clock else None
    if found is None or column is None:
        return None
    made = _rows(found["rest"], table)
    if made is None:
        return None
    made = replace(made, filters=(*made.filters, Filter(column, WAYS[found["way"].lower()], (clock,))), shown=())
    if found["how"].lower() == "how many":
        return replace(made, measure="count", limit=0)
    return replace(made, shown=(*_named(found["rest"], table), column), limit=_MOST_LISTED)


def _named(rest: str, table: Table) -> list[Column]:
    """The column of names that the noun is of: the ships of a table of routes; else the first one."""
    own = own_texts(table)
    noun = words(rest.rsplit(maxsplit=1)[-1]) if rest.split() else ()
    return [one for one in own if words(one.called) == noun][:1] or own[:1]


def _rows(rest: str, table: Table) -> Asked | None:
    """The rows that ``rest`` names, where every word of it is understood at once."""
    sure = [one.asked for one in readings(f"list {rest}", (table,), None) if one.cost == 0]
    made = next((one for one in sure if one.measure == "rows" and not (one.order or one.groups or one.column)), None)
    looked_for = made is not None and any(one.sought for one in made.filters)
    return None if looked_for else made


def _clock(found: re.Match[str]) -> str:
    if found["hour"] is None:
        return "00:00:00" if found["clock"].lower() == "midnight" else "12:00:00"
    return clock_of(found["hour"], found["minute"] or "", (found["half"] or "").lower())


def clock_of(hours: str, minutes: str, half: str) -> str:
    """The time as a table has it, "" where none is meant: an hour alone may be of the morning or of the evening."""
    hour = int(hours)
    if hour > 23 or not (half or minutes) or (half and not 1 <= hour <= 12):
        return ""
    hour = hour % 12 + 12 * (half == "p") if half else hour
    return f"{hour:02}:{minutes or '00'}:00"


def _column(verb: str, table: Table) -> Column | None:
    times = [one for one in table.of_kind("other") if one.examples and _is_clock(one.examples[0])]
    for verbs, names in _VERBS:
        if any(verb.startswith(begin) for begin in verbs.split()):
            begins = tuple(names.split())
            times = [one for one in times if any(word.startswith(begins) for word in column_words(one))]
            return times[0] if len(times) == 1 else None
    alike = [one for one in times if any(word[:_SAME_START] == verb[:_SAME_START] for word in column_words(one))]
    return alike[0] if len(alike) == 1 else None


def _is_clock(text: str) -> bool:
    return re.fullmatch(r"\d\d:\d\d(?::\d\d)?", text) is not None
