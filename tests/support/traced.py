"""The verdict on a figure or a name of an answer over one observation."""

from __future__ import annotations

from agent.events import Answered, Asked, Observed, Replied, ToolCalled
from agent.evidence import check
from agent.messages import Usage


def verdict(answer: str, text: str, observed: str) -> str:
    """What the check says of the claim that ``text`` begins in."""
    events = [
        Asked("?", 1_795_219_200.0),
        Replied("t", "thought", Usage(), 1.0, 0.1),
        ToolCalled("c", "query", "", {}),
        Observed("c", observed),
        Answered(answer),
    ]
    start = answer.index(text)
    return next(claim.verdict for claim in check(events).claims if claim.start <= start < claim.end)
