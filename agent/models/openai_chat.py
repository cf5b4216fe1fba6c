"""Any server that speaks OpenAI's chat completions: hosted ones, Ollama, LM Studio, llama.cpp, vLLM and the like."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, cast

from pydantic_core import from_json, to_json

from agent.errors import BadRequest, ModelFailed, ToolsRefused
from agent.interface_text import Text
from agent.messages import Message, ToolRequest
from agent.models.capabilities import Capabilities
from agent.models.chunks import ReplyReader, truncation
from agent.models.model_failures import Failures
from agent.models.opaque import content_parts, read_others
from agent.models.protocol import Delta, Patience, Request
from agent.models.refusals.lessons import FILLED, INSISTS, is_of_one_tool, is_refused, lesson, note
from agent.models.refusals.message_shapes import shaped
from agent.models.refusals.problems import Problem
from agent.models.window import Window
from agent.web.endpoint import normalise_endpoint

if TYPE_CHECKING:
    import httpx2

    # For the type checker alone: importing the package takes a second.
    from openai.types.chat import ChatCompletionMessageParam, ChatCompletionMessageToolCallUnionParam
    from openai.types.chat.chat_completion_message_function_tool_call_param import Function

    from agent.models.http_client import Connection

# Beside the request as it is: so many refusals may be learned from in one call.
_LESSONS = 6
_MOST_STOPS = 4
_QUIET = 4  # pieces of a stream that say nothing
_FULL = "model_context_window_exceeded"  # Z.ai: by the reply, or by the prompt already
PATIENCE = Patience()
# Stands for the signature of a call that Gemini did not make, or that a person has changed.
_DUMMY = "skip_thought_signature_validator"
_UNSIGNED = {"extra_content": {"google": {"thought_signature": _DUMMY}}}


class OpenAIChat:
    """A chat model behind an OpenAI-compatible endpoint, for any number of calls and threads.

    ``endpoint`` is normalised (``BadRequest`` if it cannot be), ``capabilities`` is shared by all models of the
    process, taught by refusals, and keeps the connections. ``patience`` bounds every call. With ``stream=False``, or
    where the server ignores or refuses streaming, the reply comes as one delta.
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
    ) -> None:
        self.endpoint = normalise_endpoint(endpoint)
        self.name = model.strip()
        self._failures = Failures(self.endpoint, self.name, usable_key(key))
        self._capabilities = capabilities
        self._stream = stream
        self._patience = patience

    def __repr__(self) -> str:
        return f"OpenAIChat({self.endpoint!r}, {self.name!r})"

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
        connection = self._capabilities.connections.to(self.endpoint, self._failures.key)
        notes, for_now = list[Delta](), frozenset[str]()
        for tried in count():
            left_out = self._left_out(request) | for_now
            if left_out:
                notes.append(Delta(left_out=tuple(sorted(left_out))))
            body = chat_body(self.name, request, left_out)
            problem = yield from self._once(connection, request, body, notes)
            if problem is None:
                return
            if problem.written.strip() and request.tools:
                yield from notes
                yield Delta(note=Text("The server could not read what the model wrote; it was read here."))
                yield Delta(problem.written, finish="stop")
                return
            taught = lesson(problem, body, left_out)
            if taught is None or tried == _LESSONS:
                raise self._one_tool_refused(problem) if is_of_one_tool(problem) else self._failures.answered(problem)
            if taught.kept:
                self._capabilities.learn(self.endpoint, self.name, taught.name)
            else:
                for_now |= {taught.name}
            if taught.name == "tools":
                raise self._no_tools(problem)
            notes.append(Delta(note=note(taught.name)))

    def _once(
        self, connection: Connection, request: Request, body: dict[str, Any], notes: list[Delta]
    ) -> Generator[Delta, None, Problem | None]:
        """The ``notes``, taken off, and the reply; in place of it the error that came before all else.

        So it is with one that came later where it has what the model wrote.
        """
        answer = connection.send("POST", "/chat/completions", self._failures, self._patience, encoded(body))
        if isinstance(answer, Problem):
            return answer
        reader, came = ReplyReader(self._failures), False
        try:
            while notes:
                yield notes.pop(0)
            for delta in self._told(reader, connection, answer, request):
                came = came or bool(delta.text or delta.calls or delta.reasoning)
                yield delta
        except ModelFailed:
            if reader.problem and (reader.problem.written or not came):
                return reader.problem
            raise
        finally:
            answer.close()
        return None

    def _told(
        self, reader: ReplyReader, connection: Connection, response: httpx2.Response, request: Request
    ) -> Iterator[Delta]:
        """The deltas of a reply; a prompt that was too long for the server, or cut by it, is noticed."""
        told = came = False
        for delta in self._deltas(reader, connection, response):
            came = came or bool(delta.text or delta.calls)
            if delta.finish == _FULL and not came:
                raise self._failures.too_long()
            yield replace(delta, finish="length") if delta.finish == _FULL else delta
            if delta.usage and not told and (note := truncation(request.messages, delta.usage)):
                told = True
                self._capabilities.learn_cut(self.endpoint, self.name, delta.usage.input)
                yield Delta(note=note)

    def close(self) -> None:
        """Let go of the connection that is kept; a later call opens a new one."""
        self._capabilities.connections.let_go(self.endpoint, self._failures.key)

    def _no_tools(self, problem: Problem | None = None) -> ToolsRefused:
        said = self._failures.clean(problem.message) if problem else ""
        happened = Text("‘{model}’ takes no tools at {where}.", model=self.name, where=self._failures.where)
        whole = Text("{sentence} It said: “{said}”", sentence=happened, said=said) if said else happened
        return ToolsRefused(whole, happened, said)

    def _one_tool_refused(self, problem: Problem) -> ToolsRefused:
        """One of the tools is not taken as it is; the text wire has room for any."""
        failed = self._failures.answered(problem)
        return ToolsRefused(failed.text, failed.happened, failed.said)

    def _left_out(self, request: Request) -> frozenset[str]:
        """Names of fields not to send. Raises ``ToolsRefused`` where the request cannot do without one of them."""
        left_out = self._capabilities.refused(self.endpoint, self.name)
        if request.tools and "tools" in left_out and (request.may_call or "tool_choice" not in left_out):
            raise self._no_tools()
        return left_out if self._stream else left_out | {"stream"}

    def _deltas(self, reader: ReplyReader, connection: Connection, response: httpx2.Response) -> Iterator[Delta]:
        from agent.models.http_client import drain

        kind = response.headers.get("content-type", "")
        if "html" in kind:
            raise self._failures.garbage(b"<html")
        if "json" in kind:
            yield from reader.whole(connection.whole(response, self._failures, self._patience))
        else:
            body = connection.chunks(response, self._failures, self._patience)
            quiet = 0
            for received in _until_finished(body, reader):
                quiet += 1
                for delta in reader.feed(received):
                    quiet = 0
                    yield delta
                if quiet > _QUIET:
                    # Comments and empty chunks alone: whoever reads can look whether to go on.
                    yield Delta()
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


