"""Model servers as strict as the real ones: each refuses what its maker refuses, and sends what that one sends.

A ``Provider`` is the script of a ``ModelServer``: it calls the tool ``tide`` for Hobart and for Oslo, one after the
other or both at once, and then answers. Without tools in the request it does the same in text: with labels, or both
calls at once in a form of its own, as models do. What a server is known to take is not refused.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from agent.toolkit.base import tool
from tests.support.servers.model_server import Reply

# Fields of a request to chat completions that every server of the makers here takes.
USUAL = {
    *("model", "messages", "stream", "stream_options", "temperature", "top_p", "n", "seed", "stop", "max_tokens"),
    *("max_completion_tokens", "tools", "tool_choice", "parallel_tool_calls", "response_format", "reasoning_effort"),
    *("user", "logprobs", "top_logprobs"),
}
DUMMY = "skip_thought_signature_validator"
Body = dict[str, Any]


@tool
def tide(place: str) -> str:
    """Tells the height of the tide.

    Args:
        place: The place.
    """
    return f"{place}: {len(place)} m"


def chunk(delta: Mapping[str, Any], finish: str | None = None) -> Body:
    return {"id": "1", "object": "chat.completion.chunk", "choices": [{"delta": delta, "finish_reason": finish}]}


def routed(delta: Mapping[str, Any], upstream: str, finish: str | None = None) -> Body:
    """A chunk of OpenRouter's, which names the provider that it comes from."""
    choice = {"delta": delta, "finish_reason": finish, "native_finish_reason": finish and finish.upper()}
    return {"id": "gen-1", "provider": upstream, "object": "chat.completion.chunk", "choices": [choice]}


def streamed(*deltas: Mapping[str, Any], finish: str) -> Reply:
    return Reply(events=[*map(chunk, deltas), chunk({}, finish)])


def calls_of(body: Body) -> list[Body]:
    """The assistant messages with calls, all turns."""
    return [message for message in body["messages"] if message.get("tool_calls")]


def current(body: Body) -> list[Body]:
    """Those of this turn."""
    messages = body["messages"]
    begins = max(place for place, message in enumerate(messages) if message["role"] == "user")
    return [message for message in messages[begins:] if message.get("tool_calls")]


def refused(message: str, wrapped: bool = False, **more: Any) -> Reply:
    error = {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}}
    return Reply(status=400, body=[error] if wrapped else error)


def told(body: Body) -> str:
    """All text of the messages."""
    texts: list[str] = []
    for message in body["messages"]:
        content = message.get("content") or ""
        parts = [{"text": content}] if isinstance(content, str) else content
        texts += [str(part.get("text", "")) for part in parts]
    return "\n".join(texts)


def pictures(body: Body) -> list[str]:
    """The addresses of all pictures in the messages."""
    parts = [
        part for message in body["messages"] if isinstance(message["content"], list) for part in message["content"]
    ]
    return [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]


def turn(messages: Sequence[Body]) -> list[Body]:
    """What followed the last question, on the text wire; results are told there as the person's, with a label."""
    asked = [n for n, each in enumerate(messages) if each["role"] == "user" and "Observation" not in told_of(each)]
    return [*messages[asked[-1] + 1 :]]


def told_of(message: Body) -> str:
    return told({"messages": [message]})


def text_step(so_far: str, parallel: bool) -> str:
    """The next reply on the text wire, after what was said and observed in this turn."""
    places = ["Hobart", "Oslo"][len(re.findall(r"\d m\b", so_far)) :]
    if len(places) < 2 and (parallel or not places):
        return "Thought: I know.\nFinal Answer: The tides are 6 m and 4 m."
    if parallel:
        calls = [{"name": "tide", "arguments": {"place": place}} for place in places]
        return "I look.\n" + "\n".join(f"<tool_call>\n{json.dumps(call)}\n</tool_call>" for call in calls)
    return f"Thought: I look.\nAction: tide\nAction Input: {places[0]}\n"


