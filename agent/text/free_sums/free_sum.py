"""The plain sum that an account in any words and any order comes to; nothing where a figure of it would be left over.

What is read: the quantities with what each belongs to, what the question wishes, and cues that take away, put on,
share, or come before or after. Clauses without any of these say nothing; a word that may turn the sum ends the reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from agent.text.free_sums.free_amounts import amount_asked
from agent.text.free_sums.free_areas import area_asked
from agent.text.free_sums.free_balances import profit_asked
from agent.text.free_sums.free_fits import needs_asked, share_asked
from agent.text.free_sums.free_items import MARK, WORDS, Item, Told, cue, read_told, says
from agent.text.free_sums.free_plainer import plainly_told, with_parts_in_figures
from agent.text.free_sums.free_rates import rated
from agent.text.free_sums.free_shares import part_asked
from agent.text.free_sums.free_times import clock_asked, length_asked
from agent.text.problems.companions import with_all
from agent.text.regex import regex
from agent.text.told_sums.original_prices import asks_original

_LONGEST, _MOST = 300, 8  # characters, quantities
_UNTOLD = regex(rf"\b(?:plus|minus|less)\b(?!(?: (?!and\b|then\b|there)[a-z'-]+){{0,4}} ?{MARK})")
_RANGE = regex(rf"{MARK} ?(?:to|-|–|or) ?{MARK}")
_KIN = (
    r"(?:sister|brother|mum|mom|mother|dad|father|wife|husband|partner|friend|mate|boss|son|daughter|nan|gran|flatmate"
    r"|colleague|neighbour|girlfriend|boyfriend)"
)
_TO_THEM = "".join(rf"(?<!{word} )" for word in ("to", "for", "owe", "paid", "gave", "from", "with", "and"))
_OTHERS = regex(rf"{_TO_THEM}\bmy {_KIN}\b|\bmy {_KIN}s?'s?\b|\b(?:and|but) (?:my |the )?{_KIN}s?\b")
_NAMES = regex(
    r"\b(?!(?:I|It|He|She|We|They|You|There|That|This|The|My|Our|Who|What|How|When|Mum|Dad)\b)[A-Z][a-z]+ "
    rf"(?:{'|'.join(WORDS['told']['has_verb'])})\b"
)
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
_ASKS_TWICE = regex(r"\b(?:how|what|when|which)\b[^.?!]*(?:[.?!,] ?(?:and |or )?| and | or )(?:how|what|when|which)\b")


def free_sums(text: str) -> Iterator[str]:
    """The plain questions that an English ``text`` may come to, one at most."""
    whole = with_all(text, "en") if len(text) <= _LONGEST else None
    if (
        whole is None
        or asks_original(text)
        or not re.search(r"\d|half|quarter|dozen|two|three|tenner|fiver", text, re.I)
    ):
        return
    told = read_told(plainly_told(whole))
    if _NAMES.search(text) or told is None or not 2 <= len(told.items) <= _MOST:
        return
    for made, bare in part_asked(told):
        if not is_turned(bare):
            yield made
            return
    if is_turned(told):
        return
    for read in (needs_asked, share_asked, area_asked, clock_asked, length_asked, profit_asked, amount_asked, rated):
        for made in read(told):
            yield made
            return


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


def in_figures(text: str) -> Iterator[str]:
    """ "How many ml is three quarters of a litre" with 0.75."""
    made = with_parts_in_figures(text.lower())
    if made != text.lower():
        yield made
