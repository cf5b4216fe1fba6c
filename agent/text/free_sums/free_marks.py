"""A mark of several parts with their weights: the mark of the whole, or what the one part without a mark needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from agent.text.free_sums.free_items import Item, Told, without
from agent.text.problems.story_parts import STOP, stem
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex

_MOST = 4  # parts
_ALL = Fraction(100)
_NEED = regex(r"\b(?:need|needed|must|have to|has to|required?|got to|should)\b")
_OVERALL = regex(r"\b(?:overall|final|total|altogether|in all|end up|average|whole|finish|combined)\b")
_GRADED = regex(r"\b(?:grade|mark|marks|score|course|exam|test|final|coursework|essay|overall|module|assignment)\b")
_LITTLE = (
    "is are worth count counts make makes up for the other of my a and which that weigh weighs weighted at as it i "
    "have got grade mark score get gets was were with remaining rest overall so we me in on to scored grades marks but "
    "what contributes contribute towards toward by while whereas an this percent he she they her his total whole "
    "course must do need should would will has had end finish gave given"
)
_NO_PART = frozenset(_LITTLE.split())
_WORD = regex(r"[a-z]+(?:-[a-z]+)?")
_SAID = regex(
    r"\b(?:the (?:other|rest|remaining)|other|average|overall|final|total|score[sd]?|altogether|while|but"
    r"|rest|if(?= (?:i|we)\b)|parts?|which (?:counts?|is|was|makes))\b"
)
_TARGET = regex(r"\b(?:overall|total|final|average|to (?:get|end|finish|pass|have|reach|average|come|make)|for an?)\b")


def marks_asked(told: Told) -> Iterator[tuple[str, Told]]:
    """The mark that is asked for, and the same told without the words it was read by."""
    weights = [item for item in told.items if item.kind == "percent"]
    marks = [item for item in told.items if item.kind in ("bare", "count") and not item.per]
    if not 2 <= len(weights) <= _MOST or len(weights) + len(marks) != len(told.items) or not _GRADED.search(told.text):
        return
    parts = _parts(told, weights)
    if parts is None or sum((item.amount for item in weights), Fraction(0)) != _ALL:
        return
    needs = _NEED.search(told.asked) is not None
    target = _target(told, marks) if needs else None
    scores = _scores(told, parts, [mark for mark in marks if mark is not target])
    if scores is None or (needs and target is None) or not (needs or _OVERALL.search(told.asked)):
        return
    found = _needed(told, parts, scores, target) if target else _overall(parts, scores)
    if found:
        yield found, without(told, *(one[0] for one in _SAID.finditer(told.text)))


def _parts(told: Told, weights: Sequence[Item]) -> dict[str, Item] | None:
    """Each part's weight by the name of the part, which stands right before the weight, or right behind each."""
    begins = [0, *(item.end for item in weights)]
    before = [_last(told.source[begin : item.start]) for begin, item in zip(begins, weights, strict=False)]
    behind = [_first(item.after) for item in weights]
    names = before if all(before) else behind
    return dict(zip(names, weights, strict=True)) if all(names) and len(set(names)) == len(names) else None


def _last(text: str) -> str:
    return next((stem(word) for word in reversed(_WORD.findall(text)) if _may_name(word)), "")


def _first(text: str) -> str:
    return next((stem(word) for word in _WORD.findall(text) if _may_name(word)), "")


def _may_name(word: str) -> bool:
    return word not in _NO_PART and (word not in STOP or word == "final")


def _target(told: Told, marks: Sequence[Item]) -> Item | None:
    """The mark that the whole is to have: the last one, in the question."""
    begin = told.text.find(told.asked)
    asked = [mark for mark in marks if _place(told, mark) >= begin]
    return asked[0] if len(asked) == 1 and _TARGET.search(_beside(told, asked[0])) else None


def _beside(told: Told, item: Item) -> str:
    return told.source[max(0, item.start - 24) : item.end + 12]


def _place(told: Told, item: Item) -> int:
    """Where its sign stands in the text with signs."""
    number = told.items.index(item)
    return [one.start() for one in re.finditer("§", told.text)][number]


def _scores(told: Told, parts: Mapping[str, Item], marks: Sequence[Item]) -> dict[str, Item] | None:
    """Each mark by the name of its part: that behind it, in its clause before it, or told of last."""
    scores: dict[str, Item] = {}
    for mark in marks:
        behind = [name for name in map(stem, _WORD.findall(mark.after)) if name in parts]
        before = [name for name in map(stem, _WORD.findall(told.source[: mark.start])) if name in parts]
        of_it = re.match(r"(?:for|in|on|from) (?!it\b|that\b|them\b)", mark.after)
        name = behind[0] if behind and of_it else before[-1] if before and not of_it else ""
        if not name or name in scores or (mark.kind == "count" and name not in mark.names | set(behind) | set(before)):
            return None
        scores[name] = mark
    return scores


def _needed(told: Told, parts: Mapping[str, Item], scores: Mapping[str, Item], target: Item) -> str | None:
    open_ = [name for name in parts if name not in scores]
    named = [name for name in map(stem, _WORD.findall(told.asked)) if name in parts]
    if len(open_) != 1 or (named and named[0] != open_[0]):
        return None
    got = "".join(f" - {scores[name].said} * {figure_of(parts[name].amount / 100)}" for name in scores)
    return f"what is ({target.said}{got}) / {figure_of(parts[open_[0]].amount / 100)}"


def _overall(parts: Mapping[str, Item], scores: Mapping[str, Item]) -> str | None:
    if set(parts) != set(scores):
        return None
    return "what is " + " + ".join(f"{scores[name].said} * {figure_of(parts[name].amount / 100)}" for name in parts)
