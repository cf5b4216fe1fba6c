"""The chat client against a real loopback server that has the habits of several makes."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Event as Flag

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import BadRequest, ModelFailed, ToolsRefused
from agent.events import ToolSchema
from agent.interface_text import Text
from agent.messages import Message, ToolRequest, Usage
from agent.models.capabilities import Capabilities
from agent.models.chunks import EventDecoder, ReplyReader, parse, read_usage
from agent.models.model_failures import Failures
from agent.models.openai_chat import OpenAIChat
from agent.models.protocol import CallDelta, Delta, Patience, Request
from agent.models.stop_flag import StopFlag
from agent.models.window import drops_tools, truncation
from tests.support.servers.model_server import Call, ModelServer, Reply

KEY = "sk-test-1234567890abcdefghijkl"
SEARCH = ToolSchema("search", "Search the web.", {"type": "object", "properties": {"query": {"type": "string"}}})


def asked(*texts: str, **more: object) -> Request:
    return Request(tuple(Message("user", text) for text in texts or ("hi",)), **more)  # type: ignore[arg-type]


@contextmanager
def chat(server: ModelServer, **options: object) -> Iterator[OpenAIChat]:
    patience = Patience(silence=options.pop("read_timeout", 5.0), retries=options.pop("max_retries", 0))  # type: ignore[arg-type]
    options = {"capabilities": Capabilities(), "patience": patience, **options}
    with closing(OpenAIChat(server.endpoint, "m", **options)) as model:  # type: ignore[arg-type]
        yield model


def joined(deltas: list[Delta]) -> Delta:
    """What the deltas amount to; call fragments of one index are one call."""
    calls: dict[int, CallDelta] = {}
    for fragment in (call for delta in deltas for call in delta.calls):
        held = calls.get(fragment.index, CallDelta(fragment.index))
        calls[fragment.index] = CallDelta(
            fragment.index, held.id or fragment.id, held.name or fragment.name, held.arguments + fragment.arguments
        )
    return Delta(
        "".join(delta.text for delta in deltas),
        "".join(delta.reasoning for delta in deltas),
        tuple(calls[index] for index in sorted(calls)),
        next((delta.usage for delta in reversed(deltas) if delta.usage), None),
        next((delta.finish for delta in reversed(deltas) if delta.finish), ""),
        " ".join(delta.note for delta in deltas if delta.note),
    )


def reply_to(played: str | Reply, request: Request | None = None, **options: object) -> Delta:
    with ModelServer([played]) as server, chat(server, **options) as model:
        return joined(list(model.stream(request or asked())))


def failure_of(played: str | Reply, request: Request | None = None, **options: object) -> ModelFailed:
    with pytest.raises(ModelFailed) as caught:
        reply_to(played, request, **options)
    return caught.value


# --- requests -------------------------------------------------------------------------------------------------------


def test_request_on_the_wire() -> None:
    messages = (
        Message("system", "be short"),
        Message("user", "hi"),
        Message("assistant", "", (ToolRequest("c1", "search", '{"query": "x"}'), ToolRequest("c2", "search", "oops"))),
        Message("tool", "found", call_id="c1"),
        Message("tool", "failed", call_id="c2"),
    )
    request = Request(
        messages, (SEARCH,), True, ("\nObservation:",), {"temperature": 0.2, "max_tokens": 9, "seed": None}
    )
    with ModelServer(["ok"]) as server, chat(server, key=KEY) as model:
        list(model.stream(request))
    assert server.requests == [
        {
            "model": "m",
            "messages": [
                {"role": "system", "content": "be short"},
                {"role": "user", "content": "hi"},
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [
                        {
                            "id": "c1",
                            "type": "function",
                            "function": {"name": "search", "arguments": '{"query": "x"}'},
                        },
                        {
                            "id": "c2",
                            "type": "function",
                            "function": {"name": "search", "arguments": '{"input":"oops"}'},
                        },
                    ],
                },
                {"role": "tool", "tool_call_id": "c1", "content": "found"},
                {"role": "tool", "tool_call_id": "c2", "content": "failed"},
            ],
            "stream": True,
            "stream_options": {"include_usage": True},
            "stop": ["\nObservation:"],
            "temperature": 0.2,
            "max_tokens": 9,
            "tools": [
                {
                    "type": "function",
                    "function": {
                        "name": "search",
                        "description": "Search the web.",
                        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}},
                    },
                }
            ],
        }
    ]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert server.headers[0]["content-type"] == "application/json"
    assert not [name for name in server.headers[0] if name.startswith("x-stainless")]


def test_whole_request_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the package would read from the environment is meant for another server."""
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "from-the-environment")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Secret: from-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with ModelServer(["ok"]) as server, chat(server, stream=False) as model:
        assert joined(list(model.stream(asked()))).text == "ok"
    assert server.requests == [{"model": "m", "messages": [{"role": "user", "content": "hi"}]}]
    assert "authorization" not in server.headers[0]
    assert "from-the-environment" not in str(server.headers)


PROXIED = {"choices": [{"message": {"content": "by the proxy"}, "finish_reason": "stop"}]}


