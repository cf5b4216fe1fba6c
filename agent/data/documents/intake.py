"""Files dropped into a chat: each goes to its tables, its documents or the pictures of its next question."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from agent.data.documents.chat_documents import ConversationDocuments
from agent.data.pictures import PictureTray, is_picture_file
from agent.data.tables.chat_tables import ConversationTables
from agent.data.tables.loading.load_work import Progress
from agent.errors import BadRequest

FILE_TYPES = ("pdf", "docx", "md", "markdown", "html", "htm", "txt")
HEAD = 4096
_SURELY = ("pdf", "docx", "md", "markdown", "html", "htm", "doc")
_DELIMITERS = ("\t", ",", ";", "|")
_LINES = 8


def is_document(name: str, head: bytes) -> bool:
    """Whether a file called ``name`` that starts with ``head`` is to be read as a text, not as a table.

    A ``.txt`` is a table where each of its first lines has the same number of delimiters.
    """
    ending = name.lower().rpartition(".")[2]
    if ending in _SURELY or head.startswith(b"%PDF"):
        return True
    return ending == "txt" and not _tabular(head)


def _tabular(head: bytes) -> bool:
    text = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
    lines = [line for line in re.split(r"\r\n|\r|\n", text)[:-1] or [text] if line.strip()][:_LINES]
    if len(lines) < 2:
        return False
    counts = [{line.count(delimiter) for line in lines} for delimiter in _DELIMITERS]
    return any(len(found) == 1 and found != {0} for found in counts)


@dataclass(frozen=True, slots=True)
class Intake:
    tables: ConversationTables
    documents: ConversationDocuments
    pictures: PictureTray

    def load(
        self, name: str, source: BinaryIO, progress: Callable[[Progress], None] | None = None
    ) -> tuple[tuple[Mapping[str, Any], ...], tuple[str, ...]]:
        """The cards of what it became, and notes on how it was read. Raises ``BadRequest``."""
        head = source.read(HEAD)
        source.seek(0)
        if is_picture_file(name, head):
            self.pictures.add(name, source)
            return (), ()
        if not is_document(name, head):
            return self.tables.load(name, source, progress)
        cards, notes = self.documents.load(name, source, progress)
        return (*cards, *self._tables_of(name, source, head)), notes

    def _tables_of(self, name: str, source: BinaryIO, head: bytes) -> tuple[Mapping[str, Any], ...]:
        """The tables that a PDF has, which is a document as well; none where none can be loaded."""
        if not head.startswith(b"%PDF"):
            return ()
        source.seek(0)
        try:
            return self.tables.load(name, source)[0]
        except BadRequest:
            return ()
