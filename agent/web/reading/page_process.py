"""Reading in a process of its own: hostile bytes meet parsers there, and it is ended when it takes too much.

A page can be written so that any parser takes minutes or gigabytes. The process has no environment, processor time and
memory of its own, and a time after which it is killed; what it had told by then is kept.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from agent.errors import ToolFailed
from agent.web.fetching.fetcher import Fetched
from agent.web.reading.document import Document

SECONDS = 8.0
_MOST_OUTPUT = 8_000_000
_WORKER = Path(__file__).with_name("page_worker.py")
_CUTS = {
    "large": "It is longer than what is read of one page: only its beginning was read.",
    "broken": "The server broke off, so the end is missing.",
}
_TOO_MUCH = "This page is built in a way that takes too much time or memory to read. Use another source."


def read_document(fetched: Fetched, seconds: float = SECONDS) -> Document:
    """Raises ``ToolFailed`` where there is nothing to read, or nothing was read in time."""
    head = {"url": fetched.url, "media": fetched.media, "charset": fetched.charset, "cut": fetched.cut}
    given = json.dumps(head).encode() + b"\n" + fetched.content
    command = [sys.executable, "-I", str(_WORKER)]
    try:
        ended = subprocess.run(
            command,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            timeout=seconds,
            check=False,
        )
        told = ended.stdout
    except subprocess.TimeoutExpired as late:
        told = late.stdout or b""
    except OSError:
        raise ToolFailed("Pages cannot be read right now. Use another source.", "refused") from None
    return _joined([json.loads(line) for line in told[:_MOST_OUTPUT].split(b"\n")[:-1]], fetched.cut)


def _joined(lines: list[dict[str, Any]], cut: str) -> Document:
    last = lines[-1] if lines else {}
    if "unreadable" in last:
        raise ToolFailed(_advised(str(last["unreadable"])), str(last["kind"]))
    parts = [line for line in lines if "text" in line]
    text = "".join(str(part["text"]) for part in parts).strip()
    if not text:
        raise ToolFailed(_TOO_MUCH, "refused")
    notes = [str(note) for part in parts for note in part["notes"]]
    if "done" not in last:
        notes.append("Reading it took too much time or memory, so the end is missing.")
    first = parts[0]
    cuts = (_CUTS[cut],) if cut else ()
    return Document(text, str(first["title"]), str(first["date"]), (*notes, *cuts), bool(first["walled"]))


def _advised(sentence: str) -> str:
    return sentence if "another source" in sentence else f"{sentence} Use another source."
