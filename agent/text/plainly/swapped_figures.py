"""One figure of a question with a new one in its place: "and for 36?", "and at 20%?", "if it were 1.55 a litre?"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf, log

from agent.text.plainly.swapped_shares import may_be_share
from agent.text.quantities.dates import MONTH
from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.sums.sum_grammar import term

_SLOT = regex(
    r"(?<![\w.,/-])(?P<sign>[$€£¥]?)(?P<n>\d[\d,]*(?:\.\d+)?)(?![\d/-])"
    r"(?P<percent> ?(?:%|percent\b))?(?P<unit> ?[a-zA-Z°]+(?:/[a-z]+)?)?"
)
_TURNED = regex(r"\b(?:on top|more|extra|less|increase|rise|added)\b", re.I)


_BARE = regex(r"(?:(?:an?|the|at|with|by|to|of|if|it|is|was|were|say|and|what|how|about|make) ?)*", re.I)


_LARGE = r"(?P<n>\d{1,3}) ?(?P<unit>foot|feet|ft|stone|st)\b"
_SMALL = r"(?: ?(?:and )?(?P<small>\d{1,2}(?:\.\d+)?)(?: ?(?:inch(?:es)?|ins?(?! [a-z])|lbs?|pounds?))?)"
_IN_TWO = regex(rf"(?<![\w.,/-]){_LARGE}{_SMALL}(?![\d/%.])", re.I)
_ONE_OR_TWO = regex(
    rf"(?:(?:if )?(?:i|we|he|she|they|it)(?:['’]s|['’]m| is| am| was| were) )?(?P<told>{_LARGE}{_SMALL}?)", re.I
)


def _of_two_units(new: str, two: list[re.Match[str]], before: str) -> Iterator[str]:
    """ "6 foot 1" in the place of "5 foot 8", the whole of it; "6 foot", too."""
    said = _ONE_OR_TWO.fullmatch(new.strip())
    kinds = {one.kind for found in (said, *two) if found for one in measure_of(found["unit"].lower())}
    if said and len(two) == 1 and len(kinds) == 1:
        yield f"{before[: two[0].start()]}{said['told']}{before[two[0].end() :]}"


def figure_swapped(new: str, before: str, things: bool, word: str) -> Iterator[str]:
    """``things``: "6 people" takes the place of the one figure of people; "to 100" of the one behind that ``word``."""
    two = list(_IN_TWO.finditer(before))
    yield from _of_two_units(new, two, before) if two else _of_one_figure(new, before, things, word)


def _of_one_figure(new: str, before: str, things: bool, word: str) -> Iterator[str]:
    slots = list(_SLOT.finditer(before))
    percents = [slot for slot in slots if slot["percent"]]
    figures = [slot for slot in slots if not slot["percent"]]
    behind = [slot for slot in figures if word and re.search(rf"\b{word} $", before[: slot.start()], re.I)]
    figures = behind if len(behind) == 1 else figures
    if share := re.search(r"(?P<p>\d[\d.]* ?(?:%|percent\b))(?P<rest>.*)", new):
        if len(percents) == 1 and not _TURNED.search(new):
            slot = percents[0]
            behind = before[slot.end("percent") :]
            told = (
                share["p" if behind.startswith(share["rest"]) else 0] if _BARE.fullmatch(new[: share.start()]) else new
            )
            yield before[: slot.start("n")] + told + behind
        return
    thing = re.sub(r"^[\d,.]+", "", new).strip().lower()
    alike = [slot for slot in figures if things and thing and (slot["unit"] or "").strip().lower() == thing]
    if len(figures) != 1 and len(alike) != 1:
        return
    slot = figures[0] if len(figures) == 1 else alike[0]
    if not word and may_be_share(new, before):
        return
    if (
        re.fullmatch(r"\d{1,3}", new)
        and re.fullmatch(r"\d+\.\d\d", slot["n"])
        and "," in before[slot.end() :]
        and not word
    ):
        return  # a count, and no price
    if slot in alike:
        yield before[: slot.start("n")] + new + before[slot.end("unit") :]
        return
    if re.fullmatch(r"[\d,.]+", new):
        yield before[: slot.start("n")] + new + before[slot.end("n") :]
    elif measure_of(new.lstrip("0123456789,. -")) or new[0] in "$€£¥":
        yield (
            before[: slot.start()]
            + new
            + before[slot.end("unit") if measure_of(slot["unit"] or "") else slot.end("n") :]
        )
    elif (found := term(new.lower(), "en")) and found.form == "number" and not found.unit:
        yield before[: slot.start("n")] + found.text + before[slot.end("n") :]


_N = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_AMOUNT = regex(
    rf"(?<![\w.,:/-])(?P<sign>[$€£¥]?)(?P<n>{_N})(?![\d:/]|\.\d|,\d)(?P<percent> ?(?:%|percent\b|per cent\b))?"
    r"(?: ?(?P<unit>[a-z°][a-z°]*(?:/[a-z]+)?(?: of us| of them)?))?",
    re.I,
)
_AN_AMOUNT = regex(r"\b(?P<sign>)(?P<n>an?|one)(?P<percent>(?!))? (?P<unit>[a-z]+)", re.I)
LITTLE = regex(
    r"(?:\b(?:off|over|wait|no|nope|sorry|hang|hold|scratch|and|ok|okay|so|then|now|but|or|what|how|about|if|instead|only|just|i|we|he|she"
    r"|they|you|it|it's|its|it’s|was|is|were|are|be|been|had"
    r"|do|did|does|go|went|drive|drove|ran|run|get|got|take|took|takes|buy|bought|have|need"
    r"|needed|use|used|weighs?|with|for|at|of|to|in|till|until|from|by|on"
    r"|the|a|an|each|us|'re|'s|that|this|there|there's|same|thing|again|would|could|will|can"
    r"|please|pls|thanks|split|shared?|divided?|between|among|per"
    r"|person|head|one|we're|they're|make|say|when|change|total|much|many|long|far|really"
    r"|actually|maybe|overall|my|our|all|alone|hm+|oh|right|cool|great"
    r"|starts?|started|begins?|leaves?|departs?|arrives?|ends?|finish(?:es)?|opens?|closes?"
    r"|goes (?:up|down) to|goes to|(?:rises|falls|drops|went|go) to|born|someone|nice|perfect"
    r"|me|tell|give|other|way|one|day|cost|costs|come|comes|leave|left at|paid|pay|order"
    r"|ordered|made|did|be)\b|['’](?:re|s|d|m)\b|[\s,.?!:;-])*",
    re.I,
)
_OF_AMOUNT = regex(r"\b(?:on|of|for|off) \d", re.I)
_NEARER = 5  # times as near, by their ratio


def amount_put(text: str, before: str) -> Iterator[str]:
    """An amount in the place of the only one of its unit; a bare number of the only one, or of the one much nearer."""
    rate = _RATE.search(text)
    paid = [slot for slot in _AMOUNT.finditer(before) if rate and _is_rate(before, slot, rate["of"])]
    text = text[: rate.start()] if rate and paid else text
    new = list(_AMOUNT.finditer(text))
    if len(new) != 1:
        return
    (one,) = new
    unit = _unit(one)
    kept = "" if unit or one["percent"] else (one["unit"] or "")
    rest = f"{text[: one.start()]} {kept} {text[one.end() :]}"
    slots = paid or _amounts(before) or list(_AN_AMOUNT.finditer(before))
    things = kept.lower()
    like = [slot for slot in slots if things and (slot["unit"] or "").lower().rstrip("s") == things.rstrip("s")]
    if len(like) == 1 and things not in ("for", "at", "of", "and"):
        rest = f"{text[: one.start()]} {text[one.end() :]}"
    elif one["percent"]:
        like = [slot for slot in slots if slot["percent"]]
    elif one["sign"]:
        like = [slot for slot in slots if slot["sign"]]
    elif unit:
        like = [slot for slot in slots if _unit(slot) & unit]
        like = _asked_in(like, before) if len(like) > 1 else like
    else:
        unsure = may_be_share(one["n"], before) and not _OF_AMOUNT.search(text)
        like = [] if unsure else [slot for slot in slots if not slot["percent"]]
        like = _behind_same(like, text[: one.start()], before) or _of_its_form(like, one, text, before)
    if len(like) != 1 or not (LITTLE.fullmatch(rest) or (not one["unit"] and _names_another(rest))):
        return
    (old,) = like
    if (
        unit
        and (one["unit"] or "").lower() != (old["unit"] or "").lower()
        and _named_elsewhere(one["unit"], before[old.end() :])
    ):
        return  # what it is asked for in
    if unit:
        yield f"{before[: old.start()]}{one[0].strip()}{before[old.end() :]}"
    else:
        yield f"{before[: old.start('n')]}{one['n']}{before[old.end('n') :]}"


_DATES = regex(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTH})\b(?:,? \d{{4}})?|\b(?:{MONTH}) \d{{1,2}}\b(?:,? \d{{4}})?", re.I
)


def _amounts(text: str) -> list[re.Match[str]]:
    """Those that are no part of a date."""
    dates = [found.span() for found in _DATES.finditer(text)]
    return [one for one in _AMOUNT.finditer(text) if not any(start <= one.start("n") < end for start, end in dates)]


_MOST_OTHERS = 3  # words


def _names_another(rest: str) -> bool:
    """ "My old car did": whose figure it is, in a few words."""
    unknown = [word for word in re.findall(r"[^\W\d_]+(?:['’][a-z]+)?", rest) if not LITTLE.fullmatch(word)]
    return len(unknown) <= _MOST_OTHERS and _OF_ANOTHER.match(rest) is not None


_OF_ANOTHER = regex(
    r"\W*(?:(?:and|so|ok|but) )*(?:my|our|his|her|their|the) (?:[a-z]+ ){1,3}(?:did|does|has|had|is|was|got|gets)\b",
    re.I,
)


_RATE = regex(r" ?(?:\b(?:an?|per|each|every) |/ ?)(?P<of>[a-z]+)(?=[ ,.;?!]*$)", re.I)
_BY = regex(r"[a-z ]{0,8}? ?(?:\b(?:an?|per|each|every) |/ ?)(?P<of>[a-z]+)", re.I)


def _is_rate(before: str, slot: re.Match[str], of: str) -> bool:
    """Whether it is so much for one of that."""
    by = _BY.match(before, slot.end("n"))
    return by is not None and by["of"].lower() == of.lower()


_CLAUSE_END = regex(r"[.,;:?!](?=\s)")
_SUPPOSES = regex(r"\b(?:if|cost|costs|price|at|instead|goes|rises|falls|drops|does|do|drive|drove|uses?)\b", re.I)


def _asked_in(slots: list[re.Match[str]], before: str) -> list[re.Match[str]]:
    """Those in the last clause, which asks."""
    start = max((end.end() for end in _CLAUSE_END.finditer(before.rstrip())), default=0)
    return [slot for slot in slots if slot.start() >= start]


def _of_its_form(slots: list[re.Match[str]], one: re.Match[str], text: str, before: str) -> list[re.Match[str]]:
    """Of several figures those that are whole, or prices, as the new one is; an "if" alone changes what is told."""
    priced = "." in one["n"]
    if len(slots) > 1:
        alike = [slot for slot in slots if ("." in slot["n"]) == priced]
        slots = alike if len(alike) == 1 and len(slots) == 2 else _nearer(slots, one["n"]) if len(slots) == 2 else slots
    asks = _asked_in(slots, before)
    if len(slots) > len(asks) == 1 and not _SUPPOSES.search(text) and _nearest(slots, one["n"]) is asks[0]:
        return asks  # "3 for 2, what would 6 cost? And 9?"
    single = len(_CLAUSE_END.findall(before.rstrip())) == 0
    alone = len(slots) == len(_amounts(before)) == 1
    return slots if single or alone or asks == slots or _SUPPOSES.search(text) or _WITH_FOR.search(text) else []


_WITH_FOR = regex(r"\bfor \d", re.I)
_PREPOSITION = regex(r"\b(for|at|of|off|to|in|with|from|by|costs?|uses?|takes?)(?: about| only| just)? [$€£]?$", re.I)


def _behind_same(slots: list[re.Match[str]], start: str, before: str) -> list[re.Match[str]]:
    """The one slot, or the last of several, behind the word that the new figure is behind; none for none."""
    word = _PREPOSITION.search(start)
    same = [
        slot
        for slot in slots
        if word and (own := _PREPOSITION.search(before[: slot.start("n")])) and own[1].lower() == word[1].lower()
    ]
    return same[-1:]


def _unit(slot: re.Match[str]) -> frozenset[str]:
    """The kinds of measure that the word behind a figure may name."""
    word = (slot["unit"] or "").lower()
    if word in ("in", "a", "at", "to", "as", "of", "is", "do", "m8", "us"):
        return frozenset()
    return frozenset(one.kind for one in measure_of(word)) if word else frozenset()


def _named_elsewhere(unit: str, text: str) -> bool:
    names = {one.name for one in measure_of(unit.lower())}
    return any(
        names & {one.name for one in measure_of(word)} for word in re.findall(r"[a-z°]+", text.lower()) if len(word) > 1
    )


def _nearer(several: list[re.Match[str]], new: str) -> list[re.Match[str]]:
    apart = [_apart(one, new) for one in several]
    first, second = sorted(range(2), key=lambda place: apart[place])
    return [several[first]] if apart[first] * _NEARER < apart[second] and apart[second] < inf else []


def _apart(slot: re.Match[str], new: str) -> float:
    """How far the figures are apart by their ratio."""
    old, wanted = (1.0 if text.isalpha() else float(text.replace(",", "")) for text in (slot["n"], new))  # "a", "one"
    return abs(log(old / wanted)) if old and wanted else inf


def _nearest(slots: list[re.Match[str]], new: str) -> re.Match[str] | None:
    """The one slot that is nearest to the new figure and written as it is, with a point or whole."""
    alike = sorted((slot for slot in slots if ("." in slot["n"]) == ("." in new)), key=lambda slot: _apart(slot, new))
    return alike[0] if alike and (len(alike) == 1 or _apart(alike[0], new) < _apart(alike[1], new)) else None
