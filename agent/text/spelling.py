"""Words that are nearly known ones: slips of the keyboard, which are forgiven where they can be read in one way."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice, product

from agent.text.real_words import is_far_more_common, is_real
from agent.text.regex import regex

_WORD = regex(r"[a-z']+", re.I)
_SHORTEST = 3  # letters of a word that may be misspelt
_SHORTEST_NAME = 5
_LONG = 6  # letters from which on two slips are forgiven
_LONGER = 8  # letters from which on they may put two letters of it wrong
_TWICE = 2  # slips
_MOST_WRONG = 8  # words of one text
_MOST_MEANT = 4  # of one word
_MOST_READINGS = 24
_ASKING = frozenset(("what", "which", "who", "whose", "when", "where", "how", "what's", "who's", "where's"))
_FOLLOWS_HOW = regex(r" (?:m[a-z]{2,4}|long|old|far|often)\b", re.I)
# A real word that is not of the table may be a slip of one of these: "form", "wen", "al".
_SMALL = _ASKING | {
    *("all", "and", "for", "from", "in", "is", "of", "than", "the", "their", "then", "there", "they", "to", "with"),
    *("many", "much"),
}
_NO_PLURAL = ("chs", "shs", "xs", "ss")
_BEFORE_THING = regex(r"\b(?:the|an?|this|my|our|your|his|her|their|each|every) $", re.I)  # "the form", and not "from"
_BEFORE = 8  # characters
_ALIKE = {"their": "there", "there": "their"}  # they sound alike


@dataclass(frozen=True, slots=True)
class Spelling:
    """A ``text`` with words put right: each as it was typed, and as it is read.

    ``unlike``: how many of them are more than letters that changed places or were doubled.
    """

    text: str
    words: tuple[tuple[str, str], ...]
    unlike: int = 0


def spellings(
    text: str,
    known: Collection[str],
    sound: Callable[[str], bool] = frozenset[str]().__contains__,
    names: Collection[str] = (),
) -> Iterator[Spelling]:
    """Every way to put the unknown words of ``text`` right, likeliest first; none where no word is near one.

    Words with a capital inside a text, those that are ``sound`` and those without a near one are left as they are. A
    word is taken for one of the ``names`` only where a letter is left out, too many or in another place, as another
    letter makes another word too easily: "horse" is no "house". One with a capital only where letters changed places.
    """
    known, names = frozenset(known), frozenset(names)
    wrong: list[tuple[re.Match[str], list[str]]] = []
    for word in _WORD.finditer(text):
        lower = word[0].lower()
        if lower in known or lower in names or _is_form_of(lower, known, names) or len(lower) < _TWICE:
            continue
        capital, short = word[0] != lower and word.start() > 0, len(lower) < _SHORTEST
        small = short or sound(lower)
        thing = is_real(lower) and _BEFORE_THING.search(text, max(0, word.start() - _BEFORE), word.start())
        meant = [] if capital or thing else of_small(lower) if small else [*_meant(lower, known)]
        near = [] if sound(lower) else _of_names(lower, names, moved=capital)
        meant += [one for one in near if one not in meant]
        if meant:
            asking = [one for one in meant if one in _ASKING] if not word.start() else []
            asking = ["how"] if "how" in meant and _FOLLOWS_HOW.match(text, word.end()) else asking
            wrong.append((word, asking or meant))  # "wich" at the beginning is "which" and not "with"
    if not 0 < len(wrong) <= _MOST_WRONG:
        return
    for chosen in islice(product(*(meant for _, meant in wrong)), _MOST_READINGS):
        parts, end = list[str](), 0
        for (word, _), right in zip(wrong, chosen, strict=True):
            parts += [text[end : word.start()], right]
            end = word.end()
        pairs = tuple((word[0], right) for (word, _), right in zip(wrong, chosen, strict=True))
        unlike = sum(not _is_swapped_or_doubled(typed.lower(), right) for typed, right in pairs)
        yield Spelling("".join([*parts, text[end:]]), pairs, unlike)


def nearest(word: str, known: Collection[str], *, twice: bool = True) -> list[str]:
    """The known words that are one slip away, or with ``twice`` two in a long word, where one slip leads to none."""
    most = _TWICE if twice and len(word) >= _LONG else 1
    found = sorted((slips, other) for other in known if (slips := _slips(word, other.replace("'", ""), most)))
    if len(word) < _LONGER:  # "tureen" is no "three"
        found = [(slips, other) for slips, other in found if slips < _TWICE or len({*word} ^ {*other}) < _TWICE]
    found = [other for slips, other in found if slips == found[0][0]]
    return found[:_MOST_MEANT] if len(found) <= _MOST_MEANT else []


@lru_cache(maxsize=128)  # a question is read in several ways, each with the same words
def _meant(word: str, known: frozenset[str]) -> list[str]:
    """What a word that is none may be: near ones, those that sound like them, or two words without their blank."""
    if bare := [one for one in known if one.replace("'", "") == word]:
        return bare[:1]  # "havent", "whos"
    twice = not is_real(word)  # "workers" are not "works"
    found = sorted(nearest(word, known, twice=twice), key=lambda one: not _is_swapped_or_doubled(word, one))
    found += [_ALIKE[one] for one in found if one in _ALIKE and _ALIKE[one] not in found]
    cuts = ((word[:place], word[place:]) for place in range(_SHORTEST, len(word) - _SHORTEST + 1))
    return [f"{one} {other}" for one, other in cuts if one in _ASKING and other in known] or found


def of_small(word: str) -> list[str]:
    """The small words of which a real word may be a slip: letters changed places, or one is left out."""
    near = [one for one in _SMALL if _slips(word, one, 1) and one[0] in word[:2] and is_far_more_common(one, word)]
    longer = [one for one in near if len(one) > len(word) and (len(word) >= _SHORTEST or _single(one) == word)]
    return sorted({*longer, *(one for one in near if sorted(one) == sorted(word))})


def _is_form_of(word: str, *several: Collection[str]) -> bool:
    """Whether it is the plural of a known word."""
    stem = word[:-1] if word.endswith("s") and not word.endswith(_NO_PLURAL) else ""
    stem = word[:-2] if word.endswith(("ches", "shes", "xes", "sses", "'s")) else stem
    return stem not in _ASKING and any(stem in known for known in several)


@lru_cache(maxsize=128)
def _of_names(word: str, names: frozenset[str], *, moved: bool) -> list[str]:
    """The names that a letter makes of the word which is in another place, or left out or too many."""
    near = [one for one in names if _slips(word, one, 1)] if len(word) >= _SHORTEST_NAME else []
    found = sorted(one for one in near if sorted(one) == sorted(word) or (not moved and len(one) != len(word)))
    return found if len(found) <= _MOST_MEANT else []


def _is_swapped_or_doubled(word: str, other: str) -> bool:
    return sorted(word) == sorted(other) or _single(word) == _single(other)


def _single(word: str) -> str:
    return "".join(letter for letter, _ in groupby(word))


def _slips(word: str, other: str, most: int) -> int:
    """How many slips make one word the other, 0 where it is itself or more than ``most`` away.

    A slip is a letter left out, too many or wrong, or two that changed places. The first letter is mostly right: one
    more is counted where it is another. In a word of three letters none is wrong.
    """
    if abs(len(word) - len(other)) > most or word == other or len({*word} ^ {*other}) > 2 * most:
        return 0
    if len(word) == _SHORTEST == len(other) and sorted(word) != sorted(other):
        return 0
    table = [[row + place for place in range(len(other) + 1)] for row in range(len(word) + 1)]
    rows: dict[str, int] = {}
    for row, letter in enumerate(word, 1):
        same = 0
        for place, wanted in enumerate(other, 1):
            above, left = rows.get(wanted, 0), same
            same = place if letter == wanted else same
            least = min(table[row - 1][place] + 1, table[row][place - 1] + 1)
            least = min(least, table[row - 1][place - 1] + (letter != wanted))
            if above and left:
                least = min(least, table[above - 1][left - 1] + row - above + place - left - 1)
            table[row][place] = least
        rows[letter] = row
    slips = table[-1][-1] + (word[0] not in other[:2])
    return slips if slips <= most else 0
