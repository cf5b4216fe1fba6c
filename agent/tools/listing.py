"""The tools as a person looks through them: which are ready, what others need, what each costs to tell of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias
from unicodedata import normalize

from agent.errors import BadRequest
from agent.messages import estimate_tokens
from agent.toolkit.base import Tool
from agent.tools.catalogue import Entry, Parts, entries, is_on, missing, one_tool
from agent.tools.entry import OFF
from agent.tools.makers import IN_A_CHAT

State: TypeAlias = Literal["ready", "off", "needs", "owner"]


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A tool: whether it is in the next run, and why it is not, as a sentence.

    ``tool`` is ``None`` where it cannot be made before what it needs is there.
    """

    entry: Entry
    state: State
    why: str = ""
    tool: Tool | None = None

    @property
    def name(self) -> str:
        """What the model is told it is called."""
        return self.tool.name if self.tool else self.entry.name

    @property
    def can_be_switched(self) -> bool:
        """Before there is a chat, too, where it lacks nothing else."""
        return self.state in ("ready", "off") or self.why == IN_A_CHAT

    @property
    def description(self) -> str:
        return self.tool.description if self.tool else ""


def rows(parts: Parts, chosen: Sequence[str] | None) -> tuple[ToolRow, ...]:
    """All tools, in the order of the catalogue."""
    return tuple(_row(entry, parts, chosen) for entry in entries(parts))


def _row(entry: Entry, parts: Parts, chosen: Sequence[str] | None) -> ToolRow:
    tool = None
    with suppress(BadRequest):
        tool = one_tool(entry, parts)
    why = missing(entry, parts)
    if why.startswith(OFF):
        return ToolRow(entry, "owner", why, tool)
    if why:
        return ToolRow(entry, "needs", why, tool)
    return ToolRow(entry, "ready" if is_on(entry.name, chosen) else "off", "", tool)


def matching(listed: Iterable[ToolRow], sought: str) -> tuple[ToolRow, ...]:
    """Those in whose names, purposes and descriptions each of the words occurs, whatever their case and width."""
    words = _plain(sought).split()
    return tuple(row for row in listed if all(word in _text(row) for word in words))


def _text(row: ToolRow) -> str:
    return _plain(" ".join((row.entry.name, row.name, row.entry.purpose, row.description)))


def _plain(text: str) -> str:
    return normalize("NFKC", text).casefold()


def cost(tool: Tool, wire: str, language: str) -> int:
    """About how many tokens of each prompt tell the model of the tool, on the ``native`` or the ``react`` wire."""
    if wire != "native":
        return estimate_tokens(tool.usage(language))
    schema = tool.schema
    told = {"name": schema.name, "description": schema.description, "parameters": dict(schema.parameters)}
    return estimate_tokens(json.dumps({"type": "function", "function": told}, ensure_ascii=False))
