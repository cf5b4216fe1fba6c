"""Rows in an order that is said by its ends or its column: "from dearest to cheapest", "by price, cheapest first"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from agent.data.tables.questions.table_lexicon import tokens, words
from agent.data.tables.questions.table_schema import Asked, Column, Table, id_like, measured
from agent.data.tables.worded.rows_said import Rows, number_in
from agent.data.tables.worded.worded_columns import by_field, content, names_of_rows
from agent.data.tables.worded.worded_extremes import Way
from agent.data.tables.worded.worded_figures import whole_column
from agent.data.tables.worded.worded_rows import rows_of
from agent.text.regex import regex

_END = r"(?:the )?(?:most |least )?[a-z]+"
_FORMS = (
    regex(
        r"(?:(?:sort|order|rank|put|arrange|list|show)(?: me)? )?(?:all )?(?:the |our |my )?(?P<rows>.+?)"
        r"(?:,? (?:by|in order of|in the order of|according to|on) (?:the |their )?(?P<by>.+?))?,? (?:in order,? )?"
        rf"from (?P<first>{_END}) (?:down |up )?to (?P<last>{_END})",
        re.I,
    ),
    regex(
        r"(?:(?:sort|order|rank|put|arrange|list|show)(?: me)? )?(?:all )?(?:the |our |my )?(?P<rows>.+?)"
        r",? (?:by|in order of|in the order of|according to) (?:the |their )?(?P<by>.+?)"
        rf"(?:,|:| -| with)? (?P<first>{_END}) (?:ones? )?first",
        re.I,
    ),
)
_TOP = regex(r"(?:the |our |my )?(?P<end>top|bottom) (?P<number>\d+|[a-z]+)(?: (?P<rows>.+))?", re.I)
_GENERAL: dict[str, Way] = {
    "highest": "down", "largest": "down", "biggest": "down", "greatest": "down", "most": "down", "best": "down",
    "lowest": "up", "smallest": "up", "least": "up", "fewest": "up", "worst": "up",
}  # fmt: skip
_LONG: dict[str, Way] = {"longest": "down", "shortest": "up"}
_LASTING = frozenset(("hour", "minute", "page", "day", "week", "distance"))
_OF_DAYS: dict[str, Way] = {
    "latest": "down", "newest": "down", "last": "down", "earliest": "up", "oldest": "up", "first": "up",
}  # fmt: skip
_ALL = ("", "all", "them", "them all", "everything", "everyone", "it all", "rows", "all rows")


def orders_asked(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """All rows of a kind in the order that is said, or the first of them."""
    said = next(filter(None, (form.fullmatch(text) for form in _FORMS)), None)
    names = names_of_rows(table)
    if said is None or not names:
        return
    parts = said.groupdict()
    by = whole_column(parts["by"], table, ("number", "date")) if parts["by"] else None
    if (parts["by"] and by is None) or (by and id_like(by)):
        return
    top = _TOP.fullmatch(parts["rows"])
    limit = number_in(0, tokens(top["number"])) if top else str(max(table.rows, 1))
    rest = (top["rows"] or "") if top else parts["rows"]
    rows = Rows(named=True) if rest.lower() in _ALL else rows_of(rest, table, today)
    order = ordered_by(parts["first"], by, table)
    last = ordered_by(parts["last"], by, table) if parts.get("last") else None
    if rows is None or rows.asked or not (rows.named or rows.filters) or order is None or not limit.isdigit():
        return
    column, way = order
    if last and (last[0] != column or last[1] == way):
        return
    if parts.get("last") and last is None:
        return
    if top and (top["end"].lower() == "top") != (way == "down"):
        return  # "the top 3, lowest first" are in another order
    names = (rows.noun,) if rows.noun else names
    yield Asked(table, "rows", column, (), rows.filters, way, int(limit), tuple(dict.fromkeys((*names, column))))


def ordered_by(said: str, by: Column | None, table: Table) -> tuple[Column, Way] | None:
    """The column and the end of it that comes first; ``None`` where the word is not of the column that is named."""
    word = re.sub(r"^the ", "", said.lower())
    ends: tuple[tuple[str, Way], ...] = (("most", "down"), ("least", "up"))
    fits: list[tuple[Column, Way]] = [(column, way) for key, way in ends for column in by_field(table, key, word)]
    if by is None:
        fits = [fit for fit in fits if len(content(fit[0])) == 1] if len(fits) > 1 else fits
        return fits[0] if len(fits) == 1 else None
    if own := [fit for fit in fits if fit[0] == by]:
        return own[0]
    if by.kind == "date":
        return (by, _OF_DAYS[word]) if word in _OF_DAYS else None
    if word in _GENERAL:
        return by, _GENERAL[word]
    lasts = measured(by) & {"time", "length"} or _LASTING & {*words(by.name)}
    return (by, _LONG[word]) if word in _LONG and lasts else None