def assert_order(messages: Sequence[Body]) -> None:
    """Each call is answered at once, in the order of the calls, and nothing else is."""
    open_calls: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            assert open_calls, "a result without its call"
            assert message["tool_call_id"] == open_calls.pop(0)
            assert isinstance(message["content"], str)
            continue
        assert not open_calls, "a call without its result"
        open_calls = [asked["id"] for asked in message.get("tool_calls", ())]
        assert all(
            isinstance(json.loads(asked["function"]["arguments"]), dict) for asked in message.get("tool_calls", ())
        )
    assert not open_calls, "a call without its result"


@dataclass
class Provider:
    """A server that calls ``tide`` for two places, one call or both at once, then answers; as one make of server."""

    parallel: bool = False
    blind: ClassVar[str] = ""  # the refusal of pictures, of a maker whose models see none
    issued: dict[str, str] = field(default_factory=dict[str, str])  # what was sent, and by which model

    def __call__(self, body: Body) -> Reply:
        assert_order(body["messages"])
        assert all(address.startswith("data:image/") for address in pictures(body))
        if self.blind and pictures(body):
            return refused(self.blind)
        if refusal := self.check(body):
            return refusal
        return self.reply(body) if body.get("tools") or "Action Input:" not in told(body) else self.in_text(body)

    def check(self, body: Body) -> Reply | None:
        """What the maker's server refuses of this request."""
        return None

    def in_text(self, body: Body) -> Reply:
        """The same steps as text."""
        text = text_step(told({"messages": turn(body["messages"])}), self.parallel)
        return self.said({"role": "assistant", "content": ""}, {"content": text})

    def said(self, *deltas: Mapping[str, Any]) -> Reply:
        return streamed(*deltas, finish="stop")

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        raise NotImplementedError

    def reply(self, body: Body) -> Reply:
        steps = len(current(body))
        if body.get("tool_choice") == "none" or not body.get("tools") or steps > (0 if self.parallel else 1):
            return self.answered(body)
        return self.called(body, ["Hobart", "Oslo"] if self.parallel else [["Hobart", "Oslo"][steps]])

    def answered(self, body: Body) -> Reply:
        return self.said({"role": "assistant", "content": "The tides are "}, {"content": "6 m and 4 m."})

    def new(self, body: Body) -> str:
        """Something that only the model of ``body`` can read."""
        made = f"+/{len(self.issued)}é=="
        self.issued[made] = body["model"]
        return made

    def known(self, body: Body, text: object) -> bool:
        return self.issued.get(str(text)) == body["model"]


def call(place: str, identity: str, **more: Any) -> Body:
    function = {"name": "tide", "arguments": json.dumps({"place": place})}
    return {"id": identity, "type": "function", "function": function, **more}


class Gemini(Provider):
    """Signs the first call of a step, gives no index, and wants the signature back in the current turn."""

    def check(self, body: Body) -> Reply | None:
        if len(body.get("stop", ())) > 5:
            text = "the number of stop_sequences must not exceed 5"
            return refused(text, wrapped=True, status="INVALID_ARGUMENT", code=400)
        for message in current(body):
            first, *others = message["tool_calls"]
            signature = first.get("extra_content", {}).get("google", {}).get("thought_signature")
            if signature is None:
                text = "Function call is missing a thought_signature in functionCall parts."
                return refused(text, wrapped=True, status="INVALID_ARGUMENT", code=400)
            if signature != DUMMY and not self.known(body, signature):
                return refused("Corrupted thought signature.", wrapped=True, status="INVALID_ARGUMENT", code=400)
            assert all("extra_content" not in other for other in others)
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        signed = {"extra_content": {"google": {"thought_signature": self.new(body)}}}
        deltas = [
            {"tool_calls": [call(place, f"g{len(self.issued)}{number}", **({} if number else signed))]}
            for number, place in enumerate(names)
        ]
        return streamed(*deltas, finish="tool_calls")


