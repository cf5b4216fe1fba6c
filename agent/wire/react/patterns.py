"""The words and patterns of markers: labels at line starts, XML tags, special tokens.

Everything here is a table or a pattern made of one. Each pattern is linear: repeats are possessive or bounded. A
pattern ``…_SO_FAR`` matches up to the end of a text whatever a marker may begin with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum, auto
from functools import cache, lru_cache
from typing import TypeAlias

from agent.text.regex import compiled_regex, regex
from agent.text.word_tables import word_table


class Part(Enum):
    """What a stretch of a reply is. ``PROSE`` stands under no label, ``HEADER`` between special tokens.

    ``ANSWER`` is the final answer, the rest of the reply; ``REPLY`` may still be followed by one, or by a call.
    """

    PROSE = auto()
    THINK = auto()
    THOUGHT = auto()
    ACTION = auto()
    INPUT = auto()
    ANSWER = auto()
    REPLY = auto()
    NEXT = auto()
    HEADER = auto()
    OBSERVATION = auto()
    TURN = auto()

    __hash__ = object.__hash__  # each is there once; the one of ``Enum`` is written in Python, and asked at each marker


# Where a word is a label; elsewhere it is text. "Answer:" inside a tool's input is a line like any other.
ANYWHERE = frozenset(Part)
LOOSE = frozenset({Part.PROSE, Part.THINK, Part.THOUGHT, Part.ACTION, Part.REPLY})
_MARKERS = word_table(__file__, "markers.toml")
_WORDS = [
    (Part[label["part"]], frozenset(Part[name] for name in label["within"]) or ANYWHERE, word)
    for label in _MARKERS["labels"]
    for word in label["words"].split()
]

Label: TypeAlias = tuple[Part, frozenset[Part]]
LABELS: Mapping[str, Label] = {word.replace("-", ""): (part, within) for part, within, word in _WORDS}
TAGS: Mapping[str, Part] = {tag: Part[part] for part, tags in _MARKERS["tags"].items() for tag in tags.split()}


Trie: TypeAlias = dict[str, "Trie"]


def _trie(words: Iterable[str]) -> Trie:
    root: Trie = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = {}
    return root


def _pattern(node: Trie, stop: str = "") -> str:
    """The words of a trie as a pattern, the longest first; with ``stop``, a word may break off where that matches."""
    branches = [_letter(letter) + _pattern(below, stop) for letter, below in node.items() if letter]
    branches += [""] if "" in node else [stop] if stop else []
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


def _words(node: Trie, stop: str = "") -> str:
    """``_pattern`` in two halves: a look at one letter passes all words of ASCII, or all others."""
    plain, others = (
        {letter: below for letter, below in node.items() if letter and letter.isascii() is ascii}
        for ascii in (True, False)
    )
    return rf"(?:(?=[\x00-\x7f]){_pattern(plain, stop)}|(?![\x00-\x7f]){_pattern(others, stop)})"


def _letter(letter: str) -> str:
    if letter == "-":
        return r"[ \t\u00a0_-]{0,4}+"
    return f"[{letter.upper()}{letter}]" if len(letter.upper()) == 1 and letter != letter.upper() else re.escape(letter)


def _letters(words: Iterable[str]) -> tuple[str, str]:
    """The first letters of words, and the second ones, for a set of characters."""
    first, second = (
        re.escape("".join(sorted({letter for word in words for letter in (word[place], word[place].upper())})))
        for place in (0, 1)
    )
    return first, second


def _strong(*parts: Part) -> str:
    """The words that begin one of the parts wherever they are a label, as a pattern."""
    return _pattern(_trie(word for part, within, word in _WORDS if part in parts and within - LOOSE))


_WORD_TRIE = _trie(word for _, _, word in _WORDS)
_SPACE = r"[^\S\n]"
_BULLETS = r">#*_`~•·・‣▪●◦\-–—+=\[【「『(（\u2300-\u23ff\u2600-\u27bf\ufe0f\U0001f300-\U0001faff"
_DECORATION = rf"(?:[{_BULLETS}]|{_SPACE}|[0-9]{{1,3}}[.):）．、])"
_DECORATION_SO_FAR = rf"(?:[{_BULLETS}]|{_SPACE}|[0-9]{{1,3}}(?:[.):）．、]|\Z))"
# Bounded, as are fences: what still may become a label is looked at again with every chunk.
_MARGIN = rf"{_SPACE}{{0,99}}+"
_INDENT = rf"{_MARGIN}(?:{_DECORATION}){{0,24}}+"
_CLOSING = rf"[*_`~\])】」』）]{{0,4}}+{_SPACE}{{0,2}}+"
_NUMBER = rf"{_SPACE}{{0,2}}+(?:[#＃]?[0-9]{{1,3}}|[\[(（][0-9]{{1,3}}[\])）])?+"
_NUMBER_SO_FAR = rf"{_SPACE}{{0,2}}+(?:[#＃]?(?:[0-9]{{1,3}}|\Z)|[\[(（](?:[0-9]{{1,3}}(?:[\])）]|\Z)|\Z))?+"
# A decorated label may close its decoration behind the colon, and a heading needs no colon at all.
_MARKUP = r"(?=[^\n#*_]{0,24}+[#*_])(?:[^\w\n#*]|[0-9]){0,24}+[#*_]"
_DECORATED = rf"(?=(?P<decorated>{_MARKUP})?)"
_END = rf"{_NUMBER}{_CLOSING}(?:[:：](?(decorated)[*_`]{{0,3}}+(?=[^*_`]))|(?(decorated)(?=\n)|(?!)))"
_END_SO_FAR = rf"{_NUMBER_SO_FAR}{_CLOSING}(?:\Z|[:：][*_`]{{0,3}}+\Z)"
_COLON = rf"{_NUMBER}{_CLOSING}[:：]"
_LANGUAGE = rf"[\w-]{{0,24}}+{_SPACE}{{0,8}}+"
_FENCE = rf"(?:\[/INST\]\s{{0,8}}+)?+(?:(?:```|~~~){_LANGUAGE}\n\s{{0,8}}+)?+"
_INSTRUCTION_SO_FAR = _pattern(_trie(["[/INST]"]), stop=r"\Z")
_FENCE_SO_FAR = (
    rf"(?:{_INSTRUCTION_SO_FAR}\s{{0,8}}+)?+(?:`{{1,3}}\Z|~{{1,3}}\Z|(?:```|~~~){_LANGUAGE}(?:\Z|\n\s{{0,8}}+))?+"
)
_IN_TAG = r"[\w/|｜▁]{0,40}+"  # or in a token: longer than any of them
_TAG_SO_FAR = rf"<{_IN_TAG}\Z"

_WORD = _words(_WORD_TRIE)
_LINE = rf"(?:(?=[{_BULLETS}0-9]|{_SPACE}){_DECORATED}{_INDENT})?+(?P<word>{_WORD}){_END}"
# A look at the first two letters turns most lines away, and most tags.
_FIRST, _SECOND = _letters(LABELS)
_FIRST_OF_TAG, _SECOND_OF_TAG = _letters([*TAGS, "start", "end"])
_LINE_SO_FAR = (
    rf"(?:(?=[{_BULLETS}0-9]|{_SPACE}){_MARGIN}(?:{_DECORATION_SO_FAR}){{0,24}}+)?+"
    rf"(?=[{_FIRST}](?:[{_SECOND}]|\Z)|<|\Z)"
    rf"(?:{_words(_WORD_TRIE, stop=chr(92) + 'Z')}{_END_SO_FAR}|{_TAG_SO_FAR})"
)

STEP_WORDS = _strong(*(part for part in Part if part is not Part.TURN))
# The blank before a label on the line of a sentence, which a thought's and an answer's have to be over.
_GLUED = (
    rf"[^\S\n](?:(?<=[\w.,;!?。、！？*\"')][^\S\n])"
    rf"(?=[*_]{{0,2}}{_strong(Part.ACTION, Part.INPUT, Part.OBSERVATION)}{_COLON})"
    rf"|(?<=[.!?。！？*\"')][^\S\n])(?=[*_]{{0,2}}{_strong(Part.THOUGHT, Part.ANSWER)}{_COLON}))"
)
# A thought on the line of a sentence, and an action on the line of a thought.
THOUGHT_IN_LINE = regex(rf"[.!?] {_strong(Part.THOUGHT)}{_COLON}")
ACTION_IN_LINE = regex(rf"[\w.,!?] {_strong(Part.ACTION)}{_COLON}")
LABEL = regex(rf"\n(?=[^\n{_FIRST}]*+[{_FIRST}][{_SECOND}]){_LINE}")
LABEL_SO_FAR = regex(_LINE_SO_FAR)
# Where a line starts without a line break before it: at the start of a reply and after a tag. Replies that stand in
# a code fence as a whole have their first label behind it.
# These two are compiled at once: of a match is asked which of them it is one of.
OPENING = compiled_regex(rf"\s*+{_FENCE}{_LINE}")
FENCE_SO_FAR = regex(rf"\s*+{_FENCE_SO_FAR}")  # matches always

_TOKEN = r"[|｜](?P<token>[\w▁]{1,32}+)[|｜]>"
# A look at two letters, and for the bracket that ends it, turns most of what begins like one away.
TAG = compiled_regex(
    rf"<(?=/?+(?:(?:[|｜]|[{_FIRST_OF_TAG}][{_SECOND_OF_TAG}]){_IN_TAG}|s)>)"
    rf"(?:{_TOKEN}|(?P<close>/)?+(?P<tag>{_pattern(_trie(TAGS))})>|/?+s>|(?P<turn>start|end)_of_turn>)"
)
TAG_SO_FAR = regex(_TAG_SO_FAR)
HEADER_END = regex(rf"\n|<{_TOKEN}")

CLUE = regex(r"[:：#*_>]")  # no label and no tag is complete without one of these
LABELLESS = (Part.THINK, Part.HEADER)  # only tags and tokens count there


@cache
def glued() -> re.Pattern[str]:
    """``_GLUED``, made for the first reply that is looked through for it, since it takes long."""
    return compiled_regex(_GLUED)


def label_line(line: str) -> re.Match[str] | None:
    """The label that a line begins with, one character further than in the line; ``line`` has no line break."""
    return LABEL.match(f"\n{line}\n")


@lru_cache(256)
def label_of(word: str) -> Label:
    """What a label's word, as it is written, begins and where."""
    return LABELS[re.sub(r"[\s_-]", "", word).lower()]
