"""What a sale brought less what it cost: "14 books at 50p each and a lamp for £7.25. The pitch cost me £8"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from agent.text.free_sums.free_items import Item, Told
from agent.text.free_sums.free_terms import Term, in_unit, one_kind, terms_of
from agent.text.regex import regex

_WE = r"(?:i|we|he|she|they|you|the [a-z]+)"
_ASKS = regex(
    rf"\b(?:profit|(?:am|are|was|were|is) {_WE} up|(?:do|did|does|have|has|will|would) {_WE} (?:actually |really )?"
    r"(?:make|made|earn|earned|clear|cleared|gain|gained)|in pocket|(?:come|came|comes) out ahead|better off"
    r"|to the good|ahead|left(?: over)?)\b"
)
_SELLS = regex(r"\b(?:sold|sells?|selling|took|takings?|raised|brought in|made|car boot|jumble sale|bake sale|stall)\b")
# "Got £412.50 from bag packing", but no "£5 off" that one gets.
_GOT = regex(
    r"\b(?:got|received|collected|earned|raised|was given|were given) (?:an? (?:further )?)?(?:§|[$€£]?\d[\d.]*)"
    r"(?: (?:euros?|pounds?|dollars?|quid))? from\b"
)
_PAYS = regex(
    r"\b(?:costs?|costing|paid|pay|pays|spent|spend|bought|buy|hired?|rent(?:ed|al)?|charged?|fees?|expenses|materials"
    r"|ingredients|postage|petrol|parking|pitch|entry|less|minus|took off|set (?:me|us|him|her|them) back)\b"
)
_MADE_FOR = regex(r"\b(?:made|make|baked|knitted)\b[^.,;!?]{1,40} for $")
_PER_THING = regex(r" (?:an?|per|each|apiece)\b")
_THEM = regex(r"\b(?:them|these|those|all of them)(?: all| on)?(?: at| for)?$")


def asks_takings(told: Told) -> bool:
    """Whether it is asked what is left of what was sold, and something was paid, too."""
    before = told.source[: _question_at(told)]
    sold = (_SELLS.search(before) or _GOT.search(before)) is not None
    return sold and _ASKS.search(told.asked) is not None and _PAYS.search(before) is not None


def _question_at(told: Told) -> int:
    """Where the question begins in ``told.source``."""
    words = re.split("§", told.asked)[0]
    at = told.source.rfind(words) if words else -1
    return at if at >= 0 else len(told.source)


def takings(told: Told) -> str | None:
    """The plain sum; ``None`` where a figure is of neither side, or no more came in than was paid."""
    terms = terms_of(_of_them(told.items), told.source)
    if not terms or one_kind(terms) != "money" or any(term.start > _question_at(told) for term in terms):
        return None
    if any(not item.per and _PER_THING.match(told.source, item.end) for term in terms for item in term.items):
        return None
    sides = _sides(terms, told.source)
    came, went = ([term for term, side in zip(terms, sides, strict=True) if side == name] for name in ("in", "out"))
    if not came or not went or len(came) + len(went) != len(terms) or any(term.period for term in terms):
        return None
    if _total(came) <= _total(went):
        return None
    said = in_unit([*came, *went], "money", None)
    gained, paid = " + ".join(said[: len(came)]), said[len(came) :]
    return " - ".join([gained, *paid])


def _of_them(items: Sequence[Item]) -> list[Item]:
    """ "Made 20 cakes for £15 and sold them at £2 each": the price of each is that of the things told before."""
    found = list(items)
    counts = [item for item in items if item.kind == "count"]
    for place, item in enumerate(items):
        if item.per == "each" and _THEM.search(item.before) and len(counts) == 1 and place > items.index(counts[0]) + 1:
            found.remove(counts[0])
            found.insert(found.index(item), replace(counts[0], before="", after=""))
    return found


def _total(terms: Sequence[Term]) -> Fraction:
    return sum((term.value for term in terms), Fraction(0))


def _sides(terms: Sequence[Term], source: str) -> list[str]:
    """Of each term, whether it came "in" or went "out": by its words, else as the one before it in its sentence."""
    sides: list[str] = []
    for term in terms:
        price = term.items[-1]
        ahead = [item.end for other in terms for item in other.items if other is not term and item.end <= price.start]
        *sentences, lead = re.split(r"[.;!?](?!\d)", source[max(ahead, default=0) : price.start])
        behind = re.split(r"[.;!?,](?!\d)|\b(?:and|but)\b", source[price.end :])[0]
        paid = _PAYS.search(f"{lead} § {behind}") or _MADE_FOR.search(source[: price.start])
        came_in = _SELLS.search(lead) or _GOT.search(f"{lead}§{behind}") or not sides
        sides.append("out" if paid else "in" if came_in else "" if sentences else sides[-1])
    return sides
