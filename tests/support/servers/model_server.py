"""A real HTTP server on loopback that plays an OpenAI-compatible model, with the habits of several makes.

    with ModelServer(["Hello", Reply(calls=(Call("search", '{"query": "x"}'),))]) as server:
        ... server.endpoint ...
        assert server.requests[0]["messages"][-1]["content"] == "hi"

Replies are played in order, one for each accepted chat request; a request the script has no reply for is answered with
status 500 and counted in ``unexpected``. A refused request (``refuse``, ``key``) uses no reply. ``replies`` may also be
one callable, asked for every request. Everything is recorded; nothing is checked.
"""

from __future__ import annotations

import json
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.support.servers.prompt_server import PromptServer


@dataclass(frozen=True)
class Call:
    """A native tool call; ``arguments`` is JSON text, or a dict for servers that send one."""

    name: str
    arguments: str | dict[str, Any] = "{}"
    id: str = ""


@dataclass(frozen=True)
class Reply:
    """One reply, well-formed or not. Times are seconds; ``None`` takes the server's setting.

    Content: ``text`` (streamed in pieces of ``chunk`` characters), ``reasoning``, ``calls``. ``usage`` replaces the
    server's own count, ``{}`` sends none. ``finish`` is the ``finish_reason``, ``""`` sends none.

    Instead of content: ``events`` (each the data of one event: a value to be written as JSON, or bytes as they are) or
    ``body`` (the whole answer, as JSON or bytes), with ``status``, ``content_type`` and ``headers``.

    Trouble: ``wait`` before the first byte, ``delay`` before each chunk, ``die_after`` so many chunks (the connection
    is reset; 0 is before the status line, a ``body`` is cut in half), ``done=False`` leaves out ``[DONE]``, ``linger``
    keeps the connection open that long after ``[DONE]`` without ending the body, ``silent`` sends nothing until the
    server or the client closes. The last line of ``text``, ``calls`` and ``body`` are not sent before ``gate`` is set.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    usage: Mapping[str, Any] | None = None
    finish: str | None = None
    events: Iterable[object] | None = None
    body: object = None
    status: int = 200
    content_type: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    chunk: int | None = None
    delay: float | None = None
    wait: float | None = None
    die_after: int | None = None
    done: bool = True
    linger: float = 0.0
    silent: bool = False
    gate: threading.Event | None = None


Played = str | Reply
Script = Sequence[Played | Callable[[dict[str, Any]], Played]] | Callable[[dict[str, Any]], Played]


def refusal(wording: str, name: str, model: str) -> tuple[int, object]:
    """Status and body with which a make of server refuses the field ``name``."""
    match wording, name:
        case "ollama", "tools":
            return 400, _error(f"registry.ollama.ai/library/{model} does not support tools", "api_error")
        case "vllm", "tools":
            text = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
            return 400, {"object": "error", "message": text, "type": "BadRequestError", "param": None, "code": 400}
        case "llamacpp", "tools":
            return 500, {"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}
        case "openrouter", "tools":
            return 404, {"error": {"message": "No endpoints found that support tool use.", "code": 404}}
        case "mistral", _:
            detail = [{"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted"}]
            return 422, {"object": "error", "message": {"detail": detail}, "type": "invalid_request_error"}
        case "gemini", _:
            text = f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.'
            return 400, [{"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT"}}]
        case "openai-old", _:
            return 400, _error(f"Unrecognized request argument supplied: {name}")
        case _, "temperature":
            text = "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) is."
            return 400, _error(text, param=name, code="unsupported_value")
        case _, "max_tokens":
            text = (
                "Unsupported parameter: 'max_tokens' is not supported with this model. "
                "Use 'max_completion_tokens' instead."
            )
            return 400, _error(text, param=name, code="unsupported_parameter")
        case _:
            text = f"Unsupported parameter: '{name}' is not supported with this model."
            return 400, _error(text, param=name, code="unsupported_parameter")


def _error(
    message: str, kind: str = "invalid_request_error", param: str | None = None, code: str | None = None
) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


Native = Reply | Callable[[dict[str, Any]], Reply]
NOT_FOUND = Reply(status=404, body={"detail": "Not Found"})


class ModelServer:
    """The server; a context manager. What is given here holds for all replies that do not say otherwise.

    ``refuse`` names body fields answered with a 400 in the manner of ``wording`` (``openai``, ``openai-old``,
    ``ollama``, ``vllm``, ``llamacpp``, ``openrouter``, ``mistral``, ``gemini``). ``honours_stop=False`` writes on after
    a stop sequence. ``whole=True`` ignores ``stream`` and sends one JSON object. ``reasoning_field`` is the name of the
    reasoning in messages. A ``key`` is demanded when set. ``models`` is the list under ``/v1/models``, ``listing`` what
    is answered there instead. ``native`` is what is answered at other paths, without their queries: a ``Reply``, or a
    function of the query or body, by name; ``elsewhere`` at all the rest.

    Recorded: ``requests`` (parsed chat bodies, the refused ones too), ``raw`` (their bytes), ``headers`` and ``asked``
    (headers, methods and paths of every request), ``connections`` (accepted), ``unexpected``; ``hung_up`` is set when a
    client closed in mid-reply.
    """

    def __init__(
        self,
        replies: Script = (),
        *,
        models: Sequence[str] = ("scripted-model",),
        listing: Reply | None = None,
        native: Mapping[str, Native] | None = None,
        elsewhere: Reply = NOT_FOUND,
        key: str = "",
        refuse: Sequence[str] = (),
        wording: str = "openai",
        honours_stop: bool = True,
        whole: bool = False,
        reasoning_field: str = "reasoning_content",
        chunk: int = 4,
        delay: float = 0.0,
        wait: float = 0.0,
        port: int = 0,
    ) -> None:
        self.models = tuple(models)
        self.listing = listing
        self.native = dict(native or {})
        self.elsewhere = elsewhere
        self.key = key
        self.refuse = tuple(refuse)
        self.wording = wording
        self.honours_stop = honours_stop
        self.whole = whole
        self.reasoning_field = reasoning_field
        self.chunk, self.delay, self.wait = chunk, delay, wait
        self.requests: list[dict[str, Any]] = []
        self.raw: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.asked: list[str] = []
        self.connections = 0
        self.unexpected = 0
        self.hung_up = threading.Event()
        self.closing = threading.Event()
        self._replies = replies
        self._played = 0
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", port), _Handler)
        self._http.model = self
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def play(self, replies: Script) -> None:
        """Go on with another script, with nothing asked yet."""
        with self._lock:
            self._replies, self._played, self.unexpected = replies, 0, 0
            self.requests.clear()
            self.raw.clear()

    def record(self, raw: bytes) -> dict[str, Any]:
        body = json.loads(raw)
        with self._lock:
            self.raw.append(raw)
            self.requests.append(body)
        return body

    def refused(self, body: Mapping[str, Any]) -> tuple[int, object] | None:
        """The first field of ``body`` that is refused, as this make words it."""
        for name in self.refuse:
            if name in body:
                return refusal(self.wording, name, str(body.get("model")))
        return None

    def next_reply(self, body: dict[str, Any]) -> Reply:
        with self._lock:
            if callable(self._replies):
                played = self._replies(body)
            elif self._played < len(self._replies):
                played = self._replies[self._played]
                self._played += 1
            else:
                self.unexpected += 1
                return Reply(
                    status=500, body=_error("the script has no reply left"), headers={"x-should-retry": "false"}
                )
        if callable(played):
            played = played(body)
        return self._settled(Reply(played) if isinstance(played, str) else played, body)

    def _settled(self, reply: Reply, body: Mapping[str, Any]) -> Reply:
        """``reply`` with the server's settings in it, and cut where ``stop`` says so."""
        text = reply.text
        if self.honours_stop:
            ends = [text.find(stop) for stop in body.get("stop") or () if stop in text]
            text = text[: min(ends)] if ends else text
        contents = [str(message.get("content")) for message in body.get("messages", ())]
        tools = json.dumps(body["tools"]) if body.get("tools") else ""
        prompt = sum(map(len, [*contents, tools])) // 4 + 1
        written = len(reply.reasoning + text) // 4 + 1
        own = {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written}
        return replace(
            reply,
            text=text,
            usage=own if reply.usage is None else reply.usage,
            finish=("tool_calls" if reply.calls else "stop") if reply.finish is None else reply.finish,
            chunk=self.chunk if reply.chunk is None else reply.chunk,
            delay=self.delay if reply.delay is None else reply.delay,
            wait=self.wait if reply.wait is None else reply.wait,
        )


