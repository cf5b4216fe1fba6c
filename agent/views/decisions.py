"""What the person decided about a call, in words."""

from __future__ import annotations

import json

from agent.events import Decided
from agent.interface_text import Templates, Text, keyed
from agent.interruptions import Decision

_SENTENCES: dict[Decision, Templates] = {
    "answered": keyed("Answered by {who} after {time}"),
    "skipped": keyed("Left to the agent by {who} after {time}"),
    "allowed": keyed("Allowed this once by {who} after {time}"),
    "always": keyed("Allowed for this chat by {who} after {time}"),
    "edited": keyed("Made with arguments by {who} after {time}"),
    "denied": keyed("Denied by {who} after {time}"),
}
YOU = Text("you")


def sentence(decided: Decided, who: str = YOU) -> str:
    """Who decided what, and after how long; with the reason of a call that was denied."""
    time, reason = _time(decided.seconds), " ".join(decided.text.split())
    if decided.decision == "denied" and reason:
        return Text("Denied by {who} after {time}: {reason}", who=who, time=time, reason=reason)
    return Text(*_SENTENCES[decided.decision], who=who, time=time)


def arguments(decided: Decided) -> str:
    """The arguments in the person's words, as JSON, or ""."""
    return "" if decided.arguments is None else json.dumps(dict(decided.arguments), ensure_ascii=False)


_UNITS = (
    (86_400, keyed("{n} day", "{n} days")),
    (3_600, keyed("{n} hour", "{n} hours")),
    (60, keyed("{n} minute", "{n} minutes")),
)


def _time(seconds: float) -> str:
    for size, name in _UNITS:
        if seconds >= size:
            return Text(*name, n=int(seconds // size))
    return f"{seconds:.0f} s"
