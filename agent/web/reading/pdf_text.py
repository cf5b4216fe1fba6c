"""The text of a PDF, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from agent.web.reading.document import Document, Unreadable
from agent.web.reading.hidden import visible
from agent.web.reading.html import one_line

_MOST_PAGES = 300
_MOST_TEXT = 600_000
_LOCKED = "This PDF is locked with a password. Use another source."
_BROKEN = "This PDF is damaged and could not be read. Use another source."


def read_pdf(content: bytes) -> Iterator[Document]:
    """What was read after each page, the last one whole; each holds only what is new.

    Raises ``Unreadable`` for a locked or damaged file, and for one without text.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable(_LOCKED, "refused")
        count = len(reader.pages)
        told: Any = reader.metadata
        title = one_line(str(told.get("/Title") or "")) if told else ""
    except (PyPdfError, *_DAMAGE) as error:
        raise Unreadable(_LOCKED if "ncrypt" in type(error).__name__ else _BROKEN, "refused") from None
    yield Document("", title)
    read = 0
    for number in range(min(count, _MOST_PAGES)):
        try:
            text = visible(reader.pages[number].extract_text()).strip()
        except (PyPdfError, *_DAMAGE):
            text = "(This page could not be read.)"
        read += len(text)
        yield Document(f"## Page {number + 1}\n\n{text}\n\n" if text else "")
        if read > _MOST_TEXT:
            yield Document("", notes=(f"Only the first {number + 1} of {count} pages were read.",))
            return
    if not read:
        raise Unreadable("This PDF has no text in it, only pictures of pages. Use another source.")
    if count > _MOST_PAGES:
        yield Document("", notes=(f"Only the first {_MOST_PAGES} of {count} pages were read.",))


# What hostile or damaged files make pypdf raise beside its own errors.
_DAMAGE = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, ArithmeticError, RecursionError,
           AssertionError, LookupError, OSError, NotImplementedError, MemoryError)  # fmt: skip
