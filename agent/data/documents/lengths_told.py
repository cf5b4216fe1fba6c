"""Lengths of time that a document tells: the day when one ends, and what holds after one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.data.documents.asked_words import COUNT, OF_DAYS, in_figures, left, span_roots
from agent.data.documents.quoted_clauses import Clause, holds, root, roots, words_of
from agent.text.regex import regex

WHEN = regex(r"\b(?:when|what (?:date|day)|until|how long|(?:last|latest|final) (?:day|date)|deadline|latest)\b")
_MORE_AFTER = regex(
    r"\b\d+ (?P<unit>[a-z]+) or (?:more|longer|over)\b|\b(?:after|over|more than|at least) \d+ (?P<of>[a-z]+)"
)


def more_after(text: str, clause: Clause, found: Sequence[Clause]) -> Clause | None:
    """ "I have been here 6 years, how many days of holiday?": a sentence that tells more for "5 years or more"."""
    told = {root(one["unit"]) for one in COUNT.finditer(text) if one["unit"]} & span_roots()
    shared = [word for word in left(text) if holds(roots(clause.text), word) and root(word) not in span_roots()]
    for other in found:
        terms = {root(one["unit"] or one["of"]) for one in _MORE_AFTER.finditer(in_figures(other.text))}
        if other != clause and terms & told and any(holds(roots(other.text), word) for word in shared):
            return other
    return None


_NOTICE = regex(r"\b(?P<length>\d+ (?:day|week|month)s?)['’]? (?:written )?notice\b")
_DUE = regex(r"(?P<deed>(?:[a-z]+ ){1,6})within (?P<length>\d+ (?:day|week|month|year)s?) (?:of|after|from)\b")
_HANDED_IN = frozenset(map(root, words_of("handed_in")))
_BY_THEN = frozenset(map(root, words_of("by_then")))


def length_told(text: str, clause: Clause | None, found: Sequence[Clause]) -> tuple[Clause, str] | None:
    made = [over for one in ([clause] if clause else found) if (over := _length_over(text, one))]
    return made[0] if len(made) == 1 else None


def _length_over(text: str, clause: Clause) -> tuple[Clause, str] | None:
    """ "If I hand it in on 1 March 2027, when could I be out?" after a sentence of the notice that is to be given; "the
    last day to register it" after "registered within 28 days of purchase".
    """
    days, said = list(OF_DAYS.finditer(text)), in_figures(clause.text)
    notices = list(_NOTICE.finditer(said))
    asked = roots(text)
    due = [one for one in _DUE.finditer(said) if any(holds(asked, word) for word in left(one["deed"]))]
    lengths = notices or due
    if len(days) != 1 or len(lengths) != 1 or not WHEN.search(text):
        return None
    day = regex(r"(?:,? (?:19|20)\d\d)?").match(text, days[0].end())
    end = day.end() if day else days[0].end()
    if not re.search(r"\b(?:19|20)\d\d\b", text[days[0].start() : end]):
        return None
    last = text[text.rfind(";") + 1 : days[0].start()] + text[end:]
    its, known = (frozenset[str](), _HANDED_IN) if notices else (roots(clause.whole), _BY_THEN)
    if any(root(word) not in known and not holds(its, word) for word in left(last)):
        return None
    return (clause, f"{lengths[0]['length']} after {text[days[0].start() : end]}")
