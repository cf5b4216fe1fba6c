"""PDF files: the text of their pages. For the sandbox: a parser of hostile files may take any time and memory."""

from __future__ import annotations

import logging
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, cast

from agent.web.reading.document import Document, Unreadable
from agent.web.reading.hidden import visible
from agent.web.reading.html import one_line

_MOST_PAGES = 300
_MOST_TEXT = 600_000
_MOST_OUTLINE = 2_000
_LOCKED = "This PDF is locked with a password. Use another source."
_DAMAGED = "This PDF is damaged and could not be read. Use another source."
# What hostile or damaged files make pypdf raise beside its own errors.
_DAMAGE = (ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, OSError, RuntimeError,
           TypeError, ValueError, struct.error, zlib.error)  # fmt: skip


class PdfLocked(Exception):
    """The file needs a password."""


class PdfDamaged(Exception):
    """No page of the file can be read."""


@dataclass(frozen=True, slots=True)
class Pdf:
    """An open file of ``pages`` pages, which count from 1."""

    pages: int
    title: str
    _reader: Any
    _broken: tuple[type[Exception], ...]

    def text(self, page: int) -> str | None:
        """The text of a page; ``None`` where it cannot be read."""
        try:
            return str(self._reader.pages[page - 1].extract_text() or "")
        except self._broken:
            return None

    def layout(self, page: int) -> str | None:
        """The text of a page with its words apart as they are on it; ``None`` where it cannot be read."""
        try:
            return str(self._reader.pages[page - 1].extract_text(extraction_mode="layout") or "")
        except self._broken:
            return None

    def headings(self) -> dict[int, str]:
        """Page to the title of the outline that begins on it, the first of several."""
        found: dict[int, str] = {}
        try:
            waiting: list[Any] = list(self._reader.outline)
            for _ in range(_MOST_OUTLINE):
                if not waiting:
                    break
                entry: Any = waiting.pop(0)
                if isinstance(entry, list):
                    waiting = [*cast("list[Any]", entry), *waiting]
                    continue
                page = self._reader.get_destination_page_number(entry)
                if page is not None and page >= 0:
                    found.setdefault(int(page) + 1, one_line(str(getattr(entry, "title", "")), 160))
        except self._broken:
            pass
        return found


def open_pdf(source: BytesIO | Path) -> Pdf:
    """Raises ``PdfLocked`` and ``PdfDamaged``."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    broken = (*_DAMAGE, PyPdfError)
    try:
        reader = PdfReader(source)
        if reader.is_encrypted and not reader.decrypt(""):
            raise PdfLocked
        told: Any = reader.metadata
        title = one_line(str(told.get("/Title") or "")) if told else ""
        return Pdf(len(reader.pages), title, reader, broken)
    except broken as error:
        raise (PdfLocked if "ncrypt" in type(error).__name__ else PdfDamaged) from None


def read_pdf(content: bytes) -> Iterator[Document]:
    """The title, then page after page; each holds only what is new.

    Raises ``Unreadable`` for a locked or damaged file, and for one without text.
    """
    try:
        file = open_pdf(BytesIO(content))
    except PdfLocked:
        raise Unreadable(_LOCKED, "refused") from None
    except PdfDamaged:
        raise Unreadable(_DAMAGED, "refused") from None
    yield Document("", file.title)
    read = page = 0
    while page < min(file.pages, _MOST_PAGES) and read <= _MOST_TEXT:
        page += 1
        text = file.text(page)
        text = "(This page could not be read.)" if text is None else visible(text).strip()
        read += len(text)
        yield Document(f"## Page {page}\n\n{text}\n\n" if text else "")
    if not read:
        raise Unreadable("This PDF has no text in it, only pictures of pages. Use another source.")
    if page < file.pages:
        yield Document("", notes=(f"Only the first {page} of {file.pages} pages were read.",))