class DeepSeek(Provider):
    """Thinks aloud, and wants that back with every message that has calls, in all turns."""

    blind = "Failed to deserialize the JSON body: messages[1]: unknown variant `image_url`, expected `text`"
    refusal = "The `reasoning_content` in the thinking mode must be passed back to the API."

    def check(self, body: Body) -> Reply | None:
        for place, message in enumerate(body["messages"]):
            if message["role"] in ("tool", "assistant") and isinstance(message.get("content"), list):
                text = f"Failed to deserialize the JSON body into the target type: messages[{place}]: "
                return refused(f"{text}invalid type: sequence, expected a string")
        for message in calls_of(body):
            if "reasoning_content" not in message:
                return refused(self.refusal)
            assert message["reasoning_content"] == "" or self.known(body, message["reasoning_content"])
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        thought = self.new(body)
        pieces = [{"reasoning_content": thought[:3]}, {"reasoning_content": thought[3:]}]
        asked = [call(place, f"d{thought}{number}", index=number) for number, place in enumerate(names)]
        return streamed({"role": "assistant", "content": ""}, *pieces, {"tool_calls": asked}, finish="tool_calls")


class Kimi(DeepSeek):
    """Takes no temperature, counts the ids of its calls over the chat, and tells its usage within the choice."""

    blind = ""
    refusal = "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"

    def check(self, body: Body) -> Reply | None:
        if "temperature" in body:
            return refused("invalid temperature: only 1 is allowed for this model")
        ids = [asked["id"] for message in calls_of(body) for asked in message["tool_calls"]]
        assert len(set(ids)) == len(ids)
        return super().check(body)

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        thought, before = self.new(body), sum(len(message["tool_calls"]) for message in calls_of(body))
        asked = [call(place, f"functions.tide:{before + n}", index=n) for n, place in enumerate(names)]
        return self.told({"reasoning_content": thought}, {"tool_calls": asked}, finish="tool_calls")

    def said(self, *deltas: Mapping[str, Any]) -> Reply:
        return self.told(*deltas, finish="stop")

    def told(self, *deltas: Mapping[str, Any], finish: str) -> Reply:
        last = chunk({}, finish)
        last["choices"][0]["usage"] = {"prompt_tokens": 300, "completion_tokens": 20, "total_tokens": 320}
        return Reply(events=[*map(chunk, deltas), last])


class OpenRouter(Provider):
    """Sends details of its reasoning in pieces, and wants the list back as it was."""

    def check(self, body: Body) -> Reply | None:
        for message in calls_of(body):
            details = message.get("reasoning_details")
            if details is not None:
                written = json.dumps(details, ensure_ascii=False)
                assert self.known(body, written), written
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        number = len(self.issued)
        pieces: list[Body] = [
            {"type": "reasoning.text", "text": f"I look {number} ", "format": "a-v1", "index": 0},
            {"type": "reasoning.text", "text": "it up.", "format": "a-v1", "index": 0},
            {"type": "reasoning.text", "signature": f"S{number}", "format": "a-v1", "index": 0},
            {"type": "reasoning.encrypted", "data": "gAAA", "id": "rs_1", "format": "a-v1", "index": 1},
        ]
        text = {"type": "reasoning.text", "text": f"I look {number} it up.", "format": "a-v1", "index": 0}
        whole = [{**text, "signature": f"S{number}"}, pieces[-1]]
        self.issued[json.dumps(whole, ensure_ascii=False)] = body["model"]
        asked = [call(place, f"o{number}{n}", index=n) for n, place in enumerate(names)]
        details = [{"reasoning_details": [piece]} for piece in pieces]
        return self.commented(*details, {"tool_calls": asked}, finish="tool_calls")

    def said(self, *deltas: Mapping[str, Any]) -> Reply:
        return self.commented(*deltas, finish="stop")

    def commented(self, *deltas: Mapping[str, Any], finish: str) -> Reply:
        comment = b": OPENROUTER PROCESSING\n\n"
        return Reply(
            events=[comment, comment, *(routed(delta, "A") for delta in deltas), comment, routed({}, "A", finish)]
        )


