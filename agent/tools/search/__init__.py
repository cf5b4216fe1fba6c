"""The services behind the search tool, and how their answers become short numbered lines."""

from __future__ import annotations

from agent.interface_text import Text
from agent.toolkit.base import Tool
from agent.tools.spec import Lack, Parts, ToolSpec


def _lack(parts: Parts) -> Lack | None:
    from agent.tools.search.search_tool import missing

    sentence = missing(parts.settings)
    return Lack("setting", sentence) if sentence else None


def _made(parts: Parts) -> Tool:
    from agent.tools.search.search_tool import search_tool

    return search_tool(parts.settings, cache=parts.searches)


SPEC = ToolSpec(
    "search",
    Text("Looks things up on the web."),
    _made,
    icon="search",
    verbs=(Text("Searching"), Text("Searched")),
    subject="query",
    told="quoted",
    needs=_lack,
    effect="reaches",
    public=True,
)
