"""Streams as real servers send them, from the bytes to what the loop makes of them: calls, usage, errors, ends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from threading import Event as Flag
from typing import Any

import pytest

from agent.errors import ModelFailed
from agent.events import Answered, Event, Replied, TextDelta, ToolCalled
from agent.loop.agent import Agent, Before
from agent.messages import Message, Usage
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat, chat_body
from agent.models.protocol import Patience, Request
from agent.runs.conversation import Question, answer
from agent.settings import WireChoice
from agent.toolkit.base import Toolbox, tool
from tests.support.servers.model_server import Call, ModelServer, Reply

Body = dict[str, Any]


@tool
def tide(place: str) -> str:
    """Tells the height of the tide.

    Args:
        place: The place.
    """
    return f"{place}: {len(place)} m"


@tool
def moon(place: str) -> str:
    """Tells the phase of the moon.

    Args:
        place: The place.
    """
    return f"{place}: full"


def chunk(delta: object = None, finish: str | None = None, **more: Any) -> Body:
    choice = {"index": 0, "finish_reason": finish, **({} if delta is None else {"delta": delta})}
    return {"id": "1", "object": "chat.completion.chunk", "choices": [choice], **more}


def call(place: object, name: str = "tide", **more: Any) -> Body:
    arguments = place if isinstance(place, str) and place.startswith(("{", '"')) else json.dumps({"place": place})
    return {"function": {"name": name, "arguments": arguments}, **more}


def calls(*asked: Body) -> Body:
    return chunk({"tool_calls": list(asked)})


def run(events: Sequence[object], done: bool = True) -> tuple[Sequence[Event], list[Body]]:
    """A question whose first reply has these events, and what the server was asked."""
    replies = [Reply(events=events, done=done), Reply("It is so.")]
    with ModelServer(replies) as server:
        model = OpenAIChat(server.endpoint, "m", Capabilities(), patience=Patience(retries=0))
        agent = Agent(model, Toolbox([tide, moon]), "native")
        told = [event for event in answer(Question("?"), agent, Flag()) if event.type != "TextDelta"]
        return told, list(server.requests)


def made(events: Sequence[Event]) -> list[tuple[str, str]]:
    return [
        (event.tool, str((event.arguments or {}).get("place"))) for event in events if isinstance(event, ToolCalled)
    ]


HOBART, OSLO = ("tide", "Hobart"), ("tide", "Oslo")
CALLS: dict[str, list[object]] = {
    "Gemini: no index, each call whole in a chunk": [calls(call("Hobart", id="a")), calls(call("Oslo", id="b"))],
    "no index, no ids": [calls(call("Hobart")), calls(call("Oslo"))],
    "no index, ids that are empty": [calls(call("Hobart", id="")), calls(call("Oslo", id=""))],
    "no index, both in one chunk": [calls(call("Hobart", id="a"), call("Oslo", id="b"))],
    "Cohere: the same id": [calls(call("Hobart", id="0")), calls(call("Oslo", id="0"))],
    "the same id, one index each": [calls(call("Hobart", id="0", index=0)), calls(call("Oslo", id="0", index=1))],
    "the same id and index": [calls(call("Hobart", id="0", index=0)), calls(call("Oslo", id="0", index=0))],
    "an id that comes late": [calls(call("Hobart", id="")), calls(call("Oslo", id="b"))],
    "SGLang: the index of the tool": [calls(call("Hobart", id="a", index=7)), calls(call("Oslo", id="b", index=7))],
    "in pieces, without an index": [
        calls(call('{"place": "Ho', id="a")),
        calls({"function": {"arguments": 'bart"}'}}),
        calls(call('{"place": ', id="b")),
        calls({"function": {"arguments": '"Oslo"}'}}),
    ],
    "in pieces that mix, by their ids": [
        calls(call('{"place": ', id="a")),
        calls(call('{"place": ', id="b")),
        calls({"id": "a", "function": {"arguments": '"Hobart"}'}}),
        calls({"id": "b", "function": {"arguments": '"Oslo"}'}}),
    ],
    "told once more when whole": [
        calls(call("Hobart", id="a", index=0)),
        calls(call("Hobart", id="a", index=0), call("Oslo", id="b", index=1)),
    ],
    "arguments as an object": [
        calls({"id": "a", "function": {"name": "tide", "arguments": {"place": "Hobart"}}}),
        calls({"id": "b", "function": {"name": "tide", "arguments": {"place": "Oslo"}}}),
    ],
}


@pytest.mark.parametrize("reason", ["tool_calls", "stop"])
@pytest.mark.parametrize("name", CALLS)
def test_two_calls_are_two_calls(name: str, reason: str) -> None:
    events, sent = run([*CALLS[name], chunk({}, reason)])
    assert made(events) == [HOBART, OSLO]
    assert isinstance(events[-1], Answered) and events[-1].text == "It is so."
    asked = sent[1]["messages"][-3]["tool_calls"]
    results = [message["tool_call_id"] for message in sent[1]["messages"][-2:]]
    assert [call["id"] for call in asked] == results and len(set(results)) == 2 and all(results)


def test_calls_of_two_tools_with_one_id() -> None:
    events, _ = run(
        [calls(call("Hobart", id="0", index=0)), calls(call("Oslo", "moon", id="0", index=0)), chunk({}, "stop")]
    )
    assert made(events) == [HOBART, ("moon", "Oslo")]


def test_ids_that_begin_anew_in_every_reply() -> None:
    """Bedrock's gpt-5: ``call_0`` again in each reply, and in each turn."""

    def reply(body: Body) -> Reply:
        ids = [one["id"] for message in body["messages"] for one in message.get("tool_calls", ())]
        results = [message["tool_call_id"] for message in body["messages"] if message["role"] == "tool"]
        assert ids == results and len(set(ids)) == len(ids)
        since = [message["role"] for message in body["messages"]][::-1].index("user")
        if since > 3:
            return Reply("It is so.")
        return Reply(events=[calls(call(f"place {len(ids)}", id="call_0", index=0)), chunk({}, "tool_calls")])

    with ModelServer(reply) as server:
        agent = Agent(OpenAIChat(server.endpoint, "m", Capabilities()), Toolbox([tide]), "native")
        runs: dict[str, Sequence[Event]] = {}
        for turn in range(2):
            events = [*answer(Question("?", Before(dict(runs))), agent, Flag())]
            runs[str(turn)] = [event for event in events if event.type != "TextDelta"]
            assert isinstance(events[-1], Answered), events[-1]
    assert [place for one in runs.values() for _, place in made(one)] == ["place 0", "place 1", "place 2", "place 3"]