class Groq(Provider):
    """Sends its reasoning, and refuses to be sent it, and whatever field it does not know."""

    def check(self, body: Body) -> Reply | None:
        for key in body.keys() - USUAL - {"reasoning_format", "service_tier"}:
            return refused(f"property '{key}' is unsupported")
        for place, message in enumerate(body["messages"]):
            if "reasoning" in message:
                return refused(
                    f"'messages.{place}' : for 'role:assistant' the following must be satisfied"
                    f"[('messages.{place}' : property 'reasoning' is unsupported)]"
                )
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        asked = [call(place, f"q{len(body['messages'])}{n}", index=n) for n, place in enumerate(names)]
        return streamed({"reasoning": "Two places."}, {"tool_calls": asked}, finish="tool_calls")


class GroqByGateway(Groq):
    """A router of another make: it names the provider, and takes no field that Groq does not know."""

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        reply = super().called(body, names)
        named = [{**event, "provider": "groq"} if isinstance(event, dict) else event for event in reply.events or ()]
        return Reply(events=named)


class OpenAI(Provider):
    """GPT-5.6: takes tools only where it is told not to reason; while it reasons neither stop words nor temperature."""

    def check(self, body: Body) -> Reply | None:
        effort, model = body.get("reasoning_effort"), body["model"]
        if body.get("tools") and effort != "none":
            text = (
                f"Function tools with reasoning_effort are not supported for {model} in /v1/chat/completions. "
                "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
            )
            return refused(text, param="reasoning_effort")
        if effort == "minimal":
            text = "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model."
            return refused(text, param="reasoning_effort", code="unsupported_value")
        if "max_tokens" in body:
            text = "Unsupported parameter: 'max_tokens' is not supported with this model. "
            text += "Use 'max_completion_tokens' instead."
            return refused(text, param="max_tokens", code="unsupported_parameter")
        if effort != "none" and "stop" in body:
            text = "Unsupported parameter: 'stop' is not supported with this model."
            return refused(text, param="stop", code="unsupported_parameter")
        if effort != "none" and body.get("temperature", 1) != 1:
            text = (
                "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is"
            )
            return refused(f"{text} supported.", param="temperature", code="unsupported_value")
        return self.of_the_messages(body)

    def of_the_messages(self, body: Body) -> Reply | None:
        if len(body.get("stop", ())) > 4:
            return refused("Invalid 'stop': array too long.", param="stop", code="array_above_max_length")
        names = [each["function"]["name"] for each in body.get("tools", ())]
        for place, message in enumerate(body["messages"]):
            for asked in message.get("tool_calls", ()):
                names.append(asked["function"]["name"])
                if len(asked["id"]) > 40:
                    text = f"Invalid 'messages[{place}].tool_calls[0].id': string too long."
                    return refused(text, param=f"messages[{place}].tool_calls[0].id", code="string_above_max_length")
        if any(not re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in names):
            text = "Invalid 'tools[0].function.name': string does not match pattern."
            return refused(text, param="tools[0].function.name", code="invalid_value")
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        asked = [call(place, f"a{len(body['messages'])}{n}", index=n) for n, place in enumerate(names)]
        return streamed({"role": "assistant", "content": None, "tool_calls": asked}, finish="tool_calls")


