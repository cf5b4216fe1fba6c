"""The lines of a reply, with the blocks that Markdown, HTML, TeX or quotation marks make of them.

Markdown's rules for blocks are followed as far as they tell one from another (https://spec.commonmark.org, "Fenced code
blocks", "Indented code blocks", "Block quotes"; https://github.github.com/gfm, "Tables").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from agent.text.regex import regex
from agent.wire.react.patterns import TAGS, Part, label_line, label_of

# ``steps`` are lines with labels of steps and those that follow without a blank line between.
Kind: TypeAlias = Literal["", "fence", "quote", "indented", "table", "diff", "element", "spoken", "steps"]
STEP = (Part.THOUGHT, Part.ACTION, Part.INPUT, Part.OBSERVATION)

_PLAIN = regex(r"[^\s`~>|+\-<\\]")  # what no line begins with that a block is told by
_FENCE = regex(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_INDENTED = regex(r"(?: {4}|\t)\s*\S")
_FENCE_ENDS = {mark: regex(rf"\n {{0,3}}({mark}{{3,}}+)[^\S\n]*+(?=\n|\Z)") for mark in "`~"}
_ROW = regex(r"\s*\|.*\|\s*\Z")
_CHANGED = regex(r"[-+](?![-+])[^\s\d]")
# Lines that are each of a kind of block, whatever stands before them; those of none are blank.
_ALIKE = {
    "": regex(r"(?:[^\S\n]*+\n)++"),
    "quote": regex(r"(?:[^\S\n]*+>[^\n]*+\n)++"),
    "table": regex(r"(?:\|(?:[^\n|]*+\|)++[^\S\n]*+\n)++"),
    "diff": regex(r"(?:[-+](?![-+])[^\s\d][^\n]*+\n)++"),
}
_MOST_MISSING = 100  # endings that were looked for in vain; behind more of them, none is looked for
# What an element of HTML, a comment or an environment of TeX begins with, at the start of a line.
_ELEMENT = regex(
    r"\s*(?:<(?P<tag>[a-zA-Z][\w-]{0,30})(?:\s[^<>]{0,200})?>|(?P<comment><!--)|\\begin\{(?P<tex>\w{1,30}\*?)\})"
)
_CLOSING = {"“": "”", "„": "“”", "«": "»", "「": "」", "『": "』", '"': '"'}
# The set of its marks stands first, so that a search passes quickly what is none. “ closes behind a word, but for
# scripts that set no blank before it.
_OPENING = regex(
    r"[\"„«「『“](?:(?:(?<=[\s:：(（]\")|(?<=\A\"))(?=\S)"
    r"|(?<=[„«「『])|(?<=“)(?<![\w.,;!?…]“)|(?<=[\u3040-\u30ff\u3400-\u9fff]“))"
)


class Span(NamedTuple):
    """A stretch of a text, as offsets in it."""

    start: int
    end: int


class Line(NamedTuple):
    """A line, or the piece of one that a block has or has not; also several lines of one block, or blank ones.

    ``end`` is behind its line break, which is not in the ``text``. ``block`` is the number of the block, or 0. ``part``
    is the part that its label begins, where it stands in no block or among steps.
    """

    start: int
    end: int
    text: str
    block: int = 0
    kind: Kind = ""
    part: Part | None = None

    def at(self, offset: int) -> tuple[int, str]:
        """The one line that an offset stands in: where it begins, and its text."""
        text, inner = self.text, offset - self.start
        begins, end = text.rfind("\n", 0, inner) + 1, text.find("\n", inner)
        return self.start + begins, text[begins:end] if end >= 0 else text[begins:]


def lines_of(text: str, *, whole: bool) -> Iterator[Line]:
    """The lines of a text; in one that is not ``whole`` a block that is left open goes on to the end."""
    blocks = _Blocks(text, whole)
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        begins = blocks.take(start, line)
        number = blocks.number if blocks.kind else 0
        stop = blocks.end if start + begins < blocks.end < end else end + 1
        if begins:
            yield _piece(text, start, start + begins, start + begins)
        inner = text[start + begins : min(stop, end)] if begins or stop < end else line
        yield Line(start + begins, stop, inner, number, blocks.kind, blocks.part)
        if stop < end:
            yield _piece(text, stop, end, end + 1)
        start = end + 1
        if (more := blocks.pass_lines(start, line)) > start:
            yield Line(start, more, text[start : more - 1], number, blocks.kind)
            start = more


def _piece(text: str, start: int, end: int, stop: int) -> Line:
    """A piece of a line that its block has not; ``stop`` is behind its line break."""
    piece = text[start:end]
    return Line(start, stop, piece, part=label(piece))


def label(line: str) -> Part | None:
    """The part that the label of a line begins."""
    found = label_line(line)
    return label_of(found["word"])[0] if found else None


@dataclass(slots=True)
class _Blocks:
    """The block of the line that was taken last, if it has a ``kind``."""

    text: str
    whole: bool
    number: int = 0
    kind: Kind = ""
    part: Part | None = None  # that the label of the line begins, where it may be one
    fence: str = ""  # that is open
    end: int = -1  # of an element or a quotation
    blank: bool = True  # indented code may begin
    missing: set[str] = field(default_factory=set[str])  # endings that do not come any more

    def take(self, start: int, line: str) -> int:
        """Take the line at ``start``; where in it its block begins."""
        if self.fence:
            mark = _FENCE.match(line)
            if mark and mark[1].startswith(self.fence) and not mark[2].strip():
                self.fence = ""
            return 0
        if start < self.end:
            return 0
        self.end = -1
        kind, begins = self._opened(start, line)
        self.number += bool(kind) and (kind != self.kind or kind == "fence" or self.end > 0)
        self.kind = kind
        words = line.rstrip()
        self.blank = not words or words.endswith((":", "："))
        return begins

    def pass_lines(self, at: int, line: str) -> int:
        """Where, from the offset ``at`` behind a ``line`` on, the first line begins that has to be taken by itself."""
        if self.fence:
            ends = _FENCE_ENDS[self.fence[0]].finditer(self.text, at - 1)
            return next((end.start() + 1 for end in ends if len(end[1]) >= len(self.fence)), len(self.text) + 1)
        if at < self.end:
            return self.text.rfind("\n", 0, self.end) + 1
        alike = _ALIKE.get(self.kind)
        if not alike or (not self.kind and line.strip()) or not (found := alike.match(self.text, at)):
            return at
        self.blank = not self.kind or self.text[at : found.end()].rstrip().endswith((":", "："))
        return found.end()

    def _opened(self, start: int, line: str) -> tuple[Kind, int]:
        self.part = None
        if not _PLAIN.match(line) and (kind := self._by_its_mark(start, line)):
            return kind, 0
        begins, end = self._of_quotation(start, line)
        if end > start + len(line):
            self.end = end
            return "spoken", begins
        if not line or line.isspace():
            return "", 0
        self.part = label(line)
        return ("steps" if self.kind == "steps" or self.part in STEP else ""), 0

    def _by_its_mark(self, start: int, line: str) -> Kind:
        """The kind of a block that the first character of a line may begin."""
        if (mark := _FENCE.match(line)) and not (mark[1][0] == "`" and "`" in mark[2]):
            self.fence = mark[1]
            return "fence"
        if kind := self._by_its_lines(line):
            return kind
        if (end := self._of_element(start, line)) > start + len(line):
            self.end = end
            return "element"
        return ""

    def _by_its_lines(self, line: str) -> Kind:
        """The kind of a block each of whose lines tells it."""
        if line.lstrip().startswith(">"):
            return "quote"
        if self.kind == "indented" and not line.strip():
            return "indented"
        if _INDENTED.match(line) and (self.blank or self.kind == "indented"):
            return "indented"
        return "table" if _ROW.match(line) else "diff" if _CHANGED.match(line) else ""

    def _of_element(self, start: int, line: str) -> int:
        """Where the element is over that begins with the line; 0 for none."""
        found = _ELEMENT.match(line)
        if not found or (found["tag"] or "").lower() in TAGS:
            return 0
        ending = f"</{found['tag']}>" if found["tag"] else "-->" if found["comment"] else f"\\end{{{found['tex']}}}"
        return self._behind(ending, start + found.end())

    def _of_quotation(self, start: int, line: str) -> tuple[int, int]:
        """Where in the line a quotation begins that is not over in it, and where it is over."""
        if not _OPENING.search(line):  # as most
            return 0, 0
        *_, found = _OPENING.finditer(line)
        closing = _CLOSING[found[0]]
        for mark in closing:
            if line.find(mark, found.end()) >= 0:
                return 0, 0
        ends = [self._behind(mark, start + len(line)) for mark in closing]
        return found.start(), min((end for end in ends if end), default=0)

    def _behind(self, ending: str, at: int) -> int:
        passed = ending in self.missing or len(self.missing) > _MOST_MISSING
        found = -1 if passed else self.text.find(ending, at)
        if found < 0:
            self.missing.add(ending)
        return found + len(ending) if found >= 0 else 0 if self.whole else len(self.text) + 1