def test_a_proxy_of_the_environment_is_asked_for_hosts_of_the_internet(monkeypatch: pytest.MonkeyPatch) -> None:
    patience, url = Patience(connect=0.5, retries=0), "http://models.invalid/v1"
    with ModelServer(native={"/v1/chat/completions": Reply(body=PROXIED)}) as server:
        monkeypatch.setenv("http_proxy", f"http://me:secret@127.0.0.1:{server.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        with closing(OpenAIChat(url, "m", Capabilities(), patience=patience)) as model:
            assert [joined(list(model.stream(asked()))).text for _ in range(2)] == ["by the proxy"] * 2
        assert server.asked == [f"POST {url}/chat/completions"] * 2
        assert server.headers[0]["host"] == "models.invalid"
        assert server.headers[0]["proxy-authorization"] == "Basic bWU6c2VjcmV0"
        assert server.connections == 1
        monkeypatch.setenv("no_proxy", "localhost,models.invalid")
        with pytest.raises(ModelFailed) as caught:
            list(OpenAIChat(url, "m", Capabilities(), patience=patience).stream(asked()))
        assert caught.value.kind == "unreachable"
        assert len(server.asked) == 2


def test_cookies_go_back_to_the_server_that_sent_them() -> None:
    """Balancers put a name into one, by which the next prompt finds the server that has its beginning cached."""
    cookies = {"Set-Cookie": "route=7; Path=/v1; HttpOnly"}
    elsewhere = {"Set-Cookie": "page=1; Path=/elsewhere"}
    said = Reply("ok", headers=cookies), Reply("ok", headers=elsewhere), "ok"
    with ModelServer(said, whole=True) as server, chat(server, stream=False) as model:
        for _ in said:
            list(model.stream(asked()))
    assert [headers.get("cookie") for headers in server.headers] == [None, "route=7", "route=7"]


def test_empty_arguments_are_an_object() -> None:
    request = Request((Message("assistant", "", (ToolRequest("c", "f", " "), ToolRequest("d", "f", "[1]"))),))
    with ModelServer(["ok"]) as server, chat(server) as model:
        list(model.stream(request))
    sent = [call["function"]["arguments"] for call in server.requests[0]["messages"][0]["tool_calls"]]
    assert sent == ["{}", '{"input":"[1]"}']


def test_at_most_four_stops() -> None:
    with ModelServer(["ok"]) as server, chat(server) as model:
        list(model.stream(asked(stop=("a", "b", "c", "d", "e"))))
    assert server.requests[0]["stop"] == ["a", "b", "c", "d"]


def test_forbidden_calls_keep_the_tools() -> None:
    with ModelServer(["ok"]) as server, chat(server) as model:
        list(model.stream(asked(tools=(SEARCH,), may_call=False)))
    assert server.requests[0]["tool_choice"] == "none"
    assert server.requests[0]["tools"]


# --- replies --------------------------------------------------------------------------------------------------------

STORY = Reply("Größe: 25 m² 🎉", "think, think", (Call("search", '{"query": "数"}'), Call("calc", "", "id-2")))
STORY_READ = Delta(
    "Größe: 25 m² 🎉",
    "think, think",
    (CallDelta(0, "call_1", "search", '{"query": "数"}'), CallDelta(1, "id-2", "calc", "")),
    Usage(1, 0, 7),
    "tool_calls",
)


@pytest.mark.parametrize("chunk", [1, 3, 1_000])
def test_streamed_reply(chunk: int) -> None:
    with ModelServer([STORY], chunk=chunk) as server, chat(server) as model:
        assert joined(list(model.stream(asked()))) == STORY_READ


@pytest.mark.parametrize("ignores", [True, False])
def test_whole_reply_is_the_same(ignores: bool) -> None:
    """A server that ignores ``stream``, and one that was not asked to."""
    with ModelServer([STORY], whole=ignores) as server, chat(server, stream=ignores) as model:
        assert joined(list(model.stream(asked()))) == STORY_READ


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "reasoning_details"])
def test_reasoning_by_any_name(field: str) -> None:
    held = (
        [{"type": "reasoning.text", "text": "why"}, {"summary": "!"}, "?"] if field == "reasoning_details" else "why!"
    )
    events = [
        {"choices": [{"delta": {field: held}}]},
        {"choices": [{"delta": {"content": "so"}, "finish_reason": "stop"}]},
    ]
    assert reply_to(Reply(events=events)) == Delta("so", "why!", finish="stop")


def test_reasoning_said_twice_is_read_once() -> None:
    """OpenRouter repeats ``reasoning`` in ``reasoning_details``."""
    delta = {"reasoning": "why", "reasoning_details": [{"type": "reasoning.text", "text": "why"}]}
    assert reply_to(Reply(events=[{"choices": [{"delta": delta, "finish_reason": "stop"}]}])).reasoning == "why"


def chunked(delta: object, finish: str | None = None) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


PLAIN = Delta("a", finish="stop")