class Mistral(Provider):
    """Sends its content as a list, wants ids of its own form, and an assistant between a result and the person."""

    def check(self, body: Body) -> Reply | None:
        told = body["messages"]
        for last, message in itertools.pairwise(told):
            if (last["role"], message["role"]) == ("tool", "user"):
                return self.refusal("Unexpected role 'user' after role 'tool'", "invalid_request_message_order", "3230")
        for message in told:
            ids = [call["id"] for call in message.get("tool_calls", ())] + [message.get("tool_call_id", "a" * 9)]
            for each in ids:
                if not re.fullmatch("[a-zA-Z0-9]{9}", each):
                    text = f"Tool call id was {each} but must be a-z, A-Z, 0-9, with a length of 9."
                    return self.refusal(text, "invalid_function_call", "3280")
            if message["role"] == "assistant" and not message.get("content") and not message.get("tool_calls"):
                return self.refusal(
                    "Assistant message must have either content or tool_calls", "invalid_request", "3240"
                )
            if message["role"] == "assistant" and isinstance(message["content"], list):
                assert self.known(body, json.dumps(message["content"])), message
        if told[-1]["role"] == "assistant":
            text = "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant"
            return self.refusal(text, "invalid_request_message_order", "3230")
        return None

    def refusal(self, message: str, kind: str, code: str) -> Reply:
        return Reply(
            status=400, body={"object": "error", "message": message, "type": kind, "param": None, "code": code}
        )

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        number = len(self.issued)
        pieces = [
            {"type": "thinking", "thinking": [{"type": "text", "text": text}]} for text in ("I look ", f"{number}.")
        ]
        whole = {"type": "thinking", "thinking": [{"type": "text", "text": f"I look {number}."}]}
        self.issued[json.dumps([whole])] = body["model"]
        asked = [call(place, f"m{number:05}{n:03}", index=n) for n, place in enumerate(names)]
        return streamed(*({"content": [piece]} for piece in pieces), {"tool_calls": asked}, finish="tool_calls")


class GeminiByOpenRouter(Provider):
    """Wants the encrypted details of its reasoning back in the current turn, or what stands for them.

    Each request goes to another of two upstreams, but where one is asked for; each reads its own details alone.
    """

    upstreams: ClassVar[Mapping[str, str]] = {"google-ai-studio": "Google AI Studio", "google-vertex": "Google"}

    def upstream(self, body: Body) -> str:
        order = [name for name in body.get("provider", {}).get("order", ()) if name in self.upstreams]
        return order[0] if order else [*self.upstreams][len(self.issued) % 2]

    def check(self, body: Body) -> Reply | None:
        for message in current(body):
            details = message.get("reasoning_details", ())
            if not details:
                return self.refusal(
                    "Gemini models require OpenRouter reasoning details to be preserved in each request. …"
                )
            for each in details:
                if each["data"] == DUMMY:
                    continue
                if not self.known(body, each["data"]) or not each["data"].startswith(self.upstream(body)):
                    return self.refusal("Corrupted thought signature.")
        return None

    def refusal(self, raw: str) -> Reply:
        error = {"message": "Provider returned error", "code": 400, "metadata": {"raw": raw}}
        return Reply(status=400, body={"error": error})

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        asked = [call(place, f"r{len(self.issued)}{n}", index=n) for n, place in enumerate(names)]
        upstream = self.upstream(body)
        data = f"{upstream}/{len(self.issued)}é=="
        self.issued[data] = body["model"]
        details = [{"type": "reasoning.encrypted", "data": data, "id": asked[0]["id"], "index": 0}]
        deltas = ({"reasoning_details": details}, {"tool_calls": asked})
        name = self.upstreams[upstream]
        return Reply(events=[*(routed(delta, name) for delta in deltas), routed({}, name, "tool_calls")])


def plain_calls(names: Sequence[str], body: Body, prefix: str) -> list[Body]:
    return [call(place, f"{prefix}{len(body['messages'])}{n}", index=n) for n, place in enumerate(names)]


