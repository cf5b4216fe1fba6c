"""What letters are short for in the labels and heads of tables: "R&D" of a row "Research and development"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from agent.evidence.sources import Sources, Spotted
from agent.text.regex import regex

_LETTERS = regex(r"(?<![\w&])(?:[A-Z]&[A-Z]|[A-Z](?:&?[A-Z]){2,5})(?![\w&])")  # "US" of "Unit sales" is chance
_NEXT = r"[^\W_]*,?[ _-](?:(?:and|of|the|for|per|&)[ _])?"
_MOST_ROWS = 200
_CAMEL = regex(r"(?<=[a-z])(?=[A-Z])")  # "researchAndDevelopment"
_FEWEST_IN_PROSE = 3  # letters
_MOST_SHORT = 12  # of one answer


def abbreviations_in(text: str) -> list[re.Match[str]]:
    """The words of capitals in a text, at most so many."""
    return list(islice(_LETTERS.finditer(text), _MOST_SHORT))


def in_full(short: str, sources: Sources) -> Iterator[tuple[Spotted, str]]:
    """Where the words that capitals are short for, or they themselves, stand, and those words: in labels and heads
    first, then three and more words in any text.
    """
    if _LETTERS.fullmatch(short) is None:
        return
    itself = rf"(?<![\w&]){short.lower()}(?![\w&])"
    pattern = re.compile(rf"{itself}|(?<![^\W_]){_NEXT.join(short.replace('&', '').lower())}\w*")
    for number, source in enumerate(sources.texts):
        for subjects in source.tables:
            table = subjects.table
            labels = (row[0] for row in islice(table.rows[table.heads :], _MOST_ROWS))
            for cell in chain(*table.rows[: table.heads], labels):
                words = _CAMEL.sub(" ", cell.text).lower()
                if (match := pattern.search(words)) is not None:
                    yield (number, cell.start + match.start(), min(cell.start + match.end(), cell.end)), match[0]
    for number, source in enumerate(sources.texts if len(short) >= _FEWEST_IN_PROSE else ()):
        if source.origin == "seen" and (match := pattern.search(source.lower)) is not None:
            yield (number, *match.span()), match[0]
