"""Words that are nearly known ones: slips of the keyboard, which are forgiven where they can be read in one way."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice, product

from agent.text.regex import regex

_WORD = regex(r"[a-z']+", re.I)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SHORTEST = 3  # letters of a word that may be misspelt
_SHORTEST_NAME = 5
_LONG = 8  # letters from which on two slips are forgiven
_TWICE = 2  # slips
_MOST_WRONG = 5  # words of one text
_MOST_MEANT = 4  # of one word
_MOST_READINGS = 24


@dataclass(frozen=True, slots=True)
class Spelling:
    """A ``text`` with words put right: each as it was typed, and as it is read."""

    text: str
    words: tuple[tuple[str, str], ...]


_ASKING = frozenset(("what", "which", "who", "whose", "when", "where", "how"))


def spellings(
    text: str, known: Collection[str], sound: Collection[str] = (), names: Collection[str] = ()
) -> Iterator[Spelling]:
    """Every way to put the unknown words of ``text`` right; none where a word is too far from all ``known`` ones.

    Words with a capital inside a text, ``sound`` ones and those without a near one are left as they are. A word is
    taken for one of the ``names`` only where a letter is left out, too many or in another place, as another letter
    makes another word too easily: "horse" is no "house". One with a capital only where letters changed places.
    """
    wrong: list[tuple[re.Match[str], list[str]]] = []
    for word in _WORD.finditer(text):
        lower = word[0].lower()
        if lower in known or lower in sound or lower in names or len(lower) < _SHORTEST:
            continue
        capital = word[0] != lower and word.start() > 0
        meant = [] if capital else nearest(lower, known)
        meant += [one for one in _of_names(lower, names, moved=capital) if one not in meant]
        if meant:
            asking = [one for one in meant if one in _ASKING] if not word.start() else []
            wrong.append((word, asking or meant))  # "wich" at the beginning is "which" and not "with"
    if not 0 < len(wrong) <= _MOST_WRONG:
        return
    for chosen in islice(product(*(meant for _, meant in wrong)), _MOST_READINGS):
        parts, end = list[str](), 0
        for (word, _), right in zip(wrong, chosen, strict=True):
            parts += [text[end : word.start()], right]
            end = word.end()
        pairs = tuple((word[0], right) for (word, _), right in zip(wrong, chosen, strict=True))
        yield Spelling("".join([*parts, text[end:]]), pairs)


def nearest(word: str, known: Collection[str], *, twice: bool = True) -> list[str]:
    """The known words that are one slip away, or with ``twice`` two in a long word, where one slip leads to none."""
    once = _slips(word)
    found = sorted(other for other in once if other in known)
    if not found and twice and len(word) >= _LONG:
        # Two slips make a hundred thousand words of one. What can be undone by a slip is one away from both.
        near = (other for other in known if _may_become(word, other))
        found = sorted(other for other in near if not once.isdisjoint(_slips(other)))
    return found[:_MOST_MEANT] if len(found) <= _MOST_MEANT else []


def _of_names(word: str, names: Collection[str], *, moved: bool) -> list[str]:
    """The names that a letter makes of the word which is in another place, or left out or too many."""
    near = [one for one in _slips(word) if one in names] if len(word) >= _SHORTEST_NAME else []
    found = sorted(one for one in near if sorted(one) == sorted(word) or (not moved and len(one) != len(word)))
    return found if len(found) <= _MOST_MEANT else []


def _may_become(word: str, other: str) -> bool:
    """False where two slips surely make no ``other`` of ``word``: by its length, and by letters of one alone."""
    if abs(len(word) - len(other)) > _TWICE:
        return False
    letters, others = set(word), set(other)
    return len(letters - others) <= _TWICE and len(others - letters) <= _TWICE


def _slips(word: str) -> set[str]:
    """All that one slip makes of a word: a letter left out, doubled, wrong, or two that changed places.

    The first letter is mostly right, so that only changing places touches it.
    """
    cuts = [(word[:place], word[place:]) for place in range(1, len(word) + 1)]
    swaps = {word[:place] + word[place + 1] + word[place] + word[place + 2 :] for place in range(len(word) - 1)}
    fewer = {left + right[1:] for left, right in cuts if right}
    more = {left + letter + right for left, right in cuts for letter in _LETTERS}
    other = {left + letter + right[1:] for left, right in cuts if right for letter in _LETTERS}
    return (swaps | fewer | more | (other if len(word) > _SHORTEST else fewer)) - {word}
