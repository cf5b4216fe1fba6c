"""Events → the next request, for both wires: a pure function of the events so far and of the turns told before them.

The messages of a run only ever grow, but where room was made: those of one call are a prefix of those of the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import is_
from typing import TypeGuard

from agent.events import Answered, Asked, Event, MadeRoom, Observed, Prepared, Replied, ToolCalled, WireName
from agent.messages import Artifact, Message, ToolRequest
from agent.models.protocol import Request
from agent.prompts.labels import LABELS
from agent.so_far import of_kind, since_prepared
from agent.toolkit.tool_names import native_name
from agent.wire.observation import fence, shortened
from agent.wire.opening_thought import without_thought

_EMPTY_REPLY = "(empty reply)"


def request(events: Sequence[Event], before: Sequence[Message] = (), steps: Steps | None = None) -> Request:
    """The model call that comes next; ``before`` are the messages of earlier turns.

    After the loop has announced a limit the model must answer: it may not call tools. ``steps`` are those that were
    told in the call before.
    """
    prepared, since = since_prepared(events)
    may_call = not any(seen.error == "limit" for seen in of_kind(since, Observed))
    stop = () if prepared.wire == "native" else (f"\n{LABELS[prepared.language].observation}:",)
    opening = _joined([Message("system", prepared.system), *before])
    return Request(
        _messages(prepared, since, opening, pictures_of(events), steps or Steps()),
        prepared.tools,
        may_call,
        stop,
        prepared.parameters,
        language=prepared.language,
        facts=prepared.facts,
        question=prepared.question,
        prompt_cache_key=prepared.prompt_cache_key,
        since=len(opening) - (opening[-1].role == "user"),
    )


def messages(events: Sequence[Event], before: Sequence[Message] = ()) -> tuple[Message, ...]:
    """System, earlier turns, question, then what was replied and observed, as the wire of the run writes it."""
    return request(events, before).messages


def _messages(
    prepared: Prepared, since: Sequence[Event], opening: Sequence[Message], images: tuple[Artifact, ...], steps: Steps
) -> tuple[Message, ...]:
    room = last_room(since)
    masked, reminder = room.masked if room else 0, prepared.after_results
    manner = Manner(prepared.wire, prepared.language, prepared.before + 1, masked, reminder=reminder)
    asked = Message("user", asked_with(prepared.news, prepared.question, prepared.lead), images=images)
    return tuple(_joined([asked, *steps.told(since, manner)], opening))


def last_room(since: Sequence[Event]) -> MadeRoom | None:
    """The latest room that was made among the events ``since`` a run was prepared."""
    if MadeRoom not in map(type, since):  # as most runs have none
        return None
    return next(event for event in reversed(since) if isinstance(event, MadeRoom))


def pictures_of(events: Sequence[Event]) -> tuple[Artifact, ...]:
    """The pictures that were attached to the question of a run."""
    return next((event.artifacts for event in events if isinstance(event, Asked)), ())


def asked_with(news: str, question: str, lead: str = "") -> str:
    """A question as it is told, behind what has changed since the turns before, and what leads to it."""
    asked = f"{lead} {question}" if lead else question
    return f"{news}\n\n{asked}" if news else asked


@dataclass(frozen=True, slots=True)
class Manner:
    """How the steps of a turn are told: on which ``wire``, in which ``language``.

    Its first ``masked`` long observations (all where it is -1) are shortened; ``number`` is that of the turn, from 1,
    by which a shortened one can be asked for. ``same`` says that it was the same model of the same server: then what it
    sent unread goes back to it, which only native calls have room for. ``foreign`` says that its replies were written
    for the other wire and are to be told as this one writes them, without labels or with its own. The ``reminder``
    stands behind each result.
    """

    wire: WireName
    language: str
    number: int
    masked: int = 0
    same: bool = True
    foreign: bool = False
    reminder: str = ""


@dataclass(slots=True)
class _Step:
    """A finished reply with its calls and observations, and the ``answer`` that it was read as, if it was one."""

    replied: Replied
    answer: str = ""
    calls: list[ToolCalled] = field(default_factory=list[ToolCalled])
    seen: list[Observed] = field(default_factory=list[Observed])

    @property
    def said(self) -> str:
        """The answer without labels, one that was then to be checked included; "" where it was read as none."""
        return self.answer or self.replied.dropped


def steps_messages(events: Iterable[Event], manner: Manner) -> list[Message]:
    """The steps of a turn. What was broken off is not told, nor are calls that came to nothing."""
    write = _native_step if manner.wire == "native" else _react_step
    return [message for step in _told(_steps(events), manner) for message in write(step, manner)]


class Steps:
    """The steps of a run as messages, kept from one call to the next: they only grow, so each is written once.

    Where the events are not those of before and more steps, or are told in another manner, all are written anew.
    """

    def __init__(self) -> None:
        self._events: Sequence[Event] = ()
        self._manner: Manner | None = None
        self._told: list[Message] = []

    def told(self, events: Sequence[Event], manner: Manner) -> Sequence[Message]:
        """As ``steps_messages``."""
        known = len(self._events)
        same = manner == self._manner and len(events) >= known and all(map(is_, self._events, events))
        ended = len(events) == known or (same and _begins_step(events[known]))
        if not (same and ended) or manner.masked:
            self._told, known = [], 0
        self._told += steps_messages(events[known:], manner)
        self._events, self._manner = events, manner
        return self._told


def results_told(events: Sequence[Event], manner: Manner) -> dict[str, tuple[str, bool]]:
    """Of each call of the steps of a turn, by its id, its handle and whether what came of it is told whole."""
    whole = [seen.text for step in _steps(events) for seen in step.seen if seen.call_id]
    told = [seen for step in _told(_steps(events), manner) for seen in step.seen if seen.call_id]
    return {
        seen.call_id: (f"{manner.number}.{place}", seen.text == text)
        for place, (seen, text) in enumerate(zip(told, whole, strict=True), 1)
    }


def _steps(events: Iterable[Event]) -> Iterator[_Step]:
    step: _Step | None = None
    for event in events:
        if _begins_step(event):
            if step:
                yield step
            step = _Step(event)
        elif isinstance(event, ToolCalled) and step:
            step.calls.append(event)
        elif isinstance(event, Observed) and step:
            step.seen.append(event)
        elif isinstance(event, Answered) and step and not step.calls:
            step.answer = event.text
    if step:
        yield step


def _begins_step(event: Event) -> TypeGuard[Replied]:
    return isinstance(event, Replied) and not event.unfinished


def _told(steps: Iterable[_Step], manner: Manner) -> Iterator[_Step]:
    """The steps with the observations that are to be shortened; each call has a number in its turn, from 1."""
    number = masked = 0
    for step in steps:
        for place, seen in enumerate(step.seen):
            if not seen.call_id:
                continue
            number += 1
            if manner.masked < 0 or masked < manner.masked:
                text = shortened(seen.text, f"{manner.number}.{number}", manner.language)
                masked += text != seen.text
                step.seen[place] = replace(seen, text=text)
        yield step


def _react_step(step: _Step, manner: Manner) -> list[Message]:
    """One call after the other, as the text wire has them; only the first has the thought before it."""
    labels = LABELS[manner.language]
    seen_of = {seen.call_id: seen for seen in step.seen if seen.call_id}
    thought = f"{labels.thought}: {step.replied.thought}\n" if step.replied.thought else ""
    told: list[Message] = []
    for call in step.calls:
        if seen := seen_of.get(call.call_id):
            said = f"{thought}{labels.action}: {call.tool}\n{labels.action_input}: {call.input}"
            reminds = manner.reminder and not seen.error and call is step.calls[-1]
            reminder = f"\n{manner.reminder}" if reminds else ""
            observed = f"{labels.observation}: {fence(seen.text)}{reminder}"
            told += [Message("assistant", said), Message("user", observed)]
            thought = ""
    if not step.calls:
        answer = f"{labels.final_answer}: {step.said}" if manner.foreign and step.said else step.replied.text.strip()
        told.append(Message("assistant", answer or _EMPTY_REPLY))
    return told + [Message("user", seen.text) for seen in step.seen if not seen.call_id]


def _native_step(step: _Step, manner: Manner) -> list[Message]:
    replied = step.replied
    seen_of = {seen.call_id for seen in step.seen}
    requests = tuple(
        ToolRequest(call.call_id, native_name(call.tool), call.input, call.opaque if manner.same else "")
        for call in step.calls
        if call.call_id in seen_of
    )
    text = replied.text if manner.same else without_thought(replied.text)
    if manner.foreign:
        text = replied.thought if step.calls else step.said or text
    said = text if step.calls else text or _EMPTY_REPLY
    opaque = replied.opaque if manner.same else ""
    return [
        *([Message("assistant", said, requests, opaque=opaque)] if said or requests else []),
        *(
            Message("tool", fence(seen.text), call_id=seen.call_id) if seen.call_id else Message("user", seen.text)
            for seen in step.seen
        ),
    ]


def _joined(messages: Iterable[Message], before: Sequence[Message] = ()) -> list[Message]:
    """Neighbours of one role as one message: some chat templates insist on taking turns.

    Those ``before`` them are joined already.
    """
    told = list(before)
    for message in messages:
        last = told[-1] if told else None
        alone = message.requests or message.opaque or (last and (last.requests or last.opaque))
        if last and last.role == message.role and message.role != "tool" and not alone:
            told[-1] = replace(
                last, content=f"{last.content}\n\n{message.content}", images=last.images + message.images
            )
        else:
            told.append(message)
    return told
