"""Plain text, Markdown and web pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from agent.data.documents.passages import Block
from agent.data.documents.readers.work import Work
from agent.data.refusal import Refused
from agent.interface_text import Text
from agent.text.encodings import encoding_of

_MOST_LINE = 20_000
_HEADING = re.compile(r"(#{1,6})[ \t]+(.+?)[ \t#]*$")
_UNDERLINE = re.compile(r"(=+|-+)[ \t]*$")
_FENCE = re.compile(r"[ \t]*(```|~~~)")
# "第3章 …", "2.1 Methods": a short line that stands alone.
_NUMBERED = re.compile(
    r"(?:第 ?[\d一二三四五六七八九十百]+ ?[章節条編部]|(?:chapter|section|part) \d+|\d+(?:\.\d+)*\.? )[^.。]{0,80}$",
    re.I,
)
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?([\w-]{2,20})", re.I)
_HIDDEN = frozenset({"script", "style", "noscript", "template", "svg", "head", "iframe", "object"})
_BLOCKS = """
p div section article main header footer nav aside ul ol li dl dt dd table tr blockquote pre hr form figure
figcaption h1 h2 h3 h4 h5 h6 br
"""
_BREAKS = frozenset(_BLOCKS.split())


def decoded(path: Path, work: Work, web: bool = False) -> str:
    """The text, whatever encoding it is in; a note where some of it could not be read."""
    content = path.read_bytes()
    named = _CHARSET.search(content[:4096]) if web else None
    encoding = encoding_of([content])
    if named and encoding in ("cp1252", "latin-1"):
        encoding = named[1].decode("ascii")
    try:
        text = content.decode(encoding, "replace")
    except LookupError:
        text = content.decode("utf-8", "replace")
    lost = text.count("\ufffd")
    if lost > len(text) // 10 or text.count("\x00") > len(text) // 20:
        raise Refused(
            Text("{name} is no text that can be read here: most of it is not letters.", name=work.name), "file"
        )
    if lost:
        work.notes.append(Text("{lost:,} characters could not be read and are shown as �.", lost=lost))
    return text.removeprefix("\ufeff").replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")


def read_plain(path: Path, work: Work) -> Iterator[Block]:
    """Paragraphs between empty lines; short numbered lines are headings."""
    heading = ""
    for paragraph in re.split(r"\n[ \t\u3000]*\n", decoded(path, work)):
        text = paragraph.strip("\n").rstrip()
        if text.strip():
            heading = text.strip() if "\n" not in text.strip() and _NUMBERED.match(text.strip()) else heading
            yield Block(text.strip(), heading)


def read_markdown(path: Path, work: Work) -> Iterator[Block]:
    yield from markdown(decoded(path, work))


def markdown(text: str) -> Iterator[Block]:
    """Paragraphs under their headings; code in fences stays in one piece."""
    headings: dict[int, str] = {}
    waiting: list[str] = []
    fence = ""

    def block() -> Iterator[Block]:
        said = "\n".join(waiting).strip()
        waiting.clear()
        if said:
            yield Block(said, " › ".join(headings.values()))

    for line in text.split("\n"):
        marked = _FENCE.match(line)
        if marked and (not fence or marked[1] == fence):
            fence = "" if fence else marked[1]
        found = None if fence or marked else _heading(line, waiting)
        if found:
            level, title = found
            yield from block()
            headings = {one: said for one, said in headings.items() if one < level}
            headings[level] = title
        elif not line.strip() and not fence:
            yield from block()
        else:
            waiting.append(line[:_MOST_LINE])
    yield from block()


def _heading(line: str, before: list[str]) -> tuple[int, str] | None:
    if match := _HEADING.match(line):
        return len(match[1]), match[2].strip()[:120]
    if len(before) == 1 and (match := _UNDERLINE.match(line)) and not before[0].startswith(("|", "- ", "* ", ">")):
        return (1 if match[1][0] == "=" else 2), before.pop().strip()[:120]
    return None


def read_web(path: Path, work: Work) -> Iterator[Block]:
    """A web page without its scripts, styles and head."""
    parser = _Page()
    parser.feed(decoded(path, work, web=True))
    parser.close()
    yield from parser.finished()


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._blocks: list[Block] = []
        self._text: list[str] = []
        self._hidden = 0
        self._kept = 0
        self._headings: dict[int, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag == "body":
            self._hidden = 0  # a head that was never closed
        elif tag == "br":
            self._text.append("\n")
        elif tag in ("td", "th"):
            self._text.append(" | " if "".join(self._text).strip() else "")
        elif tag in _BREAKS:
            self._finish(0)
            self._kept += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in _BREAKS:
            self._finish(int(tag[1]) if re.fullmatch(r"h[1-6]", tag) else 0)
            self._kept = max(0, self._kept - (tag == "pre"))

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._text.append(data if self._kept else re.sub(r"\s+", " ", data))

    def finished(self) -> list[Block]:
        self._finish(0)
        return self._blocks

    def _finish(self, level: int) -> None:
        text = "".join(self._text).strip()
        self._text = []
        if not text:
            return
        if level:
            self._headings = {one: said for one, said in self._headings.items() if one < level}
            self._headings[level] = " ".join(text.split())[:120]
        self._blocks.append(Block(text, " › ".join(self._headings.values())))
