"""What 85 refusals of real servers lead to: what is learned and cured, what a person is told, how long is too long."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agent.errors import ModelFailed, ToolsRefused
from agent.events import ToolSchema
from agent.messages import Message, ToolRequest
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat
from agent.models.protocol import Patience, Request
from agent.models.refusals.lessons import lesson
from agent.models.refusals.problems import pause_in, read_problem
from agent.models.window import Window
from tests.support.servers.model_server import ModelServer, Reply

pytestmark = pytest.mark.usefixtures("asked_again_at_once")

Body = dict[str, Any]
REFUSALS: dict[str, Body] = json.loads((Path(__file__).parents[1] / "support" / "refusals.json").read_text("utf-8"))
# The same refusals in other words, each with the name of the one in ``REFUSALS`` that it is like.
WORDINGS: list[Body] = json.loads((Path(__file__).parents[1] / "support" / "refusal_wordings.json").read_text("utf-8"))
SEARCH = ToolSchema("search", "Search the web.", {"type": "object", "properties": {"query": {"type": "string"}}})
WRITTEN = '{"name": "search", "arguments": {"query": "x"}}'


def called(opaque: str = "", identity: str = "call_1", content: str = "", name: str = "search") -> Message:
    request = ToolRequest(identity, name, '{"query": "x"}', "")
    return Message("assistant", content, (request,), opaque=opaque)


def asked(*more: Message, tools: bool = True, stop: tuple[str, ...] = (), **parameters: Any) -> Request:
    messages = (Message("system", "Be short."), Message("user", "hi"), *more)
    key = parameters.pop("prompt_cache_key", "")
    return Request(messages, (SEARCH,) if tools else (), stop=stop, parameters=parameters, prompt_cache_key=key)


FOUND = Message("tool", "found", call_id="call_1")
THOUGHT = '{"reasoning_content": "I look."}'
SIGNED = '{"reasoning_details": [{"type": "reasoning.encrypted", "data": "S", "index": 0}]}'
# All that is refused anywhere, at once.
RICH = asked(called(THOUGHT), FOUND, stop=("x",), temperature=0.2, max_tokens=9, prompt_cache_key="k")


def assistants(body: Body) -> list[Body]:
    return [message for message in body["messages"] if message["role"] == "assistant"]


def roles(body: Body) -> list[str]:
    return [message["role"] for message in body["messages"]]


def ids(body: Body) -> list[str]:
    """Of each call, then of each result."""
    calls = [call["id"] for message in assistants(body) for call in message.get("tool_calls", ())]
    return calls + [message["tool_call_id"] for message in body["messages"] if message["role"] == "tool"]


def has(name: str, value: object = None) -> Callable[[Body], bool]:
    return lambda body: name in body and (value is None or body[name] == value)


def always(body: Body) -> bool:
    return True


@dataclass(frozen=True)
class Case:
    """A request that holds what is refused, what the server ``refuses``, and what follows.

    ``kind`` and ``reason`` are those of the failure, "" where the request succeeds in the end, which it does with
    ``tries`` requests.
    """

    refuses: Callable[[Body], bool]
    request: Request = RICH
    learned: frozenset[str] = frozenset()
    tries: int = 1
    kind: str = ""
    reason: str = ""
    most: int | None = None
    how: Mapping[str, Any] = field(default_factory=dict[str, Any])


def cured(refuses: Callable[[Body], bool], request: Request, *learned: str, **how: Any) -> Case:
    return Case(refuses, request, frozenset(learned), tries=2, how=how)


def without_responses(refuses: Callable[[Body], bool], request: Request, *learned: str) -> Case:
    """The server wants to be asked over the Responses API, and has none: it is asked as before, then as it takes it."""
    return Case(refuses, request, frozenset({"responses", *learned}), tries=3)


def never_sent(refuses: Callable[[Body], bool], request: Request = RICH) -> Case:
    return Case(refuses, request)


def told(kind: str, reason: str, most: int | None = None) -> Case:
    return Case(always, kind=kind, reason=reason, most=most)


TEXT_WIRE = Case(has("tools"), learned=frozenset({"tools"}), kind="tools")
ONE_TOOL = Case(has("tools"), kind="tools")
HISTORY = told("refused", "history")


def lacks(name: str) -> Callable[[Body], bool]:
    """Of messages with calls."""
    return lambda body: any(name not in message for message in assistants(body) if message.get("tool_calls"))


def reasons_with_tools(body: Body) -> bool:
    return "tools" in body and body.get("reasoning_effort") != "none"


def given_effort_with_tools(body: Body) -> bool:
    return "tools" in body and body.get("reasoning_effort", "none") != "none"


def too_many_stops(body: Body) -> bool:
    """No server takes fewer than four, and more are never sent; one that did would be understood."""
    return len(body.get("stop", ())) > 3


def unsigned(body: Body) -> bool:
    return any("extra_content" not in message["tool_calls"][0] for message in assistants(body))


def out_of_turn(body: Body) -> bool:
    said = [role for role in roles(body) if role not in ("system", "tool")]
    calls = [message for message in body["messages"] if message.get("tool_calls")]
    told = [role for role in said if role == "user" or not calls]
    pairs = list(zip(roles(body), roles(body)[1:], strict=False))
    return ("tool", "user") in pairs or ("user", "user") in pairs or "system" in roles(body)[1:] or told == []


def user_after_tool(body: Body) -> bool:
    return ("tool", "user") in zip(roles(body), roles(body)[1:], strict=False)


def two_assistants(body: Body) -> bool:
    return roles(body)[-2:] == ["assistant", "assistant"]


def bad_ids(body: Body) -> bool:
    calls, results = ids(body)[: len(ids(body)) // 2], ids(body)[len(ids(body)) // 2 :]
    assert calls == results
    return any(len(each) != 9 or not each.isalnum() for each in calls)


def bad_names(body: Body) -> bool:
    names = [call["function"]["name"] for message in assistants(body) for call in message.get("tool_calls", ())]
    return any(not name.replace("_", "").isalnum() for name in names)


def nothing_said(body: Body) -> bool:
    return any(message.get("content", "") is None for message in body["messages"])


def thinks_in_one_piece(body: Body) -> bool:
    return not body.get("stream") and body.get("enable_thinking") is not False


def list_content(body: Body) -> bool:
    return any(isinstance(message.get("content"), list) for message in body["messages"])


def empty_tools(body: Body) -> bool:
    return body.get("tools") == []


PARTS = (
    '{"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": "A."}]}'
)
TALK = asked(called(), FOUND, Message("user", "And then?"))
CHANGED = asked(called(SIGNED), FOUND)
BAD_ARGUMENTS = asked(Message("assistant", "", (ToolRequest("call_1", "search", "oops"),)), FOUND)
MADE_UP = asked(called(name="search the web!"), FOUND)
PENALTY = asked(presence_penalty=0.5, stop=("x",))
GRAMMAR = asked(grammar="root ::= x", json_schema={})

TABLE: dict[str, Case] = {
    "OpenAI: tools while it reasons": without_responses(reasons_with_tools, asked(), "+reasoning_effort"),
    "OpenAI: tools with an effort": without_responses(
        given_effort_with_tools, asked(reasoning_effort="low"), "reasoning_effort"
    ),
    "OpenAI: unknown effort": cured(
        has("reasoning_effort", "minimal"), asked(reasoning_effort="minimal"), 'reasoning_effort="minimal"'
    ),
    "OpenAI: max_tokens": cured(has("max_tokens"), RICH, "max_tokens"),
    "OpenAI: stop": cured(has("stop"), RICH, "stop"),
    "OpenAI: temperature": cured(has("temperature"), RICH, "temperature"),
    "OpenAI: too many stops": cured(too_many_stops, asked(stop=tuple("abcdef")), "stop"),
    "OpenAI: call without a result": HISTORY,
    "OpenAI: result without a call": HISTORY,
    "OpenAI: name of a tool": ONE_TOOL,
    "OpenAI: image": told("refused", "images"),
    "OpenAI: length": told("context", "context", 8192),
    "OpenAI Responses: item that was not stored": HISTORY,
    "OpenAI Responses: call without its reasoning": HISTORY,
    "OpenAI Responses: reasoning without what follows": HISTORY,
    "OpenAI Responses: output without a call": HISTORY,
    "OpenAI Responses: call without an output": HISTORY,
    "OpenAI Responses: reasoning of another key": cured(lambda body: "reasoning_details" in json.dumps(body), CHANGED),
    "OpenAI Responses: reasoning of a model that does not reason": cured(
        has("include"), asked(include=["reasoning.encrypted_content"]), "include"
    ),
    "Gemini: call without a signature": cured(unsigned, TALK, "+thought_signature"),
    "Gemini: calls and results differ in number": HISTORY,
    "Gemini: too many stops": cured(too_many_stops, asked(stop=tuple("abcdef")), "stop"),
    "Gemini: length": told("context", "context", 8192),
    "Gemini: quota": told("rate", "rate"),
    "DeepSeek: reasoning not passed back": cured(lacks("reasoning_content"), TALK, "+reasoning_content"),
    "DeepSeek: image": told("refused", "images"),
    "DeepSeek: list of parts": cured(list_content, asked(called(PARTS, content="A."), FOUND), "content"),
    "DeepSeek: call without a result": HISTORY,
    "DeepSeek: result without a call": HISTORY,
    "DeepSeek: length": told("context", "context", 8192),
    "Anthropic: call without a result": HISTORY,
    "Anthropic: result without a call": HISTORY,
    "Anthropic: wrong signature": cured(lambda body: "reasoning_details" in json.dumps(body), CHANGED),
    "Anthropic: no signature": cured(lambda body: "reasoning_details" in json.dumps(body), CHANGED),
    "Anthropic: reasoning was changed": cured(lambda body: "reasoning_details" in json.dumps(body), CHANGED),
    "Anthropic: kind of thinking": cured(
        has("thinking"), asked(thinking={"type": "enabled"}), 'thinking={"type":"enabled"}'
    ),
    "Anthropic: too many marks": told("refused", "refused status"),
    "Anthropic: name of a tool": ONE_TOOL,
    "Anthropic: length": told("context", "context", 8192),
    "Mistral: id of a call": cured(bad_ids, TALK, "+ids_9"),
    "Mistral: user after tool": cured(user_after_tool, TALK, "+turns"),
    "Mistral: assistant at the end": HISTORY,
    "Mistral: calls and results differ in number": HISTORY,
    "xAI: penalty": cured(has("presence_penalty"), PENALTY, "presence_penalty"),
    "xAI: length": told("context", "context", 8192),
    "Groq: reasoning of a message": cured(
        lambda body: "reasoning_content" in json.dumps(body), RICH, "reasoning_content"
    ),
    "Groq: unknown field": cured(has("store"), asked(store=False, stop=("x",)), "store"),
    "Groq: unreadable call": Case(always),
    "Groq: length": told("context", "context"),
    "Groq: tokens of a minute": told("rate", "minute"),
    "Cerebras: unknown field": cured(has("prompt_cache_key"), RICH, "prompt_cache_key"),
    "Fireworks: unknown field": cured(has("prompt_cache_key"), RICH, "prompt_cache_key"),
    "OpenRouter: reasoning not passed back": cured(lacks("reasoning_details"), TALK, "+reasoning_details"),
    "OpenRouter: image": told("refused", "images"),
    "OpenRouter: broken off": told("server", "server"),
    "Azure: filter": told("refused", "filter"),
    "Azure: path": told("garbage", "path"),
    "DashScope: thinking without a stream": cured(thinks_in_one_piece, asked(), "+enable_thinking", stream=False),
    "DashScope: call without a result": HISTORY,
    "Kimi: reasoning not passed back": cured(lacks("reasoning_content"), TALK, "+reasoning_content"),
    "Kimi: temperature": cured(has("temperature"), RICH, "temperature"),
    "Kimi: length": told("context", "context", 8192),
    "MiniMax: kind of thinking": cured(
        has("thinking"), asked(thinking={"type": "enabled"}), 'thinking={"type":"enabled"}'
    ),
    "MiniMax: length": told("context", "context"),
    "Ollama: tools": TEXT_WIRE,
    "Ollama: arguments": never_sent(lambda body: "oops" in str(ids(body)), BAD_ARGUMENTS),
    "Ollama: no content": never_sent(nothing_said),
    "Ollama: address of an image": told("refused", "images"),
    "Ollama: unknown effort": cured(
        has("reasoning_effort", "turbo"), asked(reasoning_effort="turbo"), 'reasoning_effort="turbo"'
    ),
    "Ollama: length": Case(always, asked(Message("assistant", "Once upon a time. " * 900))),
    "LM Studio: length": told("context", "context", 8192),
    "llama.cpp: turns": cured(out_of_turn, TALK, "+turns"),
    "llama.cpp: tools": TEXT_WIRE,
    "llama.cpp: grammar": cured(lambda body: {"tools", "grammar"} <= body.keys(), GRAMMAR, "grammar"),
    "llama.cpp: two grammars": cured(lambda body: {"json_schema", "grammar"} <= body.keys(), GRAMMAR, "json_schema"),
    "llama.cpp: two assistants at the end": cured(
        two_assistants, asked(Message("assistant", "A.", opaque="{}"), Message("assistant", "B.")), "+turns"
    ),
    "llama.cpp: image": told("refused", "images"),
    "llama.cpp: unreadable call": Case(always),
    "llama.cpp: length": told("context", "context", 256),
    "llama.cpp: loading": told("server", "loading"),
    "vLLM: tools": TEXT_WIRE,
    "vLLM: length": told("context", "context", 8192),
    "vLLM: no tools": never_sent(empty_tools, asked(tools=False)),
    "SGLang: length": told("context", "context", 8192),
    "TGI: length": told("context", "context", 8192),
}
STREAMED = [name for name, case in TABLE.items() if REFUSALS[name]["body"] and name != "OpenRouter: broken off"]


@dataclass
class Outcome:
    text: str = ""
    failed: ModelFailed | None = None
    learned: frozenset[str] = frozenset()
    window: Window | None = None
    bodies: list[Body] = field(default_factory=list[Body])
    notes: list[str] = field(default_factory=list[str])


def outcome(
    name: str, refuses: Callable[[Body], bool], request: Request, stream: bool = True, in_stream: bool = False
) -> Outcome:
    """What comes of the request to a server that refuses in the words of ``name``, else replies."""
    refusal, capabilities = REFUSALS[name], Capabilities()
    status, body = refusal["status"], refusal["body"]

    def reply(sent: Body) -> Reply:
        if not refuses(sent):
            return Reply("Fine.")
        if body is None:
            return Reply("Fine.", usage={"prompt_tokens": 2_050, "completion_tokens": 1})
        return Reply(events=[body]) if in_stream or status == 200 else Reply(status=status, body=body)

    seen = Outcome()
    with ModelServer(reply) as server:
        chat = OpenAIChat(server.endpoint, "m", capabilities, stream=stream, patience=Patience(retries=2))
        with closing(chat) as model:
            try:
                for delta in model.stream(request):
                    seen.text += delta.text
                    seen.notes += [delta.note] if delta.note else []
            except ModelFailed as failed:
                seen.failed = failed
        seen.learned = capabilities.refused(server.endpoint, "m")
        seen.window = capabilities.window(server.endpoint, "m")
        seen.bodies = list(server.requests)
    return seen


def test_every_refusal_is_in_the_table() -> None:
    assert list(TABLE) == list(REFUSALS) and len(TABLE) == 85


@pytest.mark.parametrize("name", TABLE)
def test_what_follows(name: str) -> None:
    case = TABLE[name]
    seen = outcome(name, case.refuses, case.request, **case.how)
    assert seen.learned == case.learned
    if not case.kind:
        assert seen.failed is None
        assert len(seen.bodies) == case.tries
        assert (len(seen.notes) > 0) == (case.tries > 1 or case.refuses is always)
        assert seen.window == (Window(2_050, "server") if name == "Ollama: length" else None)
        return
    assert seen.failed is not None and seen.text == ""
    assert (seen.failed.kind, isinstance(seen.failed, ToolsRefused)) == (case.kind, case.kind == "tools")
    assert (seen.failed.most, case.reason in ("", seen.failed.reason)) == (case.most, True), seen.failed.reason
    # What may pass is tried again, nothing else.
    assert len(seen.bodies) == (3 if case.reason in ("loading", "rate") else 1)
    if case.most and case.most >= 1_024:
        assert seen.window == Window(case.most, "refusal")


@pytest.mark.parametrize("name", STREAMED)
def test_the_same_inside_a_stream(name: str) -> None:
    """An error where a reply was to begin: what it teaches is learned as from one with a status."""
    case = TABLE[name]
    seen = outcome(name, case.refuses, case.request, **case.how, in_stream=True)
    assert seen.learned == case.learned
    if case.kind:
        assert seen.failed is not None and seen.failed.kind == case.kind
        assert seen.failed.most == case.most
    else:
        assert seen.failed is None and len(seen.bodies) == case.tries


@pytest.mark.parametrize("name", TABLE)
def test_nothing_false_is_learned(name: str) -> None:
    """A server that refuses whatever it is sent, and a request with all that is refused anywhere."""
    seen = outcome(name, always, RICH)
    assert seen.learned <= TABLE[name].learned
    assert len(seen.bodies) <= 3


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda wording: f"{WORDINGS.index(wording)} {wording['as']}")
def test_the_same_in_other_words(wording: Body, monkeypatch: pytest.MonkeyPatch) -> None:
    case = TABLE[wording["as"]]
    monkeypatch.setitem(REFUSALS, "other words", {"status": wording["status"], "body": wording["body"]})
    seen = outcome("other words", case.refuses, case.request, **case.how)
    assert seen.learned == case.learned
    assert outcome("other words", always, RICH).learned <= case.learned
    if not case.kind:
        assert seen.failed is None
        return
    assert seen.failed is not None
    assert (seen.failed.kind, seen.failed.most) == (case.kind, case.most)
    assert case.reason in ("", seen.failed.reason)


@pytest.mark.parametrize("name", ["Groq: unreadable call", "llama.cpp: unreadable call"])
@pytest.mark.parametrize("in_stream", [False, True])
def test_an_unreadable_call_is_the_reply(name: str, in_stream: bool) -> None:
    seen = outcome(name, always, RICH, in_stream=in_stream)
    assert WRITTEN in seen.text and len(seen.bodies) == 1
    without_tools = outcome(name, always, asked(tools=False), in_stream=in_stream)
    assert without_tools.failed is not None and without_tools.failed.reason == "call"


def test_an_image_is_left_out_where_one_was_sent() -> None:
    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    body = {"model": "m", "messages": [{"role": "user", "content": [{"type": "text", "text": "?"}, part]}]}
    for name, refusal in REFUSALS.items():
        if name.endswith((": image", ": list of parts")):
            taught = lesson(read_problem(refusal["status"], refusal["body"]), body, ())
            assert taught is not None and (taught.name, taught.kept) == ("images", True), name
    url = REFUSALS["Ollama: address of an image"]
    assert lesson(read_problem(url["status"], url["body"]), body, ()) is None


def test_a_field_of_a_call_is_left_out_too() -> None:
    signed = Message("assistant", "", (ToolRequest("call_1", "search", "{}", '{"extra_content": {"google": {}}}'),))

    def refuses(body: Body) -> bool:
        return "extra_content" in json.dumps(body)

    name = "Groq: reasoning of a message"
    said = json.dumps(REFUSALS[name]).replace("reasoning_content", "extra_content")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(REFUSALS, name, json.loads(said))
        seen = outcome(name, refuses, asked(signed, FOUND))
    assert seen.failed is None and seen.learned == {"extra_content"}


def test_the_sign_at_the_end_of_a_long_error_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """llama.cpp tells the template first; a person's words in the middle of an error are not looked at."""
    template = "{%- if message.role %}" * 300 + "this model does not support tools " + "{%- endif %}" * 600
    said = f"{template}\nError: Jinja Exception: Conversation roles must alternate user/assistant/..."
    name = "llama.cpp: turns"
    monkeypatch.setitem(REFUSALS, name, {"status": 500, "body": {"error": {"message": said, "code": 500}}})
    seen = outcome(name, TABLE[name].refuses, TALK)
    assert (seen.failed, seen.learned, len(seen.bodies)) == (None, {"+turns"}, 2)


