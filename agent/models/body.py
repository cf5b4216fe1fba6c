"""The body of a chat completion request: a pure function of the request and of what the server does not take."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json, to_json

from agent.messages import Message, ToolRequest
from agent.models.protocol import Request

if TYPE_CHECKING:
    # For the type checker alone: importing the package takes a second.
    from openai.types.chat import ChatCompletionMessageParam, ChatCompletionMessageToolCallUnionParam
    from openai.types.chat.chat_completion_message_function_tool_call_param import Function

_MOST_STOPS = 4


def chat_body(model: str, request: Request, left_out: Collection[str] = ()) -> dict[str, Any]:
    """The JSON object that is sent; ``left_out`` are names of fields that the server refuses.

    ``stream`` among them asks for a whole reply, ``max_tokens`` is then sent as ``max_completion_tokens``, and with
    ``tool_choice`` a request that forbids calls has no tools at all.
    """
    body: dict[str, Any] = {"model": model, "messages": [_message(message) for message in request.messages]}
    if "stream" not in left_out:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    if request.stop:
        body["stop"] = list(request.stop[:_MOST_STOPS])
    body |= {name: value for name, value in request.parameters.items() if value is not None}
    if "max_tokens" in body and "max_tokens" in left_out:
        body["max_completion_tokens"] = body.pop("max_tokens")
    if request.tools and (request.may_call or "tool_choice" not in left_out):
        body["tools"] = [{"type": "function", "function": tool} for tool in request.tools]
        if not request.may_call:
            body["tool_choice"] = "none"
    return {name: value for name, value in body.items() if name not in left_out}


def encoded(body: dict[str, Any]) -> bytes:
    """The bytes of a body as they go over the network."""
    return to_json(body)


def _message(message: Message) -> ChatCompletionMessageParam:
    match message.role:
        case "system":
            return {"role": "system", "content": message.content}
        case "user":
            return {"role": "user", "content": message.content}
        case "tool":
            return {"role": "tool", "tool_call_id": message.call_id, "content": message.content}
        case "assistant":
            if not message.requests:
                return {"role": "assistant", "content": message.content}
            calls = [_call(call) for call in message.requests]
            return {"role": "assistant", "content": message.content, "tool_calls": calls}


def _call(call: ToolRequest) -> ChatCompletionMessageToolCallUnionParam:
    function: Function = {"name": call.name, "arguments": _arguments(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _arguments(text: str) -> str:
    """A JSON object whatever the model wrote: Ollama and vLLM answer with an error to anything else in the history."""
    try:
        if isinstance(from_json(text), dict):
            return text
    except ValueError:
        pass
    return to_json({"input": text} if text.strip() else {}).decode()
