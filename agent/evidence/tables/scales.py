"""The scale of a table's figures, where it is said once: "in millions", "$'000", "€m", 百万円."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

from agent.evidence.tables.table_model import YEAR_LIKE, Cell, Table
from agent.text.regex import regex

# A currency behind a letter for its scale: "raised_musd", "keur".
_CURRENCY = r"(?:usd|eur|gbp|chf|sek|nok|dkk|jpy)(?![a-z])"
# Powers of ten, and what says them in a head, a corner or a row's label, in lower case.
_WORDS: dict[int, re.Pattern[str]] = {
    3: regex(
        r"thousand|(?:[(\[×]|\bin )1[,. ]?000\b|(?<![0-9,.])['’‘`]?000s?\b|千(?!万)|\btsd\b|\bt€|\bmiles de|"
        r"\bmilliers|(?<!temp)(?<!ature)(?<!teq)(?<!\bt)_k\b|(?<!temp )(?<!ature )\(k\)|[$€£¥]k\b|\bk[$€£¥]|"
        rf"(?<![a-z])[kt]{_CURRENCY}"
    ),
    4: regex(r"(?<![百千十])万|만"),
    6: regex(
        r"million|[$€£¥]\s?mn?\b|(?:usd|eur|gbp|rm|rmb|sek|nok|dkk|chf)\s?mn?\b|\bmn\b|\bmio\b|百万|_m\b|\(m\)|"
        rf"\bmillones|\bmilioni|(?<![a-z])m{_CURRENCY}"
    ),
    8: regex(r"(?<![百千十])億|(?<![百千十])亿|억"),
    9: regex(r"billion|\bbn\b|\bmrd\b|milliards|十億|_bn?\b|\(b\)|[$€£¥]\s?bn?\b"),
    12: regex(r"trillion|兆"),
}
# The same said of all tables of a text.
_SAID = regex(
    r"(?:\b(?:in|amounts? in|of|en|expressed in|単位|单位)\s?[:：]?\s?\(?(?:[a-z]{2,3}\$?|u\.?s\.? dollars?|[$€£¥])?\s?"
    r"(thousand|million|billion|['’‘`]?000|千円|百万円|十億円|億円|兆円|千元|万元|亿元|milliers|miles|millones|millions|tsd|mio|mrd))",
)
# What is left of a head that says the scale of its own column alone: "speakers" of "speakers (million)".
_SAYS_SCALE = regex(
    r"thousands?|millions?|billions?|dollars?|euros?|except|per share|amounts?|unless|otherwise|stated|in\b|data|"
    r"単位|金額|年度|年|月期|期|[千百十]?万|千|十?億|兆|円|元"
)
_OF_ITS_OWN = regex(r"[a-z]{4}|[\u3400-\u9fff]{2}")
_EXEMPT = regex(r"per share|per unit|percent|%|比率|一株|1株|\beps\b|ratio|number of|years|days|employees")


def powers_of(table: Table, cell: Cell, of_all: tuple[int, ...]) -> tuple[int, ...]:
    """The powers of ten that a cell's figure may be given in, the surest first; none where nothing is said.

    ``of_all`` are those that the table, or else the text around it, says of all of its figures.
    """
    if "%" in cell.text or (not cell.numeric and YEAR_LIKE.match(cell.text)):
        return ()
    heads = table.column_heads
    own = heads[cell.column] if cell.column < len(heads) else ""
    row = table.rows[cell.row]
    label = row[0].text.lower() if row and row[0] is not cell else ""
    for text in (own, label, table.sections[cell.row]):
        if found := powers_in(text):
            return found
    if _EXEMPT.search(own):
        return ()
    return of_all


def powers_of_all(table: Table) -> tuple[int, ...]:
    """The powers of ten that a table says of all of its columns."""
    heads = (head for head in table.column_heads if not _OF_ITS_OWN.search(_SAYS_SCALE.sub("", head)))
    above = (row for row in table.rows[: table.heads + 3] if row[0].text and not any(one.numeric for one in row))
    for text in chain(heads, (table.before,), (row[0].text.lower() for row in above)):
        if found := powers_in(text):
            return found
    return ()


@lru_cache(maxsize=4_096)
def powers_in(text: str) -> tuple[int, ...]:
    """The powers of ten that a head or a label in lower case says."""
    return tuple(power for power, pattern in _WORDS.items() if pattern.search(text)) if text else ()


def powers_said(lower: str) -> tuple[int, ...]:
    """What a text says of the scale of its tables: "(in thousands)", 単位：百万円."""
    found: dict[int, None] = {}
    for match in _SAID.finditer(lower):
        for power in powers_in(match[1]):
            found[power] = None
    return tuple(found)
