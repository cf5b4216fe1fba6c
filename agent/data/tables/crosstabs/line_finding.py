"""Which row, and which columns beside their periods, some words of a question name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.data.tables.crosstabs.crosstab_table import Crosstab, Head, Line
from agent.data.tables.crosstabs.label_words import head_words, label_words, light, needed_words, stems
from agent.text.regex import regex

_GOES_ON = regex(r" (?:from|for|on|under|related|relating|attributable|excluding|including)\b|, ", re.I)
_KINDS = frozenset({"net", "gross"})  # of several rows that are called alike, which "income" alone leaves open
_LONG_LABEL = 3  # words
_MOST_MISSING = 3  # of a long label, one in so many words may be left out


@dataclass(frozen=True, slots=True)
class Found:
    line: Line
    heads: tuple[Head, ...]


def found_line(text: str, crosstab: Crosstab) -> Found | None:
    """The row that the words of ``text`` name, all of them; None where none or several may be meant."""
    in_order = list(stems(text))
    said = frozenset(in_order)
    content = said - light()
    around = crosstab.around()
    groups = list(crosstab.groups())
    timed = sum(heads[0].span is not None for _, heads in groups)
    whole: list[tuple[tuple[int, ...], Found]] = []
    loose: list[tuple[tuple[int, ...], Found]] = []
    for words, heads in groups:
        over, head = head_words(words), label_words(words)
        only = timed == 1 and heads[0].span is not None
        if (over - said) and not only and len(groups) > 1:
            continue
        for line in crosstab.lines:
            label, section, needed = label_words(line.label), label_words(line.section), needed_words(line.label)
            if not content <= label | section | head | around or not label & said:
                continue
            missing = needed - said
            if missing and not content:
                continue
            rank = (
                -int(heads[0].span is None and bool(head) and head <= said and not head <= label),
                -len((over - label) & said),
                int(heads[0].span is None and timed > 0),
                len(content - label - head),
                len(missing),
                len(label - said),
                -len(label & said),
                -len(section & said),
            )
            if not missing:
                whole.append((rank, Found(line, heads)))
            elif _nearly(needed, missing, line, said):
                loose.append((rank, Found(line, heads)))
    ranked = sorted(whole or loose, key=lambda one: one[0])
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    best = ranked[0][1]
    kinds = (label_words(best.line.label) - said) & _KINDS
    others = [line for line in crosstab.lines if line.place != best.line.place]
    if any(_differs_in_brackets(line, best.line, said) for line in others):
        return None
    return None if kinds and any(content <= label_words(line.label) for line in others) else best


def _differs_in_brackets(line: Line, best: Line, said: frozenset[str]) -> bool:
    """Whether "(current)" alone tells ``best`` from another row of its section, and was not said."""
    told = label_words(best.label) - needed_words(best.label)
    same = needed_words(line.label) == needed_words(best.label) and line.section == best.section
    return same and line.label != best.label and bool(told) and "(" in line.label and not told & said


def _nearly(needed: frozenset[str], missing: frozenset[str], line: Line, said: frozenset[str]) -> bool:
    """Whether a long label was told but for a word or two, with the one that it begins with; or up to where it goes
    on to say from what or for what.
    """
    first = next((word for word in stems(line.label) if word in needed), "")
    long = len(needed) >= _LONG_LABEL and _MOST_MISSING * len(missing) <= len(needed) and first in said
    begins = needed_words(_GOES_ON.split(line.label)[0])
    return long or (len(begins) > 1 and begins <= said)
