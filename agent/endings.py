"""How a run ends that does not come to its answer: with what it had."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import uuid4

from agent.errors import BudgetReached, ForTheOperator, ForTheUser, GlassboxError
from agent.events import Answered, Event, Failed, FailedReason, Observed, Prepared, Replied, TextDelta
from agent.interface_text import Text
from agent.messages import Message, Usage, estimate_tokens, message_tokens

log = logging.getLogger(__name__)
INTERRUPTED = Failed(
    "interrupted", Text("The server was stopped while this was being answered. Ask again to start over.")
)
_STANDS = Text("What stands here is the first answer, from before the model was asked to check it.")


def closing(seen: Sequence[Event], failed: Failed) -> list[Event]:
    """What to add to a run that must end although its worker is stuck: the unfinished reply, then ``failed``."""
    replies: list[Event] = []
    deltas = _open_deltas(seen)
    if deltas:
        thought = "".join(delta.text for delta in deltas if delta.channel == "thought")
        said = partial(seen)
        usage = Usage(input=_sent(seen), output=estimate_tokens(thought + said), estimated=True)
        replies = [Replied(thought + said, thought.strip(), usage, 0.0, 0.0, unfinished=True)]
    return [*replies, standing(replace(failed, partial=partial(seen)), seen)]


def in_flight(seen: Sequence[Event]) -> Usage:
    """About what the reply had used that a run was waiting for when its process was gone; ``seen`` ends in its text."""
    said = "".join(delta.text for delta in _open_deltas(seen))
    return Usage(input=_sent(seen), output=estimate_tokens(said) if said else 0, estimated=True)


def _sent(seen: Sequence[Event]) -> int:
    """About how many tokens the unfinished reply was asked for with: the prompt before it, and what came after that.

    Before the first reply, the earlier turns are not counted: they are in other runs.
    """
    tokens = 0
    for event in seen:
        if isinstance(event, Prepared):
            told = [Message("system", event.system), Message("user", event.news + event.question)]
            tokens = message_tokens(told, event.tools if event.wire == "native" else ())
        elif isinstance(event, Replied):
            tokens = event.usage.input + event.usage.output
        elif isinstance(event, Observed):
            tokens += message_tokens([Message("tool", event.text)])
    return tokens


def reason_of(error: GlassboxError) -> FailedReason:
    """Why a run fails that could not even begin to ask."""
    if isinstance(error, BudgetReached):
        return "budget"
    return "model" if isinstance(error, ForTheUser) else "error"


def standing(failed: Failed, events: Iterable[Event]) -> Failed:
    """``failed``, with the first answer as what there is, where the run was to check one and came to no other."""
    answer = ""
    dropped = ""
    for event in events:
        if isinstance(event, Replied):
            dropped = event.dropped
        elif isinstance(event, Observed) and event.error == "insist":
            answer = dropped
    return replace(failed, partial=answer, message=f"{failed.message} {_STANDS}") if answer else failed


def partial(seen: Sequence[Event]) -> str:
    """The unfinished answer, if one had begun."""
    last = seen[-1] if seen else None
    if isinstance(last, Replied) and last.unfinished:
        seen = seen[:-1]
    return "".join(delta.text for delta in _open_deltas(seen) if delta.channel == "answer").strip()


def _open_deltas(seen: Sequence[Event]) -> list[TextDelta]:
    deltas: list[TextDelta] = []
    for event in seen:
        if isinstance(event, TextDelta):
            deltas.append(event)
        elif isinstance(event, Replied | Answered):
            deltas.clear()
    return deltas


def as_failed(error: Exception, said: str = "") -> Failed:
    """The end of a run that ``error`` ended; ``said`` is the unfinished answer."""
    if isinstance(error, ForTheUser):
        return Failed("budget" if isinstance(error, BudgetReached) else "model", error.text, said)
    if isinstance(error, ForTheOperator):
        return Failed("error", error.text, said)
    reference = uuid4().hex[:8]
    log.error("run failed, reference %s", reference, exc_info=error)
    message = Text(
        "Something went wrong in Glassbox itself. The log has it under reference {reference}.", reference=reference
    )
    return Failed("error", message, said, reference)
