"""With what the questions of a model's card are answered: the same tools, words and results wherever it is measured."""

from __future__ import annotations

import tomllib
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from agent.data.tables.chat_tables import ConversationTables
from agent.errors import ToolFailed
from agent.events import Source
from agent.loop.agent import Agent
from agent.loop.approval import NO_POLICY
from agent.messages import Limits
from agent.models.protocol import Delta, Model, Request
from agent.settings import WireChoice, read_settings
from agent.toolkit.base import Tool, Toolbox, ToolResult, no_concern
from agent.tools import search
from agent.tools.catalogue import only, toolbox
from agent.tools.lookups import read_url
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from agent.web.services.search_findings import Finding, Page, show

_RESULTS = Path(__file__).parent / "fixed_results.toml"
_OFFERED = ("calculator", "now", "convert", "weather", "search", "read_url", "query")
# The wires that a model is measured on; the demo model knows the first one alone.
WIRES: tuple[WireChoice, ...] = ("react", "native")
LIMITS = Limits(steps=8, seconds=900.0, tokens=60_000)
_NOTHING = "Nothing was found. Try other words, or say that it cannot be known."


def card_agent(agent: Agent, tables: ConversationTables | None = None) -> Agent:
    """The ``agent`` with the tools and the usual prompts of a card; its model, wire, parameters and limits are its own.

    Its server may have been found to lose calls: a card tells that, so the wire is the one that was asked for.
    """
    cards = tables.cards() if tables else ()
    model = _OnItsWire(agent.model) if agent.wire == "native" else agent.model
    return replace(
        agent,
        model=model,
        tools=fixed_tools(tables if cards else None),
        cards=cards,
        policy=NO_POLICY,
        language="en",
        style="react",
        prompts={},
        insist=False,
        merge="auto",
        databases=tuple,
        documents=False,
        notes=(),
    )


def fixed_tools(tables: ConversationTables | None = None) -> Toolbox:
    """The tools: those that reach out give the results that are kept here, and ask nobody."""
    parts = Parts(read_settings({}), SearchCache(), tables=tables)
    made = toolbox(parts, only(_OFFERED))
    return replace(made, tools=[_fixed(tool) if tool.own_name in _results() else tool for tool in made.tools])


def _fixed(tool: Tool) -> Tool:
    still = replace(tool, function=partial(_answer, tool.own_name), stateful=False, pure=False)
    return replace(still, effect="reads", concern=no_concern)


@cache
def _results() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    return tomllib.loads(_RESULTS.read_text(encoding="utf-8"))


def _answer(tool: str, /, **given: object) -> ToolResult:
    """The first result whose words stand in what is asked for. Raises ``ToolFailed`` where there is none."""
    asked = " ".join(str(value) for value in given.values() if isinstance(value, str)).casefold()
    found = next((each for each in _results()[tool] if any(word in asked for word in each["about"])), None)
    if found is None:
        raise ToolFailed(_NOTHING, "nothing")
    text: str = found["text"].strip()
    if tool == search.SPEC.name:
        said = " ".join(text.split())
        page = Page(found["title"], found["url"], said)
        told, sources = show([Finding(f"{page.title}: {said}", (page,), listed=True)])
        return ToolResult(told, sources=sources)
    if tool == read_url.SPEC.name:
        source = Source(1, found["title"], found["url"], text.splitlines()[0])
        return ToolResult(f"[1] {found['title']}\n{found['url']}\n\n{text}", sources=(source,))
    return ToolResult(text)


class _OnItsWire:
    """A model that is asked with native calls, whatever was learned of its server before."""

    takes_tools = True

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name, self.endpoint = model.name, model.endpoint

    def stream(self, request: Request) -> Generator[Delta]:
        return self._model.stream(request)

    def close(self) -> None:
        self._model.close()
