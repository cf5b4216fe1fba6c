"""Requests to OpenAI's Responses API (``/v1/responses``), which nothing is stored for; and what refusals of them teach.

What a model had sent is sent back whole and in order, reasoning that only it can read among it. It is kept beside the
reply and its calls (``opaque``): a reply has the list of its output items with ``null`` for each call, a call has its
place in that list and its item.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from typing import Any, cast

from agent.messages import Message
from agent.models.opaque import OUTPUT_ITEMS, object_text, read_others
from agent.models.protocol import Request
from agent.models.refusals.lessons import (
    ABSENT,
    NO_IMAGES,
    NO_OPAQUE,
    Lesson,
    is_of_images,
    is_refused,
    refused_parameter,
)
from agent.models.refusals.message_shapes import shaped
from agent.models.refusals.problems import Problem
from agent.text.regex import regex

PATH = "/responses"
_LONGEST_ID = 64  # characters of a call_id
_REASONING_FIELDS = {"effort": "reasoning.effort", "summary": "reasoning.summary"}
_RENAMED = {"max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens"}

_DEMANDED = regex(r"\b(?:use|call|in|through|via)\b.{0,20}?(?:/?v1/responses|responses (?:api|endpoint))\b", re.I)
_NOT_THERE = regex(
    r"not implemented|\b(?:use|in)\b.{0,20}?v1/chat/completions|not supported in.{0,9}v1/responses", re.I
)
# Reasoning of another key, of items that nobody kept, or apart from the item that it belongs to.
_NOT_READ = regex(r"invalid_encrypted_content|encrypted content.{0,80}not be|item with id|without its required", re.I)
_NO_REASONING = regex(r"encrypted content is not supported", re.I)
_OF_REASONING = regex(r"reasoning\.(effort|summary)|reasoning (summar)", re.I)


def demanded(problem: Problem) -> bool:
    """Whether a refusal of chat completions says to use this API; 200 is that of one inside a reply."""
    return problem.status in (200, 400, 404) and bool(_DEMANDED.search(problem.text))


def responses_body(model: str, request: Request, left_out: Collection[str] = ()) -> dict[str, Any]:
    """The JSON object that is sent; ``left_out`` as in ``Replied``, and ``stop``: there are no stop words in this API.

    ``stream`` among them asks for a whole reply, and with ``tool_choice`` a request that forbids calls has no tools.
    """
    messages = shaped(request.messages, left_out, [tool.name for tool in request.tools], request.language)
    body: dict[str, Any] = {
        "model": model,
        "input": [item for message in messages for item in _items(message)],
        "store": False,
        "include": ["reasoning.encrypted_content"],
    }
    if "stream" not in left_out:
        body["stream"] = True
    given = {name: value for name, value in request.parameters.items() if value is not None}
    reasoning = {"effort": given.pop("reasoning_effort", None), "summary": None if "include" in left_out else "auto"}
    body |= {_RENAMED.get(name, name): value for name, value in given.items()}
    kept = {name: v for name, v in reasoning.items() if v and not is_refused(_REASONING_FIELDS[name], v, left_out)}
    if kept:
        body["reasoning"] = kept
    if request.prompt_cache_key:
        body["prompt_cache_key"] = request.prompt_cache_key
    if request.tools and (request.may_call or "tool_choice" not in left_out):
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
                "strict": False,  # which is not what is meant by leaving it out
            }
            for tool in request.tools
        ]
        if not request.may_call:
            body["tool_choice"] = "none"
    return {name: value for name, value in body.items() if not is_refused(name, value, left_out)}


def responses_lesson(problem: Problem, body: Mapping[str, Any], learned: Collection[str]) -> Lesson | None:
    """What the refusal of ``body`` teaches beside what is ``learned`` already; ``None`` for nothing new."""
    text = problem.text
    if _NOT_READ.search(text) or _is_of_an_item(problem, body):
        taught = Lesson(NO_OPAQUE, kept=False)
    elif problem.status in (405, 501) or _NOT_THERE.search(text):
        taught = Lesson(ABSENT)
    elif problem.status in (200, 400) and "include" in body and _NO_REASONING.search(text):
        taught = Lesson("include")
    elif problem.status in (200, 400, 422) and (found := _OF_REASONING.search(text)):
        taught = Lesson(_of_reasoning((found[1] or "summary").lower(), problem, body))
    elif (
        problem.status in (200, 400, 404, 422)
        and is_of_images(problem)
        and any(isinstance(item.get("content"), list) and item.get("role") == "user" for item in body["input"])
    ):
        taught = Lesson(NO_IMAGES)
    else:
        taught = Lesson(refused_parameter(problem, [field for field in body if field not in ("model", "input")]))
    return taught if taught.name and taught.name not in learned else None


def _is_of_an_item(problem: Problem, body: Mapping[str, Any]) -> bool:
    """Whether the server does not take what it had sent, or another had in its place."""
    items: list[dict[str, Any]] = body["input"]
    wrong = problem.status in (200, 400, 422) and problem.path.startswith(("input[", "input."))
    return wrong and any("id" in item for item in items)


def _of_reasoning(name: str, problem: Problem, body: Mapping[str, Any]) -> str:
    """The field of ``reasoning`` that is refused, with its value where the error is about that one."""
    value = body.get("reasoning", {}).get(name)
    field = _REASONING_FIELDS[name]
    return f'{field}="{value}"' if value and f"'{value}'" in problem.message else field


def _items(message: Message) -> Iterator[dict[str, Any]]:
    match message.role:
        case "tool":
            yield {"type": "function_call_output", "call_id": _fitting(message.call_id), "output": message.content}
        case "assistant":
            yield from _received(message) or _plain(message)
        case _:
            text = {"type": "input_text", "text": message.content}
            pictures = [{"type": "input_image", "image_url": image.data_url} for image in message.images]
            yield {"role": message.role, "content": [text, *pictures] if pictures else message.content}


def _plain(message: Message) -> Iterator[dict[str, Any]]:
    """A reply for a model that did not write it: neither reasoning nor the ids of items, which belong together."""
    if message.content:
        said = [{"type": "output_text", "text": message.content}]
        yield {"type": "message", "role": "assistant", "content": said}
    for call in message.requests:
        yield {
            "type": "function_call",
            "call_id": _fitting(call.id),
            "name": call.name,
            "arguments": object_text(call.arguments),
        }


def _received(message: Message) -> list[dict[str, Any]]:
    """The output items of a reply as they came; none where one of them is missing, for they belong together.

    Reasoning goes with the item that follows it: a reply that ends in it has none.

    A call has our id for it, which is the server's but where that one had come before in the conversation.
    """
    told = read_others(message.opaque, ()).get(OUTPUT_ITEMS)
    if not isinstance(told, list) or not told:
        return []
    items = dict(enumerate(cast("list[object]", told)))
    for call in message.requests:
        held = read_others(call.opaque, ()).get(OUTPUT_ITEMS)
        kept = cast("dict[str, Any]", held) if isinstance(held, dict) else {}
        place, item = kept.get("place"), kept.get("item")
        if not isinstance(place, int) or not isinstance(item, dict) or items.get(place, "") is not None:
            return []
        items[place] = {**cast("dict[str, Any]", item), "call_id": _fitting(call.id)}
    found = [cast("dict[str, Any]", item) for item in items.values() if isinstance(item, dict)]
    whole = len(found) == len(items) and all(map(_is_output, found)) and found[-1].get("type") != "reasoning"
    return found if whole else []


def _is_output(item: Mapping[str, Any]) -> bool:
    """Whether it is something that a model says: a file that is read in could hold anything."""
    return (
        item.get("type") in ("reasoning", "message", "function_call") and item.get("role", "assistant") == "assistant"
    )


def _fitting(identity: str) -> str:
    return identity if len(identity) <= _LONGEST_ID else sha256(identity.encode()).hexdigest()
