"""The ``read_url`` tool: a page or file of the public web as text, a part at a time."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from cachetools import LRUCache, cached

from agent.errors import ToolFailed
from agent.events import Source
from agent.interface_text import Text
from agent.sandbox.client import Sandbox
from agent.text.plain import plain
from agent.text.regex import regex
from agent.toolkit.base import Tool, ToolResult, tool
from agent.tools.spec import Parts, ToolSpec
from agent.web.fetching.urls import target
from agent.web.reading.document import Document
from agent.web.reading.media_types import most_bytes
from agent.web.reading.page_process import SECONDS, read_document

if TYPE_CHECKING:
    from agent.web.fetching.fetcher import Fetcher


def _made(parts: Parts) -> Tool:
    from agent.web.fetching.fetcher import Fetcher

    fetcher = Fetcher(frozenset(parts.settings.fetch_private))
    sandbox = parts.tables.files.sandbox if parts.tables else parts.sandbox
    return read_url_tool(fetcher, sandbox, parts.tables.visitor if parts.tables else "")


SPEC = ToolSpec(
    "read_url",
    Text("Reads pages and files on the web."),
    _made,
    title=Text("Web pages"),
    icon="language",
    verbs=(Text("Reading"), Text("Read")),
    subject="url",
    told="page",
    effect="reaches",
    public=True,
)
PART = 5_800  # characters of one call, its head included: less than what the loop caps
_MORE = 120  # characters of the line that says where to read on
_SNIPPET = 160
_MOST_PAGES = 8  # kept by a run
_LINK = regex(r"!?\[([^\]\n]{0,200})\]\([^)\s]{0,2000}\)")
_WALL = "This page asks to sign in before it shows anything. Use another source."


def read_url_tool(fetcher: Fetcher, sandbox: Sandbox, visitor: str = "") -> Tool:
    """The tool for one run; pages are parsed in the ``sandbox``, in a place of the visitor's."""

    # Reading on in a page does not fetch it again.
    @cached(LRUCache[tuple[str], tuple[str, Document]](_MOST_PAGES), lock=Lock())
    def page(address: str) -> tuple[str, Document]:
        sandbox.start()  # while the page is fetched
        fetched = fetcher.fetch(address, most_bytes)
        return fetched.url, read_document(fetched, sandbox, visitor=visitor)

    # A little more than fetching and reading have, so that they can say themselves what took too long.
    @tool(timeout=fetcher.seconds + SECONDS + 5.0)
    def read_url(url: str, start: int = 0) -> ToolResult:
        """Reads a page or file on the web as text; PDF, JSON and CSV, too. Long ones come in parts.

        Args:
            url: the address, as given in the question or a result, for example https://example.com/page
            start: the character to read on from in a long page
        """
        address = target(url.strip(), fetcher.allowed).url
        return _result(*page(address), start)

    return replace(read_url, address="url")


def _result(url: str, document: Document, start: int) -> ToolResult:
    text = document.text
    if document.walled:
        raise ToolFailed(_WALL, "refused")
    if start < 0 or start >= len(text):
        raise ToolFailed(
            f"The page has {len(text):,} characters; start must lie between 0 and {len(text) - 1}.", "input"
        )
    title = document.title or _file(url)
    head = [f"[1] {title}", url, *([f"Published: {document.date}"] if document.date else [])]
    notes = [f"({note})" for note in document.notes]
    opening = "\n".join([*head, *notes])
    end = _end(text, start, max(1_000, PART - _MORE - len(opening)))
    parts = [opening, text[start:end].strip("\n")]
    if start or end < len(text):
        more = f"; call again with start={end} to read on" if end < len(text) else ", the end"
        parts.append(f"(Characters {start:,}–{end:,} of {len(text):,}{more}.)")
    return ToolResult("\n\n".join(parts), sources=(Source(1, title, url, _snippet(text[start:end]), document.date),))


def _file(url: str) -> str:
    """The name of the file at an address, or of its host."""
    parts = urlsplit(url)
    name = unquote(parts.path.rpartition("/")[2])
    return plain(name, 100) if "." in name else parts.netloc


def _snippet(text: str) -> str:
    """The first of its sentences: no headings, tables, lists of links or marks of Markdown."""
    lines = [_LINK.sub(r"\1", line).strip() for line in text[: _SNIPPET * 10].splitlines()]
    prose = [line for line in lines if line and not line.startswith(("#", "|", "```"))]
    return plain(" ".join(prose or (line.lstrip("# ") for line in lines if line)), _SNIPPET)


def _end(text: str, start: int, room: int) -> int:
    """Where the part that begins at ``start`` ends: at the end of a paragraph, else of a line, where one is near."""
    end = start + room
    if end >= len(text):
        return len(text)
    for mark in ("\n\n", "\n", " "):
        at = text.rfind(mark, start + room // 2, end)
        if at > 0:
            return at + len(mark)
    return end