def test_ids_are_the_same_in_call_and_result() -> None:
    parallel = Message(
        "assistant",
        "",
        (ToolRequest("functions.search:0", "search", "{}"), ToolRequest("functions.search:1", "search", "{}")),
    )
    results = (Message("tool", "a", call_id="functions.search:0"), Message("tool", "b", call_id="functions.search:1"))
    last = outcome("Mistral: id of a call", bad_ids, asked(parallel, *results)).bodies[-1]
    calls, results_of = ids(last)[:2], ids(last)[2:]
    assert calls == results_of and len(set(calls)) == 2


def test_a_made_up_name_does_not_spoil_the_conversation() -> None:
    seen = outcome("OpenAI: name of a tool", bad_names, MADE_UP)
    assert seen.failed is None and len(seen.bodies) == 1
    assert assistants(seen.bodies[0])[0]["tool_calls"][0]["function"]["name"] == "search_the_web_"


def test_two_refusals_of_the_same_field_end_in_what_is_insisted_on() -> None:
    """A value is refused, then the field left out: the one that is insisted on takes its place."""

    def refuses(body: Body) -> bool:
        return body.get("reasoning_effort") != "none"

    seen = outcome("OpenAI: tools while it reasons", refuses, asked(reasoning_effort="low"))
    assert seen.failed is None and seen.bodies[-1]["reasoning_effort"] == "none"


