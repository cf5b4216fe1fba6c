"""An English question with its periods as marks, and the columns of a row that these stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.data.tables.crosstabs.crosstab_table import Crosstab, Head, in_order
from agent.data.tables.crosstabs.label_words import pattern
from agent.data.tables.crosstabs.line_finding import Found
from agent.data.tables.crosstabs.spans_of_time import BEFORE, Span, mentions, same_kind
from agent.text.regex import regex

MARK = regex(r"§(\d+)")


@dataclass(frozen=True, slots=True)
class Marked:
    """A question with its periods as marks: ``spans`` are what the marks stand for."""

    text: str
    spans: tuple[Span, ...]
    crosstab: Crosstab
    every: bool = False


def marked(text: str, crosstab: Crosstab) -> Marked:
    spans: list[Span] = []
    done, out = 0, ""
    for one in mentions(text):
        out += text[done : one.start]
        ends = _ends(one.span, crosstab)
        if ends:
            out = BEFORE.sub(" ", out) + f" from §{len(spans)} to §{len(spans) + 1} "
            spans += ends
            done = one.end
            continue
        fits = any(head.span and one.span.fits(head.span) for head in crosstab.periods)
        if fits:
            out = BEFORE.sub(" ", out)
            out += f" §{len(spans)} "
            spans.append(one.span)
        else:
            out += text[one.start : one.end]
        done = one.end
    return Marked(" ".join((out + text[done:]).split()), tuple(spans), crosstab)


def _ends(span: Span, crosstab: Crosstab) -> list[Span]:
    """The first and the last year of "2017-2019", where each is a head, and both are not one."""
    years = [head.span for head in crosstab.periods if head.span]
    ends = [Span(span.year), Span(span.until)]
    whole = span.until and not any(span.fits(one) for one in years)
    return ends if whole and all(any(end.fits(one) for one in years) for end in ends) else []


def heads_of(heads: Sequence[Head], spans: Sequence[Span]) -> list[Head] | None:
    """The head of each of the spans; None where one has none, or several."""
    chosen: list[Head] = []
    for span in spans:
        fits = [head for head in heads if head.span and span.fits(head.span)]
        if len(fits) != 1:
            return None
        chosen.append(fits[0])
    return chosen


def timed_heads(found: Found) -> list[Head]:
    """The columns of a row from the first period to the last, where they follow one another."""
    heads = in_order([head for head in found.heads if head.span])
    return heads if same_kind([head.span for head in heads if head.span]) else []


def spans_in(asked: Marked, text: str) -> tuple[list[Span], bool, str]:
    """The periods of a part of the question, whether they are the ends of a time, and the words beside them."""
    ends = pattern("ends").search(text)
    spans = [asked.spans[int(found[1])] for found in MARK.finditer(text)]
    whole = bool(ends) and len(spans) == 2 and (ends["joint"].lower() != "and" or "between" in ends[0].lower())
    rest = re.sub(
        r"\b(?:from|between|in|for|over|during|at|and|or|to|,|by|versus|vs|compared (?:to|with))?,? ?§\d+", " ", text
    )
    return spans, whole, rest


def several_heads(found: Found, spans: Sequence[Span], ends: bool) -> list[Head]:
    """The columns of several periods: those from one to the other, those named, or all."""
    timed = timed_heads(found)
    chosen = heads_of(found.heads, spans)
    if chosen is None:
        return []
    if ends and len(chosen) == 2 and all(head in timed for head in chosen):
        first, last = sorted(timed.index(head) for head in chosen)
        return timed[first : last + 1]
    return chosen or timed
