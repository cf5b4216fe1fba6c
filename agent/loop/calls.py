"""Calling the tools that a reply asked for: prepared one by one, run side by side, answered in the order asked.

Those that ask the person first wait their turn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import takewhile
from queue import Empty, SimpleQueue
from threading import Event as Flag
from time import monotonic
from typing import cast

from pydantic import JsonValue

from agent.errors import ForTheModel, ToolFailed
from agent.events import Answered, Decided, Event, Inner, Observed, Replied, Resumed, ToolCalled, Waiting
from agent.inner_runs import ids_of_calls
from agent.interface_text import Text
from agent.loop.agent import Agent
from agent.loop.approval import Policy, asked_again, asking, decision_told, repeatable, said_to
from agent.loop.provenance import Told, as_seen, known_tools
from agent.loop.repeats import prompted, refusal, repeated
from agent.loop.within.surroundings import Surroundings, as_one_run
from agent.loop.workers import Outcome, Workers
from agent.so_far import of_kind
from agent.toolkit.base import Tool, Toolbox, ToolResult, artifact, folded
from agent.wire.observation import MOST_CHARACTERS, cap
from agent.wire.outcomes import Action

_LOOK_UP_SECONDS = 0.05
_AT_ONCE_SECONDS = 0.005
_STOP_SECONDS = 0.3
_WHOLE = Text("whole result")
_NOBODY_TO_ASK = (
    "This would ask the person first, and an agent that was called as a tool cannot ask. Go on without it, and say in "
    "your answer what you could not do."
)


@dataclass(frozen=True, slots=True)
class _Running:
    call_id: str
    timeout: float
    started: float
    outcome: Outcome[ToolResult]
    agent: bool = False


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes the calls of a run: its ``agent``, whose time is over at ``ends``, and what the run is within."""

    agent: Agent
    ends: float
    outer: Surroundings | None = None


