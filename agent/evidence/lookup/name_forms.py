"""The other forms of a name: in short and in full, its pieces, without the word for its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.text.characters import folded
from agent.text.quantities.claim_words import ALIASES
from agent.text.regex import regex

_LINKS = regex(r"(?:['’]s?)? (?:(?:of|and|for|from|at|in|de|du|von|&)(?: the| la)? )|['’]s? ")
_SMALL = frozenset(("of", "the", "and", "for", "de", "la", "du", "und"))
_OF_PEOPLE = regex(r"(?:(?:wo)?m[ae]n|s)$")
_KINDS = frozenset(
    (
        *("record", "records", "music", "award", "awards", "championship", "championships", "games", "party"),
        *("league", "magazine", "news", "group", "company", "school", "team"),
        *("fc", "cf", "sc", "afc", "gmbh", "ag", "inc", "ltd", "llc", "plc", "corp"),
    )
)
CLUBS = frozenset(("FC", "AC", "AS", "CF", "SC", "SV", "FK", "CD", "CA", "SK", "IFK"))
_KINDS_IN_HAN = regex(
    r"(.{2,}?)(?:駅|市|県|町|村|区|州|川|山|湖|島|港|店|支店|本店|部門|部|課|社|大学|高校|病院|空港|線|橋|館|城|号)$"
)
# Between the heads of which a column is said to be worked out: "Price (£) less 20%", "Years since Joined".
WORKED_OUT = regex(
    r"^\d+ times |^(?:years|months|days) since | (?:minus|plus|times) | less [0-9.]+%$"
    r"| per (?:hour$|day$|week$|month$)?"
    r"|(?<=[日時])から(?=.*まで)|までの(?:日数|時間)$"
)
_ENDINGS = (("our", "or"), ("tre", "ter"))  # British and American: "Harbour Theatre"
_WRITTEN = (("ss", "ß"), ("ae", "æ"), ("oe", "œ"), ("th", "þ"))  # by keyboards
_DOTTED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "ß": "ss"})
UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"))  # and what a letter with dots or a stroke is without accents
_LETTERS = regex(r"[^\W_]+")
_BETWEEN = r"(?:[ .,'’()\-–_]{0,3}|[ -]{0,3}(?:and|&)[ -]{0,3})"
_PARTED = regex(r"[ -]+")
_SHORT = (3, 6)  # letters of a name in short
_MOST_WORDS = 12
_LONG_ENOUGH = 4  # letters of what is left without its kind


def in_short(name: str) -> re.Pattern[str] | None:
    """What "National Harbour Swimming League" is written as in short: "NHSL"; nothing for a name of few words."""
    words = [word for word in name.split() if word.lower() not in _SMALL]
    if len(words) < _SHORT[0]:  # "PTI" of "Parti Travail-Idées"
        words = [word for word in _PARTED.split(name) if word.lower() not in _SMALL and not word.islower()]
    letters = "".join(word[0] for word in words)
    if not (_SHORT[0] <= len(letters) <= _SHORT[1] and letters.isupper() and letters.isascii()):
        return None
    return re.compile(rf"(?<![^\W_]){r'[.]?'.join(letters)}(?![^\W_])")


def in_full(name: str) -> re.Pattern[str] | None:
    """What "NASA" is in short for: "National Aeronautics and Space Administration"."""
    letters = name.replace(".", "")
    if not (2 <= len(letters) <= _SHORT[1] and letters.isascii() and letters.isupper()):
        return None
    return re.compile(r"\b" + r"\w{1,20}(?:['’]s?|\.)?(?: (?:of|and|the|for))? ".join(letters) + r"\w")


def without_kind(name: str) -> str:
    """ "Bluebird" of "Bluebird Records", "Lund" of "FC Lund", 青葉 of 青葉駅; nothing where a name has no such word."""
    if (in_han := _KINDS_IN_HAN.match(name)) is not None:
        return in_han[1]
    first, _, behind = name.partition(" ")
    if first in CLUBS and len(behind) >= _LONG_ENOUGH:
        return behind
    rest, _, kind = name.rpartition(" ")
    return rest.rstrip(",") if kind.lower().replace(".", "") in _KINDS and len(rest) >= _SHORT[0] else ""


def with_kind(lower: str) -> list[str]:
    """A name in lower case with the word for its kind in full: "dj magazine" of "dj mag"."""
    rest, _, kind = lower.rpartition(" ")
    return [f"{rest} {one}" for one in sorted(_KINDS) if rest and len(kind) >= _SHORT[0] and one.startswith(kind)]


def followers(lower: str) -> list[str]:
    """Who is of a faith or a doctrine in lower case: "methodists" of "methodism", "catholic" of "catholicism"."""
    stem = lower.removesuffix("ism")
    if stem == lower or len(stem) < _LONG_ENOUGH:
        return []
    return [f"{stem}s", f"{stem}ist", f"{stem}ists", *([stem] if stem.endswith(("ic", "ant")) else [])]


def spelled_otherwise(lower: str) -> list[str]:
    """A name in lower case in British and in American spelling, and with the letters that other keyboards have."""
    others = [lower.replace(one, other) for one, other in _WRITTEN]
    others += [lower.replace(other, one) for one, other in _WRITTEN]
    for british in (True, False):
        other = lower
        for one, instead in _ENDINGS:
            old, new = (instead, one) if british else (one, instead)
            other = re.sub(rf"(?<=\w\w\w){old}\b(?! de )", new, other)
            others.append(other)
    return [other for other in dict.fromkeys(others) if other != lower]


def without_dots(name: str) -> str:
    """A name in lower case as keyboards without its letters write it: "mueller" of "Müller"."""
    return name.lower().translate(_DOTTED)


def spaced_otherwise(lower: str) -> tuple[str, re.Pattern[str]] | None:
    """The first letters of a name of several words, and the name with other signs between them.

    "j. j. abbott" of "j.j. abbott", "bosnia and herzegovina" of "bosnia-herzegovina".
    """
    words = [word for word in _LETTERS.findall(lower) if word not in ("and", "s")]
    if not 2 <= len(words) <= _MOST_WORDS:
        return None
    return words[0], re.compile(rf"(?<![^\W_]){_BETWEEN.join(words)}(?![^\W_])")


def pieces(name: str) -> list[str]:
    """ "Ruth Bell" and "SDK" of "Ruth Bell of SDK"; the words of a name that has one in short; else nothing."""
    parts = _LINKS.split(name)
    if len(parts) > 1:
        return parts
    words = name.split()
    return words if len(words) > 1 and any(in_full(word) is not None for word in words) else []


def distance_one(one: str, other: str) -> bool:
    """Whether two words differ in at most two letters next to each other."""
    shorter = min(len(one), len(other))
    left = 0
    while left < shorter and one[left] == other[left]:
        left += 1
    right = 0
    while right < shorter - left and one[-1 - right] == other[-1 - right]:
        right += 1
    return max(len(one), len(other)) - left - right <= 2 and left + right >= 3


def aliases(name: str) -> Iterable[str]:
    """What else a country, or who is of it, is called, in one order, whatever their hashes: of "Dutchmen", "US"."""
    for one in dict.fromkeys((name, _OF_PEOPLE.sub("", name))):
        for names in ALIASES:
            if one in names:
                yield from sorted(names - {name})


def code_of(name: str) -> re.Pattern[str] | None:
    """What results of sports call a country, alone in a cell, in brackets, in quotes or between commas: "GER".

    Elsewhere it may be a word or a time zone: "10:00 EST", "MAN CAN FIN".
    """
    codes = [one for one in aliases(folded(name)) if one.isupper()]
    before, after = r"(?:(?<=[(\[|\t,;\n\"])|(?<=[|,;] )|^)", r"(?=[ ]?[)\]|\t,;\n\"]|$)"
    return re.compile(f"{before}(?:{'|'.join(codes)}){after}") if codes else None


_BEFORE_FIGURES = regex(r"(?<![a-z])(?:[fc]y-?|v)$")  # of "FY2024", of "v3.1.0"
_LONGEST_BEFORE = 4  # characters


def begun(text: str, position: int) -> bool:
    """Whether a name can begin at a place of a text in lower case: no letter is before it, or those of a year."""
    if not text[position - 1 : position].isalpha():
        return True
    return _BEFORE_FIGURES.search(text, max(0, position - _LONGEST_BEFORE), position) is not None
