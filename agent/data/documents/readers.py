"""From a file of somebody's to blocks: plain text, Markdown, web pages and Word (.docx), for use in the sandbox.

Word documents are read from their XML without a tree of it: paragraphs, headings, tables and notes.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.parsers import expat

from agent.data.documents.passages import Block, Headings, Work
from agent.data.refusal import Refused, damaged
from agent.interface_text import Text
from agent.text.regex import regex
from agent.web.reading.media_types import decoded

_MOST_LINE = 20_000
_HEADING = regex(r"(#{1,6})[ \t]+(.+?)[ \t#]*$")
_UNDERLINE = regex(r"(=+|-+)[ \t]*$")
_FENCE = regex(r"[ \t]*(```|~~~)")
# "第3章 …", "2.1 Methods": a short line that stands alone.
_NUMBERED = regex(
    r"(?:第 ?[\d一二三四五六七八九十百]+ ?[章節条編部]|(?:chapter|section|part) \d+|\d+(?:\.\d+)*\.? )[^.。]{0,80}$",
    re.I,
)
_TEXTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")
_STYLES = "word/styles.xml"
_BLOCK = 1 << 16
_MOST_DEPTH = 200
_MOST_PARTS = 5_000
# Of tags: a book of 2,000 pages has about two million.
_MOST_TAGS = 5_000_000
_LEVEL = regex(r"(?:heading|title|subtitle|見出し|表題|überschrift|titre|título|titolo)\s*(\d)?", re.I)
# Deleted text, codes of fields, and the second form of what is drawn in two ways.
_SKIPPED = frozenset({"del", "delText", "instrText", "Fallback", "moveFrom"})


def _text(path: Path, work: Work, web: bool = False) -> str:
    """The text, whatever encoding it is in; a note where some of it could not be read."""
    text, _ = decoded(path.read_bytes(), "", markup=web)
    lost = text.count("\ufffd")
    if lost > len(text) // 10 or text.count("\x00") > len(text) // 20:
        raise work.because("{name} is no text that can be read here: most of it is not letters.")
    if lost:
        work.notes.append(Text("{lost:,} characters could not be read and are shown as �.", lost=lost))
    return text.removeprefix("\ufeff").replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")


def read_plain(path: Path, work: Work) -> Iterator[Block]:
    """Paragraphs between empty lines; short numbered lines are headings."""
    heading = ""
    for paragraph in re.split(r"\n[ \t\u3000]*\n", _text(path, work)):
        text = paragraph.strip("\n").rstrip()
        if text.strip():
            heading = text.strip() if "\n" not in text.strip() and _NUMBERED.match(text.strip()) else heading
            yield Block(text.strip(), heading)


def read_markdown(path: Path, work: Work) -> Iterator[Block]:
    yield from markdown(_text(path, work))


def markdown(text: str) -> Iterator[Block]:
    """Paragraphs under their headings; code in fences stays in one piece."""
    headings = Headings()
    waiting: list[str] = []
    fence = ""

    def block() -> Iterator[Block]:
        said = "\n".join(waiting).strip()
        waiting.clear()
        if said:
            yield Block(said, str(headings))

    for line in text.split("\n"):
        marked = _FENCE.match(line)
        if marked and (not fence or marked[1] == fence):
            fence = "" if fence else marked[1]
        found = None if fence or marked else _heading(line, waiting)
        if found:
            yield from block()
            headings.add(*found)
        elif not line.strip() and not fence:
            yield from block()
        else:
            waiting.append(line[:_MOST_LINE])
    yield from block()


def _heading(line: str, before: list[str]) -> tuple[int, str] | None:
    if match := _HEADING.match(line):
        return len(match[1]), match[2]
    if len(before) == 1 and (match := _UNDERLINE.match(line)) and not before[0].startswith(("|", "- ", "* ", ">")):
        return (1 if match[1][0] == "=" else 2), before.pop()
    return None


def read_web(path: Path, work: Work) -> Iterator[Block]:
    """What is seen of a web page."""
    from agent.web.reading.html import read_paragraphs  # lxml: not for the app, which uses this module, too

    headings = Headings()
    try:
        for level, text in read_paragraphs(_text(path, work, web=True)):
            if level:
                headings.add(level, text)
            yield Block(text, str(headings))
    except RecursionError:
        raise Refused(f"{work.name} is nested too deeply to be read.", "file") from None


def read_word(path: Path, work: Work) -> Iterator[Block]:
    """Its blocks. Raises ``Refused`` for what cannot be read."""
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            names = {part.filename for part in parts}
            if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > work.limits.unpacked:
                raise work.because(
                    "{name} is too large once unpacked. Save it in smaller parts, or as a PDF.", kind="size"
                )
            _check_tags(archive, [name for name in (*_TEXTS, _STYLES) if name in names], work)
            styles = _styles(archive, work) if _STYLES in names else {}
            for name in _TEXTS:
                if name in names:
                    found = _Paragraphs(styles)
                    work.reporter.report("Reading the text")
                    yield from _parsed(archive, name, found, work)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError):
        raise damaged(work.name) from None
    except expat.ExpatError:
        raise work.because("{name} is damaged: its text cannot be read. Save it again in Word.") from None


def _check_tags(archive: zipfile.ZipFile, names: Sequence[str], work: Work) -> None:
    """Refuse what would take minutes to read before it is read: half a megabyte packed can hold 30 million tags."""
    tags = 0
    for name in names:
        for block in _unpacked(archive, name, work):
            tags += block.count(b"<")
            if tags > _MOST_TAGS:
                raise work.because(
                    "{name} has too many paragraphs and marks to be read here. Save it in smaller parts, or as a PDF.",
                    kind="size",
                )


class _Paragraphs:
    """Takes the parts of the XML one by one and keeps the paragraphs that are done."""

    def __init__(self, styles: dict[str, int]) -> None:
        self.done: list[Block] = []
        self._styles = styles
        self._headings = Headings()
        self._text: list[str] = []
        self._row: list[str] = []
        self._level = 0
        self._tables = 0
        self._skipped = 0
        self._depth = 0
        self._inside = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise Refused.because("This document is nested too deeply to be read.")
        name = name.rpartition(":")[2]
        if name in _SKIPPED or self._skipped:
            self._skipped += 1
        elif name == "tbl":
            self._tables += 1
        elif name == "p" and not self._tables:
            self._text, self._level = [], 0
        elif name == "pStyle":
            style = attributes.get("w:val", "")
            self._level = self._styles.get(style, 0) if self._styles else _level(style)
        elif name == "outlineLvl":
            level = attributes.get("w:val", "9")
            self._level = int(level) + 1 if level.isdigit() and int(level) < 9 else self._level
        elif name == "t":
            self._inside = True
        elif name in ("tab", "br", "cr"):
            self._text.append("\n" if name != "tab" else " ")

    def end(self, name: str) -> None:
        self._depth -= 1
        name = name.rpartition(":")[2]
        if self._skipped:
            self._skipped -= 1
        elif name == "t":
            self._inside = False
        elif name == "p":
            self._paragraph()
        elif name == "tc":
            self._row.append(" ".join("".join(self._text).split()))
            self._text = []
        elif name == "tr":
            self._take(" | ".join(self._row))
            self._row = []
        elif name == "tbl":
            self._tables = max(0, self._tables - 1)
            self._text = []

    def characters(self, text: str) -> None:
        if self._inside and not self._skipped:
            self._text.append(text)

    def _paragraph(self) -> None:
        if self._tables:
            self._text.append(" ")
            return
        text = "".join(self._text).strip()
        self._text = []
        if self._level and text:
            self._headings.add(self._level, text)
        self._take(text)

    def _take(self, text: str) -> None:
        if text.strip(" |"):
            self.done.append(Block(text, str(self._headings)))


def _parsed(archive: zipfile.ZipFile, name: str, found: _Paragraphs, work: Work) -> Iterator[Block]:
    parser = _parser(work)
    parser.StartElementHandler = found.start
    parser.EndElementHandler = found.end
    parser.CharacterDataHandler = found.characters
    for block in _unpacked(archive, name, work):
        parser.Parse(block, False)
        yield from found.done
        found.done.clear()
    parser.Parse(b"", True)
    yield from found.done


def _styles(archive: zipfile.ZipFile, work: Work) -> dict[str, int]:
    """The level of each style that is a heading, by its id: ids are in the language of the Word that wrote it."""
    levels: dict[str, int] = {}
    current = [""]

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == "w:style":
            current[0] = attributes.get("w:styleId", "")
        elif name == "w:name" and (level := _level(attributes.get("w:val", ""))):
            levels[current[0]] = level

    parser = _parser(work)
    parser.StartElementHandler = start
    for block in _unpacked(archive, _STYLES, work):
        parser.Parse(block, False)
    return levels


def _level(style: str) -> int:
    """1 to 9 for a style that is a heading's, 0 for others."""
    match = _LEVEL.match(style)
    return int(match[1] or 1) if match else 0


def _parser(work: Work) -> expat.XMLParserType:
    """One that takes no definitions of entities: Word writes none, bombs are made of them."""
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise work.because("{name} holds definitions that a Word document has no use for. It is not read.")

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    return parser


def _unpacked(archive: zipfile.ZipFile, name: str, work: Work) -> Iterator[bytes]:
    """Its bytes; never more than the limit, whatever the archive says."""
    size = 0
    with archive.open(name) as part:
        while block := part.read(_BLOCK):
            size += len(block)
            if size > work.limits.unpacked:
                raise work.because("{name} is too large once unpacked. Save it in smaller parts.", kind="size")
            yield block
