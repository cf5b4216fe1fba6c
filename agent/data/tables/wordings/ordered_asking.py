"""Rows of a table in an order that a word says: "list the terriers, youngest first", "which ferry is the oldest?"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Literal

from agent.data.tables.questions.sentence import readings
from agent.data.tables.questions.table_schema import Asked, Column, Table, column_words, tells_apart
from agent.text.regex import regex
from agent.text.word_tables import word_table

_LONGEST = 200  # characters
Way = Literal["up", "down"]
_LISTED = regex(
    r"(?:(?:can|could|would) you |please )?(?:list|show(?: me)?|name|give me|tell me|sort|rank|who are|what are) "
    r"(?P<rest>.+?),?(?: with)?(?: the)? (?P<word>[a-z]+(?: [a-z]+)?) (?:ones? )?first[ ?.!]*",
    re.I,
)
# "Who is the second oldest sailor?", "which ferry is the oldest?", "which ship has the oldest sailor?".
_MOST = regex(
    r"(?:who|which|what)(?:(?P<before> [a-z ]{2,30}?)? (?:is|was)(?: the)?"
    r"| (?P<of>[a-z ]{2,30}?) (?:has|have|had|is home to)) (?:the |our )?"
    r"(?:(?P<nth>second|third|fourth|2nd|3rd|4th) )?"
    r"(?P<word>(?:most|least) (?:expensive|recent)|[a-z]+)(?: (?P<rest>(?!first\b)[a-z][\w ]*?))?[ ?.!]*",
    re.I,
)
_NOT_MOST = regex(
    r"(?:which|what|who)\b[^?]{0,60}(?:\bnot|n['’]t)(?: have| got)? the (?:[a-z]+est|most|least)\b"
    r"|(?:which|who)\b[^?]{0,40}ed (?:first|last|earliest|latest) (?:in|on|at|from)\b",
    re.I,
)
_GENERAL: dict[str, Way] = {"most": "down", "highest": "down", "fewest": "up", "least": "up", "lowest": "up"}
_PLACES = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_PLEASE = regex(r",? ?\b(?:please|pls|thanks|thank you)\b", re.I)


def ordered_asked(text: str, table: Table, today: date | None) -> Asked | None:
    """What is asked of the one table; ``None`` where the column to order by is not sure, or more is asked."""
    bare = _PLEASE.sub("", text)
    if len(bare) > _LONGEST or table.joined:
        return None
    if found := _LISTED.fullmatch(bare):
        by = _ordered_by(found["word"].lower(), table)
        made = _rows(found["rest"].rstrip(", "), table, today) if by else None
        return replace(made, column=by[0], order=by[1], limit=max(table.rows, 1), shown=()) if by and made else None
    return _most(bare, table, today)


def _most(text: str, table: Table, today: date | None) -> Asked | None:
    """The row that is first, or at another place, by the word for it; or what a column says of that row."""
    found, first = _MOST.fullmatch(text), table.columns[0]
    if found is None or not tells_apart(first, table.rows) or bool(found["before"]) == bool(found["rest"]):
        return None
    word, rest, of = found["word"].lower(), (found["rest"] or found["before"]).strip(), (found["of"] or "").lower()
    by, shown = _ordered_by(word, table), [one for one in table.columns if of and of in _names(one)]
    if found["nth"] and of and word in _GENERAL:  # "the second most moons"
        several = [one for one in table.columns if rest.lower() in _names(one) and one.kind == "number"]
        by, rest = (several[0], _GENERAL[word]) if len(several) == 1 else None, of
        shown = [] if shown == [first] else shown
    if of and rest.lower() == table.name.lower():
        return None
    made = _rows("rows" if rest.lower() in _names(first) else rest, table, today)
    if by is None or made is None or not {*made.shown} <= {first} or (of and not (shown or rest == of)):
        return None
    limit = _PLACES.get((found["nth"] or "").lower(), 1)
    shown = [one for one in shown if one is not first]
    return replace(made, column=by[0], order=by[1], limit=limit, shown=(*shown, first, by[0]))


def _names(column: Column) -> set[str]:
    """What a column is called, for one and for several."""
    return {form for name in (column.called.lower(), column.label.lower()) for form in (name, f"{name}s", f"{name}es")}


def orders_unsurely(text: str, table: Table) -> bool:
    """Whether a word orders rows by a column that is not told: "the top 3, heaviest first" of a table of ages.

    Or of rows that are not told: "which ship has the heaviest crew?" of a table crew, "which isn't the oldest?".
    """
    if _NOT_MOST.match(text) or re.search(rf"\b(?:has|have) the [a-z]+est {re.escape(table.name)}\W*$", text, re.I):
        return True
    dates = {said for said, _, names in _orders() if "@date" in names}
    words = {said for said, _, _ in _orders()} - dates
    word = next((said for said in words if re.search(rf"\b{said} first\b", text, re.I)), "")
    if not word or table.joined:
        return False
    by = _ordered_by(word, table)
    return by is None or not re.search(rf"\b(?:{'|'.join(map(re.escape, column_words(by[0])))})\b", text, re.I)


def _rows(rest: str, table: Table, today: date | None) -> Asked | None:
    """The rows that ``rest`` names, where every word of it is understood at once."""
    if rest == "rows" or re.fullmatch(r"(?:all )?(?:of )?(?:them|it all|everything|everyone|all)", rest, re.I):
        return Asked(table, "rows")
    several = readings(f"list {rest}", (table,), today)
    made = several[0].asked if several and several[0].cost == 0 else None
    if made is None or made.measure != "rows" or made.order or made.groups or made.chart or made.column:
        return None
    return None if any(one.sought for one in made.filters) else made


@cache
def _orders() -> tuple[tuple[str, Way, tuple[str, ...]], ...]:
    read = word_table(__file__, "ordered_words.toml")["by"]
    ends: tuple[tuple[str, Way], ...] = (("most", "down"), ("least", "up"))
    return tuple((word, way, tuple(one["columns"])) for one in read for end, way in ends for word in one[end])


def _ordered_by(word: str, table: Table) -> tuple[Column, Way] | None:
    """The one column that the word goes with, and which end comes first."""
    fits: list[tuple[Column, Way]] = [
        (column, way)
        for said, way, names in _orders()
        for column in table.columns
        if said == word
        and (
            column.kind == "date"
            if "@date" in names
            else column.kind == "number" and {*names} & {*column_words(column)}
        )
    ]
    return fits[0] if len(fits) == 1 else None
