"""Words of questions and of headers in one form, and what they mean beside names of tables, columns and values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, Literal, cast
from unicodedata import normalize

from agent.text.quantities.dates import MONTH, month_number
from agent.text.quantities.number_words import SMALL
from agent.text.real_words import is_real
from agent.text.regex import regex
from agent.text.word_tables import word_table

LEXICON: Mapping[str, Mapping[str, Any]] = word_table(__file__, "lexicon.toml")
NUMBERS: Mapping[str, int] = {**SMALL, "twenty": 20}
MONTHS: Mapping[str, int] = {name: month_number(name) for name in MONTH.replace("\\.?", "").split("|")}


def _read(english: Mapping[str, Sequence[str]]) -> dict[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """By the words of each phrase, all roles and texts that it can have."""
    found: dict[tuple[str, ...], dict[tuple[str, str], None]] = {}
    for head, phrases in english.items():
        role, _, meaning = head.partition(" ")
        for phrase in phrases:
            key = tuple(re.findall(r"[^\W\d_]+(?:'[a-z]+)?|[<>!=:&,]+", phrase))
            found.setdefault(key, {})[role, meaning] = None
    return {key: tuple(meanings) for key, meanings in found.items()}


PHRASES: Mapping[tuple[str, ...], tuple[tuple[str, str], ...]] = _read(LEXICON["english"])
LONGEST_PHRASE = max(map(len, PHRASES))


_TOKEN = regex(
    r"“(?P<curly>[^“”]+)”|\"(?P<straight>[^\"]+)\"|(?<!\w)'(?P<single>[^']+)'(?!\w)"
    r"|(?P<day>\d{4}-\d{2}-\d{2}|\d{4}/\d{2}/\d{2})(?!\d)|(?P<month>\d{4}-\d{2})(?![\d-])"
    r"|(?P<number>(?<![\w.])[$€£¥]?-?\d+(?:,\d{3})*(?:\.\d+)?(?: ?%|[kKmM]\b)?)"
    r"|(?P<word>[^\W\d_]+(?:&[^\W\d_]+)*(?:'[a-z]+)?|\d+)"
    r"|(?P<mark>[<>!]=|[<>=;,:])"
)
Kind = Literal["quoted", "day", "month", "number", "word", "mark"]
_LEAST_NEAR = 5  # letters: shorter words are too easily another one
_NEAR = 0.82


@dataclass(frozen=True, slots=True)
class Token:
    """``word``: its form to compare, "" for a quoted text; ``text`` as written, without quotation marks.

    ``gap``: what stands between it and the token before.
    """

    kind: Kind
    text: str
    word: str
    start: int
    end: int
    gap: str = ""


def typed(several: Sequence[Token]) -> str:
    """The text of some tokens in a row, with what stands between them without a blank: "R&D", "O'Brien"."""
    gaps = [
        "",
        *(" " if token.gap != ". " and any(map(str.isspace, token.gap)) else token.gap for token in several[1:]),
    ]
    return "".join(f"{gap}{token.text}" for gap, token in zip(gaps, several, strict=True))


def tokens(asked: str) -> list[Token]:
    found: list[Token] = []
    done = 0
    for match in _TOKEN.finditer(asked):
        kind = match.lastgroup or "mark"
        text, gap, done = match[kind], asked[done : match.start()], match.end()
        quoted = kind in ("curly", "straight", "single")
        word = "" if quoted else text if kind == "mark" else form(text)
        found.append(Token(cast("Kind", "quoted" if quoted else kind), text, word, match.start(), match.end(), gap))
    return found


@lru_cache(maxsize=4096)
def form(word: str) -> str:
    """``Cities`` gives ``city``; words that only look plural, as "status", become no plural either."""
    word = _singular(re.sub(r"'s$|'$", "", normalize("NFKC", word).casefold()))
    return LEXICON["abbreviations"].get(word, word)


_OF_VES = {
    **{f"{one}ves": f"{one}f" for one in ("loa", "lea", "shel", "hal", "wol", "cal", "scar", "thie")},
    **{f"{one}ves": f"{one}fe" for one in ("kni", "li", "wi")},
}


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word in _OF_VES:
        return _OF_VES[word]
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """The words of a header: ``OrderDate``, ``order_dates`` and "Order date" have the same."""
    spaced = re.sub(r"(?<=[^\W\d_A-Z])(?=[A-Z])", " ", normalize("NFKC", name))
    return tuple(form(word) for word in re.findall(r"[^\W\d_]+(?:&[^\W\d_]+)*|\d+", spaced))


def near(one: str, other: str) -> bool:
    """Whether one word is the other, misspelt or in another form: "organised", and not "chess" for "cheese"."""
    least = min(len(one), len(other))
    if least < _LEAST_NEAR or abs(len(one) - len(other)) > 2 or one[0] != other[0]:
        return False
    alike = SequenceMatcher(None, one, other, autojunk=False).ratio() >= _NEAR
    return alike and (one[: least - 1] == other[: least - 1] or not (is_real(one) and is_real(other)))


def same(given: Sequence[str], wanted: Sequence[str]) -> int | None:
    """0 where the words are equal, else how many of them are misspelt; ``None`` where they are others."""
    if len(given) != len(wanted):
        return None
    wrong = 0
    for one, other in zip(given, wanted, strict=True):
        if one != other:
            if not near(one, other):
                return None
            wrong += 1
    return wrong