UGLY: list[tuple[str, list[object], Delta]] = [
    ("no choices yet", [{"choices": []}, {"choices": None}, {}, chunked({"content": "a"}, "stop")], PLAIN),
    ("null delta", [chunked(None), chunked({"content": None}), chunked({"content": "a"}, "stop")], PLAIN),
    ("odd choices", [{"choices": ["x"]}, {"choices": {"0": 1}}, chunked({"content": "a"}, "stop")], PLAIN),
    ("message for delta", [{"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}], PLAIN),
    ("comments", [b": OPENROUTER PROCESSING\n\n", b":\n\n", chunked({"content": "a"}, "stop")], PLAIN),
    ("other fields", [b"event: x\nid: 1\nretry: 3\n\n", chunked({"content": "a"}, "stop")], PLAIN),
    ("CRLF", [b'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\r\n\r\n'], PLAIN),
    ("no space", [b'data:{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n'], PLAIN),
    ("several lines", [b'data: {"choices":\ndata: [{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n'], PLAIN),
    (
        "one line break between events",
        [b'data: {"choices":[{"delta":{"content":"a"}}]}\n', b'data: {"choices":[{"finish_reason":"stop"}]}\n\n'],
        PLAIN,
    ),
    ("empty data", [b"data:\n\n", b"data: null\n\n", chunked({"content": "a"}, "stop")], PLAIN),
    ("null error", [{"error": None, **chunked({"content": "a"}, "stop")}], PLAIN),
    (
        "parts",
        [chunked({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, 7]}, "stop")],
        Delta("ab", finish="stop"),
    ),
    (
        "Mistral's thinking parts",
        [
            chunked(
                {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "w"}]}, {"text": "a"}]}, "stop"
            )
        ],
        Delta("a", "w", finish="stop"),
    ),
    ("refusal", [chunked({"content": None, "refusal": "no"}, "stop")], Delta("no", finish="stop")),
    (
        "half a pair",
        [b'data: {"choices":[{"delta":{"content":"a\\ud83d"},"finish_reason":"stop"}]}\n\n'],
        Delta("a\ufffd", finish="stop"),
    ),
    (
        "cut character",
        [b'data: {"choices":[{"delta":{"content":"a\xe6\x95"},"finish_reason":"stop"}]}\n\n'],
        Delta("a\ufffd", finish="stop"),
    ),
    (
        "raw tab",
        [b'data: {"choices":[{"delta":{"content":"a\tb"},"finish_reason":"stop"}]}\n\n'],
        Delta("a\tb", finish="stop"),
    ),
    (
        "legacy function call",
        [
            chunked({"function_call": {"name": "f", "arguments": ""}}),
            chunked({"function_call": {"arguments": '{"a":1}'}}, "function_call"),
        ],
        Delta("", "", (CallDelta(0, "", "f", '{"a":1}'),), finish="function_call"),
    ),
    (
        "arguments as a dict, no index, no id",
        [chunked({"tool_calls": [{"function": {"name": "f", "arguments": {"q": "数"}}}]}, "stop")],
        Delta("", "", (CallDelta(0, "", "f", '{"q": "数"}'),), finish="stop"),
    ),
    (
        "every call has index 0",
        [
            chunked({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]}),
            chunked(
                {"tool_calls": [{"index": 0, "id": "b", "function": {"name": "f", "arguments": "[]"}}]}, "tool_calls"
            ),
        ],
        Delta("", "", (CallDelta(0, "a", "f", "{}"), CallDelta(1, "b", "f", "[]")), finish="tool_calls"),
    ),
    (
        "no index at all",
        [
            chunked({"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": '{"x":'}}]}),
            chunked({"tool_calls": [{"function": {"arguments": "1}"}}]}),
            chunked({"tool_calls": [{"id": "b", "function": {"name": "g", "arguments": None}}]}, "tool_calls"),
        ],
        Delta("", "", (CallDelta(0, "a", "f", '{"x":1}'), CallDelta(1, "b", "g", "")), finish="tool_calls"),
    ),
    (
        "odd calls",
        [chunked({"tool_calls": None}), chunked({"tool_calls": ["x"]}), chunked({"content": "a"}, "stop")],
        Delta("a", "", (CallDelta(0),), finish="stop"),
    ),
    (
        "usage in every chunk, and Groq's",
        [
            {**chunked({"content": "a"}), "usage": {"prompt_tokens": 5, "completion_tokens": 1}},
            {**chunked({}, "stop"), "usage": None, "x_groq": {"usage": {"prompt_tokens": 5, "completion_tokens": 2}}},
        ],
        Delta("a", usage=Usage(5, 0, 2), finish="stop"),
    ),
    ("odd finish", [chunked({"content": "a"}, "stop"), {"choices": [{"finish_reason": 7}]}], PLAIN),
]


@pytest.mark.parametrize(("events", "expected"), [row[1:] for row in UGLY], ids=[row[0] for row in UGLY])
@pytest.mark.parametrize("done", [True, False])
def test_ugly_streams(events: list[object], expected: Delta, done: bool) -> None:
    assert reply_to(Reply(events=events, done=done)) == expected


def test_last_event_left_open() -> None:
    open_end = b'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}'
    assert reply_to(Reply(events=[open_end], done=False)) == Delta("a", finish="stop")


def test_stream_under_another_name() -> None:
    """Servers that send the right bytes with the wrong content type."""
    events = [chunked({"content": "a"}, "stop")]
    assert reply_to(Reply(events=events, content_type="application/json")).text == "a"
    assert reply_to(Reply(events=events, content_type="text/plain")).text == "a"
    whole = {"choices": [{"message": {"content": "a"}}]}
    assert reply_to(Reply(body=whole, content_type="text/plain")).text == "a"
    assert reply_to(Reply(body=whole)).text == "a"


def test_done_without_a_finish_reason_is_complete() -> None:
    assert reply_to(Reply("a", finish="")).text == "a"


def test_empty_whole_reply() -> None:
    assert reply_to(Reply(body={"choices": [{"message": {"content": ""}}]})) == Delta()


# --- usage and truncation -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "usage"),
    [
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 3,
                "prompt_tokens_details": {"cached_tokens": 4},
                "completion_tokens_details": {"reasoning_tokens": 2},
            },
            Usage(9, 4, 3, 2),
        ),
        ({"prompt_tokens": 9, "completion_tokens": 3, "prompt_cache_hit_tokens": 5}, Usage(9, 5, 3)),
        (
            {"prompt_tokens": 9, "completion_tokens": 3, "cached_tokens": 6, "prompt_tokens_details": None},
            Usage(9, 6, 3),
        ),
        ({"prompt_tokens": 9.0, "completion_tokens": None}, Usage(9)),
        ({"prompt_tokens": -9, "completion_tokens": "3"}, None),
        ({}, None),
        (None, None),
    ],
)
def test_usage(sent: object, usage: Usage | None) -> None:
    assert read_usage(sent) == usage


