"""What the providers of web search have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pydantic import JsonValue

from agent.errors import ToolFailed
from agent.interface_text import Text
from agent.text.plain import Fields, first, link, packed, plain, site
from agent.toolkit.base import ToolResult, artifact
from agent.web.services.search_findings import Finding, Page, show

MOST_RESULTS = 6


def result(query: str, findings: Iterable[Finding], content: JsonValue) -> ToolResult:
    """The findings as the model is shown them; raises ``ToolFailed`` (nothing) where there are none."""
    text, sources = show(findings)
    if not text:
        raise ToolFailed(f"Nothing was found for ‘{plain(query, 100)}’. Try other words.", "nothing")
    return ToolResult(text, (artifact("json", Text("search results"), packed(content)),), sources)


def entry(found: Fields, *, url: str = "link", text: str = "snippet", date: str = "date") -> Finding | None:
    """One result whose address, text and date stand under these names; ``None`` for one that says nothing."""
    title, snippet = first(found, "title", most=150), first(found, text)
    if not title and not snippet:
        return None
    address = link(found.get(url))
    day = re.sub(r"^(\d{4}-\d\d-\d\d)T.*", r"\1", first(found, date, most=40))
    head = " — ".join(filter(None, (title, site(address) if address else ""))) + (f" ({day})" if day else "")
    said = f"{head}: {snippet}" if snippet and head else head or snippet
    return Finding(said, (Page(title or site(address) if address else title, address, snippet, day),), listed=True)
