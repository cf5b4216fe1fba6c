"""Whether a reading tells money that was not asked for: what is paid for what is owed, an hour's pay for a week's."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.data.tables.questions.table_schema import Asked, Table
from agent.data.tables.worded.worded_columns import content, holds_money, stem, stems_of
from agent.text.problems.story_parts import unit_named
from agent.text.regex import regex

_OWED = regex(r"\b(?:owes?|owed|owing|outstanding|unpaid|overdue|unsettled)\b", re.I)
_PAID = regex(r"\b(?:paid|settled) (?!for\b|by\b|in\b|on\b|to\b|with\b|off\b|back\b|out\b|at\b|from\b)[a-z]+", re.I)
_DID_PAY = regex(r"\b(?:did|has|have)\b.*\b(?:pay|paid)\b", re.I)
_PAID_US = regex(r"\b(?:pay|pays|paid|give|gave) (?:me|us)\b", re.I)
_SETTLED = frozenset(["paid", "settled"])
_MONEY = frozenset(["pay", "wage", "salary", "earning", "rate", "fee", "cost", "price", "rent", "charge", "fare"])
_ASKS_MONEY = regex(r"\b(?:earn\w*|pays?|paid|wages?|salar\w+|costs?|fees?|rent|charges?|fares?)\b", re.I)
_PERIOD = r"(?P<{}>hour|day|night|week|month|quarter|year)"
_EACH = regex(
    rf"\b(?:per|an?|each|every) {_PERIOD.format('one')}\b|\b{_PERIOD.format('of')}ly\b|\b(?P<a>annual)"
    rf"|\b{_PERIOD.format('whole')}['’]s\b",
    re.I,
)
_LONG = ("week", "month", "quarter", "year")  # everybody is paid for as many of them

_OF_MONEY = regex(r"\bhow much\b(?!.*\bhow many\b).*\b(?:costs?|spen[dt]|pa(?:y|id))\b", re.I)
_WHAT_DONE = regex(r"what (?:did|do|have|has) (?:we|i|they|[a-z]+) (?P<verb>[a-z]+)\b", re.I)
STATES = ("unpaid", "overdue")  # of rows that two columns tell


def tells_other_money(text: str, asked: Asked) -> bool:
    """Whether the English question asks for other rows or another rate than the reading tells."""
    if asked.measure == "count" and _OF_MONEY.search(text):
        return True  # "how much did everything cost" is no number of rows
    if done := _WHAT_DONE.match(text):
        told = [one for one in asked.shown if one.kind == "text"]
        if asked.measure == "rows" and told and all(stem(done["verb"]) in stems_of(one) for one in told):
            return True  # "what did we pick" is not who picked it
    return _of_settled_rows(text, asked) or _of_other_rate(text, asked) or _of_what_it_cost(text, asked)


def _of_what_it_cost(text: str, asked: Asked) -> bool:
    """Whether what somebody "paid us" would be told by what it cost us."""
    told = [one for one in (asked.column, *asked.shown) if one and one.kind == "number"]
    return bool(_PAID_US.search(text)) and any(content(one) & {"cost", "expense"} for one in told)


def _of_settled_rows(text: str, asked: Asked) -> bool:
    """Whether what is owed, or the paid ones, would be told of all rows, paid or not."""
    settled = [one for one in asked.table.columns if one.kind in ("boolean", "date") and content(one) & _SETTLED]
    if _OWED.search(text):  # with an amount that is paid, or a status
        settled += [one for one in asked.table.of_kind("number") if content(one) & _SETTLED]
        settled += [one for one in asked.table.of_kind("text") if _SETTLED & {*map(str.lower, one.known)}]
    said = _OWED.search(text) or _PAID.search(text) or (asked.measure == "sum" and _DID_PAY.search(text))
    settled += [one for one in asked.table.columns if one.name in STATES]
    return bool(said and settled) and not any(one.column in settled for one in asked.filters)


def _of_other_rate(text: str, asked: Asked) -> bool:
    """Whether pay per hour is added up, or told for a week's."""
    told = [one for one in (asked.column, *asked.shown) if one and one.kind == "number"]
    rates = {one: period for one in asked.table.columns if content(one) & _MONEY and (period := _period(one.called))}
    if any(one.name.count("_per_") > 1 for one in told):
        return True
    said = _period(text)
    if asked.measure == "sum" and asked.column in rates and rates[asked.column] not in (said, *_LONG):
        return True
    wanted = said if rates and _ASKS_MONEY.search(text) else ""
    bound = [one.column for one in asked.filters if one.column]
    return bool(wanted) and not any(rates.get(one) == wanted for one in (*told, *bound))


_SHORT = {"h": "hour", "hr": "hour", "d": "day", "wk": "week", "mo": "month", "yr": "year"}
_PER = regex(rf"/ ?({'|'.join((*_SHORT, *_SHORT.values(), 'night', 'quarter'))})\b", re.I)


def _period(text: str) -> str:
    """The time that a rate is for: ``week`` of "a week" and "weekly"."""
    found = _EACH.search(_PER.sub(lambda said: f" per {_SHORT.get(said[1].lower(), said[1])}", text.replace("_", " ")))
    return (found["one"] or found["of"] or found["whole"] or "year").lower() if found else ""


_HOW_MANY = regex(r"how many ([a-z]+)\W*", re.I)
_IN_UNITS = regex(r"\bin (?P<kind>[a-z]+) (?P<unit>[a-z]+)\b", re.I)


def names_only_a_unit(text: str, tables: Sequence[Table]) -> bool:
    """ "How many km?" is of no column, where none is called so; "in dog years" of no rows, where one is a "dog"."""
    if is_in_units_of_a_kind(text, tables):
        return True
    said = _HOW_MANY.fullmatch(text)
    names = {column.name.lower() for table in tables for column in table.columns}
    return said is not None and bool(unit_named(said[1].lower())) and said[1].lower() not in names


def is_in_units_of_a_kind(text: str, tables: Sequence[Table]) -> bool:
    """Whether figures are wanted "in dog years", where one of the rows' values is "dog"."""
    kinds = {value.lower() for table in tables for one in table.of_kind("text") for value in one.known}
    return any(unit_named(one["unit"].lower()) and one["kind"].lower() in kinds for one in _IN_UNITS.finditer(text))


def is_mean_rate(said: re.Match[str] | None, tables: Sequence[Table]) -> bool:
    """Whether a mean "per hour" is asked for, where the hours are figures of the rows and no groups of them."""
    by = (said["by"] or said["of"] or "").lower().removesuffix("s") if said else ""
    figures = (column for table in tables for column in table.of_kind("number"))
    return bool(by) and any(by == column.name.lower().removesuffix("s") for column in figures)


def is_of_some_money(text: str, table: Table) -> bool:
    """Whether "money" may be of any of several columns, asked for and paid."""
    several = [one for one in table.of_kind("number") if holds_money(one)]
    return len(several) > 1 and bool(re.search(r"\bmoney\b", text, re.I))