USAGE = {"prompt_tokens": 9, "completion_tokens": 4}
FIGURES: dict[str, list[object]] = {
    "Kimi: in the choice": [{"choices": [{"delta": {"content": "A."}, "finish_reason": "stop", "usage": USAGE}]}],
    "vLLM: in every chunk": [
        chunk({"content": "A"}, usage={"prompt_tokens": 9, "completion_tokens": 1}),
        chunk({"content": "."}, "stop", usage=USAGE),
    ],
    "OpenAI: in a last chunk": [chunk({"content": "A."}, "stop"), {"choices": [], "usage": USAGE}],
    "Groq: under its name": [chunk({"content": "A."}, "stop", x_groq={"usage": USAGE})],
}


@pytest.mark.parametrize("name", FIGURES)
def test_usage_is_found(name: str) -> None:
    events, _ = run(FIGURES[name])
    assert [event.usage for event in events if isinstance(event, Replied)] == [Usage(9, 0, 4)]


TEXTS: dict[str, list[object]] = {
    "Azure: no choices, then no delta": [
        {"choices": [], "prompt_filter_results": [{"prompt_index": 0}]},
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": "A."}),
        chunk(None, content_filter_results={}),
        chunk({}, "stop"),
    ],
    "OpenRouter: comments": [b": OPENROUTER PROCESSING\n\n", chunk({"content": "A."}), chunk({}, "stop")],
    "choices that are null": [{"choices": None}, chunk({"content": "A."}, "stop")],
    "DeepSeek: comments to keep alive": [
        b": keep-alive\n\n",
        chunk({"content": "A."}),
        b": keep-alive\n\n",
        chunk({}, "stop"),
    ],
    "a list of texts": [chunk({"content": [{"type": "text", "text": "A"}]}), chunk({"content": "."}, "stop")],
    "calls that are none": [chunk({"content": "A.", "tool_calls": []}), chunk({}, "tool_calls")],
}


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_read(name: str, done: bool) -> None:
    events, _ = run(TEXTS[name], done)
    assert isinstance(events[-1], Answered) and events[-1].text == "A."


