"""PDF, page by page, with the headings of its outline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from agent.data.documents.passages import Block
from agent.data.documents.readers.work import Work
from agent.data.refusal import Refused
from agent.interface_text import Text
from agent.web.reading.pdf import PdfDamaged, PdfLocked, open_pdf

_HYPHEN = re.compile(r"(?<=[a-zà-ÿ])[-\u00ad\u2010]\n(?=[a-zà-ÿ])")
_WRAPPED = re.compile(r"(?<![.!?:。！？])\n(?=[a-zà-ÿ0-9(])")
_WRAPPED_JAPANESE = re.compile(r"(?<=[\u3040-\u30ff\u4e00-\u9fff、])\n(?=[\u3040-\u30ff\u4e00-\u9fff])")
_BLANKS = re.compile(r"[ \t\u00a0]+")


def read_pdf_pages(path: Path, work: Work) -> Iterator[Block]:
    """Its blocks, those of one page with one number. Raises ``Refused`` for what cannot be read at all."""
    damaged = Refused(f"{work.name} is damaged: no page of it can be read. Copy or download it again.", "file")
    try:
        file = open_pdf(path)
    except PdfDamaged:
        raise damaged from None
    except PdfLocked:
        said = Text("{name} is protected by a password. Save it without one, and load it again.", name=work.name)
        raise Refused(said, "file") from None
    work.pages = min(file.pages, work.limits.pages)
    if work.pages < file.pages:
        work.notes.append(
            Text("It has {pages:,} pages; the first {pages2:,} were read.", pages=file.pages, pages2=work.pages)
        )
    headings = file.headings()
    heading, empty, failed = "", 0, 0
    for number in range(1, work.pages + 1):
        work.reporter.report("Reading the pages", (number - 1) / work.pages)
        heading = headings.get(number, heading)
        text = file.text(number)
        blocks = [Block(block, heading, number) for block in _paragraphs(text or "")]
        failed += text is None
        empty += text is not None and not blocks
        yield from blocks
    if failed == work.pages:
        raise damaged
    if empty + failed == work.pages:
        said = Text(
            "{name} has no text in it: its pages are pictures. Have the text recognised (OCR) first.", name=work.name
        )
        raise Refused(said, "file")
    if failed:
        work.notes.append(Text("{failed:,} of {pages:,} pages could not be read.", failed=failed, pages=work.pages))
    if empty:
        work.notes.append(
            Text("{empty:,} of {pages:,} pages have no text; they may be pictures.", empty=empty, pages=work.pages)
        )


def _paragraphs(text: str) -> list[str]:
    """Lines that a page broke are one again."""
    text = _BLANKS.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", ""))
    text = re.sub(r" ?\n ?", "\n", text)
    text = _WRAPPED_JAPANESE.sub("", _WRAPPED.sub(" ", _HYPHEN.sub("", text)))
    return [block.strip() for block in re.split(r"\n{2,}", text) if block.strip()]
