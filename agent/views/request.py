"""What was sent to the model, byte for byte, and what came back: computed from a run's events alone."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.context.turns import NO_HISTORY, History, Past, next_request
from agent.events import Event, Merged, Prepared, Replied, ToolCalled
from agent.messages import Message, Money, Usage
from agent.models.openai_chat import encoded, network_call
from agent.models.protocol import Request

KEY = "OPENAI_API_KEY"
_WITHOUT_PARAMETERS = 2  # up to this version of ``Prepared``, a request to merge was sent without the parameters


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of the model.

    ``step`` is its step's number, 0 for merging a follow-up. ``messages`` are those sent, the last ``new`` of them
    since the call before. ``body`` is the JSON that went over the network to ``url``, "" for a model that has none;
    ``left_out`` as in ``Replied``. ``unread`` are the bytes of the reply that we keep without reading them.
    ``calls`` are the tool calls of the reply, each tool and input.
    """

    step: int
    url: str
    model: str
    messages: tuple[Message, ...]
    new: int
    body: str
    text: str
    cut: str
    reasoning: str
    calls: tuple[tuple[str, str], ...]
    usage: Usage
    price: Money | None
    seconds: float
    first_token: float
    left_out: tuple[str, ...] = ()
    unread: int = 0

    @property
    def tokens_per_second(self) -> float:
        """Output tokens a second after the first one came; 0 where that cannot be told."""
        writing = self.seconds - self.first_token
        return self.usage.output / writing if writing > 0.001 else 0.0


def model_calls(events: Sequence[Event], history: History = NO_HISTORY) -> tuple[ModelCall, ...]:
    """The calls of a run that were replied to, in order; ``history`` has the earlier runs that its prompts tell."""
    calls: list[ModelCall] = []
    history = Past(history)
    prepared = next((event for event in events if isinstance(event, Prepared)), None)
    sent: tuple[Message, ...] = ()
    step = 0
    for index, event in enumerate(events):
        if isinstance(event, Merged) and prepared:
            asked = Request(event.request, purpose="merge")
            if prepared.v > _WITHOUT_PARAMETERS:
                asked = replace(asked, parameters=prepared.parameters)
            calls.append(_called(event, prepared, asked, 0, len(event.request)))
        elif isinstance(event, Prepared):
            prepared, sent, step = event, (), 0
        elif isinstance(event, Replied) and prepared:
            step += 1
            so_far = events[:index]
            asked = next_request(so_far, history)
            calls.append(_called(event, prepared, asked, step, _since(asked.messages, sent)))
            sent = asked.messages
        elif isinstance(event, ToolCalled) and calls and calls[-1].step:
            last = calls[-1]
            made = (*last.calls, (event.tool, event.input))
            calls[-1] = replace(last, calls=made, unread=last.unread + len(event.opaque.encode()))
    return tuple(calls)


def prompt_tokens(events: Sequence[Event], history: History = NO_HISTORY) -> int:
    """How many tokens the next prompt of a run has, as we estimate them; 0 before the run is prepared."""
    if not any(isinstance(event, Prepared) for event in events):
        return 0
    return next_request(events, Past(history)).tokens


def returned_unread(call: ModelCall, message: Message) -> int:
    """Bytes by which one of the call's messages was longer than its plain form: what the server had sent unread."""
    plain = replace(message, opaque="", requests=tuple(replace(asked, opaque="") for asked in message.requests))
    if not call.url or plain == message:
        return 0
    sizes = [len(encoded(network_call(call.model, Request((each,)), call.left_out)[1])) for each in (message, plain)]
    return max(0, sizes[0] - sizes[1])


def unread_from(events: Sequence[Event], step: int) -> int:
    """Bytes that the server had sent unread with a step (from 1) and those after it: a changed step goes without."""
    number = size = 0
    for event in events:
        if isinstance(event, Prepared):
            number = size = 0
        number += isinstance(event, Replied)
        if isinstance(event, Replied | ToolCalled) and number >= step:
            size += len(event.opaque.encode())
    return size


def as_curl(call: ModelCall) -> str:
    """The call as a command for a shell; the key is taken from the environment."""
    return (
        f"curl {shlex.quote(call.url)} \\\n"
        f'  -H "Authorization: Bearer ${KEY}" \\\n'
        "  -H 'Content-Type: application/json' \\\n"
        f"  -d {shlex.quote(call.body)}"
    )


def as_python(call: ModelCall) -> str:
    """The call as a program for the ``openai`` package; the key is taken from the environment."""
    sent: dict[str, Any] = json.loads(call.body)
    lines = "".join(f"    {name}={_literal(value)},\n" for name, value in sent.items())
    reading = "for chunk in reply:\n    print(chunk)" if sent.get("stream") else "print(reply)"
    api = "responses" if call.url.endswith("/responses") else "chat.completions"
    base = call.url.removesuffix("/" + api.replace(".", "/"))
    return (
        "import os\n\nfrom openai import OpenAI\n\n"
        f'client = OpenAI(base_url={base!r}, api_key=os.environ["{KEY}"])\n'
        f"reply = client.{api}.create(\n{lines})\n{reading}\n"
    )


def as_json(call: ModelCall) -> str:
    """The body, laid out for reading."""
    return json.dumps(json.loads(call.body), ensure_ascii=False, indent=2)


def _literal(value: object) -> str:
    return repr(value).replace("\n", "\n    ")


def _since(messages: tuple[Message, ...], before: tuple[Message, ...]) -> int:
    same = 0
    while same < min(len(messages), len(before)) and messages[same] == before[same]:
        same += 1
    return len(messages) - same


def _called(event: Merged | Replied, prepared: Prepared, asked: Request, step: int, new: int) -> ModelCall:
    """A call without the tool calls of its reply."""
    merged = isinstance(event, Merged)
    path, body = network_call(prepared.model, asked, event.left_out)
    url = f"{prepared.endpoint}{path}" if "://" in prepared.endpoint else ""
    return ModelCall(
        step=step,
        url=url,
        model=prepared.model,
        messages=asked.messages,
        new=new,
        body=encoded(body).decode() if url else "",
        text=event.reply if merged else event.text,
        cut="" if merged else event.cut,
        reasoning="" if merged else event.reasoning,
        calls=(),
        usage=event.usage,
        price=event.price,
        seconds=event.seconds,
        first_token=event.seconds if merged else event.first_token,
        left_out=event.left_out,
        unread=0 if merged else len(event.opaque.encode()),
    )
