"""Counts that a sentence of a document tells, worked out for what is asked: the places that are still free, the most
of so many rooms, the pay for the hours of a week.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.data.documents.asked_words import COUNT, in_figures, left
from agent.data.documents.figures_told import figures_told
from agent.data.documents.quoted_clauses import Clause, holds, root, roots
from agent.text.regex import regex


def counted_terms(text: str, found: Sequence[Clause]) -> tuple[Clause, str] | None:
    """The one sentence and the sum over its counts; ``text`` has its counts in figures, ``None`` where sums differ."""
    for read in (_still_free, _most_of_several, _pay_of_span):
        made = [(clause, sum_) for clause in found for sum_ in read(text, clause)]
        if len({sum_ for _, sum_ in made}) == 1:
            return made[0]
    return None


_GONE = (
    r"(?:booked|taken|sold|filled|reserved|let|rented|occupied|gone|used|allocated|assigned|claimed|full|given out"
    r"|signed up|registered|enrolled)"
)
_TAKEN = regex(
    r"(?<![$€£\d.,:-])(?P<all>\d+) (?P<thing>(?:(?!of |per |each )[a-z'-]+ ){0,2}?[a-z'-]+)"
    r"(?:,? (?:and|but|of which|of these|of them|so far|in total|in all|altogether|already)|[,.;])*,? "
    rf"(?P<gone>\d+)(?: (?:of (?:them|these)|are|is|were|have|has|been|already|now|currently|so far))* {_GONE}\b"
)
_ASKS_FREE = regex(
    r"\bhow many\b.*\b(?:free|left|available|empty|vacant|unsold|unbooked|unclaimed|open|remain(?:s|ing)?|over|to go"
    r"|to spare|not (?:yet )?(?:been )?(?:yet )?(?:booked|taken|sold|filled|reserved|let|gone|used))\b"
)
_FREE_LISTED = (
    "free left available empty vacant unsold unbooked unclaimed open remain remains remaining over spare still yet not "
    "booked taken sold filled reserved let gone used"
)
_FREE = frozenset(map(root, _FREE_LISTED.split()))


def _still_free(text: str, clause: Clause) -> Iterator[str]:
    """ "How many stalls are still free?" by "there is room for 30 stalls and 22 have been booked"."""
    said = in_figures(f"{clause.text} {clause.further}".strip())
    told = list(_TAKEN.finditer(said))
    if len(told) != 1 or re.search(r"\d", text) or not _ASKS_FREE.search(text):
        return
    if not re.search(r"\d", in_figures(clause.text)) or int(told[0]["gone"]) > int(told[0]["all"]):
        return
    words = [word for word in left(text) if root(word) not in _FREE]
    if words and all(holds(roots(f"{told[0]['thing']} {clause.passage.heading}"), word) for word in words):
        yield f"{told[0]['all']} minus {told[0]['gone']}"


_AT_MOST = regex(
    r"(?P<limit>\b(?:no more than|not more than|up to|at (?:the )?most|(?:a )?max(?:imum)?(?: of)?|(?:a )?limit of|only"
    r"|may|can|allowed|includ(?:es?|ed|ing)|entitled to)\b[^\d.;]{0,25}?)?"
    r"(?<![$€£\d.,:-])(?P<n>\d+) (?P<thing>(?:(?!in |per |a |an |each |every |to |for |on )[a-z'-]+ ){0,2}?"
    r"(?!in |per |a |an |each |every |to |for |on )[a-z'-]+)(?P<behind> (?:are|is) (?:allowed|included|permitted))? "
    r"(?:(?:in|to|for|on|by) )?(?:per|each|every|an?) (?P<unit>[a-z'-]+)\b(?P<after> (?:are|is) (?:allowed|included"
    r"|permitted))?"
)
_ASKS_MOST = regex(r"\b(?:how many|most|max(?:imum)?|limit)\b")
_HOW_MANY = regex(r"\bhow many (?P<of>[a-z'-]+(?: [a-z'-]+)?)")
_MOST_LISTED = "may most max maximum limit allowed permitted possible altogether included allow permit put hang"
_WORDS_OF_MOST = frozenset(map(root, _MOST_LISTED.split()))
_ALL_AT_ONCE = regex(
    r"\b(?:in total|altogether|in all|overall|at (?:once|a time)|except|unless|more than \d+ [a-z]+ may)\b"
)
_IS_OTHER = regex(
    r"\b(?:extra|over|above|beyond|more|less|fewer|left|still|if|already|cost\w*|pay|charged?|not|without)\b"
)


def _most_of_several(text: str, clause: Clause) -> Iterator[str]:
    """ "The most hooks in 3 rooms" by "no more than 6 picture hooks in each room"."""
    said = in_figures(clause.text)
    counts = [one for one in COUNT.finditer(text) if int(one["n"]) > 1]
    limits = [one for one in _AT_MOST.finditer(said) if one["limit"] or one["behind"] or one["after"]]
    if len(counts) != 1 or len(limits) != 1 or len(re.findall(r"\d+", text)) != 1 or not _ASKS_MOST.search(text):
        return
    (limit,), (count,) = limits, counts
    if _ALL_AT_ONCE.search(f"{said} {in_figures(clause.further)}") or _IS_OTHER.search(text) or not count["unit"]:
        return
    words = [
        word for word in left(text[: count.start()] + text[count.end("unit") :]) if root(word) not in _WORDS_OF_MOST
    ]
    many = _HOW_MANY.search(text)
    of_it = any(holds(roots(limit["thing"]), word) for word in (many["of"].split() if many else words))
    said_all = all(holds(roots(clause.whole), word) for word in words)
    if root(count["unit"]) == root(limit["unit"]) and of_it and said_all:
        yield f"{count['n']} times {limit['n']}"


_AMOUNT_OF_SPAN = regex(
    r"(?<![$€£\d.,:-])(?P<n>\d+(?:\.\d+)?) (?P<unit>hour|day|shift|lesson|session|class|visit|night|morning|evening)"
    r"(?:e?s)? (?:an?|per|each|every|in a) (?P<span>day|week|month|term|year)\b"
)
_RANGE = regex(r"\d+ ?(?:to|-|–|or) ?\d+|\b(?:up to|at least|at most|about|around|between|from|over|under)\b")
_ASKS_PAY = regex(r"\b(?:how much|what)\b.*\b(?:earn\w*|pay|paid|wages?|salary|make|get|money)\b")
_OF_SPAN = regex(
    r"\b(?:an?|per|each|every|1|one|the|(?P<n>\d+)) (?P<span>days?|weeks?|months?|terms?|years?)\b"
    r"|\b(?P<ly>week|month)ly\b"
)
_PAY_LISTED = "earn earns earned earning earnings wage wages salary make money job post"
_WORDS_OF_PAY = frozenset(map(root, _PAY_LISTED.split()))


def _pay_of_span(text: str, clause: Clause) -> Iterator[str]:
    """ "How much would I earn in a week?" by "7 hours a week at £12.85 an hour"."""
    said = in_figures(clause.text)
    amounts, spans = list(_AMOUNT_OF_SPAN.finditer(said)), list(_OF_SPAN.finditer(text))
    if len(amounts) != 1 or len(spans) != 1 or not _ASKS_PAY.search(text) or _RANGE.search(said):
        return
    amount, span = amounts[0], spans[0]
    rates = [one for one in figures_told([clause]) if root(one.per) == root(amount["unit"])]
    if len(rates) != 1 or root(span["span"] or span["ly"]) != root(amount["span"]):
        return
    rest = _OF_SPAN.sub(" ", text)
    if re.search(r"\d", rest) or not all(_is_of_pay(word, clause) for word in left(rest)):
        return
    times = f"{span['n']} times " if span["n"] and span["n"] != "1" else ""
    yield f"{times}{amount['n']} times {rates[0].money}"


def _is_of_pay(word: str, clause: Clause) -> bool:
    return root(word) in _WORDS_OF_PAY or holds(roots(clause.whole), word)
