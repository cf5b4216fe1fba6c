"""A question to documents with its counts in figures, and which of its words are to be accounted for."""

from __future__ import annotations

import re
from functools import cache

from agent.data.documents.quoted_clauses import MONTH, root, said_plainly, words_of
from agent.text.quantities.claim_words import SPELLED
from agent.text.regex import regex

SPANS = words_of("units")
COUNT = regex(
    r"(?<!\bof )(?<!\bage )(?<![.,:\d])"
    r"(?P<n>\d+)(?: (?P<unit>[a-z']+)(?: (?P<more>[a-z']+))?)?"
)
OF_DAYS = regex(rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH}\b|\b\d{{4}}-\d\d-\d\d\b|\b{MONTH} \d{{1,2}}\b")
_WORDED = regex(rf"\b(?:{'|'.join(word for word in SPELLED if SPELLED[word] > 1)})\b")


def in_figures(question: str) -> str:
    text = _WORDED.sub(lambda one: str(SPELLED[one[0]]), said_plainly(question))
    return re.sub(r"\ba couple of\b", "2", re.sub(r"\btwice\b", "2 times", text))


def left(text: str) -> list[str]:
    """The words that are to be accounted for."""
    words = re.findall(r"\d[\d.,]*|%|[a-z]+(?:['-][a-z]+)*", text)
    known = words_of("light") | words_of("little")
    asking = frozenset(map(root, words_of("asking")))
    return [one for one in words if one.removesuffix("'s") not in known and root(one) not in asking]


@cache
def span_roots() -> frozenset[str]:
    return frozenset(map(root, SPANS)) | {root("time")}
