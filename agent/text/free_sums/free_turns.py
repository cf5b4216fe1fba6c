"""Whether a word of a told sum may turn it: "not", "except", another person's figures, a figure that is a name."""

from __future__ import annotations

import re
from itertools import pairwise

from agent.text.free_sums.free_items import MARK, Item, Told, cue, says
from agent.text.regex import regex

_UNTOLD = regex(
    rf"\b(?:plus|minus|less)\b(?!(?: there(?:'s| is| are) an?)?(?: (?!and\b|then\b|there)[a-z'-]+){{0,4}} ?{MARK})"
)
_RANGE = regex(rf"{MARK} ?(?:to|-|–|or) ?{MARK}")
_KIN = (
    r"(?:sister|brother|mum|mom|mother|dad|father|wife|husband|partner|friend|mate|boss|son|daughter|nan|gran|flatmate"
    r"|colleague|neighbour|girlfriend|boyfriend)"
)
_TO_THEM = "".join(rf"(?<!{word} )" for word in ("to", "for", "owe", "paid", "gave", "from", "with", "and"))
_OTHERS = regex(rf"{_TO_THEM}\bmy {_KIN}\b|{_TO_THEM}\bmy {_KIN}s?'s?\b|\b(?:and|but) (?:my |the )?{_KIN}s?\b")
_ADDS_MORE = regex(
    rf"{MARK} (?:and|plus) (?!back\b|now\b|up\b|away\b)(?:some |the |an? |my )?[a-z]{{3,}}(?=[,.;?!])"
    r"|[,.;] (?:and |plus )?(?:[a-z]+ )?(?:tax|delivery|fees?|service|postage|drinks"
    r"|tip) (?:is |are )?(?:on top|extra|too)\b"
)
_HE_AND_SHE = regex(r"\bhe\b.*\bshe\b|\bshe\b.*\bhe\b")
_NEGATED = regex(r"n't\b|n’t\b|\b(?:cant|dont|wont|didnt|doesnt|isnt|arent|havent)\b")
_IS_LEFT = regex(rf"{MARK}[a-z ]{{0,12}} left\b(?! at| for| the| home| early)")
_COMPOUND = frozenset(("length", "mass", "time", "volume"))
_I = regex(r"\b(?:i|i'm|i've|i'd|im|ive|we|we're|we've|me|us|my|our)\b")
_I_DO = regex(r"\b(?:i|i'm|i've|i'd|im|ive|we|we're|we've)\b")
_SOMEBODY = regex(r"\b(?:he|she|her|his|he's|she's|they've|they're)\b")
_ASKS_TWICE = regex(
    r"(?:\b(?:how|what|when)|(?<![a-z] )which)\b[^.?!]*(?:[.?!,] ?(?:and |or )?| and | or )(?:how|what|when|which)\b"
)


_FOR_EVERY = regex(rf"{MARK} (?:for )?(?:every|each) (?={MARK})")


def is_turned(told: Told) -> bool:
    """Whether a word in it may make another sum of it, or it is of several persons."""
    text = cue("", "allowed").sub(" ", told.text)
    begin = told.text.find(told.asked) if told.asked else len(told.text)
    before, behind = told.text[:begin], told.text[begin + len(told.asked) :]
    return (
        cue("", "refused").search(text) is not None
        or any(pattern.search(told.text) for pattern in (_UNTOLD, _RANGE, _ASKS_TWICE, _NEGATED, _ADDS_MORE))
        or says(told.text, "dated")
        or says(_FOR_EVERY.sub(f"{MARK} ", before + behind), "rate_left")
        or _IS_LEFT.search(before + behind) is not None
        or _is_compound(told)
        or _is_of_several(told, before)
    )


def _is_compound(told: Told) -> bool:
    """Whether a figure goes on another one, as in "5 feet 9" and "3 for 2", or is a name."""
    for one, two in pairwise(told.items):
        gap = told.source[one.end : two.start].strip()
        several = one.kind in ("count", "bare") and two.kind in ("bare", "money") and not two.per
        part = gap.startswith(("of", "out of")) and one.kind == "bare" and two.kind == "count"
        if (not gap and one.kind in _COMPOUND) or (gap == "for" and several) or part:
            return True
    return any(item.kind == "bare" and item.said.isdigit() and _is_name(item) for item in told.items)


_IN_YEAR = regex(r"\b(?:in|since|from|by|until|year|during|summer|winter|spring|autumn|of)$")
_AT = regex(r"(?!of |.*\b(?:sold|sells?|bought|buy|them|each)\b).*[a-z] at")


def _is_name(item: Item) -> bool:
    """Whether a bare figure is a year, a time of day, an age or the number of something."""
    named = says(item.before, "named_by") and len(item.said) < 4
    year = re.fullmatch(r"(?:19|20)\d\d", item.said) and (
        _IN_YEAR.search(item.before) or (not item.before and item.after)
    )
    return named or bool(year) or _AT.fullmatch(item.before) is not None


def _is_of_several(told: Told, before: str) -> bool:
    """Whether somebody else than the one who is asked for has, does or pays something, too."""
    mine = _I_DO.search(before)
    if _HE_AND_SHE.search(told.text) or (_OTHERS.search(told.text) and _I_DO.search(told.text)):
        return True
    theirs = _SOMEBODY.search(told.asked) and not _I.search(told.asked)
    return bool(theirs and (mine or not (_SOMEBODY.search(before) or _OTHERS.search(before))))
