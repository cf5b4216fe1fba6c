"""Tells lines of code from lines of prose, and writes fences so that every reader tells them apart alike.

Prose that is taken for code would let an image through. So a fence is written anew: it opens and closes the same block
whatever stands around it, and what is in it is indented far enough. A fence in a list in a quote, where that cannot be
said, is prose.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from textwrap import dedent
from typing import NamedTuple

from agent.text.mathematics import formula_at
from agent.text.regex import regex
from pages.ui.text.escaping.inline import Inline, folded

_QUOTE = regex(r" {0,3}> ?")
_OPENER = regex(
    r"(?P<quotes>(?: {0,3}> ?)*)(?P<indent> *)(?P<items>(?:(?:[-*+]|\d{1,9}[.)]) {1,4})*)"
    r"(?P<mark>`{3,}+(?!.*`)|~{3,})(?P<info>.*)"
)
_FENCE_AHEAD = regex(r"[ \t>\-*+.)0-9]*(?:```|~~~)")
_ITEM = regex(r"[ \t>]*(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)")
_INDENTED = regex(r"(?: {4}| {0,3}\t)[ \t]*\S")
_DEFINITION = regex(r" {0,3}\[(?!\^)([^\[\]\\]{1,200})\]:[ \t]*(?:<([^<>]*)>|(\S+))(?:[ \t]+[\"'(].*)?[ \t]*")
_LANGUAGE = regex(r"[\w+#.-]{1,40}", re.ASCII)
_FORMULA = regex(r"[ \t]*(?=\$\$|\\\[)")
_MOST_INDENT = 3
_MOST_FORMULA_LINES = 40
_LINES_KEPT = 2048
_LONGEST_KEPT = 2_000


class _Line(NamedTuple):
    """``kind``: ``code`` and ``rule`` are written as they are, ``prose`` and a ``definition`` without use cleaned."""

    kind: str
    text: str
    table: bool = False


@dataclass(frozen=True, slots=True)
class _Fence:
    """``typed`` and ``column``: where its mark stood, and where it is written. Indented code becomes one, too."""

    mark: str
    quotes: int
    typed: int
    column: int
    indented: bool = False

    def line(self, content: str) -> str:
        return f"{'> ' * self.quotes}{' ' * self.column}{content}" if content or self.quotes else ""

    def closed_by(self, content: str) -> bool:
        if self.indented:
            return False
        bare = content.strip(" \t")
        indent = len(content[: len(content) - len(content.lstrip(" \t"))].expandtabs(4))
        return len(bare) >= len(self.mark) and not bare.strip(self.mark[0]) and indent <= self.typed + _MOST_INDENT

    def content(self, line: str) -> str | None:
        """A line without the fence's quotes; ``None`` where its quote, or the indented code, has ended."""
        if self.indented and line.strip(" \t") and not _INDENTED.match(line):
            return None
        position = 0
        for _ in range(self.quotes):
            found = _QUOTE.match(line, position)
            if found is None:
                return None
            position = found.end()
        rest = line[position:]
        if self.typed or self.quotes:
            blank = len(rest) - len(rest.lstrip(" \t"))
            rest = rest[:blank].expandtabs(4) + rest[blank:]
        return rest


class Cleaned(NamedTuple):
    """A line that is safe. In ``prose`` there may be more put between its words."""

    prose: bool
    code: bool
    text: str


def blocks(text: str) -> str:
    """``text``, which must be ``readable``, as Markdown that can only be read as it was read here."""
    return joined(cleaned_lines(text))


def joined(lines: list[Cleaned]) -> str:
    """One text of the lines, with an empty line beside a fence at an end: words put there would undo it."""
    before, behind = ("\n" if lines[place].code else "" for place in (0, -1))
    return before + "\n".join(line.text for line in lines) + behind


def cleaned_lines(text: str) -> list[Cleaned]:
    """The lines of ``blocks``; there is always one."""
    # Streamlit does this to every text before it is drawn: done after the cleaning it would turn code into prose.
    lines = list(_with_tables(list(_lines(dedent(text).strip().split("\n")))))
    definitions: dict[str, str] = {}
    for line in lines:
        found = _DEFINITION.fullmatch(line.text) if line.kind == "definition" else None
        if found:
            definitions.setdefault(folded(found[1]), found[2] or found[3] or "")
    used: set[str] = set()
    cleaned: list[str] = []
    for line in lines:
        if line.kind != "prose":
            cleaned.append(line.text)
        elif definitions:
            prose = Inline(line.text, definitions, line.table)
            used |= prose.used
            cleaned.append(prose.text)
        else:
            clean = _prose if len(line.text) <= _LONGEST_KEPT else _prose.__wrapped__
            cleaned.append(clean(line.text, line.table))
    for index, line in enumerate(lines):
        if line.kind == "definition":
            found = _DEFINITION.fullmatch(line.text)
            unused = found is not None and folded(found[1]) not in used
            cleaned[index] = Inline(line.text, {}, line.table).text if unused else ""
    return [
        Cleaned(line.kind == "prose", line.kind == "code", clean) for line, clean in zip(lines, cleaned, strict=True)
    ]


