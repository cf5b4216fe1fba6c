"""From the bytes of a chat completion, streamed or whole, to deltas.

Streams are server-sent events (HTML standard, "Interpreting an event stream") whose data is a JSON object with
``choices[0].delta``; a whole reply has ``choices[0].message``. Both are read by the same code.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any, cast

from pydantic_core import from_json

from agent.errors import ModelFailed
from agent.messages import Usage
from agent.models.model_failures import Failures
from agent.models.opaque import Others, others_of_a_call
from agent.models.opaque import as_object as _object
from agent.models.opaque import text_in as _text
from agent.models.protocol import CallDelta, Delta
from agent.models.refusals.problems import Problem, read_problem
from agent.text.concealment import Concealment

LONGEST_EVENT = 8_000_000


class EventDecoder:
    """A push decoder: ``feed`` bytes as they come, get the data of the events that are complete.

    Comments and fields other than ``data`` are skipped. Lines end in LF or CRLF; two line breaks complete whatever is
    left at the end.
    """

    def __init__(self) -> None:
        self._rest = bytearray()  # of a line whose end has not come: bytes would be copied with each piece
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, received: bytes) -> list[bytes]:
        """Raises ``ValueError`` when an event grows past 8 MB."""
        lines = received.split(b"\n")
        if len(lines) > 1 and self._rest:
            lines[0] = bytes(self._rest) + lines[0]
            self._rest.clear()
        self._rest += lines.pop()
        events: list[bytes] = []
        for line in lines:
            if line.startswith(b"data:"):
                self._data.append(line[6 if line[5:6] == b" " else 5 :].removesuffix(b"\r"))
            elif self._data and (not line or line == b"\r"):
                events.append(self._take())
        self._size = self._size + len(received) if not events and (self._data or self._rest) else 0
        if self._size > LONGEST_EVENT:
            raise ValueError("endless event")
        return events

    def _take(self) -> bytes:
        data, self._data = self._data, []
        return data[0] if len(data) == 1 else b"\n".join(data)


class BodyReader:
    """What the readers of both APIs share: the events of a stream, or a body that is a whole reply.

    ``done`` is true after what ends it, ``finish`` is then why, in the words of chat completions. Both raise
    ``ModelFailed`` for errors inside it, which are then in ``problem``, for garbage, and for an end that is none.
    """

    def __init__(self, failures: Failures) -> None:
        self.done = False
        self.finish = ""
        self.problem: Problem | None = None
        self._failures = failures
        self._decoder = EventDecoder()
        self._head: bytearray | None = bytearray()  # what came before the first event; ``None`` from that on

    def feed(self, received: bytes) -> Iterator[Delta]:
        raise NotImplementedError

    def close(self) -> Iterator[Delta]:
        raise NotImplementedError

    def whole(self, body: bytes) -> Iterator[Delta]:
        """The deltas of a reply that came as one JSON object, or of a stream under a wrong name."""
        if body.lstrip().startswith((b"data:", b"event:", b":")):
            yield from self.feed(body)
            yield from self.close()
        else:
            yield from self._body(body)

    def _body(self, body: bytes) -> Iterator[Delta]:
        raise NotImplementedError

    def _events(self, received: bytes) -> list[bytes]:
        """The data of the events that ``received`` completes."""
        if self._head is not None:
            self._head += received[: LONGEST_EVENT - len(self._head)]
        try:
            events = self._decoder.feed(received)
        except ValueError:
            raise self._failures.garbage(received) from None
        if events:
            self._head = None
        return events


class ReplyReader(BodyReader):
    """Reads one reply: ``feed`` a stream's bytes as they come, then ``close``; or ``whole`` a body at once."""

    def __init__(self, failures: Failures) -> None:
        super().__init__(failures)
        self._ids: list[str] = []
        self._others = Others()

    def feed(self, received: bytes) -> Iterator[Delta]:
        """The deltas of the events that ``received`` completes; nothing that comes after the end mark."""
        for data in self._events(received):
            if data.startswith(b"[DONE]"):
                self.done = True
                yield from self._opaque()
                return
            yield from self._event(data)

    def close(self) -> Iterator[Delta]:
        """The deltas of an event that was left open; a body without any event is read as a whole reply.

        A reply without ``[DONE]`` is complete when it has a ``finish_reason``.
        """
        yield from self.feed(b"\n\n")
        if self._head is not None:
            yield from self._body(bytes(self._head))
        if not self.done and not self.finish:
            raise self._failures.broken(began=self._head is None)
        yield from self._opaque()

    def _body(self, body: bytes) -> Iterator[Delta]:
        if not body.strip():
            raise self._failures.broken(began=False)
        answer = self._parse(body)
        delta = self.read(answer)
        if delta is None and not _object(answer).get("choices"):
            # OpenRouter: "choices": null where the server behind it gave no reply.
            raise self._failures.broken(began=False) if "choices" in _object(answer) else self._failures.garbage(body)
        self.finish = self.finish or "stop"
        if delta is not None:
            yield delta
        yield from self._opaque()

    def _opaque(self) -> Iterator[Delta]:
        """What else the message had, once, when it is whole."""
        if text := self._others.taken():
            yield Delta(opaque=text)

    def _event(self, data: bytes) -> Iterator[Delta]:
        if not data.strip():
            return
        try:
            parsed = [parse(data)]
        except ValueError:
            # Some servers end events with one line break: each line is an object then.
            parsed = [self._parse(line) for line in data.split(b"\n") if line.strip()]
        for value in parsed:
            delta = self.read(value)
            if delta is not None:
                yield delta

    def read(self, answer: object) -> Delta | None:
        """The delta of one parsed chunk or whole reply; ``None`` where it holds nothing new."""
        if answer is None:
            return None
        if isinstance(answer, list) and answer:
            answer = cast("list[object]", answer)[0]  # Gemini's errors
        if not isinstance(answer, dict):
            raise self._failures.garbage(b"")
        reply = cast("dict[str, Any]", answer)
        choices = reply.get("choices")
        choice = _object(cast("list[object]", choices)[0]) if choices and isinstance(choices, list) else {}
        finish = choice.get("finish_reason")
        if "error" in reply or "error" in choice or finish == "error" or _is_error(reply):
            self._raise_error(reply, choice)
        if "native_finish_reason" in choice and isinstance(upstream := reply.get("provider"), str):
            self._others.upstream = upstream
        part = _object(choice.get("delta") or choice.get("message"))
        text = part.get("content")
        reasoning, calls = "", ()
        if not (isinstance(text, str) and len(part) == 1):
            text, reasoning, calls = self._part(part)
        elif self._others.parts:
            self._others.add(part)
        usage = read_usage(reply.get("usage") or choice.get("usage") or _object(reply.get("x_groq")).get("usage"))
        if finish and isinstance(finish, str):
            self.finish = finish
        else:
            finish = ""
        if not (text or reasoning or calls or usage or finish):
            return None
        return Delta(text, reasoning, calls, usage, finish)

    def _part(self, part: dict[str, Any]) -> tuple[str, str, tuple[CallDelta, ...]]:
        text = _text(part.get("content")) + _text(part.get("refusal"))
        # vLLM, llama.cpp, DeepSeek: reasoning_content; Groq, Ollama, OpenRouter: reasoning, repeated in the details.
        reasoning = (
            _text(part.get("reasoning_content"))
            or _text(part.get("reasoning"))
            or _text(part.get("reasoning_text"))
            or _text(part.get("reasoning_details"))
            or _text(part.get("content"), "thinking")
        )
        asked = part.get("tool_calls")
        calls = [self._call(_object(call)) for call in cast("list[object]", asked)] if isinstance(asked, list) else []
        self._others.add(part)
        legacy = _object(part.get("function_call"))
        if legacy and not calls:
            calls = [self._call({"function": legacy, "index": 0})]
        return text, reasoning, tuple(calls)

    def _call(self, call: dict[str, Any]) -> CallDelta:
        function = _object(call.get("function"))
        identity, name = _text(call.get("id")), _text(function.get("name"))
        arguments = function.get("arguments")
        written = json.dumps(arguments, ensure_ascii=False) if isinstance(arguments, dict) else _text(arguments)
        place = self._index(call.get("index"), identity, name)
        return CallDelta(place, identity, name, written, others_of_a_call(call))

    def _index(self, index: object, identity: str, name: str) -> int:
        """The call's own index; one with a new id and a name is a new call, whatever index its server repeats.

        Without an index a fragment is of the call with its id, else of the last one.
        """
        if isinstance(index, int) and 0 <= index < 1_000:
            place = index
        elif identity and identity in self._ids:
            place = self._ids.index(identity)
        else:
            place = max(len(self._ids) - 1, 0)
        if place < len(self._ids) and identity and name and self._ids[place] not in ("", identity):
            place = len(self._ids)
        self._ids += [""] * (place + 1 - len(self._ids))
        self._ids[place] = self._ids[place] or identity
        return place

    def _raise_error(self, reply: dict[str, Any], choice: dict[str, Any]) -> None:
        error = reply.get("error") or choice.get("error")
        if error or _is_error(reply) or choice.get("finish_reason") == "error":
            self.problem = read_problem(200, {"error": error} if error else reply if _is_error(reply) else {})
            raise self._failures.answered(self.problem)

    def _parse(self, line: bytes) -> object:
        try:
            return parse(line)
        except ValueError:
            raise self._failures.garbage(line) from None


