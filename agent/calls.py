"""Calling the tools that a reply asked for: prepared one by one, run side by side, answered in the order asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from functools import partial
from threading import Event as Flag
from time import monotonic

from agent.errors import ForTheModel, ToolFailed
from agent.events import Event, Observed, Prepared, ToolCalled
from agent.prompts import render
from agent.tools.base import Toolbox, ToolResult, artifact
from agent.wire.observation import MOST_CHARACTERS, cap
from agent.wire.reading import Action
from agent.workers import Workers

_LOOK_UP_SECONDS = 0.05
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
        ready.tool.guard(ready.arguments, before)
    except ForTheModel as problem:
        outcome.set_exception(problem)
        return ToolCalled(call_id, action.tool, action.input, None), outcome, 0.0
    called = ToolCalled(call_id, ready.tool.name, action.input, ready.arguments, ready.repairs)
    earlier = _same_call(called, before, ready.tool.stateful)
    if earlier is not None:
        prepared = next(event for event in reversed(before) if isinstance(event, Prepared))
        outcome.set_exception(_Repeated(render(prepared.language, "repeat", prepared.prompts, result=earlier.text)))
    else:
        outcome = workers.submit(partial(ready.tool.call, ready.arguments))
    return called, outcome, ready.tool.timeout


class _Repeated(ForTheModel):
    kind = "repeat"


def _call_id(action: Action, before: Sequence[Event]) -> str:
    """The server's id where it gave one that is new in this run, else the call's number."""
    used = {event.call_id for event in before if isinstance(event, ToolCalled)}
    if action.id and action.id not in used:
        return action.id
    number = len(used) + 1
    while f"call_{number}" in used:
        number += 1
    return f"call_{number}"


def _same_call(called: ToolCalled, before: Sequence[Event], stateful: bool) -> Observed | None:
    """The result of the same call made earlier, unless that one failed in a way that may pass.

    Of a tool that is ``stateful`` only the last call counts: what came after an earlier one may have changed it.
    """
    made = [event for event in before if isinstance(event, ToolCalled)]
    same = {
        event.call_id
        for event in (made[-1:] if stateful else made)
        if (event.tool, event.arguments) == (called.tool, called.arguments)
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
        artifacts = (artifact("text", "whole result", result.text.encode("utf-8", "replace")), *artifacts)
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
