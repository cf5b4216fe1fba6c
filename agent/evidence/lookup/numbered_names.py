"""A name before a number that stands in short before the same one, or as the head of its column."""

from __future__ import annotations

import re

from agent.evidence.sources import Sources, Spotted, places
from agent.text.regex import regex

_NUMBER = regex(r"[ \u00a0]([0-9]{1,4}[a-z]?)(?![\w.,]?[0-9]|[\w%])")
_INITIALS = regex(r"(?<![^\W_])[A-Z]{1,6}(?=[ -]?$)")
_MOST_PLACES = 20
_SHORTEST = 3  # letters of a head in short


def number_behind(text: str, end: int) -> str:
    """The short number right behind a name: "454" of "New York State Route 454"; nothing where there is none."""
    match = _NUMBER.match(text, end)
    return match[1] if match is not None else ""


def numbered(name: str, number: str, sources: Sources) -> Spotted | None:
    """Where the number of a name stands behind its first initials, or in a column whose head it is short for.

    "NY 454" of "New York State Route 454", "B-12" of "Bundesstraße 12"; 25h in the column "Interrupt vector" of
    "INT 25h". One letter alone is short for a name of one word, right before the number.
    """
    initials = "".join(word[0] for word in name.split() if word[0].isupper())
    head = re.compile(rf"\b{name.lower()}") if name.isalpha() and name.isupper() and len(name) >= _SHORTEST else None
    for index, source in enumerate(sources.texts):
        for start in places(source.text, number, _MOST_PLACES) if head or initials[:2] in source.text else ():
            end = start + len(number)
            if source.text[end : end + 1].isalnum():
                continue
            short = _INITIALS.search(source.text, max(0, start - 8), start)
            if short is not None and _is_short_for(short[0], initials, source.text[start - 1]):
                return index, short.start(), end
            at = source.page.cell_at(start) if head is not None else None
            heads = at[0].table.column_heads[at[1].column :] if at is not None and at[1].start == start else ()
            if head is not None and heads and head.search(heads[0]) is not None:
                return index, start, end
    return None


def _is_short_for(short: str, initials: str, last: str) -> bool:
    return initials.startswith(short) if len(short) > 1 and last in " -" else short == initials and last != " "
