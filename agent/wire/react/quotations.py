"""Where a reply quotes: blocks with prose on both sides, tables, and code or special tokens within a line.

A call that stands there is shown to the person, not made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from agent.wire.react.patterns import LABEL_LINE, TAGS, Part
from agent.wire.react.quoted_blocks import STEP, Line, Span, label, lines_of

# A span of code at the start of a line that has a label with its value, and words behind it.
_CODE_IN_LINE = re.compile(r"[\s>*•\-\d.)]*+`[^`\n][^`\n:：]*+[:：](?:[:：]|[^\S\n])*+[^`\s][^`\n]*+`[^\S\n]*[^\s`]")
# Special tokens behind words, and behind the last of them the punctuation of the sentence.
_TOKENS_IN_LINE = re.compile(r"(?=[^\w<\n]*+\w)[^<\n]*+<[|｜](?:[^<\n]*+<)*+[^<>\n]{1,40}+>[.,;!?)\"”»]")
# A tag or a token behind words and between quotation marks.
_TAG_IN_QUOTES = re.compile(r"(?=[^\w<\n]*+\w)[^<\n]*+(?<=[\"'“„‘«「『])(?P<tag><)[^\n]*[>}][\"'”“’»」』]")
# What shows code or a record of something: no model makes its calls in there.
_LANGUAGES = "python|py|js|javascript|ts|typescript|java|kotlin|go|rust|c|cpp|ruby|php|yaml|diff"
_SHOWS = re.compile(
    rf" {{0,3}}(?:```|~~~)[`~]*+ ?(?:{_LANGUAGES})\s*\Z|\s*<(?:details|pre|blockquote|samp|kbd)\b", re.IGNORECASE
)
_QUOTING_LINE = re.compile(r"[^\S\n]*[>|]| {4}|\t|[-+]\S|[\s>*•\-\d.)]*`")
_ELEMENT = re.compile(rf"(?:\A|\n)[^\S\n]*+<(?!(?:{'|'.join(TAGS)})>)[a-zA-Z!]")
_OPENED = ("```", "~~~", "\\begin{", '"', "“", "„", "«", "「", "『")
_MARKS = "\"'“„‘«「『"
_WORD = re.compile(r"[^\W_]")
_ALONE = re.compile(r"[`~ ]*+\n(?:[`~]{3,}+\n)?\s*?\n")
_INTRODUCED = re.compile(r"[:：][^\S\n]*+\n\s*?\n")
_ELEMENTS = re.compile(r"(?:[\s`~]|</?[a-zA-Z][\w-]{0,30}>)*+")  # matches always
_TOKEN = re.compile(r"\s*<[|｜/]|\s*</?(?:observation|tool_response|thought|action|action_input)>")
# A sentence of prose on a line: it begins with a letter, and has some words, or as much in letters that need no blanks.
_SENTENCE = re.compile(
    r"\s*[\"'“„«]?(?=[^\W\d_])(?>[^\n]*?\w\s+[\"'“„«(`]?\w){3}[^\n]*[.!?:;…)]\s*\Z|\s*(?=[^\W\d_])[^\n]{8,}[。！？：]\s*\Z"
)
# Special tokens of chat templates, the blocks that show them, and what stands around one that is shown.
_SHOWN_TOKEN = re.compile(r"<[|｜][\w▁]{1,32}+[|｜]>|</?s>|<(?:start|end)_of_turn>")
_FENCES = ("```", "~~~")
_AT_END = " \t\r\n`~.!?)。"  # what may stand behind the last token of a reply
_AHEAD = 4_000  # characters behind the last marker that are looked at with it
_NEAR = 100  # characters around a token that are looked at
_SHOWING_BLOCKS = frozenset({"quote", "table", "indented"})
_QUOTE_MARKS = frozenset("\"'“”„‚‘’«»‹›「」『』")
_ITEM = re.compile(r"[^\S\n]*+(?:[-*•·]|\d{1,3}+[.)])[^\S\n]++\Z")
# A sentence goes on, or ends, behind the token: words that are not all a role.
_SENTENCE_GOES_ON = re.compile(
    r"[^\S\n]*+(?!(?:assistant|user|system|tool)\s*+\Z)(?:[,;:.!?)\]]|(?<=\s)\w|[^\x00-\x7f\W])", re.IGNORECASE
)


@dataclass(slots=True)
class _Block:
    start: int
    kind: str
    before: bool  # prose stands before it
    introduced: bool  # by a paragraph that ends with a colon
    end: int = 0
    parts: set[Part | None] = field(default_factory=set[Part | None])  # of steps: those that its labels begin


class _Token(NamedTuple):
    """A special token on the line that starts at ``line``, which is shown where ``opened`` is not too early.

    ``opened`` is where the fence begins that it stands in, or the text's end where it needs none.
    """

    span: Span
    line: int
    opened: int


class Quoting:
    """What a text quotes and shows, worked out as far as it is asked for.

    A text that is not ``whole`` breaks off where prose may still follow.
    """

    def __init__(self, text: str, *, whole: bool = True) -> None:
        self.text = text
        self.whole = whole
        self._reach = -1  # up to which offset the lines are known, with the words that decide about them
        self._rest = lines_of(text, whole=whole)
        self._lines: list[Line] = []
        self._stretches: list[Span] | None = None
        self._tokens: list[_Token] = []  # of all lines that are known
        self._searched = 0  # lines
        self._opened: dict[int, int] = {}  # where each block begins

    def stretches(self, reach: int) -> list[Span]:
        """The stretches that quote, in order; of those behind the offset ``reach`` only some are looked for.

        A block is one where prose stands before it, or that is in a programming language or in an element that shows,
        and behind which prose goes on. Behind the first quote all further blocks are quotes: an explanation may well
        end with one. Steps that stand in no block are quoted where sentences without a label stand before and behind
        them, in paragraphs of their own; with a result, where a paragraph with a colon at its end introduces theirs. A
        table is always a quote.
        """
        self._look(reach)
        if self._stretches is None:
            self._stretches = self._find_stretches()
        return self._stretches

    def _look(self, reach: int) -> None:
        """Know the lines up to an offset, and a good deal behind it: what is asked next is mostly a bit further on."""
        if reach > self._reach:
            reach = 2 * reach + _AHEAD
            self._reach = reach if 2 * reach < len(self.text) else len(self.text)
            self._lines += _lines_until(self._rest, self._reach)
            self._stretches = None

    def _find_stretches(self) -> list[Span]:
        found = list(_in_lines(self.text, self._lines))
        if not any([line.block for line in self._lines]):
            return sorted(found)
        goes_on = _going_on(self._lines, self.whole)
        quoting = False
        for span, kind, before, number in _blocks(self._lines, self.whole):
            if kind == "steps":
                quotes = before and goes_on[number]
            else:
                quoting = quoting or kind == "table" or (before and goes_on[number])
                quotes = quoting
            if quotes:
                found.append(span)
        return sorted(found)

    def shown_tokens(self, since: int, last: int, reach: int) -> list[Span]:
        """Where special tokens stand that are shown: in a fence from ``since`` on, a quoted line, an item's head, ….

        None where there is none in the lines up to that of the offset ``last``. One that leaks stands at the start or
        the end of a reply, behind a fence, or between two turns. One at the end is shown only where others are shown
        before it. Of those behind the offset ``reach`` only some are looked for.
        """
        line_end = self.text.find("\n", last)
        if not _SHOWN_TOKEN.search(self.text, 0, line_end if line_end >= 0 else len(self.text)):
            return []
        found: list[Span] = []
        end = len(self.text.rstrip(_AT_END))
        self._look(reach)
        self._find_tokens()
        for span, line, opened in self._tokens:
            if line > last and not found:
                break
            if opened >= since and (found or span.end < end):
                found.append(span)
        return found

    def _find_tokens(self) -> None:
        """Find the special tokens that may be shown, in the lines that were not looked at for them."""
        for line in self._lines[self._searched :]:
            start = line.span.start
            in_fence = line.kind == "fence" and not line.text.lstrip().startswith(_FENCES)
            fence = self._opened.setdefault(line.block, start)
            for token in _SHOWN_TOKEN.finditer(line.text) if "<" in line.text else ():
                shows = line.kind in _SHOWING_BLOCKS or _is_said(line.text, token.start(), token.end())
                if shows or in_fence:
                    span = Span(start + token.start(), start + token.end())
                    self._tokens.append(_Token(span, start, len(self.text) if shows else fence))
        self._searched = len(self._lines)


def _lines_until(lines: Iterable[Line], reach: int) -> Iterator[Line]:
    """The lines up to an offset, and those behind it up to words that no block before them has."""
    block = 0
    for line in lines:
        yield line
        fresh = not line.block or (line.kind == "steps" and line.block != block)
        if fresh and line.span.start > reach and line.text.strip():
            return
        block = line.block


def _in_lines(text: str, lines: Sequence[Line]) -> Iterator[Span]:
    """The stretches that quote within a line."""
    if "`" in text:
        for line in lines:
            if line.kind in ("", "steps") and "`" in line.text and _CODE_IN_LINE.match(line.text):
                yield line.span
    if "<" in text:
        for line in lines:
            if "<" not in line.text:
                continue
            if _TOKENS_IN_LINE.match(line.text):
                yield line.span
            if tag := _TAG_IN_QUOTES.match(line.text):
                yield Span(line.span.start + tag.start("tag") - 1, line.span.end)


def may_quote(text: str, lines: Sequence[int], *, whole: bool = True) -> bool:
    """A glance: whether one of the lines that begin at these offsets may stand in a quoting stretch at all."""
    if any(_QUOTING_LINE.match(text, text.rfind("\n", 0, line) + 1) for line in lines):
        return True
    if "<" in text and any(f"{mark}<" in text for mark in _MARKS):
        return True
    first, before = min(lines), text[: max(lines)]
    if any(mark in before for mark in _OPENED) or _ELEMENT.search(before):
        return True
    goes_on = text.find("\n\n", first) >= 0 or not whole
    return goes_on and bool(text[:first].strip()) and not LABEL_LINE.match(text)


def is_between_paragraphs(text: str, start: int, end: int) -> bool:
    """Whether words stand before a stretch of a text, and a paragraph of words that is no step behind it.

    Where more lines follow the stretch itself, a line with a colon at its end has to introduce it.
    """
    lead, behind = text[:start], text[end:]
    alone = _ALONE.match(behind) is not None
    if not _WORD.search(lead) or not (alone or _INTRODUCED.search(lead)):
        return False
    paragraph = behind if alone else behind.partition("\n\n")[2]
    line = _ELEMENTS.sub("", paragraph, count=1).partition("\n")[0]
    if _TOKEN.match(line) or label(line) in STEP:
        return False
    return bool((_WORD if alone else _SENTENCE).search(line))


def _blocks(lines: Iterable[Line], whole: bool) -> Iterator[tuple[Span, str, bool, int]]:
    """Span, kind, whether prose stands before it, and number of each block."""
    found: dict[int, _Block] = {}
    told = spoken = apart = False  # prose; some without a label; and a blank line behind that
    last = lead = ""  # the last line with words, and that of the paragraph before
    for line in lines:
        words = line.text.rstrip()
        if line.block:
            block = found.get(line.block)
            if not block:
                before = apart if line.kind == "steps" else told or _SHOWS.match(line.text) is not None
                block = _Block(line.span.start, line.kind, before, spoken and _leads(lead))
                found[line.block] = block
            block.end = line.span.end
            if line.kind == "steps":
                block.parts.add(line.part)
        if words and line.kind in ("", "steps"):
            told = told or _is_prose(line)
            spoken = spoken or not line.block
        apart = apart or (spoken and not words)
        if words:
            last = words
        else:
            lead = last
    for number, block in found.items():
        yield Span(block.start, block.end), block.kind, _is_led(block, whole), number


def _leads(line: str) -> bool:
    return line.endswith((":", "："))


def _is_led(block: _Block, whole: bool) -> bool:
    """Whether what stands before a block lets it be a quote.

    A result that a model makes up goes before what it says of it; one that it shows is introduced. A text that is not
    ``whole`` breaks off where a step has ended, with a result.
    """
    if block.kind != "steps":
        return block.before
    called = Part.INPUT in block.parts
    return called and (block.introduced if Part.OBSERVATION in block.parts or not whole else block.before)


def _is_prose(line: Line) -> bool:
    """Whether a line says something: it is no bare label, and no line of a call."""
    if line.part in STEP[1:]:
        return False
    found = LABEL_LINE.match(line.text + "\n") if line.part else None
    return not found or bool(line.text[found.end() :].strip())


def _going_on(lines: list[Line], whole: bool) -> dict[int, bool]:
    """By block, whether the first words behind it that no block has are prose or an answer, not the next step.

    Behind steps that are no block they have to be a sentence.
    """
    found: dict[int, bool] = {}
    goes_on = sentence = not whole
    for line in reversed(lines):
        if line.block:
            found.setdefault(line.block, sentence if line.kind == "steps" else goes_on)
        if (not line.block or line.kind == "steps") and line.text.strip():
            goes_on = line.part not in STEP and not _TOKEN.match(line.text)
            sentence = goes_on and not line.block and line.part is None and bool(_SENTENCE.match(line.text))
    return found


def _is_said(line: str, start: int, end: int) -> bool:
    """Whether a token stands in quotation marks or at the head of a list's item."""
    if line[start - 1 : start] in _QUOTE_MARKS and line[end : end + 1] in _QUOTE_MARKS:
        return True
    item = _ITEM.match(line, max(0, start - _NEAR), start)
    return item is not None and _SENTENCE_GOES_ON.match(line, end, end + _NEAR) is not None
