"""Whether a call in a text is only shown there: in code, in a quotation, or in the middle of prose."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from operator import itemgetter
from typing import TypeAlias

from agent.text.regex import regex
from agent.wire.dialects.openers import LEFTOVERS, RESULT

_FENCE = regex(r"^[^\S\n]{0,3}+(`{3,}+|~{3,}+)([^`\n]*+)$", re.MULTILINE)
_RUN = regex(r"`++")
_QUOTES = frozenset("\"'`“”„‚‘’«»‹›「『【（(|")
_QUOTING = regex(r"[^\S\n]*+>")
_TAG = regex(r"<(?:pre|code|blockquote|kbd|samp|q)\b[^<>]{0,99}+>\s*+\Z")
_INDENT = regex(r"[^\S\n]{4}|\t")
_INTRODUCED = regex(r"[:：][*_]{0,3}+\s*+\Z")
_WORDS = regex(rf"(?:{LEFTOVERS.pattern}|\W)*+\w")
_NEAR = 120  # characters before a call in which is looked for what introduces it

_Spans: TypeAlias = list[tuple[int, int]]


class Quotation:
    """The fences and the inline code of one text. Calls are asked about in their order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._result = -1  # where the next invented result begins

    @cached_property
    def _fences(self) -> _Spans:
        return list(_fences(self._text))

    @cached_property
    def _inline(self) -> _Spans:
        return list(_inline(self._text, self._fences))

    def shows(self, start: int, end: int) -> bool:
        """Whether what stands from ``start`` to ``end`` is shown.

        In a fence it is where there are words before and behind the fence. In inline code, behind a quotation mark and
        in a quoted line it is always. Elsewhere it is where words follow and it stands in a line of prose, or behind
        other words indented as code is, behind a colon, or with the words that follow on its last line.
        """
        if fence := _around(self._fences, start):
            return self._has_words(0, fence[0]) and self._has_words(max(fence[1], end), len(self._text))
        inline = _around(self._inline, start)
        if (inline and end <= inline[1]) or self._is_quoted(start):
            return True
        return self._has_words(end, self._next_result(end)) and self._is_introduced(start, end)

    def _is_quoted(self, start: int) -> bool:
        text = self._text
        near = text[max(0, start - _NEAR) : start]
        mark = near.rstrip(" ")[-1:]
        return bool(mark in _QUOTES and mark) or bool(
            _QUOTING.match(text, self._line(start), start) or _TAG.search(near)
        )

    def _is_introduced(self, start: int, end: int) -> bool:
        text, line = self._text, self._line(start)
        near = text[max(0, start - _NEAR) : start]
        line_end = text.find("\n", end)
        goes_on = self._has_words(end, line_end if line_end >= 0 else len(text))
        if _INTRODUCED.search(near) or ((goes_on or _INDENT.match(text, line)) and self._has_words(0, start)):
            return True
        return bool(LEFTOVERS.sub("", near.rpartition("\n")[2]).strip())

    def _line(self, at: int) -> int:
        return self._text.rfind("\n", 0, at) + 1

    def _next_result(self, at: int) -> int:
        if self._result < at:
            found = RESULT.search(self._text, at)
            self._result = found.start() if found else len(self._text)
        return self._result

    def _has_words(self, start: int, end: int) -> bool:
        return _WORDS.match(self._text, start, end) is not None


def _around(spans: _Spans, at: int) -> tuple[int, int] | None:
    """The span that ``at`` is in; spans are in order and apart."""
    place = bisect_right(spans, at, key=itemgetter(0)) - 1
    return spans[place] if place >= 0 and at < spans[place][1] else None


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Where fenced code stands, its fences included; one that is not closed goes on to the end."""
    opened, mark = -1, ""
    for line in _FENCE.finditer(text):
        if opened < 0:
            opened, mark = line.start(), line[1]
        elif line[1].startswith(mark) and not line[2].strip():
            yield opened, line.end()
            opened = -1
    if opened >= 0:
        yield opened, len(text)


def _inline(text: str, fences: _Spans) -> Iterator[tuple[int, int]]:
    """Where inline code stands: from a run of backticks to the next of the same length in the same paragraph."""
    runs = [run.span() for run in _RUN.finditer(text) if not _around(fences, run.start())]
    later: dict[int, int] = {}
    partners = [0] * len(runs)
    for place in range(len(runs) - 1, -1, -1):
        start, end = runs[place]
        partners[place] = later.get(end - start, 0)
        later[end - start] = place
    place = 0
    while place < len(runs):
        partner = partners[place]
        if partner and "\n\n" not in text[runs[place][1] : runs[partner][0]]:
            yield runs[place][0], runs[partner][1]
            place = partner
        place += 1