def test_truncation_is_told_once() -> None:
    """Ollama with a window of 4,096 tokens reads 2,050 of a longer prompt."""
    text = "The quick brown fox jumps over the lazy dog. " * 500
    counts = {"prompt_tokens": 2_050, "completion_tokens": 1}
    events = [{**chunked({"content": "a"}), "usage": counts}, {**chunked({}, "stop"), "usage": counts}]
    told = reply_to(Reply(events=events), asked(text)).note
    assert told.count("The server read only about 2,050 of 5,626 tokens") == 1
    assert "num_ctx" in told
    note = truncation((Message("user", text),), Usage(2_050, 0, 1))
    assert isinstance(note, Text) and note.values == {"read": 2_050, "sent": 5_626}


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The quick brown fox jumps over the lazy dog. " * 500, 4_400),  # read whole, by a frugal tokeniser
        ("The quick brown fox jumps over the lazy dog. " * 100, 300),  # too short to tell
        ("Съешь же ещё этих мягких французских булок. " * 200, 2_600),  # a third of a token a letter
        ("吾輩は猫である。名前はまだ無い。" * 400, 4_200),
        ("| 1 | 2 |" + " " * 90 + "-" * 200 + "\n" * 3, 10),
        (("| cell" + " " * 90 + "|\n" + "-" * 200 + "\n") * 60, 900),  # rulers and padding cost next to nothing
        ("The quick brown fox jumps over the lazy dog. " * 500, 0),
    ],
)
def test_no_false_alarm(text: str, tokens: int) -> None:
    assert truncation((Message("user", text),), Usage(tokens, 0, 1)) == ""


@pytest.mark.parametrize(
    ("tokens", "dropped"),
    [(400, True), (320, True), (1_100, False), (1_500, False), (150, False), (0, False)],
    ids=["the messages alone", "with a denser tokeniser", "all, densely", "all", "behind a cache", "not told"],
)
def test_a_server_that_drops_the_tools_is_told_by_its_count(tokens: int, dropped: bool) -> None:
    messages = (Message("user", "word " * 320),)  # 400 tokens
    tools = tuple(ToolSchema(f"tool_{number}", "Finds words. " * 40, {"type": "object"}) for number in range(8))
    assert drops_tools(messages, tools, Usage(tokens, 0, 5)) is dropped
    assert not drops_tools(messages, tools[:1], Usage(tokens, 0, 5))
    assert not drops_tools(messages, tools, Usage(tokens, 0, 5, estimated=True))


def test_truncation_counts_calls_and_ideographs() -> None:
    call = ToolRequest("c", "f", "x = compute(y); " * 1_000)
    assert truncation((Message("assistant", "", (call,)),), Usage(1_000))
    assert truncation((Message("user", "吾輩は猫である。" * 1_000),), Usage(2_050))


# --- learning from refusals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("wording", ["openai", "openai-old", "ollama", "mistral", "gemini"])
def test_a_refused_stop_is_learned(wording: str) -> None:
    learned = Capabilities()
    with (
        ModelServer(["one", "two"], refuse=["stop"], wording=wording) as server,
        chat(server, capabilities=learned) as model,
    ):
        first = list(model.stream(asked(stop=("x",))))
        again = list(model.stream(asked(stop=("x",))))
        assert first[0] == Delta(note="This server takes no ‘stop’; sent without it.")
        assert joined(first).text == "one"
        assert joined(again).text == "two"
        assert not joined(again).note
        assert ["stop" in body for body in server.requests] == [True, False, False]
        with chat(server, capabilities=learned) as other:
            assert other.takes_tools
        assert learned.refused(server.endpoint, "m") == {"stop"}
        assert learned.refused(server.endpoint, "another") == frozenset()


def test_several_refusals_in_one_call() -> None:
    request = asked(stop=("x",), parameters={"temperature": 0.2, "max_tokens": 5})
    refuse = ["stop", "temperature", "max_tokens", "stream_options"]
    with ModelServer(["ok"], refuse=refuse) as server, chat(server) as model:
        read = joined(list(model.stream(request)))
    assert read.text == "ok"
    assert read.note == (
        "This server takes no ‘stop’; sent without it. This server takes no ‘temperature’; sent without it. "
        "This server takes no ‘max_tokens’; sent as ‘max_completion_tokens’. "
        "This server takes no ‘stream_options’; sent without it."
    )
    last = server.requests[-1]
    assert last["max_completion_tokens"] == 5
    assert not set(refuse) & set(last)


def test_a_refused_stream_comes_whole() -> None:
    """OpenAI's 400 to organisations that are not verified."""
    text = "Your organization must be verified to stream this model."
    body = {"error": {"message": text, "param": "stream", "code": "unsupported_value"}}
    with ModelServer([Reply(status=400, body=body), "ok"]) as server, chat(server) as model:
        read = joined(list(model.stream(asked())))
    assert (read.text, read.note) == ("ok", "This server does not stream this model; the reply comes whole.")
    assert "stream" not in server.requests[1] and "stream_options" not in server.requests[1]


def test_lessons_are_bounded() -> None:
    """A server that finds something new each time is not asked for ever."""
    seen: list[str] = []

    def picky(body: dict[str, object]) -> Reply:
        name = next(name for name in body if name not in ("model", "messages"))
        seen.append(name)
        return Reply(status=400, body={"error": {"message": f"Unknown parameter: '{name}'.", "param": name}})

    parameters = {f"p{number}": 1 for number in range(20)}
    with ModelServer(picky) as server, chat(server) as model, pytest.raises(ModelFailed) as caught:
        list(model.stream(asked(parameters=parameters)))
    assert caught.value.kind == "refused"
    assert len(seen) == 7


@pytest.mark.parametrize("wording", ["ollama", "vllm", "llamacpp", "openrouter", "mistral", "openai", "gemini"])
def test_refused_tools(wording: str) -> None:
    learned = Capabilities()
    with (
        ModelServer(["text"], refuse=["tools"], wording=wording) as server,
        chat(server, capabilities=learned) as model,
    ):
        assert model.takes_tools
        with pytest.raises(ToolsRefused, match="‘m’ takes no tools at http"):
            list(model.stream(asked(tools=(SEARCH,))))
        assert not model.takes_tools
        with pytest.raises(ToolsRefused):
            list(model.stream(asked(tools=(SEARCH,))))
        assert len(server.requests) == 1
        assert joined(list(model.stream(asked()))).text == "text"


