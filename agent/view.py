"""Events → what a reader sees: frozen values, the same for a run as it happens and for one read back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from agent.events import (
    Answered,
    Artifact,
    Asked,
    Event,
    Failed,
    Merged,
    Observed,
    Prepared,
    Replied,
    Source,
    TextDelta,
    ToolCalled,
)
from agent.messages import Limits, Money, Usage

State: TypeAlias = Literal["running", "answered", "failed"]
StepState: TypeAlias = Literal["thinking", "calling", "done", "failed"]


@dataclass(frozen=True, slots=True)
class CallView:
    """One call of a step.

    ``argument`` is the one thing it is about: the only text among the arguments, else the input as the model wrote
    it. ``observation`` is ``None`` until there is one; ``error`` is a kind or "". ``own`` as in ``ToolCalled``.
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

    @property
    def own_name(self) -> str:
        return self.own or self.tool


@dataclass(frozen=True, slots=True)
class StepView:
    """One model call and what came of it.

    ``told`` is what the loop had to say to the model, with its kind. ``to_check`` counts the claims of an answer that
    the model was asked to check; the answer itself is then ``dropped``.
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
    edited: bool = False
    to_check: int = 0


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as a reader sees it.

    ``started`` is in seconds since the epoch. ``understood`` is the standalone question where it differs from the one
    typed. ``answer`` streams in while
    ``state`` is ``running``. ``failure`` is the sentence of a failed run, ``reason`` why the run ended. ``usage``,
    ``price`` and ``seconds`` are totals over all model calls and tools; ``limits`` are what they may come to, where
    that is known.
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


def fold(events: Iterable[Event], view: RunView | None = None) -> RunView:
    """``apply`` each event in turn, starting from ``view`` or from nothing."""
    folded = view or RunView()
    for event in events:
        folded = apply(folded, event)
    return folded


def apply(view: RunView, event: Event) -> RunView:
    """The view after one more event."""
    match event:
        case TextDelta():
            return _streamed(view, event)
        case Asked():
            return replace(view, question=event.question, started=event.time)
        case Merged():
            understood = event.question if event.question != view.question else ""
            return replace(_spent(view, event), understood=understood, merge_error=event.error)
        case Prepared():
            return replace(
                view, model=event.model, endpoint=event.endpoint, wire=event.wire, limits=event.limits, steps=()
            )
        case Replied():
            return _replied(view, event)
        case ToolCalled():
            about = _argument(event)
            call = CallView(event.call_id, event.tool, event.input, about, event.repairs, own=event.own)
            last = view.steps[-1]
            return _with_last(view, replace(last, state="calling", calls=(*last.calls, call)))
        case Observed():
            return _observed(view, event)
        case Answered():
            return replace(
                view,
                steps=_settled(view),
                state="answered",
                answer=event.text,
                next_questions=event.next_questions,
                reason=event.reason,
            )
        case Failed():
            return replace(
                view,
                steps=_settled(view),
                state="failed",
                answer=event.partial,
                failure=event.message,
                reason=event.reason,
                reference=event.reference,
            )


def _streamed(view: RunView, event: TextDelta) -> RunView:
    opened = view if view.steps and view.steps[-1].state == "thinking" else _open(view)
    if event.channel == "answer":
        return replace(opened, answer=opened.answer + event.text)
    last = opened.steps[-1]
    return _with_last(opened, replace(last, thought=last.thought + event.text))


def _open(view: RunView) -> RunView:
    return replace(view, steps=(*_settled(view), StepView(len(view.steps) + 1)), answer="")


def _replied(view: RunView, event: Replied) -> RunView:
    """What streamed was provisional; the reply says what it was."""
    opened = view if view.steps and view.steps[-1].state == "thinking" else _open(view)
    step = replace(
        opened.steps[-1],
        state="done",
        thought=event.thought,
        reply=event.text,
        cut=event.cut,
        dropped=event.dropped,
        repairs=event.repairs,
        notes=event.notes,
        seconds=event.seconds,
        unfinished=event.unfinished,
        edited=event.edited,
    )
    return replace(_spent(_with_last(opened, step), event), answer="")


def _spent(view: RunView, event: Merged | Replied) -> RunView:
    """The view with what one model call used; the price is a sum of those that are known."""
    price = event.price if view.price is None or event.price is None else _sum(view.price, event.price)
    usage, seconds = view.usage + event.usage, view.seconds + event.seconds
    return replace(view, usage=usage, seconds=seconds, price=price or view.price)


def _sum(one: Money, other: Money) -> Money:
    return replace(one, amount=one.amount + other.amount)


def _argument(event: ToolCalled) -> str:
    texts = [value for value in (event.arguments or {}).values() if isinstance(value, str)]
    return texts[0] if len(texts) == 1 else event.input


def _observed(view: RunView, event: Observed) -> RunView:
    last = view.steps[-1] if view.steps else StepView(1)
    if not event.call_id:
        told = (*last.told, (event.error, event.text))
        state = "failed" if event.error == "format" else last.state
        to_check = event.text.count("\n- ") if event.error == "insist" else last.to_check
        return _with_last(view, replace(last, told=told, to_check=to_check, state=state))
    calls = tuple(_answered(call, event) if call.call_id == event.call_id else call for call in last.calls)
    state: StepState = "calling"
    if all(call.observation is not None for call in calls):
        state = "failed" if all(call.error for call in calls) else "done"
    seen = replace(last, calls=calls, state=state, seconds=last.seconds + event.seconds)
    return replace(_with_last(view, seen), seconds=view.seconds + event.seconds)


def _answered(call: CallView, event: Observed) -> CallView:
    return replace(
        call,
        observation=event.text,
        error=event.error,
        sources=event.sources,
        artifacts=event.artifacts,
        seconds=event.seconds,
        cached=event.cached,
        edited=event.edited,
    )


def _with_last(view: RunView, step: StepView) -> RunView:
    return replace(view, steps=(*view.steps[:-1], step))


def _settled(view: RunView) -> tuple[StepView, ...]:
    """The steps once nothing more happens in the last one."""
    if not view.steps or view.steps[-1].state in ("done", "failed"):
        return view.steps
    last = view.steps[-1]
    if last.state == "thinking" and not (last.reply or last.calls):
        return (*view.steps[:-1], replace(last, state="failed", unfinished=True))
    return (*view.steps[:-1], replace(last, state="failed"))
