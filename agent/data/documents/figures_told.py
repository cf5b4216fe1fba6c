"""The amounts of money that sentences of a document tell, each with what is said of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.data.documents.index import folded
from agent.data.documents.month_spans import months_between
from agent.data.documents.quoted_clauses import Clause, root, roots
from agent.text.regex import regex

_SIGNS = {"euro": "€", "pound": "£", "dollar": "$"}
_AMOUNT = r"\d[\d,]*(?:\.\d+)?"
_MONEY = regex(
    rf"(?:(?P<sign>[$€£])\s?(?P<amount>{_AMOUNT})|(?P<before>{_AMOUNT}) (?P<name>euro|pound|dollar)s?\b)"
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
            sign = one["sign"] or _SIGNS[one["name"].lower()]
            said = f"{part} {months_between(part)}".strip()
            yield Figure(clause, sign, (one["amount"] or one["before"]).replace(",", ""), per, said)


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
