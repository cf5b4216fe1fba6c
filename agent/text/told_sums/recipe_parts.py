"""A recipe for so many and all that it takes, wanted for another number: one plain sum for each thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits

_ONE = (
    r"(?P<q>\d+(?:\.\d+)?) ?(?P<u>(?:kg|g|grams?|ml|cl|l|litres?|oz|lbs?|cups?|tbsp|tsp)\b)?(?: of)?"
    r" ?(?P<thing>(?!(?:each|per|a|an|and|but|for|extra|more|of)\b)[a-z-]{2,}"
    r"(?: (?!(?:each|per|a|an|and|but|for|extra|more|of)\b)[a-z-]{2,})?)"
)
_THING = regex(rf"(?:^|, and |,? and |, ){_ONE}")
_RECIPE = regex(
    r"(?P<lead>[^\d,.;:?]{0,60}?)\b(?P<for>feeds|serves|makes|yields|for|does) (?P<n>\d+)"
    r"(?: people| persons| portions| servings)?"
    r"(?:,? (?:and|which|that|it))* (?:takes|needs|uses|has|calls for|requires|wants|contains):? (?P<list>\d[^.;?!]*?)"
    r"(?:[,.;!]|,? but)? "
    r"(?P<rest>(?!and \d)(?:but|so|and|i|i'm|i've|we|we're|we've|it's|there|there's|for|how|what|only|just)\b.*)",
)
_WORDS_LISTED = (
    "but so and i i'm we we're it's its it is are am there there's for how much of each everything what do would will "
    "need want to make making cooking bake baking only just the us people persons guests portions servings this time "
    "tonight today tomorrow on saturday sunday friday monday tuesday wednesday thursday in be having"
)
_LITTLE = frozenset(_WORDS_LISTED.split())
_EATERS = regex(r"\b(?:us|we're|people|persons|guests|we are)\b")
_OF_WHICH = regex(r"\bhow much\b(?! of (?:each|everything)\b)")
_WORD = regex(r"[a-z]+(?:'[a-z]+)?")


class Amount(NamedTuple):
    """``thing`` and the plain ``sum`` that tells how much of it is taken."""

    thing: str
    sum: str


def recipe_sums(text: str) -> Sequence[Amount]:
    """One sum for each of several things; none where it is no such recipe, or a word is left that may turn it."""
    said = _RECIPE.fullmatch(in_digits(text.lower().replace("’", "'")))
    if said is None:
        return ()
    things = list(_THING.finditer(said["list"]))
    wanted = re.findall(r"(?<![\d.,])\d+(?![\d.,]*\d|%)", said["rest"])
    makes = said["for"] in ("makes", "yields", "does")
    if len(things) < 2 or "".join(thing[0] for thing in things) != said["list"] or len(wanted) != 1:
        return ()
    if set(_WORD.findall(said["rest"])) - _LITTLE or re.search(r"\d[^\d\s.?!,]", said["rest"]):
        return ()
    if (makes and _EATERS.search(said["rest"])) or int(said["n"]) == 0 or _OF_WHICH.search(said["rest"]):
        return ()  # 12 scones, for 6 people; and how much of which
    return [
        Amount(thing["thing"], f"{thing['q']} {thing['u'] or ''} / {said['n']} * {wanted[0]}".replace("  ", " "))
        for thing in things
    ]