@dataclass(frozen=True)
class Calling:
    """With what the calls of a run are made. ``events``, those of the run so far, grows by each event that is told.

    ``earlier`` are those of the turns before, whose calls have ids that are taken: no id stands twice in a prompt.
    Without a ``caller`` no agent can be called. ``inner`` holds what agents that were called have told.
    """

    tools: Toolbox
    policy: Policy
    workers: Workers
    cancel: Flag
    events: list[Event]
    earlier: Sequence[Event] = ()
    caller: Caller | None = None
    inner: SimpleQueue[Inner] = field(default_factory=SimpleQueue[Inner])

    def make(self, actions: Sequence[Action]) -> Iterator[Event | None]:
        """Yield a ``ToolCalled`` for each action, then an ``Observed`` for each, in the same order.

        What an agent tells that is called comes between them, each event as it happens, in an ``Inner``.
        ``None`` between them says that the calls take their time: what was told is to be shown now, and kept. No call
        is begun before all are told, nor before that where one is not ``repeatable``. A tool that overruns its time-out
        is left behind and observed as such, and so is one that is still at work when ``cancel`` is set. A bug in a tool
        is raised as it is.

        Calls that ask the person first come last, one by one. What one of them waits for is yielded as a ``Waiting``,
        and nothing after it; given the events once more with a ``Decided`` behind it, this goes on from there.
        """
        begins: list[Callable[[], _Running]] = []
        kept_first, share = False, max(1, sum(map(self._is_agent, actions)))
        for action in actions:
            called, begin, lasting = self._ready(action, share)
            yield self._told(called)
            begins += [begin] if begin else []
            kept_first = kept_first or lasting
        if kept_first:
            yield None
        calls = [begin() for begin in begins]  # waited for at once: a thread that works meanwhile waits for this one
        if not _done_at_once(calls):
            yield None
        for call in calls:
            yield from self._within(call)
            yield self._told(_observe(call, self.cancel))
        for called in open_calls(self.events):
            yield None
            event = self._with_the_person(called)
            if isinstance(event, Observed):
                yield from self._left()
            if event:
                yield self._told(event)
            if not isinstance(event, Observed):
                return

    def _told(self, event: Event) -> Event:
        self.events.append(event)
        return event

    def _is_agent(self, action: Action) -> bool:
        return any(tool.works and folded(action.tool) in (tool.name, folded(tool.name)) for tool in self.tools.tools)

    def _around(self) -> tuple[Event, ...]:
        """What happened in the runs that this one is within."""
        outer = self.caller.outer if self.caller else None
        return outer.told() if outer else ()

    def _within(self, call: _Running) -> Iterator[Event]:
        """What an agent that was called tells until it is done; a moment after ``cancel`` it is left behind."""
        stopped = 0.0
        while call.agent:
            done = call.outcome.done()
            yield from self._left(0.0 if done else _LOOK_UP_SECONDS)
            if self.cancel.is_set():
                stopped = stopped or monotonic()
            if done or (stopped and monotonic() - stopped > _STOP_SECONDS):
                return

    def _left(self, wait: float = 0.0) -> Iterator[Event]:
        """What agents have told by now, of calls that are open; the first after a ``wait`` of so many seconds."""
        while True:
            try:
                told = self.inner.get(timeout=wait) if wait else self.inner.get_nowait()
            except Empty:
                return
            wait = 0.0
            if any(called.call_id == told.call_id for called in open_calls(self.events)):
                yield self._told(told)

    def _ready(self, action: Action, share: int) -> tuple[ToolCalled, Callable[[], _Running] | None, bool]:
        """The call, what begins it (nothing where it asks the person first), and whether it is to be kept before."""
        around = self._around()
        outer = self.caller.outer if self.caller else None
        call_id = _call_id(action, self.events, self._taken | ids_of_calls(around), outer.call_id if outer else "")
        try:
            ready = self.tools.prepare(action.tool, action.input)
        except ForTheModel as problem:
            called = ToolCalled(call_id, action.tool, action.input, None, opaque=action.opaque)
            return called, partial(_not_made, call_id, repeated(called, self.events) or problem), False
        tool, own = ready.tool, ready.tool.own_name
        own = "" if own == tool.name else own
        arguments, repairs = ready.arguments, ready.repairs
        told = self._told_before(self.events, around)
        if seen := as_seen(tool, arguments, told):
            arguments = {**arguments, tool.address: seen}
            repairs = (*repairs, Text("The address goes out as it was seen: {seen}", seen=seen))
        called = ToolCalled(call_id, tool.name, action.input, arguments, repairs, own, action.opaque)
        if problem := refusal(called, tool, self.events, around):
            return called, partial(_not_made, call_id, problem), False
        if asking(called, tool, told, self.policy):
            nobody = ToolFailed(_NOBODY_TO_ASK, "denied")
            return called, partial(_not_made, call_id, nobody) if outer else None, False
        return called, partial(self._run, called, tool, arguments, share), not repeatable(tool)

    def _told_before(self, events: Sequence[Event], around: Sequence[Event]) -> Told:
        """What a call comes after: what was told in its run, in those around it, and in those within it."""
        return Told((*around, *as_one_run(events)), self.earlier, self._known)

    @cached_property
    def _known(self) -> Toolbox:
        """The tools of this run and of those around it."""
        around = self.caller.outer.boxes if self.caller and self.caller.outer else ()
        return known_tools((self.tools, *around))

    @cached_property
    def _taken(self) -> frozenset[str]:
        """The ids of the calls of the turns before."""
        return ids_of_calls(self.earlier)

    def _run(self, called: ToolCalled, tool: Tool, arguments: Mapping[str, JsonValue], share: int = 1) -> _Running:
        started = monotonic()
        if tool.works and self.caller:
            within = (self.caller.agent, self.cancel, self.caller.ends, self.events, self.earlier)
            around = Surroundings(*within, called.call_id, share, self.caller.outer)
            work = tool.works(arguments, tool.within, around)
            outcome = self.workers.submit(partial(_worked, work, called.call_id, self.inner))
            return _Running(called.call_id, float("inf"), started, outcome, agent=True)
        begin = self.workers.do if tool.pure else self.workers.submit
        outcome = begin(partial(tool.call, arguments))
        return _Running(called.call_id, tool.timeout, started, outcome)

    def _with_the_person(self, called: ToolCalled) -> Event | None:
        """What comes next of an open call; ``None`` while it is for the person to say."""
        said = said_to(called, self.events)
        words = [event for event in said if not isinstance(event, Resumed)]
        last = words[-1] if words else None
        if isinstance(last, Waiting):
            return None
        if last and last.decision not in ("allowed", "always", "edited"):
            return decision_told(last, words, self.events)
        lost = bool(said) and isinstance(said[-1], Resumed)
        before = tuple(takewhile(lambda event: event is not called, self.events))
        try:
            tool = self._tool(called, before, lost)
        except ForTheModel as problem:
            return Observed(called.call_id, cap(str(problem)), 0.0, problem.kind)
        told = self._told_before(before, self._around())
        if last is None and (waiting := asking(called, tool, told, self.policy)):
            return waiting
        if lost and not repeatable(tool):
            return asked_again(called)
        decided = [event.arguments for event in words if isinstance(event, Decided) and event.arguments is not None]
        edited = decided[-1] if decided else None
        observed = _observe(self._run(called, tool, edited or called.arguments or {}), self.cancel)
        if edited is None:
            return observed
        written = json.dumps(dict(edited), ensure_ascii=False)
        return replace(observed, text=prompted(self.events, "edited", input=written, result=observed.text))

    def _tool(self, called: ToolCalled, before: Sequence[Event], lost: bool) -> Tool:
        """The tool of an open call. Raises ``ForTheModel`` where it is not there any more.

        So it does for a call whose process was ``lost`` before it could say why it does not make it.
        """
        if lost and called.arguments is None:
            self.tools.prepare(called.tool, called.input)
            raise ToolFailed("The server stopped before this call. Make it again if it is still needed.", "stopped")
        try:
            tool = self.tools.find(called.tool)
        except ForTheModel:
            if lost:
                raise ToolFailed(prompted(self.events, "not_known"), "stopped") from None
            raise
        if lost and (problem := refusal(called, tool, before, self._around())):
            raise problem
        return tool


