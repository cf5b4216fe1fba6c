"""Which calls ask the person first, and why: a pure function of the call, the tools, the events and what is set so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile
from time import time

from agent.events import Asked, Decided, Event, Observed, Resumed, ToolCalled, Waiting
from agent.interface_text import Text
from agent.interruptions import Decision
from agent.loop.disclosure import disclosure
from agent.loop.provenance import Told
from agent.loop.repeats import prompted
from agent.toolkit.base import Tool, Toolbox
from agent.wire.observation import cap

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
    return Needed(_SET_SO, ANY) if set_to_ask(tool, policy) else None


def set_to_ask(tool: Tool, policy: Policy) -> bool:
    """Whether each call of ``tool`` asks the person first because somebody set it so."""
    reaching = REACHING in policy.asks and tool.effect in ("reaches", "acts")
    return (reaching or tool.own_name in policy.asks) and tool.own_name not in policy.always


def has_read_untrusted(events: Sequence[Event], tools: Toolbox) -> bool:
    """Whether something that an untrusted tool gave is among the events, or a run that was brought in.

    A tool that is not there any more counts as untrusted.
    """
    if any(isinstance(event, Asked) and event.imported for event in events):
        return True
    trusted = {tool.own_name for tool in tools.tools if not tool.untrusted}
    others = {event.call_id for event in events if isinstance(event, ToolCalled) and event.own_name not in trusted}
    return any(isinstance(event, Observed) and event.call_id in others for event in events)


def asking(called: ToolCalled, tool: Tool, told: Told, policy: Policy) -> Waiting | None:
    """What a call of ``tool`` that can be made waits for, if it does."""
    if tool.effect == "asks":
        arguments = called.arguments or {}
        choices = arguments.get("choices")
        picks = tuple(map(str, choices)) if isinstance(choices, list) else ()
        return Waiting(called.call_id, "question", str(arguments.get("question", "")), picks, time())
    needed = needs_approval(called, tool, told, policy)
    return Waiting(called.call_id, "approval", needed.reason, needed.decisions, time()) if needed else None


def repeatable(tool: Tool) -> bool:
    """Whether a call may be made again of which nobody knows whether it was made, as it changes nothing.

    What an agent did, or somebody else's server that does not say that it only reads, is not known.
    """
    if tool.works or (tool.hints.server and not tool.hints.read_only):
        return False
    return tool.effect in ("reads", "reaches")


def said_to(called: ToolCalled, events: Sequence[Event]) -> list[Waiting | Decided | Resumed]:
    """What the person was asked about a call, and said, and where its process was gone."""
    since = dropwhile(lambda event: event is not called, events)
    return [
        event
        for event in since
        if isinstance(event, Resumed) or (isinstance(event, Waiting | Decided) and event.call_id == called.call_id)
    ]


def asked_again(called: ToolCalled) -> Waiting:
    """What a call waits for that is not ``repeatable``, and that was at work when its process ended."""
    again = Text("The server stopped during this call. Run it again?")
    return Waiting(called.call_id, "approval", again, ("allowed", "denied"), time(), again=True)


def decision_told(decided: Decided, words: Sequence[Event], before: Sequence[Event]) -> Observed:
    """What the model is told of a decision that is no call; ``words`` are those about its call."""
    if decided.decision == "answered":
        return Observed(decided.call_id, cap(decided.text))
    if decided.decision == "skipped":
        return Observed(decided.call_id, prompted(before, "skipped"))
    asked = [event for event in words if isinstance(event, Waiting)]
    if asked and asked[-1].again:
        return Observed(decided.call_id, prompted(before, "not_known"), error="denied")
    reason = " ".join(decided.text.split())
    told = prompted(before, "denied_because", reason=cap(reason)) if reason else prompted(before, "denied")
    return Observed(decided.call_id, told, error="denied")