def _is_error(reply: dict[str, Any]) -> bool:
    """Whether this is an error without a key ``error`` around it (Mistral, SGLang, Cerebras)."""
    return reply.get("object") == "error" or ("choices" not in reply and {"message", "code"} <= reply.keys())


def parse(data: bytes) -> object:
    """JSON as servers write it: cut characters and half surrogate pairs become U+FFFD, raw control characters stay.

    Raises ``ValueError`` for anything else.
    """
    try:
        return from_json(data)
    except ValueError:
        pass
    try:
        value = json.loads(data.decode("utf-8", "replace"), strict=False)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return _whole_characters(value)


def _whole_characters(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_whole_characters(item) for item in cast("list[object]", value)]
        case dict():
            return {key: _whole_characters(item) for key, item in cast("dict[str, object]", value).items()}
        case _:
            return value


def read_usage(value: object) -> Usage | None:
    """Usage of a chat completion, or ``None`` where there is none.

    ``prompt_tokens`` counts cached tokens and ``completion_tokens`` reasoning tokens, as OpenAI defines them. Cached
    tokens are OpenAI's ``prompt_tokens_details.cached_tokens``, DeepSeek's ``prompt_cache_hit_tokens`` or Moonshot's
    ``cached_tokens``.
    """
    if not value:
        return None
    sent = _object(value)
    cached = (
        _count(_object(sent.get("prompt_tokens_details")).get("cached_tokens"))
        or _count(sent.get("prompt_cache_hit_tokens"))
        or _count(sent.get("cached_tokens"))
    )
    usage = Usage(
        _count(sent.get("prompt_tokens")),
        cached,
        _count(sent.get("completion_tokens")),
        _count(_object(sent.get("completion_tokens_details")).get("reasoning_tokens")),
    )
    return usage if usage.total else None


