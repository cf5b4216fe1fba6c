"""The verdicts on an answer over one observation."""

from __future__ import annotations

from functools import lru_cache

from agent.events import Answered, Asked, Observed, Replied, ToolCalled
from agent.evidence import Pages, check
from agent.evidence.verdicts import Claim
from agent.messages import Usage

_PAGES = Pages()  # what many answers are checked by is read once, as in a chat


def verdict(answer: str, text: str, observed: str, question: str = "?", call: str = "") -> str:
    """What the check says of the claim that ``text`` begins in; ``call`` is what the tool was asked for."""
    start = answer.index(text)
    claims = _claims(answer, observed, question, call)
    return next(claim.verdict for claim in claims if claim.start <= start < claim.end)


def marked(answer: str, observed: str) -> list[str]:
    """The claims that are called different or not found."""
    return [claim.text for claim in _claims(answer, observed) if claim.verdict in ("differs", "not_found")]


@lru_cache(16)
def _claims(answer: str, observed: str, question: str = "?", call: str = "") -> tuple[Claim, ...]:
    events = [
        Asked(question, 1_795_219_200.0),
        Replied("t", "thought", Usage(), 1.0, 0.1),
        ToolCalled("c", "query", call, {}),
        Observed("c", observed),
        Answered(answer),
    ]
    return check(events, pages=_PAGES).claims
