"""Which of two sizes of the same thing costs less for as much of it: "500 g for 1.45 or 750 g for 2.10?"."""

from __future__ import annotations

import re

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import stem, unit_named
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.sums.phrases import Language

_LONGEST = 160  # characters
_COMPARED = 2  # offers
_ASKED = regex(
    r"\b(?:cheaper|cheapest|(?:better|best) (?:deal|value|buy|price|offer|bargain))\b"
    r"|(?:どちら|どっち)(?:の方|のほう)?(?:が|は)?(?:お?得|安い|割安)"
)
_OFFER = regex(
    r"(?P<n>\d+(?:\.\d+)?) ?(?P<of>[a-z]+)(?: of [a-z]+(?: [a-z]+)?)? (?:(?:is|are|costs?|for|at) )+"
    r"[$€£]?(?P<price>\d+(?:\.\d+)?)"
    r"(?: ?(?:€|£|\$|euros?|dollars?|pounds?))?"
)
_OFFER_JA = regex(
    r"(?P<n>\d+(?:\.\d+)?) ?(?P<of>ml|mL|cc|g|kg|l|L|リットル|ミリリットル|グラム|キロ|個|本|枚|袋|杯)"
    r"(?:入り)?(?:の|で|が|は|、)?(?P<price>\d[\d,]*)円"
)
_REFUSED = regex(
    r"\b(?:off|free|more|less|each|per (?!lit|l\b|kg|kilo|egg|gram|piece|item|ml)|second|half|not|without|except"
    r"|discount|delivery|shipping|coupon|if|only|cents?|pence)\b"
    r"|[¢%]|\d ?[€£$]? ?(?:per|a|an|/) ?[a-z]|割|引|送料|\bwhich is (?:bigger|larger)"
)
_UNITS = {"リットル": "l", "ミリリットル": "ml", "グラム": "g", "キロ": "kg", "L": "l", "mL": "ml", "cc": "ml"}


def better_buy(text: str, language: Language) -> Problem | None:
    """The two prices for one of the unit, to be compared; ``None`` where they are of different things."""
    text = text.lower() if language == "en" else text
    if len(text) > _LONGEST or not _ASKED.search(text) or _REFUSED.search(text):
        return None
    pattern = _OFFER_JA if language == "ja" else _OFFER
    offers = list(pattern.finditer(text))
    if len(offers) != _COMPARED or re.search(r"\d", pattern.sub(" ", text)):
        return None
    units = [unit_named(one["of"]) or next(iter(measure_of(_UNITS.get(one["of"], one["of"]))), None) for one in offers]
    first, second = units
    if (first is None) != (second is None) or (first and second and first.kind != second.kind):
        return None
    if first is None and stem(offers[0]["of"]) != stem(offers[1]["of"]):
        return None
    sums = [
        f"{one['price'].replace(',', '')} / {one['n']}"
        + (f" / {figure_of(unit.size / first.size)}" if unit and first and unit != first else "")
        for one, unit in zip(offers, units, strict=True)
    ]
    called = [re.sub(r"\s+", " ", one[0]) for one in offers]
    return Problem("better_buy", sums[0], called[0], other=sums[1], other_called=called[1])
