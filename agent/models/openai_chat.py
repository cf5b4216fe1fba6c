"""Any server that speaks OpenAI's chat completions: hosted ones, Ollama, LM Studio, llama.cpp, vLLM and the like.

Where a server demands it, or where it is set so, a model is asked over the Responses API in place of them.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator
from dataclasses import replace
from itertools import count
from time import sleep
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic_core import to_json

from agent.errors import BadRequest, ModelFailed, ToolsRefused
from agent.interface_text import Text
from agent.models.capabilities import Capabilities, kept_as
from agent.models.chunks import BodyReader, ReplyReader, without_key
from agent.models.model_failures import Failures
from agent.models.opaque import upstream_in
from agent.models.protocol import Delta, Patience, Request
from agent.models.refusals.lessons import (
    ABSENT,
    AS_TEXT,
    DEMANDED,
    INSISTS,
    NO_IMAGES,
    OF_THE_PROMPT,
    Lesson,
    is_of_one_tool,
    is_refused,
    lesson,
    note,
)
from agent.models.refusals.message_shapes import chat_message, shaped, with_kept_pictures
from agent.models.refusals.problems import Problem, lasts
from agent.models.responses.openai_responses import PATH as RESPONSES
from agent.models.responses.openai_responses import demanded, responses_body, responses_lesson
from agent.models.responses.response_stream import ResponseReader
from agent.models.stop_flag import StopFlag
from agent.models.window import Window, truncation
from agent.web.endpoint import normalise_endpoint

if TYPE_CHECKING:
    import httpcore2

    from agent.models.http_client import Connection
    from agent.settings import ApiChoice

# Beside the request as it is: so many refusals may be learned from in one call.
_LESSONS = 6
_MOST_STOPS = 4
_QUIET = 4  # pieces of a stream that say nothing
_FULL = "model_context_window_exceeded"  # Z.ai: by the reply, or by the prompt already
PATIENCE = Patience()


class OpenAIChat:
    """A chat model behind an OpenAI-compatible endpoint, for any number of calls and threads.

    ``endpoint`` is normalised (``BadRequest`` if it cannot be), ``capabilities`` is shared by all models of the
    process, taught by refusals, and keeps the connections. ``patience`` bounds every call. With ``stream=False``, or
    where the server ignores or refuses streaming, the reply comes as one delta. ``api`` is which of OpenAI's two APIs
    the model is asked over: chat completions until its server demands the other, or one of them whatever it says.
    ``stop``, when it is set, ends a reply that is read.
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
        stop: StopFlag | None = None,
    ) -> None:
        self.endpoint = normalise_endpoint(endpoint)
        self.name = model.strip()
        self._failures = Failures(self.endpoint, self.name, usable_key(key))
        self._kept_as = kept_as(self.endpoint, self._failures.key)
        self._capabilities = capabilities
        self._stream = stream
        self._patience = patience
        self._api = api
        self._stop = stop or StopFlag()

    def __repr__(self) -> str:
        return f"OpenAIChat({self.endpoint!r}, {self.name!r})"

    @property
    def refused(self) -> frozenset[str]:
        """Names of fields that are not sent to this model, by what is known now; as in ``Replied.left_out``."""
        names = self._capabilities.refused(self.endpoint, self.name) - OF_THE_PROMPT
        if self._api != "auto":
            names = names - {ABSENT, DEMANDED} | {ABSENT if self._api == "chat" else DEMANDED}
        return names | {"stop"} if DEMANDED in names else names

    @property
    def takes_tools(self) -> bool:
        return self._capabilities.takes_tools(self.endpoint, self.name)

    def prefer_text(self) -> None:
        self._capabilities.learn(self.endpoint, self.name, AS_TEXT)

    def stream(self, request: Request) -> Generator[Delta]:
        """The reply; what the server turned out not to take is told first, in ``note``.

        Raises ``ToolsRefused`` where the request has tools and the server takes none, ``ModelFailed`` for the rest.
        What a refused length, or a prompt that was cut without a word, tells of the model's window is remembered.
        A key that the server echoes is not in the reply.
        """
        try:
            reply = self._reply(request)
            yield from without_key(reply, self._failures.key) if self._failures.key else reply
        except ModelFailed as error:
            if error.most:
                self._capabilities.learn_window(self.endpoint, self.name, Window(error.most, "refusal"))
            raise

    def _reply(self, request: Request) -> Generator[Delta]:
        if any(message.images for message in request.messages):
            request = replace(request, messages=with_kept_pictures(request.messages, request.language))
        with (
            self._capabilities.connections.taken(self._kept_as) as connection,
            self._stop.ending(connection.cut),
        ):
            yield from self._asked(request, connection)

    def _asked(self, request: Request, connection: Connection) -> Generator[Delta]:
        notes, for_now = list[Delta](), frozenset[str]()
        for tried in count():
            left_out = self._left_out(request) | for_now
            if left_out:
                notes.append(Delta(left_out=tuple(sorted(left_out))))
            call = network_call(self.name, request, left_out)
            problem = yield from self._once(connection, request, call, notes)
            if problem is None:
                return
            if problem.written is not None and request.tools:
                yield from notes
                yield Delta(note=Text("The server could not read what the model wrote; it was read here."))
                yield Delta(problem.written, finish="stop")
                return
            taught = self._lesson(problem, call[1], left_out)
            if taught is None and self._waited(problem, tried):
                continue
            if taught is None or tried == _LESSONS:
                raise self._one_tool_refused(problem) if is_of_one_tool(problem) else self._failures.answered(problem)
            if taught.kept:
                self._capabilities.learn(self.endpoint, self.name, taught.name)
            else:
                for_now |= {taught.name}
            if taught.name == "tools":
                raise self._no_tools(problem)
            if taught.name != NO_IMAGES:  # said beside each question that has some
                notes.append(Delta(note=note(taught.name)))

    def _once(
        self, connection: Connection, request: Request, call: tuple[str, dict[str, Any]], notes: list[Delta]
    ) -> Generator[Delta, None, Problem | None]:
        """The ``notes``, taken off, and the reply; in place of it the error that came before all else.

        So it is with one that came later where it has what the model wrote.
        """
        path, body = call
        answer = connection.send("POST", path, self._failures, self._patience, encoded(body))
        if isinstance(answer, Problem):
            return answer
        reader, came = (ResponseReader if path == RESPONSES else ReplyReader)(self._failures), False
        try:
            while notes:
                yield notes.pop(0)
            for delta in self._told(reader, connection, answer, request):
                came = came or bool(delta.text or delta.calls or delta.reasoning)
                yield delta
        except ModelFailed:
            if reader.problem and (reader.problem.written is not None or not came):
                return reader.problem
            raise
        finally:
            answer.close()
        return None

    def _told(
        self, reader: BodyReader, connection: Connection, response: httpcore2.Response, request: Request
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

    def _lesson(self, problem: Problem, body: dict[str, Any], left_out: frozenset[str]) -> Lesson | None:
        """What a refusal teaches; which of the two APIs to ask is one of these lessons."""
        absent = self._failures.answered(problem).reason == "path"
        if DEMANDED in left_out:
            taught = responses_lesson(problem, body, left_out) or (Lesson(ABSENT) if absent else None)
            return None if taught == Lesson(ABSENT) and self._api != "auto" else taught
        # Below this path Bedrock has GPT-5 over the Responses API alone.
        sent_there = demanded(problem) or (absent and urlsplit(self.endpoint).path.startswith("/openai/"))
        return Lesson(DEMANDED) if sent_there and ABSENT not in left_out else lesson(problem, body, left_out)

    def _waited(self, problem: Problem, tried: int) -> bool:
        """Waits where an error in place of a reply may pass, as one with a status does; whether it may."""
        from agent.models.http_client import may_pass, pause

        passes = may_pass(problem.status) and not problem.is_of_a_minute and not lasts(problem.text)
        if not (problem.inside and passes) or tried >= self._patience.retries:
            return False
        if problem.wait > self._patience.longest_wait:
            return False
        sleep(problem.wait or pause(tried))
        return True

    def close(self) -> None:
        """Let go of the connection that is kept; a later call opens a new one."""
        self._capabilities.connections.let_go(self._kept_as)

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
        left_out = self.refused
        if NO_IMAGES in left_out and not any(message.images for message in request.messages):
            left_out -= {NO_IMAGES}
        if request.tools and "tools" in left_out and (request.may_call or "tool_choice" not in left_out):
            raise self._no_tools()
        return left_out if self._stream else left_out | {"stream"}

    def _deltas(self, reader: BodyReader, connection: Connection, response: httpcore2.Response) -> Iterator[Delta]:
        from agent.models.http_client import drain, header

        kind = header(response, b"content-type")
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
    """The key without white space around it. Raises ``BadRequest`` for an address, and what no header can have."""
    stripped = key.strip()
    if stripped.startswith(("http://", "https://")):
        raise BadRequest.because("That is an address, not a key. Enter the key that you were given for this server.")
    if not stripped.isascii() or not stripped.isprintable() or " " in stripped:
        raise BadRequest.because("The key has a space or a character in it that no key has. Copy it again.")
    return stripped


def _until_finished(chunks: Iterator[bytes], reader: BodyReader) -> Iterator[bytes]:
    """The body; a connection that breaks off after the model had finished is no failure."""
    try:
        yield from chunks
    except ModelFailed:
        if not reader.finish:
            raise


def network_call(model: str, request: Request, left_out: Collection[str] = ()) -> tuple[str, dict[str, Any]]:
    """The path behind the endpoint, and the JSON object that is sent there; ``left_out`` as in ``Replied``."""
    if DEMANDED in left_out:
        return RESPONSES, responses_body(model, request, left_out)
    return "/chat/completions", chat_body(model, request, left_out)


def chat_body(model: str, request: Request, left_out: Collection[str] = ()) -> dict[str, Any]:
    """The JSON object that is sent; ``left_out`` are names of fields that the server refuses, or insists on with ``+``.

    ``stream`` among them asks for a whole reply, ``max_tokens`` is then sent as ``max_completion_tokens``, and with
    ``tool_choice`` a request that forbids calls has no tools at all.
    """
    messages = shaped(request.messages, left_out, [tool.name for tool in request.tools], request.language)
    body: dict[str, Any] = {"model": model, "messages": [chat_message(message, left_out) for message in messages]}
    if "stream" not in left_out:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    if request.stop:
        body["stop"] = list(request.stop[:_MOST_STOPS])
    body |= {name: value for name, value in request.parameters.items() if value is not None}
    if request.prompt_cache_key:
        body["prompt_cache_key"] = request.prompt_cache_key
    told = (upstream_in(message.opaque) for message in reversed(messages) if message.opaque)
    if upstream := next(filter(None, told), ""):
        body.setdefault("provider", {"order": [_slug(upstream)]})
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


def _slug(upstream: str) -> str:
    """A provider as OpenRouter takes it in ``provider.order``, by the name under which it tells it in a reply.

    Others are tried after it (https://openrouter.ai/docs/features/provider-routing).
    """
    return "google-vertex" if upstream == "Google" else upstream.lower().replace(" ", "-")


def encoded(body: dict[str, Any]) -> bytes:
    """The bytes of a body as they go over the network."""
    return to_json(body)