def long_ids(body: Body) -> bool:
    return any(len(each) > 40 for each in ids(body))


def odd_ids(body: Body) -> bool:
    return any(not each.replace("_", "").replace("-", "").isalnum() for each in ids(body))


def empty_text(body: Body) -> bool:
    return any(message.get("content", "?") == "" for message in body["messages"])


def system_role(body: Body) -> bool:
    return "system" in roles(body)


def with_id(identity: str) -> Request:
    return asked(called(identity=identity), Message("tool", "found", call_id=identity))


MORE: dict[str, tuple[int, str, Callable[[Body], bool], Request, str]] = {
    "OpenAI: long id": (
        400,
        "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a "
        "string with length 64 instead.",
        long_ids,
        with_id("call_" + "x" * 59),
        "+ids_40",
    ),
    "Anthropic: odd id": (
        400,
        "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
        odd_ids,
        with_id("functions.search:0"),
        "+ids_word",
    ),
    "Anthropic: nothing said": (
        400,
        "messages: text content blocks must be non-empty",
        empty_text,
        asked(called(), FOUND, Message("assistant", ""), Message("user", "?")),
        "+content",
    ),
    "Gemma: no system role": (500, "Jinja Exception: System role not supported", system_role, RICH, "system"),
    "OpenAI o1-mini: no system role": (
        400,
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        system_role,
        RICH,
        "system",
    ),
    "Qwen: system is not first": (
        500,
        "Jinja Exception: System message must be at the beginning.",
        lambda body: "system" in roles(body)[1:],
        asked(Message("system", "And kind.")),
        "+turns",
    ),
}


