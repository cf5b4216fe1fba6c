"""Runs by itself, see ``process``: a head (one line of JSON) and content on stdin, documents as JSON lines on stdout.

It limits itself before it reads anything: processor time, memory, no new files.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from agent.web.reading.document import Document

_SECONDS = 8
_MEMORY = 1024 * 1024 * 1024
_DEPTH = 12_000  # of Python's calls, for pages of 2,048 levels


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows: what is left is the time the parent gives
        return
    sys.dont_write_bytecode = True  # cut off at the limit of a file's size, it would break the module for everybody
    for limit, value in (
        (resource.RLIMIT_CPU, _SECONDS),
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(OSError, ValueError):
            resource.setrlimit(limit, (value, value))


def main() -> None:
    _limit()
    sys.setrecursionlimit(_DEPTH)
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    from agent.web.reading.document import Unreadable

    head = json.loads(sys.stdin.buffer.readline())
    content = sys.stdin.buffer.read()
    try:
        for document in _documents(content, **head):
            _tell(asdict(document))
        _tell({"done": True})
    except Unreadable as error:
        _tell({"unreadable": str(error), "kind": error.kind})
    except RecursionError:
        _tell({"unreadable": "This page is nested too deeply to be read.", "kind": "refused"})


def _documents(content: bytes, url: str, media: str, charset: str, cut: str) -> Iterator[Document]:
    from agent.web.reading.document import Document, Unreadable
    from agent.web.reading.media_types import decoded, kind_of

    kind = kind_of(media, urlsplit(url).path, content)
    if kind == "binary":
        raise Unreadable("This address holds no text, so it cannot be read. Use another source.", "refused")
    if kind == "pdf":
        from agent.web.reading.pdf_text import read_pdf

        yield from read_pdf(content)
        return
    text, wrong = decoded(content, charset, markup=kind in ("html", "xml"))
    yield _read(kind, text, url, not cut)
    if wrong:
        yield Document("", notes=("Some characters could not be read and are shown as �.",))


def _read(kind: str, text: str, url: str, whole: bool) -> Document:
    from agent.web.reading import html, others
    from agent.web.reading import page_tables as tables
    from agent.web.reading.document import Document, Unreadable
    from agent.web.reading.hidden import visible

    if kind == "html":
        return html.read_html(text, url)
    text = visible(text)
    if not text.strip():
        raise Unreadable("There is nothing on this page.")
    if kind == "json":
        return others.read_json(text)
    if kind == "xml":
        return others.read_xml(text)
    return tables.read_table_file(text, whole) if kind == "table" else Document(text)


def _tell(line: object) -> None:
    sys.stdout.buffer.write(json.dumps(line).encode() + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
