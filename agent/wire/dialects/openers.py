"""The marks of ``openers.toml`` as patterns. Each is linear: repeats are possessive or bounded."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

_MARKS: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("openers.toml").read_text(encoding="utf-8"))
# MiniMax M3 puts this before each of its tags.
SEPARATOR = "]<]minimax[>["


def _any(words: Iterable[str]) -> str:
    """A pattern of any of the words, the longest first."""
    return "(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + ")"


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
_MARKED = rf"<{_TAG}|{_HEAD}|{_any(_TOKENS)}|{_SEPARATOR}"

# Where calls may begin. A ``word`` does so only where none goes on.
OPENER = re.compile(rf"{_MARKED}|(?P<word>{_WORDS}|{_FENCES})")
OPENER_OR_FENCE = re.compile(
    rf"(?<=\n)(?P<fence>```)|(?P<thought></think(?:ing)?>)|{_MARKED}|(?<!\S)(?:{_WORDS}|{_FENCES})"
)
# What stands between calls, or between a mark and its call.
_OPENING = rf"<{_TAG}|{_any(_MARKS['opening'])}"
CLOSING = re.compile(rf"</{_TAG}|</{HEAD_TAG}>|{_any(_MARKS['closing'])}")
BRACKET = re.compile(rf"(?P<opens>{_OPENING})|(?P<fence>```)|{CLOSING.pattern}")
NOISE = re.compile(
    rf"(?:\s|[;,]|</?+{_TAG}|```[\w-]{{0,24}}+"
    rf"|{_any([*(word for kind in ('opening', 'closing', 'unclosed', 'between', 'ends') for word in _MARKS[kind])])}"
    rf"|{_WORDS})*+"
)
# What may stand around the calls of a message that is nothing but calls.
BESIDE = re.compile(
    rf"(?:\s|[;,]|```(?:[\w-]{{0,24}}+[^\S\n]{{0,8}}+(?:\n|\Z))|{_any([*_MARKS['ends'], *_MARKS['closing']])})*+"
)
RESULT = re.compile(_any(_MARKS["results"]))
LEFTOVERS = re.compile(
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
_WORD_OPENERS = (*_MARKS["words"], SEPARATOR, *(f"```{fence}" for fence in _MARKS["fences"]))
WORD_STARTS = starts_of(_WORD_OPENERS)
BETWEEN_STARTS = starts_of((*_MARKS["between"], *_MARKS["ends"]))
CALL_FENCES = frozenset(_MARKS["fences"])
LONGEST = max(map(len, STARTS))


def _starting(words: Iterable[str], depth: int = 4) -> str:
    """A pattern of the first characters of the words, or of as many as there are at the end of a text."""
    below: dict[str, list[str]] = {}
    for word in words:
        if word:
            below.setdefault(word[0], []).append(word[1:])
    rest = {letter: _starting(tails, depth - 1) if depth > 1 and all(tails) else "" for letter, tails in below.items()}
    branches = [re.escape(letter) + (f"(?:\\Z|{tail})" if tail else "") for letter, tail in sorted(rest.items())]
    return "|".join(branches)


# A look for these alone is quick.
CLUE = re.compile(_starting([*_openers(), *_WORD_OPENERS, *_ENDS_OF_THINKING, "```"]))
_CLUE_OF_OPENER = re.compile(_starting([*_openers(), *_WORD_OPENERS]))

_RUN = re.compile("`++")


def first(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str] | None:
    """The first match of one of the patterns of openers from ``at`` on. Within a run of backticks none begins."""
    clues = _CLUE_OF_OPENER if pattern is OPENER else CLUE
    while clue := clues.search(text, at):
        start = clue.start()
        in_run = start > at and text[start - 1 : start + 1] == "``"
        if not in_run and (found := pattern.match(text, start)):
            return found
        at = past_clue(text, start)
    return None


def past_clue(text: str, at: int) -> int:
    """Where the next clue may be, behind one at ``at``: a run of backticks is one."""
    run = _RUN.match(text, at) if text[at] == "`" else None
    return run.end() if run else at + 1
