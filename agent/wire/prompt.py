"""Events → the next request, for both wires: a pure function of the events so far.

The messages of a run only ever grow: those of one call are a prefix of those of the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agent.data.databases import database_cards
from agent.data.tables.card_texts import HEADING, cards_text
from agent.events import Event, Observed, Prepared, Replied, StyleName, ToolCalled
from agent.messages import Message, ToolRequest
from agent.models.protocol import Request
from agent.prompts import NOTHING_OWN, render
from agent.prompts.labels import LABELS
from agent.toolkit.base import Toolbox
from agent.wire.observation import fence

_EMPTY_REPLY = "(empty reply)"


def system_prompt(
    tools: Toolbox,
    wire: str,
    language: str,
    today: str,
    cards: Sequence[Mapping[str, Any]] = (),
    databases: Sequence[Mapping[str, Any]] = (),
    style: StyleName = "react",
    own: Mapping[str, str] = NOTHING_OWN,
) -> str:
    """The instructions of a run; ``today`` is an ISO date, ``cards`` are of the loaded tables and the ``databases``.

    ``style`` is that of the text wire; ``own`` templates as in ``render``.
    """
    if wire == "native":
        written = render(language, "native", own, today=today)
    else:
        listed, names = tools.usage(language), ", ".join(tools.names)
        written = render(language, style, own, today=today, tools=listed, names=names)
    if databases:
        known = f"{database_cards.HEADING}\n\n{database_cards.cards_text(databases)}"
        written = f"{written}\n\n{render(language, 'databases', own)}\n\n{known}"
    if not cards:
        return written
    return f"{written}\n\n{render(language, 'tables', own)}\n\n{HEADING}\n\n{cards_text(cards)}"


def request(events: Sequence[Event]) -> Request:
    """The model call that comes next.

    After the loop has announced a limit the model must answer: it may not call tools.
    """
    prepared, since = _since_prepared(events)
    may_call = not any(isinstance(event, Observed) and event.error == "limit" for event in since)
    stop = () if prepared.wire == "native" else (f"\n{LABELS[prepared.language].observation}:",)
    return Request(
        _messages(prepared, since),
        prepared.tools,
        may_call,
        stop,
        prepared.parameters,
        language=prepared.language,
        facts=prepared.facts,
    )


def messages(events: Sequence[Event]) -> tuple[Message, ...]:
    """System, question, then what was replied and observed, as the wire of the run writes it."""
    return _messages(*_since_prepared(events))


def _messages(prepared: Prepared, since: Sequence[Event]) -> tuple[Message, ...]:
    opening = [Message("system", prepared.system), Message("user", prepared.question)]
    write = _native_step if prepared.wire == "native" else _react_step
    following = [message for step in _steps(since) for message in write(step, prepared.language)]
    return tuple(_joined(opening + following))


def _since_prepared(events: Sequence[Event]) -> tuple[Prepared, Sequence[Event]]:
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if isinstance(event, Prepared):
            return event, events[index + 1 :]
    raise ValueError("no Prepared event: nothing to compute a prompt from")


Step = tuple[Replied, list[ToolCalled], list[Observed]]


def _steps(events: Sequence[Event]) -> Iterator[Step]:
    """Each finished reply with its calls and observations; what was broken off is not told to the model again."""
    step: Step | None = None
    for event in events:
        if isinstance(event, Replied) and not event.unfinished:
            if step:
                yield step
            step = (event, [], [])
        elif isinstance(event, ToolCalled) and step:
            step[1].append(event)
        elif isinstance(event, Observed) and step:
            step[2].append(event)
    if step:
        yield step


def _react_step(step: Step, language: str) -> list[Message]:
    replied, calls, observations = step
    labels = LABELS[language]
    thought = f"{labels.thought}: {replied.thought}\n" if replied.thought else ""
    if calls:
        call = calls[0]
        said = f"{thought}{labels.action}: {call.tool}\n{labels.action_input}: {call.input}"
    else:
        said = replied.text.strip() or _EMPTY_REPLY
    return [
        Message("assistant", said),
        *(
            Message("user", f"{labels.observation}: {fence(seen.text)}" if seen.call_id else seen.text)
            for seen in observations
        ),
    ]


def _native_step(step: Step, language: str) -> list[Message]:
    replied, calls, observations = step
    requests = tuple(ToolRequest(call.call_id, call.tool, call.input) for call in calls)
    said = replied.text if requests else replied.text or _EMPTY_REPLY
    return [
        Message("assistant", said, requests),
        *(
            Message("tool", fence(seen.text), call_id=seen.call_id) if seen.call_id else Message("user", seen.text)
            for seen in observations
        ),
    ]


def _joined(messages: list[Message]) -> Iterator[Message]:
    """Neighbouring user messages as one: some chat templates insist on taking turns."""
    held = messages[0]
    for message in messages[1:]:
        if held.role == message.role == "user":
            held = Message("user", f"{held.content}\n\n{message.content}")
        else:
            yield held
            held = message
    yield held
