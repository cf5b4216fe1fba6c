"""Numbers that are too long to be read: they stand in a source with all of their digits, or not at all."""

from __future__ import annotations

from collections.abc import Iterator

from agent.evidence.drafts import Draft
from agent.evidence.mentions import Mention
from agent.evidence.sources import Finding, Sources
from agent.text.characters import digits_of
from agent.text.quantities.number_words import LONGEST
from agent.text.quantities.scanning import Scan, scan
from agent.text.regex import regex

_LONG = regex(rf"[0-9][0-9.,']{{{LONGEST}}}")


def long_numbers(text: str, sources: Sources) -> Iterator[Draft]:
    """The claims that 2^1000 or 100! are made of, each ``seen``, ``given`` or ``not_found``."""
    for start, end in _spans(scan(text)) if _LONG.search(text) is not None else ():
        digits = digits_of(text[start:end])
        spots = [
            (index, *span)
            for index, source in enumerate(sources.texts)
            for span in _spans(source.scan)
            if digits_of(source.text[slice(*span)]) == digits
        ]
        found = sources.found(spots) if spots else Finding("not_found")
        yield Draft(start, end, "number", Mention(start, end, text[start:end], "number"), found)


def _spans(scanned: Scan) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in scanned.numbers if one.end - one.start > LONGEST]
