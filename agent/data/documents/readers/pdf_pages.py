"""PDF, page by page, with the headings of its outline."""

from __future__ import annotations

import logging
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from agent.data.documents.passages import Block
from agent.data.documents.readers.work import Work
from agent.data.refusal import Refused
from agent.interface_text import Text

# What a parser of hostile files ends in: the file is broken, not we.
_BROKEN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
_HYPHEN = re.compile(r"(?<=[a-zà-ÿ])[-\u00ad\u2010]\n(?=[a-zà-ÿ])")
_WRAPPED = re.compile(r"(?<![.!?:。！？])\n(?=[a-zà-ÿ0-9(])")
_WRAPPED_JAPANESE = re.compile(r"(?<=[\u3040-\u30ff\u4e00-\u9fff、])\n(?=[\u3040-\u30ff\u4e00-\u9fff])")
_BLANKS = re.compile(r"[ \t\u00a0]+")
_MOST_OUTLINE = 2_000


def read_pdf(path: Path, work: Work) -> Iterator[Block]:
    """Its blocks, those of one page with one number. Raises ``Refused`` for what cannot be read at all."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    broken = (*_BROKEN, PyPdfError)
    try:
        reader = PdfReader(path, strict=False)
        locked = reader.is_encrypted and not reader.decrypt("")
        work.pages = 0 if locked else len(reader.pages)
    except broken:
        raise Refused(
            Text("{name} is damaged: no page of it can be read. Copy or download it again.", name=work.name), "file"
        ) from None
    if locked:
        raise Refused(
            Text("{name} is protected by a password. Save it without one, and load it again.", name=work.name), "file"
        )
    if work.pages > work.limits.pages:
        work.notes.append(
            Text("It has {pages:,} pages; the first {pages2:,} were read.", pages=work.pages, pages2=work.limits.pages)
        )
        work.pages = work.limits.pages
    yield from _pages(reader, work, broken)


def _pages(reader: Any, work: Work, broken: tuple[type[Exception], ...]) -> Iterator[Block]:
    headings = _headings(reader, broken)
    heading, empty, failed = "", 0, 0
    for number in range(1, work.pages + 1):
        work.reporter.report("Reading the pages", (number - 1) / work.pages)
        heading = headings.get(number, heading)
        try:
            text = str(reader.pages[number - 1].extract_text() or "")
        except broken:
            failed += 1
            continue
        blocks = [Block(block, heading, number) for block in _paragraphs(text)]
        empty += not blocks
        yield from blocks
    if failed == work.pages:
        raise Refused(
            Text("{name} is damaged: no page of it can be read. Copy or download it again.", name=work.name), "file"
        )
    if empty + failed == work.pages:
        raise Refused(
            Text(
                "{name} has no text in it: its pages are pictures. Have the text recognised (OCR) first.",
                name=work.name,
            ),
            "file",
        )
    if failed:
        work.notes.append(Text("{failed:,} of {pages:,} pages could not be read.", failed=failed, pages=work.pages))
    if empty:
        work.notes.append(
            Text("{empty:,} of {pages:,} pages have no text; they may be pictures.", empty=empty, pages=work.pages)
        )


def _headings(reader: Any, broken: tuple[type[Exception], ...]) -> dict[int, str]:
    """The title of the outline that begins on a page, the first of several."""
    found: dict[int, str] = {}
    try:
        waiting: list[Any] = list(reader.outline)
        for _ in range(_MOST_OUTLINE):
            if not waiting:
                break
            entry: Any = waiting.pop(0)
            if isinstance(entry, list):
                waiting = [*cast("list[Any]", entry), *waiting]
                continue
            page = reader.get_destination_page_number(entry)
            if page is not None and page >= 0:
                found.setdefault(int(page) + 1, " ".join(str(getattr(entry, "title", "")).split())[:160])
    except broken:
        pass
    return found


def _paragraphs(text: str) -> list[str]:
    """Lines that a page broke are one again."""
    text = _BLANKS.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", ""))
    text = re.sub(r" ?\n ?", "\n", text)
    text = _WRAPPED_JAPANESE.sub("", _WRAPPED.sub(" ", _HYPHEN.sub("", text)))
    return [block.strip() for block in re.split(r"\n{2,}", text) if block.strip()]
