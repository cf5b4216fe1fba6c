"""Change, and what is left: what is paid, or was there, less all others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from agent.text.free_sums.free_items import Told, has, says
from agent.text.free_sums.free_terms import Term, before, has_sum, in_unit, one_kind, said_beside, terms_of, with_units
from agent.text.free_sums.free_wishes import Wish, asked_measure, asks_of
from agent.text.regex import regex

_NOTES = (5, 10, 20, 40, 50, 100, 200)
_FOR_ALL = regex(r"for (?:it|them|this|that|all)\b")
_PLAIN_BEFORE = regex(
    r"(?:(?:a|an|the|my|our|on|for|in|and|then|another|monday|tuesday|wednesday|thursday|friday|saturday|sunday) ?)*"
)


def taken_away(told: Told, wish: Wish) -> str | None:
    """The difference as a plain sum, ``None`` where that is not sure or would be below zero."""
    read = terms_of(told.items, told.source) if all(item.kind != "percent" for item in told.items) else None
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


def _there_was(terms: Sequence[Term]) -> list[Term]:
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
    if not money and any(before(term, "acquired") for term in others):
        return False
    return money or (has(told.source, "outgoing") and all(map(_goes, others)))


def _goes(term: Term) -> bool:
    """Whether a word tells that it goes, or it only goes on with a list."""
    if term.kind in ("money", "bare"):
        return True
    beside = " ".join([said_beside(term), *(name for item in term.items for name in item.names)])
    plain = all(_PLAIN_BEFORE.fullmatch(item.before) for item in term.items)
    return plain or has(re.sub(r"\s+", " ", beside), "outgoing")
