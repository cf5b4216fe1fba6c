"""Insisting on evidence: an answer with claims that nothing stands behind is sent back to the model, once.

The model is told which claims, and may call tools, correct itself, or say that it cannot be confirmed; what it answers
then is the answer, whatever the check says of it. The first answer stays in the trace, as ``dropped`` of its reply, and
the word to the model is an ``Observed`` without a call, of kind ``insist``.

An answer is not sent back where tools were called and none succeeded: the model would only try the same again. One
from memory alone, with tools that could have been called, is sent back for its figures and dates, not for its names:
much that is said in passing has names. The demo model knows when its rules need a tool, so what it says without one is
left alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.context.turns import History
from agent.demo.model import Demo
from agent.events import Event, Observed, Prepared, ToolCalled
from agent.evidence import Claim, Evidence, check, earlier_turns
from agent.loop.agent import Agent
from agent.prompts import render

_MOST_CLAIMS = 20
_LATEST_TURNS = 12
_MOST_CHARACTERS = 160


def word(agent: Agent, events: Sequence[Event], history: History) -> Observed | None:
    """What the model is told of the answer that ``events`` end with where that is to be sent back.

    What this run observed says most answers; where it does not, the latest turns of ``history``, those before, count.
    """
    if any(isinstance(event, Observed) and event.error == "insist" for event in events):
        return None
    prepared = next(event for event in reversed(events) if isinstance(event, Prepared))
    evidence = check(events)
    if history and any(claim.doubtful for claim in evidence.claims):
        evidence = check(events, earlier_turns([*history.values()][-_LATEST_TURNS:]))
    called = any(isinstance(event, ToolCalled) for event in events)
    could_have_called = bool(agent.tools.names) and not called and not isinstance(agent.model, Demo)
    claims = _doubtful(evidence, could_have_called)[:_MOST_CLAIMS]
    if not claims:
        return None
    lines = "\n".join(_line(claim, prepared.language) for claim in claims)
    name = "insist" if evidence.looked_up else "insist_unseen"
    told = render(prepared.language, name, prepared.prompts, claims=lines)
    return Observed("", told, error="insist", claims=len(claims))


def _doubtful(evidence: Evidence, could_have_called: bool) -> list[Claim]:
    """The claims to be told of, each once."""
    doubtful = {claim.text: claim for claim in evidence.claims if claim.doubtful}
    if evidence.looked_up:
        return list(doubtful.values())
    return [claim for claim in doubtful.values() if could_have_called and claim.kind in ("number", "date")]


def _line(claim: Claim, language: str) -> str:
    if claim.verdict == "differs":
        return render(language, "insist_differs", claim=_short(claim.text), seen=_short(claim.note))
    return render(language, "insist_not_found", claim=_short(claim.text))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_CHARACTERS else line[: _MOST_CHARACTERS - 1] + "…"
