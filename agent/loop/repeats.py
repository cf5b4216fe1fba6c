"""Which calls are not made, because they were made before, or as often as the owner allows; and what is said then."""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import normalize

from agent.errors import ForTheModel, ToolFailed
from agent.events import Asked, Event, Observed, Prepared, ToolCalled
from agent.inner_runs import all_events
from agent.prompts import render
from agent.so_far import of_kind
from agent.toolkit.base import Tool

_ASKED_BACK = 0.7  # of what is to be asked; where the person's question is more of it, it is that question
_MOST_TRIES = 2  # of a call that fails
_WORTH_REPEATING = {"network", "timeout", "quota", "key", "refused", "tool", "stopped"}


def prompted(before: Sequence[Event], name: str, **variables: str) -> str:
    """The prompt of that name, as this run tells it."""
    prepared = next((event for event in reversed(before) if isinstance(event, Prepared)), None)
    return render(prepared.language if prepared else "en", name, prepared.prompts if prepared else {}, **variables)


class _Repeated(ForTheModel):
    kind = "repeat"


class _TooMany(ForTheModel):
    kind = "calls"


def refusal(
    called: ToolCalled, tool: Tool, before: Sequence[Event], around: Sequence[Event] = ()
) -> ForTheModel | None:
    """Why a call that could be made is not: it was made before, or as often as the owner allows.

    ``before`` are the events of its run, ``around`` those of the runs that this one is within.
    """
    earlier = _same_call(called, before, tool.stateful)
    if earlier is not None:
        return _Repeated(prompted(before, "repeat", result=earlier.text))
    if again := repeated(called, before):
        return again
    if tool.effect == "asks" and _asks_back(called, before):
        return ToolFailed(prompted(before, "asked_back"), "refused")
    if tool.most and _made(called.own_name, [*around, *all_events(before)]) >= tool.most:
        return _TooMany(prompted(before, "calls", tool=tool.name, most=str(tool.most)))
    return None


def _asks_back(called: ToolCalled, before: Sequence[Event]) -> bool:
    """Whether what is to be put to the person is their own question, with hardly a word more."""
    said = _words_of(str((called.arguments or {}).get("question", "")))
    asked = [_words_of(event.question) for event in before if isinstance(event, Asked | Prepared)]
    return any(own and f" {own} " in f" {said} " and len(said) * _ASKED_BACK <= len(own) for own in asked)


def _words_of(text: str) -> str:
    return " ".join(re.findall(r"\w+", normalize("NFKC", text).casefold()))


def repeated(called: ToolCalled, before: Sequence[Event]) -> _Repeated | None:
    """Why a call is not tried once more that has failed as often as makes sense."""
    same = {
        event.call_id
        for event in of_kind(before, ToolCalled)
        if (event.tool, event.arguments) == (called.tool, called.arguments)
        and (event.arguments is not None or event.input == called.input)
    }
    if not same:
        return None
    failed = [seen for seen in of_kind(before, Observed) if seen.call_id in same and seen.error]
    return _Repeated(prompted(before, "repeat", result=failed[-1].text)) if len(failed) >= _MOST_TRIES else None


def _made(own_name: str, before: Sequence[Event]) -> int:
    """How many calls of a tool were made in a run."""
    not_made = {event.call_id for event in before if isinstance(event, Observed) and event.error in ("repeat", "calls")}
    return sum(
        isinstance(event, ToolCalled)
        and event.arguments is not None
        and event.own_name == own_name
        and event.call_id not in not_made
        for event in before
    )


def _same_call(called: ToolCalled, before: Sequence[Event], stateful: bool) -> Observed | None:
    """The result of the same call made earlier, unless that one failed in a way that may pass.

    Of a tool that is ``stateful`` only the last call counts: what came after an earlier one may have changed it.
    """
    made = of_kind(before, ToolCalled)
    same = {
        event.call_id
        for event in (made[-1:] if stateful else made)
        if (event.tool, event.arguments) == (called.tool, called.arguments)
    }
    if not same:
        return None
    came = (seen for seen in of_kind(before, Observed) if seen.call_id in same)
    return next((seen for seen in came if seen.error not in _WORTH_REPEATING), None)
