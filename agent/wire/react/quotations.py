"""Where a reply quotes: blocks with prose on both sides, tables, and code or special tokens within a line.

A call that stands there is shown to the person, not made.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from agent.text.regex import regex
from agent.wire.react.patterns import LABEL, TAGS, Part, label_line
from agent.wire.react.quoted_blocks import STEP, Line, Span, label, lines_of

# A span of code at the start of a line that has a label with its value, and words behind it.
_CODE_IN_LINE = regex(r"[\s>*•\-\d.)]*+`[^`\n][^`\n:：]*+[:：](?:[:：]|[^\S\n])*+[^`\s][^`\n]*+`[^\S\n]*[^\s`]")
# Special tokens behind words, and behind the last of them the punctuation of the sentence.
_TOKENS_IN_LINE = regex(r"(?=[^\w<\n]*+\w)[^<\n]*+<[|｜](?:[^<\n]*+<)*+[^<>\n]{1,40}+>[.,;!?)\"”»]")
# A call in tags behind words, behind which their sentence goes on: not with one more call at the end.
_CALL_IN_LINE = regex(
    r"(?=[^\w<\n]*+\w)[^<\n]*+<(?P<tag>action|(?:tool|function)_call)>(?![^\n]*</\1>[^\S\n]*\Z)"
    r"[^\n]*</\1>[^\S\n]?(?:[,;)，、；）]|[a-zß-öø-ÿа-яё])"
)
# A tag or a token behind words and between quotation marks.
_TAG_IN_QUOTES = regex(r"(?=[^\w<\n]*+\w)[^<\n]*+(?<=[\"'“„‘«「『])(?P<tag><)[^\n]*[>}][\"'”“’»」』]")
# What shows code or a record of something: no model makes its calls in there.
_LANGUAGES = "python|py|js|javascript|ts|typescript|java|kotlin|go|rust|c|cpp|ruby|php|yaml|diff"
_SHOWS = regex(
    rf" {{0,3}}(?:```|~~~)[`~]*+ ?(?:{_LANGUAGES})\s*\Z|\s*<(?:details|pre|blockquote|samp|kbd)\b", re.IGNORECASE
)
_QUOTING_LINE = regex(r"[^\S\n]*[>|]| {4}|\t|[-+]\S|[\s>*•\-\d.)]*`")
_ELEMENT = regex(rf"(?:\A|\n)[^\S\n]*+<(?!(?:{'|'.join(TAGS)})>)[a-zA-Z!]")
_OPENED = ("```", "~~~", "\\begin{", '"', "“", "„", "«", "「", "『")
_CALL_ENDS = ("</action>", "</tool_call>", "</function_call>")
_MARKS = "\"'“„‘«「『"
_QUOTED_WORDS = regex(r"[\s>]*+[^\W_]")
_WORD = regex(r"[^\W_]")
_ALONE = regex(r"[`~ ]*+\n(?:[`~]{3,}+\n)?\s*?\n")
_INTRODUCED = regex(r"[:：][^\S\n]*+\n\s*?\n")
_ELEMENTS = regex(r"(?:[\s`~]|</?[a-zA-Z][\w-]{0,30}>)*+")  # matches always
_TOKEN = regex(r"\s*<[|｜/]|\s*</?(?:observation|tool_response|thought|action|action_input)>")
# A sentence of prose on a line: it begins with a letter, and has some words, or as much in letters that need no blanks.
_SENTENCE = regex(
    r"\s*[\"'“„«]?(?=[^\W\d_])(?>[^\n]*?\w\s+[\"'“„«(`]?\w){3}[^\n]*[.!?:;…)]\s*\Z|\s*(?=[^\W\d_])[^\n]{8,}[。！？：]\s*\Z"
)
# Special tokens of chat templates, the blocks that show them, and what stands around one that is shown.
_SHOWN_TOKEN = regex(r"<[|｜][\w▁]{1,32}+[|｜]>|</?s>|<(?:start|end)_of_turn>")
_FENCES = ("```", "~~~")
_AT_END = " \t\r\n`~.!?)。"  # what may stand behind the last token of a reply
_LAST_BLANK = regex(r"(?:.*\n)?[^\S\n]*+(?=\n|\Z)", re.DOTALL)  # up to the last blank line, that included
_NEAR = 100  # characters around a token that are looked at
_SHOWING_BLOCKS = frozenset({"quote", "table", "indented"})
_QUOTE_MARKS = frozenset("\"'“”„‚‘’«»‹›「」『』")
_ITEM = regex(r"[^\S\n]*+(?:[-*•·]|\d{1,3}+[.)])[^\S\n]++\Z")
# A sentence goes on, or ends, behind the token: words that are not all a role.
_SENTENCE_GOES_ON = regex(
    r"[^\S\n]*+(?!(?:assistant|user|system|tool)\s*+\Z)(?:[,;:.!?)\]]|(?<=\s)\w|[^\x00-\x7f\W])", re.IGNORECASE
)


@dataclass(slots=True)
class _Block:
    start: int
    kind: str
    before: bool  # prose stands before it
    introduced: bool  # by a paragraph that ends with a colon
    parts: set[Part | None] = field(default_factory=set[Part | None])  # of steps: those that its labels begin
    quotes: bool | None = None  # once it is known


class Quoting:
    """What a text quotes and shows. Its lines are read once, as far as what is asked about is decided by them.

    A text that is not ``whole`` breaks off where prose may still follow.
    """

    def __init__(self, text: str, *, whole: bool = True) -> None:
        self.text = text
        self.whole = whole
        self._rest = lines_of(text, whole=whole)
        self._lines: list[Line] = []
        self._starts: list[int] = []
        self._known = 0  # up to which offset there are lines
        self._asked: dict[int, bool] = {}  # by offset: each look at a reply asks again
        self._within: dict[int, int] = {}  # by where a line begins, from where on it quotes
        self._blocks: dict[int, _Block] = {}
        self._pending: list[_Block] = []  # those that are decided by what goes on behind them
        self._waits = False  # one of them is no step: those behind it may be quotes by it
        self._quoting = False  # a block was a quote
        self._told = self._spoken = self._apart = False  # prose; some without a label; and a blank line behind that
        self._last = self._lead = ""  # the last line with words, and that of the paragraph before

    def quotes(self, at: int) -> bool:
        """Whether an offset stands in a quote: in a block, in code on a line or among its quotation marks.

        A block is one where prose stands before it, or that has marks of a quote and begins with prose, or is in a
        programming language or in an element that shows, and behind which prose goes on. Behind the first quote all
        further blocks are quotes: an explanation may well end with one. Steps that stand in no block are quoted where
        sentences without a label stand before and behind them, in paragraphs of their own; with a result, where a
        paragraph with a colon at its end introduces theirs. A table is always a quote.
        """
        if at not in self._asked:
            self._asked[at] = at <= len(self.text) and self._is_quoted(at)
        return self._asked[at]

    def _is_quoted(self, at: int) -> bool:
        line = self._line(at)
        start, written = line.at(at)
        if start not in self._within:
            self._within[start] = start + _quotes_from(written, line.kind)
        if at >= self._within[start]:
            return True
        if not line.block:
            return False
        block = self._blocks[line.block]
        while block.quotes is None:
            self._read()
        return block.quotes

    def shown_tokens(self, since: int, last: int) -> Callable[[int], bool]:
        """Tells whether a special token that is shown begins at an offset: in a fence from ``since`` on, a quote, ….

        None is where there is none in the lines up to that of the offset ``last``. One that leaks stands at the start
        or the end of a reply, behind a fence, or between two turns. One at the end is shown only where others are shown
        before it.
        """
        text = self.text
        line_end = text.find("\n", last)
        tokens = _SHOWN_TOKEN.finditer(text, 0, line_end if line_end >= 0 else len(text))
        end = len(text.rstrip(_AT_END))
        first = next((token.start() for token in tokens if token.end() < end and self._shows(token, since)), len(text))

        @cache
        def is_shown(at: int) -> bool:
            return at >= first and (token := _SHOWN_TOKEN.match(text, at)) is not None and self._shows(token, since)

        return is_shown

    def _shows(self, token: re.Match[str], since: int) -> bool:
        line = self._line(token.start())
        start, written = line.at(token.start())
        if line.kind in _SHOWING_BLOCKS or _is_said(written, token.start() - start, token.end() - start):
            return True
        if line.kind != "fence" or written.lstrip().startswith(_FENCES):
            return False
        return self._blocks[line.block].start >= since

    def _line(self, at: int) -> Line:
        while self._known <= at:
            self._read()
        return self._lines[bisect_right(self._starts, at) - 1]

    def _read(self) -> None:
        """Read one more line; behind the last one, decide what is not."""
        line = next(self._rest, None)
        if not line:
            self._settle(self._pending, prose=not self.whole, sentence=not self.whole)
            self._pending, self._waits = [], False
            return
        self._lines.append(line)
        self._starts.append(line.start)
        self._known = line.end
        if line.block:
            block = self._blocks.get(line.block) or self._open(line)
            if line.kind == "steps":
                block.parts.add(line.part)
        words = line.text.rstrip()
        if words and line.kind in ("", "steps"):
            self._take_words(line)
        if not words or "\n" in line.text:
            self._take_blanks(line.text)
        if words:
            self._last = words.rpartition("\n")[2]

    def _open(self, line: Line) -> _Block:
        """Begin the block of a line. Many are decided at once."""
        shows = _says(line.text) if line.kind == "quote" else _SHOWS.match(line.text) is not None
        before = self._apart if line.kind == "steps" else self._told or shows
        block = self._blocks[line.block] = _Block(line.start, line.kind, before, self._spoken and _leads(self._lead))
        if line.kind == "steps":
            decided = not (before or block.introduced)
        else:
            decided = not self._waits and (not before or self._quoting or line.kind == "table")
            self._waits = not decided
        if decided:
            self._settle([block], prose=False, sentence=False)
        else:
            self._pending.append(block)
        return block

    def _take_words(self, line: Line) -> None:
        """Take a line that is in no block or among steps, and that has words: it decides about the blocks before it."""
        own = self._blocks[line.block] if line.block else None
        if self._pending and self._pending != [own]:
            prose = line.part not in STEP and not _TOKEN.match(line.text)
            sentence = prose and not own and line.part is None and _SENTENCE.match(line.text) is not None
            self._settle([block for block in self._pending if block is not own], prose=prose, sentence=sentence)
            self._pending, self._waits = [block for block in self._pending if block is own], False
        self._told = self._told or _is_prose(line)
        self._spoken = self._spoken or not own

    def _take_blanks(self, text: str) -> None:
        """Take the blank lines among the lines of one block, or outside of one."""
        before = _LAST_BLANK.match(text)
        if before:
            self._apart = self._apart or self._spoken
            words = before[0].rstrip()
            self._lead = words.rpartition("\n")[2] if words else self._last

    def _settle(self, blocks: Sequence[_Block], *, prose: bool, sentence: bool) -> None:
        """Decide whether blocks quote: by whether prose, for steps a sentence, goes on behind them."""
        for block in blocks:
            if block.kind == "steps":
                block.quotes = sentence and _is_led(block, self.whole)
            else:
                self._quoting = self._quoting or block.kind == "table" or (block.before and prose)
                block.quotes = self._quoting


@dataclass(frozen=True, slots=True)
class Known:
    """What is taken for text in a reply: quoting stretches, tokens that are shown, and what was copied."""

    quoting: tuple[Quoting, ...] = ()
    shown: tuple[Callable[[int], bool], ...] = ()
    copied: tuple[Span, ...] = ()

    def has(self, at: int) -> bool:
        """Whether an offset is in it."""
        if any([quoting.quotes(at) for quoting in self.quoting]) or self.shows(at):
            return True
        return any([start <= at < end for start, end in self.copied])

    def shows(self, at: int) -> bool:
        """Whether an offset is in a token that is shown."""
        return any([shown(at) for shown in self.shown])

    def and_also(self, other: Known) -> Known:
        return Known(self.quoting + other.quoting, self.shown + other.shown, self.copied + other.copied)


def _quotes_from(line: str, kind: str) -> int:
    """From where on a line, of a block of a kind, quotes what stands in it; behind its end where it does not."""
    if "`" in line and kind in ("", "steps") and _CODE_IN_LINE.match(line):
        return 0
    if "<" in line:
        if _TOKENS_IN_LINE.match(line):
            return 0
        if tag := _TAG_IN_QUOTES.match(line) or _CALL_IN_LINE.match(line):
            return tag.start("tag") - 1
    return len(line) + 1


def may_quote(text: str, lines: Sequence[int], *, whole: bool = True) -> bool:
    """A glance: whether one of the lines that begin at these offsets may stand in a quoting stretch at all."""
    if any(_QUOTING_LINE.match(text, text.rfind("\n", 0, line) + 1) for line in lines):
        return True
    if "<" in text and (any(f"{mark}<" in text for mark in _MARKS) or any(tag in text for tag in _CALL_ENDS)):
        return True
    first, before = min(lines), text[: max(lines)]
    if any(mark in before for mark in _OPENED) or _ELEMENT.search(before):
        return True
    goes_on = text.find("\n\n", first) >= 0 or not whole
    return goes_on and bool(text[:first].strip()) and not LABEL.match(f"\n{text}")


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
    found = label_line(line.text) if line.part else None
    return not found or bool(line.text[found.end() - 1 :].strip())


def _says(quoted: str) -> bool:
    """Whether quoted lines begin with words that are no label of a step."""
    line = quoted.partition("\n")[0]
    return _QUOTED_WORDS.match(line) is not None and label(line) not in STEP


def _is_said(line: str, start: int, end: int) -> bool:
    """Whether a token stands in quotation marks or at the head of a list's item."""
    if line[start - 1 : start] in _QUOTE_MARKS and line[end : end + 1] in _QUOTE_MARKS:
        return True
    item = _ITEM.match(line, max(0, start - _NEAR), start)
    return item is not None and _SENTENCE_GOES_ON.match(line, end, end + _NEAR) is not None
