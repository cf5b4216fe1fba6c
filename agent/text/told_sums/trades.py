"""What was bought and sold again: the profit or loss, as an amount or in percent of the cost, and the margin."""

from __future__ import annotations

import re
from decimal import Decimal

from agent.text.problems.problem_reader import Problem
from agent.text.quantities.units import CURRENCIES
from agent.text.regex import regex

_LONGEST = 160  # characters
_SUM = r"(?P<{0}_sign>[$€£¥]?)(?P<{0}>\d[\d,]*(?:\.\d+)?)(?: ?(?P<{0}_unit>[€£$]|euros?|dollars?|pounds?|yen))?"
_WHO = r"(?:(?:if )?(?:i|we|you|he|she) )?"
_THING = r"(?:(?:an?|the|my|some|it|them|that|shares?) ?){0,2}(?:[a-z]{2,20} )?"
_IS = r"(?: is| was|:)? "
_COST = rf"(?:{_WHO}(?:bought|buys?|purchased) {_THING}(?:for|at) |(?:the )?(?:cost|purchase|buying)(?: price)?{_IS})"
_PRICE = rf"(?:{_WHO}(?:re)?(?:sold|sells?) {_THING}(?:again |on )?(?:for|at) |(?:the )?(?:selling|sale) price{_IS})"
_TRADE = regex(
    rf"{_COST}{_SUM.format('cost')}(?:,| and| then| but|[.;])* {_PRICE}{_SUM.format('price')}[.,;:?]? (?P<asked>[^\d]+)"
)
_KINDS = (
    ("margin", regex(r"\bmargin\b")),
    ("loss", regex(r"\b(?:loss|lose)\b")),
    ("profit", regex(r"\b(?:profit|gain|mark-?up|make|earn)\b")),
)
_PERCENT = regex(r"%|\bper ?cent(?:age)?\b")
_ASKING_WORDS = (
    "what's what is was the my our his her did do i we he she make made earn on it them this that in as a an of by how "
    "much many big per cent percent percentage % profit gain loss lose margin markup mark-up"
)
_ASKING = frozenset(_ASKING_WORDS.split())


def trade(text: str) -> Problem | None:
    """ "I bought a bike for 250 and sold it for 200. What is my loss in percent?"."""
    found = _TRADE.fullmatch(text.lower().strip()) if len(text) <= _LONGEST else None
    if found is None or not _ASKING.issuperset(re.findall(r"[^\s?.!,]+", found["asked"])):
        return None
    kind = next((kind for kind, said in _KINDS if said.search(found["asked"])), "")
    cost, price = (found[name].replace(",", "") for name in ("cost", "price"))
    units = {unit for name in ("cost", "price") if (unit := found[f"{name}_sign"] or found[f"{name}_unit"])}
    less = Decimal(price) < Decimal(cost)
    if not kind or less != (kind == "loss") or len(units) > 1 or not Decimal(cost):
        return None
    amount = f"{cost} - {price}" if less else f"{price} - {cost}"
    if not _PERCENT.search(found["asked"]):
        unit = next(iter(units), "")
        return Problem("trade", amount, f"the {kind}", CURRENCIES.get(unit, "£" if unit.startswith("pound") else unit))
    of, called = (price, "the selling price") if kind == "margin" else (cost, "the cost")
    return Problem("trade", f"({amount}) / {of} * 100", f"the {kind} in percent of {called}", "%")
