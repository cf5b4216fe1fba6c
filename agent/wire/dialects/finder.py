"""Which calls of a whole text count: those of declared tools that the text makes, not those that it shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from agent.text.regex import regex
from agent.wire.dialects.call_forms import read_call
from agent.wire.dialects.call_heads import bare_begins, call_begins
from agent.wire.dialects.call_values import Call, Declared, Form
from agent.wire.dialects.openers import BESIDE, BRACKET, CLOSING, LEFTOVERS, NOISE, RESULT, SEPARATOR, first
from agent.wire.dialects.quotation import Quotation
from agent.wire.dialects.tag_forms import NAMED_TAGS

_MOST_OPENERS = 8  # that lead to no call; a text with more of them is no reply of a working model

_FENCE_LINE = regex(r"(?:\A|\n)[^\S\n]{0,3}```[\w-]{0,24}\s{0,8}\Z")  # that opens before a call


class Found(NamedTuple):
    """Calls in a text: what stood before the first, what behind the last, and what was not believed behind that.

    ``unfinished`` says that one more call began, which was cut off or cannot be read; there may be no other.
    """

    before: str
    calls: tuple[Call, ...]
    after: str = ""
    unfinished: bool = False
    invented: str = ""


class _Block(NamedTuple):
    """Calls that follow one another; the first ``settled`` of them were closed, ``open`` says that another mark is."""

    start: int
    end: int
    calls: tuple[Call, ...]
    settled: int
    open: bool = False


def find(text: str, tools: Declared, *, ended: bool) -> Found | None:
    """The calls that a text makes; ``None`` where it makes none. ``ended`` is false where it was cut by its length."""
    if not tools:
        return None
    text = text.replace(SEPARATOR, "")
    known: dict[int, Form] = {}
    if message := _nothing_but_calls(text, tools, known):
        return _found(text, [message], ended)
    blocks: list[_Block] = []
    missed: list[int] = []
    quotation = Quotation(text)
    at = 0
    while len(missed) < _MOST_OPENERS and (opener := first(text, at)):
        block = _block(text, opener.start(), tools, known)
        if not block.calls:
            missed.append(opener.start())
        elif (opener["word"] and text[block.start - 1 : block.start].strip()) or quotation.shows(
            block.start, block.end
        ):
            return _found(text, blocks, ended) if blocks else None
        elif not blocks or not RESULT.search(text, blocks[-1].end, block.start):
            blocks.append(block)
        at = max(block.end, opener.end())
    return _found(text, blocks, ended) if blocks else _broken(text, missed, tools, ended)


def _found(text: str, blocks: list[_Block], ended: bool) -> Found:
    calls = tuple([call for block in blocks for call in (block.calls if ended else block.calls[: block.settled])])
    end = blocks[-1].end
    result = RESULT.search(text, end)
    stop = result.start() + text.startswith("\n", result.start()) if result else len(text)
    between = [text[one.end : next_one.start] for one, next_one in pairwise(blocks)]
    after = LEFTOVERS.sub("", "".join(between) + text[end:stop]).strip("` \n")
    unfinished = not ended and any(block.open or len(block.calls) > block.settled for block in blocks)
    return Found(_before(text, blocks[0].start), calls, after, unfinished, text[stop:])


def _broken(text: str, missed: list[int], tools: Declared, ended: bool) -> Found | None:
    """A call of a declared tool that begins and cannot be read, up to the end of the text."""
    start = next((start for start in missed if call_begins(text, start, tools)), -1)
    if start < 0 and not ended and text.lstrip()[:1] in ("{", "[") and bare_begins(text.lstrip(), tools):
        start = 0
    if start < 0 or not any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text[start:]) for name in tools):
        return None
    if Quotation(text).shows(start, len(text)):
        return None
    closers = list(CLOSING.finditer(text, start)) if ended else []
    if ended and not (closers and not text[closers[-1].end() :].strip("` \n")):
        return None
    return Found(_before(text, start), (), unfinished=True)


def _before(text: str, start: int) -> str:
    return _FENCE_LINE.sub("", text[:start])


def _nothing_but_calls(text: str, tools: Declared, known: dict[int, Form]) -> _Block | None:
    """A message that is nothing but calls, which need no mark then; a fence around them is none of them.

    Those in tags are kept in ``known``, by where they begin.
    """
    calls: list[Call] = []
    settled = at = fences = 0
    while True:
        beside = BESIDE.match(text, at)
        end = beside.end() if beside else at
        fences += text.count("```", at, end)
        at = end
        if at == len(text):
            return _Block(0, at, tuple(calls), settled) if calls else None
        form = read_call(text, at, tools, marked=False, fenced=fences % 2 == 1)
        if not form:
            return None
        if text[at] == "<":
            known[at] = form
        calls += form.calls
        settled = len(calls) if form.whole else settled
        at = form.end


def _block(text: str, start: int, tools: Declared, known: Mapping[int, Form]) -> _Block:
    """The calls that follow an opener, if any, with the marks between them; some are ``known`` by where they begin."""
    calls: list[Call] = []
    at, settled, depth = start, 0, 0
    whole = False
    while True:
        noise = NOISE.match(text, at)
        end = noise.end() if noise else at
        marks = text[at:end]
        closed, depth = _closed(marks, depth)
        settled = len(calls) if whole and closed else settled
        form = known.get(end)
        if not form or text.startswith(NAMED_TAGS, end):  # which are read in another way behind a mark
            form = read_call(text, end, tools, marked=True)
        if not form:
            return _Block(start, at + len(marks.rstrip()), tuple(calls), settled, depth > 0)
        calls += form.calls
        whole, at = form.whole, form.end


def _closed(marks: str, depth: int) -> tuple[bool, int]:
    """Whether all that was open before the marks was closed within them, and how much is open behind them."""
    closed = depth == 0
    fenced = depth % 2 == 1
    depth -= fenced
    for mark in BRACKET.finditer(marks):
        if mark["fence"]:
            fenced = not fenced
        else:
            depth = depth + 2 if mark["opens"] else max(depth - 2, 0)
        closed |= depth == 0 and not fenced
    return closed, depth + fenced
