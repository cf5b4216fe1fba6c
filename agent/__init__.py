"""Glassbox's agent: a ReAct loop in which nothing is hidden. No user interface is imported here.

The names below are the public API, told in ``docs/api.md``. Each is imported when it is first used, so that a part of
the package costs no more than its own imports.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent.errors import ToolFailed as ToolFailed
    from agent.events import Answered as Answered
    from agent.events import Asked as Asked
    from agent.events import Decided as Decided
    from agent.events import Event as Event
    from agent.events import Failed as Failed
    from agent.events import Inner as Inner
    from agent.events import Merged as Merged
    from agent.events import Observed as Observed
    from agent.events import Prepared as Prepared
    from agent.events import Replied as Replied
    from agent.events import TextDelta as TextDelta
    from agent.events import ToolCalled as ToolCalled
    from agent.events import Waiting as Waiting
    from agent.loop.agent import Agent as Agent
    from agent.loop.within.agent_tool import agent_tool as agent_tool
    from agent.models.scripted import Scripted as Scripted
    from agent.runs.public import ask as ask
    from agent.runs.public import connect as connect
    from agent.store.runs import Store as Store
    from agent.toolkit.base import Toolbox as Toolbox
    from agent.toolkit.base import ToolResult as ToolResult
    from agent.toolkit.base import tool as tool
    from agent.views.fold import fold as fold

_PLACES = {
    "Agent": "agent.loop.agent",
    "agent_tool": "agent.loop.within.agent_tool",
    "ask": "agent.runs.public",
    "connect": "agent.runs.public",
    "tool": "agent.toolkit.base",
    "Toolbox": "agent.toolkit.base",
    "ToolResult": "agent.toolkit.base",
    "ToolFailed": "agent.errors",
    **dict.fromkeys(("Event", "Asked", "Merged", "Prepared", "TextDelta", "Replied", "ToolCalled"), "agent.events"),
    **dict.fromkeys(("Waiting", "Decided", "Inner", "Observed", "Answered", "Failed"), "agent.events"),
    "fold": "agent.views.fold",
    "Store": "agent.store.runs",
    "Scripted": "agent.models.scripted",
}


__all__ = tuple(_PLACES)  # pyright: ignore[reportUnsupportedDunderAll]


def __dir__() -> list[str]:
    return sorted((*globals(), *_PLACES))


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'agent' has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
