"""Which calls ask the person first, and why: a pure function of the call, the tools, the events and what is set so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.events import Decision, Event, Observed, ToolCalled
from agent.interface_text import Text
from agent.loop.disclosure import disclosure
from agent.loop.provenance import Told
from agent.toolkit.base import Tool, Toolbox

# Stands for every tool that reaches out or acts, among the names of tools that ask.
REACHING = "reaching"
ONCE: tuple[Decision, ...] = ("allowed", "edited", "denied")
ANY: tuple[Decision, ...] = ("allowed", "always", "edited", "denied")
_SET_SO = Text("This tool is set to ask you first.")
_UNTRUSTED = Text(
    "The agent has read other people's text before this, and such text can mislead it. Look at what this would do."
)

_DESTROYS = Text("This tool of a server says of itself that it may destroy something. Look at what this would do.")


@dataclass(frozen=True, slots=True)
class Policy:
    """Which tools ask first.

    ``asks`` are names of tools, ``REACHING`` among them for all that reach out or act. ``always`` are those that the
    person has allowed for good in this chat.
    """

    asks: tuple[str, ...] = ()
    always: tuple[str, ...] = ()


NO_POLICY = Policy()


@dataclass(frozen=True, slots=True)
class Needed:
    """That a call asks first: ``reason`` in a sentence for the person, and the ``decisions`` to pick from."""

    reason: str
    decisions: tuple[Decision, ...]


def needs_approval(call: ToolCalled, tool: Tool, told: Told, policy: Policy) -> Needed | None:
    """Whether a call of ``tool`` asks the person first.

    What is allowed for good in a chat is what was set to ask, and tools of servers: these act as far as anybody knows,
    and their hints only add to what asks. A tool's concern, what would tell too much of private data, and an act of
    ours after other people's text was read, ask every time.
    """
    if concern := tool.concern(call.arguments or {}, told.events):
        return Needed(concern, ONCE)
    if telling := disclosure(call, tool, told):
        return Needed(telling, ONCE)
    acts, allowed = tool.effect == "acts", tool.own_name in policy.always
    servers = bool(tool.hints.server)
    if acts and has_read_untrusted([*told.earlier, *told.events], told.tools) and not (servers and allowed):
        return Needed(_UNTRUSTED, ANY if servers else ONCE)
    if acts and tool.hints.destructive and not allowed:
        return Needed(_DESTROYS, ANY)
    reaching = REACHING in policy.asks and tool.effect in ("reaches", "acts")
    if (reaching or tool.own_name in policy.asks) and not allowed:
        return Needed(_SET_SO, ANY)
    return None


def has_read_untrusted(events: Sequence[Event], tools: Toolbox) -> bool:
    """Whether something that an untrusted tool gave is among the events; one that is not there any more counts."""
    trusted = {tool.own_name for tool in tools.tools if not tool.untrusted}
    others = {event.call_id for event in events if isinstance(event, ToolCalled) and event.own_name not in trusted}
    return any(isinstance(event, Observed) and event.call_id in others for event in events)
