"""A story of quantities, read into parts: how much of what, by what, and what becomes of it; and what is asked.

"A bus holds 52 people. 310 are going, how many buses?" has 52 people by the bus, 310, and buses are asked for. Words
are of three kinds (``story_words.toml``): those that do something to a quantity, those that no story may have, and
others, which name things or are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from agent.text.problems.plain_problem import plainer_story
from agent.text.problems.story_parts import (
    ANY,
    COUNTED,
    MONEY,
    PERCENT,
    WORDS,
    Part,
    Token,
    noun,
    one_of,
    stem,
    tokens,
    unit_named,
)
from agent.text.problems.story_rates import CLAUSE_START, as_legs, with_rates
from agent.text.quantities.number_words import number_at
from agent.text.regex import regex

_MOST_PARTS = 7
_LONGEST = 400
_LONGEST_ASKED = 7
# A date, a time of day, a sum in signs: no story.
_NO_STORY = regex(
    r"\bcouples\b.*\bperson\b|\b(?:boxes|bags|packs|groups|rows|trays|shar\w+|divided)\b.*\bleft over\b|"
    r"\bof \d+ [a-z]+, \d+ in each\b|\b(?:each|everyone) adds?\b.*\btotal\b|\beach pay with\b|"
    r"\band (?:made|raised|won) [$€£]?\d[^?]*\bleft\b|"
    r"\bserves \d[^?]*\bper (?:person|head)\b|\bevery [a-z]+ gets\b|\bmiss \d|\bshare of (?:my|our) income\b|"
    r"\b(?:watched|slept|spent|used|drove|worked|waited) (?:already )?(?:half )?an? (?:hour|day|week|litre|kilo)\b|"
    r"\b(?:win|success|pass|loss|failure|hit) rate\b|\blost\b.*\bwhat did (?:it|they) cost\b|"
    r"(?:%|percent) full (?:with|and|has|holds|,)|"
    r"\d:\d|\d ?(?:am|pm|march|may)\b|o'clock|\d{4}-\d|\d[*+=^×÷]\d|\d/\d+(?! of\b)|\d [*+=^×÷-] \d|"
    r"\b(?:january|february|march \d|april|june|july|may \d|"
    r"august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
)
# What comes behind the shares may be of one of them.
_THEN_MORE = regex(
    r"\b(?:split|shared?|divided?)\b(?:[^.?!]*,? then\b|.*\bi (?:also )?(?:paid|gave|left|put|added|tipped)\b.*\d)"
)
_HOW = regex(r"\bhow (?:many|much)\b")  # two things are asked
_SCALES = regex(r"# (?:hundred|thousand|million|billion|point|dozen|#)\b|# #")
_FROM_TO = regex(r"\bfrom # to #|# to #")
_WAYS = (
    ("more", r"\bhow (?:much|many) (?:[a-z]+ )?(?:more|less|fewer)\b|\bdifference\b|\bmore expensive\b"),
    ("left", r"\b(?:left(?! (?:my|the|it|home|at)\b)|remain|remains|over)\b"),
    ("change", r"\bchange\b"),
    ("total", r"\b(?:total|altogether|in all|together|sum|add up|for all|all of (?:it|them))\b"),
)
_ASKS_SHORTLY = regex("|".join((r"[?]$", r"\b(?:each|per|cost|price)\b", *(pattern for _, pattern in _WAYS))))
_WHOLE = (
    r"\bat least (?=[$€£\d])|\bfull (?:weeks|months|days|years)\b"
    r"|\b(?:sav(?:e|es|ing)|put(?:ting|s)? (?:aside|away|by)|pay(?:ing|s)? (?:back|off))\b"
    r".*\bhow many (?:days|weeks|months|years)\b"
)
_BY = regex(r"\b(?:per|each|every|for (?:a|an|one|each|every)|an?|one|a single) ([a-z]+)\b")


@dataclass(frozen=True, slots=True)
class Story:
    """``wanted`` is what is asked for, ``way`` "total", "left", "change", "more" or "", ``asked`` the words that ask.

    ``round``: whether things are counted "up" or "down". ``share``: a percentage is "of" what follows it.
    """

    parts: tuple[Part, ...]
    wanted: Part | None
    way: str
    round: str
    asked: str
    share: bool = False
    whole: bool = False


_NUMBER_ASKED = regex(r"\bnumber of ([a-z]+(?: [a-z]+)?) (?:needed|required|we need|i need)\b")


def split_question(text: str) -> tuple[str, str]:
    """What ``text`` tells and the clause that asks, in lower case; the clause is empty where it has a figure."""
    text = text.lower()
    asks = re.search(r"(?:\b(?:by |in |as )?(?:what(?:'?s)?|how)\b|\bas (?:a|an|in)\b)[^.?!]*[ ?.!]*$", text)
    if asks is None or re.search(r"\d", asks[0]):
        return text, ""
    return re.sub(r"\b(?:last|this) (?:year|month|week)\b|\bonly\b", " ", text[: asks.start()]) + "?", asks[0]


def read_story(text: str) -> Story | None:
    """The story that ``text``, the whole of it, tells; ``None`` where a word in it says what is not read."""
    if len(text) > 2 * _LONGEST:
        return None
    text = _NUMBER_ASKED.sub(r"how many \1 are needed", re.sub(r"\.{2,}|…", ". ", text.lower()))
    whole = re.search(_WHOLE, text) is not None
    text = as_legs(re.sub(r"\bat least (?=[$€£\d])", "", text))
    text = plainer_story(text)
    if len(text) > _LONGEST or _NO_STORY.search(text) or _THEN_MORE.search(text) or len(_HOW.findall(text)) > 1:
        return None
    found = tokens(text)
    words = " " + " ".join(token if isinstance(token, str) else "#" for token in found) + " "
    if any(f" {word} " in words for word in WORDS["refused"]) or re.search(r"\d", words) or _FROM_TO.search(words):
        return None
    if any(word != "one" and number_at(word, 0, "en") for word in words.split()) or _SCALES.search(words):
        return None
    told, asked = with_rates(found), found[_asking(found) :]
    parts = tuple(token for token in told if isinstance(token, Part))
    if not 1 <= len(parts) <= _MOST_PARTS or any(_unread(part) for part in parts):
        return None
    said = " ".join(token for token in asked if isinstance(token, str))
    way = next((way for way, pattern in _WAYS if re.search(pattern, said)), "")
    wanted = _wanted(asked, parts)
    if way != "left" and _ASKS_LEFT.search(said):
        return None  # what comes in, and what goes
    rounded = "down" if _has(said, "down") else "up" if _has(words, "up") else ""
    if wanted and wanted.names == ANY:
        way = "total"
    if way == "left" and (_TURNS_LEFT.search(words) or _buys_things(words, parts)):
        return None
    roles = _with_roles(told, way)
    if not said and any(part.role == "paid" for part in roles):
        return None  # nothing is asked
    return Story(roles, wanted, way, rounded, said, _is_share(told), whole)


_ASKS_LEFT = regex(r"\b(?:left|remain(?:s|ing)?)\b")
# What may make more of what is left, or is not taken from it.
_TURNS_LEFT = regex(r" (?:voucher|coupon|more|gets?|got|gave [a-z]+ #) ")
_BUYS = regex(r" (?:buys?|bought) ")
_BUYS_ONESELF = regex(r" (?:i|we|you|he|she|they|and|then) (?:buys?|bought) ")


def _buys_things(words: str, parts: Sequence[Part]) -> bool:
    """Whether what is bought may be more of what is left, or somebody else's: not a price that one pays."""
    priced = {part.by.names for part in parts if part.by} | {MONEY}
    paid = all(part.names in priced for part in parts) and _BUYS_ONESELF.search(words)
    return _BUYS.search(words) is not None and not paid