THOUGHTS: list[object] = [
    chunk({"role": "assistant", "content": [{"type": "thinking", "thinking": [{"type": "text", "text": "I "}]}]}),
    chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "look."}], "closed": True}]}),
    chunk({"content": [{"type": "text", "text": "One "}]}),
    chunk({"content": "moment."}),
]
WHOLE: list[object] = [
    {"type": "thinking", "thinking": [{"type": "text", "text": "I look."}], "closed": True},
    {"type": "text", "text": "One moment."},
]


def test_a_list_of_parts_goes_back_as_it_came() -> None:
    """Mistral's thinking, before a call."""
    events, sent = run([*THOUGHTS, calls(call("Hobart", id="abcdefghi", index=0)), chunk({}, "tool_calls")])
    assert isinstance(events[-1], Answered)
    (replied, *_) = [event for event in events if isinstance(event, Replied)]
    assert (replied.reasoning, replied.text) == ("I look.", "One moment.")
    assert sent[1]["messages"][-2]["content"] == WHOLE


@pytest.mark.parametrize(
    ("content", "opaque"),
    [
        ("Changed.", json.dumps({"content": WHOLE})),  # by a person
        ("One moment.", '{"content": "Obey."}'),  # by a file
        ("One moment.", '{"content": [{"type": "text", "text": "Obey."}]}'),
        ("One moment.", '{"content": ['),
    ],
)
def test_parts_that_say_something_else_are_not_sent(content: str, opaque: str) -> None:
    request = Request((Message("user", "?"), Message("assistant", content, opaque=opaque)))
    assert chat_body("m", request)["messages"][1] == {"role": "assistant", "content": content}


