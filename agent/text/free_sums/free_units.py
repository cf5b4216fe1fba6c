"""What a told sum says of units: how much one holds in another, and what a car uses, each as so much per unit."""

from __future__ import annotations

import re
from fractions import Fraction

from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_N = r"\d+(?:\.\d+)?"
_ABOUT = r"(?:about |roughly |approximately |around )?"
_HOLDS = (
    regex(
        rf"[(,.;]?\s*(?:(?:use|take|assume|with|given|and|where|there (?:is|are)) )?(?:that )?"
        rf"\b(?:1|one|an?|each) (?P<one>[a-z]+) ?(?:=|is(?: equal to)?|equals|has|holds|contains|makes) ?{_ABOUT}"
        rf"(?P<n>{_N}) ?(?P<unit>[a-z]+)\)?(?=[ .,;?!)]|$)"
    ),
    regex(
        rf"[(,.;]?\s*(?:(?:and|with) )?(?:there(?:'s| are| is) )?{_ABOUT}(?P<n>{_N}) (?P<unit>[a-z]+) "
        r"(?:in|to|per|=) (?:1 |one |an? |each |the |every )?(?P<one>[a-z]+)\)?(?=[ .,;?!)]|$)"
    ),
)
_MILES = regex(rf"(?P<n>{_N}) ?(?:mpg|miles (?:to the|per|a|an|to a|for each|on a|on each) gallon)\b")
_PER_100 = regex(rf"(?P<n>{_N}) ?(?:l|litres?|liters?) ?(?:/|per|every|for every|each|to|on|for) ?(?P<km>100 ?km)\b")
_PRICED_IN_LITRES = regex(r"(?:£\d[\d.]*|\dp| pence) (?:an?|per|each|for a) lit(?:re|er)\b")
_LITRES = regex(r"\blit(?:re|er)s?\b")
TOLD = "ful"  # what the name of a unit ends in where its size is told
_NEAR = Fraction(1, 4)
_UK_GALLON = "4.54609"  # litres


def with_told_units(text: str) -> str:
    """ "40 mpg, £1.45 a litre, 1 gallon = 4.546 litres" with the unit that is told as a thing of its own."""
    text = _PER_100.sub(r"\g<n> litres per \g<km>", text)
    miles = _MILES.search(text)
    text = _MILES.sub(r"\g<n> miles per gallon", text)
    for pattern in _HOLDS:
        told = next((one for one in pattern.finditer(text) if _is_told(one["one"], one["n"], one["unit"])), None)
        if told:
            rest = f"{text[: told.start()]}, {told['n']} {told['unit']} per {told['one']}, {text[told.end() :]}"
            return _as_thing(rest, told["one"])
    if miles and _LITRES.search(text):  # of which gallon is known by the currency alone
        uk = f"{_UK_GALLON} litres per gallon, " if _PRICED_IN_LITRES.search(text) else ""
        return _as_thing(uk + text, "gallon")
    return text


def _is_told(one: str, amount: str, unit: str) -> bool:
    """Whether one of them is about so much, of whichever gallon, and it is no rate: "15 mg per kg"."""
    pairs = [(large, small) for large in measure_of(one) for small in measure_of(unit) if large.kind == small.kind]
    if one.rstrip("s") == unit.rstrip("s") or len(pairs) != 1 or pairs[0][0].kind == "time":
        return False
    return abs(Fraction(amount) * pairs[0][1].size / pairs[0][0].size - 1) < _NEAR


def _as_thing(text: str, unit: str) -> str:
    """The unit under a name that is no measure, so that it only goes with what is told of it."""
    return re.sub(rf"\b{unit.removesuffix('s')}s?\b", f"{unit.removesuffix('s')}{TOLD}", text)