def _until_finished(chunks: Iterator[bytes], reader: ReplyReader) -> Iterator[bytes]:
    """The body; a connection that breaks off after the model had finished is no failure."""
    try:
        yield from chunks
    except ModelFailed:
        if not reader.finish:
            raise


def chat_body(model: str, request: Request, left_out: Collection[str] = ()) -> dict[str, Any]:
    """The JSON object that is sent; ``left_out`` are names of fields that the server refuses, or insists on with ``+``.

    ``stream`` among them asks for a whole reply, ``max_tokens`` is then sent as ``max_completion_tokens``, and with
    ``tool_choice`` a request that forbids calls has no tools at all.
    """
    messages = shaped(request.messages, left_out, [tool.name for tool in request.tools])
    body: dict[str, Any] = {"model": model, "messages": [_message(message, left_out) for message in messages]}
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
    if f"{INSISTS}enable_thinking" in left_out and "stream" in left_out:
        body["enable_thinking"] = False
    if request.tools and (request.may_call or "tool_choice" not in left_out):
        body["tools"] = [{"type": "function", "function": tool} for tool in request.tools]
        if not request.may_call:
            body["tool_choice"] = "none"
    return {name: value for name, value in body.items() if not is_refused(name, value, left_out)}


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
    function: Function = {"name": call.name, "arguments": _arguments(call.arguments)}
    told: ChatCompletionMessageToolCallUnionParam = {"id": call.id, "type": "function", "function": function}
    return cast("ChatCompletionMessageToolCallUnionParam", {**read_others(call.opaque, left_out), **told})


def _arguments(text: str) -> str:
    """A JSON object whatever the model wrote: Ollama and vLLM answer with an error to anything else in the history."""
    try:
        if isinstance(from_json(text), dict):
            return text
    except ValueError:
        pass
    return to_json({"input": text} if text.strip() else {}).decode()
