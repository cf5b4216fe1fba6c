"""Change, and what is left: what is paid, or was there, less all others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from agent.text.free_sums.free_items import Told, has, says
from agent.text.free_sums.free_terms import Term, before, has_sum, in_unit, one_kind, said_beside, terms_of, with_units
from agent.text.free_sums.free_wishes import Wish, asked_measure, asks_of
from agent.text.regex import regex

_NOTES = (5, 10, 20, 40, 50, 100, 200)
_PAID_FOR = regex(r"\b(?:bought|got|buy) (?:an?|the|my|some) (?:[a-z]+ ){1,2}for$")
_FOR_ALL = regex(r"for (?:it|them|this|that|all)\b")
_PLAIN_BEFORE = regex(
    r"(?:(?:a|an|the|my|our|on|for|in|and|then|another|monday|tuesday|wednesday|thursday|friday|saturday|sunday) ?)*"
)


def taken_away(told: Told, wish: Wish) -> str | None:
    """The difference as a plain sum, ``None`` where that is not sure or would be below zero."""
    parts = {item.kind == "percent" for item in told.items}  # "68% battery, used 41%"
    items = [replace(item, kind="bare") for item in told.items] if parts == {True} else told.items
    read = terms_of(items, told.source) if len(parts) == 1 else None
    kind = one_kind(read) if read else None
    if read is None or kind is None or len(read) < 2 or (wish == "change" and kind not in ("money", "bare")):
        return None
    read = _in_order(read, wish)
    terms = with_units(read, kind) if read else None
    if not terms or not asks_of(told, terms[:1], kind) or (wish == "left" and not _goes_out(told, terms[1:])):
        return None
    if has_sum(terms[1:], ""):
        return None
    if terms[0].value <= sum((term.value for term in terms[1:]), Fraction(0)):
        return None
    return " - ".join(in_unit(terms, kind, asked_measure(told)))


def _in_order(terms: Sequence[Term], wish: Wish) -> list[Term] | None:
    """The term from which the others are taken first, then those."""
    firsts = _paid(terms) if wish == "change" else _there_was(terms)
    if len(firsts) != 1 or (wish == "change" and _pays_twice(firsts[0], terms)):
        return None
    return [firsts[0], *(term for term in terms if term is not firsts[0])]


def _paid(terms: Sequence[Term]) -> list[Term]:
    alone = [term for term in terms if len(term.items) == 1]
    found = [term for term in alone if before(term, "paid") or term.items[0].after.startswith("note")]
    return found if len(found) == 1 else [term for term in found if term.amount in _NOTES]


_COMES_IN = regex(
    r"\b(?:got paid|get paid|gets paid|paid me|earn\w*|salary|wages?|pension|income|takes? home|bring home|budget"
    r"|i have|i had|we have|we had|start(?:ed)? with)\b"
)


def _there_was(terms: Sequence[Term]) -> list[Term]:
    incomes = [term for term in terms if _COMES_IN.search(term.items[0].before)]
    if len(incomes) == 1 and incomes[0].kind in ("money", "bare"):
        return incomes
    staying = [term for term in terms if not before(term, "outgoing")]
    found = [term for term in staying if has(said_beside(term), "base")] or staying[:1]
    return found[:1] if found and found[0] is terms[0] else found


def _pays_twice(paid: Term, terms: Sequence[Term]) -> bool:
    """Whether more is handed over: "a 20 and 15p", "20 for the cake and 5 for the card"."""
    (item,) = paid.items
    later = [one for term in terms for one in term.items if one.start > item.end]
    if not later or min(later, key=lambda one: one.start).before:
        return False
    return not item.after or (item.after.startswith("for ") and not _FOR_ALL.match(item.after))


def _goes_out(told: Told, others: Sequence[Term]) -> bool:
    """Whether what is taken away is told to go, and nothing comes in."""
    if any(before(term, "gained") or says(said_beside(term), "comes") for term in others):
        return False
    money = all(term.kind in ("money", "bare") for term in others)
    if not money and any(before(term, "acquired") and not _PAID_FOR.search(term.items[0].before) for term in others):
        return False
    return money or (has(told.source, "outgoing") and all(map(_goes, others)))


def _goes(term: Term) -> bool:
    """Whether a word tells that it goes, or it only goes on with a list."""
    if term.kind in ("money", "bare"):
        return True
    beside = " ".join([said_beside(term), *(name for item in term.items for name in item.names)])
    plain = all(_PLAIN_BEFORE.fullmatch(item.before) for item in term.items)
    return plain or has(re.sub(r"\s+", " ", beside), "outgoing")


_PROFIT = regex(r"\b(?:profit|gain|(?:do|will|would|did|can|have) (?:i|we|he|she|they) (?:make|made|earn|gain))\b")
_IS_PERCENT = regex(r"percent|per cent|%|margin")
_BUYS, _SELLS = regex(r"\b(?:bought|buys?|costs?|paid|pays?|make them for)\b"), regex(r"\b(?:sold|sells?|selling)\b")
_OF_EACH = regex(
    r"(?:\bat(?: rs)?|\b(?:an?|one|each|every) [a-z]+ (?:costs?|for)(?: me| us)?|\bit (?:at|for)|\bthem at|\bfor each)$"
)
_THREE = 3


def profit_asked(told: Told) -> Iterator[str]:
    """ "Bought 20 shares at 340 and sold them at 395, what is the profit": both prices of each of so many."""
    prices = [item for item in told.items if item.kind in ("money", "bare")]
    counts = [item for item in told.items if item.kind == "count" and item.amount.denominator == 1]
    if len(told.items) != _THREE or len(prices) != _THREE - 1 or not counts or _IS_PERCENT.search(told.text):
        return
    before = [told.source[: item.start] for item in prices]
    sides = [_last(said) for said in before]
    each = all(item.per or _OF_EACH.search(said.strip()) for item, said in zip(prices, before, strict=True))
    if not _PROFIT.search(told.asked) or sides != ["buys", "sells"] or not each:
        return
    (cost, price), (count,) = prices, counts
    if price.amount > cost.amount:
        sign = price.unit or cost.unit
        yield f"what is ({sign}{price.said} - {sign}{cost.said}) * {count.said}"


def _last(said: str) -> str:
    """Whether it was last told that one buys, or that one sells."""
    found = [(one.start(), name) for name, way in (("buys", _BUYS), ("sells", _SELLS)) for one in way.finditer(said)]
    return max(found)[1] if found else ""