def _unread(part: Part) -> bool:
    return any(name in _NO_THINGS or len(name) == 1 for name in part.names)


_NO_THINGS = frozenset({"time", *map(stem, WORDS["refused"])})


def _is_share(told: Sequence[Token]) -> bool:
    for place, token in enumerate(told):
        if isinstance(token, Part):
            behind = [
                one for one in told[place + 1 : place + 4] if one not in ("the", "my", "our", "these", "those", "all")
            ]
            if token.names == PERCENT and len(behind) > 1 and behind[0] == "of" and isinstance(behind[1], Part):
                return True
            if token.names == PERCENT and behind[:1] and behind[0] == "full":
                return True
            if token.names == PERCENT and place and behind[:1] == ["of"] and behind[1:2] in _THEM:
                return True
            if token.names == PERCENT and _is_of_whole(told[:place], token.sentence):
                return True
    return False


_THEM = (["them"], ["these"], ["those"])


def _is_of_whole(before: Sequence[Token], sentence: int) -> bool:
    """ "Of 250 people asked, 34% …"."""
    whole = next((place for place, token in enumerate(before) if isinstance(token, Part)), 0)
    part = before[whole] if whole else None
    begins = before[whole - 1 : whole] == ["of"] and (whole == 1 or before[whole - 2] in CLAUSE_START)
    return isinstance(part, Part) and part.sentence == sentence and begins


