"""A question of one table that is read whole, by whichever reader of its language accounts for all of it first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from agent.data.tables.questions.japanese_readings import in_english
from agent.data.tables.questions.sales_worked_out import SALES, with_sales
from agent.data.tables.questions.sentence import is_settled
from agent.data.tables.questions.table_schema import Asked, Table, column_words
from agent.data.tables.worded.known_only import is_sought
from agent.data.tables.worded.misreadings import misread
from agent.data.tables.worded.worded_asking import worded_asked
from agent.data.tables.worded.worded_columns import SUPERLATIVES, by_field
from agent.data.tables.worded.wrapping import unwrapped, without_wrapping
from agent.data.tables.wordings.clock_asking import clock_asked
from agent.data.tables.wordings.japanese_asking import japanese_asked
from agent.data.tables.wordings.japanese_follow_ups import japanese_followed
from agent.data.tables.wordings.japanese_openings import rounded
from agent.text.regex import regex

_NOT_MOST = regex(
    r"(?:which|what|who)\b[^?]{0,60}(?:\bnot|n['’]t)(?: have| got)? the (?:[a-z]+est|most|least)\b"
    r"|(?:which|who)\b[^?]{0,40}ed (?:first|last|earliest|latest) (?:in|on|at|from)\b",
    re.I,
)
_OF_DAYS = ("newest", "most recent")
_FIRST = regex(r"\b(?P<word>(?:(?:most|least) )?[a-z]+) first\b", re.I)


def whole_asked(text: str, table: Table, today: date | None, language: str) -> Iterator[tuple[Asked, bool]]:
    """What is asked, and whether that is sure: what is not waits for no text that is still to be looked for."""
    if language == "ja" and in_english(text.strip(), table):
        return  # told by an answer: read again as it was meant
    japanese = japanese_followed if ";" in text else japanese_asked
    to_whole = False
    if language == "ja":
        table = with_sales(table) if SALES.search(text) else table
        text, to_whole = rounded(text)
        text = without_wrapping(text, table, today, language)
    whole = _worded(text, table, today) if language == "en" else japanese(text, table, today)
    if whole and not misread(text, whole):
        yield replace(whole, whole=to_whole), False
    if language == "en" and (timed := clock_asked(text, table)):
        yield timed, True


def of_one_alone(text: str, tables: Sequence[Table], today: date | None) -> Asked | None:
    """What a Japanese question, or a follow-up behind a semicolon, asks of the only one of several tables it fits."""
    for said in (text, text.rpartition("; ")[2]):
        several = [asked for one in tables for asked, _ in whole_asked(said, one, today, "ja") if is_settled(asked)]
        if len(several) == 1 and (several[0].column or said == text):
            return several[0]
    return None


def _worded(text: str, table: Table, today: date | None) -> Asked | None:
    """What ``text`` asks as it is, or without what is wrapped around it, where that leaves nothing to look for."""
    made = worded_asked(text, table, today)
    if table.joined or is_read_whole(text, made):
        return made
    bare = unwrapped(text, table, today)
    plain = worded_asked(bare, table, today) if bare != text else None
    return plain if is_read_whole(bare, plain) else made


def is_read_whole(text: str, made: Asked | None) -> bool:
    """Whether all of ``text`` is in what was ``made`` of it: no value is still to be looked for, no word turns it."""
    return made is not None and not is_sought(made) and not misread(text, made)


def is_of_other_most(text: str, table: Table) -> bool:
    """Whether the most is of rows that are not told: "which ship has the heaviest crew?", "which isn't the oldest?"."""
    of_all = rf"\b(?:has|have) the [a-z]+est {re.escape(table.name)}\W*$"
    return bool(_NOT_MOST.match(text) or re.search(of_all, text, re.I))


def orders_unsurely(text: str, table: Table) -> bool:
    """Whether a word orders rows by a column that is not told: "the top 3, heaviest first" of a table of ages."""
    if is_of_other_most(text, table):
        return True
    words = (said["word"].lower() for said in _FIRST.finditer(text))
    word = next((word for word in words if word in SUPERLATIVES and word not in _OF_DAYS), "")
    if not word or table.joined:
        return False
    fits = [one for key in ("most", "least") for one in by_field(table, key, word) if one.kind == "number"]
    told = "|".join(map(re.escape, column_words(fits[0]))) if len(fits) == 1 else ""
    return not told or not re.search(rf"\b(?:{told})\b", text, re.I)
