"""The loop: ask the model, read its reply, call the tools it named, show it what came of them, until it answers.

Everything the loop knows is in the events so far, so it can take up any run at any point: give it the events up to
there.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from threading import Event as Flag
from time import monotonic
from typing import TypeAlias

from agent.context.room import Room
from agent.context.turns import NO_HISTORY, History, next_request
from agent.errors import ModelFailed, ToolsRefused
from agent.events import Answered, Event, Failed, LimitName, Observed, Prepared, Replied, TextDelta, ToolCalled
from agent.inner_runs import ModelUse, model_calls
from agent.interface_text import Text
from agent.loop.agent import Agent
from agent.loop.calls import Caller, Calling, direct_answer, open_calls
from agent.loop.limits import corrected, for_the_model, for_the_user, grace, reached, results_again, said_twice, waited
from agent.loop.runaway import Arriving, Runaway, bounded, most_characters, ran_away
from agent.loop.within.surroundings import Surroundings
from agent.loop.workers import Workers
from agent.models.protocol import LONGEST_SILENCE, Delta, Request, Taught
from agent.models.window import drops_tools
from agent.prompts import render
from agent.settings import Limits
from agent.so_far import SoFar, of_kind, since_prepared
from agent.text.characters import whole
from agent.web.endpoint import is_private
from agent.wire.instructions import without_echoes
from agent.wire.outcomes import Action, Answer, Calls, Malformed, Outcome, Reader
from agent.wire.prompt import pictures_of
from agent.wire.react.reply import ONLY_THOUGHT
from agent.wire.react_stream import ReactStream

Told: TypeAlias = Event | None


@dataclass(frozen=True, slots=True)
class Start:
    """What the loop is given beside the events so far.

    ``first`` are actions to take before the model is asked. ``history`` has the earlier runs that ``Prepared`` names,
    of which those that are ``pinned`` are told as they are. The seconds of the limits count from ``started`` (of
    ``time.monotonic``). ``outer`` is what the run of an agent that was called as a tool is within.
    """

    first: Sequence[Action] = ()
    history: History = field(default_factory=lambda: NO_HISTORY)
    pinned: frozenset[str] = frozenset()
    outer: Surroundings | None = None
    started: float = field(default_factory=monotonic)


def run(agent: Agent, events: Sequence[Event], cancel: Flag, start: Start | None = None) -> Generator[Told]:
    """Go on from ``events``, which have a ``Prepared``, to an ``Answered`` or ``Failed``, yielding each event.

    ``None`` among them says that what comes next may take long: what was yielded before it is to be shown now. Where
    a call waits for the person the loop goes no further than a ``Waiting``: go on from there with a ``Decided``.
    Raises ``ModelFailed`` where the model's server fails, after yielding what it had replied.
    """
    start = start or Start()
    so_far = SoFar(events)
    within = Room(agent.window_tokens, start.pinned)
    ends = start.started + (agent.limits.seconds or float("inf"))
    rules = _Rules(agent, since_prepared(so_far)[0], cancel, start.history, ends)
    with Workers() as workers:
        earlier = [event for events in start.history.values() for event in events]
        earlier += start.outer.earlier if start.outer else ()
        made_by = Caller(agent, rules.ends, start.outer)
        calling = Calling(agent.tools, agent.policy, workers, cancel, so_far, earlier, made_by)
        yield from calling.make(start.first)
        while not open_calls(so_far):  # one that is open waits for the person
            if answer := direct_answer(so_far, agent.tools):
                yield answer
                return
            calls = model_calls(so_far)
            limit, announced = rules.limit(so_far)
            so_far += announced
            yield from announced
            # For the first prompt it was made as the run was prepared, of whose question only the words were counted.
            made = isinstance(so_far[-1], Prepared) and not pictures_of(so_far)
            asked = next_request(so_far, start.history)
            if not made and (room := within.made(so_far, start.history, asked)):
                so_far.append(room)
                yield room
                asked = next_request(so_far, start.history)
            replied, outcome, failure = yield from _ask(rules, so_far, calls, asked)
            if failure and failure.kind == "context" and not replied.text:
                room = within.made(so_far, start.history, asked, failure.most or 0)
                if room:
                    so_far.append(room)
                    yield room
                    asked = next_request(so_far, start.history)
                    replied, outcome, failure = yield from _ask(rules, so_far, calls, asked)
            if failure:
                yield from (replied,) if replied.text or replied.reasoning else ()
                raise failure
            led_to = rules.led_to(so_far, replied, outcome, limit)
            so_far += led_to
            yield from led_to
            if isinstance(led_to[-1], Answered | Failed):
                return
            if isinstance(outcome, Action | Calls):
                yield from calling.make(outcome.actions)
                if cancel.is_set():
                    yield Failed("cancelled", Text("Stopped."))
                    return


@dataclass(frozen=True, slots=True)
class _Rules:
    """What decides how a run that was ``prepared`` goes on; its time is over at ``ends``, of ``time.monotonic``."""

    agent: Agent
    prepared: Prepared
    cancel: Flag
    history: History
    ends: float

    def limit(self, so_far: Sequence[Event]) -> tuple[LimitName | None, tuple[Observed, ...]]:
        """The limit that is reached, if any, and the word to the model about it where it was not told yet."""
        told = next((seen for seen in of_kind(so_far, Observed) if seen.error == "limit"), None)
        if told:
            return told.limit or "asked", ()  # only the answer is left to ask for
        limits, prepared = self.agent.limits, self.prepared
        limit = reached(so_far, limits, monotonic() >= self.ends + waited(so_far))
        if limit is None:
            return None, ()
        said = results_again(so_far) if limit == "repeats" else ""
        said = said or for_the_model(limit, limits, prepared.language, prepared.prompts)
        return limit, (Observed("", said, error="limit", limit=limit),)

    def led_to(
        self, so_far: Sequence[Event], replied: Replied, outcome: Outcome, limit: LimitName | None
    ) -> tuple[Event, ...]:
        """The reply and what follows from it, but for calls: an end, or a word to the model."""
        prepared = self.prepared
        if isinstance(outcome, Answer) and outcome.next_questions:
            told = without_echoes(outcome.next_questions, prepared)
            outcome = replace(outcome, next_questions=told)
        if isinstance(outcome, Answer) or limit or replied.unfinished:
            ending = _end(outcome, replied, limit, self.agent.limits, self.cancel)
            if isinstance(ending, Answered) and (word := self._insists([*so_far, replied, ending])):
                return replace(replied, dropped=ending.text), word
            return replied, ending
        if isinstance(outcome, Malformed):
            own = prepared.wire == "react" or "format" in prepared.prompts
            name = "format" if own else "format_native"
            told = render(prepared.language, name, prepared.prompts, problem=outcome.problem)
            return replied, Observed("", told, error="format")
        return (replied,)

    def _insists(self, events: Sequence[Event]) -> Observed | None:
        """The word to the model that sends its answer back; ``None`` where that stands, or no call is left."""
        if not self.agent.insist or self.cancel.is_set():
            return None
        if reached(events, self.agent.limits, monotonic() >= self.ends + waited(events)):
            return None
        from agent.loop import insist  # who does not insist does not wait for what checks evidence

        return insist.word(self.agent, events, self.history)


def _ask(
    rules: _Rules, so_far: Sequence[Event], calls: Sequence[ModelUse], asked: Request
) -> Generator[TextDelta, None, tuple[Replied, Outcome, ModelFailed | None]]:
    """One model call: stream it through the reader, close it as soon as the reader is done.

    ``calls`` are those before it.
    """
    agent, cancel = rules.agent, rules.cancel
    seen = of_kind(so_far, Observed)
    once_corrected = corrected(seen)
    reader = _reader(rules, seen, once_corrected)
    most = most_characters(agent.limits, sum(call.usage.new for call in calls))
    reply = Arriving(monotonic(), Runaway(most), Runaway(most))
    ends = rules.ends + grace(agent.limits) + waited(so_far)
    unfinished = False
    failure: ModelFailed | None = None
    stream = agent.model.stream(asked)
    try:
        for delta in stream:
            if reply.add(delta):
                break
            yield from reader.feed(delta)
            # Time that the model took to read the prompt has a limit of its own, which holds for a server that only
            # says that it is still there, too; a reply that came whole is kept.
            late = monotonic() > ends + min(reply.first_token, LONGEST_SILENCE)
            unfinished = cancel.is_set() or (late and not reply.finish)
            if unfinished or late or reader.done:
                break
    except ModelFailed as error:
        failure = None if cancel.is_set() else error  # that ends what is read from a server
    finally:
        stream.close()
    unfinished = unfinished or (cancel.is_set() and not reply.finish)
    if reply.written.end is not None:
        reader = _reader(rules, seen, once_corrected)
        reader.feed(Delta("".join(reply.text)[: reply.written.end], "".join(reply.reasoning), finish="length"))
    outcome = reader.close()
    replied = reply.replied(outcome, asked, unfinished or failure is not None)
    if not (failure or unfinished):
        failure = _without_tools(agent, asked, replied, outcome, so_far)
        if not failure and _tells_of_a_call(agent, asked, replied, outcome, so_far):
            outcome = _sent_back(asked, replied, outcome, seen)
        outcome = _thought_twice(replied, outcome, so_far)
        if asked.may_call:
            replied, outcome = bounded(replied, outcome)
    price = agent.prices.of(agent.model.endpoint, agent.model.name, replied.usage)
    return replace(replied, price=price) if price else replied, outcome, failure


def _without_tools(
    agent: Agent, asked: Request, replied: Replied, outcome: Outcome, so_far: Sequence[Event]
) -> ToolsRefused | None:
    """Teach a model that is better asked for calls as text, where the text wire is left to try.

    Its calls come as text; its server drops the tools; or it is a model of the person's own that tells of a call,
    as small ones do, and has made none. A call that came as text is made all the same, but where a model of the
    person's own begins with one: small ones do better on the text wire, and no more is lost than the one reply.
    """
    if not (asked.tools and agent.wire == "auto" and isinstance(agent.model, Taught)):
        return None
    if isinstance(outcome, Calls):
        if outcome.written:
            agent.model.prefer_text()
            if is_private(agent.model.endpoint) and not any(isinstance(event, ToolCalled) for event in so_far):
                return ToolsRefused(Text("The model writes its calls as text."))
    elif drops_tools(asked.messages, asked.tools, replied.usage):
        agent.model.prefer_text()
        return ToolsRefused(Text("The model’s server drops the tools that it is given."))
    elif _tells_of_a_call(agent, asked, replied, outcome, so_far):
        agent.model.prefer_text()
        return ToolsRefused(Text("The model tells of calls of tools and makes none."))
    return None


def _tells_of_a_call(agent: Agent, asked: Request, replied: Replied, outcome: Outcome, so_far: Sequence[Event]) -> bool:
    """Whether a model of the person's own answers by telling of a call, and has made none.

    At a limit, what came is the answer. On the text wire, a call has to stand between the words, in no quote. So it
    does in explanations, too, which a second reply would shorten: models of others seldom tell of calls, and are not
    asked again.
    """
    if not (asked.may_call and isinstance(outcome, Answer) and is_private(agent.model.endpoint)):
        return False
    if of_kind(so_far, ToolCalled):
        return False
    from agent.wire.dialects.told_calls import describes_call, shows_call  # no other model waits for it

    if asked.tools:
        return describes_call(replied.text, {tool.name: tool.parameters for tool in asked.tools})
    return outcome.reason == "plain" and shows_call(outcome.text, agent.tools.names)


def _sent_back(asked: Request, replied: Replied, outcome: Outcome, observed: Sequence[Observed]) -> Outcome:
    """What becomes of a reply that only tells of a call: it is sent back once; told again, it is made, or an answer."""
    from agent.wire.dialects.told_calls import ONLY_TOLD, ends_in_call

    if not corrected(observed):
        return Malformed(problem=ONLY_TOLD, thought=outcome.thought)
    problems = [event.text for event in observed if event.error == "format"]
    if not (asked.tools and problems and ONLY_TOLD in problems[-1]):
        return outcome
    seen = [message.content for message in asked.messages if message.role != "assistant"]
    return ends_in_call(replied.text, {tool.name: tool.parameters for tool in asked.tools}, seen) or outcome


def _thought_twice(replied: Replied, outcome: Outcome, so_far: Sequence[Event]) -> Outcome:
    """A thought alone is the answer of a model that writes it again, word for word, when it is asked for an answer.

    So is none that was cut off, nor what a model says to itself beside what it writes.
    """
    if not (isinstance(outcome, Malformed) and outcome.problem == ONLY_THOUGHT and said_twice([*so_far, replied])):
        return outcome
    thought = outcome.thought.strip()
    if not thought or thought not in replied.text or "<think" in replied.text or replied.notes:
        return outcome
    return Answer(text=thought, cut=outcome.cut, repairs=outcome.repairs, reason="plain")


def _reader(rules: _Rules, seen: Sequence[Observed], once_corrected: bool) -> Reader:
    """The reader of the run's wire. On the text wire a mere wish to call a tool is sent back to the model once."""
    texts = [event.text for event in seen if not event.error]
    if rules.prepared.wire == "native":
        from agent.wire.native import NativeReader  # the text wire does not wait for it

        return NativeReader(rules.prepared.tools, texts)
    return ReactStream(rules.agent.tools.tools, texts, intentions=not once_corrected)


def _end(
    reading: Outcome, replied: Replied, limit: LimitName | None, limits: Limits, cancel: Flag
) -> Answered | Failed:
    """How a run ends with this reply: as an answer, broken off, or without an answer at a limit."""
    said = whole(reading.text if isinstance(reading, Answer) else reading.dropped)
    if replied.unfinished and cancel.is_set():
        return Failed("cancelled", Text("Stopped."), partial=said)
    if isinstance(reading, Answer) and not replied.unfinished:
        cut = "length" if replied.finish == "length" or ran_away(replied.notes) else reading.reason
        return Answered(said, tuple(map(whole, reading.next_questions)), "limit" if limit else cut)
    return Failed("limit", for_the_user(limit or "seconds", limits), partial=said)