@cache
def _pattern(name: str) -> re.Pattern[str]:
    words = sorted(WORDS[name], key=len, reverse=True)
    return regex(rf"(?<![\w'])(?:{'|'.join(map(re.escape, words))})(?![\w'])")


def _has(said: str, name: str) -> bool:
    return _pattern(name).search(said) is not None


def _asking(found: Sequence[Token]) -> int:
    """Where the clause begins that asks: the end where none does."""
    for place, token in enumerate(found):
        if token in ("how", "what", "what's", "whats"):
            return place
    ends = [place for place, token in enumerate(found[:-1]) if token in (".", ",", ";", "?", "-")]
    begin = ends[-1] + 1 if ends else len(found)
    words = [token for token in found[begin:] if isinstance(token, str)]
    short = len(words) == len(found) - begin < _LONGEST_ASKED
    return begin if short and _ASKS_SHORTLY.search(" ".join(words)) else len(found)


def _with_roles(told: Sequence[Token], way: str) -> tuple[Part, ...]:
    """Each part with what the words beside it do to it; of those behind it only where none stand before it."""
    found: list[Part] = []
    shared = any(isinstance(token, str) and token in WORDS["among"] for token in told)
    for place, token in enumerate(told):
        if not isinstance(token, Part):
            continue
        before = _until(reversed(told[:place]), CLAUSE_START)[::-1]
        after = _until(told[place + 1 :], CLAUSE_START)
        reaches = len(after) + place + 1 < len(told) and isinstance(told[len(after) + place + 1], Part)
        role = token.role or _role(token, before, way) or _role(token, [] if reaches else after, way)
        if role == "less" and after[:1] == ["for"] and not _role(token, before, way):
            role = "?"  # "£3 for drinks": nobody drinks them
        if not token.by and "each" in before:
            role = "?"  # "each adds 5": of those that nothing counts
        for_it = before == ["for"] or (after[:1] == ["for"] and found and found[-1].by and not found[-1].role)
        if not token.names and found and for_it and found[-1].names == MONEY:
            role = "?"  # "3.60 for 12" is the price of so many of what is not said, "4 for parking" may be one
        if not role and after[:1] in _COMPARED and before[-1:] in _HOLDS:
            role = "?"  # "Ana has 4 more": than somebody else
        if (
            shared
            and token.names.isdisjoint(MONEY | PERCENT)
            and (before[-1:] in _INTO or (after[:1] in _SHARE and after[1:2] not in _INTO))
        ):
            role = "among"
        last = found[-1] if found else None
        if not role and last and last.role and not [word for word in before if word not in ("and", "then")]:
            role = (
                last.role if last.sentence == token.sentence and (last.names == token.names or not token.names) else ""
            )
        priced = any(word in WORDS["priced"] for word in before) or (before[:1] in _ONE and before[-1:] == ["for"])
        named = not token.names and priced
        costs = token.names and token.names <= frozenset(WORDS["costs"])
        found.append(replace(token, role=role, names=MONEY if named or costs else token.names))
    return tuple(found)


