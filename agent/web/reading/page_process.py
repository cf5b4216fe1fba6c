"""Reading in a process of its own: a page can be written so that any parser takes minutes or gigabytes, or breaks.

The sandbox locks that process in, a new one for each page. Where the machine has no sandbox, the page is read in an
ordinary process: without the environment and with the same limits, but it could reach files and the network.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from agent.errors import ToolFailed
from agent.sandbox.client import Role, Sandbox
from agent.sandbox.ordinary import once
from agent.sandbox.sandbox_errors import SandboxError, WorkerKilled
from agent.web.reading.document import Document

if TYPE_CHECKING:
    # What fetches takes a while to import; only who reads a page waits for it.
    from agent.web.fetching.fetcher import Fetched

log = logging.getLogger(__name__)
SECONDS = 8.0
_GRACE_SECONDS = 1.0  # a reader that stops by itself keeps what it has read
PAGES = Role(
    handler="agent.web.reading.page_jobs", seconds=SECONDS + _GRACE_SECONDS, processor_seconds=10, file_bytes=0
)
_CUTS = {
    "large": "It is longer than what is read of one page: only its beginning was read.",
    "broken": "The server broke off, so the end is missing.",
}
_TOO_MUCH = "This page is built in a way that takes too much time or memory to read. Use another source."
_MOST_TITLE, _MOST_NOTES = 200, 10


def read_document(fetched: Fetched, sandbox: Sandbox, seconds: float = SECONDS, visitor: str = "") -> Document:
    """The page, read in a place of the visitor's share.

    Raises ``ToolFailed`` where there is nothing to read, or nothing was read in time."""
    head = {"url": fetched.url, "media": fetched.media, "charset": fetched.charset}
    job = {**head, "whole": not fetched.cut, "seconds": seconds}
    try:
        answer = once(sandbox, PAGES, job, {"page": fetched.content}, seconds + _GRACE_SECONDS, visitor)
    except WorkerKilled:
        raise ToolFailed(_TOO_MUCH, "refused") from None
    except (SandboxError, OSError) as error:
        log.error("a page could not be read: %s\n%s", error, getattr(error, "trace", ""))
        raise ToolFailed("Pages cannot be read right now. Use another source.", "refused") from None
    return _document(answer, fetched.cut)


def _document(answer: Mapping[str, Any], cut: str) -> Document:
    """What a process said that a hostile page may have taken over."""
    if "unreadable" in answer:
        kind = "nothing" if answer.get("kind") == "nothing" else "refused"
        raise ToolFailed(_advised(str(answer["unreadable"])[:_MOST_TITLE]), kind)
    text, given = answer.get("text"), answer.get("notes")
    if not isinstance(text, str) or not text or not isinstance(given, list):
        raise ToolFailed(_TOO_MUCH, "refused")
    notes = [str(note)[:_MOST_TITLE] for note in cast("list[Any]", given)[:_MOST_NOTES]]
    notes += [_CUTS[cut]] if cut else []
    title, date = (str(answer.get(key, ""))[:_MOST_TITLE] for key in ("title", "date"))
    return Document(text, title, date, tuple(dict.fromkeys(notes)), answer.get("walled") is True)


def _advised(sentence: str) -> str:
    return sentence if "another source" in sentence else f"{sentence} Use another source."