def test_refused_tool_choice_drops_the_tools() -> None:
    with ModelServer(["ok", "ok"], refuse=["tool_choice"]) as server, chat(server) as model:
        read = joined(list(model.stream(asked(tools=(SEARCH,), may_call=False))))
        assert read == Delta("ok", usage=read.usage, finish="stop", note=read.note)
        assert "asked for the answer without tools" in read.note
        assert not {"tools", "tool_choice"} & set(server.requests[1])
        list(model.stream(asked(tools=(SEARCH,))))
        assert "tools" in server.requests[2]


# --- errors ---------------------------------------------------------------------------------------------------------


def error(message: str, **more: object) -> dict[str, object]:
    return {"error": {"message": message, "type": "x", "param": None, "code": None, **more}}


FAILURES: list[tuple[int, object, str, str]] = [
    (401, error("Unauthorized"), "key", "did not accept the key"),
    (400, error("API key not valid. Please pass a valid API key."), "key", "did not accept the key"),
    (403, error("Country not supported"), "key", "does not let this key use ‘m’"),
    (403, error("Input flagged by moderation"), "refused", "content filter"),
    (400, error("filtered", code="content_filter"), "refused", "content filter"),
    (402, error("Insufficient Balance"), "quota", "no credit"),
    (429, error("You exceeded your current quota, check your plan", code="insufficient_quota"), "quota", "no credit"),
    (429, error("Rate limit reached for tokens per min"), "rate", "no more requests"),
    (
        404,
        error("The model `m` does not exist or you do not have access to it.", code="model_not_found"),
        "model",
        "‘m’",
    ),
    (404, error('model "m" not found, try pulling it first'), "model", "Choose another"),
    (400, error("m is not a valid model ID"), "model", "Choose another"),
    (400, error("Model Not Exist"), "model", "Choose another"),
    (404, {"detail": "Not Found"}, "garbage", "most end in /v1"),
    (404, b"<html>404</html>", "garbage", "most end in /v1"),
    (405, b"", "garbage", "most end in /v1"),
    (301, b"", "garbage", "the address it really has"),
    (400, error("maximum context length is 4096 tokens", code="context_length_exceeded"), "context", "longer than"),
    (
        400,
        {"error": {"code": 400, "message": "too long", "type": "exceed_context_size_error"}},
        "context",
        "longer than",
    ),
    (400, {"error": "Trying to keep the first 9000 tokens when context the overflows."}, "context", "longer than"),
    (413, b"", "context", "longer than"),
    (408, b"", "timeout", "gave up waiting"),
    (504, b"<html>", "timeout", "gave up waiting"),
    (500, error("boom"), "server", "error of its own (status 500)"),
    (503, {"error": {"code": 503, "message": "Loading model"}}, "server", "It said: “Loading model”"),
    (418, b"a teapot", "refused", "It said: “a teapot”"),
    (
        422,
        {"detail": [{"loc": ["body", "messages"], "msg": "field required", "type": "missing"}]},
        "refused",
        "field required",
    ),
    (
        400,
        [{"error": {"code": 400, "message": "Request contains an invalid argument."}}],
        "refused",
        "invalid argument",
    ),
    (
        400,
        {"error": {"message": "Provider returned error", "metadata": {"raw": '{"error": "deep inside"}'}}},
        "refused",
        "deep inside",
    ),
    (
        400,
        error("Failed to call a function.", code="tool_use_failed"),
        "refused",
        "tool call that its server could not read",
    ),
    (400, error("temperature must be at most 2", param="temperature", code="invalid_value"), "refused", "at most 2"),
]


@pytest.mark.parametrize(("status", "body", "kind", "words"), FAILURES)
def test_error_answers(status: int, body: object, kind: str, words: str) -> None:
    request = asked(tools=(SEARCH,), stop=("x",), parameters={"temperature": 3})
    failed = failure_of(Reply(status=status, body=body), request, key=KEY)
    assert failed.kind == kind
    assert words in str(failed)
    assert not isinstance(failed, ToolsRefused)


@pytest.mark.parametrize(("status", "body", "kind", "words"), [row for row in FAILURES if row[0] in (401, 429, 402)])
def test_the_same_errors_inside_a_stream(
    status: int, body: dict[str, dict[str, object]], kind: str, words: str
) -> None:
    told = {"error": {**body["error"], "code": f"{body['error']['code'] or ''} {status}".strip()}}
    with ModelServer([Reply(events=[chunked({"content": "so far"}), told])]) as server, chat(server, key=KEY) as model:
        stream = model.stream(asked())
        assert next(stream).text == "so far"
        with pytest.raises(ModelFailed, match=words) as caught:
            next(stream)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    "event",
    [
        {"error": "it broke"},
        {"error": {"message": "it broke"}, "choices": []},
        {"object": "error", "message": "it broke", "code": 400},
        {"choices": [{"error": {"message": "it broke", "code": 502}, "finish_reason": "error"}]},
    ],
)
def test_errors_in_any_form_inside_a_reply(event: dict[str, object]) -> None:
    assert "It said: “it broke”" in str(failure_of(Reply(events=[event])))
    assert "It said: “it broke”" in str(failure_of(Reply(body=event)))


