"""What a reader is given and what it leaves beside its blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agent.data.documents.passages import Block
from agent.data.tables.loading.progress import Reporter
from agent.interface_text import Text
from agent.text.encodings import MEBIBYTE


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
