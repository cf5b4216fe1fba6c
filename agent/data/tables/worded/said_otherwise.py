"""Words of a question in those that the readers know: days by dates, "to be paid" as not paid, values turned round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from agent.data.tables.questions.table_lexicon import MONTHS, form, words
from agent.data.tables.questions.table_schema import Column, Table
from agent.data.tables.worded.worded_columns import by_field, content, stem
from agent.text.quantities.dates import month_number
from agent.text.regex import regex

_BEFORE = r"(?:(?P<before>on|for|by|since|before|after|until|till|from) )?"
_DAYS = regex(
    rf"\b{_BEFORE}(?P<day>today|tonight|tomorrow|yesterday|the day (?:after tomorrow|before yesterday))\b", re.I
)
_AWAY = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "the day after tomorrow": 2,
         "the day before yesterday": -2}  # fmt: skip
_NTH = regex(rf"\b{_BEFORE}the (?P<day>\d\d?)(?:st|nd|rd|th)\b(?! of\b| [a-z]+(?:day|ber|ary)\b)", re.I)
_UNDONE = regex(r"\b(?:still |yet |left )?(?:needs? |has |have |needing |waiting )?to be (?P<done>[a-z]+)\b", re.I)
_OF = regex(r"\b(?P<head>[a-z]+) of (?P<of>[a-z]+)\b", re.I)
_ENDS = regex(
    r"(?:(?P<of>[a-z]+) )?(?:difference|gap|range) (?:in [a-z]+ )?between (?:the |our |my )?(?P<a>[a-z]+)"
    r" and (?:the |our |my )?(?P<b>[a-z]+)",
    re.I,
)
_OURS = regex(r"\b(difference between )(?:our|my|their|your) ", re.I)
_MONTH_NAMES = frozenset(MONTHS)
_FROM_TO = regex(r"\b(?:from|between) (?P<first>[a-z]{3,9}) (?:to|until|till|through|and) (?P<last>[a-z]{3,9})\b", re.I)


_CHANGED = regex(
    r"\b(?:f[ae]ll(?:en)?|r[io]se|dropp?(?:ed)?|chang(?:e|ed)|gr[eo]w|increased?|decreased?|differ\w*|up|down|more|less)\b",
    re.I,
)


def said_otherwise(text: str, table: Table, today: date | None) -> str:
    """``text`` in such words, or as it is where it has none."""
    if table.joined or "“" in text:
        return text
    text = _with_dates(text, table, today) if today and table.of_kind("date") else text
    text = _OURS.sub(r"\1the ", text)
    text = _UNDONE.sub(lambda found: _undone(found, table), text)
    text = _OF.sub(lambda found: _turned(found, table), text)
    text = _ENDS.sub(lambda found: _of_ends(found, table), text)
    return _FROM_TO.sub(lambda found: _months(found, table), text)


def _with_dates(text: str, table: Table, today: date) -> str:
    def told(day: date, before: str | None) -> str:
        return f"{'on' if before in (None, 'for') else before} {day.day} {day:%B %Y}"

    def by_name(found: re.Match[str]) -> str:
        return told(today + timedelta(days=_AWAY[found["day"].lower()]), found["before"])

    def by_number(found: re.Match[str]) -> str:
        days = list(_such_days(int(found["day"]), table))
        return told(days[0], found["before"]) if len(days) == 1 else found[0]

    return _NTH.sub(by_number, _DAYS.sub(by_name, text))


def _such_days(number: int, table: Table) -> Iterator[date]:
    """The days of that number in a month, from the first to the last date of the only column of dates."""
    several = table.of_kind("date")
    try:
        first, last = (date.fromisoformat(end[:10]) for end in (several[0].least, several[0].most))
        month = first.replace(day=1)
    except ValueError:
        return
    while len(several) == 1 and month <= last and (last - first).days < _LONGEST:
        day = month + timedelta(days=number - 1)
        if first <= day <= last and day.month == month.month:
            yield day
        month = (month + timedelta(days=32)).replace(day=1)


_LONGEST = 400  # days


def _undone(found: re.Match[str], table: Table) -> str:
    """ "Still to be collected" where a column tells what is collected."""
    done = stem(found["done"].lower())
    own = any(done in map(stem, content(one)) for one in table.of_kind("boolean"))
    return f"not {found['done']}" if own else found[0]


def _turned(found: re.Match[str], table: Table) -> str:
    """ "Loaves of rye" where there is a value "rye loaf"."""
    typed = (form(found["of"].lower()), form(found["head"].lower()))
    values = {value for one in table.of_kind("text") for value in one.known if tuple(map(form, words(value))) == typed}
    return values.pop() if len(values) == 1 else found[0]


def _of_ends(found: re.Match[str], table: Table) -> str:
    """ "The age gap between the youngest and the oldest"."""
    ends = [found["a"].lower(), found["b"].lower()]
    several = [by_field(table, "most", word) + by_field(table, "least", word) for word in ends]
    both = [one for one in several[0] if one in several[1] and one.kind == "number"]
    if len(set(both)) != 1:
        return found[0]
    own = found["of"] or ""
    head = "" if stem(own.lower()) in map(stem, content(both[0])) else f"{own} ".lstrip()
    return f"{head}difference between the highest and lowest {both[0].called}"


def _months(found: re.Match[str], table: Table) -> str:
    """ "From March to June" of a column with the names of months."""
    ends = [found["first"].lower(), found["last"].lower()]
    column = column_of_months(table)
    if column is None or _CHANGED.search(found.string) or not _MONTH_NAMES.issuperset(ends) or table.of_kind("date"):
        return found[0]
    first, last = map(month_number, ends)
    within = [value for value in column.known if first <= month_number(value) <= last]
    return f"in {', '.join(within[:-1])} and {within[-1]}" if len(within) > 1 else found[0]


def column_of_months(table: Table) -> Column | None:
    """The one column of texts that are all names of months, each of one row."""
    several = [one for one in table.of_kind("text") if one.known and _MONTH_NAMES.issuperset(map(str.lower, one.known))]
    return several[0] if len(several) == 1 and several[0].distinct == table.rows else None