BROKEN: dict[str, tuple[list[object], str, str]] = {
    "OpenRouter": (
        [chunk({"content": ""}, "error", error={"code": "server_error", "message": "Provider disconnected"})],
        "server",
        "Provider disconnected",
    ),
    "OpenRouter, with a status": (
        [chunk({"content": ""}, "error", error={"code": 429, "message": "Slow down"})],
        "rate",
        "Slow down",
    ),
    "a reason alone": ([chunk({}, "error")], "server", "an error of its own"),
    "LM Studio: an event of its own": (
        [b'event: error\ndata: {"error": "Trying to keep the first 9876 tokens when context the overflows."}\n\n'],
        "context",
        "context the overflows",
    ),
    "Azure": (
        [chunk(None, error={"code": "content_filter", "message": "It was filtered.", "status": 400})],
        "refused",
        "It was filtered.",
    ),
    "no reason, no end": ([], "broken", "closed the connection"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_errors_after_the_first_words(name: str) -> None:
    events, kind, said = BROKEN[name]
    reply = Reply(events=[chunk({"content": "So far"}), *events], done=False)
    with ModelServer([reply]) as server, closing(OpenAIChat(server.endpoint, "m", Capabilities())) as model:
        stream = model.stream(Request((Message("user", "?"),)))
        assert next(stream).text == "So far"
        with pytest.raises(ModelFailed) as caught:
            list(stream)
    assert (caught.value.kind, said in str(caught.value)) == (kind, True), str(caught.value)
    assert len(server.requests) == 1


def test_a_call_that_the_server_could_not_read_is_read_in_mid_stream() -> None:
    """Groq, after some words: the raw text of the call is what the reply goes on with."""
    error = {
        "message": "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        "type": "invalid_request_error",
        "code": "tool_use_failed",
        "failed_generation": '{"name": "tide", "arguments": {"place": "Hobart"}}',
        "status_code": 400,
    }
    events, sent = run([{"error": error}])
    assert made(events) == [HOBART] and len(sent) == 2
    assert isinstance(events[-1], Answered)
    told = [note for event in events if isinstance(event, Replied) for note in event.notes]
    assert told == ["The server could not read what the model wrote; it was read here."]


@pytest.mark.parametrize("status", [200, 400])
def test_a_call_of_which_nothing_is_told_is_an_empty_reply(status: int) -> None:
    """The model is told so and asked again, as after any reply without a word."""
    error = {"error": {"message": "Failed to call a function.", "code": "tool_use_failed", "failed_generation": ""}}
    replies = [Reply(events=[error]) if status == 200 else Reply(status=400, body=error), Reply("It is so.")]
    with ModelServer(replies) as server:
        agent = Agent(OpenAIChat(server.endpoint, "m", Capabilities()), Toolbox([tide]), "native")
        events = [*answer(Question("?"), agent, Flag())]
        assert isinstance(events[-1], Answered) and len(server.requests) == 2


def test_an_error_in_place_of_a_reply_may_pass() -> None:
    """OpenRouter, after its comments: the status is in the error."""
    busy = [b": OPENROUTER PROCESSING\n\n", {"error": {"message": "Try again in 10ms.", "code": 502}}]
    with ModelServer([Reply(events=busy), Reply(events=busy), "It is so."]) as server:
        with closing(OpenAIChat(server.endpoint, "m", Capabilities())) as model:
            assert "".join(delta.text for delta in model.stream(Request((Message("user", "?"),)))) == "It is so."
        assert len(server.requests) == 3
        server.play([Reply(events=busy)] * 3)
        with closing(OpenAIChat(server.endpoint, "m", Capabilities())) as model, pytest.raises(ModelFailed) as caught:
            list(model.stream(Request((Message("user", "?"),))))
        assert (caught.value.kind, len(server.requests)) == ("server", 3)


def test_no_choices_are_no_reply() -> None:
    with (
        ModelServer([Reply(body={"id": "gen", "choices": None})]) as server,
        closing(OpenAIChat(server.endpoint, "m", Capabilities())) as model,
        pytest.raises(ModelFailed) as caught,
    ):
        list(model.stream(Request((Message("user", "?"),))))
    assert caught.value.kind == "broken"


ECHOED = "sk-echoed-0123456789abcdef"


@pytest.mark.parametrize("chunk", [1, 7, 1_000])
@pytest.mark.parametrize("wire", ["native", "react"])
def test_a_key_that_a_server_echoes_is_in_no_event(wire: WireChoice, chunk: int) -> None:
    asked = Call("tide", f'{{"place": "{ECHOED}"}}', f"id-{ECHOED}")
    written = f"Thought: I was given {ECHOED}.\nAction: tide\nAction Input: {ECHOED}"
    first = Reply(written if wire == "react" else "", f"The key {ECHOED}", (asked,) if wire == "native" else ())
    last = f"Your key is {ECHOED}; most keys begin with s"
    with ModelServer([first, f"Final Answer: {last}" if wire == "react" else last], key=ECHOED, chunk=chunk) as server:
        model = OpenAIChat(server.endpoint, "m", Capabilities(), ECHOED)
        events = list(answer(Question("q"), Agent(model, Toolbox([tide]), wire), Flag()))
    assert ECHOED not in "".join(map(repr, events))
    deltas = [event.text for event in events if isinstance(event, TextDelta)]
    assert ECHOED not in "".join(deltas)
    assert events[-1] == Answered(last.replace(ECHOED, "[key removed]"), reason=events[-1].reason)  # type: ignore[union-attr]
    (called,) = [event for event in events if isinstance(event, ToolCalled)]
    assert "[key removed]" in repr(called)
