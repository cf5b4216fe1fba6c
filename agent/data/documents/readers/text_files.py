"""Plain text, Markdown and web pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from agent.data.documents.passages import Block, Headings, Work
from agent.data.refusal import Refused
from agent.interface_text import Text
from agent.web.reading.media_types import decoded

_MOST_LINE = 20_000
_HEADING = re.compile(r"(#{1,6})[ \t]+(.+?)[ \t#]*$")
_UNDERLINE = re.compile(r"(=+|-+)[ \t]*$")
_FENCE = re.compile(r"[ \t]*(```|~~~)")
# "第3章 …", "2.1 Methods": a short line that stands alone.
_NUMBERED = re.compile(
    r"(?:第 ?[\d一二三四五六七八九十百]+ ?[章節条編部]|(?:chapter|section|part) \d+|\d+(?:\.\d+)*\.? )[^.。]{0,80}$",
    re.I,
)


def _text(path: Path, work: Work, web: bool = False) -> str:
    """The text, whatever encoding it is in; a note where some of it could not be read."""
    text, _ = decoded(path.read_bytes(), "", markup=web)
    lost = text.count("\ufffd")
    if lost > len(text) // 10 or text.count("\x00") > len(text) // 20:
        raise Refused.because("{name} is no text that can be read here: most of it is not letters.", name=work.name)
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
