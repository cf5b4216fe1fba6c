"""The terms of a told sum: each quantity with the one that says how often, or of how much, it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from agent.text.free_sums.free_items import WORDS, Item, has, says
from agent.text.problems.story_parts import stem
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.units import Measure, measure_of
from agent.text.regex import regex

_OF_THEM = regex(r" ?(?:@|x|at|of|times|lots of|lots at)(?: an?)? ?| of [a-z]+(?: [a-z]+)? (?:at|@) ?")
_PERIODS = frozenset(("day", "week", "month", "year", "night", "evening", "morning", "quarter"))
_PEOPLE = regex(r"\b(?:between|among|amongst|by|into|(?:dinner|meal|lunch|table|supper|brunch) for)")
_WE_ARE = r"\b(?:we're|we are|there are|there's)"
_PERSONS = frozenset(map(stem, WORDS["told"]["persons"]))

_ANYONE = _PERSONS | {"person"}


@dataclass(frozen=True, slots=True)
class Term:
    """The product of ``factors`` in ``unit``, of which ``size`` base units are one; it is made of ``items``."""

    kind: str
    factors: tuple[Fraction, ...]
    unit: str
    size: Fraction
    items: tuple[Item, ...]
    period: str = ""

    @property
    def amount(self) -> Fraction:
        product = Fraction(1)
        for factor in self.factors:
            product *= factor
        return product

    @property
    def value(self) -> Fraction:
        return self.amount * self.size

    @property
    def start(self) -> int:
        return min(item.start for item in self.items)

    def told(self, unit: str, size: Fraction) -> str:
        """The product for the calculator, its last factor in that unit."""
        *several, last = self.factors
        last *= self.size / size if self.kind != "bare" else 1
        figure = f"{unit}{figure_of(last)}" if unit in ("$", "€", "£") else f"{figure_of(last)} {unit}".strip()
        return " * ".join([*map(figure_of, several), figure])


def people_of(items: Sequence[Item]) -> Item | None:
    """The one figure of those who share; ``None`` where none is, or more than one."""
    named = [one for one in items if one.kind == "count" and one.names & _ANYONE]
    behind = [
        one for one in items if one.kind == "bare" and re.search(rf"(?:{_PEOPLE.pattern})$|{_WE_ARE}$", one.before)
    ]
    found = named or behind
    whole = [one for one in found if one.amount.denominator == 1 and not one.per]
    return whole[0] if len(found) == len(whole) == 1 and whole[0].amount > 1 else None


_SOMEBODY_ELSE = regex(
    r" and (?:me|my|i|his|her|their|[a-z]+ (?:each|pays?))\b| who\b| and (?!how|what|the|a|an|we|it)[a-z]+[ ?.!]*$"
)


_ONE_MORE = regex(
    r"\b(?:me|i|us|myself|him|her|them|wife|husband|partner|girlfriend|boyfriend|mum|mom|dad|sister|brother|baby)"
    r"(?:,| and| plus)+ (?:my |our |the )?$|\band my $"
)


def are_all(among: Item, source: str) -> bool:
    """Whether those who share are just the ones that are counted."""
    behind, ahead = source[among.end :], source[: among.start]
    return not _SOMEBODY_ELSE.match(behind) and not _ONE_MORE.search(ahead)


def terms_of(items: Sequence[Item], source: str) -> list[Term] | None:
    """All terms in their order; ``None`` where a rate is of nothing that is told."""
    items = _by_weekdays(items)
    terms: list[Term] = []
    used: set[int] = set()
    rated = [place for place, item in enumerate(items) if item.per or _is_of(items, place, source)]
    for place in rated:
        item = items[place]
        partners = [] if place in used else _partners(items, place, used, rated, source)
        if partners is None:
            return None
        if partners or place not in used:
            terms.append(_term(item, [items[one] for one in partners]))
        used.update((place, *partners))
    by_unit = any(len(term.items) > 1 and term.items[0].kind in _MEASURED for term in terms)
    bare = [
        item for place, item in enumerate(items) if place not in used and item.kind == "bare" and "." not in item.said
    ]
    if by_unit and bare:
        return None  # of the unit, or money
    terms += [_term(item, []) for place, item in enumerate(items) if place not in used]
    return sorted(terms, key=lambda term: term.start)


_MEASURED = frozenset(("time", "length", "mass", "volume", "area", "data"))
_ON_DAY = regex(r"(?:on )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*")


def _by_weekdays(items: Sequence[Item]) -> list[Item]:
    """ "7.5 hours on Saturday and 6 on Sunday" are hours, both."""
    found = list(items)
    for place, (item, last) in enumerate(pairwise(reversed(found))):
        if item.kind == "bare" and last.kind in _MEASURED and all(_ON_DAY.match(one.after) for one in (item, last)):
            found[len(found) - 1 - place] = replace(item, kind=last.kind, unit=last.unit, size=last.size)
    return found


def _is_of(items: Sequence[Item], place: int, source: str) -> bool:
    """Whether it is of each of the things right before it: "6 pizzas at 11.20"."""
    if not place or items[place - 1].kind not in ("count", "bare") or items[place - 1].per:
        return False
    return _OF_THEM.fullmatch(source[items[place - 1].end : items[place].start]) is not None


def _partners(items: Sequence[Item], place: int, used: set[int], rated: Sequence[int], source: str) -> list[int] | None:
    """Of which items there is so much, none for a period that nothing counts; ``None`` where they are not told."""
    item = items[place]
    if item.per in ("each", "go", "piece", "time", "pop") or not item.per:
        near = [*range(place - 1, -1, -1)][:1] + [*range(place + 1, len(items))][:1]
        counts = [one for one in near if one not in used and _counts(items[one], one in rated)]
        counts = [one for one in counts if items[one].kind == "count" or _is_next(items[one], item, source)]
        return counts[:1] or None
    kinds = {one.kind for one in measure_of(item.per)} & {"time", "length", "mass", "volume", "area"}
    kinds -= {"time"} if item.per in _PERIODS else set()
    others = [one for one in range(len(items)) if one != place and not items[one].per]
    found = (
        [one for one in others if items[one].kind in kinds]
        if kinds
        else [one for one in others if _is_of_thing(items[one], item.per)]
    )
    rivals = [one for one in rated if items[one].per == item.per]
    if len(rivals) > 1 and len(found) > 1:
        found = [one for one in found if one not in used and min(rivals, key=lambda rate: abs(rate - one)) == place]
        return found if len(found) == 1 else None
    on_days = all(_ON_DAY.match(items[one].after) for one in found)
    if len(found) > 1 and items[found[0]].kind != "time" and not on_days:
        return None  # "3 kg of flour at 1.20 a kilo and 2 kg of sugar"
    return found or ([] if stem(item.per) in _PERIODS or item.per == "person" else None)


def _is_next(count: Item, item: Item, source: str) -> bool:
    gap = source[count.end : item.start]
    return count.start < item.start and (gap.strip() == "for" or _OF_THEM.fullmatch(gap) is not None)


def _counts(item: Item, rated: bool) -> bool:
    return item.kind in ("count", "bare") and not item.per and not rated and item.amount.denominator == 1


def _is_of_thing(item: Item, word: str) -> bool:
    of_person = word in ("person", "head")
    return item.kind == "count" and (stem(word) in item.names or (of_person and bool(item.names & _ANYONE)))


def _term(item: Item, partners: Sequence[Item]) -> Term:
    """A rate times its partners, several of which are added up; these in the unit that the rate is per."""
    size = next((one.size for one in measure_of(item.per) if partners and one.kind == partners[0].kind), Fraction(1))
    often = sum((one.value / size for one in partners), Fraction(0))
    factors = (often, item.amount) if partners else (item.amount,)
    period = stem(item.per) if item.per and not partners and stem(item.per) in _PERIODS else ""
    return Term(item.kind, factors, item.unit, item.size, (*partners, item), period)


def one_kind(terms: Sequence[Term]) -> str | None:
    """The kind of all terms, a bare figure being of any; ``None`` for several, or for several periods."""
    kinds = {term.kind for term in terms} - {"bare"}
    periods = {term.period for term in terms if term.period}
    signs = {term.unit for term in terms if term.kind == "money" and term.unit}
    counted = any(len(term.items) > 1 and stem(term.items[-1].per) in _PERIODS for term in terms)
    if len(kinds) > 1 or len(periods) > 1 or len(signs) > 1 or (periods and counted):
        return None
    return kinds.pop() if kinds else "bare"


def with_units(terms: Sequence[Term], kind: str) -> list[Term] | None:
    """Each bare term in the unit that was told last; ``None`` where none was."""
    if kind in ("money", "bare"):
        return list(terms)
    found: list[Term] = []
    unit: tuple[str, Fraction] | None = ("", Fraction(1)) if kind == "count" else None
    for term in terms:
        if term.kind == "bare" and (unit is None or not _may_be_measured(term, kind)):
            return None
        known = Term(kind, term.factors, *unit, term.items) if term.kind == "bare" and unit else term
        unit = (known.unit, known.size)
        found.append(known)
    return found


_NO_MEASURE = regex(
    r"\b(?:we're|we are|they're|they are|there are|there's|i'm|got|get|gets|getting|in tips|earned|paid)$"
)
_SOLD = regex(r"\b(?:costs?|paid|pay|price)$")
_PRICED = regex(r"\b(?:costs?|paid|pay|price|for|at|is|are)$")


def _may_be_measured(term: Term, kind: str) -> bool:
    """Whether a figure without its unit may be one of that kind, and no price."""
    if kind == "count":
        return term.amount.denominator == 1
    if any(_NO_MEASURE.search(item.before) for item in term.items if item.kind == "bare"):
        return False
    if kind == "time":
        return not any(_SOLD.search(item.before) for item in term.items if item.kind == "bare")
    return not any(_PRICED.search(item.before) for item in term.items if item.kind == "bare")


def said_beside(term: Term) -> str:
    return " ".join(f"{item.before} {item.after}" for item in term.items)


def before(term: Term, name: str) -> bool:
    """Whether a word of that list stands before one of its figures."""
    return any(has(item.before, name) for item in term.items)


def has_sum(terms: Sequence[Term], text: str) -> bool:
    """Whether one of several terms may be the sum of others: "the bill was 84, starters 20"."""
    sums = [
        term for term in terms if any(says(item.before, "summed") or says(item.after, "summed") for item in term.items)
    ]
    return len(terms) > len(sums) == 1 and not _ADDED.search(text)


_ADDED = regex(r"\b(?:plus|up by|tip|on top|less|minus|voucher|service|deposit|add)\b")


def in_unit(terms: Sequence[Term], kind: str, measure: Measure | None) -> list[str]:
    """Each term for the calculator, in the unit that is asked for, else in that of the first one."""
    if kind in ("money", "bare", "count"):
        sign = next((term.unit for term in terms if term.unit), "") if kind == "money" else ""
        return [term.told(sign, Fraction(1)) for term in terms]
    unit, size = (measure.name, measure.size) if measure and measure.kind == kind else (terms[0].unit, terms[0].size)
    return [term.told(unit, size) for term in terms]
