"""The amounts of money that sentences of a document tell, each with what is said of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.data.documents.index import folded
from agent.data.documents.month_spans import months_between
from agent.data.documents.quoted_clauses import Clause, holds, root, roots
from agent.text.regex import regex

_SIGNS = {"euro": "€", "pound": "£", "dollar": "$"}
_AMOUNT = r"\d[\d,]*(?:\.\d+)?"
_MONEY = regex(
    rf"(?:(?P<sign>[$€£])\s?(?P<amount>{_AMOUNT})|(?P<before>{_AMOUNT}) (?P<name>euro|pound|dollar)s?\b"
    r"|(?<![\d.,])(?P<pence>\d{1,2}) ?p\b)"
    r"(?:,? (?:(?:an?|per|each|every|for (?:each|every|an?)) (?P<per>[a-z]+)|(?P<each>each|apiece)))?",
    re.I,
)
_RATED = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annual": "year"}
_BOUND = regex(
    r"\b(?:up to|at (?:the )?(?:most|least)|from|about|around|under|over|between|than|(?:max|min)imum(?: of)?) $"
)


@dataclass(frozen=True, slots=True)
class Figure:
    """An amount of money that a sentence tells. ``per``: of what, "each" where of each thing that is named.

    ``said`` is the part of the sentence that tells it, with all months of a span that is said by its ends.
    """

    clause: Clause
    sign: str
    amount: str
    per: str
    said: str

    @property
    def money(self) -> str:
        return f"{self.sign}{self.amount}"


def figures_told(found: Iterable[Clause]) -> Iterator[Figure]:
    for clause in found:
        amounts = list(_MONEY.finditer(clause.text))
        for one, part in zip(amounts, _parts(clause.text, amounts), strict=True):
            if _BOUND.search(folded(clause.text[: one.start()])):
                continue
            rated = next((per for word, per in _RATED.items() if word in folded(part)), "")
            per = folded(one["per"] or "") or ("each" if one["each"] else rated)
            sign = one["sign"] or _SIGNS[(one["name"] or "pound").lower()]
            said = f"{part} {months_between(part)}".strip()
            amount = f"0.{int(one['pence']):02}" if one["pence"] else (one["amount"] or one["before"]).replace(",", "")
            yield Figure(clause, sign, amount, per, said)


_JOINT = regex(r"[,;] (?:and |or |but )?| (?:and|or|but) ")


def _parts(text: str, amounts: Sequence[re.Match[str]]) -> list[str]:
    """What is said of each amount: "£95 in winter and £120 in summer", "a small one is £48 and a large one £69"."""
    if len(amounts) < 2:
        return [text for _ in amounts]
    begun = text[: amounts[0].start()]
    before, after = [begun], list[str]()
    for one, other in pairwise(amounts):
        between = text[one.end() : other.start()]
        joints = list(_JOINT.finditer(between))
        after.append(between[: joints[-1].start()] if joints else "")
        own = between[joints[-1].end() :] if joints else between
        before.append(own if roots(own) - _BARE else begun)
    rest = text[amounts[-1].end() :]
    joint = _JOINT.search(rest)
    after.append(rest[: joint.start()] if joint else rest)
    return [f"{first} {one[0]} {last}" for first, one, last in zip(before, amounts, after, strict=True)]


_BARE = frozenset(map(root, ("is", "are", "costs", "for", "the")))


def common_roots(found: Sequence[Clause]) -> frozenset[str]:
    """What the documents are of, by their names, and by what most of their sentences say."""
    there = [roots(one.whole) for one in found]
    every = {word for one in there for word in one}
    many = {word for word in every if (times := sum(word in one for one in there)) > 2 and times > len(there) * 0.15}
    return frozenset(many).union(*(roots(one.passage.title) for one in found))


def _fits(figure: Figure, words: Sequence[str], common: frozenset[str]) -> bool:
    """Whether all the words are of the figure, or of what all the document is about, and one at least of it alone."""
    there = roots(f"{figure.clause.passage.heading} {figure.clause.topic} {figure.said}")
    its = [word for word in words if holds(there, word)]
    return bool(its) and all(word in its or root(word) in common for word in words)


_QUALIFIES = regex(
    r"\b(?:extra|further|additional|second|third|late|lost|reduced|frozen|small|large|first|child|children|students?|"
    r"guests?|helpers?|deposit|adults?|members?|juniors?|seniors?|pensioners?|concessions?|famil(?:y|ies)|couples?|teams?|"
    r"visitors?|weekends?|weekdays?|(?:off-)?peak)\b"
)


def only_figure(figures: Iterable[Figure], words: Sequence[str], common: frozenset[str]) -> Figure | None:
    """The only figure that all the words fit, or the only one of them that is said without words of its own."""
    several = [one for one in figures if _fits(one, words, common)]
    kept = [one for one in several if all(holds(frozenset(map(root, words)), q) for q in qualifiers(one))]
    if len(several) > 1:
        titled = [one for one in several if roots(one.clause.topic) == frozenset(map(root, words))]
        several = titled if len(titled) == 1 else kept
    return several[0] if len(several) == 1 else None


def qualifiers(figure: Figure) -> list[str]:
    return _QUALIFIES.findall(folded(figure.said))