class _Server(PromptServer):
    model: ModelServer

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.model.connections += 1
        return connection, address

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is expected here; anything else is a bug of this server and is shown."""
        if not isinstance(sys.exception(), (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def model(self) -> ModelServer:
        assert isinstance(self.server, _Server)
        return self.server.model

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        if not self._admitted():
            return
        if self.path == "/v1/models" and self.model.listing:
            try:
                self._play(self.model.listing, False, {})
            except ConnectionError:
                self.close_connection = True
        elif self.path == "/v1/models":
            models = [{"id": name, "object": "model"} for name in self.model.models]
            self._whole(200, {"object": "list", "data": models})
        else:
            self._native(dict(parse_qsl(urlsplit(self.path).query)))

    def _native(self, asked: dict[str, Any]) -> None:
        answer = self.model.native.get(urlsplit(self.path).path, self.model.elsewhere)
        try:
            self._play(answer(asked) if callable(answer) else answer, False, {})
        except ConnectionError:
            self.close_connection = True

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not self._admitted():
            return
        if self.path != "/v1/chat/completions":
            self._native(json.loads(raw))
            return
        server = self.model
        body = server.record(raw)
        refused = server.refused(body)
        if refused:
            self._whole(*refused)
            return
        reply = server.next_reply(body)
        try:
            self._play(reply, bool(body.get("stream")) and not server.whole, body)
        except ConnectionError:
            server.hung_up.set()
            self.close_connection = True

    def _admitted(self) -> bool:
        """Record the headers and check the key."""
        server = self.model
        server.asked.append(f"{self.command} {self.path}")
        server.headers.append({name.lower(): value for name, value in self.headers.items()})
        sent = self.headers.get("authorization", "").removeprefix("Bearer ")
        if not server.key or sent == server.key:
            return True
        echo = f"{sent[:8]}{'*' * 12}{sent[-4:]}"
        self._whole(
            401, _error(f"Incorrect API key provided: {echo}. Find your key in your account.", code="invalid_api_key")
        )
        return False

    def _play(self, reply: Reply, stream: bool, body: Mapping[str, Any]) -> None:
        if reply.silent:
            self._hold(60)
            self.close_connection = True
            return
        self._hold(reply.wait or 0)
        if reply.die_after == 0:
            self._reset()
        elif reply.body is not None or reply.status != 200:
            self._wait_for(reply.gate)
            self._whole(reply.status, reply.body, reply.content_type, reply.headers, reply.die_after is not None)
        elif reply.events is not None or stream:
            self._stream(reply, self._events(reply, str(body.get("model"))))
        else:
            self._whole(200, self._completion(reply, str(body.get("model"))), reply.content_type, reply.headers)

    def _whole(
        self,
        status: int,
        body: object,
        content_type: str = "",
        headers: Mapping[str, str] | None = None,
        die: bool = False,
    ) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", content_type or "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if die else content)
        if die:
            self._reset()

    def _stream(self, reply: Reply, events: Iterator[bytes]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", reply.content_type or "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for number, event in enumerate(events):
            if number == reply.die_after:
                self._reset()
                return
            self._hold(reply.delay or 0)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        if reply.linger:
            self._hold(reply.linger)
        self.wfile.write(b"0\r\n\r\n")

    def _events(self, reply: Reply, model: str) -> Iterator[bytes]:
        if reply.events is not None:
            data = (event if isinstance(event, bytes) else _data(event) for event in reply.events)
        else:
            data = (_data(chunk) for chunk in self._chunks(reply, model))
        yield from data
        if reply.done:
            yield b"data: [DONE]\n\n"

    def _chunks(self, reply: Reply, model: str) -> Iterator[dict[str, Any]]:
        """As OpenAI sends them: the role, the pieces, the end, the usage with empty ``choices``."""
        head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": model}

        def chunk(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
            return {**head, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]}

        step = reply.chunk or 1
        yield chunk({"role": "assistant", "content": ""})
        for start in range(0, len(reply.reasoning), step):
            yield chunk({self.model.reasoning_field: reply.reasoning[start : start + step]})
        last_line = reply.text.rfind("\n") + 1
        for start in range(0, len(reply.text), step):
            if start + step > last_line:
                self._wait_for(reply.gate)
            yield chunk({"content": reply.text[start : start + step]})
        for index, call in enumerate(reply.calls):
            self._wait_for(reply.gate)
            first = {"index": index, "id": call.id or f"call_{index + 1}", "type": "function"}
            if isinstance(call.arguments, dict):
                yield chunk({"tool_calls": [{**first, "function": {"name": call.name, "arguments": call.arguments}}]})
                continue
            yield chunk({"tool_calls": [{**first, "function": {"name": call.name, "arguments": ""}}]})
            for start in range(0, len(call.arguments), step):
                piece = {"arguments": call.arguments[start : start + step]}
                yield chunk({"tool_calls": [{"index": index, "function": piece}]})
        if reply.finish:
            yield chunk({}, reply.finish)
        if reply.usage:
            yield {**head, "choices": [], "usage": reply.usage}

    def _completion(self, reply: Reply, model: str) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": reply.text}
        if reply.reasoning:
            message[self.model.reasoning_field] = reply.reasoning
        if reply.calls:
            message["tool_calls"] = [
                {
                    "id": call.id or f"call_{index + 1}",
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments},
                }
                for index, call in enumerate(reply.calls)
            ]
        choice = {"index": 0, "message": message, "finish_reason": reply.finish or None}
        completion = {"id": "chatcmpl-1", "object": "chat.completion", "model": model, "choices": [choice]}
        return completion | ({"usage": reply.usage} if reply.usage else {})

    def _hold(self, seconds: float) -> None:
        """Wait, but not longer than the server lives or the client holds on."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self.model.closing.wait(min(left, 0.02)):
                return
            if self._gone():
                raise ConnectionResetError("the client hung up")

    def _wait_for(self, gate: threading.Event | None) -> None:
        while gate and not gate.wait(0.02) and not self.model.closing.is_set():
            if self._gone():
                raise ConnectionResetError("the client hung up")

    def _gone(self) -> bool:
        try:
            return self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False

    def _reset(self) -> None:
        """Drop the connection the hard way: no end of the body, no goodbye."""
        self.wfile.flush()
        # Wait until what was sent has left, then have the kernel send RST.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        time.sleep(0.05)
        socket.close(self.connection.detach())
        self.close_connection = True


def _data(event: object) -> bytes:
    return b"data: " + json.dumps(event, ensure_ascii=False).encode() + b"\n\n"
