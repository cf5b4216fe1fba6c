"""A Responses API that refuses what OpenAI's refuses, and answers in events like its own. Served by ``ModelServer``.

Sources of the refusals: reports of them by users of the API, collected by kind (an item that is not stored, a call
without its reasoning, reasoning without its following item, a call without output, an output without call, encrypted
content of another model, encrypted content or reasoning fields with a model that does not reason).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.servers.model_server import Reply

Body = dict[str, Any]
CHAT_REFUSAL = (
    "Function tools with reasoning_effort are not supported for {model} in /v1/chat/completions. "
    "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
)
_FIELDS = {
    *("model", "input", "instructions", "store", "stream", "include", "tools", "tool_choice", "parallel_tool_calls"),
    *("prompt_cache_key", "max_output_tokens", "reasoning", "temperature", "top_p", "text", "metadata", "truncation"),
}
_TOOL_FIELDS = {"type", "name", "description", "parameters", "strict"}
_ITEM_FIELDS = {
    "message": {"type", "id", "role", "content", "phase", "status"},
    "reasoning": {"type", "id", "summary", "content", "encrypted_content", "status"},
    "function_call": {"type", "id", "call_id", "name", "arguments", "status"},
    "function_call_output": {"type", "id", "call_id", "output", "status"},
}
_PREFIXES = {"message": "msg", "reasoning": "rs", "function_call": "fc", "function_call_output": "fc"}


class Refused(Exception):
    def __init__(self, message: str, status: int = 400, **more: Any) -> None:
        self.status = status
        self.error = {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}


@dataclass
class StrictResponses:
    """Calls the first tool for two places, one call after the other or both at once, then answers.

    Without tools it answers at once. ``reasoning`` is whether its models reason, ``restarts`` whether the ids of calls
    begin anew with each reply, as Bedrock's do, ``key`` what its reasoning is encrypted with.
    """

    parallel: bool = False
    reasoning: bool = True
    restarts: bool = False
    key: str = "k"
    texts: Sequence[str] = ()  # replies to requests without tools, in order
    write: Callable[[Body], str] | None = None  # in their place
    streams: bool = True
    inside: bool = False  # refuses inside a stream
    bodies: list[Body] = field(default_factory=list[Body])  # of all requests, in order
    taken: list[Body] = field(default_factory=list[Body])  # those of them that were not refused
    refusals: list[str] = field(default_factory=list[str])
    sent: dict[str, Body] = field(default_factory=dict[str, Body])  # items by their ids
    follows: dict[str, str] = field(default_factory=dict[str, str])  # the id of the item behind reasoning
    needs: dict[str, str] = field(default_factory=dict[str, str])  # the id of the reasoning that led to an item

    def __call__(self, body: Body) -> Reply:
        self.bodies.append(body)
        try:
            self._check(body)
        except Refused as refusal:
            self.refusals.append(refusal.error["message"])
            if self.inside:
                return Reply(events=[line({"type": "error", "error": refusal.error})], done=False)
            return Reply(status=refusal.status, body={"error": refusal.error})
        self.taken.append(body)
        events = [*self.events(body, self._output(body))]
        if not self.streams:
            return Reply(body=events[-1]["response"])
        return Reply(events=[*map(line, events)], done=False)

    def chat(self, body: Body) -> Reply:
        """Chat completions of the same server: no tools for a model that reasons."""
        if body.get("tools") and body.get("reasoning_effort") != "none":
            text = CHAT_REFUSAL.format(model=body["model"])
            self.refusals.append(text)
            error = {"message": text, "type": "invalid_request_error", "param": "reasoning_effort", "code": None}
            return Reply(status=400, body={"error": error})
        return Reply("Over chat completions.")

    # What is refused

    def _check(self, body: Body) -> None:
        for name in body:
            if name not in _FIELDS:
                raise Refused(f"Unknown parameter: '{name}'.", param=name, code="unknown_parameter")
        if body.get("store") is not False:
            raise Refused("'store' must be false for this organization.", param="store")
        self._check_reasoning(body)
        for place, tool in enumerate(body.get("tools", ())):
            where = f"tools[{place}]"
            if tool.get("type") != "function" or not tool.get("name"):
                raise Refused(f"Missing required parameter: '{where}.name'.", param=f"{where}.name")
            if unknown := set(tool) - _TOOL_FIELDS:
                name = f"{where}.{min(unknown)}"
                raise Refused(f"Unknown parameter: '{name}'.", param=name, code="unknown_parameter")
        if body.get("tools") == []:
            raise Refused("Invalid 'tools': empty array.", param="tools", code="empty_array")
        self._check_input(body)

    def _check_reasoning(self, body: Body) -> None:
        if self.reasoning:
            for name in ("temperature", "top_p"):
                if name in body:
                    text = f"Unsupported parameter: '{name}' is not supported with this model."
                    raise Refused(text, param=name, code="unsupported_parameter")
            return
        if "reasoning.encrypted_content" in body.get("include", ()):
            raise Refused("Encrypted content is not supported with this model.", param="include")
        for name in body.get("reasoning", {}):
            text = f"Unsupported parameter: 'reasoning.{name}' is not supported with this model."
            raise Refused(text, param=f"reasoning.{name}", code="unsupported_parameter")

    def _check_input(self, body: Body) -> None:
        items = body["input"]
        if not isinstance(items, list) or not any(item.get("role") == "user" for item in items):
            raise Refused("One of 'input' or 'previous_response_id' must be provided.", param="input")
        for place, item in enumerate(items):
            self._check_shape(f"input[{place}]", item)
        ids = [item.get("id") for item in items]
        for place, item in enumerate(items):
            if "id" in item:
                self._check_kept(item, body["model"])
                self._check_neighbours(item["id"], ids[:place], ids[place + 1 :])
        self._check_pairs(items)

    def _check_shape(self, where: str, item: Body) -> None:
        kind = item.get("type", "message")
        if kind not in _ITEM_FIELDS:
            raise Refused(f"Invalid value: '{kind}'.", param=where, code="invalid_value")
        for name in item:
            if name not in _ITEM_FIELDS[kind]:
                raise Refused(
                    f"Unknown parameter: '{where}.{name}'.", param=f"{where}.{name}", code="unknown_parameter"
                )
        if not item.get("id", _PREFIXES[kind]).startswith(_PREFIXES[kind]):
            text = f"Invalid '{where}.id': '{item['id']}'. Expected an ID that begins with '{_PREFIXES[kind]}'."
            raise Refused(text, param=f"{where}.id", code="invalid_value")
        if kind == "message":
            self._check_message(where, item)
        elif kind != "reasoning":
            if len(item["call_id"]) > 64:
                raise Refused(f"Invalid '{where}.call_id': string too long.", param=f"{where}.call_id")
            if kind == "function_call" and not isinstance(json.loads(item["arguments"]), dict):
                raise Refused(f"Invalid '{where}.arguments'.", param=f"{where}.arguments")

    def _check_message(self, where: str, item: Body) -> None:
        role, content = item.get("role"), item.get("content")
        if role not in ("system", "developer", "user", "assistant"):
            raise Refused(f"Invalid value: '{role}'.", param=f"{where}.role", code="invalid_value")
        if "phase" in item and role != "assistant":
            raise Refused(f"Unknown parameter: '{where}.phase'.", param=f"{where}.phase", code="unknown_parameter")
        if isinstance(content, str):
            return
        known = ("output_text", "refusal") if role == "assistant" else ("input_text", "input_image")
        for number, part in enumerate(content or ({},)):
            if part.get("type") not in known:
                name = f"{where}.content[{number}]"
                raise Refused(f"Invalid value: '{part.get('type')}'.", param=name, code="invalid_value")

    def _check_kept(self, item: Body, model: str) -> None:
        """What comes back with an id has to be what was sent under it, to the last character."""
        identity, kept = item["id"], self.sent.get(item["id"])
        if item["type"] == "reasoning" and not item.get("encrypted_content"):
            raise Refused(_not_found(identity), 404, param="input")
        if kept is None:
            raise Refused(_not_found(identity), 404, param="input")
        if item["type"] == "reasoning" and item["encrypted_content"] != self._secret(identity, model):
            text = f"The encrypted content {item['encrypted_content'][:4]}… could not be verified."
            raise Refused(text, code="invalid_encrypted_content")
        ours = {**item, "call_id": kept["call_id"]} if "call_id" in kept else item
        assert json.dumps(ours) == json.dumps(kept), (ours, kept)

    def _check_neighbours(self, identity: str, before: Sequence[str | None], after: Sequence[str | None]) -> None:
        if identity in self.follows and after[:1] != [self.follows[identity]]:
            text = f"Item '{identity}' of type 'reasoning' was provided without its required following item."
            raise Refused(text, param="input")
        if identity in self.needs and self.needs[identity] not in before:
            kind = self.sent[identity]["type"]
            need = self.needs[identity]
            text = f"Item '{identity}' of type '{kind}' was provided without its required 'reasoning' item: '{need}'."
            raise Refused(text, param="input")

    def _check_pairs(self, items: Sequence[Body]) -> None:
        called: list[str] = []
        told: list[str] = []
        for item in items:
            kind = item.get("type")
            if kind == "function_call":
                assert item["call_id"] not in called, "one id for two calls"
                called.append(item["call_id"])
            elif kind == "function_call_output":
                if item["call_id"] not in called:
                    text = f"No tool call found for function call output with call_id {item['call_id']}."
                    raise Refused(text, param="input")
                told.append(item["call_id"])
        for identity in called:
            if identity not in told:
                raise Refused(f"No tool output found for function call {identity}.", param="input")

    # What is sent

    def _secret(self, identity: str, model: str) -> str:
        return f"gAAA+/é==:{self.key}:{model}:{identity}"

    def _output(self, body: Body) -> list[Body]:
        """The next items of the conversation, kept as they are sent."""
        items = body["input"]
        begins = max(place for place, item in enumerate(items) if item.get("role") == "user")
        seen = sum(item.get("type") == "function_call_output" for item in items[begins:])
        reply, output = len(self.bodies), list[Body]()
        if self.reasoning:
            output.append(
                {"id": f"rs_{reply}", "type": "reasoning", "summary": [{"type": "summary_text", "text": "So."}]}
            )
            if body.get("include"):
                output[0]["encrypted_content"] = self._secret(f"rs_{reply}", body["model"])
        if not body.get("tools") and self.write:
            output.append(self._message(reply, self.write(body), "final_answer"))
        elif not body.get("tools") and len(self.taken) <= len(self.texts):
            output.append(self._message(reply, self.texts[len(self.taken) - 1], "final_answer"))
        elif body.get("tool_choice") == "none" or not body.get("tools") or seen >= 2:
            output.append(self._message(reply, "The tides are 6 m and 4 m.", "final_answer"))
        else:
            output.append(self._message(reply, "I look it up.", "commentary"))
            for number, place in enumerate(["Hobart", "Oslo"] if self.parallel else [["Hobart", "Oslo"][seen]]):
                call_id = f"call_{number}" if self.restarts else f"call_{reply}{number}"
                arguments = f'{{"place":  "{place}"}}'
                output.append(
                    {
                        **{"id": f"fc_{reply}{number}", "type": "function_call", "status": "completed"},
                        **{"arguments": arguments, "call_id": call_id, "name": body["tools"][0]["name"]},
                    }
                )
        if self.reasoning:
            self.follows[output[0]["id"]] = output[1]["id"]
            self.needs |= {item["id"]: output[0]["id"] for item in output[1:]}
        self.sent |= {item["id"]: item for item in output}
        return output

    def _message(self, reply: int, text: str, phase: str) -> Body:
        part = {"type": "output_text", "annotations": [], "logprobs": [], "text": text}
        message = {"id": f"msg_{reply}", "type": "message", "status": "completed", "content": [part]}
        return {**message, "role": "assistant", **({"phase": phase} if self.reasoning else {})}

    def events(self, body: Body, output: Sequence[Body]) -> Iterator[Body]:
        head = {"id": f"resp_{len(self.bodies)}", "object": "response", "model": body["model"], "error": None}
        usage = {
            **{"input_tokens": 120, "input_tokens_details": {"cached_tokens": 20}},
            **{"output_tokens": 30, "output_tokens_details": {"reasoning_tokens": 8}, "total_tokens": 150},
        }
        told = [
            {"type": "response.created", "response": {**head, "status": "in_progress", "output": []}},
            {"type": "response.in_progress", "response": {**head, "status": "in_progress", "output": []}},
            *(event for place, item in enumerate(output) for event in item_events(place, item)),
            {
                "type": "response.completed",
                "response": {**head, "status": "completed", "output": output, "usage": usage},
            },
        ]
        for number, event in enumerate(told):
            yield {**event, "sequence_number": number}


def line(event: Body) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode()


def item_events(place: int, item: Body) -> Iterator[Body]:
    """The events of one output item, from its announcement on."""
    about = {"output_index": place, "item_id": item["id"]}
    begun = {"reasoning": {"summary": []}, "message": {"content": []}, "function_call": {"arguments": ""}}[item["type"]]
    yield {
        "type": "response.output_item.added",
        "output_index": place,
        "item": {**item, **begun, "status": "in_progress"},
    }
    if item["type"] == "reasoning":
        for number, part in enumerate(item["summary"]):
            where = {**about, "summary_index": number}
            yield {"type": "response.reasoning_summary_part.added", **where, "part": {**part, "text": ""}}
            for piece in part["text"]:
                yield {"type": "response.reasoning_summary_text.delta", **where, "delta": piece}
            yield {"type": "response.reasoning_summary_text.done", **where, "text": part["text"]}
            yield {"type": "response.reasoning_summary_part.done", **where, "part": part}
    elif item["type"] == "message":
        for number, part in enumerate(item["content"]):
            where = {**about, "content_index": number}
            yield {"type": "response.content_part.added", **where, "part": {**part, "text": ""}}
            for piece in part["text"]:
                yield {"type": "response.output_text.delta", **where, "delta": piece, "logprobs": []}
            yield {"type": "response.output_text.done", **where, "text": part["text"], "logprobs": []}
            yield {"type": "response.content_part.done", **where, "part": part}
    else:
        for piece in item["arguments"]:
            yield {"type": "response.function_call_arguments.delta", **about, "delta": piece}
        yield {"type": "response.function_call_arguments.done", **about, "arguments": item["arguments"]}
    yield {"type": "response.output_item.done", "output_index": place, "item": item}


def _not_found(identity: str) -> str:
    return (
        f"Item with id '{identity}' not found. Items are not persisted when `store` is set to false. "
        "Try again with `store` set to true, or remove this item from your input."
    )
