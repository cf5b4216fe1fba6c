"""Days, months and years that a question of a table names, as conditions on its dates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from agent.data.tables.questions.table_lexicon import MONTHS
from agent.data.tables.questions.table_schema import Column, Filter, Table, date_column, dated, told_of
from agent.text.quantities.dates import MONTH, day
from agent.text.regex import regex

_DAY = (
    rf"\d{{4}}-\d\d-\d\d|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTH})(?:,? \d{{4}})?"
    rf"|(?:{MONTH}) (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
)
_MONTH = rf"(?:{MONTH})(?: \d{{4}})?|(?:this|last|next) (?:month|year)"
_WHEN = regex(
    rf"(?:\b(?P<how>before|after|since|until|till|from|on|in|during|for|this) (?:the )?)?"
    rf"\b(?:(?P<day>{_DAY})|(?P<month>{_MONTH})|(?P<year>(?:19|20)\d\d))\b(?! ?[%\d])",
    re.I,
)
_OPERATORS = {
    "before": "before",
    "after": "after",
    "since": "since",
    "until": "until",
    "till": "until",
    "from": "since",
}
_SPANS = {"this": 0, "last": -1, "next": 1}


@dataclass(frozen=True, slots=True)
class DatesNamed:
    """``text``: the question without them; ``told``: how they were read; ``sure``: each is, and of which column."""

    text: str
    filters: tuple[Filter, ...] = ()
    told: str = ""
    sure: bool = True


def dates_named(text: str, table: Table, today: date | None) -> DatesNamed:
    """ "How far did I run since 1 November": of the only column with dates, in the year that it has."""
    columns = table.of_kind("date")
    found = [one for one in _WHEN.finditer(text) if one["day"] or one["how"] or _is_month(one["month"] or "")]
    found = [one for one in found if (one["month"] or "").casefold() != "may" or one["how"]]
    if not found:
        return DatesNamed(text)
    column = date_column(table)
    if column is None or len(columns) > 1 or len(found) > 1:
        return DatesNamed(text, sure=False)
    said = found[0]
    when, how = _when(said, column, today), (said["how"] or "").casefold()
    operator = _OPERATORS.get(how, "on")
    filters = tuple(Filter(column, one, (value,)) for one, value in dated(operator, when))
    told = f"{column.called} {operator if operator != 'on' or said['day'] else 'in'} {told_of(when)}"
    return DatesNamed(text[: said.start()] + " " + text[said.end() :], filters, told, bool(filters))


def _is_month(said: str) -> bool:
    """Whether it is one without a word before it: "december" may be a name, "last month" is not."""
    return said[:1].isupper() or said.partition(" ")[0].casefold() in _SPANS


def _when(said: re.Match[str], column: Column, today: date | None) -> str:
    """``2026``, ``2026-11`` or ``2026-11-03``; "" where it cannot be known which year is meant."""
    if said["year"]:
        return said["year"]
    first, last = int(column.least[:4] or 0), int(column.most[:4] or 0)
    if text := said["day"]:
        whole = day(text.removeprefix("the "), None)
        if whole:
            return f"{whole}"
        several = [day(f"{text.removeprefix('the ')} {year}", None) for year in range(first, last + 1)]
        fits = [f"{one}" for one in several if one and column.least[:10] <= f"{one}" <= column.most[:10]]
        return fits[0] if len(fits) == 1 else f"{several[0]}" if first == last and several and several[0] else ""
    name, _, rest = said["month"].casefold().partition(" ")
    if name in _SPANS:
        return _span(rest, _SPANS[name], today)
    month = MONTHS[name.rstrip(".")]
    if rest:
        return f"{rest}-{month}"
    fits = [f"{year}-{month}" for year in range(first, last + 1) if _overlaps(year, month, column)]
    return fits[0] if len(fits) == 1 else ""


def _span(unit: str, away: int, today: date | None) -> str:
    if today is None:
        return ""
    if unit == "year":
        return f"{today.year + away}"
    months = today.year * 12 + today.month - 1 + away
    return f"{months // 12}-{months % 12 + 1}"


def _overlaps(year: int, month: int, column: Column) -> bool:
    return column.least[:7] <= f"{year}-{month:02}" <= column.most[:7]