def _until(told: Iterable[Token], ends: Iterable[str]) -> list[str]:
    words: list[str] = []
    for token in told:
        if isinstance(token, Part) or token in ends:
            break
        words.append(token)
    return words


def _role(part: Part, words: Sequence[str], way: str) -> str:
    """What ``words`` do to the part, "?" where they do two things."""
    said, found = " ".join(words), list[str]()
    kinds = ("off", "on", "less") if part.names == PERCENT else ("paid", "more", "less")
    matched: list[tuple[str, str]] = []
    for kind in kinds:
        matched += [(kind, match[0]) for match in _pattern(kind).finditer(said)]
    longest = [kind for kind, phrase in matched if not any(phrase != other and phrase in other for _, other in matched)]
    found = list(dict.fromkeys(longest))
    if part.names == PERCENT and "less" in found:
        found = [kind for kind in found if kind != "less"] or ["off"]
    if way == "change" and found == ["less"] and any(word in ("gave", "give", "hand", "handed") for word in words):
        return "paid"
    if way == "left" and not found and any(word in WORDS["outgoing"] for word in words):
        return "less"
    return found[0] if len(found) == 1 or found[:1] == ["paid"] else "?" if found else ""


_ONE = (["a"], ["an"], ["one"])  # "a cake for 2.75"
_COMPARED, _HOLDS = (["more"], ["fewer"], ["less"]), (["has"], ["have"], ["had"], ["is"], ["are"], ["was"], ["were"])
# What stands right before those who share, or right after them.
_INTO = (["between"], ["among"], ["amongst"], ["by"], ["into"])
_SHARE = (["share"], ["split"], ["divide"], ["of"])


def _wanted(asked: Sequence[Token], parts: Sequence[Part]) -> Part | None:
    """What the words of the clause that asks are for, and by what."""
    said = " ".join(token if isinstance(token, str) else "#" for token in asked)
    head = said.partition("#")[0]
    by = next((one for found in _BY.finditer(head) if (one := one_of(found[1]))), None)
    often = [word for word in head.split() if word in WORDS["often"]]
    by = one_of(WORDS["often"][often[0]]) if often and not by else by
    if not by and re.search(r"\b(?:is|for|does|did|costs?) (?:one|each)(?: cost)? ?\??$", said):
        by = Part(Fraction(1), COUNTED)
    many = re.search(r"\bhow many ((?:[a-z-]+ ?){1,3})", said)
    if many:
        measure = unit_named(many[1].split()[0])
        names, _ = noun(" " + many[1].strip(), 0)
        if measure:
            return Part(Fraction(1), frozenset({f"@{measure.kind}"}), measure.name, measure, by)
        if names and names <= _OF_ALL_KINDS and not any((names | _PEOPLE) & part.names for part in parts):
            return Part(Fraction(1), ANY, by=by)
        return Part(Fraction(1), names or COUNTED, by=by)
    kind = next((kind for kind, pattern in _KINDS if re.search(pattern, said)), "")
    kinds = {name for part in parts for one in (part, part.by) if one for name in one.names}
    if kind == "@time" and "@length" in kinds and kind not in kinds and by:
        kind = "@length"  # "a rope of 12 m in 8 pieces, how long is each?"
    if kind:
        return Part(Fraction(1), frozenset({kind}), by=by)
    return Part(Fraction(1), MONEY if re.search(r"\bchange\b", said) or _has(said, "money") else frozenset(), by=by)


_PEOPLE = {"people", "person", "visitor", "guest", "child", "kid", "man", "woman", "passenger", "keeper", "staff"}
_OF_ALL_KINDS = {"item", "thing", "animal", "fruit", "vegetable", "vehicle", "plant", "flower", "drink", "pet", "toy"}
_KINDS = (
    ("@time", r"\bhow long\b|\bhow much time\b"),
    ("@length", r"\bhow (?:far|high|tall|wide|deep)\b|\bwhat distance\b"),
)
