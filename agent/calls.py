"""Calling the tools that a reply asked for: prepared one by one, run side by side, answered in the order asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from threading import Event as Flag
from time import monotonic

from agent.errors import ForTheModel, ToolFailed
from agent.events import Answered, Event, Observed, Prepared, ToolCalled
from agent.prompts import render
from agent.tools.base import Tool, Toolbox, ToolResult, artifact
from agent.wire.observation import MOST_CHARACTERS, cap
from agent.wire.reading import Action
from agent.workers import Workers

_LOOK_UP_SECONDS = 0.05
_WHOLE = "whole result"
_WORTH_REPEATING = {"network", "timeout", "quota", "key", "refused", "tool", "stopped"}


@dataclass(frozen=True, slots=True)
class _Running:
    call_id: str
    timeout: float
    started: float
    outcome: Future[ToolResult]


def call_all(
    actions: Sequence[Action], tools: Toolbox, events: Sequence[Event], workers: Workers, cancel: Flag
) -> Iterator[Event]:
    """Yield a ``ToolCalled`` for each action, then an ``Observed`` for each, in the same order.

    ``events`` are those before the calls; the caller may add to them while this runs. A tool that overruns its
    time-out is left behind and observed as such, and so is one that is still at work when ``cancel`` is set. A bug in
    a tool is raised as it is.
    """
    before = list(events)
    calls: list[_Running] = []
    for action in actions:
        called, outcome, timeout = _start(action, tools, before, workers)
        before.append(called)
        yield called
        calls.append(_Running(called.call_id, timeout, monotonic(), outcome))
    for call in calls:
        yield _observe(call, cancel)


def _start(
    action: Action, tools: Toolbox, before: Sequence[Event], workers: Workers
) -> tuple[ToolCalled, Future[ToolResult], float]:
    call_id = _call_id(action, before)
    outcome: Future[ToolResult] = Future()
    try:
        ready = tools.prepare(action.tool, action.input)
    except ForTheModel as problem:
        outcome.set_exception(problem)
        return ToolCalled(call_id, action.tool, action.input, None), outcome, 0.0
    tool, own = ready.tool, ready.tool.own_name
    called = ToolCalled(
        call_id, tool.name, action.input, ready.arguments, ready.repairs, "" if own == tool.name else own
    )
    problem = _refused(called, tool, before)
    if problem:
        outcome.set_exception(problem)
    else:
        outcome = workers.submit(partial(tool.call, ready.arguments))
    return called, outcome, tool.timeout


class _Repeated(ForTheModel):
    kind = "repeat"


class _TooMany(ForTheModel):
    kind = "calls"


def _refused(called: ToolCalled, tool: Tool, before: Sequence[Event]) -> ForTheModel | None:
    """Why a call that could be made is not: it was made before, or as often as the owner allows."""
    language = next((event.language for event in reversed(before) if isinstance(event, Prepared)), "en")
    earlier = _same_call(called, before)
    if earlier is not None:
        return _Repeated(render(language, "repeat", result=earlier.text))
    if tool.most and _made(called.own_name, before) >= tool.most:
        return _TooMany(render(language, "calls", tool=tool.name, most=str(tool.most)))
    return None


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


def direct_answer(events: Sequence[Event], tools: Toolbox) -> Answered | None:
    """The answer, where the last thing that happened is that direct tools gave it."""
    direct = {tool.own_name for tool in tools.tools if tool.direct}
    seen: dict[str, str] = {}
    answers: list[str] = []
    for event in takewhile(_is_of_a_call, reversed(events)):
        if isinstance(event, Observed):
            seen[event.call_id] = "" if event.error else _whole(event)
        elif isinstance(event, ToolCalled) and event.own_name in direct:
            answers.append(seen.get(event.call_id, ""))
    text = "\n\n".join(filter(None, reversed(answers)))
    return Answered(text, reason="direct") if text else None


def _is_of_a_call(event: Event) -> bool:
    return isinstance(event, ToolCalled) or (isinstance(event, Observed) and bool(event.call_id))


def _whole(seen: Observed) -> str:
    """All that a tool said, also where the model is shown a part of it."""
    whole = next((made.content for made in seen.artifacts if made.name == _WHOLE and made.content), b"")
    return whole.decode("utf-8", "replace") if whole and not seen.edited else seen.text


def _call_id(action: Action, before: Sequence[Event]) -> str:
    """The server's id where it gave one that is new in this run, else the call's number."""
    used = {event.call_id for event in before if isinstance(event, ToolCalled)}
    if action.id and action.id not in used:
        return action.id
    number = len(used) + 1
    while f"call_{number}" in used:
        number += 1
    return f"call_{number}"


def _same_call(called: ToolCalled, before: Sequence[Event]) -> Observed | None:
    """The result of the same call made earlier, unless that one failed in a way that may pass."""
    same = {
        event.call_id
        for event in before
        if isinstance(event, ToolCalled) and (event.tool, event.arguments) == (called.tool, called.arguments)
    }
    for event in before:
        if isinstance(event, Observed) and event.call_id in same and event.error not in _WORTH_REPEATING:
            return event
    return None


def _observe(call: _Running, cancel: Flag) -> Observed:
    try:
        result = _wait(call, cancel)
    except ForTheModel as problem:
        return Observed(call.call_id, cap(str(problem)), monotonic() - call.started, problem.kind)
    artifacts = result.artifacts
    if len(result.text) > MOST_CHARACTERS:
        artifacts = (artifact("text", _WHOLE, result.text.encode("utf-8", "replace")), *artifacts)
    seconds = monotonic() - call.started
    return Observed(call.call_id, cap(result.text), seconds, "", artifacts, result.sources, result.cached)


def _wait(call: _Running, cancel: Flag) -> ToolResult:
    while True:
        left = call.started + call.timeout - monotonic()
        try:
            return call.outcome.result(max(0.0, min(_LOOK_UP_SECONDS, left)))
        except NotYet:
            if call.outcome.done():  # just now, or with a TimeoutError of its own, which is a bug
                return call.outcome.result()
            if cancel.is_set():
                raise ToolFailed("The run was stopped before the tool was done.", "stopped") from None
            if left <= 0:
                message = f"The tool took longer than {call.timeout:g} seconds. Ask for less, or try another way."
                raise ToolFailed(message, "timeout") from None
