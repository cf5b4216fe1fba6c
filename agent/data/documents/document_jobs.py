"""Jobs on documents: JSON in, JSON out, in a locked process. The rules are those of ``agent.data.tables.table_jobs``.

===============  =========================================================  ==========================================
kind             takes                                                      gives
===============  =========================================================  ==========================================
document_load    id, source, name, progress, keep, limits                   card
document_keep    keep (ids)                                                 nothing
document_search  question, keep, most                                       hits
document_page    id, page                                                   passages
document_place   id, passage                                                page (0 where it is gone)
document_give    id, after (a number), most                                 passages, the next ones
document_take    id, name, source (what was given, as JSON lines)           nothing
===============  =========================================================  ==========================================

``keep`` are the ids of the documents there are: what the index has beside them is removed.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from agent.data.documents.index import Index
from agent.data.documents.passages import LIBRARY, Block, Limits, Passage, Work, passages
from agent.data.documents.readers import read_markdown, read_plain, read_web, read_word
from agent.data.refusal import Refused, check_room, damaged, locked
from agent.data.tables.loading.upload import OLD_OFFICE, looks_binary, names_of, old_office, zipped
from agent.data.tables.table_jobs import Answer, Job, done_by, limits_of, reporter_of, within
from agent.interface_text import Text, packed
from agent.text.regex import regex
from agent.web.reading.pdf import PdfDamaged, PdfLocked, open_pdf

_HEAD = 4096
_MAIN = "word/document.xml"
_TAKEN = Text("Documents can be PDF, Word (.docx), Markdown, HTML or text files.")
Reader = Callable[[Path, Work], Iterator[Block]]
_HYPHEN = regex(r"(?<=[a-zà-ÿ])[-\u00ad\u2010]\n(?=[a-zà-ÿ])")
_WRAPPED = regex(r"(?<![.!?:。！？])\n(?=[a-zà-ÿ0-9(])")
_WRAPPED_JAPANESE = regex(r"(?<=[\u3040-\u30ff\u4e00-\u9fff、])\n(?=[\u3040-\u30ff\u4e00-\u9fff])")
_BLANKS = regex(r"[ \t\u00a0]+")


def handle(job: Job, folder: Path) -> Answer:
    """As ``agent.data.tables.table_jobs.handle``."""
    return done_by(_KINDS, job, folder)


@contextmanager
def _library(folder: Path) -> Generator[Index]:
    within(folder, LIBRARY, new=True)
    try:
        index = Index(str(folder / LIBRARY))
        try:
            yield index
        finally:
            index.close()
    except sqlite3.Error as error:
        check_room(error)
        raise Refused.because("The index of these documents is damaged. Remove them, and load them again.") from None


def _load(job: Job, folder: Path) -> Answer:
    name, source = str(job["name"])[:200], within(folder, str(job["source"]))
    reporter, limits = reporter_of(job, folder), Limits(**limits_of(job))
    work = Work(name, limits, reporter)
    kind, reader = _reader(source, name, limits)
    with _library(folder) as index:
        index.keep([str(id) for id in job["keep"]])
        index.add(str(job["id"]), _title(name), passages(work.within(reader(source, work))))
        about = index.about(str(job["id"]))
    if not about["passages"]:
        raise Refused.because("{name} has no text in it.", name=name)
    reporter.report("Done", 1.0)
    pages = {"pages": work.pages or about["pages"], "paged": bool(work.pages)}
    return {"card": {"name": name, "kind": kind, **about, **pages, "notes": packed(work.notes)}}


def _reader(source: Path, name: str, limits: Limits) -> tuple[str, Reader]:
    """What the file is, by its bytes before its name. Raises ``Refused`` for what is no document."""
    with source.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        raise Refused.because("{name} is empty.", name=name)
    if b"%PDF-" in head[:1024]:
        return "PDF", read_pdf_pages
    if head.startswith(b"PK"):
        if _MAIN not in names_of(zipped(source, name, {_MAIN})):
            raise Refused.because("{name} is no Word document. {taken}", name=name, taken=_TAKEN)
        return "Word", read_word
    if head.startswith(OLD_OFFICE):
        old_office(source, name)
        raise Refused.because("{name} is of a Word before 2007. Save it as .docx or PDF, and load that.", name=name)
    if head.startswith(b"{\\rtf"):
        raise Refused.because("{name} is an RTF file. Save it as .docx or PDF, and load that.", name=name)
    if looks_binary(head, 20):
        raise Refused.because("{name} is not a document that can be read here. {taken}", name=name, taken=_TAKEN)
    ending = name.lower().rpartition(".")[2]
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if ending in ("html", "htm") or start.startswith((b"<!doctype html", b"<html")):
        return "HTML", read_web
    return ("Markdown", read_markdown) if ending in ("md", "markdown") else ("Text", read_plain)


def _keep(job: Job, folder: Path) -> Answer:
    with _library(folder) as index:
        index.keep([str(id) for id in job["keep"]])
    return {}


def _search(job: Job, folder: Path) -> Answer:
    with _library(folder) as index:
        hits = index.search(str(job["question"])[:2_000], [str(id) for id in job["keep"]], int(job.get("most", 4)))
    return {
        "hits": [
            {"document": hit.document, "score": hit.score, "covered": hit.covered, **asdict(hit.passage)}
            for hit in hits
        ]
    }


def _page(job: Job, folder: Path) -> Answer:
    with _library(folder) as index:
        return {"passages": [asdict(passage) for passage in index.page(str(job["id"]), int(job["page"]))]}


def _place(job: Job, folder: Path) -> Answer:
    with _library(folder) as index:
        passage = index.passage(str(job["id"]), int(job["passage"]))
    return {"page": passage.page if passage else 0}


def _give(job: Job, folder: Path) -> Answer:
    with _library(folder) as index:
        found = index.passages_after(str(job["id"]), int(job["after"]), int(job["most"]))
    return {"passages": [[one.number, one.page, one.heading, one.text] for one in found]}


def _take(job: Job, folder: Path) -> Answer:
    id, name, source = str(job["id"]), str(job["name"])[:200], within(folder, str(job["source"]))
    with _library(folder) as index, source.open("rb") as lines:
        there = index.about(id)["passages"]
        if not there:  # as it is where somebody was faster
            index.add(id, _title(name), (_passage(line, name) for line in lines))
    return {}


def _passage(line: bytes, name: str) -> Passage:
    try:
        number, page, heading, text = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        raise damaged(name) from None
    if not (isinstance(number, int) and isinstance(page, int) and isinstance(heading, str) and isinstance(text, str)):
        raise damaged(name)
    return Passage(number, page, heading, text)


def _title(name: str) -> str:
    return name.rpartition(".")[0] or name


_KINDS: Mapping[str, Callable[[Job, Path], Answer]] = {
    "document_load": _load,
    "document_keep": _keep,
    "document_search": _search,
    "document_page": _page,
    "document_place": _place,
    "document_give": _give,
    "document_take": _take,
}


def read_pdf_pages(path: Path, work: Work) -> Iterator[Block]:
    """Its blocks, those of one page with one number. Raises ``Refused`` for what cannot be read at all."""
    unreadable = Refused(f"{work.name} is damaged: no page of it can be read. Copy or download it again.", "file")
    try:
        file = open_pdf(path)
    except PdfDamaged:
        raise unreadable from None
    except PdfLocked:
        raise locked(work.name) from None
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
        raise unreadable
    if empty + failed == work.pages:
        raise Refused.because(
            "{name} has no text in it: its pages are pictures. Have the text recognised (OCR) first.", name=work.name
        )
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
