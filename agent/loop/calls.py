"""Calling the tools that a reply asked for: prepared one by one, run side by side, answered in the order asked.

Those that ask the person first wait their turn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from threading import Event as Flag
from time import monotonic, time
from unicodedata import normalize

from pydantic import JsonValue

from agent.errors import ForTheModel, ToolFailed
from agent.events import Answered, Asked, Decided, Event, Observed, Prepared, Replied, ToolCalled, Waiting
from agent.interface_text import Text
from agent.loop.approval import Policy, needs_approval
from agent.loop.provenance import Told, as_seen
from agent.loop.workers import Workers
from agent.prompts import render
from agent.toolkit.base import Tool, Toolbox, ToolResult, artifact
from agent.wire.observation import MOST_CHARACTERS, cap
from agent.wire.outcomes import Action

_LOOK_UP_SECONDS = 0.05
_AT_ONCE_SECONDS = 0.005
_WHOLE = Text("whole result")
_ASKED_BACK = 0.7  # of what is to be asked; where the person's question is more of it, it is that question
_MOST_TRIES = 2  # of a call that fails
_WORTH_REPEATING = {"network", "timeout", "quota", "key", "refused", "tool", "stopped"}


@dataclass(frozen=True, slots=True)
class _Running:
    call_id: str
    timeout: float
    started: float
    outcome: Future[ToolResult]


@dataclass(frozen=True, slots=True)
class Calling:
    """With what the calls of a run are made. ``events``, those of the run so far, grows by each event that is told.

    ``earlier`` are those of the turns before, whose calls have ids that are taken: no id stands twice in a prompt.
    """

    tools: Toolbox
    policy: Policy
    workers: Workers
    cancel: Flag
    events: list[Event]
    earlier: Sequence[Event] = ()

    def make(self, actions: Sequence[Action]) -> Iterator[Event | None]:
        """Yield a ``ToolCalled`` for each action, then an ``Observed`` for each, in the same order.

        ``None`` between them says that the calls take their time: what was told is to be shown now. A tool that
        overruns its time-out is left behind and observed as such, and so is one that is still at work when ``cancel``
        is set. A bug in a tool is raised as it is.

        Calls that ask the person first come last, one by one. What one of them waits for is yielded as a ``Waiting``,
        and nothing after it; given the events once more with a ``Decided`` behind it, this goes on from there.
        """
        calls: list[_Running] = []
        for action in actions:
            called, running = self._start(action)
            yield self._told(called)
            if running:
                calls.append(running)
        if not _done_at_once(calls):
            yield None
        for call in calls:
            yield self._told(_observe(call, self.cancel))
        for called in open_calls(self.events):
            yield None
            event = self._with_the_person(called)
            if event:
                yield self._told(event)
            if not isinstance(event, Observed):
                return

    def _told(self, event: Event) -> Event:
        self.events.append(event)
        return event

    def _start(self, action: Action) -> tuple[ToolCalled, _Running | None]:
        """The call, and its work unless it asks the person first."""
        call_id = _call_id(action, self.events, self.earlier)
        try:
            ready = self.tools.prepare(action.tool, action.input)
        except ForTheModel as problem:
            called = ToolCalled(call_id, action.tool, action.input, None, opaque=action.opaque)
            return called, _not_made(call_id, _repeated(called, self.events) or problem)
        tool, own = ready.tool, ready.tool.own_name
        own = "" if own == tool.name else own
        arguments, repairs = ready.arguments, ready.repairs
        told = Told(tuple(self.events), self.earlier, self.tools)
        if seen := as_seen(tool, arguments, told):
            arguments = {**arguments, tool.address: seen}
            repairs = (*repairs, Text("The address goes out as it was seen: {seen}", seen=seen))
        called = ToolCalled(call_id, tool.name, action.input, arguments, repairs, own, action.opaque)
        if problem := _refused(called, tool, self.events):
            return called, _not_made(call_id, problem)
        if asking(called, tool, told, self.policy):
            return called, None
        return called, self._run(called, tool, arguments)

    def _run(self, called: ToolCalled, tool: Tool, arguments: Mapping[str, JsonValue]) -> _Running:
        started = monotonic()
        begin = self.workers.do if tool.pure else self.workers.submit
        outcome = begin(partial(tool.call, arguments))
        return _Running(called.call_id, tool.timeout, started, outcome)

    def _with_the_person(self, called: ToolCalled) -> Event | None:
        """What comes next of an open call; ``None`` while it is for the person to say."""
        mine = (event for event in self.events if isinstance(event, Waiting | Decided))
        last = next((event for event in reversed([*mine]) if event.call_id == called.call_id), None)
        if isinstance(last, Waiting):
            return None
        if last and last.decision not in ("allowed", "always", "edited"):
            return _decision_told(last, self.events)
        try:
            tool = self.tools.find(called.tool)
        except ForTheModel as problem:  # it is not there any more
            return Observed(called.call_id, str(problem), 0.0, problem.kind)
        before = tuple(takewhile(lambda event: event is not called, self.events))
        told = Told(before, self.earlier, self.tools)
        if last is None and (waiting := asking(called, tool, told, self.policy)):
            return waiting
        edited = last.arguments if last else None
        observed = _observe(self._run(called, tool, edited or called.arguments or {}), self.cancel)
        if edited is None:
            return observed
        written = json.dumps(dict(edited), ensure_ascii=False)
        return replace(observed, text=_say(self.events, "edited", input=written, result=observed.text))


def open_calls(events: Sequence[Event]) -> list[ToolCalled]:
    """The calls of the last reply that have no observation yet: they wait for the person, or for their turn to."""
    last = next((place for place in reversed(range(len(events))) if isinstance(events[place], Replied)), 0)
    since = events[last:]
    seen = {event.call_id for event in since if isinstance(event, Observed)}
    return [event for event in since if isinstance(event, ToolCalled) and event.call_id not in seen]


def asking(called: ToolCalled, tool: Tool, told: Told, policy: Policy) -> Waiting | None:
    """What a call of ``tool`` that can be made waits for, if it does."""
    if tool.effect == "asks":
        arguments = called.arguments or {}
        choices = arguments.get("choices")
        picks = tuple(map(str, choices)) if isinstance(choices, list) else ()
        return Waiting(called.call_id, "question", str(arguments.get("question", "")), picks, time())
    needed = needs_approval(called, tool, told, policy)
    return Waiting(called.call_id, "approval", needed.reason, needed.decisions, time()) if needed else None


def _decision_told(decided: Decided, before: Sequence[Event]) -> Observed:
    """What the model is told of a decision that is no call."""
    if decided.decision == "answered":
        return Observed(decided.call_id, cap(decided.text))
    if decided.decision == "skipped":
        return Observed(decided.call_id, _say(before, "skipped"))
    reason = " ".join(decided.text.split())
    told = _say(before, "denied_because", reason=cap(reason)) if reason else _say(before, "denied")
    return Observed(decided.call_id, told, error="denied")


def _say(before: Sequence[Event], name: str, **variables: str) -> str:
    """The prompt of that name, as this run tells it."""
    prepared = next((event for event in reversed(before) if isinstance(event, Prepared)), None)
    return render(prepared.language if prepared else "en", name, prepared.prompts if prepared else {}, **variables)


class _Repeated(ForTheModel):
    kind = "repeat"


class _TooMany(ForTheModel):
    kind = "calls"


def _refused(called: ToolCalled, tool: Tool, before: Sequence[Event]) -> ForTheModel | None:
    """Why a call that could be made is not: it was made before, or as often as the owner allows."""
    earlier = _same_call(called, before, tool.stateful)
    if earlier is not None:
        return _Repeated(_say(before, "repeat", result=earlier.text))
    if repeated := _repeated(called, before):
        return repeated
    if tool.effect == "asks" and _asks_back(called, before):
        return ToolFailed(_say(before, "asked_back"), "refused")
    if tool.most and _made(called.own_name, before) >= tool.most:
        return _TooMany(_say(before, "calls", tool=tool.name, most=str(tool.most)))
    return None


def _asks_back(called: ToolCalled, before: Sequence[Event]) -> bool:
    """Whether what is to be put to the person is their own question, with hardly a word more."""
    said = _words_of(str((called.arguments or {}).get("question", "")))
    asked = [_words_of(event.question) for event in before if isinstance(event, Asked | Prepared)]
    return any(own and f" {own} " in f" {said} " and len(said) * _ASKED_BACK <= len(own) for own in asked)


def _words_of(text: str) -> str:
    return " ".join(re.findall(r"\w+", normalize("NFKC", text).casefold()))


def _repeated(called: ToolCalled, before: Sequence[Event]) -> _Repeated | None:
    """Why a call is not tried once more that has failed as often as makes sense."""
    same = {
        event.call_id
        for event in before
        if isinstance(event, ToolCalled)
        and (event.tool, event.arguments) == (called.tool, called.arguments)
        and (event.arguments is not None or event.input == called.input)
    }
    failed = [event for event in before if isinstance(event, Observed) and event.call_id in same and event.error]
    return _Repeated(_say(before, "repeat", result=failed[-1].text)) if len(failed) >= _MOST_TRIES else None


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
    return isinstance(event, ToolCalled | Waiting | Decided) or (isinstance(event, Observed) and bool(event.call_id))


def _whole(seen: Observed) -> str:
    """All that a tool said, also where the model is shown a part of it."""
    whole = next((made.content for made in seen.artifacts if made.name == _WHOLE and made.content), b"")
    return whole.decode("utf-8", "replace") if whole and not seen.edited else seen.text


def _call_id(action: Action, before: Sequence[Event], earlier: Sequence[Event]) -> str:
    """The server's id where it gave one that is new in the conversation, else the call's number."""
    made = {event.call_id for event in before if isinstance(event, ToolCalled)}
    used = made | {event.call_id for event in earlier if isinstance(event, ToolCalled)}
    if action.id and action.id not in used:
        return action.id
    number = len(made) + 1
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


def _not_made(call_id: str, problem: ForTheModel) -> _Running:
    outcome: Future[ToolResult] = Future()
    outcome.set_exception(problem)
    return _Running(call_id, 0.0, monotonic(), outcome)


def _done_at_once(calls: Sequence[_Running]) -> bool:
    """Whether all of them are done before a person would notice that they were begun."""
    ends = monotonic() + _AT_ONCE_SECONDS
    try:
        for call in calls:
            call.outcome.exception(max(0.0, ends - monotonic()))
    except NotYet:
        return False
    return True


def _observe(call: _Running, cancel: Flag) -> Observed:
    try:
        result = _wait(call, cancel)
    except ForTheModel as problem:
        return Observed(call.call_id, cap(str(problem)), monotonic() - call.started, problem.kind)
    artifacts = result.artifacts
    if len(result.text) > MOST_CHARACTERS:
        artifacts = (artifact("text", _WHOLE, result.text.encode("utf-8", "replace")), *artifacts)
    seconds = monotonic() - call.started
    given = (cap(result.text), seconds, "", artifacts, result.sources, result.cached)
    return Observed(call.call_id, *given, repairs=result.repairs)


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
