"""A model server on loopback that bills as those do that keep prompts: a beginning that it knows is counted as cached.

    with BillingServer() as server:
        ... server.endpoint ...
        print(server.bill.cached / server.bill.input)

**Tokens** are this server's own: four characters of the request as it is written down here, its tools first and then
its messages, one line of JSON each, with the keys as they were sent. What is cached is the longest beginning that the
request has in common with any one before it, in whole tokens. ``least`` and ``step`` are a provider's own rule: a
beginning shorter than ``least`` tokens is not kept, a longer one in steps of ``step`` (OpenAI: 1,024 and 128).

**Replies** follow from the request alone. Each question is answered after ``CALLS`` calls, one a reply, of the tools in
the order in which the request tells them: natively where it has ``tools``, else as text. A request to merge gets the
follow-up back. An id of a call is made of its question, which may therefore be asked once in a chat.

**It is strict**: status 400 for what some make of server refuses. See ``problems``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from zlib import crc32

from tests.support.servers.model_server import Call, ModelServer, Reply

CALLS = 2
CHARACTERS = 4
_FIELDS = {"model", "messages", "tools", "tool_choice", "stream", "stream_options", "stop", "temperature", "max_tokens"}
_FIELDS |= {"max_completion_tokens", "parallel_tool_calls", "prompt_cache_key"}
_KEYS = {
    "system": {"role", "content"},
    "user": {"role", "content"},
    "assistant": {"role", "content", "tool_calls"},
    "tool": {"role", "content", "tool_call_id"},
}
_FOLLOW_UP = re.compile(r"^Follow-up question: (.*)\n\nStandalone question:$", re.M)
_OBSERVATION = "Observation:"
_NAMES = re.compile(r"one of: (.*)")


@dataclass
class Bill:
    """What was sent and how much of it was known, in tokens: ``lines`` has both for each request, in order."""

    lines: list[tuple[int, int]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    @property
    def input(self) -> int:
        return sum(sent for sent, _ in self.lines)

    @property
    def cached(self) -> int:
        return sum(known for _, known in self.lines)


class BillingServer(ModelServer):
    """See the module."""

    def __init__(self, least: int = 0, step: int = 1) -> None:
        super().__init__(self._answer, chunk=64)
        self.bill = Bill()
        self._least, self._step = least, step
        self._known: list[str] = []

    def __enter__(self) -> BillingServer:
        super().__enter__()
        return self

    def _answer(self, body: dict[str, Any]) -> Reply:
        if wrong := next(problems(body), ""):
            self.bill.refused.append(wrong)
            return Reply(status=400, body={"error": {"message": wrong, "type": "invalid_request_error", "param": None}})
        return reply(body, self._billed(body))

    def _billed(self, body: Mapping[str, Any]) -> dict[str, Any]:
        text = written(body)
        known = max((common(text, other) for other in self._known), default=0) // CHARACTERS
        known = known // self._step * self._step if known >= self._least else 0
        self._known.append(text)
        sent = -(-len(text) // CHARACTERS)
        self.bill.lines.append((sent, known))
        return {"prompt_tokens": sent, "completion_tokens": 20, "total_tokens": sent + 20} | {
            "prompt_tokens_details": {"cached_tokens": known}
        }


def written(body: Mapping[str, Any]) -> str:
    lines = [*body.get("tools", ()), *body["messages"]]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def common(one: str, other: str) -> int:
    """How many characters both begin with."""
    most = min(len(one), len(other))
    if one[:most] == other[:most]:
        return most
    return next(at for at in range(most) if one[at] != other[at])


def reply(body: Mapping[str, Any], usage: Mapping[str, Any]) -> Reply:
    """The next step of the script for a request that is in order."""
    messages: Sequence[Mapping[str, Any]] = body["messages"]
    last = str(messages[-1]["content"])
    if merging := _FOLLOW_UP.search(last):
        return Reply(merging.group(1), usage=usage)
    asked = max(at for at, each in enumerate(messages) if _asks(each))
    question, made = str(messages[asked]["content"]), _steps(messages[asked + 1 :])
    if "tools" in body:
        if made == CALLS or body.get("tool_choice") == "none":
            return Reply(_result(question), usage=usage)
        name = body["tools"][made % len(body["tools"])]["function"]["name"]
        arguments = json.dumps({"text": question[-80:]}, ensure_ascii=False)
        call = Call(name, arguments, f"call_{crc32(question.encode()):x}_{made}")
        return Reply("I look it up.", calls=(call,), usage=usage)
    if made == CALLS:
        return Reply(f"Thought: I now know the final answer\nFinal Answer: {_result(question)}", usage=usage)
    names = _names(str(messages[0]["content"]))
    said = f"Thought: I look it up.\nAction: {names[made % len(names)]}\nAction Input: {question[-80:]}"
    return Reply(said, usage=usage)


def _asks(message: Mapping[str, Any]) -> bool:
    return message["role"] == "user" and not str(message["content"]).startswith(_OBSERVATION)


def _steps(messages: Sequence[Mapping[str, Any]]) -> int:
    return sum(message["role"] == "assistant" for message in messages)


def _names(system: str) -> list[str]:
    """The tools that the instructions of the text wire name."""
    found = _NAMES.search(system)
    return found.group(1).split(", ") if found else ["search"]


def _result(question: str) -> str:
    return f"By both sources, the figure for “{question[:60]}” is {len(question) * 37}, up by a tenth since last year."


def problems(body: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a request, a sentence each.

    Unknown fields; a ``content`` that is no text or empty, but for a message with calls; a system message that is not
    the first; a last message of the assistant's; calls that are not answered at once, each by its id, and results
    without their call; an id that was used before; arguments that are no JSON object; a call of an undeclared tool; and
    without ``tools`` two messages of the same side in a row.
    """
    for name in sorted(body.keys() - _FIELDS):
        yield f"Unrecognized request argument supplied: {name}"
    messages: Sequence[Mapping[str, Any]] = body["messages"]
    for at, message in enumerate(messages):
        yield from _shape(at, message)
    yield from _pairing(messages, {tool["function"]["name"] for tool in body.get("tools", ())})
    if messages[-1]["role"] not in ("user", "tool"):
        yield "the last message must be of the user or a tool"
    if not body.get("tools"):
        for at, (one, other) in enumerate(pairwise(messages)):
            if one["role"] == other["role"]:
                yield f"messages.[{at + 1}]: roles must alternate user/assistant"


