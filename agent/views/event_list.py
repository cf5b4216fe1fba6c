"""The events of a run as a list to look through: what each is about in a line, by kind, and where some words stand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import chain
from typing import cast

from agent.demo.model import NAME as DEMO_NAME
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
    dump,
)
from agent.inner_runs import innermost
from agent.interface_text import Text
from agent.messages import Usage

_MOST_CHARACTERS = 300
WENT_ON = Text("The server stopped; this went on by itself.")
ASKED_AGAIN = Text("The server stopped during a reply; the model was asked again.")
# How a run's tools are called.
CALLS = {"native": Text("calls tools in its own way"), "react": Text("writes its calls as text")}


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event in a line. ``number`` counts from 1; ``seconds`` and ``usage`` are ``None`` where it took none.

    ``step`` is the number of the reply that it is, 0 for merging, -1 for what is no call of the model. ``hits`` says
    how often the words looked for stand in it.
    """

    number: int
    kind: str
    about: str
    seconds: float | None
    usage: Usage | None
    step: int
    hits: int
    event: Event


def kinds(events: Sequence[Event]) -> dict[str, int]:
    """How many there are of each kind, in the order in which they first come."""
    return dict(Counter(event.type for event in events))


def lines(events: Sequence[Event], chosen: Collection[str] = (), words: str = "") -> tuple[EventLine, ...]:
    """The events of the ``chosen`` kinds (of all, where none is) with ``words`` in one of their texts, in any case."""
    wanted = words.strip().casefold()
    found: list[EventLine] = []
    replies = 0
    for number, event in enumerate(events, start=1):
        replies += isinstance(event, Replied)
        if chosen and event.type not in chosen:
            continue
        hits = sum(text.casefold().count(wanted) for text in texts(event)) if wanted else 0
        if hits or not wanted:
            step = replies if isinstance(event, Replied) else 0 if isinstance(event, Merged) else -1
            call = innermost(event)
            usage = call.usage if isinstance(call, Replied | Merged | Resumed) else None
            found.append(EventLine(number, event.type, about(event), _seconds(event), usage, step, hits, event))
    return tuple(found)


def texts(value: object) -> Iterator[str]:
    """Every text in an event, names of arguments included; not its own kind, nor the contents of artifacts."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        held = (getattr(value, field.name) for field in fields(value) if field.name not in ("type", "content", "texts"))
        yield from chain.from_iterable(map(texts, held))
    elif isinstance(value, Mapping):
        for name, item in cast("Mapping[str, object]", value).items():
            yield name
            yield from texts(item)
    elif isinstance(value, list | tuple):
        yield from chain.from_iterable(map(texts, cast("Sequence[object]", value)))


def about(event: Event) -> str:
    """What the event is about: the beginning of its most telling text."""
    telling = _telling(event)
    return telling if isinstance(telling, Text) else telling.strip()[:_MOST_CHARACTERS]


def exact(event: Event) -> str:
    """The event as it is stored, laid out for reading: JSON, artifacts by name, size and hash.

    Characters that are not seen are written as JSON's escapes.
    """
    return "".join(map(_seen, json.dumps(json.loads(dump(event)), ensure_ascii=False, indent=2)))


def _seen(character: str) -> str:
    return character if character.isprintable() or character == "\n" else json.dumps(character)[1:-1]


def _telling(event: Event) -> str:
    match event:
        case Asked() | Merged():
            return event.question
        case Prepared():
            told = Text(
                "{model}, {calls}, {count:,} characters of instructions",
                model=DEMO_NAME if event.endpoint == "demo" else event.model,
                calls=CALLS[event.wire],
                count=len(event.system),
            )
            own = ", ".join(event.prompts)
            return Text("{told}, own prompts: {own}", told=told, own=own) if own else told
        case MadeRoom():
            return Text("{before:,} → {after:,} tokens", before=event.before, after=event.after)
        case Replied():
            return event.thought or event.text or event.reasoning
        case ToolCalled():
            return f"{event.tool}: {event.input}"
        case Inner():
            return f"{event.call_id} · {event.event.type}: {about(event.event)}"
        case Waiting() | Decided():
            kind = event.kind if isinstance(event, Waiting) else event.decision
            return f"{kind}: {event.text}" if event.text else kind
        case Observed() | Answered() | TextDelta():
            failed = f"{event.error}: " if isinstance(event, Observed) and event.error else ""
            return failed + event.text
        case Failed() | Resumed():
            return f"{event.reason}: {event.message}" if isinstance(event, Failed) else _resumed(event)


def _resumed(event: Resumed) -> Text:
    return ASKED_AGAIN if event.usage.total else WENT_ON


def _seconds(event: Event) -> float | None:
    event = innermost(event)
    if isinstance(event, Observed) and not event.call_id:
        return None
    return event.seconds if isinstance(event, Merged | Replied | Decided | Observed | Resumed) else None