class Anthropic(Provider):
    """OpenAI's path at Anthropic: no empty messages, ids of word characters."""

    def check(self, body: Body) -> Reply | None:
        for place, message in enumerate(body["messages"]):
            ids = [asked["id"] for asked in message.get("tool_calls", ())] + [message.get("tool_call_id", "a")]
            for each in ids:
                if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", each):
                    text = f"messages.{place}.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
                    return refused(text)
            if not message.get("content") and not message.get("tool_calls"):
                return refused("messages: all messages must have non-empty content")
        for place, each in enumerate(body.get("tools", ())):
            if not re.fullmatch("[a-zA-Z0-9_-]{1,128}", each["function"]["name"]):
                return refused(f"tools.{place}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
        if body.get("n", 1) != 1:
            return refused("n: must be 1")
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        return streamed({"role": "assistant"}, {"tool_calls": plain_calls(names, body, "toolu_")}, finish="tool_calls")


class Azure(OpenAI):
    """A deployment that does not reason; its first chunk has no choices, and later ones come without a delta."""

    def check(self, body: Body) -> Reply | None:
        return self.of_the_messages(body)

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        return self.filtered({"tool_calls": plain_calls(names, body, "call_")}, finish="tool_calls")

    def said(self, *deltas: Mapping[str, Any]) -> Reply:
        return self.filtered(*deltas, finish="stop")

    def filtered(self, *deltas: Mapping[str, Any], finish: str) -> Reply:
        results = [{"prompt_index": 0, "content_filter_results": {"hate": {"filtered": False, "severity": "safe"}}}]
        first = {"choices": [], "created": 0, "id": "", "model": "", "object": "", "prompt_filter_results": results}
        late = {"choices": [{"index": 0, "finish_reason": None, "content_filter_offsets": {"check_offset": 44}}]}
        return Reply(events=[first, *map(chunk, deltas), {**late, "id": "", "object": ""}, chunk({}, finish)])


class MiniMax(Provider):
    """Thinks in its content, and wants that text back in the turn."""

    def check(self, body: Body) -> Reply | None:
        for message in current(body):
            content = message.get("content") or ""
            assert "<think>" not in content or self.known(body, re.sub(r"</?think>|\s", "", content)), content
            if "<think>" not in content and any(each == body["model"] for each in self.issued.values()):
                mine = {asked["id"] for asked in message["tool_calls"]} & self.issued.keys()
                assert not any(self.issued[each] == body["model"] for each in mine), "the thought is lost"
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        thought = self.new(body)
        asked = plain_calls(names, body, f"x{len(self.issued)}")
        self.issued |= {each["id"]: body["model"] for each in asked}
        pieces = [{"content": "<think>"}, {"content": f"{thought}</think>"}, {"content": "\n"}]
        return streamed(*pieces, {"tool_calls": asked}, finish="tool_calls")


class XAI(Provider):
    """Reasoning models take no ``stop``; its error is a string."""

    def check(self, body: Body) -> Reply | None:
        for key, name in (("stop", "stop"), ("presence_penalty", "presencePenalty")):
            if key in body:
                said = f"Model {body['model']} does not support parameter {name}."
                return Reply(status=400, body={"code": "Client specified an invalid argument", "error": said})
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        deltas = [
            {"reasoning_content": "Two."},
            {"role": "assistant", "content": "", "tool_calls": plain_calls(names, body, "call-")},
        ]
        return streamed(*deltas, finish="tool_calls")


class Cerebras(Provider):
    """Refuses fields by name, in a shape of its own."""

    blind = (
        "Content type 'image_url' is only supported by certain models. image_url is only supported by vision models."
    )

    def check(self, body: Body) -> Reply | None:
        for key in ("prompt_cache_key", "parallel_tool_calls", "service_tier", "frequency_penalty", "presence_penalty"):
            if key in body:
                error = {"message": f"{key}: property is not supported", "type": "invalid_request_error"}
                return Reply(status=400, body={**error, "param": key, "code": "wrong_api_format"})
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        return streamed({"tool_calls": plain_calls(names, body, "c")}, finish="tool_calls")


class Ollama(Provider):
    """Calls come whole, with ``stop`` or nothing as the reason; reasoning as ``reasoning``."""

    def check(self, body: Body) -> Reply | None:
        for message in body["messages"]:
            if message.get("content") is None and not message.get("tool_calls"):
                return refused("invalid message content type: <nil>")
        if any(not re.match("data:image/(?:jpeg|jpg|png|webp);base64,", address) for address in pictures(body)):
            return refused("image URLs are not currently supported, please use base64 encoded data instead")
        efforts = ("minimal", "low", "medium", "high", "xhigh", "ultra", "max", "none")
        if (effort := body.get("reasoning_effort", "none")) not in efforts:
            return refused(f'invalid reasoning value: "{effort}" (must be "minimal", "low", "medium", …)')
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        deltas = [{"role": "assistant", "content": "", "reasoning": "Hm."}]
        deltas += [
            {"role": "assistant", "content": "", "tool_calls": [each]} for each in plain_calls(names, body, "call_")
        ]
        return streamed(*deltas, finish="stop")


class LMStudio(Provider):
    """Splits names and arguments over chunks; an error is a string."""

    def check(self, body: Body) -> Reply | None:
        for each in body.get("tools", ()):
            if not isinstance(each["function"].get("strict", False), bool):
                return Reply(status=400, body={"error": "Invalid type for 'tools.0.function.strict'."})
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        deltas: list[Body] = []
        for number, each in enumerate(plain_calls(names, body, "")):
            function = each["function"]
            deltas.append({"tool_calls": [{**each, "index": number, "function": {"name": "tide", "arguments": ""}}]})
            deltas += [
                {"tool_calls": [{"index": number, "function": {"arguments": piece}}]} for piece in function["arguments"]
            ]
        return streamed({"role": "assistant"}, *deltas, finish="tool_calls")


class LlamaCpp(Provider):
    """Its template wants one system message at the beginning, and that the roles take turns."""

    def check(self, body: Body) -> Reply | None:
        roles = [message["role"] for message in body["messages"]]
        last = "Cannot have 2 or more assistant messages at the end of the list."
        if roles[-2:] == ["assistant", "assistant"]:
            return refused(last, code=400)
        for before, after in itertools.pairwise(roles):
            if after == "system" or (before == after == "user"):
                said = "Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/..."
                return Reply(status=500, body={"error": {"code": 500, "message": said, "type": "server_error"}})
        if body.get("tools") and "grammar" in body:
            return refused("Cannot use custom grammar constraints with tools.", code=400)
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        deltas = [{"role": "assistant", "content": None}, {"tool_calls": plain_calls(names, body, "l")}]
        return streamed(*deltas, finish="tool_calls")


class VLLM(Provider):
    """Refuses an empty list of tools; its usage comes with every chunk, and its calls by pieces."""

    def check(self, body: Body) -> Reply | None:
        if body.get("tools") == []:
            text = "`tools` must not be an empty array. Either provide at least one tool or omit the field entirely."
            return refused(text, type="BadRequestError", param="tools", code=400)
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        asked = plain_calls(names, body, "chatcmpl-tool-")
        deltas = [{"role": "assistant", "content": "", "reasoning": "Let me see."}]
        deltas += [{"tool_calls": [each]} for each in asked]
        events = [chunk(delta) for delta in deltas] + [chunk({}, "tool_calls")]
        usage = {"prompt_tokens": 200, "completion_tokens": 1}
        return Reply(events=[{**event, "usage": {**usage, "total_tokens": 201}} for event in events])


PROVIDERS: dict[str, type[Provider]] = {
    kind.__name__: kind
    for kind in (
        *(Gemini, DeepSeek, Kimi, OpenRouter, Groq, GroqByGateway, OpenAI, Mistral, GeminiByOpenRouter),
        *(Anthropic, Azure, MiniMax, XAI, Cerebras, Ollama, LMStudio, LlamaCpp, VLLM),
    )
}
