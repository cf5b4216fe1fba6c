"""The services behind the search tool, and how their answers become short numbered lines."""

from __future__ import annotations

from dataclasses import replace

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
    title=Text("Web search"),
    icon="search",
    verbs=(Text("Searching"), Text("Searched")),
    subject="query",
    told="quoted",
    needs=_lack,
    effect="reaches",
    public=True,
)


def _of_engine(engine: str, title: str, purpose: str) -> ToolSpec:
    """The tool of one search engine, beside ``search``: off until it is switched on."""

    def lack(parts: Parts) -> Lack | None:
        from agent.tools.search.search_tool import engine_missing

        sentence = engine_missing(parts.settings, engine)
        return Lack("setting", sentence) if sentence else None

    def made(parts: Parts) -> Tool:
        from agent.tools.search.search_tool import search_tool

        return search_tool(parts.settings, cache=parts.searches, engine=engine)

    return replace(SPEC, name=f"{engine}_search", title=title, purpose=purpose, make=made, needs=lack, usual=False)


ENGINES = (
    _of_engine("google", Text("Google search"), Text("Searches the web with Google.")),
    _of_engine("bing", Text("Bing search"), Text("Searches the web with Bing.")),
    _of_engine("duckduckgo", Text("DuckDuckGo search"), Text("Searches the web with DuckDuckGo.")),
    _of_engine("wikipedia", Text("Wikipedia search"), Text("Searches Wikipedia.")),
)
