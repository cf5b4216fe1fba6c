"""Where the markers of a text are, and from where on it may still become one."""

from __future__ import annotations

import re
from typing import NamedTuple

from agent.wire.react.patterns import (
    ANYWHERE,
    FENCE_SO_FAR,
    HEADER_END,
    LABEL,
    LABEL_SO_FAR,
    LOOSE,
    OPENING,
    TAG,
    TAG_SO_FAR,
    TAGS,
    Part,
    label_of,
)


class Mark(NamedTuple):
    """A marker in a text: the text before it ends at ``start``, its line starts at ``line``, it ends at ``end``.

    ``part`` is what a label or a tag opens, or with ``closing`` closes, where it stands ``within`` one of the parts
    named; ``token`` is the name of a special token. One with neither means nothing and is left out of the text.
    """

    start: int
    line: int
    end: int
    part: Part | None = None
    within: frozenset[Part] = ANYWHERE
    closing: bool = False
    token: str = ""
    tag: bool = True  # or a special token; else a label


class Finder:
    """The markers of one text in order. Offsets asked for must not go back: each character is searched once.

    ``base`` is the offset of the text in the reply: markers have offsets in the reply, all others are in the text.
    ``label`` is the first label, where it is known.
    """

    __slots__ = ("_base", "_label", "_tag", "_text", "passed")

    def __init__(self, text: str, base: int, label: re.Match[str] | None = None) -> None:
        self._text = text
        self._base = base
        self.passed = 0  # up to where there is no marker
        self._label = label or LABEL.search(text)
        self._tag = TAG.search(text) if "<" in text else None

    def next(self, at: int, opening: bool, part: Part, settled: bool) -> Mark | None:
        """The first marker from ``at`` on; ``opening`` says that a line starts there, ``part`` where we are.

        ``settled`` passes what is text in an answer that has begun, or is over.
        """
        if part is Part.HEADER:
            return self._header_end(at)
        if opening and part is not Part.THINK and (first := OPENING.match(self._text, at)):
            return self._read_label(first, at)
        while found := self._first(at, part):
            if not (settled and _is_text(found)):
                return (
                    self._read_tag(found, at if opening else None) if found.re is TAG else self._read_label(found, at)
                )
            self.passed, opening = found.end(), False
            at = self.passed
        return None

    def _first(self, at: int, part: Part) -> re.Match[str] | None:
        """The first label, tag or token from ``at`` on."""
        label = None
        if part is not Part.THINK:
            if self._label and self._label.start() < at:
                self._label = LABEL.search(self._text, at)
            label = self._label
        if self._tag and self._tag.start() < at:
            self._tag = TAG.search(self._text, at)
        return self._tag if self._tag and not (label and label.start() < self._tag.start()) else label

    def _header_end(self, at: int) -> Mark | None:
        found = HEADER_END.search(self._text, at)
        return self._bare(found, found["token"] or "message") if found else None

    def _bare(self, found: re.Match[str], token: str) -> Mark:
        start = self._base + found.start()
        return Mark(start, start, self._base + found.end(), token=token)

    def _read_label(self, found: re.Match[str], at: int) -> Mark:
        part, within = label_of(found["word"])
        line = max(self._text.rfind("\n", at, found.start("word")) + 1, at)
        start = at if found.re is OPENING else blank_from(self._text, at, line)
        return Mark(self._base + start, self._base + line, self._base + found.end(), part, within, tag=False)

    def _read_tag(self, found: re.Match[str], opening_at: int | None) -> Mark:
        if not found["tag"]:
            return self._bare(found, found["token"] or found["turn"] or "")
        line = self._text.rfind("\n", 0, found.start()) + 1
        before = self._text[max(line, opening_at or 0) : found.start()]
        starts_line = (line > 0 or opening_at is not None) and not before.strip()
        part, closing = TAGS[found["tag"].lower()], found["close"] is not None
        within = ANYWHERE if starts_line else LOOSE | {part} if closing else LOOSE
        start, end = self._base + found.start(), self._base + found.end()
        return Mark(start, start, end, part, within, closing)


def _is_text(found: re.Match[str]) -> bool:
    """Whether a label or a tag is text in an answer that has begun, or is over."""
    if found.re is not TAG:
        return label_of(found["word"])[0] is not Part.NEXT
    part = TAGS[found["tag"].lower()] if found["tag"] else None
    return part not in (None, Part.NEXT) and not (found["close"] and part in (Part.ANSWER, Part.THINK))


def blank_from(text: str, at: int, line: int) -> int:
    """Where the line breaks begin that lead, with nothing but blanks between them, to a line's start."""
    before = line - 2
    if before < at or not text[before].isspace():  # a glance before the look
        return line - 1
    return text.index("\n", at + len(text[at:before].rstrip()))


def hold_from(text: str, at: int, opening: bool, labels: bool) -> int:
    """From where on a text may still become a marker when more of it arrives, or its length.

    ``labels`` says whether there are labels in this part at all.
    """
    size = len(text)
    if labels:
        if opening and _may_open(text, at, size):
            return at
        line = text.rfind("\n", at) + 1
        if line and (line == size or LABEL_SO_FAR.match(text, line)):
            return blank_from(text, at, line)
    return hold_tag(text, at) if "<" in text else size  # most texts have none, and asking that is cheaper


def hold_tag(text: str, at: int = 0) -> int:
    """``hold_from`` where nothing but a tag can be a marker."""
    tag = text.rfind("<", at)
    return tag if tag >= 0 and TAG_SO_FAR.match(text, tag) else len(text)


def _may_open(text: str, at: int, size: int) -> bool:
    fence = FENCE_SO_FAR.match(text, at)
    line = fence.end() if fence else at
    return line == size or LABEL_SO_FAR.match(text, line) is not None