@pytest.mark.parametrize("name", MORE)
def test_messages_take_the_shape_that_is_wanted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    status, message, refuses, request, learned = MORE[name]
    monkeypatch.setitem(REFUSALS, name, {"status": status, "body": {"error": {"message": message}}})
    seen = outcome(name, refuses, request)
    assert seen.failed is None and seen.learned == {learned} and len(seen.bodies) == 2
    last = seen.bodies[-1]
    assert len(set(ids(last))) == len(ids(last)) // 2
    assert "Be short." in str(last["messages"][0]["content"]) and "hi" in str(last["messages"])


def test_what_cannot_be_read_again_is_filled_in() -> None:
    """Gemini: first the signature is of another model, then there is none."""
    signed = Message("assistant", "", (ToolRequest("1", "search", "{}", '{"extra_content": {"google": {"s": "x"}}}'),))
    problem = {"message": "Corrupted thought signature.", "code": 400, "status": "INVALID_ARGUMENT"}

    def reply(body: Body) -> Reply:
        given = assistants(body)[0]["tool_calls"][0].get("extra_content")
        if given and "s" in given["google"]:
            return Reply(status=400, body=[{"error": problem}])
        return Reply("Fine.") if given else Reply(**REFUSALS["Gemini: call without a signature"])

    capabilities = Capabilities()
    with ModelServer(reply) as server, closing(OpenAIChat(server.endpoint, "m", capabilities)) as model:
        assert (
            "".join(delta.text for delta in model.stream(asked(signed, Message("tool", "a", call_id="1")))) == "Fine."
        )
        assert capabilities.learned(server.endpoint, "m") == {"+thought_signature"}


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("Rate limit reached. Please try again in 18.642s. Visit …", 18.642),
        ("Please try again in 7m12s.", 432.0),
        ("Please try again in 20ms.", 0.02),
        ("try again in 1h2m3s", 3723.0),
        ('"details": [{"@type": "…RetryInfo", "retryDelay": "27s"}]', 27.0),
        ("Please try again in a moment.", 0.0),
        ("", 0.0),
    ],
)
def test_the_pause_that_a_text_names(said: str, seconds: float) -> None:
    assert pause_in(said) == pytest.approx(seconds)