def test_a_missing_key_is_asked_for() -> None:
    with ModelServer(["ok"], key=KEY) as server:
        with chat(server) as model, pytest.raises(ModelFailed, match="wants a key") as caught:
            list(model.stream(asked()))
        assert caught.value.kind == "key"
        wrong = "sk-wrong-1234567890abcdef"
        with chat(server, key=wrong) as model, pytest.raises(ModelFailed, match="did not accept") as caught:
            list(model.stream(asked()))
        assert "sk-wrong" not in str(caught.value) and "cdef" not in str(caught.value)
        assert wrong not in repr(model) and repr(model) == f"OpenAIChat('{server.endpoint}', 'm')"
        with chat(server, key=KEY) as model:
            assert joined(list(model.stream(asked()))).text == "ok"


def test_server_text_is_cleaned() -> None:
    said = (
        f"bad\n key {KEY}, Bearer abc123def, http://me:pw@host/?key=zzz9 and AIzaSyA1234567890 \x1b[31m" + "long " * 200
    )
    shown = str(failure_of(Reply(status=400, body=error(said)), key=KEY))
    for secret in (KEY, "abc123def", "me:pw", "zzz9", "AIzaSy", "\n", "\x1b"):
        assert secret not in shown
    assert len(shown) < 420


def test_a_key_of_any_form_is_not_shown() -> None:
    key = "Zx81private5551234"
    body = error(f"wrong: {key}; wrong: {key[:8]}******{key[-4:]}")
    shown = str(failure_of(Reply(status=401, body=body), key=key))
    assert "wrong: …" in shown
    assert "Zx81" not in shown and "1234" not in shown
    assert "It said: “x was wrong”" in str(failure_of(Reply(status=401, body=error("x was wrong")), key="x"))


def test_retry_after_is_honoured_and_capped() -> None:
    busy = Reply(status=429, body=error("slow down"), headers={"Retry-After": "0.3"})
    with ModelServer([busy, "ok"]) as server, chat(server, max_retries=2) as model:
        began = time.monotonic()
        assert joined(list(model.stream(asked()))).text == "ok"
        assert time.monotonic() - began >= 0.3
    long = Reply(status=429, body=error("slow down"), headers={"Retry-After": "30"})
    with ModelServer([long]) as server, chat(server, max_retries=2) as model:
        began = time.monotonic()
        with pytest.raises(ModelFailed, match=r"asks to wait 30 s"):
            list(model.stream(asked()))
        assert time.monotonic() - began < 25
        assert len(server.requests) == 1
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    far = Reply(status=429, body=error("slow down"), headers={"Retry-After": later})
    assert "asks to wait" in str(failure_of(far, max_retries=2))
    dated = Reply(status=429, body=error("slow down"), headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})
    assert failure_of(dated).kind == "rate"


def test_server_errors_are_retried() -> None:
    with ModelServer([Reply(status=500, body=error("once")), "ok"]) as server, chat(server, max_retries=1) as model:
        assert joined(list(model.stream(asked()))).text == "ok"
        assert len(server.requests) == 2


def test_an_error_answer_without_end_is_read_to_a_bound() -> None:
    sent = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        talking = threading.Thread(target=talk_for_ever, args=(listening, sent))
        talking.start()
        endpoint = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        with pytest.raises(ModelFailed) as failed:
            list(OpenAIChat(endpoint, "m", Capabilities()).stream(asked()))
        talking.join()
    assert failed.value.kind == "refused"
    assert len(sent) < 32 * 1024 * 1024  # what the sockets between them hold, too


def talk_for_ever(listening: socket.socket, sent: bytearray) -> None:
    connection, _ = listening.accept()
    with connection, suppress(ConnectionError):
        connection.recv(65_536)
        connection.sendall(
            b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        while len(sent) < 64 * 1024 * 1024:
            connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
            sent += b"x" * 4096


# --- trouble on the line --------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_nobody_there() -> None:
    with closing(OpenAIChat(f"localhost:{free_port()}", "m", Capabilities())) as model:
        began = time.monotonic()
        with pytest.raises(ModelFailed, match=r"Cannot reach http://localhost:.*is the server running") as caught:
            list(model.stream(asked()))
        assert caught.value.kind == "unreachable"
        assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("endpoint", "cause", "words"),
    [
        ("http://localhost:11434/v1", "refused", "is Ollama running? Start it with “ollama serve”."),
        ("http://127.0.0.1:1234/v1", "refused", "LM Studio"),
        ("https://example.com/v1", "Name or service not known", "check the address and the network"),
        ("https://example.com/v1", "[SSL: CERTIFICATE_VERIFY_FAILED] expired", "security certificate"),
        ("https://localhost:8000/v1", "[SSL: WRONG_VERSION_NUMBER]", "http://"),
    ],
)
def test_what_to_do_when_unreachable(endpoint: str, cause: str, words: str) -> None:
    assert words in str(Failures(endpoint, "m").unreachable(cause))


def test_https_to_a_plain_server() -> None:
    with (
        ModelServer(["ok"]) as server,
        closing(OpenAIChat(server.endpoint.replace("http://", "https://"), "m", Capabilities())) as model,
        pytest.raises(ModelFailed, match="does not speak https") as caught,
    ):
        list(model.stream(asked()))
    assert caught.value.kind == "unreachable"


def test_silence_ends_in_time_and_is_not_retried() -> None:
    with ModelServer([Reply(silent=True)]) as server, chat(server, read_timeout=0.3, max_retries=2) as model:
        with pytest.raises(ModelFailed, match=r"took the request and sent nothing for 0\.3 seconds") as caught:
            list(model.stream(asked()))
        assert caught.value.kind == "timeout"
        assert len(server.requests) == 1


def test_silence_in_the_middle() -> None:
    with ModelServer([Reply("abcdefgh", delay=1.0)]) as server, chat(server, read_timeout=0.3) as model:
        with pytest.raises(ModelFailed, match=r"for 0\.3 seconds") as caught:
            list(model.stream(asked()))
        assert caught.value.kind == "timeout"