def _count(value: object) -> int:
    return int(value) if isinstance(value, (int, float)) and 0 < value < 1e12 else 0


def without_key(reply: Generator[Delta], key: str) -> Generator[Delta]:
    """The deltas of a reply, the key taken out of all that is text in them."""
    text, reasoning, calls = Concealment(key), Concealment(key), dict[int, Concealment]()

    def rest() -> Iterator[Delta]:
        held = [CallDelta(index, arguments=call.left()) for index, call in calls.items()]
        left = Delta(text.left(), reasoning.left(), tuple(call for call in held if call.arguments))
        if left != Delta():
            yield left

    def told(call: CallDelta) -> CallDelta:
        arguments = calls.setdefault(call.index, Concealment(key)).take(call.arguments)
        id, name, opaque = map(text.whole, (call.id, call.name, call.opaque))
        return CallDelta(call.index, id, name, arguments, opaque)

    with closing(reply):
        try:
            for delta in reply:
                if delta.finish:
                    yield from rest()
                yield replace(
                    delta,
                    text=text.take(delta.text),
                    reasoning=reasoning.take(delta.reasoning),
                    calls=tuple(map(told, delta.calls)),
                    opaque=text.whole(delta.opaque),
                )
        except ModelFailed:
            yield from rest()
            raise
    yield from rest()
