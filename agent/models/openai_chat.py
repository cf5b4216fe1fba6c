"""Any server that speaks OpenAI's chat completions: hosted ones, Ollama, LM Studio, llama.cpp, vLLM and the like.

Where a server demands it, or where it is set so, a model is asked over the Responses API in place of them.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from pydantic_core import to_json

from agent.errors import BadRequest, ModelFailed, ToolsRefused
from agent.interface_text import Text
from agent.messages import Message, ToolRequest
from agent.models.capabilities import INSISTS, Capabilities, lesson
from agent.models.chunks import ReplyReader, truncation
from agent.models.model_failures import Failures, Problem
from agent.models.opaque import OUTPUT_ITEMS, object_text, read_others
from agent.models.protocol import Delta, Patience, Request
from agent.models.responses import openai_responses as responses
from agent.models.responses.response_stream import ResponseReader
from agent.models.window import Window
from agent.web.endpoint import normalise_endpoint

if TYPE_CHECKING:
    import httpx2

    # For the type checker alone: importing the package takes a second.
    from openai.types.chat import ChatCompletionMessageParam, ChatCompletionMessageToolCallUnionParam
    from openai.types.chat.chat_completion_message_function_tool_call_param import Function

    from agent.models.http_client import Connection
    from agent.settings import ApiChoice

# Beside the request as it is: so many refusals may be learned from in one call.
_LESSONS = 6
_MOST_STOPS = 4
_FULL = "model_context_window_exceeded"  # Z.ai: by the reply, or by the prompt already
PATIENCE = Patience()
_RESPONSES = INSISTS + responses.API
# Stands for the signature of a call that Gemini did not make, or that a person has changed.
_UNSIGNED = {"extra_content": {"google": {"thought_signature": "skip_thought_signature_validator"}}}


class OpenAIChat:
    """A chat model behind an OpenAI-compatible endpoint, for any number of calls and threads.

    ``endpoint`` is normalised (``BadRequest`` if it cannot be), ``capabilities`` is shared by all models of the
    process, taught by refusals, and keeps the connections. ``patience`` bounds every call. With ``stream=False``, or
    where the server ignores or refuses streaming, the reply comes as one delta. ``api`` is which of OpenAI's two APIs
    the model is asked over: chat completions until its server demands the other, or one of them whatever it says.
    """

    def __init__(
        self,
        endpoint: str,
        model: str,
        capabilities: Capabilities,
        key: str = "",
        *,
        stream: bool = True,
        patience: Patience = PATIENCE,
        api: ApiChoice = "auto",
    ) -> None:
        self.endpoint = normalise_endpoint(endpoint)
        self.name = model.strip()
        self._failures = Failures(self.endpoint, self.name, usable_key(key))
        self._capabilities = capabilities
        self._stream = stream
        self._patience = patience
        self._api = api

    def __repr__(self) -> str:
        return f"OpenAIChat({self.endpoint!r}, {self.name!r})"

    @property
    def refused(self) -> frozenset[str]:
        """Names of fields that are not sent to this model, by what is known now; as in ``Replied.left_out``."""
        names = self._capabilities.refused(self.endpoint, self.name)
        if self._api != "auto":
            names = names - {responses.API, _RESPONSES} | {responses.API if self._api == "chat" else _RESPONSES}
        return names | {"stop"} if responses.is_used(names) else names

    @property
    def takes_tools(self) -> bool:
        return self._capabilities.takes_tools(self.endpoint, self.name)

    def stream(self, request: Request) -> Generator[Delta]:
        """The reply; what the server turned out not to take is told first, in ``note``.

        Raises ``ToolsRefused`` where the request has tools and the server takes none, ``ModelFailed`` for the rest.
        What a refused length, or a prompt that was cut without a word, tells of the model's window is remembered.
        """
        try:
            yield from self._reply(request)
        except ModelFailed as error:
            if error.most:
                self._capabilities.learn_window(self.endpoint, self.name, Window(error.most, "refusal"))
            raise

    def _reply(self, request: Request) -> Generator[Delta]:
        notes: list[Delta] = []
        connection = self._capabilities.connections.to(self.endpoint, self._failures.key)
        response, reader = self._open(connection, request, notes)
        told = False
        try:
            yield from notes
            came = False
            for delta in self._deltas(connection, response, reader):
                came = came or bool(delta.text or delta.calls)
                if delta.finish == _FULL and not came:
                    raise self._failures.too_long()
                yield replace(delta, finish="length") if delta.finish == _FULL else delta
                if delta.usage and not told and (note := truncation(request.messages, delta.usage)):
                    told = True
                    self._capabilities.learn_cut(self.endpoint, self.name, delta.usage.input)
                    yield Delta(note=note)
        finally:
            response.close()

    def close(self) -> None:
        """Let go of the connection that is kept; a later call opens a new one."""
        self._capabilities.connections.let_go(self.endpoint, self._failures.key)

    def _open(
        self, connection: Connection, request: Request, notes: list[Delta]
    ) -> tuple[httpx2.Response, ReplyReader | ResponseReader]:
        unread = frozenset[str]()
        while True:
            left_out = self._left_out(request) | unread
            path, body = network_call(self.name, request, left_out)
            answer = connection.send("POST", path, self._failures, self._patience, encoded(body))
            if not isinstance(answer, Problem):
                if left_out:
                    notes.append(Delta(left_out=tuple(sorted(left_out))))
                return answer, (ResponseReader if path == responses.PATH else ReplyReader)(self._failures)
            name = self._lesson(answer, body, left_out)
            if not name or len(notes) == _LESSONS:
                raise self._failures.answered(answer)
            if name == OUTPUT_ITEMS:
                unread = frozenset({name})
            else:
                self._capabilities.learn(self.endpoint, self.name, name)
            if name == "tools":
                raise self._no_tools(answer)
            notes.append(Delta(note=self._note(name)))

    def _lesson(self, problem: Problem, body: dict[str, Any], left_out: frozenset[str]) -> str:
        """What a refusal teaches: as ``lesson``, or which of the two APIs to ask; "" for nothing."""
        absent = self._failures.answered(problem).reason == "path"
        if not responses.is_used(left_out):
            # Below this path Bedrock has GPT-5 over the Responses API alone.
            sent_there = responses.demanded(problem) or (absent and urlsplit(self.endpoint).path.startswith("/openai/"))
            return _RESPONSES if sent_there and responses.API not in left_out else lesson(problem, body, left_out)
        name = responses.responses_lesson(problem, body, left_out) or (responses.API if absent else "")
        return "" if name == responses.API and self._api != "auto" else name

    def _no_tools(self, problem: Problem | None = None) -> ToolsRefused:
        said = self._failures.clean(problem.message) if problem else ""
        happened = Text("‘{model}’ takes no tools at {where}.", model=self.name, where=self._failures.where)
        whole = Text("{sentence} It said: “{said}”", sentence=happened, said=said) if said else happened
        return ToolsRefused(whole, happened, said)

    def _note(self, name: str) -> str:
        if name == "stream":
            return Text("This server does not stream this model; the reply comes whole.")
        if name == "tool_choice":
            return Text("This server takes no ‘tool_choice’; asked for the answer without tools.")
        if name == "max_tokens":
            return Text("This server takes no ‘max_tokens’; sent as ‘max_completion_tokens’.")
        if name == _RESPONSES:
            return Text("This server wants this model to be asked over its Responses API; asked there.")
        if name == responses.API:
            return Text("This server has no Responses API for this model; asked over chat completions.")
        if name == OUTPUT_ITEMS:
            return Text("The server could not read what the model had sent along before; asked without it.")
        if name.startswith(INSISTS):
            return Text("This model insists on ‘{name}’; sent with it.", name=name.removeprefix(INSISTS))
        return Text("This server takes no ‘{name}’; sent without it.", name=name)

    def _left_out(self, request: Request) -> frozenset[str]:
        """Names of fields not to send. Raises ``ToolsRefused`` where the request cannot do without one of them."""
        left_out = self.refused
        if request.tools and "tools" in left_out and (request.may_call or "tool_choice" not in left_out):
            raise self._no_tools()
        return left_out if self._stream else left_out | {"stream"}

    def _deltas(
        self, connection: Connection, response: httpx2.Response, reader: ReplyReader | ResponseReader
    ) -> Iterator[Delta]:
        from agent.models.http_client import drain

        kind = response.headers.get("content-type", "")
        if "html" in kind:
            raise self._failures.garbage(b"<html")
        if "json" in kind:
            yield from reader.whole(connection.whole(response, self._failures, self._patience))
        else:
            body = connection.chunks(response, self._failures, self._patience)
            for received in _until_finished(body, reader):
                yield from reader.feed(received)
                if reader.done:
                    drain(response, body)
                    break
            else:
                yield from reader.close()
        if reader.finish == "content_filter":
            raise self._failures.filtered()


def usable_key(key: str) -> str:
    """The key without white space around it. Raises ``BadRequest`` for what cannot be sent in a header."""
    stripped = key.strip()
    if not stripped.isascii() or not stripped.isprintable() or " " in stripped:
        raise BadRequest(Text("The key has a space or a character in it that no key has. Copy it again."))
    return stripped


def _until_finished(chunks: Iterator[bytes], reader: ReplyReader | ResponseReader) -> Iterator[bytes]:
    """The body; a connection that breaks off after the model had finished is no failure."""
    try:
        yield from chunks
    except ModelFailed:
        if not reader.finish:
            raise


def network_call(model: str, request: Request, left_out: Collection[str] = ()) -> tuple[str, dict[str, Any]]:
    """The path behind the endpoint, and the JSON object that is sent there; ``left_out`` as in ``Replied``."""
    if responses.is_used(left_out):
        return responses.PATH, responses.responses_body(model, request, left_out)
    return "/chat/completions", chat_body(model, request, left_out)


def chat_body(model: str, request: Request, left_out: Collection[str] = ()) -> dict[str, Any]:
    """The JSON object that is sent; ``left_out`` are names of fields that the server refuses, or insists on with ``+``.

    ``stream`` among them asks for a whole reply, ``max_tokens`` is then sent as ``max_completion_tokens``, and with
    ``tool_choice`` a request that forbids calls has no tools at all.
    """
    body: dict[str, Any] = {
        "model": model,
        "messages": [_message(message, {*left_out, OUTPUT_ITEMS}) for message in request.messages],
    }
    if "stream" not in left_out:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    if request.stop:
        body["stop"] = list(request.stop[:_MOST_STOPS])
    body |= {name: value for name, value in request.parameters.items() if value is not None}
    if request.prompt_cache_key:
        body["prompt_cache_key"] = request.prompt_cache_key
    if "max_tokens" in body and "max_tokens" in left_out:
        body["max_completion_tokens"] = body.pop("max_tokens")
    if f"{INSISTS}reasoning_effort" in left_out:
        body["reasoning_effort"] = "none"
    if request.tools and (request.may_call or "tool_choice" not in left_out):
        body["tools"] = [{"type": "function", "function": tool} for tool in request.tools]
        if not request.may_call:
            body["tool_choice"] = "none"
    return {name: value for name, value in body.items() if name not in left_out}


def encoded(body: dict[str, Any]) -> bytes:
    """The bytes of a body as they go over the network."""
    return to_json(body)


def _message(message: Message, left_out: Collection[str]) -> ChatCompletionMessageParam:
    match message.role:
        case "system":
            return {"role": "system", "content": message.content}
        case "user":
            return {"role": "user", "content": message.content}
        case "tool":
            return {"role": "tool", "tool_call_id": message.call_id, "content": message.content}
        case "assistant":
            others = read_others(message.opaque, left_out)
            told: ChatCompletionMessageParam = {"role": "assistant", "content": message.content}
            if message.requests:
                if f"{INSISTS}reasoning_content" in left_out:
                    others.setdefault("reasoning_content", "")
                signed = f"{INSISTS}thought_signature" not in left_out or any(call.opaque for call in message.requests)
                calls = [_call(call, left_out) for call in message.requests]
                told["tool_calls"] = calls if signed else [cast("Any", {**calls[0], **_UNSIGNED}), *calls[1:]]
            return cast("ChatCompletionMessageParam", {**others, **told})


def _call(call: ToolRequest, left_out: Collection[str]) -> ChatCompletionMessageToolCallUnionParam:
    function: Function = {"name": call.name, "arguments": object_text(call.arguments)}
    told: ChatCompletionMessageToolCallUnionParam = {"id": call.id, "type": "function", "function": function}
    return cast("ChatCompletionMessageToolCallUnionParam", {**read_others(call.opaque, left_out), **told})