def test_death_in_the_middle_keeps_what_came() -> None:
    with ModelServer([Reply("abcdefgh", die_after=2, delay=0.02)]) as server, chat(server) as model:
        stream = model.stream(asked())
        assert next(stream).text == "abcd"
        with pytest.raises(ModelFailed, match="closed the connection in the middle of the reply") as caught:
            next(stream)
        assert caught.value.kind == "broken"


def test_death_before_the_reply() -> None:
    failed = failure_of(Reply(die_after=0))
    assert (failed.kind, "without a reply" in str(failed)) == ("broken", True)


@pytest.mark.parametrize("status", [200, 400])
def test_death_in_a_whole_answer(status: int) -> None:
    body = {"choices": [{"message": {"content": "a" * 1_000}}]}
    assert failure_of(Reply(status=status, body=body, die_after=1)).kind == "broken"


def test_death_after_the_end_is_no_failure() -> None:
    """The model had finished; only the last event and the end mark are lost."""
    assert reply_to(Reply("ab", die_after=3)).text == "ab"


@pytest.mark.parametrize("body", [b"", b"  \n"])
def test_nothing_at_all(body: bytes) -> None:
    assert failure_of(Reply(body=body)).kind == "broken"
    assert failure_of(Reply(body=body, content_type="text/event-stream")).kind == "broken"


def test_end_without_an_end() -> None:
    failed = failure_of(Reply(events=[chunked({"content": "half a"})], done=False))
    assert (failed.kind, "in the middle" in str(failed)) == ("broken", True)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(body=b"<!doctype html><p>hello", content_type="text/html"),
        Reply(body=b"<!doctype html><p>hello", content_type="text/plain"),
        Reply(body=b"<html>", content_type="application/json"),
        Reply(body=b"hello"),
        Reply(body={"hello": "world"}),
        Reply(body=[1, 2]),
        Reply(events=[b"data: hello\n\n"]),
        Reply(events=[b"data: [1]\n\n"]),
        Reply(events=[b'data: {"a": 1}\ndata: nonsense\n\n']),
        Reply(events=[b"data: " + b"[" * 200_000 + b"\n\n"]),
        Reply(body=b"\x1f\x8b nonsense", headers={"Content-Encoding": "gzip"}),
        Reply(events=[b"data: " + b"x" * 1_000_000] * 9, chunk=1),
        Reply(body=b"x" * 9_000_000),
    ],
)
def test_garbage(reply: Reply) -> None:
    failed = failure_of(reply)
    assert failed.kind == "garbage"
    assert "not an OpenAI-compatible server" in str(failed)


def test_content_filter_keeps_what_came() -> None:
    with ModelServer([Reply("abcd", finish="content_filter")]) as server, chat(server) as model:
        stream = model.stream(asked())
        assert next(stream).text == "abcd"
        with pytest.raises(ModelFailed, match="content filter") as caught:
            list(stream)
        assert caught.value.kind == "refused"


# --- connections ----------------------------------------------------------------------------------------------------


def test_closing_the_iterator_closes_the_connection() -> None:
    with ModelServer([Reply("x" * 4_000, delay=0.02), "ok"]) as server, chat(server) as model:
        stream = model.stream(asked())
        assert next(stream).text == "xxxx"
        stream.close()  # type: ignore[attr-defined]
        assert server.hung_up.wait(3)
        assert joined(list(model.stream(asked()))).text == "ok"


def test_closing_before_the_reply_is_read_closes_too() -> None:
    slow = Reply("x" * 4_000, delay=0.02)
    with ModelServer([slow], refuse=["stop"]) as server, chat(server) as model:
        stream = model.stream(asked(stop=("x",)))
        assert next(stream).note
        stream.close()  # type: ignore[attr-defined]
        assert server.hung_up.wait(3)


@pytest.mark.parametrize("before", [0, 1], ids=["a new connection", "one that was used before"])
def test_stop_ends_a_request_that_the_server_has_not_begun_to_answer(before: int) -> None:
    stop, asked_for = StopFlag(), Flag()

    def silent(_body: object) -> Reply:
        asked_for.set()
        return Reply(silent=True)

    with ModelServer([*["hello"] * before, silent]) as server:
        capabilities = Capabilities()
        for _ in range(before):
            list(OpenAIChat(server.endpoint, "m", capabilities).stream(asked()))
        model = OpenAIChat(server.endpoint, "m", capabilities, stop=stop)
        with ThreadPoolExecutor(1) as pool:
            reply = pool.submit(list, model.stream(asked()))
            assert asked_for.wait(30)
            stop.set()
            assert isinstance(reply.exception(30), ModelFailed)
        assert server.hung_up.wait(30)
        assert len(server.requests) == before + 1, "asked again after Stop"
        # The next question has a connection of its own.
        server.play(["again"])
        assert joined(list(OpenAIChat(server.endpoint, "m", capabilities).stream(asked()))).text == "again"


def test_one_connection_for_many_replies() -> None:
    with ModelServer(lambda body: "hello") as server, chat(server) as model:
        for _ in range(4):
            assert joined(list(model.stream(asked()))).text == "hello"
        assert server.connections == 1
        model.close()
        assert joined(list(model.stream(asked()))).text == "hello"
        assert server.connections == 2


def test_a_connection_outlasts_the_model_but_serves_one_key_only() -> None:
    """A model is made for each question; what is kept between them is the connection."""
    capabilities = Capabilities()
    with ModelServer(lambda body: "hello") as server:
        for key in ("sk-one", "sk-one", "sk-two", "sk-one", "sk-two"):
            assert joined(list(OpenAIChat(server.endpoint, "m", capabilities, key).stream(asked()))).text == "hello"
        assert server.connections == 2
        assert [headers["authorization"][-3:] for headers in server.headers] == ["one", "one", "two", "one", "two"]
        del capabilities  # and with it all that was kept


