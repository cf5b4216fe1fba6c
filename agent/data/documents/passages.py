"""From what a reader found to passages: pieces of some sentences under one heading of one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, LiteralString

from agent.data.refusal import Refused
from agent.interface_text import Filling, Text
from agent.text.encodings import MEBIBYTE
from agent.text.regex import regex

if TYPE_CHECKING:
    from agent.data.tables.loading.load_work import Reporter

LIBRARY = "library.db"  # the index of the documents of a conversation, in its folder
LONGEST = 900  # characters of a passage
PART = 3_000  # characters of a part of a document that has no pages
_END = regex(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])[」』）]*|\n+")
_MOST_HEADING = 160


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, as a reader gives it. ``page`` counts from 1, and is 0 in documents without pages."""

    text: str
    heading: str = ""
    page: int = 0


class Headings:
    """The headings above a place in a document, outermost first; the longest are cut."""

    def __init__(self) -> None:
        self._titles: dict[int, str] = {}

    def add(self, level: int, title: str) -> None:
        """A heading of that level ends those of the same and of deeper ones."""
        self._titles = {one: said for one, said in self._titles.items() if one < level}
        self._titles[level] = " ".join(title.split())[:120]

    def __str__(self) -> str:
        return " › ".join(self._titles.values())


@dataclass(frozen=True, slots=True)
class Passage:
    """``number`` counts through the document from 1; ``page`` is a page, or a part where there are none."""

    number: int
    page: int
    heading: str
    text: str


def passages(blocks: Iterable[Block]) -> Iterator[Passage]:
    """Blocks of one page and heading together, as long as they fit; long ones in several passages."""
    part, used, paged = 1, 0, False
    for number, (page, heading, text) in enumerate(_joined(blocks), 1):
        paged = paged or page > 0
        if not paged and used and used + len(text) > PART:
            part, used = part + 1, 0
        used += len(text)
        yield Passage(number, page if paged else part, heading[:_MOST_HEADING], text)


def _joined(blocks: Iterable[Block]) -> Iterator[tuple[int, str, str]]:
    waiting: list[str] = []
    size = 0  # of what waits, with a character after each
    place = (0, "")
    for block in blocks:
        for piece in _pieces(block.text.strip()):
            here = (block.page, block.heading)
            if waiting and (here != place or size + len(piece) > LONGEST):
                yield place[0], place[1], "\n".join(waiting)
                waiting, size = [], 0
            place = here
            waiting.append(piece)
            size += len(piece) + 1
    if waiting:
        yield place[0], place[1], "\n".join(waiting)


def _pieces(text: str) -> Iterator[str]:
    """``text``, cut at ends of sentences where it is too long for a passage; at blanks where there are none."""
    if len(text) <= LONGEST:
        if text:
            yield text
        return
    taken = ""
    start = 0
    for end in [*(found.end() for found in _END.finditer(text)), len(text)]:
        sentence, start = text[start:end], end
        if taken and len(taken) + len(sentence) > LONGEST:
            yield taken.strip()
            taken = ""
        while len(sentence) > LONGEST:
            cut = sentence.rfind(" ", LONGEST // 2, LONGEST) + 1 or LONGEST
            yield (taken + sentence[:cut]).strip() if len(taken) + cut <= LONGEST else sentence[:cut].strip()
            sentence, taken = sentence[cut:], ""
        taken += sentence
    if taken.strip():
        yield taken.strip()


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a document may be: ``unpacked`` in bytes; ``characters`` and ``pages`` are of one document.

    What is longer is read up to there, and a note says so.
    """

    unpacked: int = 200 * MEBIBYTE
    characters: int = 4_000_000
    pages: int = 2_000


@dataclass
class Work:
    """One document called ``name``. ``pages`` is how many it has, 0 where it has none; ``notes`` are sentences."""

    name: str
    limits: Limits
    reporter: Reporter
    pages: int = 0
    notes: list[str] = field(default_factory=list[str])

    def because(self, key: LiteralString, *, kind: str = "file", **values: Filling) -> Refused:
        """The refusal of this file with a sentence that may have its ``{name}``."""
        return Refused(Text.of(key, "", {"name": self.name, **values}), kind)

    def within(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """The blocks up to the limit of characters."""
        read = 0
        for block in blocks:
            read += len(block.text)
            if read > self.limits.characters:
                where = f"page {block.page}" if block.page else f"its first {self.limits.characters:,} characters"
                self.notes.append(Text("It is very long: it was read up to {where}.", where=where))
                return
            yield block
