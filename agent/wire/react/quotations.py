"""Where a reply quotes: blocks with prose on both sides, tables, and code or special tokens within a line.

A call that stands there is shown to the person, not made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.wire.react.patterns import LABEL_LINE, TAGS, Part
from agent.wire.react.quoted_blocks import STEP, Line, Span, label, lines_of

# A span of code at the start of a line that has a label with its value, and words behind it.
_CODE_IN_LINE = re.compile(r"[\s>*•\-\d.)]*`[^`\n][^`\n:：]*+[:：](?:[:：]|[^\S\n])*+[^`\s][^`\n]*+`[^\S\n]*[^\s`]")
# Special tokens behind words, and behind the last of them the punctuation of the sentence.
_TOKENS_IN_LINE = re.compile(r"(?=[^<\n]*+<[|｜])[^<\n]*\w[^<\n]*<[|｜](?:[^<\n]*+<)*+[^<>\n]{1,40}>[.,;!?)\"”»]")
# A tag or a token behind words and between quotation marks.
_TAG_IN_QUOTES = re.compile(r"(?=[^<\n]*+<)[^<\n]*\w[^<\n]*(?P<mark>[\"'“„‘«「『])<[^\n]*[>}][\"'”“’»」』]")
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
    parts: frozenset[Part | None] = frozenset()  # of steps: those that its labels begin


def quotations(text: str, *, whole: bool = True) -> list[Span]:
    """The stretches of a reply that quote, in order.

    A block is one where prose stands before it, or that is in a programming language or in an element that shows, and
    behind which prose goes on; in a text that is not ``whole``, where prose may still follow. Behind the first quote
    all further blocks are quotes: an explanation may well end with one. Steps that stand in no block are quoted where
    sentences without a label stand before and behind them, in paragraphs of their own; with a result, where a paragraph
    with a colon at its end introduces theirs. A table is always a quote.
    """
    lines = list(lines_of(text, whole=whole))
    found: list[Span] = []
    if "`" in text:
        found = [line.span for line in lines if line.kind in ("", "steps") and _CODE_IN_LINE.match(line.text)]
    if "<" in text:
        found += [line.span for line in lines if _TOKENS_IN_LINE.match(line.text)]
        found += [
            Span(line.span.start + tag.start("mark"), line.span.end)
            for line in lines
            if (tag := _TAG_IN_QUOTES.match(line.text))
        ]
    if not any([line.block for line in lines]):
        return sorted(found)
    goes_on = _going_on(lines, whole)
    quoting = False
    for span, kind, before, number in _blocks(lines, whole):
        if kind == "steps":
            quotes = before and goes_on[number]
        else:
            quoting = quoting or kind == "table" or (before and goes_on[number])
            quotes = quoting
        if quotes:
            found.append(span)
    return sorted(found)


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
        if line.block:
            before = apart if line.kind == "steps" else told or _SHOWS.match(line.text) is not None
            new = _Block(line.span.start, line.kind, before, spoken and _leads(lead))
            block = found.setdefault(line.block, new)
            block.end = line.span.end
            block.parts |= {label(line.text)} if line.kind == "steps" else set()
        if line.kind in ("", "steps") and line.text.strip():
            told = told or _is_prose(line.text)
            spoken = spoken or not line.block
        apart = apart or (spoken and not line.text.strip())
        if line.text.strip():
            last = line.text.rstrip()
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


def _is_prose(line: str) -> bool:
    """Whether a line says something: it is no bare label, and no line of a call."""
    found = LABEL_LINE.match(line + "\n")
    return not found or (label(line) not in STEP[1:] and bool(line[found.end() :].strip()))


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
            goes_on = not _TOKEN.match(line.text) and label(line.text) not in STEP
            sentence = goes_on and not line.block and label(line.text) is None and bool(_SENTENCE.match(line.text))
    return found


def shown_tokens(text: str, since: int, last: int) -> list[Span]:
    """Where special tokens stand that are shown: in a fence from ``since`` on, a quoted line, a table, an item's head.

    None where there is none in the lines up to that of the offset ``last``. One that leaks stands at the start or the
    end of a reply, behind a fence, or between two turns. One at the end is shown only where others are shown before it.
    """
    found: list[Span] = []
    opened: dict[int, int] = {}
    end = len(text.rstrip(_AT_END))
    for line in lines_of(text, whole=True):
        if line.span.start > last and not found:
            break
        in_fence = line.kind == "fence" and not line.text.lstrip().startswith(_FENCES)
        fenced = opened.setdefault(line.block, line.span.start) >= since and in_fence
        for token in _SHOWN_TOKEN.finditer(line.text) if "<" in line.text else ():
            shows = fenced or line.kind in _SHOWING_BLOCKS or _is_said(line.text, token.start(), token.end())
            if shows and (found or line.span.start + token.end() < end):
                found.append(Span(line.span.start + token.start(), line.span.start + token.end()))
    return found


def _is_said(line: str, start: int, end: int) -> bool:
    """Whether a token stands in quotation marks or at the head of a list's item."""
    if line[start - 1 : start] in _QUOTE_MARKS and line[end : end + 1] in _QUOTE_MARKS:
        return True
    item = _ITEM.match(line, max(0, start - _NEAR), start)
    return item is not None and _SENTENCE_GOES_ON.match(line, end, end + _NEAR) is not None