def _shape(at: int, message: Mapping[str, Any]) -> Iterator[str]:
    role = message.get("role")
    if role not in _KEYS:
        yield f"messages.[{at}]: unknown role {role!r}"
        return
    for name in sorted(message.keys() - _KEYS[role]):
        yield f"messages.[{at}]: unknown field {name}"
    content = message.get("content")
    if not message.get("tool_calls") and not (isinstance(content, str) and content.strip()):
        yield f"messages.[{at}]: content must not be empty"
    if role == "system" and at:
        yield f"messages.[{at}]: a system message must be the first"
    if role == "tool" and not message.get("tool_call_id"):
        yield f"messages.[{at}]: tool_call_id is missing"


def _pairing(messages: Sequence[Mapping[str, Any]], declared: set[str]) -> Iterator[str]:
    used: set[str] = set()
    open_calls: set[str] = set()
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            if message.get("tool_call_id") not in open_calls:
                yield f"messages.[{at}]: no call with id {message.get('tool_call_id')} before this result"
            open_calls.discard(str(message.get("tool_call_id")))
            continue
        if open_calls:
            yield f"messages.[{at}]: no result for {', '.join(sorted(open_calls))}"
        for call in message.get("tool_calls", ()):
            yield from _call(at, call, used, declared)
            used.add(call["id"])
            open_calls.add(call["id"])
    if open_calls:
        yield f"no result for {', '.join(sorted(open_calls))}"


def _call(at: int, call: Mapping[str, Any], used: set[str], declared: set[str]) -> Iterator[str]:
    if call["id"] in used:
        yield f"messages.[{at}]: the id {call['id']} was used before"
    if call["function"]["name"] not in declared:
        yield f"messages.[{at}]: no tool {call['function']['name']}"
    try:
        whole = isinstance(json.loads(call["function"]["arguments"]), dict)
    except ValueError:
        whole = False
    if not whole:
        yield f"messages.[{at}]: arguments must be a JSON object"
