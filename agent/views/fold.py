"""Events → what a reader sees: frozen values, the same for a run as it happens and for one read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import JsonValue

from agent.events import (
    Answered,
    Asked,
    Decided,
    Event,
    Failed,
    Inner,
    MadeRoom,
    Merged,
    Observed,
    Prepared,
    Replied,
    Resumed,
    TextDelta,
    ToolCalled,
    Waiting,
)
from agent.inner_runs import innermost
from agent.interface_text import Text
from agent.views.values import CallView, RunView, StepState, StepView

_STOPPED = Text("Stopped.")


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
            compares = event.parent if event.compares else ""
            return replace(
                view, question=event.question, started=event.time, pictures=event.artifacts, compares=compares
            )
        case Merged():
            understood = event.question if event.question != view.question else ""
            return replace(_spent(view, event), understood=understood, merge_error=event.error)
        case Prepared():
            return replace(view, steps=(), rooms=(), **_copied(event, "model", "endpoint", "wire", "limits"))
        case MadeRoom():
            return replace(view, rooms=(*view.rooms, (len(view.steps), event)))
        case Replied():
            return _replied(view, event)
        case ToolCalled() | Waiting() | Decided() | Observed() | Inner():
            return _called(view, event)
        case Resumed():
            return _resumed(view, event)
        case Answered() | Failed():
            return _ended(view, event)


def _ended(view: RunView, event: Answered | Failed) -> RunView:
    match event:
        case Answered():
            ended = _copied(event, "next_questions", "reason")
            return replace(view, steps=_settled(view), state="answered", answer=event.text, **ended)
        case Failed():
            ended = _copied(event, "reason", "reference") | {"answer": event.partial, "failure": event.message}
            steps = _settled(view)
            if event.reason == "cancelled" and steps and steps[-1].unfinished:
                steps = (*steps[:-1], replace(steps[-1], stopped=True))
            return replace(view, steps=steps, state="failed", **ended)


def _copied(event: Event, *names: str) -> dict[str, Any]:
    """The fields of an event that a view has by the same name."""
    return {name: getattr(event, name) for name in names}


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
    same = _copied(event, "thought", "cut", "dropped", "repairs", "notes", "seconds", "unfinished", "edited")
    step = replace(opened.steps[-1], state="done", reply=event.text, **same)
    unseen = view.unseen or bool(view.pictures and "images" in event.left_out)
    return replace(
        _spent(_with_last(opened, step), event), answer="", read=view.read + event.first_token, unseen=unseen
    )


def _spent(view: RunView, event: Merged | Replied | Resumed) -> RunView:
    """The view with what one model call used; the price is a sum of those that are known."""
    price = event.price or view.price
    if view.price and event.price:
        price = replace(view.price, amount=view.price.amount + event.price.amount)
    return replace(view, usage=view.usage + event.usage, seconds=view.seconds + event.seconds, price=price)


def _resumed(view: RunView, event: Resumed) -> RunView:
    """What had come of a reply in flight is not kept, nor what agents at work had come to; what was used is."""
    spent = replace(_spent(view, event), answer="", resumed=view.resumed + 1)
    last = view.steps[-1] if view.steps else None
    if last and last.state == "thinking":
        return replace(spent, steps=view.steps[:-1])
    return spent


def _only_text(arguments: Mapping[str, JsonValue]) -> str:
    texts = [value for value in arguments.values() if isinstance(value, str) and value]
    return texts[0] if len(texts) == 1 else ""


def _called(view: RunView, event: ToolCalled | Waiting | Decided | Observed | Inner) -> RunView:
    match event:
        case ToolCalled():
            argument = _only_text(event.arguments or {}) or event.input
            call = CallView(
                event.call_id,
                event.tool,
                event.input,
                argument,
                event.repairs,
                own=event.own,
                arguments=event.arguments,
            )
            last = view.steps[-1]
            return _with_last(view, replace(last, state="calling", calls=(*last.calls, call)))
        case Waiting():
            return _with_call(view, event.call_id, "waiting", lambda call: replace(call, asked=event, decided=None))
        case Decided():
            decided = _with_call(view, event.call_id, "calling", lambda call: _decided(call, event))
            return replace(decided, waited=view.waited + event.seconds)
        case Inner():
            return _within(view, event)
        case Observed():
            return _observed(view, event)


def _within(view: RunView, event: Inner) -> RunView:
    """The view with one more event of the run of an agent that was called; what it used is this run's, too.

    Its seconds are those of the call.
    """
    told = _with_call(
        view, event.call_id, "calling", lambda call: replace(call, inner=apply(call.inner or RunView(), event.event))
    )
    spent = innermost(event)
    if not isinstance(spent, Replied):
        return told
    return replace(_spent(told, spent), seconds=view.seconds, read=view.read + spent.first_token)


def _decided(call: CallView, event: Decided) -> CallView:
    if event.arguments is None:
        return replace(call, decided=event)
    argument = _only_text(event.arguments) or call.argument
    return replace(call, decided=event, argument=argument, arguments=event.arguments)


def _observed(view: RunView, event: Observed) -> RunView:
    last = view.steps[-1] if view.steps else StepView(1)
    if not event.call_id:
        told = (*last.told, (event.error, event.text))
        state = "failed" if event.error == "format" else last.state
        to_check, limit = event.claims or last.to_check, event.limit or last.limit
        return _with_last(view, replace(last, told=told, to_check=to_check, limit=limit, state=state))
    seen = _copied(event, "error", "sources", "artifacts", "seconds", "cached", "edited") | {"observation": event.text}
    calls = tuple(_with(call, event, seen) if call.call_id == event.call_id else call for call in last.calls)
    state: StepState = "calling"
    if all(call.observation is not None for call in calls):
        state = "failed" if all(call.error for call in calls) else "done"
    step = replace(last, calls=calls, state=state, seconds=last.seconds + event.seconds)
    return replace(_with_last(view, step), seconds=view.seconds + event.seconds)


def _with(call: CallView, event: Observed, seen: Mapping[str, Any]) -> CallView:
    return replace(call, **seen, repairs=(*call.repairs, *event.repairs), inner=_left(call.inner))


def _left(inner: RunView | None) -> RunView | None:
    """The run of an agent once nothing more is told of it; one that had not ended was stopped."""
    if inner is None or inner.state != "running":
        return inner
    return replace(inner, steps=_settled(inner), state="failed", reason="cancelled", failure=_STOPPED)


def _with_call(view: RunView, call_id: str, state: StepState, change: Callable[[CallView], CallView]) -> RunView:
    last = view.steps[-1] if view.steps else StepView(1)
    calls = tuple(change(call) if call.call_id == call_id else call for call in last.calls)
    return _with_last(view, replace(last, state=state, calls=calls))


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
