"""The words and patterns of markers: labels at line starts, XML tags, special tokens.

Everything here is a table or a pattern made of one. Each pattern is linear: repeats are possessive or bounded. A
pattern ``…_SO_FAR`` matches up to the end of a text whatever a marker may begin with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import TypeAlias


class Part(Enum):
    """What a stretch of a reply is. ``PROSE`` stands under no label, ``HEADER`` between special tokens."""

    PROSE = auto()
    THINK = auto()
    THOUGHT = auto()
    ACTION = auto()
    INPUT = auto()
    ANSWER = auto()
    NEXT = auto()
    HEADER = auto()
    OBSERVATION = auto()
    TURN = auto()


# Where a word is a label; elsewhere it is text. "Answer:" inside a tool's input is a line like any other.
ANYWHERE = frozenset(Part)
LOOSE = frozenset({Part.PROSE, Part.THINK, Part.THOUGHT, Part.ACTION})
_BEFORE_INPUT = frozenset({Part.PROSE, Part.THOUGHT, Part.ACTION})
_IN_ACTION = frozenset({Part.ACTION})
_AFTER_TEXT = frozenset({Part.PROSE, Part.ANSWER})
_AFTER_ANSWER = frozenset({Part.ANSWER, Part.NEXT})

_WORDS: tuple[tuple[Part, frozenset[Part], str], ...] = (
    (Part.THOUGHT, ANYWHERE, "thought thoughts 思考 考え 想法"),
    (Part.ACTION, ANYWHERE, "action アクション 行動 行动 動作 动作"),
    (
        Part.INPUT,
        ANYWHERE,
        "action-input 行動の入力 行動入力 アクションの入力 アクション入力 行动输入 行動輸入 动作输入",
    ),
    (Part.INPUT, _IN_ACTION, "input tool-input action-args action-arguments arguments parameters 入力 输入"),
    (Part.OBSERVATION, ANYWHERE, "observation observations 観察 観測 観察結果 观察 觀察 观察结果"),
    (Part.ANSWER, ANYWHERE, "final-answer 最終的な答え 最終的な回答 最終回答 最終答え 最终答案 最終答案 最终回答"),
    (Part.ANSWER, _BEFORE_INPUT, "answer ai assistant 答え 回答 答案"),
    (
        Part.NEXT,
        _AFTER_TEXT,
        "next-action next-actions next-questions suggested-follow-ups suggested-follow-up-questions "
        "suggested-questions follow-up-questions 次の質問 次の行動 后续问题 下一步行动",
    ),
    (Part.TURN, _AFTER_ANSWER, "question human user 質問 ユーザー 问题 用户"),
)

Label: TypeAlias = tuple[Part, frozenset[Part]]
LABELS: Mapping[str, Label] = {
    word.replace("-", ""): (part, within) for part, within, words in _WORDS for word in words.split()
}

TAGS: Mapping[str, Part] = {
    "think": Part.THINK,
    "thinking": Part.THINK,
    "reasoning": Part.THINK,
    "thought": Part.THOUGHT,
    "action": Part.ACTION,
    "tool_call": Part.ACTION,
    "function_call": Part.ACTION,
    "action_input": Part.INPUT,
    "tool_input": Part.INPUT,
    "observation": Part.OBSERVATION,
    "tool_response": Part.OBSERVATION,
    "final_answer": Part.ANSWER,
    "answer": Part.ANSWER,
    "next_actions": Part.NEXT,
}


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


def _letter(letter: str) -> str:
    if letter == "-":
        return "[ _-]?"
    return f"[{letter.upper()}{letter}]" if letter.isascii() and letter.isalpha() else re.escape(letter)


_WORD_TRIE = _trie(word for _, _, words in _WORDS for word in words.split())
_SPACE = r"[^\S\n]"
_BULLETS = r">#*_`~•·・‣▪●◦\-–—+=\[【「『(（"
_DECORATION = rf"(?:[{_BULLETS}]|{_SPACE}|[0-9]{{1,3}}[.):）．、])"
_DECORATION_SO_FAR = rf"(?:[{_BULLETS}]|{_SPACE}|[0-9]{{1,3}}(?:[.):）．、]|\Z))"
# Bounded, as are fences: what still may become a label is looked at again with every chunk.
_MARGIN = rf"{_SPACE}{{0,99}}+"
_INDENT = rf"{_MARGIN}(?:{_DECORATION}){{0,24}}+"
_CLOSING = rf"[*_`~\])】」』）]{{0,4}}+{_SPACE}{{0,2}}+"
_NUMBER = rf"{_SPACE}{{0,2}}+(?:[#＃]?[0-9]{{1,3}}|[\[(（][0-9]{{1,3}}[\])）])?+"
_NUMBER_SO_FAR = rf"{_SPACE}{{0,2}}+(?:[#＃]?(?:[0-9]{{1,3}}|\Z)|[\[(（](?:[0-9]{{1,3}}(?:[\])）]|\Z)|\Z))?+"
# A decorated label may close its decoration behind the colon, and a heading needs no colon at all.
_MARKUP = r"(?:[^\w\n]|[0-9]){0,24}?[#*_]"
_DECORATED = rf"(?=(?P<decorated>{_MARKUP})?)"
_END = rf"{_NUMBER}{_CLOSING}(?:[:：](?(decorated)[*_`]{{0,3}}+(?=[^*_`]))|(?(decorated)(?=\n)|(?!)))"
_END_SO_FAR = rf"{_NUMBER_SO_FAR}{_CLOSING}(?:\Z|[:：][*_`]{{0,3}}+\Z)"
_LANGUAGE = rf"[\w-]{{0,24}}+{_SPACE}{{0,8}}+"
_FENCE = rf"(?:\[/INST\]\s{{0,8}}+)?+(?:```{_LANGUAGE}\n\s{{0,8}}+)?+"
_INSTRUCTION_SO_FAR = _pattern(_trie(["[/INST]"]), stop=r"\Z")
_FENCE_SO_FAR = rf"(?:{_INSTRUCTION_SO_FAR}\s{{0,8}}+)?+(?:`{{1,3}}\Z|```{_LANGUAGE}(?:\Z|\n\s{{0,8}}+))?+"
_IN_TAG = r"[\w/|｜▁]{0,40}+"  # or in a token: longer than any of them
_TAG_SO_FAR = rf"<{_IN_TAG}\Z"

_WORD = _pattern(_WORD_TRIE)
_LINE = rf"(?:(?=[{_BULLETS}0-9]|{_SPACE}){_DECORATED}{_INDENT})?(?P<word>{_WORD}){_END}"
# A look at the first two letters turns most lines away.
_FIRST, _SECOND = (
    re.escape("".join(sorted({letter for word in LABELS for letter in (word[place], word[place].upper())})))
    for place in (0, 1)
)
_LINE_SO_FAR = (
    rf"(?:(?=[{_BULLETS}0-9]|{_SPACE}){_MARGIN}(?:{_DECORATION_SO_FAR}){{0,24}}+)?+"
    rf"(?=[{_FIRST}](?:[{_SECOND}]|\Z)|<|\Z)"
    rf"(?:{_WORD}{_END_SO_FAR}|{_pattern(_WORD_TRIE, stop=chr(92) + 'Z')}\Z|{_TAG_SO_FAR})"
)

LABEL = re.compile(rf"\n(?=[^\n{_FIRST}]*+[{_FIRST}][{_SECOND}]){_LINE}")
LABEL_SO_FAR = re.compile(_LINE_SO_FAR)
# Where a line starts without a line break before it: at the start of a reply and after a tag. Replies that stand in
# a code fence as a whole have their first label behind it.
OPENING = re.compile(rf"\s*+{_FENCE}{_LINE}")
FENCE_SO_FAR = re.compile(rf"\s*+{_FENCE_SO_FAR}")  # matches always

_TOKEN = r"[|｜](?P<token>[\w▁]{1,32}+)[|｜]>"
# A look for the bracket that ends it turns most of what begins like one away.
TAG = re.compile(
    rf"<(?=[/|｜a-zA-Z]{_IN_TAG}>)"
    rf"(?:{_TOKEN}|(?P<close>/)?+(?P<tag>{_pattern(_trie(TAGS))})>|/?+s>|(?P<turn>start|end)_of_turn>)"
)
TAG_SO_FAR = re.compile(_TAG_SO_FAR)
HEADER_END = re.compile(rf"\n|<{_TOKEN}")

CLUE = re.compile(r"[:：#*_>]")  # no label and no tag is complete without one of these
LABELLESS = (Part.THINK, Part.HEADER)  # only tags and tokens count there
