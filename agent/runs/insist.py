"""Insisting on evidence: an answer with claims that nothing stands behind is sent back to the model, once.

The model is told which claims, and may call tools, correct itself, or say that it cannot be confirmed; what it answers
then is the answer, whatever the check says of it. The first answer stays in the trace, as ``dropped`` of its reply, and
the word to the model is an ``Observed`` without a call, of kind ``insist``.

An answer is not sent back where no call is left for a second round (a limit was reached), or where tools were called
and none succeeded: the model would only try the same again. One from memory alone, with tools that could have been
called, is sent back for its figures and dates, not for its names: much that is said in passing has names. The demo
model knows when its rules need a tool, so what it says without one is left alone.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from threading import Event as Flag
from time import monotonic

from agent.demo.model import Demo
from agent.errors import GlassboxError
from agent.events import Answered, Event, Observed, Prepared, Replied, TextDelta, ToolCalled
from agent.evidence import Claim, Earlier, Evidence, check
from agent.loop import loop
from agent.loop.approval import NO_POLICY, Policy
from agent.loop.limits import reached
from agent.messages import Limits
from agent.models.prices import Prices
from agent.models.protocol import Model
from agent.prompts import render
from agent.toolkit.base import Toolbox
from agent.views.fold import fold
from agent.wire.outcomes import Action

_MOST_CLAIMS = 20
_MOST_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class Rounds:
    """With what the loop is run, in both rounds; its limits hold over both together."""

    model: Model
    tools: Toolbox
    limits: Limits
    cancel: Flag
    prices: Prices
    policy: Policy = NO_POLICY
    started: float = field(default_factory=monotonic)

    def run(self, so_far: Sequence[Event], first: Sequence[Action] = ()) -> Iterator[Event]:
        """``agent.loop.loop.run``."""
        return loop.run(
            *(so_far, self.model, self.tools, self.limits, self.cancel, self.prices, first, self.started, self.policy)
        )

    def may_go_on(self, events: Sequence[Event]) -> bool:
        late = bool(self.limits.seconds) and monotonic() >= self.started + self.limits.seconds
        return not (self.cancel.is_set() or reached(events, self.limits, late))


def insist(
    rounds: Rounds, so_far: Sequence[Event], earlier: Sequence[Earlier], first: Sequence[Action] = ()
) -> Iterator[Event]:
    """``rounds.run``, and once more where its answer is sent back. Either may stop at a ``Waiting``.

    ``so_far`` are the events from ``Asked`` on, ``earlier`` the turns before. Raises as the loop does.
    """
    events = list(so_far)
    with closing(_with_what_follows(rounds.run(so_far, first))) as story:
        for together in story:
            sent_back = _sent_back(rounds, events, together, earlier)
            yield from sent_back or together
            events += [event for event in sent_back or together if not isinstance(event, TextDelta)]
            if sent_back:
                break
        else:
            return
    yield from rounds.run(events)


def earlier_turns(runs: Iterable[Sequence[Event]]) -> tuple[Earlier, ...]:
    """The turns that ``runs`` are, oldest first, each checked in the light of those before it."""
    turns: list[Earlier] = []
    for events in runs:
        view = fold(events)
        turns.append(Earlier(view.question, view.answer, check(events, turns).claims))
    return tuple(turns)


def _with_what_follows(story: Iterator[Event]) -> Generator[list[Event]]:
    """Each event, a ``Replied`` together with the one that says what it led to."""
    held: list[Event] = []
    try:
        for event in story:
            held.append(event)
            if not isinstance(event, Replied):
                yield held
                held = []
    except GlassboxError:
        if held:
            yield held
        raise


def _sent_back(
    rounds: Rounds, events: Sequence[Event], ending: Sequence[Event], earlier: Sequence[Earlier]
) -> list[Event]:
    """What stands in place of ``ending`` where it is an answer of the model that is sent back; else nothing."""
    answered = ending[-1]
    if not isinstance(answered, Answered) or answered.reason == "direct":
        return []
    word = _word(rounds, [*events, *ending], earlier)
    if not word:
        return []
    replied = [replace(event, dropped=answered.text) for event in ending if isinstance(event, Replied)]
    return [*replied, word]


def _word(rounds: Rounds, events: Sequence[Event], earlier: Sequence[Earlier]) -> Observed | None:
    """What the model is told of an answer that is sent back."""
    prepared = next(event for event in reversed(events) if isinstance(event, Prepared))
    insisted = any(isinstance(event, Observed) and event.error == "insist" for event in events)
    if insisted or not rounds.may_go_on(events):
        return None
    evidence = check(events, earlier)
    called = any(isinstance(event, ToolCalled) for event in events)
    could_have_called = bool(rounds.tools.names) and not called and not isinstance(rounds.model, Demo)
    claims = _doubtful(evidence, could_have_called)[:_MOST_CLAIMS]
    if not claims:
        return None
    lines = "\n".join(_line(claim, prepared.language) for claim in claims)
    name = "insist" if evidence.looked_up else "insist_unseen"
    told = render(prepared.language, name, prepared.prompts, claims=lines)
    return Observed("", told, error="insist", claims=len(claims))


def _doubtful(evidence: Evidence, could_have_called: bool) -> list[Claim]:
    """The claims to be told of, each once."""
    doubtful = {claim.text: claim for claim in evidence.claims if not claim.traced}
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
