"""The reading of a page or file of a stranger's: runs in the sandbox, see ``page_process``."""

from __future__ import annotations

import json
import signal
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agent.sandbox.ordinary import serve
from agent.web.reading import html
from agent.web.reading.document import Document, Unreadable, read_table_file
from agent.web.reading.hidden import visible
from agent.web.reading.html import one_line, parse_html, parse_xml
from agent.web.reading.media_types import decoded, kind_of
from agent.web.reading.pdf import read_pdf

CONTENT = "page"  # the name of the file with what was fetched
_MOST_TEXT = 1_200_000  # characters; as JSON they are less than what the sandbox takes for an answer
_ENDED = "Reading it took too much time or memory, so the end is missing."
_LONG = "It is longer than what is read of one page: only its beginning was read."
_MOST_ENTRIES = 200
_ENTRIES = ("item", "entry")


class _TimeOver(BaseException):
    """What no reader of a format takes for a mistake in a file."""


def handle(job: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The document in the file ``CONTENT`` of the folder, or why there is none: ``unreadable`` and ``kind``.

    The job says ``url``, ``media``, ``charset``, whether all of it is there (``whole``), and after how many ``seconds``
    what was read so far is the answer.
    """
    content = (folder / CONTENT).read_bytes()
    parts: list[Document] = []
    ended = False
    try:
        with _at_most(float(job["seconds"])):
            for part in _documents(content, job):
                parts.append(part)
    except Unreadable as error:
        return {"unreadable": str(error), "kind": error.kind}
    except RecursionError:
        return {"unreadable": "This page is nested too deeply to be read.", "kind": "refused"}
    except (_TimeOver, MemoryError):
        ended = True
    text = "".join(part.text for part in parts).strip()
    notes = [note for part in parts for note in part.notes] + [_ENDED] * ended + [_LONG] * (len(text) > _MOST_TEXT)
    first = parts[0] if parts else Document("")
    return {
        "text": text[:_MOST_TEXT],
        "title": first.title,
        "date": first.date,
        "notes": notes,
        "walled": first.walled,
    }


@contextmanager
def _at_most(seconds: float) -> Generator[None]:
    """Raises ``_TimeOver`` in the block after so many seconds, where the system has alarms."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise _TimeOver

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _documents(content: bytes, job: Mapping[str, Any]) -> Iterator[Document]:
    url = str(job["url"])
    kind = kind_of(str(job["media"]), urlsplit(url).path, content)
    if kind == "binary":
        raise Unreadable("This address holds no text, so it cannot be read. Use another source.", "refused")
    if kind == "pdf":
        yield from read_pdf(content)
        return
    text, wrong = decoded(content, str(job["charset"]), markup=kind in ("html", "xml"))
    yield _read(kind, text, url, bool(job["whole"]))
    if wrong:
        yield Document("", notes=("Some characters could not be read and are shown as �.",))


def _read(kind: str, text: str, url: str, whole: bool) -> Document:
    if kind == "html":
        return html.read_html(text, url)
    text = visible(text)
    if not text.strip():
        raise Unreadable("There is nothing on this page.")
    if kind == "json":
        return read_json(text)
    if kind == "xml":
        return read_xml(text)
    return read_table_file(text, whole) if kind == "table" else Document(text)


def main() -> None:
    """The same in an ordinary process; the job names the ``folder``, too."""
    serve(lambda job: handle(job, Path(job["folder"])))


def read_json(text: str) -> Document:
    """Set out in lines; as it came where it is not JSON (or JSON lines, or cut off)."""
    try:
        return Document(json.dumps(json.loads(text), ensure_ascii=False, indent=2))
    except (ValueError, RecursionError):
        return Document(text)


def read_xml(text: str) -> Document:
    """The entries of a feed as a list, other XML as it came."""
    root = parse_xml(text)
    entries = _named(root, _ENTRIES)
    if not entries:
        return Document(text)
    channel = (_named(root, ("channel", "feed")) or [root])[0]
    lines = [_entry(entry) for entry in entries[:_MOST_ENTRIES]]
    more = f"\n\n({len(entries) - _MOST_ENTRIES:,} more entries left out)" if len(entries) > _MOST_ENTRIES else ""
    return Document("\n".join(lines) + more, one_line(_child(channel, "title")))


def _named(root: Any, names: tuple[str, ...]) -> list[Any]:
    return [] if root is None else [node for node in root.iter() if _name(node) in names]


def _entry(entry: Any) -> str:
    title = one_line(_child(entry, "title")) or "(without a title)"
    link = next((node.get("href") or node.text or "" for node in entry if _name(node) == "link"), "").strip()
    date = one_line(next(filter(None, (_child(entry, name) for name in ("pubDate", "published", "updated"))), ""), 40)
    about = one_line(_plain(_child(entry, "description") or _child(entry, "summary")), 300)
    named = f"[{title}]({link})" if link.startswith(("http://", "https://")) else title
    return f"- {' · '.join(filter(None, (named, date)))}" + (f"\n  {about}" if about else "")


def _plain(markup: str) -> str:
    if "<" not in markup:
        return markup
    root = parse_html(markup)
    return "" if root is None else " ".join(root.itertext())


def _child(node: Any, name: str) -> str:
    return next(("".join(child.itertext()) for child in node if _name(child) == name), "")


def _name(node: Any) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""
