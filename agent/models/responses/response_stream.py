"""From the bytes of a response of the Responses API, streamed or whole, to deltas.

A stream is made of events, each with a ``type``: https://platform.openai.com/docs/api-reference/responses-streaming
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from agent.messages import Usage
from agent.models.chunks import BodyReader, parse, read_usage
from agent.models.model_failures import Failures
from agent.models.opaque import MOST_OPAQUE, OUTPUT_ITEMS
from agent.models.opaque import as_object as _object
from agent.models.protocol import CallDelta, Delta
from agent.models.refusals.problems import pause_in, read_problem

_MOST_ITEMS = 1_000
# The status that an error inside a stream would have had before it, by its code.
_STATUSES = {"rate_limit_exceeded": 429, "insufficient_quota": 429, "invalid_prompt": 400}
_TEXT = ("response.output_text.delta", "response.refusal.delta")
_REASONING = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_ENDS = ("response.completed", "response.done", "response.incomplete", "response.failed", "response.cancelled")


@dataclass(slots=True)
class _Item:
    """An output item as far as it has come; ``told`` is the kind of event that told its content, "" for none yet."""

    kind: str = ""
    commentary: bool = False
    told: str = ""
    received: dict[str, Any] | None = None


class ResponseReader(BodyReader):
    """Reads one response: ``feed`` a stream's bytes as they come, then ``close``; or ``whole`` a body at once."""

    def __init__(self, failures: Failures) -> None:
        super().__init__(failures)
        self._items: list[_Item] = []
        self._places: dict[object, int] = {}
        self._size = 0  # characters of the items that are kept
        self._last: dict[str, object] = {}  # what the last piece of text and of reasoning belonged to
        self._over = False  # no more bytes come

    def feed(self, received: bytes) -> Iterator[Delta]:
        """The deltas of the events that ``received`` completes; nothing that comes after the end."""
        for data in self._events(received):
            if not self.done and data.strip() and not data.startswith(b"[DONE]"):
                yield from self._event(self._parse(data))

    def close(self) -> Iterator[Delta]:
        """The deltas of an event that was left open; a body without any event is read as a whole response."""
        self._over = self._head is None
        yield from self.feed(b"\n\n")
        if self._head is not None:
            yield from self._body(bytes(self._head))
        if not self.done:
            raise self._failures.broken(began=self._head is None)

    def _body(self, body: bytes) -> Iterator[Delta]:
        if not body.strip():
            raise self._failures.broken(began=False)
        response = self._parse(body)
        self._raise_error(response)
        if not isinstance(response.get("output"), list):
            raise self._failures.garbage(body)
        yield from self._ended(response)

    def _parse(self, data: bytes) -> dict[str, Any]:
        try:
            value = parse(data)
        except ValueError:
            if self._over:  # what it broke off in
                raise self._failures.broken(began=True) from None
            value = None
        if isinstance(value, list) and value:
            value = cast("list[object]", value)[0]
        if not isinstance(value, dict):
            raise self._failures.garbage(data)
        return cast("dict[str, Any]", value)

    def _event(self, event: dict[str, Any]) -> Iterator[Delta]:
        kind = event.get("type")
        if kind in _TEXT or kind in _REASONING:
            yield from self._piece(event, str(kind))
        elif kind == "response.output_item.added":
            yield from self._added(event)
        elif kind in ("response.function_call_arguments.delta", "response.function_call_arguments.done"):
            yield from self._arguments(event)
        elif kind == "response.output_item.done":
            yield from self._finished(self._place(event), _object(event.get("item")))
        elif kind in _ENDS:
            yield from self._ended(_object(event.get("response")), str(kind).removeprefix("response."))
        elif kind == "error" or event.get("error"):
            self._raise_error(event if event.get("error") else {"error": event})

    def _place(self, event: dict[str, Any]) -> int:
        """The place of the item that an event is about, by its index, else by its id, else the latest one.

        Some servers give an item another id in each event, others give each item the index 0.
        """
        told = _object(event.get("item"))
        identity = event.get("item_id") or told.get("id")
        names = [name for name in (event.get("output_index"), identity) if isinstance(name, (int, str))]
        known = [self._places[name] for name in names if name in self._places]
        place = known[0] if known else len(self._items) if names else max(len(self._items) - 1, 0)
        complete = self._items[place].received if place < len(self._items) else None
        if told and complete and complete.get("id") != told.get("id"):
            place = len(self._items)
        if place == len(self._items):
            self._items.append(_Item())
        if place >= _MOST_ITEMS:
            raise self._failures.garbage(b"")
        self._places.update(dict.fromkeys(names, place))
        return place

    def _added(self, event: dict[str, Any]) -> Iterator[Delta]:
        place, told = self._place(event), _object(event.get("item"))
        yield from self._announced(place, told)

    def _announced(self, place: int, told: dict[str, Any]) -> Iterator[Delta]:
        """The name of a call, once."""
        item = self._items[place]
        fresh, item.kind = not item.kind, _word(told.get("type")) or item.kind
        item.commentary = told.get("phase") == "commentary"
        if fresh and item.kind == "function_call":
            yield Delta(calls=(CallDelta(place, _word(told.get("call_id")), _word(told.get("name"))),))

    def _piece(self, event: dict[str, Any], kind: str) -> Iterator[Delta]:
        """A piece of text or reasoning. Of an item that tells its reasoning in two ways the first one counts."""
        place, text = self._place(event), _word(event.get("delta"))
        item = self._items[place]
        if text and (item.told or kind) == kind:
            item.told = kind
            part = event.get("summary_index") if kind in _REASONING else None
            yield self._said(text, place, part, thought=kind in _REASONING or item.commentary)

    def _said(self, text: str, place: int, part: object, thought: bool) -> Delta:
        """Text, apart by an empty line from what belongs to something else."""
        channel = "reasoning" if thought else "text"
        apart = "\n\n" if self._last.get(channel, (place, part)) != (place, part) else ""
        self._last[channel] = place, part
        return Delta(reasoning=apart + text) if thought else Delta(apart + text)

    def _arguments(self, event: dict[str, Any]) -> Iterator[Delta]:
        """A piece of a call's arguments, or all of them where no piece came."""
        place, piece = self._place(event), _word(event.get("delta"))
        item = self._items[place]
        written = piece or ("" if item.told else _word(event.get("arguments")))
        if written:
            item.told = "arguments"
            yield Delta(calls=(CallDelta(place, arguments=written),))

    def _finished(self, place: int, told: dict[str, Any]) -> Iterator[Delta]:
        """What was not told yet of an item that is complete; it is kept."""
        yield from self._announced(place, told)
        item = self._items[place]
        first, item.received = item.received is None, told
        self._size += len(json.dumps(told)) if first else 0
        if item.kind == "function_call" and first:
            kept = {OUTPUT_ITEMS: {"place": place, "item": told}}
            opaque = json.dumps(kept, ensure_ascii=False) if self._size <= MOST_OPAQUE else ""
            written = "" if item.told else _word(told.get("arguments"))
            yield Delta(calls=(CallDelta(place, arguments=written, opaque=opaque),))
        elif not item.told:
            item.told = "item"
            for number, (text, thought) in enumerate(_texts(told)):
                yield self._said(text, place, number if thought else None, thought or item.commentary)

    def _ended(self, response: dict[str, Any], kind: str = "completed") -> Iterator[Delta]:
        """What is left of a response that is over."""
        status = _word(response.get("status")) or kind
        if status in ("failed", "cancelled"):
            self._raise_error({"error": response.get("error") or {"message": status, "code": "server_error"}})
        if not any(item.received for item in self._items):
            for index, told in enumerate(_objects(response.get("output"))):
                yield from self._finished(self._place({"output_index": index, "item": told}), told)
        if status == "incomplete":
            reason = _object(response.get("incomplete_details")).get("reason")
            self.finish = "content_filter" if reason == "content_filter" else "length"
        else:
            self.finish = "tool_calls" if any(item.kind == "function_call" for item in self._items) else "stop"
            yield from self._opaque()
        self.done = True
        yield Delta(usage=read_response_usage(response.get("usage")), finish=self.finish)

    def _opaque(self) -> Iterator[Delta]:
        """The items but for the calls, which have their own; none where one did not come whole, or all are too much."""
        kept = [None if item.kind == "function_call" else item.received for item in self._items]
        if kept and self._size <= MOST_OPAQUE and all(item.received for item in self._items):
            yield Delta(opaque=json.dumps({OUTPUT_ITEMS: kept}, ensure_ascii=False))

    def _raise_error(self, answer: dict[str, Any]) -> None:
        if answer.get("error"):
            error = _object(answer["error"])
            status = _STATUSES.get(_word(error.get("code")), 200)
            self.problem = read_problem(status, {"error": answer["error"]}, pause_in(_word(error.get("message"))))
            raise self._failures.answered(self.problem)


def _texts(item: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """The texts of a complete item, each with whether it is a thought; of reasoning the summary, else all of it."""
    if item.get("type") == "message":
        text = "".join(_word(part.get("text")) or _word(part.get("refusal")) for part in _objects(item.get("content")))
        if text:
            yield text, False
    elif item.get("type") == "reasoning":
        parts = _objects(item.get("summary")) or _objects(item.get("content"))
        yield from ((text, True) for part in parts if (text := _word(part.get("text"))))


def read_response_usage(value: object) -> Usage | None:
    """Usage of a response, or ``None`` where there is none: ``input_tokens`` counts cached ones, too."""
    sent = _object(value)
    return read_usage(
        {
            "prompt_tokens": sent.get("input_tokens"),
            "prompt_tokens_details": sent.get("input_tokens_details"),
            "completion_tokens": sent.get("output_tokens"),
            "completion_tokens_details": sent.get("output_tokens_details"),
        }
    )


def _objects(value: object) -> list[dict[str, Any]]:
    return [_object(part) for part in cast("list[object]", value)] if isinstance(value, list) else []


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""
