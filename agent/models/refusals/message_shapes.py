"""Messages as a server turned out to insist on, and as JSON: pure functions of the messages and the lessons."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

from agent.messages import Artifact, Message, ToolRequest
from agent.models.opaque import OUTPUT_ITEMS, content_parts, object_text, read_others
from agent.models.refusals.lessons import FILLED, FORTY, INSISTS, NINE, NO_IMAGES, NO_OPAQUE, NO_SYSTEM, TURNS, WORDS
from agent.prompts import render
from agent.text.regex import regex

if TYPE_CHECKING:
    # For the type checker alone: importing the package takes a second.
    from openai.types.chat import ChatCompletionMessageParam, ChatCompletionMessageToolCallUnionParam
    from openai.types.chat.chat_completion_message_function_tool_call_param import Function

_SHORT_ID = 9  # characters; hexadecimal digits fit every form
_IDS = {
    NINE: regex(r"[a-zA-Z0-9]{9}"),
    FORTY: regex(r".{1,40}", re.S),
    WORDS: regex(r"[a-zA-Z0-9_-]{1,64}"),
}
# OpenAI and most others refuse a conversation with a call of any other name, also one that a model made up.
_NO_NAME = regex(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64
_BETWEEN, _EMPTY = "OK.", "…"
# Stands for the signature of a call that Gemini did not make, or that a person has changed.
_DUMMY = "skip_thought_signature_validator"
_UNSIGNED = {"extra_content": {"google": {"thought_signature": _DUMMY}}}


def shaped(
    messages: Sequence[Message], learned: Collection[str], tools: Collection[str] = (), language: str = "en"
) -> Sequence[Message]:
    """The messages as they are sent; ``tools`` are the names of those that the request declares.

    Ids of calls change in the call and its result alike. Pictures that the model does not take are told of in words, in
    the ``language`` of the instructions.
    """
    told = [_with_names(message, tools) if message.requests else message for message in messages]
    if NO_IMAGES in learned:
        told = [_with_pictures(message, (), language) for message in told]
    if NO_OPAQUE in learned:
        told = [_plain(message) for message in told]
    if NO_SYSTEM in learned:
        told = _without_system(told)
    if TURNS in learned:
        told = _in_turns(told)
    if FILLED in learned:
        told = [message if message.content.strip() or message.requests else _filled(message) for message in told]
    for name in _IDS.keys() & learned:
        told = [_with_ids(message, _IDS[name]) for message in told]
    return told


def _with_names(message: Message, tools: Collection[str]) -> Message:
    if all(call.name in tools or (call.name and not _NO_NAME.search(call.name)) for call in message.requests):
        return message
    calls = (
        call if call.name in tools else replace(call, name=_NO_NAME.sub("_", call.name)[:_LONGEST_NAME] or "_")
        for call in message.requests
    )
    return replace(message, requests=tuple(calls))


def with_kept_pictures(messages: Sequence[Message], language: str) -> tuple[Message, ...]:
    """The messages with the pictures whose contents are there; the others are told of in words."""
    return tuple(
        _with_pictures(message, tuple(image for image in message.images if image.content), language)
        for message in messages
    )


def _with_pictures(message: Message, shown: tuple[Artifact, ...], language: str) -> Message:
    hidden = len(message.images) - len(shown)
    if not hidden:
        return message
    content = f"{message.content}\n\n{render(language, 'pictures_unseen', count=str(hidden))}"
    return replace(message, content=content, images=shown)


def _plain(message: Message) -> Message:
    return replace(message, opaque="", requests=tuple(replace(call, opaque="") for call in message.requests))


def _filled(message: Message) -> Message:
    return replace(message, content=_EMPTY)


def _with_ids(message: Message, form: re.Pattern[str]) -> Message:
    def fit(identity: str) -> str:
        return identity if form.fullmatch(identity) else sha256(identity.encode()).hexdigest()[:_SHORT_ID]

    calls = tuple(replace(call, id=fit(call.id)) for call in message.requests)
    return replace(message, requests=calls, call_id=fit(message.call_id) if message.call_id else "")


def _without_system(messages: Iterable[Message]) -> list[Message]:
    """The instructions at the beginning of the first message of the person."""
    told = list(messages)
    said = "\n\n".join(message.content for message in told if message.role == "system")
    rest = [message for message in told if message.role != "system"]
    first = next((place for place, message in enumerate(rest) if message.role == "user"), None)
    if first is None:
        return [Message("user", said), *rest] if said else rest
    rest[first] = replace(rest[first], content=f"{said}\n\n{rest[first].content}" if said else rest[first].content)
    return rest


def _in_turns(messages: Sequence[Message]) -> list[Message]:
    """System first, neighbours of one role joined, and a word of the assistant between a result and the person."""
    told: list[Message] = []
    for message in sorted(messages, key=lambda message: message.role != "system"):
        last = told[-1] if told else None
        if last and last.role == "tool" and message.role == "user":
            told += [Message("assistant", _BETWEEN), message]
        elif last and last.role == message.role != "tool" and not last.requests:
            content = "\n\n".join(filter(None, (last.content, message.content)))
            told[-1] = replace(message, content=content, opaque="", images=last.images + message.images)
        else:
            told.append(message)
    return told


def chat_message(message: Message, left_out: Collection[str]) -> ChatCompletionMessageParam:
    """The message as chat completions have it, with what its server sent unread; ``left_out`` as in ``Replied``."""
    match message.role:
        case "system":
            return {"role": "system", "content": message.content}
        case "user":
            if not message.images:
                return {"role": "user", "content": message.content}
            pictures = [{"type": "image_url", "image_url": {"url": image.data_url}} for image in message.images]
            parts = [{"type": "text", "text": message.content}, *pictures]
            return cast("Any", {"role": "user", "content": parts})
        case "tool":
            return {"role": "tool", "tool_call_id": message.call_id, "content": message.content}
        case "assistant" if message.opaque or message.requests:
            return _replied(message, left_out)
        case "assistant":  # as most are on the text wire
            return {"role": "assistant", "content": message.content}


def _replied(message: Message, left_out: Collection[str]) -> ChatCompletionMessageParam:
    """A reply with calls, or with what its server sent unread."""
    others = read_others(message.opaque, {*left_out, OUTPUT_ITEMS})
    content = content_parts(message.opaque, message.content, left_out) or message.content
    told: ChatCompletionMessageParam = {"role": "assistant", "content": content}
    if message.requests:
        if FILLED in left_out and not message.content.strip():
            del told["content"]
        if f"{INSISTS}reasoning_content" in left_out:
            others.setdefault("reasoning_content", "")
        if f"{INSISTS}reasoning_details" in left_out:
            others.setdefault("reasoning_details", _unsigned_details(message.requests))
        signed = f"{INSISTS}thought_signature" not in left_out or any(call.opaque for call in message.requests)
        calls = [_call(call, left_out) for call in message.requests]
        told["tool_calls"] = calls if signed else [cast("Any", {**calls[0], **_UNSIGNED}), *calls[1:]]
    return cast("ChatCompletionMessageParam", {**others, **told})


def _unsigned_details(requests: Sequence[ToolRequest]) -> list[dict[str, str | int]]:
    """What OpenRouter hands on to Gemini for calls that this did not make."""
    known: dict[str, str | int] = {"type": "reasoning.encrypted", "data": _DUMMY, "format": "google-gemini-v1"}
    return [{**known, "id": call.id, "index": place} for place, call in enumerate(requests)]


def _call(call: ToolRequest, left_out: Collection[str]) -> ChatCompletionMessageToolCallUnionParam:
    function: Function = {"name": call.name, "arguments": object_text(call.arguments)}
    told: ChatCompletionMessageToolCallUnionParam = {"id": call.id, "type": "function", "function": function}
    return cast(
        "ChatCompletionMessageToolCallUnionParam", {**read_others(call.opaque, {*left_out, OUTPUT_ITEMS}), **told}
    )
