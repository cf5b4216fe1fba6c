"""Which figures of an answer are claims, and whether they are numbers or years."""

from __future__ import annotations

import re

from agent.evidence.verdicts import Kind
from agent.text.quantities.claim_words import several
from agent.text.quantities.figures import Figure

# What stands in the usual formulas of conversion.
_CONSTANTS = frozenset(
    several(
        "32 5 9 1.8 273.15 459.67 100 60 3600 24 7 365 12 1000 1,000 2 1.609 1.609344 1.60934 0.621371 2.54 0.3048 "
        "3.28084 3.28 0.453592 2.20462 2.2046 2.205 1440 86400 52 30 10 365.25 0.5556 0.621"
    )
)
_OPERATOR_BEFORE = re.compile(r"[×*/÷+−=≈·-][ (]*$")
_OPERATOR_AFTER = re.compile(r"[ )]*[×*/÷+−·=](?!\*)")
_DEFINES = re.compile(r"[^.\n0-9]{0,16}(?:=|≈| equals| is equal| is worth|あたり|当たり)")
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|since|until|till|from|by|of|to|year|between|and|during|before|after|circa|early|"
    r"late|mid|season|for)|[(,–-])[ ]?$",
    re.I,
)
_YEAR_AFTER = re.compile(
    r"[ ]?(?:[),.;:\n–-]|$|(?:season|census|edition|election|budget|report|world|olympic|film|and|"
    r"was|is|the|to|it|model)\b)",
    re.I,
)


def kind_of(figure: Figure, text: str) -> Kind:
    """A bare number of four figures is a year where it stands like one."""
    start, end = figure.number
    if figure.loose == "decade":
        return "date"
    bare = text[start:end].isdigit() and end - start == 4 and 1000 <= figure.value <= 2100
    if not bare or figure.ordinal or figure.negative or (figure.unit is not None and text[end : end + 1] != "年"):
        return "number"
    like = _YEAR_BEFORE.search(text, max(0, start - 12), start) or _YEAR_AFTER.match(text, end)
    return "date" if like or text[end : end + 1] == "年" else "number"


def is_constant(figure: Figure, text: str) -> bool:
    """A number of a formula ("× 5/9"), or the one of "1 km = ..."."""
    start, end = figure.number
    raw = text[start:end]
    if raw == "1" and _DEFINES.match(text, figure.end):
        return True
    if raw not in _CONSTANTS or figure.unit is not None:
        return False
    before = _OPERATOR_BEFORE.search(text, max(0, start - 4), start)
    after = _OPERATOR_AFTER.match(text, end)
    return (before is not None and text[before.start()] not in "=-") or (after is not None and after[0][-1] != "=")


def is_in_word(figure: Figure, text: str) -> bool:
    """A number that belongs to a code or a word: "LO360", "B2B"."""
    start = figure.number[0]
    before = text[start - 1 : start]
    return figure.start == start and (before == "_" or (before.isalpha() and before.isascii())) and not figure.spelled
