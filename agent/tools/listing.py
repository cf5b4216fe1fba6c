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
from agent.tools.catalogue import is_on, lack, one_tool, specs
from agent.tools.spec import IN_A_CHAT, Lack, Parts, ToolSpec

State: TypeAlias = Literal["ready", "off", "needs", "owner"]


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A tool: whether it is in the next run, and why it is not.

    ``tool`` is ``None`` where it cannot be made before what it needs is there.
    """

    spec: ToolSpec
    state: State
    lack: Lack | None = None
    tool: Tool | None = None

    @property
    def name(self) -> str:
        """What the model is told it is called."""
        return self.tool.name if self.tool else self.spec.name

    @property
    def can_be_switched(self) -> bool:
        """Before there is a chat, too, where it lacks nothing else."""
        return self.lack in (None, IN_A_CHAT)

    @property
    def why(self) -> str:
        """Why it cannot be used, as a sentence; "" where it can."""
        return self.lack.sentence if self.lack else ""

    @property
    def description(self) -> str:
        return self.tool.description if self.tool else ""


def rows(parts: Parts, chosen: Sequence[str] | None) -> tuple[ToolRow, ...]:
    """All tools, in the order of the catalogue."""
    return tuple(_row(spec, parts, chosen) for spec in specs(parts))


def _row(spec: ToolSpec, parts: Parts, chosen: Sequence[str] | None) -> ToolRow:
    tool = None
    with suppress(BadRequest):
        tool = one_tool(spec, parts)
    if found := lack(spec, parts):
        return ToolRow(spec, "owner" if found.kind == "owner" else "needs", found, tool)
    return ToolRow(spec, "ready" if is_on(spec.name, chosen) else "off", None, tool)


def matching(listed: Iterable[ToolRow], sought: str) -> tuple[ToolRow, ...]:
    """Those in whose names, purposes and descriptions each of the words occurs, whatever their case and width."""
    words = _plain(sought).split()
    return tuple(row for row in listed if all(word in _text(row) for word in words))


def _text(row: ToolRow) -> str:
    return _plain(" ".join((row.spec.name, row.name, row.spec.purpose, row.description)))


def _plain(text: str) -> str:
    return normalize("NFKC", text).casefold()


def cost(tool: Tool, wire: str, language: str) -> int:
    """About how many tokens of each prompt tell the model of the tool, on the ``native`` or the ``react`` wire."""
    if wire != "native":
        return estimate_tokens(tool.usage(language))
    schema = tool.schema
    told = {"name": schema.name, "description": schema.description, "parameters": dict(schema.parameters)}
    return estimate_tokens(json.dumps({"type": "function", "function": told}, ensure_ascii=False))
