"""What the person decided about a call, in words."""

from __future__ import annotations

import json

from agent.events import Decided, Decision

_SENTENCES: dict[Decision, str] = {
    "answered": "Answered by {who}",
    "skipped": "Left to the agent by {who}",
    "allowed": "Allowed this once by {who}",
    "always": "Allowed for this chat by {who}",
    "edited": "Made with arguments by {who}",
    "denied": "Denied by {who}",
}


def sentence(decided: Decided, who: str = "you") -> str:
    """Who decided what, and after how long; with the reason of a call that was denied."""
    reason = f": {' '.join(decided.text.split())}" if decided.decision == "denied" and decided.text.strip() else ""
    return f"{_SENTENCES[decided.decision].format(who=who)} after {_time(decided.seconds)}{reason}"


def arguments(decided: Decided) -> str:
    """The arguments in the person's words, as JSON, or ""."""
    return "" if decided.arguments is None else json.dumps(dict(decided.arguments), ensure_ascii=False)


def _time(seconds: float) -> str:
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {name}{'' if count == 1 else 's'}"
    return f"{seconds:.0f} s"