def open_calls(events: Sequence[Event]) -> list[ToolCalled]:
    """The calls of the last reply that have no observation yet: they wait for the person, or for their turn to."""
    last = next((place for place in reversed(range(len(events))) if isinstance(events[place], Replied)), 0)
    since = events[last:]
    seen = {event.call_id for event in since if isinstance(event, Observed)}
    return [event for event in since if isinstance(event, ToolCalled) and event.call_id not in seen]


def direct_answer(events: Sequence[Event], tools: Toolbox) -> Answered | None:
    """The answer, where the last thing that happened is that direct tools gave it."""
    direct = {tool.own_name for tool in tools.tools if tool.direct}
    seen: dict[str, str] = {}
    answers: list[str] = []
    for event in takewhile(_is_of_a_call, reversed(events if direct else ())):
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


def _call_id(action: Action, before: Sequence[Event], taken: frozenset[str], within: str) -> str:
    """The server's id where it gave one that is new in the conversation, else the call's number.

    Ids that are ``taken`` are those of other runs. The number stands behind the id of the call that the run is
    ``within``, if any: agents at work at the same time number their calls apart.
    """
    used = ids_of_calls(before)
    if action.id and action.id not in used and action.id not in taken:
        return action.id
    made = {called.call_id for called in of_kind(before, ToolCalled)}
    head, number = f"{within}." if within else "call_", len(made) + 1
    while (name := f"{head}{number}") in used or name in taken:
        number += 1
    return name


def _worked(work: Generator[Event, None, ToolResult], call_id: str, told: SimpleQueue[Inner]) -> ToolResult:
    """Do an agent's work; each event of its run is told at once."""
    while True:
        try:
            event = next(work)
        except StopIteration as end:
            return cast("ToolResult", end.value)
        told.put(Inner(call_id, event))


def _not_made(call_id: str, problem: ForTheModel) -> _Running:
    outcome: Outcome[ToolResult] = Outcome()
    outcome.fail(problem)
    return _Running(call_id, 0.0, monotonic(), outcome)


def _done_at_once(calls: Sequence[_Running]) -> bool:
    """Whether all of them are done before a person would notice that they were begun."""
    ends = monotonic() + _AT_ONCE_SECONDS
    try:
        for call in calls:
            call.outcome.exception(max(0.0, ends - monotonic()))
    except TimeoutError:
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
        except TimeoutError:
            if call.outcome.done():  # just now, or with a TimeoutError of its own, which is a bug
                return call.outcome.result()
            if cancel.is_set():
                raise ToolFailed("The run was stopped before the tool was done.", "stopped") from None
            if left <= 0:
                message = f"The tool took longer than {call.timeout:g} seconds. Ask for less, or try another way."
                raise ToolFailed(message, "timeout") from None
