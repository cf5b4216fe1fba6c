"""A text cut into sentences, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BREAK = re.compile(r"(?<=[.!?])[\"')\]]*\s+|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*#>|•]|\d+[.)])\s)|(?<=\s\|)(?=\s)")
_LONGEST = 700
_OVERLAP = 120


def segments(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, trimmed. Line breaks within a sentence do not end it; long ones overlap."""
    start = 0
    for match in _BREAK.finditer(text):
        yield from _pieces(text, start, match.start())
        start = match.end()
    yield from _pieces(text, start, len(text))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > _LONGEST:
        yield start, start + _LONGEST
        start += _LONGEST - _OVERLAP
    if end > start:
        yield start, end