def test_a_connection_that_is_let_go_is_closed_once_nobody_reads() -> None:
    capabilities = Capabilities()
    with ModelServer([Reply("x" * 40, delay=0.01)]) as server:
        model = OpenAIChat(server.endpoint, "m", capabilities)
        stream = model.stream(asked())
        first = next(stream)
        model.close()
        assert joined([first, *stream]).text == "x" * 40


def test_no_end_after_done_does_not_hold_the_run_up() -> None:
    with ModelServer([Reply("hello", linger=20.0), "again"]) as server, chat(server, read_timeout=30.0) as model:
        began = time.monotonic()
        assert joined(list(model.stream(asked()))).text == "hello"
        assert time.monotonic() - began < 15
        assert joined(list(model.stream(asked()))).text == "again"


def test_what_follows_the_end_is_not_read() -> None:
    events = [
        chunked({"content": "a"}, "stop"),
        b"data: [DONE]\n\n",
        b": still here\n\n",
        chunked({"content": "never"}),
    ]
    with ModelServer([Reply(events=events, delay=0.02), "again"]) as server, chat(server) as model:
        assert joined(list(model.stream(asked()))).text == "a"
        assert joined(list(model.stream(asked()))).text == "again"
        assert server.connections == 1


def test_many_threads_share_one_model() -> None:
    read: list[str] = []
    with ModelServer(lambda body: str(body["messages"][0]["content"]) * 9) as server, chat(server) as model:

        def ask(number: int) -> None:
            read.append(joined(list(model.stream(asked(f"<{number}>")))).text)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(read) == sorted(f"<{number}>" * 9 for number in range(8))


@pytest.mark.parametrize("key", ["schlüssel", "two words", "line\nbreak"])
def test_unusable_keys(key: str) -> None:
    with pytest.raises(BadRequest, match="Copy it again"):
        OpenAIChat("localhost:1", "m", Capabilities(), key)


def test_an_address_is_no_key() -> None:
    with pytest.raises(BadRequest, match="an address, not a key"):
        OpenAIChat("localhost:1", "m", Capabilities(), "https://api.openai.com/v1")


def test_a_key_of_another_maker_is_told_where_it_is_refused() -> None:
    key = "sk-ant-api03-1234567890abcdef"
    with ModelServer(key="another") as server, pytest.raises(ModelFailed) as caught:
        joined(list(OpenAIChat(server.endpoint, "m", Capabilities(), key).stream(asked("hi"))))
    assert "did not accept the key: it looks like one of Anthropic. Enter the key that" in str(caught.value)
    assert key[:12] not in str(caught.value)


# --- the decoder against a plain reading of the whole text ----------------------------------------------------------

LINES = st.lists(
    st.sampled_from(
        ["data: a", "data:b", "data:", "data:  c", "", "", ": comment", "event: x", "dataa: no", "data: é数🎉"]
    )
)


@pytest.mark.slow
@given(LINES, st.sampled_from(["\n", "\r\n"]), st.data())
@settings(max_examples=300, deadline=None)
def test_chunking_never_matters(lines: list[str], end: str, data: st.DataObject) -> None:
    whole = "".join(line + end for line in lines).encode()
    expected: list[str] = []
    held: list[str] = []
    for line in [*lines, ""]:
        if not line and held:
            expected.append("\n".join(held))
            held = []
        elif line.startswith("data:"):
            held.append(line[5:].removeprefix(" "))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=9)))
    decoder = EventDecoder()
    got: list[bytes] = []
    for start, stop in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        got += decoder.feed(whole[start:stop])
    got += decoder.feed(b"\n\n")
    assert [event.decode() for event in got] == expected


def test_only_an_endless_event_is_endless() -> None:
    """A long stream whose chunks never end with a line is none; a comment may be as long as an event."""
    decoder = EventDecoder()
    event = b"ata: " + b"x" * 99_994 + b"\n\nd"
    assert decoder.feed(b"d") == []
    assert sum(len(decoder.feed(event)) for _ in range(200)) == 200
    for start in (b"data: ", b": "):
        endless = EventDecoder()
        with pytest.raises(ValueError, match="endless"):
            for _ in range(200):
                endless.feed(start + b"x" * 99_990 + b"\n" + start)
    in_pieces = EventDecoder()  # this took minutes where each piece copied those before it
    with pytest.raises(ValueError, match="endless"):
        for _ in range(16_001):
            in_pieces.feed(b"x" * 500)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["choices", "delta", "message", "content", "error", "usage", "tool_calls", "function", "index",
                         "arguments", "finish_reason", "x_groq", "reasoning", "id", "name", "object", "code", "loc"]),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.slow
@given(JSON, st.sampled_from(["", "choices"]))
@settings(max_examples=1_000, deadline=None)
def test_any_json_is_read_or_is_a_failure(value: object, shape: str) -> None:
    reader = ReplyReader(Failures("http://localhost/v1", "m"))
    body = json.dumps({"choices": [{"delta": value, "finish_reason": "stop"}]} if shape else value).encode()
    try:
        for delta in [*reader.feed(b"data: " + body + b"\n\n"), *reader.close(), *reader.whole(body)]:
            assert isinstance(delta.text, str) and isinstance(delta.reasoning, str) and isinstance(delta.finish, str)
            assert all(isinstance(call.arguments, str) and call.index >= 0 for call in delta.calls)
    except ModelFailed as failed:
        assert str(failed)


def test_whole_characters_everywhere() -> None:
    assert parse(rb'{"a": ["\ud83d", 1, {"b": "\ud83c\udf89"}], "c": NaN}')["a"] == ["\ufffd", 1, {"b": "🎉"}]  # type: ignore[index]
