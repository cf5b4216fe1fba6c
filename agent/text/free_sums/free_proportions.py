"""So much of one thing to so much of another, for another amount; and so many times what a recipe takes.

"2 litres of juice to 750 ml of lemonade, how much lemonade for 5 litres of juice": which of the two the third quantity
is of is told by its name, its unit or its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from agent.text.free_sums.free_items import MARK, Item, Told, read_told, without
from agent.text.problems.story_parts import STOP, stem
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex

_THREE = 3
_KINDS = frozenset(("length", "time", "mass", "volume", "area", "count", "bare"))
_NO_NAME = r"(?!(?:to|for|per|with|in|i|you|we|needs?|takes?|uses?|makes?|and)\b)"
_NAME = rf"(?:(?:of )?(?:the |my )?(?P<name>{_NO_NAME}[a-z]+(?: [a-z]+)?) )??"
_LINK = regex(
    rf"{_NAME},? ?(?:(?:to|for|with)(?: every| each)?|per|every|makes?|needs?|takes?|uses?|in"
    r"|(?:i|you|we) (?:need|use|add|put in))"
)
_NAMED = regex(r"(?:of )?(?:the |my )?(?P<name>[a-z]+(?: [a-z]+)?)")
_PLAIN = regex(
    rf"\b(?:for|to) every\b|\bevery(?= {MARK})|\bif(?= (?:i|we|you)\b)|\bgoes? (?:in|with)\b|\bmix\b|\bparts?\b"
    rf"|(?<={MARK} )to(?= {MARK})"
)
_HOW = regex(r"\bhow (?:much|many)\b(?! (?:longer|more|less|change|is left)\b)")
_OTHER = regex(r"\b(?:left|change|cost|costs|pay|money|speed|each|average|more|less|altogether|total)\b|£|\$|€")
_LITTLE = frozenset(("to", "for", "i"))
_WHOLE_ONLY = regex(r"\bhow many\b")


def proportion_asked(told: Told) -> Iterator[tuple[str, Told]]:
    """The one amount that goes with the third quantity, and the same told without the words it was read by."""
    pair = _pair(told)
    if pair is None or not _HOW.search(told.asked) or _OTHER.search(told.text):
        return
    (third,) = (item for item in told.items if item not in pair)
    names = _names(told, pair)
    same = _same(told, pair, names, third)
    if same is None or not _wishes(told, names, same):
        return
    of, wanted = pair[same], pair[1 - same]
    amount = wanted.amount * third.value / of.value
    if wanted.kind in ("count", "bare") and amount.denominator != 1 and _WHOLE_ONLY.search(told.asked):
        return
    unit = "" if wanted.kind == "count" else wanted.unit
    figures = f"{wanted.said} {unit}".strip(), figure_of(of.value / third.size), third.said
    yield "what is {} / {} * {}".format(*figures), without(told, *(said[0] for said in _PLAIN.finditer(told.text)))


def _pair(told: Told) -> tuple[Item, Item] | None:
    """The two of three quantities that belong to each other."""
    items = told.items
    if len(items) != _THREE or any(item.kind not in _KINDS or item.per or not item.amount for item in items):
        return None
    bound = [
        (one, two)
        for one, two in pairwise(items)
        if _LINK.fullmatch(told.source[one.end : two.start].strip()) and not _asks_between(told, one, two)
    ]
    return bound[0] if len(bound) == 1 else None


def _asks_between(told: Told, one: Item, two: Item) -> bool:
    return _HOW.search(told.source[one.end : two.start]) is not None


def _names(told: Told, pair: Sequence[Item]) -> list[set[str]]:
    """The words that each of the two is called by."""
    found: list[set[str]] = []
    for item in pair:
        following = told.source[item.end :]
        behind = _NAMED.match(re.split(r"[,.;:?!]", following)[0].strip())
        said = behind["name"].split() if behind else []
        known = next((place for place, word in enumerate(said) if word in STOP | _LITTLE), len(said))
        found.append({stem(word) for word in said[:known]} | item.names)
    return found


def _same(told: Told, pair: Sequence[Item], names: Sequence[set[str]], third: Item) -> int | None:
    """Which of the two the third quantity is of."""
    (own,) = _names(told, [third])
    tests = (
        [bool(own & (names[place] - names[1 - place])) for place in (0, 1)],
        [bool(third.unit) and one.unit == third.unit for one in pair],
        [one.kind == third.kind for one in pair],
    )
    for test in tests:
        if any(test):
            place = test.index(True)
            alike = not (own and names[place]) or own & names[place]
            return place if sum(test) == 1 and pair[place].kind == third.kind and alike else None
    return None


def _wishes(told: Told, names: Sequence[set[str]], same: int) -> bool:
    """Whether the other one is asked for, or nothing is named."""
    asked = re.sub(rf"{MARK}(?: of)?(?: [a-z]+)?", " ", told.asked)
    words = {stem(word) for word in re.findall(r"[a-z]+", asked)}
    if words & (names[1 - same] - names[same]):
        return not re.search(rf"\bhow (?:much|many) (?:{'|'.join(names[same]) or '-'})", asked)
    return (
        re.search(
            r"\bhow (?:much|many)(?: (?:do|should|will|would|is|for|goes|to|i|we|you|need|use|add|that|it))*[ ?.!]*$",
            asked,
        )
        is not None
    )


_TIMES = {"twice": "2", "double": "2", "triple": "3", "treble": "3", "half": "0.5"}
_AMOUNT = r"(?:amount|recipe|batch|quantity|quantities|mixture|size|ingredients|lot|dough|mix)"
_AS_MUCH = regex(
    r"(?:(?P<n>\d+(?:\.\d+)?) times|(?P<word>twice|double|triple|treble|half)(?: of)?) "
    rf"(?:(?:the|my|this|that|a|her|his) (?:whole )?{_AMOUNT}|as (?:much|many)(?! [a-z]+ as)|that|it)\b(?: of it)?"
)
_WANTED = regex(r"\b(?:if|only|but) (?=(?:i|i'm|im|we|want)\b)")
_MUCH_OF_IT = regex(r"\bhow (?:much|many) (?:is that|do i need|will i need|of it|should)\b")


def multiple_asked(text: str) -> Iterator[tuple[str, Told]]:
    """What is taken for so many times the amount: "225 g of sugar, and I want to make one and a half times as much"."""
    times = list(_AS_MUCH.finditer(text))
    told = read_told(re.sub(r"\s+", " ", _AS_MUCH.sub(" ", text))) if len(times) == 1 else None
    if told is None or len(told.items) != 1 or not _HOW.search(told.asked) or _OTHER.search(told.text):
        return
    (item,) = told.items
    if item.per or item.kind not in _KINDS - {"bare", "time"} or MARK in told.asked:
        return
    (names,) = _names(told, [item])
    asked = {stem(word) for word in re.findall(r"[a-z]+", told.asked)}
    if names & asked or _MUCH_OF_IT.search(told.asked):
        figure = f"{item.said} {'' if item.kind == 'count' else item.unit}".strip()
        factor = times[0]["n"] or _TIMES[times[0]["word"]]
        yield f"what is {figure} * {factor}", replace(told, text=_WANTED.sub("", told.text))