@lru_cache(maxsize=_LINES_KEPT)
def _prose(line: str, table: bool) -> str:
    """A line that no definition has a say in; kept, for text that streams is cleaned at every redraw."""
    return Inline(line, {}, table).text


def _lines(lines: list[str]) -> Iterator[_Line]:
    """Yields every line with its kind. A fence that was left open is closed at the end of the text."""
    fence: _Fence | None = None
    # Indented code is certain only below a line that starts at the margin, and where no list can be open.
    after_blank, at_margin, items_seen = False, False, False
    inner = "`" * (1 + max(map(len, re.findall("`{3,}", "\n".join(lines))), default=2))
    rest = deque(lines)
    while rest:
        line = rest.popleft()
        content = fence.content(line) if fence else None
        if fence and content is not None:
            closed = fence.closed_by(content)
            yield _Line("code", fence.line(fence.mark if closed else _dedented(content, fence.typed)))
            fence = None if closed else fence
            continue
        if fence and fence.indented:
            yield _Line("code", inner)
        fence, after_blank = None, after_blank and fence is None
        line = _with_formula(line, rest)
        opened = _opened(line)
        if opened:
            fence, first, numbered = opened
            if numbered and not after_blank:
                yield _Line("code", "")
            yield _Line("code", first)
            items_seen |= not first.lstrip("> ").startswith(fence.mark)
            after_blank = False
        elif at_margin and after_blank and not items_seen and _INDENTED.match(line):
            fence = _Fence(inner, 0, 4, 0, indented=True)
            yield _Line("code", inner)
            yield _Line("code", fence.line(_dedented(line.expandtabs(4), 4)))
        else:
            items_seen |= _ITEM.match(line) is not None
            definition = _DEFINITION.fullmatch(line) is not None
            yield _Line("definition" if definition else "prose", line)
            after_blank = not line.strip(" \t")
            at_margin |= not definition and line[:1].strip() != ""
    if fence:
        yield _Line("code", fence.line(fence.mark))


def _with_formula(line: str, rest: deque[str]) -> str:
    """The line; one that begins a formula which ends on a later line takes the lines up to there from ``rest``."""
    begins = _FORMULA.match(line)
    if begins is None:
        return line
    text, found = line, None
    for following in (*islice(rest, _MOST_FORMULA_LINES), ""):
        found = formula_at(text, begins.end())
        if found or not following.strip():
            break
        text = f"{text}\n{following}"
    if not found or "\n" not in text or text[found.end :].strip():
        return line
    for _ in range(text.count("\n")):
        rest.popleft()
    return text.replace("\n", " ")


def _opened(line: str) -> tuple[_Fence, str, bool] | None:
    """The fence that ``line`` opens, the line as it is written, and whether it is a numbered item."""
    if not _FENCE_AHEAD.match(line):
        return None
    found = _OPENER.fullmatch(line.expandtabs(4))
    if found is None or (found["quotes"] and found["items"]):
        return None
    indent = min(len(found["indent"]), _MOST_INDENT)
    typed = len(found["indent"]) + len(found["items"])
    fence = _Fence(found["mark"], found["quotes"].count(">"), typed, indent + len(found["items"]))
    prefix = f"{'> ' * fence.quotes}{' ' * indent}{found['items']}"
    return fence, prefix + found["mark"] + _language(found["info"]), bool(re.search(r"\d", found["items"]))


def _language(info: str) -> str:
    """The language of a block. Diagrams are shown as their text: drawn by Mermaid they fetch what they name."""
    words = info.split()
    if not words or not _LANGUAGE.fullmatch(words[0]):
        return ""
    return "text" if "mermaid" in words[0].lower() else words[0]


def _dedented(content: str, most: int) -> str:
    blank = len(content) - len(content.lstrip(" "))
    return content[min(blank, most) :]


def _with_tables(lines: list[_Line]) -> Iterator[_Line]:
    """The same lines; those that stand together with a row of dashes may be rows of a table."""
    start = 0
    while start < len(lines):
        end = start + 1
        if lines[start].kind == "code" or not lines[start].text.strip(" \t>"):
            yield lines[start]
            start = end
            continue
        while end < len(lines) and lines[end].kind != "code" and lines[end].text.strip(" \t>"):
            end += 1
        table = any(_delimiter(line.text) and {"|", ":"} & set(line.text) for line in lines[start:end])
        for line in lines[start:end]:
            yield _Line("rule" if _delimiter(line.text) else line.kind, line.text, table)
        start = end


def _delimiter(line: str) -> bool:
    return "-" in line and not line.strip(" \t>|:-")
