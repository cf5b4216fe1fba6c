"""Jobs on documents: JSON in, JSON out, in a locked process. The rules are those of ``agent.data.tables.table_jobs``.

===============  =========================================================  ==========================================
kind             takes                                                      gives
===============  =========================================================  ==========================================
document_load    id, source, name, progress, keep, limits                   card
document_keep    keep (ids)                                                 nothing
document_search  question, keep, most                                       hits
document_page    id, page                                                   passages
document_place   id, passage                                                page (0 where it is gone)
===============  =========================================================  ==========================================

``keep`` are the ids of the documents there are: what the index has beside them is removed.
"""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from agent.data.documents.index import Index
from agent.data.documents.passages import Block, Passage, passages
from agent.data.documents.readers.pdf_pages import read_pdf_pages
from agent.data.documents.readers.text_files import read_markdown, read_plain, read_web
from agent.data.documents.readers.word import read_word
from agent.data.documents.readers.work import Limits, Work
from agent.data.refusal import Refused
from agent.data.tables.loading.progress import Reporter
from agent.data.tables.loading.recognising import utf_16_without_mark
from agent.data.tables.table_jobs import Answer, Job, done_by, within
from agent.interface_text import Text, packed

LIBRARY = "library.db"
_HEAD = 4096
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TAKEN = Text("Documents can be PDF, Word (.docx), Markdown, HTML or text files.")
Reader = Callable[[Path, Work], Iterator[Block]]


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
    except sqlite3.Error:
        raise Refused(
            Text("The index of these documents is damaged. Remove them, and load them again."), "file"
        ) from None


def _load(job: Job, folder: Path) -> Answer:
    name, source = str(job["name"])[:200], within(folder, str(job["source"]))
    told = job.get("progress")
    reporter = Reporter(within(folder, str(told), new=True) if told else None)
    limits = Limits(**{key: int(value) for key, value in cast("Mapping[str, int]", job.get("limits") or {}).items()})
    work = Work(name, limits, reporter)
    kind, reader = _reader(source, name, limits)
    count = _Count()
    with _library(folder) as index:
        index.keep([str(id) for id in job["keep"]])
        found = count.counted(passages(work.within(reader(source, work))))
        index.add(str(job["id"]), name.rpartition(".")[0] or name, found)
    if not count.passages:
        raise Refused(Text("{name} has no text in it.", name=name), "file")
    reporter.report("Done", 1.0)
    return {"card": {"name": name, "kind": kind, **count.card(work), "notes": packed(work.notes)}}


class _Count:
    def __init__(self) -> None:
        self.passages = self.characters = self.last = 0
        self.headings: list[str] = []

    def counted(self, found: Iterator[Passage]) -> Iterator[Passage]:
        for passage in found:
            self.passages += 1
            self.characters += len(passage.text)
            self.last = passage.page
            heading = passage.heading.rpartition(" › ")[2]
            if heading and heading not in self.headings and len(self.headings) < 12:
                self.headings.append(heading)
            yield passage

    def card(self, work: Work) -> dict[str, Any]:
        return {
            "pages": work.pages or self.last,
            "paged": bool(work.pages),
            "passages": self.passages,
            "characters": self.characters,
            "headings": self.headings,
        }


def _reader(source: Path, name: str, limits: Limits) -> tuple[str, Reader]:
    """What the file is, by its bytes before its name. Raises ``Refused`` for what is no document."""
    with source.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        raise Refused(Text("{name} is empty.", name=name), "file")
    if b"%PDF-" in head[:1024]:
        return "PDF", read_pdf_pages
    if head.startswith(b"PK"):
        return "Word", _zipped(source, name)
    if head.startswith(_OLD_OFFICE):
        if "EncryptedPackage".encode("utf-16-le") in source.read_bytes():
            raise Refused(
                Text("{name} is protected by a password. Save it without one, and load it again.", name=name), "file"
            )
        raise Refused(
            Text("{name} is of a Word before 2007. Save it as .docx or PDF, and load that.", name=name), "file"
        )
    if head.startswith(b"{\\rtf"):
        raise Refused(Text("{name} is an RTF file. Save it as .docx or PDF, and load that.", name=name), "file")
    if _binary(head):
        raise Refused(Text("{name} is not a document that can be read here. {taken}", name=name, taken=_TAKEN), "file")
    ending = name.lower().rpartition(".")[2]
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if ending in ("html", "htm") or start.startswith((b"<!doctype html", b"<html")):
        return "HTML", read_web
    return ("Markdown", read_markdown) if ending in ("md", "markdown") else ("Text", read_plain)


def _zipped(source: Path, name: str) -> Reader:
    try:
        with zipfile.ZipFile(source) as archive:
            known = "word/document.xml" in archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        raise Refused(
            Text("{name} is damaged or its end is missing. Copy or download it again.", name=name), "file"
        ) from None
    if not known:
        raise Refused(Text("{name} is no Word document. {taken}", name=name, taken=_TAKEN), "file")
    return read_word


def _binary(head: bytes) -> bool:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or utf_16_without_mark(head):
        return False
    odd = sum(byte < 32 and byte not in (9, 10, 12, 13, 27) for byte in head)
    return b"\x00" in head or odd * 20 > len(head)


def _keep(job: Job, folder: Path) -> Answer:
    with _library(folder) as index:
        index.keep([str(id) for id in job["keep"]])
    return {}


def _search(job: Job, folder: Path) -> Answer:
    with _library(folder) as index:
        hits = index.search(str(job["question"])[:2_000], [str(id) for id in job["keep"]], int(job.get("most", 4)))
    return {
        "hits": [
            {"document": hit.document, "score": hit.score, "covered": hit.covered, **_json(hit.passage)} for hit in hits
        ]
    }


def _page(job: Job, folder: Path) -> Answer:
    with _library(folder) as index:
        return {"passages": [_json(passage) for passage in index.page(str(job["id"]), int(job["page"]))]}


def _place(job: Job, folder: Path) -> Answer:
    with _library(folder) as index:
        passage = index.passage(str(job["id"]), int(job["passage"]))
    return {"page": passage.page if passage else 0}


def _json(passage: Passage) -> dict[str, Any]:
    return {"number": passage.number, "page": passage.page, "heading": passage.heading, "text": passage.text}


_KINDS: Mapping[str, Callable[[Job, Path], Answer]] = {
    "document_load": _load,
    "document_keep": _keep,
    "document_search": _search,
    "document_page": _page,
    "document_place": _place,
}
