"""Where a reply quotes: fences, block quotes and indented blocks with prose on both sides, and code within a line.

A call that stands there is shown to the person, not made. Markdown's rules for blocks are followed as far as they tell
one from another (https://spec.commonmark.org, "Fenced code blocks", "Indented code blocks", "Block quotes").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from agent.wire.react.patterns import LABEL_LINE, Part, label_of

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_INDENTED = re.compile(r"(?: {4}|\t)\s*\S")
# A span of code at the start of a line that has a label with its value, and words behind it.
_IN_LINE = re.compile(r"[\s>*•\-\d.)]*`[^`\n]+[:：][^`\n]*[^`\s:：][^`\n]*`[^\S\n]*[^\s`]")
_QUOTING_LINE = re.compile(r"[^\S\n]*>| {4}|\t|[\s>*•\-\d.)]*`")
_STEP = (Part.THOUGHT, Part.ACTION, Part.INPUT, Part.OBSERVATION)
_TOKEN = re.compile(r"\s*<[|｜/]|\s*</?(?:observation|tool_response|thought|action|action_input)>")


class Span(NamedTuple):
    """A stretch of a text, as offsets in it."""

    start: int
    end: int


class _Line(NamedTuple):
    span: Span
    text: str
    block: int  # the number of the block that the line is in, or 0


def quotations(text: str, *, whole: bool = True) -> list[Span]:
    """The stretches of a reply that quote, in order.

    A block is one where prose stands before it and goes on behind it; in a text that is not ``whole``, where prose may
    still follow. Behind the first quote all further blocks are quotes: an explanation may well end with one.
    """
    lines = list(_lines(text))
    found = [line.span for line in lines if not line.block and _IN_LINE.match(line.text)]
    told, blocks = False, dict[int, tuple[Span, bool]]()
    for line in lines:
        if line.block:
            span, before = blocks.get(line.block, (line.span, told))
            blocks[line.block] = Span(span.start, line.span.end), before
        elif line.text.strip():
            told = told or _is_prose(line.text)
    goes_on = _going_on(lines, whole)
    quoting = False
    for number, (span, before) in blocks.items():
        quoting = quoting or (before and goes_on[number])
        if quoting:
            found.append(span)
    return sorted(found)


def may_quote(text: str, at: int) -> bool:
    """A glance: whether an offset may stand in a quoting stretch at all."""
    start = text.rfind("\n", 0, at) + 1
    fenced = text.find("```", 0, at) >= 0 or text.find("~~~", 0, at) >= 0
    return fenced or _QUOTING_LINE.match(text, start) is not None


def _lines(text: str) -> Iterator[_Line]:
    at = block = 0
    fence, kind, blank = "", "", True
    for line in text.split("\n"):
        span = Span(at, at + len(line) + 1)
        at = span.end
        mark = _FENCE.match(line)
        if fence:
            yield _Line(span, line, block)
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence, kind = "", ""
            continue
        if mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence, now = mark[1], "fence"
        elif line.lstrip().startswith(">"):
            now = "quote"
        elif _INDENTED.match(line) and (blank or kind == "indented"):
            now = "indented"
        else:
            now = kind if kind == "indented" and not line.strip() else ""
        block += bool(now) and now != kind
        kind, blank = now, not line.strip() or line.rstrip().endswith((":", "："))
        yield _Line(span, line, block if now else 0)


def _is_prose(line: str) -> bool:
    """Whether a line says something: it is no bare label, and no line of a call."""
    found = LABEL_LINE.match(line + "\n")
    if not found:
        return True
    return label_of(found["word"])[0] not in _STEP[1:] and bool(line[found.end() :].strip())


def _going_on(lines: list[_Line], whole: bool) -> dict[int, bool]:
    """By block, whether the first words behind it that no block has are prose or an answer, not the next step."""
    found: dict[int, bool] = {}
    goes_on = not whole
    for line in reversed(lines):
        if line.block:
            found.setdefault(line.block, goes_on)
        elif line.text.strip():
            label = LABEL_LINE.match(line.text + "\n")
            goes_on = not _TOKEN.match(line.text) and not (label and label_of(label["word"])[0] in _STEP)
    return found
