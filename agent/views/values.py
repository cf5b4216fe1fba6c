"""What a reader sees of a run, as frozen values; ``agent.views.fold`` makes them of events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, cast

from pydantic import JsonValue

from agent.events import Artifact, Decided, LimitName, MadeRoom, Source, Waiting
from agent.messages import Limits, Money, Usage
from agent.text.injection import passages

State: TypeAlias = Literal["running", "answered", "failed"]
StepState: TypeAlias = Literal["thinking", "calling", "waiting", "done", "failed"]


@dataclass(frozen=True, slots=True)
class CallView:
    """One call of a step.

    ``arguments`` are the validated ones, those that the person decided on where they changed them; ``None`` where the
    call could not be made. ``argument`` is the only text among them, else the input as the model wrote it.
    ``observation`` is ``None`` until there is one; ``error`` is a kind or "". ``asked`` is what the call waited for,
    ``decided`` what the person said to it. ``own`` as in ``ToolCalled``. ``inner`` is the run of an agent that was
    called.
    """

    call_id: str
    tool: str
    input: str
    argument: str
    repairs: tuple[str, ...] = ()
    observation: str | None = None
    error: str = ""
    sources: tuple[Source, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    seconds: float = 0.0
    cached: bool = False
    edited: bool = False
    own: str = ""
    asked: Waiting | None = None
    decided: Decided | None = None
    arguments: Mapping[str, JsonValue] | None = field(default=None, compare=False)
    inner: RunView | None = None

    @property
    def waiting(self) -> Waiting | None:
        """What it waits for now."""
        return self.asked if self.decided is None and self.observation is None else None

    @property
    def written(self) -> str:
        """The input as a person reads it: letters in place of the codes that some models write for them in JSON."""
        if "\\u" not in self.input:
            return self.input
        try:
            told = json.dumps(json.loads(self.input), ensure_ascii=False)
        except (ValueError, RecursionError):
            return self.input
        return told if told.isprintable() else self.input

    @property
    def about(self) -> str:
        """What it is about, on a line: the ``argument``, or the values of an input that is an object of several."""
        if self.argument != self.input or not self.input.startswith("{"):
            return self.argument
        try:
            given: object = json.loads(self.input)
        except (ValueError, RecursionError):
            return self.argument
        values = [value for name, value in cast("dict[str, object]", given).items() if name != "thought"]
        told = [str(value) for value in values if value and isinstance(value, str | int | float)]
        return " · ".join(told) or (self.argument if values else "")

    @property
    def instructions(self) -> tuple[str, ...]:
        """Passages of what the tool brought that read as orders to the agent, see ``agent.text.injection``."""
        return passages("" if self.edited else self.observation or "")

    @property
    def own_name(self) -> str:
        return self.own or self.tool


@dataclass(frozen=True, slots=True)
class StepView:
    """One model call and what came of it.

    ``told`` is what the loop had to say to the model, with its kind. ``to_check`` counts the claims of an answer that
    the model was asked to check; the answer itself is then ``dropped``. ``limit`` is the one that was reached after it.
    ``stopped`` says of one that is ``unfinished`` that a person stopped it.
    """

    number: int
    state: StepState = "thinking"
    thought: str = ""
    calls: tuple[CallView, ...] = ()
    reply: str = ""
    cut: str = ""
    dropped: str = ""
    repairs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    told: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    unfinished: bool = False
    stopped: bool = False
    edited: bool = False
    to_check: int = 0
    limit: LimitName | None = None

    @property
    def every_call(self) -> Iterator[CallView]:
        """Its calls, each before those of the agent that it may be of."""
        for call in self.calls:
            yield call
            for step in call.inner.steps if call.inner else ():
                yield from step.every_call


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as a reader sees it.

    ``started`` is in seconds since the epoch. ``understood`` is the standalone question where it differs from the one
    typed. ``answer`` streams in while
    ``state`` is ``running``. ``failure`` is the sentence of a failed run, ``reason`` why the run ended. ``usage``,
    ``price`` and ``seconds`` are totals over all model calls and tools; ``limits`` are what they may come to, where
    that is known. ``waited`` are the seconds that the run waited for the person, ``read`` those that its models took to
    read their prompts. ``rooms`` are the places where less
    was told from there on, each with the steps before it. ``pictures`` came with the question; ``unseen`` says that the
    model takes none, and was told of them in words. ``compares`` is the run that was asked once more to compare its
    answer with this one's, or "". ``resumed`` counts how often its server stopped and it was taken up again.
    """

    question: str = ""
    started: float = 0.0
    understood: str = ""
    merge_error: str = ""
    model: str = ""
    endpoint: str = ""
    wire: str = ""
    steps: tuple[StepView, ...] = ()
    answer: str = ""
    next_questions: tuple[str, ...] = ()
    state: State = "running"
    failure: str = ""
    reason: str = ""
    reference: str = ""
    usage: Usage = field(default_factory=Usage)
    price: Money | None = None
    seconds: float = 0.0
    limits: Limits | None = None
    waited: float = 0.0
    read: float = 0.0
    rooms: tuple[tuple[int, MadeRoom], ...] = ()
    pictures: tuple[Artifact, ...] = ()
    unseen: bool = False
    compares: str = ""
    resumed: int = 0

    @property
    def replies(self) -> int:
        """How many replies of models there are, those of agents that were called included."""
        calls = (call for step in self.steps for call in step.calls)
        return len(self.steps) + sum(call.inner.replies for call in calls if call.inner)

    @property
    def is_reading(self) -> bool:
        """Whether the model has a prompt, and nothing of its reply has come."""
        ended = not self.steps or self.steps[-1].state in ("done", "failed")
        return self.state == "running" and bool(self.model) and ended and not self.answer

    @property
    def waiting(self) -> CallView | None:
        """The call that waits for the person now."""
        last = self.steps[-1].calls if self.steps and self.state == "running" else ()
        return next((call for call in last if call.waiting), None)
