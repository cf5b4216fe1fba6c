"""The loop: ask the model, read its reply, call the tools it named, show it what came of them, until it answers.

Everything the loop knows is in the events so far, so it can take up any run at any point: give it the events up to
there.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from threading import Event as Flag
from time import monotonic

from agent.errors import ModelFailed
from agent.events import Answered, Event, Failed, LimitName, Observed, Prepared, Replied, TextDelta
from agent.interface_text import Text
from agent.loop.approval import NO_POLICY, Policy
from agent.loop.calls import call_all, direct_answer, open_calls
from agent.loop.limits import for_the_model, for_the_user, grace, reached
from agent.loop.workers import Workers
from agent.messages import Usage, estimate_tokens
from agent.models.prices import Prices
from agent.models.protocol import Delta, Model, Request
from agent.prompts import render
from agent.settings import Limits
from agent.toolkit.base import Toolbox
from agent.wire.native import NativeReader
from agent.wire.outcomes import Action, Answer, Malformed, Outcome, Reader, Reading
from agent.wire.prompt import request
from agent.wire.react.reader import ReactStream

NO_PRICES = Prices(())
_CUT_BY_THE_SERVER = Text("The server ended this reply at its length limit, so it may be incomplete.")


def run(
    so_far: Sequence[Event],
    model: Model,
    tools: Toolbox,
    limits: Limits,
    cancel: Flag,
    prices: Prices = NO_PRICES,
    first: Sequence[Action] = (),
    started: float | None = None,
    policy: Policy = NO_POLICY,
) -> Iterator[Event]:
    """Go on from ``so_far``, which has a ``Prepared``, to an ``Answered`` or ``Failed``, yielding each event.

    Where a call waits for the person it goes no further than a ``Waiting``: go on from there with a ``Decided``. Which
    calls do says ``policy``. ``prices`` say what a reply has cost, ``first`` are actions to take before the model is
    asked. The seconds of the limits count from ``started`` (of ``time.monotonic``), or from now. Raises ``ModelFailed``
    where the model's server fails, after yielding what it had replied.
    """
    events = list(so_far)
    ends = (monotonic() if started is None else started) + (limits.seconds or float("inf"))
    with Workers() as workers:
        story = chain(
            call_all(first, tools, events, workers, cancel, policy),
            _turns(events, model, tools, limits, workers, cancel, prices, ends, policy),
        )
        for event in story:
            if not isinstance(event, TextDelta):
                events.append(event)
            yield event


def _turns(
    events: Sequence[Event],
    model: Model,
    tools: Toolbox,
    limits: Limits,
    workers: Workers,
    cancel: Flag,
    prices: Prices,
    ends: float,
    policy: Policy,
) -> Iterator[Event]:
    """The turns of the loop; ``events`` grows by each yielded event before the next line runs."""
    prepared = next(event for event in reversed(events) if isinstance(event, Prepared))
    language = prepared.language
    # Where the limit is among the events already, only the answer is left to ask for.
    told = next((event for event in events if isinstance(event, Observed) and event.error == "limit"), None)
    limit: LimitName | None = (told.limit or "asked") if told else None
    while not open_calls(events):  # one that is open waits for the person
        if answer := direct_answer(events, tools):
            yield answer
            return
        if not limit and (limit := reached(events, limits, monotonic() >= ends)):
            said = for_the_model(limit, limits, language, prepared.prompts)
            yield Observed("", said, error="limit", limit=limit)
        reader = NativeReader(tools.names) if prepared.wire == "native" else ReactStream(tools.names)
        replied, reading, failure = yield from _ask(request(events), model, reader, cancel, ends + grace(limits))
        replied = replace(replied, price=prices.of(model.endpoint, model.name, replied.usage))
        if replied.text or replied.reasoning or not failure:
            yield replied
        if failure:
            raise failure
        if isinstance(reading, Answer) or limit or replied.unfinished:
            yield _end(reading, replied, limit, limits, cancel)
            return
        if isinstance(reading, Malformed):
            yield Observed("", render(language, "format", prepared.prompts, problem=reading.problem), error="format")
            continue
        yield from call_all(reading.actions, tools, events, workers, cancel, policy)
        if cancel.is_set():
            yield Failed("cancelled", Text("Stopped."))
            return


def _ask(
    request: Request, model: Model, reader: Reader, cancel: Flag, ends: float
) -> Generator[TextDelta, None, tuple[Replied, Outcome, ModelFailed | None]]:
    """One model call: stream it through the reader, close it as soon as the reader is done."""
    started = monotonic()
    reply = _Reply(started)
    unfinished = False
    failure: ModelFailed | None = None
    stream = model.stream(request)
    try:
        for delta in stream:
            reply.add(delta)
            yield from reader.feed(delta)
            unfinished = cancel.is_set() or monotonic() > ends
            if unfinished or reader.done:
                break
    except ModelFailed as error:
        failure = error
    finally:
        stream.close()
    reading = reader.close()
    return reply.replied(reading, request, unfinished or failure is not None), reading, failure


@dataclass(slots=True)
class _Reply:
    """What has arrived of a reply so far."""

    started: float
    first: float = 0.0
    text: list[str] = field(default_factory=list[str])
    reasoning: list[str] = field(default_factory=list[str])
    arguments: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    usage: Usage | None = None
    finish: str = ""
    left_out: tuple[str, ...] = ()

    def add(self, delta: Delta) -> None:
        if delta.text:
            self.text.append(delta.text)
        if delta.reasoning:
            self.reasoning.append(delta.reasoning)
        if delta.calls:
            self.arguments.extend(call.arguments for call in delta.calls)
        if not self.first and (delta.text or delta.reasoning or delta.calls):
            self.first = monotonic()
        if delta.note:
            self.notes.append(delta.note)
        self.usage = delta.usage or self.usage
        self.finish = delta.finish or self.finish
        self.left_out = delta.left_out or self.left_out

    def replied(self, reading: Reading, request: Request, unfinished: bool) -> Replied:
        text, reasoning = "".join(self.text), "".join(self.reasoning)
        cut = len(text) if reading.cut is None else reading.cut
        now = monotonic()
        return Replied(
            text=text[:cut],
            thought=reading.thought,
            usage=self.usage or _estimated(request, text + reasoning + "".join(self.arguments)),
            seconds=now - self.started,
            first_token=(self.first or now) - self.started,
            reasoning=reasoning,
            cut=text[cut:],
            dropped=reading.dropped,
            repairs=reading.repairs,
            notes=(*self.notes, _CUT_BY_THE_SERVER) if self.finish == "length" else tuple(self.notes),
            finish=self.finish,
            unfinished=unfinished,
            left_out=self.left_out,
        )


def _estimated(request: Request, reply: str) -> Usage:
    sent = sum(estimate_tokens(message.content) for message in request.messages)
    return Usage(input=sent, output=estimate_tokens(reply), estimated=True)


def _end(
    reading: Outcome, replied: Replied, limit: LimitName | None, limits: Limits, cancel: Flag
) -> Answered | Failed:
    """How a run ends with this reply: as an answer, broken off, or without an answer at a limit."""
    said = reading.text if isinstance(reading, Answer) else reading.dropped
    if replied.unfinished and cancel.is_set():
        return Failed("cancelled", Text("Stopped."), partial=said)
    if isinstance(reading, Answer) and not replied.unfinished:
        cut = "length" if replied.finish == "length" else reading.reason
        return Answered(reading.text, reading.next_questions, "limit" if limit else cut)
    return Failed("limit", for_the_user(limit or "seconds", limits), partial=said)
