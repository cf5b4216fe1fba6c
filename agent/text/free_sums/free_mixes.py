"""Shares in a ratio and parts of a mixture: "£840 between Ann, Ben and Cal, 3:2:2", "1 part cement to 2 parts sand".

What is read: the ratio, whose the shares are, and one quantity, of all of it or of one share. The question wishes each
share, that of one, all of it, or by how much one share is more than another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from agent.text.free_sums.free_items import MARK, Item, Told, read_told, without
from agent.text.free_sums.free_plainer import plainly_told
from agent.text.free_sums.free_turns import is_turned
from agent.text.problems.story_parts import STOP, stem
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex
from agent.text.told_sums.recipe_parts import Amount, recipe_sums

_LONGEST, _MOST_SHARES = 300, 6  # characters, shares
_N = r"\d{1,4}(?:\.\d+)?"
_IN = r"(?:(?:in|at|by|with|using|of|is|was|are|be|use)? ?(?:the|a|an)? ?ratio(?: of| is)?:? )"
_HOW = r"how (?:much|many)"
_RATIO = regex(
    rf"{_IN}(?P<to>{_N}(?: to {_N})+)(?![\d.]*\d| ?%)|{_IN}?(?<![\d.:/£$€])(?P<colons>{_N}(?: ?: ?{_N})+)(?![\d.]*\d)"
    rf"(?: ratio\b)?|(?P<bare>(?<![\d.])\d{{1,2}}(?: to \d{{1,2}})+)(?=[ ?.!]*$)"
)
_MIXES = regex(
    r"\b(?:ratio|split\w*|shar(?:e[sd]?|ing)|divid(?:e[sd]?|ing)|mix\w*|between|among|amongst|parts?"
    r"|made (?:up )?(?:of|with|from))\b"
)
_NO_NAME = (
    r"(?!(?:to|with|and|in|for|of|is|are|or|at|by|from|per|the|we|i|how|what|each|every|then|so|if|who|which|that|plus|"
    r"get|gets|got|need|needs|goes|makes?|used?|using|mixed|it|as|share[ds]?|split|divided?|sharing|shall|should|into|but"
    r"|some|all|both|want|have|has|had|were|was|will|would|do|does|on|between|among|my|our|his|her|their|than|a|an)\b)"
)
_WHO = rf"(?:(?:the|my|our|his|her|their|a|an|some) )?{_NO_NAME}[a-z'-]+(?: {_NO_NAME}[a-z'-]+)?"
_NAMED = rf"(?:me|i|myself|us|{_WHO})"
_LIST = rf"{_NAMED}(?: ?, ?{_NAMED})*,? (?:and|&) {_NAMED}"
_SHARED = r"(?:shares?|shared|split|splits|divide|divided|are (?:sharing|splitting)|get|got|put in|own|are|is|were)"
_OWNERS = (
    regex(rf"(?:^|[,.;:?!] )(?P<list>{_NAMED} (?:is |are )?(?:mixed|diluted|combined) +with {_NAMED})(?=[ ,.;:?!]|$)"),
    regex(rf"\b{_HOW} (?P<list>{_NAMED} and (?:{_HOW} )?{_NAMED})(?= (?:do|would|should|is|are|for|in)\b)"),
    regex(rf"\b(?:between|among|amongst|for|to) (?P<list>{_LIST})(?=[ ,.;:?!]|$)"),
    regex(rf"\bratio of (?P<list>{_NAMED}(?: to {_NAMED})+)(?: (?:is|was|are|of|should be))?"),
    regex(rf"(?:^|[,.;:?!] )(?P<list>{_LIST})(?= (?:(?:want|have|need|agree|decided?|will|to|are|is) )*{_SHARED}\b)"),
)
_HOW_FIRST = regex(_HOW)
_LISTED = regex(rf" (?:is |are )?(?:mixed|diluted|combined) +with | and {_HOW} | ?, ?(?:and |& )?| (?:and|&|to) ")
_PARTS = regex(
    rf"(?<![\d.])(?P<n>{_N}) parts?(?: of)? (?P<name>{_WHO})(?=[ ,.;:?!)]|$)"
    r"(?:,? (?:to|with|and|for)(?= (?:every )?\d+(?:\.\d+)? parts?))?"
)
_EACH = regex(
    r"\b(?:each|everyone|everybody|every one|apiece|they|them all"
    r"|the (?:two|three|four|five|\d) [a-z]+|shares?|amounts?|parts?|both)\b"
)
_ASKS_ALL = regex(r"\b(?:altogether|in total|in all|total|all together|(?:shared?|there|whole|to begin with))\b")
_ASKS_OTHER = regex(rf"\b(?:others?|rest|each)\b|\b{_HOW} (?:do|does|should|would|will|did|is|are)\b")
_MORE = regex(r"\b(?:how (?:much|many)(?: [a-z]+)? )?(?:more|less|fewer)\b|\bthan\b|\bdifference\b")
_LEFT_OUT = regex(
    r"\b(?:in (?:the|a|that|this) ratio|ratio|some|money|mixed|mix|mixture|split|shared?|sharing|divided?|among"
    r"|amongst|between|parts?|(?:made (?:up )?)?(?:of|from)|left|want to|if(?= (?:i|we|there|you|she|he|they)\b)"
    r"|so that|according to|each|both|equal|needs? to|to be|share)\b"
)
_GENERIC = frozenset(
    [
        "mix",
        "mixture",
        "total",
        "it",
        "paint",
        "concrete",
        "mortar",
        "drink",
        "whole",
        "lot",
        "this",
        "that",
        "batch",
        "all",
        "solution",
        "altogether",
        "blend",
    ]
)
_SELVES = frozenset(("me", "i", "myself", "my", "mine"))


@dataclass(frozen=True, slots=True)
class _Mix:
    """``shares`` of those ``names``, none where the shares have no names; ``said`` are the words that tell it.

    ``all_asked``: the question names each share.
    """

    shares: tuple[Fraction, ...]
    names: tuple[str, ...]
    said: tuple[str, ...]
    all_asked: bool = False


def mixed(text: str) -> Sequence[Amount]:
    """Each amount that is asked for and its plain sum; none where ``text`` is no such account, or a word turns it."""
    if len(text) > _LONGEST or not re.search(r"\d ?:|\bratio\b|\bparts?\b|\d to \d", text, re.I):
        return ()
    plain = _without_thousands(plainly_told(text))
    mix = _of_parts(plain) or _of_ratio(plain)
    if mix is None or not 2 <= len(mix.shares) <= _MOST_SHARES or not all(mix.shares):
        return ()
    rest = plain
    for words in mix.said:
        rest = rest.replace(words, " ", 1)
    told = read_told(re.sub(r"\s+", " ", rest).strip())
    given = _given(told, mix) if told else None
    if told is None or given is None or _is_turned(told, mix):
        return ()
    return _asked_for(told, mix, given)


def several_sums(text: str) -> Sequence[Amount]:
    """The amounts of a recipe for another number of people, or of a mixture."""
    return recipe_sums(text) or mixed(text)


def mix_asked(text: str) -> Iterator[str]:
    """The plain question where one amount is asked for."""
    found = mixed(text)
    if len(found) == 1:
        yield f"what is {found[0].sum}"


def _without_thousands(text: str) -> str:
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)


def _of_parts(text: str) -> _Mix | None:
    parts = list(_PARTS.finditer(text))
    if len(parts) < 2 or len(re.findall(r"\d[\d.]* parts?\b", text)) != len(parts):
        return None
    names = tuple(part["name"] for part in parts)
    return _Mix(tuple(Fraction(part["n"]) for part in parts), names, tuple(part[0] for part in parts))


def _of_ratio(text: str) -> _Mix | None:
    ratios = list(_RATIO.finditer(text))
    if len(ratios) != 1 or not _MIXES.search(text):
        return None
    (ratio,) = ratios
    figures = tuple(map(Fraction, re.findall(_N, ratio["to"] or ratio["colons"] or ratio["bare"])))
    rest = text.replace(ratio[0], " ", 1)
    lists = [found for owners in _OWNERS for found in owners.finditer(rest)][:1]
    said = (ratio[0], *(found["list"] if _HOW_FIRST.match(found[0]) else found[0] for found in lists))
    names = tuple(_LISTED.split(lists[0]["list"])) if lists else ()
    if len(names) not in (0, len(figures)) or len(set(names)) < len(names):
        return None
    all_asked = any(_HOW_FIRST.match(found[0]) for found in lists)
    return _Mix(figures, names, said, all_asked) if names or not re.search(r"\bratio of [a-z]", text) else None


@dataclass(frozen=True, slots=True)
class _Given:
    """The ``item`` that is told, of the share at ``place``, or of all of it at -1."""

    item: Item
    place: int


def _given(told: Told, mix: _Mix) -> _Given | None:
    """The one quantity, beside a count of those who share."""
    items = [item for item in told.items if not _counts_shares(item, mix)]
    if len(items) != 1 or items[0].kind in ("percent", "clock", "speed") or items[0].per:
        return None
    (item,) = items
    beside = f"{item.before} {' '.join(item.names)} {item.after}".replace(told.asked or MARK, " ")
    asked = told.text.find(told.asked) if told.asked else -1
    if 0 <= asked <= told.text.find(MARK) and MARK in told.asked:  # "how much white goes with 500 ml of red"
        beside = f"{' '.join(item.names)} {item.after}"
    of = re.match(r"of (?:the )?(?P<of>[a-z]+)", item.after) or re.match(r"(?P<of>[a-z]+)", item.after)
    places = [place for place, name in enumerate(mix.names) if _is_named(mix, name, beside)]
    if len(places) > 1:
        return None
    if not places and mix.names and of and item.after.startswith("of") and of["of"] not in ("us", "them", "it", "all"):
        elsewhere = len(re.findall(rf"\b{re.escape(stem(of['of']))}", told.text)) > 1
        if not (elsewhere or of["of"] in _GENERIC):
            return None
    return _Given(item, places[0] if places else -1)


def _counts_shares(item: Item, mix: _Mix) -> bool:
    return (
        item.kind in ("count", "bare")
        and item.amount == len(mix.shares)
        and not item.unit
        and (item.kind == "count" or item.before.endswith(("between", "among", "the")))
    )


def _is_named(mix: _Mix, name: str, text: str) -> bool:
    """Whether ``text`` has a word that of all names only this one has."""
    others = {stem(word) for other in mix.names if other != name for word in other.split()}
    own = {stem(word) for word in name.split()} - others - STOP
    said = {stem(word) for word in re.findall(r"[a-z'-]+", text)}
    own |= {"me", "i", "mine", "my"} if name in _SELVES else set()
    said -= (
        {"i", "my"} if re.search(r"\b(?:do|should|did|will|would) i (?:need|use|add|put|have|want)\b", text) else set()
    )
    return bool(own & said)


def _is_turned(told: Told, mix: _Mix) -> bool:
    """Whether a word beside the mixture turns it."""
    names = [name for name in mix.names if name not in _SELVES]
    words = [found[0] for pattern in (_LEFT_OUT, _MORE) for found in pattern.finditer(told.text)]
    return is_turned(without(told, *words, *names))


def _asked_for(told: Told, mix: _Mix, given: _Given) -> Sequence[Amount]:
    item, whole = given.item, sum(mix.shares, Fraction(0))
    base = mix.shares[given.place] if given.place >= 0 else whole
    unit = item.unit if item.kind != "count" else ""
    asked = told.asked
    named = [place for place, name in enumerate(mix.names) if _is_named(mix, name, asked.replace(MARK, " "))]
    if MARK in asked and given.place >= 0:
        named = [place for place in named if place != given.place]

    def amount(place: int, share: Fraction) -> Amount | None:
        value = item.amount * share / base
        if item.kind == "count" and value.denominator != 1:
            return None
        figure = f"{unit}{item.said}" if unit in ("$", "€", "£") else f"{item.said} {unit}".strip()
        name = mix.names[place] if mix.names else f"part {place + 1}"
        name = "you" if name in _SELVES else re.sub("^my ", "your ", name)
        return Amount(name, f"{figure} / {figure_of(base)} * {figure_of(share)}")

    if _MORE.search(asked):
        if len(named) != 2:
            return ()
        found = [amount(0, abs(mix.shares[named[0]] - mix.shares[named[1]]))]
    elif len(named) == 1 and named[0] != given.place:
        found = [amount(named[0], mix.shares[named[0]])]
    elif named or (given.place >= 0 and not (_ASKS_ALL.search(asked) or _ASKS_OTHER.search(asked))):
        return ()
    elif given.place >= 0:
        wish = _ASKS_ALL.search(asked)
        others = [place for place in range(len(mix.shares)) if place != given.place]
        found = [amount(given.place, whole)] if wish else [amount(place, mix.shares[place]) for place in others]
    elif _asks_each(told, mix):
        found = [amount(place, share) for place, share in enumerate(mix.shares)]
    else:
        return ()
    return [one for one in found if one] if all(found) else ()


_IMPERATIVE = regex(
    r"^(?:please |can (?:you|we|i) |could (?:you|we) |i (?:need|want|have) to "
    r"|we (?:need|want|have) to |help me )?(?:split|share|divide)\b"
)


def _asks_each(told: Told, mix: _Mix) -> bool:
    """Whether each share is asked for, or nothing but to share."""
    if not re.search(r"\b(?:how|what|which)\b", told.text):
        return bool(_IMPERATIVE.search(told.text)) or not told.asked
    return mix.all_asked or _EACH.search(told.asked) is not None
