"""The marks of ``openers.toml`` as patterns. Each is linear: repeats are possessive or bounded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from agent.text.regex import regex
from agent.text.word_tables import word_table

_MARKS: dict[str, list[str]] = word_table(__file__, "openers.toml")
_OF_NOISE = ("opening", "closing", "unclosed", "between", "ends")
# MiniMax M3 puts this before each of its tags.
SEPARATOR = "]<]minimax[>["


def _any(words: Iterable[str]) -> str:
    """A pattern of any of the words, the longest first."""
    return "(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + ")"


def _branches(words: Iterable[str], stop: str = "") -> list[str]:
    """The words as branches of a pattern, the longest first; with ``stop``, a word may break off where that matches.

    Each begins with a letter, by which a search passes quickly what is none of them.
    """
    below: dict[str, list[str]] = {}
    for word in filter(None, words):
        below.setdefault(word[0], []).append(word[1:])
    ends = {letter: [""] if "" in tails else [stop] if stop else [] for letter, tails in below.items()}
    return [re.escape(letter) + _group([*_branches(tails, stop), *ends[letter]]) for letter, tails in below.items()]


def _group(branches: list[str]) -> str:
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


PREFIX = _any(_MARKS["prefixes"]) + "?+"
HEAD_TAG = rf"{PREFIX}{_any(_MARKS['heads'])}"
FIELD_TAG = rf"{PREFIX}{_any(_MARKS['fields'])}"
JOINTS = rf"(?:{_any(_MARKS['joints'])}|\[CALL_ID\][^\[\]\n]{{0,99}}+\[ARGS\]|\s)*+"
_TAG = rf"{PREFIX}{_any(_MARKS['tags'])}(?::opensource)?+>"
_WORDS = rf"(?:{_any(_MARKS['words'])}(?=[\[\w]))"
_FENCES = rf"```{_any(_MARKS['fences'])}\b"
_HEAD = rf"<{HEAD_TAG}(?:=| ?name=)"
_SEPARATOR = rf"(?:(?<!\S)\])?+{re.escape(SEPARATOR[1:])}"
_TOKENS = [*_MARKS["opening"], *_MARKS["unclosed"], "<|open|>call ", "<|channel|>", "<|start|>"]
_MARK = rf"<{_TAG}|{_HEAD}|{_any(_TOKENS)}|{_SEPARATOR}"

# Where calls may begin. A ``word`` does so only where none goes on.
OPENER = regex(rf"{_MARK}|(?P<word>{_WORDS}|{_FENCES})")
OPENER_OR_FENCE = regex(rf"(?<=\n)(?P<fence>```)|(?P<thought></think(?:ing)?>)|{_MARK}|(?<!\S)(?:{_WORDS}|{_FENCES})")
# What stands between calls, or between a mark and its call.
_OPENING = rf"<{_TAG}|{_any(_MARKS['opening'])}"
_TOKENS_OF_CLOSING, _WORDS_OF_CLOSING = (
    _any(mark.removeprefix("<") for mark in _MARKS["closing"] if mark.startswith("<") is token)
    for token in (True, False)
)
# Each branch starts with a character of its own, so that a search passes quickly what is none.
CLOSING = regex(rf"<(?:/{_TAG}|/{HEAD_TAG}>|{_TOKENS_OF_CLOSING})|{_WORDS_OF_CLOSING}")
BRACKET = regex(rf"(?P<opens>{_OPENING})|(?P<fence>```)|{CLOSING.pattern}")
_ENDS = _group(_branches([*_MARKS["ends"], *_MARKS["closing"]]))
_NOISE = _group(_branches(chain.from_iterable(_MARKS[kind] for kind in _OF_NOISE)))
NOISE = regex(rf"(?:\s|[;,]|</?+{_TAG}|```[\w-]{{0,24}}+|{_NOISE}|{_WORDS})*+")
# What may stand around the calls of a message that is nothing but calls.
BESIDE = regex(rf"(?:\s|[;,]|```(?:[\w-]{{0,24}}+[^\S\n]{{0,8}}+(?:\n|\Z))|{_ENDS})*+")
RESULT = regex(_any(_MARKS["results"]))
LEFTOVERS = regex(
    rf"</?+{_TAG}|<\|[\w▁]{{1,40}}+\|>|{_any([*_MARKS['ends'], *_MARKS['opening'], *_MARKS['closing'], SEPARATOR])}"
)


def _openers() -> Iterator[str]:
    yield from (*_TOKENS, SEPARATOR[1:])
    for prefix in ("", *_MARKS["prefixes"]):
        yield from (f"<{prefix}{tag}{end}" for tag in _MARKS["tags"] for end in (">", ":opensource>"))
        yield from (f"<{prefix}{head}{end}" for head in _MARKS["heads"] for end in ("=", " name=", "name="))


def starts_of(words: Iterable[str]) -> frozenset[str]:
    """All that one of the words may begin with."""
    return frozenset(word[:end] for word in words for end in range(1, len(word) + 1))


# All that an opener may begin with, at the end of a text that goes on.
_ENDS_OF_THINKING = ("</think>", "</thinking>")
STARTS = starts_of((*_openers(), *_ENDS_OF_THINKING))
_FENCE_WORDS = tuple(f"```{fence}" for fence in _MARKS["fences"])
_WORD_OPENERS = (*_MARKS["words"], SEPARATOR, *_FENCE_WORDS)
WORD_STARTS = starts_of(_WORD_OPENERS)
BETWEEN_STARTS = starts_of((*_MARKS["between"], *_MARKS["ends"]))
CALL_FENCES = frozenset(_MARKS["fences"])
LONGEST = max(map(len, STARTS))


def _alone(branches: list[str]) -> list[str]:
    """The branches where no word goes on: behind the first letter is looked at what stands before it."""
    firsts = [re.match(r"\\?.", branch, re.DOTALL) for branch in branches]
    return [
        rf"{first[0]}(?<!\S{first[0]}){branch[first.end() :]}"
        for first, branch in zip(firsts, branches, strict=True)
        if first
    ]


def _marked(more: Iterable[str], stop: str) -> list[str]:
    """The openers and the words ``more`` as ``_branches``; the prefixes stand before all names at once."""
    tags = (f"{tag}{end}" for tag in _MARKS["tags"] for end in (">", ":opensource>"))
    heads = (f"{head}{end}" for head in _MARKS["heads"] for end in ("=", " name=", "name="))
    named = _group(_branches([*tags, *heads], stop))
    words = [*_TOKENS, SEPARATOR[1:], *more]
    behind = [f"(?:{'|'.join(_branches(_MARKS['prefixes']))})?{named}"]
    behind += _branches([word[1:] for word in words if word[0] == "<"], stop)
    behind += [_group(_branches(_MARKS["prefixes"], stop)) + stop, stop] if stop else []
    return [f"<{_group(behind)}", *_branches([word for word in words if word[0] != "<"], stop)]


# Where an opener or a fence may be, or may begin at the end of a text that goes on; a look for these alone is quick.
_END = r"\Z"
CLUE = regex("|".join([*_marked(_ENDS_OF_THINKING, _END), *_alone(_branches([*_WORD_OPENERS, "```"], _END))]))
_FOLLOWED = [rf"{re.escape(word)}(?=[\[\w])" for word in _MARKS["words"]]
_CLUE_OF_OPENER = regex("|".join([*_marked((), ""), *_branches([SEPARATOR, *_FENCE_WORDS]), *_FOLLOWED]))
_WHOLE = frozenset((*_openers(), *_ENDS_OF_THINKING, *_WORD_OPENERS, "```"))
FIRSTS = frozenset(word[0] for word in _WHOLE)


def first(text: str, at: int) -> re.Match[str] | None:
    """The first ``OPENER`` from ``at`` on. Within a run of backticks none begins."""
    while clue := _CLUE_OF_OPENER.search(text, at):
        start = clue.start()
        in_run = start > at and text[start - 1 : start + 1] == "``"
        if not in_run and (found := OPENER.match(text, start)):
            return found
        at = start + 1
    return None


def next_opener(text: str, at: int) -> tuple[re.Match[str] | None, int]:
    """The first ``OPENER_OR_FENCE`` from ``at`` on, and where it begins.

    Where there is none, where the last characters begin to be what one may begin with, or the text's length.
    """
    size = len(text)
    while clue := CLUE.search(text, at):
        start, end = clue.span()
        if end == size and clue[0] not in _WHOLE and not clue[0].startswith("```"):
            return None, start
        if found := OPENER_OR_FENCE.match(text, start):
            return found, start
        if end == size:
            return None, start
        at = start + 1
    return None, size
