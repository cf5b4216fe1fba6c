"""The spans of a run, made of its events: one for the run, one for each call of a model or a tool.

Ids follow from the run's id and an event's place: a run has one trace, whichever processes work on it, and its root is
told by the process in which it ends.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from agent.events import (
    Answered,
    Asked,
    Decided,
    Event,
    Failed,
    Inner,
    Merged,
    Observed,
    Prepared,
    Replied,
    Resumed,
    TextDelta,
    ToolCalled,
    Waiting,
)
from agent.messages import Money, Usage
from agent.telemetry.span_values import (
    LONGEST_NAME,
    PURPOSE,
    REPLAYED,
    SECOND,
    Attribute,
    RunSpan,
    SpanKind,
    Subject,
    model_name,
    of_model,
    of_usage,
)

AGENT = "Glassbox"


@dataclass(slots=True)
class _Level:
    """A run, or one within the call of an agent. ``clock`` is when what was seen last had ended.

    ``span`` is the id of its own span, ``parent`` that of the one above.
    """

    span: int
    parent: int
    clock: int
    name: str = AGENT
    model: str = ""
    endpoint: str = ""
    begun: int = 0
    parameters: Mapping[str, object] = field(default_factory=dict[str, object])
    calls: dict[str, ToolCalled] = field(default_factory=dict[str, ToolCalled])
    decisions: dict[str, str] = field(default_factory=dict[str, str])
    calls_start: int = 0
    awaiting: bool = False  # a reply of the model
    steps: int = 0  # events of calls that were seen before it was prepared, taken over from another run
    told_again: int = 0  # of these, how many come a second time
    inner: dict[str, _Level] = field(default_factory=dict["str", "_Level"])


class RunSpans:
    """Follows the events of a run, and says which spans each of them ends."""

    def __init__(self, subject: Subject, so_far: Sequence[Event], now: int) -> None:
        """``so_far`` are the run's events of before, as far as they are known, whose spans were told then."""
        self.subject = subject
        self.seen = 0  # events, without ``TextDelta``
        self.over = False  # the run has ended, or waits for the person
        self._taken = 0  # of the first events, how many are those of a run that this one goes on from
        self._asked = ""
        self._usage = Usage()
        self._money: Decimal | None = None
        self._root = _Level(subject.span("root"), 0, now, model=subject.model, endpoint=subject.endpoint, begun=now)
        for event in so_far:
            self.spans(event, now)
        self.over = False
        self._root.clock = self._root.calls_start = now

    def lost(self, resumed: Resumed) -> list[RunSpan]:
        """The reply that was in flight when the run's process was gone, if one was."""
        if not resumed.usage.total:
            return []
        end = int(resumed.time * SECOND)
        start = end - int(resumed.seconds * SECOND)
        return [self._model_span(self._root, "lost", start, end, resumed.usage, resumed.price, error="interrupted")]

    def spans(self, event: Event, now: int) -> list[RunSpan]:
        """Those that the event ends, which was seen at ``now``, in nanoseconds since the epoch."""
        if isinstance(event, TextDelta):
            return []
        self.seen += 1
        self.over = isinstance(event, Answered | Failed | Waiting)
        if isinstance(event, Asked):
            self._root.begun = min(now, int(event.time * SECOND))
            self._taken, self._asked = event.at or 0, event.question
            return []
        return self._of_level(self._root, event, now)

    def broken(self, error: str, now: int) -> list[RunSpan]:
        """The end of a run that could not be stored."""
        self.over = True
        return [self._run_span(self._root, now, error=error, end="error")]

    def _of_level(self, level: _Level, event: Event, now: int) -> list[RunSpan]:
        told: list[RunSpan] = []
        match event:
            case Prepared():
                self._prepared(level, event, now)
            case Merged() | Replied():
                told = self._replied(level, event, now)
            case ToolCalled():
                level.calls[event.call_id] = event
            case Decided():
                level.decisions[event.call_id] = event.decision
                level.calls_start = level.clock = now
            case Inner():
                told = self._within(level, event, now)
            case Observed():
                told = self._observed(level, event, now)
            case Answered() | Failed():
                told = self._ended(level, event, now)
            case Resumed():
                self._count(event.usage, event.price)
                level.awaiting = not level.calls
            case _:
                pass
        return told

    def _prepared(self, level: _Level, event: Prepared, now: int) -> None:
        # Where a server takes no tool schemas, the steps taken over are told a second time.
        level.told_again = level.steps
        level.model, level.endpoint, level.parameters = event.model, event.endpoint, event.parameters
        level.clock, level.awaiting = now, True

    def _is_taken(self, level: _Level) -> bool:
        """Whether the event that is seen is a step of another run."""
        if level is not self._root:
            return False
        if level.told_again:
            level.told_again -= 1
            return True
        if self.seen <= self._taken:
            level.steps += 1
            return True
        return False

    def _replied(self, level: _Level, event: Merged | Replied, now: int) -> list[RunSpan]:
        taken = self._is_taken(level)
        level.awaiting = False
        if taken or (isinstance(event, Replied) and event.edited):
            level.clock = level.calls_start = now
            return []
        start = level.clock
        level.clock = level.calls_start = min(now, start + int(event.seconds * SECOND))
        more: dict[str, Attribute] = {}
        if isinstance(event, Merged):
            more["glassbox.purpose"] = "merge"
            said, error = event.reply, "merge" if event.error else ""
        else:
            said, error = event.text, ""
            more["gen_ai.response.time_to_first_chunk"] = min(event.first_token, event.seconds)
            if event.finish:
                more["gen_ai.response.finish_reasons"] = (event.finish[:LONGEST_NAME],)
            if event.unfinished:
                more["glassbox.unfinished"] = True
        if self.subject.shown and said:
            more["gen_ai.output.messages"] = self._message("assistant", said)
        name = f"model {self.seen}"
        return [self._model_span(level, name, start, level.clock, event.usage, event.price, error, more)]

    def _observed(self, level: _Level, event: Observed, now: int) -> list[RunSpan]:
        call = level.calls.pop(event.call_id, None)
        inner = level.inner.pop(event.call_id, None)
        level.awaiting = not level.calls
        if call is None or self._is_taken(level) or event.edited:
            level.clock = now if call is None or event.edited else level.clock
            return []
        start = inner.begun if inner else level.calls_start
        end = max(start, min(now, start + int(event.seconds * SECOND)))
        level.clock = now
        # A name that no tool has is the model's own words.
        name = "unknown" if event.error == "unknown_tool" else str(call.tool)[:LONGEST_NAME]
        attributes: dict[str, Attribute] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": call.call_id[:LONGEST_NAME],
        }
        if event.cached:
            attributes["glassbox.cached"] = True
        if decision := level.decisions.get(event.call_id):
            attributes["glassbox.decision"] = decision
        if shown := self.subject.shown:
            arguments = json.dumps(call.arguments, ensure_ascii=False) if call.arguments is not None else call.input
            attributes["gen_ai.tool.call.arguments"] = shown(arguments)
            attributes["gen_ai.tool.call.result"] = shown(event.text)
        span = self._call_id(level, call.call_id)
        return [self._told("tool", f"execute_tool {name}", span, level.span, start, end, attributes, event.error)]

    def _within(self, level: _Level, event: Inner, now: int) -> list[RunSpan]:
        inner = level.inner.get(event.call_id)
        if inner is None:
            above = self._call_id(level, event.call_id)
            call = level.calls.get(event.call_id)
            name = str(call.tool)[:LONGEST_NAME] if call else AGENT
            own = self.subject.span(f"agent {level.span} {event.call_id}")
            inner = _Level(own, above, level.calls_start, name, begun=level.calls_start)
            level.inner[event.call_id] = inner
        return self._of_level(inner, event.event, now)

    def _ended(self, level: _Level, event: Answered | Failed, now: int) -> list[RunSpan]:
        told: list[RunSpan] = []
        failed = isinstance(event, Failed)
        if failed and event.reason == "model" and level.awaiting:
            told.append(self._model_span(level, f"model {self.seen}", level.clock, now, None, None, "model"))
        error = event.reason if failed and event.reason != "cancelled" else ""
        return [*told, self._run_span(level, now, error, event.reason, event.partial if failed else event.text)]

    def _run_span(self, level: _Level, now: int, error: str, end: str, said: str = "") -> RunSpan:
        attributes: dict[str, Attribute] = {
            **self._of_model(level, "invoke_agent"),
            "gen_ai.agent.name": level.name,
            "glassbox.run.end": end,
        }
        if level is self._root:
            attributes |= of_usage(self._usage) | {"glassbox.run.id": self.subject.run}
            if self.subject.shown:
                attributes["gen_ai.input.messages"] = self._message("user", self._asked)
                attributes["gen_ai.output.messages"] = self._message("assistant", said)
        money = float(self._money) if self._money is not None and level is self._root else None
        name = f"invoke_agent {level.name}"
        return self._told("run", name, level.span, level.parent, level.begun, now, attributes, error, money)

    def _model_span(
        self,
        level: _Level,
        name: str,
        start: int,
        end: int,
        usage: Usage | None,
        price: Money | None,
        error: str = "",
        more: Mapping[str, Attribute] | None = None,
    ) -> RunSpan:
        price = None if self.subject.replayed else price
        if usage and name != "lost":  # which is counted with the others of before
            self._count(usage, price)
        attributes = {**self._of_model(level, "chat"), "gen_ai.request.stream": True}
        attributes |= of_usage(usage) if usage else {}
        attributes |= more or {}
        temperature = level.parameters.get("temperature")
        if isinstance(temperature, int | float):
            attributes["gen_ai.request.temperature"] = float(temperature)
        span, money = self.subject.span(f"{level.span} {self.seen} {name}"), float(price.amount) if price else None
        title = f"chat {model_name(level.endpoint, level.model)}"
        return self._told("model", title, span, level.span, start, end, attributes, error, money)

    def _of_model(self, level: _Level, operation: str) -> dict[str, Attribute]:
        name = model_name(level.endpoint, level.model)
        return {
            "gen_ai.operation.name": operation,
            **of_model(level.endpoint, name, self.subject.conversation),
        }

    def _told(
        self,
        kind: SpanKind,
        name: str,
        span: int,
        parent: int,
        start: int,
        end: int,
        attributes: dict[str, Attribute],
        error: str = "",
        money: float | None = None,
    ) -> RunSpan:
        if self.subject.tested:
            attributes[PURPOSE] = "evaluation"
        if self.subject.replayed:
            attributes[REPLAYED] = True
        if error:
            attributes["error.type"] = error
        if money is not None:
            attributes["glassbox.cost.usd"] = money
        trace = self.subject.trace
        return RunSpan(kind, name, trace, span, parent, start, max(start, end), attributes, error, money)

    def _call_id(self, level: _Level, call_id: str) -> int:
        return self.subject.span(f"call {level.span} {call_id}")

    def _count(self, usage: Usage, price: Money | None) -> None:
        before = self._usage
        self._usage = Usage(
            before.input + usage.input,
            before.cached + usage.cached,
            before.output + usage.output,
            before.reasoning + usage.reasoning,
            before.estimated or usage.estimated,
        )
        if price and not self.subject.replayed:
            self._money = (self._money or Decimal(0)) + price.amount

    def _message(self, role: str, text: str) -> str:
        """A message in the JSON of the conventions."""
        shown = self.subject.shown(text) if self.subject.shown else ""
        return json.dumps([{"role": role, "parts": [{"type": "text", "content": shown}]}], ensure_ascii=False)
