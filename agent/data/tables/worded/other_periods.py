"""Columns whose heading says for how long a figure is: "each month" of "Monthly cost", and what that is over a year."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.data.tables.questions.table_schema import Table
from agent.data.tables.worded.worded_columns import holds_money
from agent.text.quantities.number_words import number_at
from agent.text.regex import regex

_TIMES = {
    ("month", "year"): 12, ("week", "year"): 52, ("quarter", "year"): 4, ("day", "year"): 365, ("day", "week"): 7,
    ("month", "quarter"): 3,
}  # fmt: skip
_ONE = r"(?P<{}>day|week|month|quarter|year)"
_HEADED = regex(
    rf"\b(?:per|a|each|every|/) ?{_ONE.format('one')}\b|\b{_ONE.format('of')}ly\b|\b(?P<day>daily)\b"
    r"|\b(?P<year>annual)(?:ly)?\b|\b(?P<month>pcm)\b",
    re.I,
)
_EACH = regex(
    rf" ?\b(?:each|every|per|an?|in an?) {_ONE.format('one')}\b(?! (?:ago|before|later|from|and a half)\b)", re.I
)
_WHOLE = r"(?:(?:the )?(?:whole|full|entire|one|single) )?"
_OVER = regex(
    rf"(?:,? ?\b(?:over|in|for|per|across|during|every|each|(?=an?\b))(?: the course of)? ?(?:an? )?{_WHOLE}"
    rf"{_ONE.format('one')}\b(?! (?:ago|before|later|from|and a half)\b)"
    rf"|,? ?\b(?:over|in|for|across) (?P<n>\d{{1,3}}|[a-z]+) (?P<many>day|week|month|quarter|year)s\b"
    r"|,? ?\b(?P<year>yearly|annually|a year)\b)(?:'s time)?,?",
    re.I,
)
_LEADS = regex(
    r"(?:(?:and|so|ok|then|what about|how about)\b,? ?)*(?:(?:what|how much)(?:'s| is| does| do| will| would)? "
    r"(?:that|it|this|that one|this one|the total)(?: one)?(?: (?:cost|costs|be|come to|make|amount to|set)"
    r"(?: (?:me|us|him|her|them)(?: back)?)?)?)?(?: then)?",
    re.I,
)
_FIGURE = r"(?P<sign>[£$€])?(?P<figure>\d[\d,]*(?:\.\d+)?)"
_ANSWERS = (
    regex(
        rf"^From [^\n]*, the [^\n:]*?“?(?P<head>[^“”\n:]+)”?(?: where [^\n]*)? is {_FIGURE}(?: [A-Z]{{3}})?\.$", re.M
    ),
    regex(rf"\A[^\n]*\n\n(?:1 row [^\n]*:\n\s*)?- [^\n]*?, (?P<head>[^\n:,]+): {_FIGURE}\s*\Z"),
    regex(rf"\AI read this as: List “?(?P<head>[^\n;“”]+?)”? in [^\n]+\n\n1 row [^\n]*:\n\s*- {_FIGURE}\s*\Z"),
)
_CODES = {"£": "GBP", "$": "USD", "€": "EUR"}
_READINGS = regex(r"\n\nIt could also mean: [^\n]*\s*\Z")


def without_own_period(text: str, tables: Sequence[Table]) -> str:
    """The question with "each month" as "monthly", where that says which column is meant, and no groups of rows."""
    period = _period_of(tables)
    found = [said for said in _EACH.finditer(text) if said["one"].lower() == period]
    if not period or len(found) != 1:
        return text
    return f"{text[: found[0].start()]}{_as_headed(tables[0], period)}{text[found[0].end() :]}".strip()


def _as_headed(table: Table, period: str) -> str:
    """ " monthly" where the heading says so, "" where it says it otherwise."""
    word = "daily" if period == "day" else f"{period}ly"
    return f" {word}" if any(word in one.called.lower() for one in table.of_kind("number")) else ""


def _period_of(tables: Sequence[Table]) -> str:
    """The period that the one column of money says; "" where rows are of periods themselves."""
    if len(tables) != 1:
        return ""
    money = [one for one in tables[0].of_kind("number") if holds_money(one)]
    rest = " ".join(one.called.lower() for one in tables[0].columns if one.kind != "number")
    period = period_of_head(money[0].called) if len(money) == 1 else ""
    return period if not re.search(rf"\b{period}s?\b", rest) else ""


def period_of_head(head: str) -> str:
    """For how long the figures of that column are: "month" of "Monthly cost (GBP)"."""
    said = _HEADED.search(head.replace("_", " "))
    if said is None:
        return ""
    return (said["one"] or said["of"] or next(name for name in ("day", "year", "month") if said[name])).lower()


def cut_at_period(text: str, tables: Sequence[Table]) -> tuple[str, str] | None:
    """ "How much is the gas over a year?" of a monthly cost: what is asked of the table, and for how long."""
    period = _period_of(tables)
    of_days = not period or tables[0].of_kind("date")  # what was paid over a year may be that of its days
    found = [] if of_days else list(_OVER.finditer(text.strip(" ?.!")))
    if len(found) != 1 or not _times(found[0], period):
        return None
    said, whole = found[0], text.strip(" ?.!")
    asked = f"{whole[: said.start()]}{_as_headed(tables[0], period)} {whole[said.end() :]}".strip(" ,")
    return (re.sub(r"\s+", " ", asked), f"and {said[0].strip(' ,')}") if len(asked.split()) > 1 else None


def over_period(text: str, answer: str) -> str | None:
    """The sum that a follow-up asks of the one figure told of a column that says its period: "and over a year?"."""
    bare = text.strip(" ?.!")
    said = _OVER.search(bare)
    if said is None or not _LEADS.fullmatch(f"{bare[: said.start()]} {bare[said.end() :]}".strip(" ,")):
        return None
    answer = _READINGS.sub("", answer).rstrip()
    told = next((found for pattern in _ANSWERS if (found := pattern.search(answer))), None)
    times = _times(said, period_of_head(told["head"])) if told else 0
    if told is None or not times:
        return None
    return f"What is {told['sign'] or _sign(told['head'])}{told['figure'].replace(',', '')} * {times}?"


def _times(said: re.Match[str], period: str) -> int:
    """How many of the ``period`` lie in the time that is said; 0 where it is the same one, or no whole number."""
    long = said["many"] or said["one"] or "year"
    often = number_at(said["n"].lower(), 0, "en") if said["n"] else ("1", 1)
    if not period or often is None or not often[0].isdigit():
        return 0
    each = 1 if long.lower() == period else _TIMES.get((period, long.lower()), 0)
    times = int(often[0]) * each
    return times if times > 1 else 0


def _sign(head: str) -> str:
    """The sign of the currency that a heading names, "" for another unit."""
    return next((sign for sign, code in _CODES.items() if code in head or sign in head), "")
