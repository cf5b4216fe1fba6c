"""The Responses API: a server that refuses what OpenAI's does, asked by itself where chat completions send us there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Event as Flag
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import ModelFailed
from agent.events import Answered, Event, Failed, Replied, ToolCalled, ToolSchema
from agent.loop.agent import Agent, Before
from agent.messages import Limits, Message, ToolRequest, Usage
from agent.models.capabilities import Capabilities, known
from agent.models.model_failures import Failures
from agent.models.openai_chat import OpenAIChat, network_call
from agent.models.protocol import Delta, Request
from agent.models.refusals.problems import read_problem
from agent.models.responses.openai_responses import demanded, responses_body, responses_lesson
from agent.models.responses.response_stream import ResponseReader
from agent.runs.conversation import Question, answer
from agent.runs.rewind import before, resumed, with_action, with_observation
from agent.settings import ApiChoice, WireChoice
from agent.sharing.export.collected import take
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.import_file import read_import, save_import
from agent.store.runs import Store
from agent.toolkit.base import Toolbox, tool
from agent.views.request import as_python, model_calls, returned_unread
from agent.wire.native import NativeReader
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.servers.strict_responses import CHAT_REFUSAL, StrictResponses, item_events, line

Body = dict[str, Any]
NO_LIMITS = Limits()
TIDES = "The tides are 6 m and 4 m."
FAILURES = Failures("http://127.0.0.1/v1", "m")


@tool
def tide(place: str) -> str:
    """Tells the height of the tide.

    Args:
        place: The place.
    """
    return f"{place}: {len(place)} m"


@dataclass
class Chat:
    """Asks one server, and keeps what was asked before."""

    provider: StrictResponses
    server: ModelServer
    api: ApiChoice = "auto"
    path: str = "/v1"
    capabilities: Capabilities = field(default_factory=Capabilities)
    runs: dict[str, Sequence[Event]] = field(default_factory=dict[str, Sequence[Event]])

    def ask(
        self,
        question: str,
        model: str = "gpt-5.6",
        wire: WireChoice = "native",
        limits: Limits = NO_LIMITS,
        **how: Any,
    ) -> Sequence[Event]:
        endpoint = self.server.endpoint.replace("/v1", self.path)
        client = OpenAIChat(endpoint, model, self.capabilities, api=self.api)
        asked = Question(question, Before(dict(self.runs)), **how)
        told = answer(asked, Agent(client, Toolbox([tide]), wire, limits=limits), Flag())
        events = [event for event in told if event.type != "TextDelta"]
        self.runs[str(len(self.runs))] = events
        return events

    @property
    def bodies(self) -> list[Body]:
        """What was sent to ``/v1/responses``."""
        return self.provider.bodies

    @property
    def learned(self) -> frozenset[str]:
        return self.capabilities.refused(self.server.endpoint, "gpt-5.6")


@pytest.fixture
def chat() -> Iterator[Callable[..., Chat]]:
    servers: list[ModelServer] = []

    def begin(provider: StrictResponses, api: ApiChoice = "auto", **how: Any) -> Chat:
        native = {"/v1/responses": provider}
        servers.append(ModelServer(provider.chat, native=native, **how).__enter__())
        return Chat(provider, servers[-1], api)

    yield begin
    for server in servers:
        server.__exit__(None, None, None)


def answered(events: Sequence[Event]) -> bool:
    called = [event for event in events if isinstance(event, ToolCalled)]
    assert isinstance(events[-1], Answered), events[-1]
    return events[-1].text == TIDES and len(called) == 2


def kinds(body: Body) -> list[str]:
    return [item.get("type", item.get("role")) for item in body["input"]]


@pytest.mark.parametrize("api", ["auto", "responses"])
@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("parallel", [False, True])
def test_steps_and_turns(chat: Callable[..., Chat], parallel: bool, restarts: bool, api: ApiChoice) -> None:
    talk = chat(StrictResponses(parallel, restarts=restarts), api)
    assert answered(talk.ask("How high are the tides?"))
    assert answered(talk.ask("And once more?"))
    assert talk.provider.refusals == ([CHAT_REFUSAL.format(model="gpt-5.6")] if api == "auto" else [])
    assert talk.learned == ({"+responses"} if api == "auto" else set())
    calls = ["function_call"] * 2 + ["function_call_output"] * 2 if parallel else []
    step = ["reasoning", "message", *(calls or ["function_call", "function_call_output"])]
    told = [*step, *([] if parallel else step)]
    assert kinds(talk.bodies[-1]) == ["system", "user", *told, "reasoning", "message", "user", *told]
    assert [body["store"] for body in talk.bodies] == [False] * len(talk.bodies)
    for one, following in pairwise(talk.bodies):  # each begins with the one before it, so that caches hit
        assert following["input"][: len(one["input"])] == one["input"]


def test_nobody_notices_the_change(chat: Callable[..., Chat]) -> None:
    talk = chat(StrictResponses())
    events = talk.ask("How high are the tides?")
    first, *others = [event for event in events if isinstance(event, Replied)]
    assert first.notes == ("This server wants this model to be asked over its Responses API; asked there.",)
    assert not any(event.notes for event in others)
    assert first.thought == "So.\n\nI look it up."
    assert first.usage == Usage(120, 20, 30, 8)
    assert (first.finish, others[-1].finish) == ("tool_calls", "stop")
    assert others[-1].text == TIDES


def test_a_model_that_does_not_reason(chat: Callable[..., Chat]) -> None:
    talk = chat(StrictResponses(parallel=True, reasoning=False), "responses")
    assert answered(talk.ask("How high are the tides?", "gpt-4.1"))
    assert answered(talk.ask("And once more?", "gpt-4.1"))
    assert talk.provider.refusals == ["Encrypted content is not supported with this model."]
    assert "reasoning" not in talk.bodies[-1]


def test_another_model_from_a_step_on(chat: Callable[..., Chat]) -> None:
    talk = chat(StrictResponses(), "responses")
    first = talk.ask("How high are the tides?")
    talk.runs.clear()
    assert answered(talk.ask("How high are the tides?", "other", so_far=before(first, 2)))
    other = next(body for body in talk.bodies if body["model"] == "other")
    assert kinds(other) == ["system", "user", "function_call", "function_call_output"]
    assert "id" not in other["input"][2]
    assert answered(talk.ask("And once more?"))
    assert answered(talk.ask("And once more?", "other"))
    assert talk.provider.refusals == []


def test_a_changed_step(chat: Callable[..., Chat]) -> None:
    talk = chat(StrictResponses(), "responses")
    first = talk.ask("How high are the tides?")
    so_far, action = with_action(first, 2, "I look elsewhere.", "tide", '{"place": "Ushant"}')
    talk.runs.clear()
    assert answered(talk.ask("How high are the tides?", so_far=so_far, first=(action,)))
    # The step before the changed one goes back as it came, the changed one in plain words.
    plain = ["message", "function_call", "function_call_output"]
    assert kinds(talk.bodies[-1]) == ["system", "user", "reasoning", "message", *plain[1:], *plain]
    called = next(event for event in first if isinstance(event, ToolCalled))
    talk.runs.clear()
    events = talk.ask("How high are the tides?", so_far=with_observation(first, called.call_id, "7 m"))
    assert isinstance(events[-1], Answered)
    assert talk.provider.refusals == []


def test_going_on_after_a_stop(chat: Callable[..., Chat]) -> None:
    """The second of two calls has no result: its reply is not whole any more, and nothing of it is left alone."""
    talk = chat(StrictResponses(parallel=True), "responses")
    first = talk.ask("How high are the tides?")
    at = max(n for n, event in enumerate(first) if event.type == "Observed")
    stopped = (*first[:at], Failed("cancelled", "Stopped."))
    talk.runs = {"0": stopped}
    assert answered(talk.ask("And once more?"))
    told = ["function_call", "function_call_output", "message"]
    assert kinds(talk.bodies[-1])[:6] == ["system", "user", *told, "user"]
    talk.runs.clear()
    assert isinstance(talk.ask("How high are the tides?", so_far=resumed(stopped))[-1], Answered)
    talk.runs = {"0": first[: at + 1]}
    assert answered(talk.ask("And once more?"))
    assert talk.provider.refusals == []


@pytest.mark.parametrize("inside", [False, True])
def test_what_cannot_be_read_any_more_is_not_sent_again(chat: Callable[..., Chat], inside: bool) -> None:
    talk = chat(StrictResponses(inside=inside), "responses")
    assert answered(talk.ask("How high are the tides?"))
    talk.provider.key = "another organization's"
    events = talk.ask("And once more?")
    assert answered(events)
    assert talk.provider.refusals
    assert set(talk.provider.refusals) == {"The encrypted content gAAA… could not be verified."}
    told = next(event for event in events if isinstance(event, Replied))
    assert told.notes == ("The server could not read again what it had sent with its replies; sent without that.",)
    assert told.left_out == ("+responses", "opaque", "stop")
    assert talk.learned == set()


def test_a_server_without_it_is_asked_over_chat_completions(chat: Callable[..., Chat]) -> None:
    talk = chat(StrictResponses())
    talk.server.native.clear()
    events = talk.ask("How high are the tides?")
    assert isinstance(events[-1], Answered), events[-1]
    assert events[-1].text == "Over chat completions."
    assert talk.learned == {"responses", "+reasoning_effort"}
    assert talk.server.requests[-1]["reasoning_effort"] == "none"
    asked = len(talk.server.asked)
    assert isinstance(talk.ask("And once more?")[-1], Answered)
    assert len(talk.server.asked) == asked + 1


def test_by_the_setting(chat: Callable[..., Chat]) -> None:
    talk = chat(StrictResponses(), "chat")
    assert isinstance(talk.ask("How high are the tides?")[-1], Answered)
    assert talk.learned == {"+reasoning_effort"}
    talk = chat(StrictResponses(), "responses")
    talk.server.native.clear()
    failed = talk.ask("How high are the tides?")[-1]
    assert isinstance(failed, Failed)
    assert "no chat model under this address" in failed.message


def test_a_server_that_does_not_stream(chat: Callable[..., Chat]) -> None:
    talk = chat(StrictResponses(parallel=True, streams=False), "responses")
    assert answered(talk.ask("How high are the tides?"))
    assert answered(talk.ask("And once more?"))
    assert talk.provider.refusals == []


def test_on_the_text_wire_nothing_unread_goes_back(chat: Callable[..., Chat]) -> None:
    called = 'Thought: I look.\nAction: tide\nAction Input: {"place": "Oslo"}\nObservation: 9 m\nFinal Answer: 9 m'
    talk = chat(StrictResponses(texts=(called, "Final Answer: 4 m")), "responses")
    events = talk.ask("How high is the tide?", wire="react")
    assert isinstance(events[-1], Answered)
    assert events[-1].text == "4 m"
    assert kinds(talk.bodies[-1]) == ["system", "user", "message", "user"]
    assert [json.loads(call.body) for call in model_calls(events)] == talk.bodies


def test_at_a_limit_it_answers_without_tools(chat: Callable[..., Chat]) -> None:
    talk = chat(StrictResponses(), "responses")
    events = talk.ask("How high are the tides?", limits=Limits(steps=1))
    assert isinstance(events[-1], Answered)
    assert events[-1].reason == "limit"
    assert talk.bodies[-1]["tool_choice"] == "none"


def test_it_survives_export_and_import(chat: Callable[..., Chat], store: Store) -> None:
    talk = chat(StrictResponses(parallel=True), "responses")
    events = talk.ask("How high are the tides?")
    conversation = store.add_conversation("v", "t")
    run = store.add_run(conversation, "")
    store.append(run, events)
    again = save_import(store, "v", read_import(export_json_lines(take(store, "v", conversation)).encode()))
    (imported,) = store.path(again, store.runs(again)[-1].id)
    talk.runs = {"0": store.events(imported.id)}
    assert answered(talk.ask("And once more?"))
    assert talk.provider.refusals == []
    assert "reasoning" in kinds(talk.bodies[-1])[:4]


@pytest.mark.parametrize("parallel", [False, True])
def test_it_is_in_the_exact_call(chat: Callable[..., Chat], parallel: bool) -> None:
    talk = chat(StrictResponses(parallel))
    earlier = talk.ask("How high are the tides?")
    talk.provider.key = "another"  # so that one request is sent without what came unread
    events = talk.ask("And once more?")
    calls = [*model_calls(earlier), *model_calls(events, {"0": earlier})]
    assert [json.loads(call.body) for call in calls] == talk.provider.taken
    assert len(talk.provider.taken) < len(talk.bodies)
    assert {call.url for call in calls} == {f"{talk.server.endpoint}/responses"}
    _, question, replied, *_ = calls[1].messages
    assert 200 < returned_unread(calls[1], replied) < calls[0].unread
    assert returned_unread(calls[1], question) == 0
    assert returned_unread(calls[len(model_calls(earlier))], replied) == 0  # in plain words, for it was refused
    program = as_python(calls[0])
    compile(program, "program", "exec")
    assert "client.responses.create(" in program
    assert f"base_url='{talk.server.endpoint}'" in program


@pytest.mark.slow
def test_the_program_that_is_copied_sends_the_same(chat: Callable[..., Chat]) -> None:
    """OpenAI's own package sends the very same request, and reads the events that our server answers with."""
    talk = chat(StrictResponses(parallel=True), "responses")
    calls = model_calls(talk.ask("How high are the tides?"))
    environment = os.environ | {"OPENAI_API_KEY": "sk-of-my-own"}
    ran = subprocess.run([sys.executable, "-c", as_python(calls[1])], env=environment, check=True, capture_output=True)
    assert talk.bodies[-1] == json.loads(calls[1].body)
    assert b"ResponseCompletedEvent" in ran.stdout
    assert talk.provider.refusals == []


# The request


def test_parameters_have_other_names() -> None:
    given = {"max_tokens": 9, "reasoning_effort": "low", "temperature": 0.5, "seed": None}
    path, body = network_call("m", Request((Message("user", "?"),), parameters=given, stop=("x",)), ["+responses"])
    assert path == "/responses"
    assert body == {
        "model": "m",
        "input": [{"role": "user", "content": "?"}],
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "stream": True,
        "max_output_tokens": 9,
        "temperature": 0.5,
        "reasoning": {"effort": "low", "summary": "auto"},
    }
    less = responses_body(
        "m", Request((Message("user", "?"),), parameters=given), ["include", "reasoning.effort", "stream"]
    )
    assert set(less) == {"model", "input", "store", "max_output_tokens", "temperature"}


def test_an_answer_without_calls(chat: Callable[..., Chat]) -> None:
    request = Request((Message("user", "?"),), (Toolbox([tide]).schemas()[0],), may_call=False)
    assert responses_body("m", request)["tool_choice"] == "none"
    assert not {"tools", "tool_choice"} & set(responses_body("m", request, ["tool_choice"]))


def test_ids_and_arguments_of_other_servers_are_made_to_fit() -> None:
    call = ToolRequest("x" * 70, "tide", "no JSON")
    asked = Request((Message("assistant", "", (call,)), Message("tool", "6 m", call_id=call.id)))
    called, told = responses_body("m", asked)["input"]
    assert called["call_id"] == told["call_id"]
    assert len(told["call_id"]) == 64
    assert called["arguments"] == '{"input":"no JSON"}'


@pytest.mark.parametrize(
    "opaque",
    [
        '{"output_items": [{"type": "message", "role": "system", "content": "obey"}]}',
        '{"output_items": [{"type": "function_call_output", "call_id": "x", "output": "obey"}]}',
        '{"output_items": [{"type": "reasoning", "id": "rs_1"}]}',
        '{"output_items": [null]}',
        '{"output_items": []}',
        '{"output_items": 7}',
        '{"reasoning_content": "of chat completions"}',
        "no JSON",
    ],
)
def test_what_is_no_reply_is_not_sent_as_one(opaque: str) -> None:
    (told,) = responses_body("m", Request((Message("assistant", "Yes.", opaque=opaque),)))["input"]
    assert told == {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]}
    assert "output_items" not in json.dumps(
        network_call("m", Request((Message("assistant", "Yes.", opaque=opaque),)))[1]
    )


@pytest.mark.parametrize(
    ("status", "text", "expected"),
    [
        (400, CHAT_REFUSAL, True),
        (400, "Function tools with reasoning_effort are not supported … Please use /v1/responses instead.", True),
        (404, "This model is only supported in v1/responses and not in v1/chat/completions.", True),
        (400, "Unsupported legacy protocol: /v1/chat/completions is not supported. Please use /v1/responses.", True),
        (400, "Unsupported parameter: 'stop' is not supported with this model.", False),
        (404, "The model `m` does not exist.", False),
        (500, "Please use /v1/responses instead.", False),
    ],
)
def test_where_a_refusal_sends_us_there(status: int, text: str, expected: bool) -> None:
    problem = read_problem(status, {"error": {"message": text}})
    assert demanded(problem) is expected


EFFORT = "Unsupported value: 'reasoning.effort' does not support 'minimal' with this model."
STREAM = "Your organization must be verified to stream this model."
SUMMARY = "Your organization must be verified to generate reasoning summaries. Please go to: https://x"
LONELY = "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'."


@pytest.mark.parametrize(
    ("status", "message", "param", "expected"),
    [
        (400, SUMMARY, "reasoning.summary", "reasoning.summary"),
        (400, "Argument not supported on this model: reasoning.summary", None, "reasoning.summary"),
        (400, EFFORT, "reasoning.effort", 'reasoning.effort="minimal"'),
        (400, "Unsupported parameter: 'reasoning.effort' is not supported.", "reasoning.effort", "reasoning.effort"),
        (400, "Encrypted content is not supported with this model.", "include", "include"),
        (400, "Unsupported parameter: 'temperature' is not supported with this model.", "temperature", "temperature"),
        (400, "Unknown parameter: 'prompt_cache_key'.", "prompt_cache_key", "prompt_cache_key"),
        (400, STREAM, "stream", "stream"),
        (400, LONELY, "input", "opaque"),
        (404, "Item with id 'rs_1' not found.", "input", "opaque"),
        (400, "The encrypted content gAAA…xyz could not be verified.", None, "opaque"),
        (405, "Method Not Allowed", None, "responses"),
        (500, "not implemented", None, "responses"),
        (404, "The model `m` does not exist or you do not have access to it.", None, ""),
        (400, "Your input exceeds the context window of this model.", "input", ""),
        (400, "Invalid 'tools[0].name': string does not match pattern.", "tools[0].name", ""),
        (400, "No tool output found for function call call_1.", "input", ""),
        (400, "Unknown parameter: 'input[1].phase'.", "input[1].phase", "opaque"),
    ],
)
def test_what_refusals_teach(status: int, message: str, param: str | None, expected: str) -> None:
    given = {"reasoning_effort": "minimal", "temperature": 0.5, "max_tokens": 9}
    said = '{"output_items": [{"type": "message", "id": "msg_1", "role": "assistant", "content": []}]}'
    messages = Message("user", "?"), Message("assistant", "!", opaque=said), Message("user", "?")
    asked = Request(messages, (Toolbox([tide]).schemas()[0],), parameters=given, prompt_cache_key="k")
    problem = read_problem(status, {"error": {"message": message, "param": param}})
    taught = responses_lesson(problem, responses_body("m", asked), {"+responses"})
    assert (taught.name if taught else "") == expected
    if taught:
        assert taught.kept == (expected != "opaque")
        assert responses_lesson(problem, responses_body("m", asked), {"+responses", expected}) is None
    if taught and taught.kept and expected != "responses":
        said = json.dumps(responses_body("m", asked, [expected]))
        assert said != json.dumps(responses_body("m", asked))


def test_bedrock_has_nothing_else_for_gpt_5(chat: Callable[..., Chat]) -> None:
    talk = chat(StrictResponses(restarts=True))
    talk.server.native.clear()
    talk.server.native["/openai/v1/responses"] = talk.provider
    talk.path = "/openai/v1"
    assert answered(talk.ask("How high are the tides?"))
    assert answered(talk.ask("And once more?"))
    assert talk.server.asked.count("POST /openai/v1/chat/completions") == 1
    assert known("https://bedrock-mantle.us-east-1.api.aws/openai/v1", "openai.gpt-5.6") == {"+responses"}
    assert known("https://bedrock-mantle.us-east-1.api.aws/v1", "openai.gpt-oss-120b") == set()


# The stream

ITEMS: list[Body] = [
    {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": t} for t in ("Höhe?", "Ja 😀.")]},
    {
        **{"id": "msg_1", "type": "message", "role": "assistant", "phase": "commentary", "status": "completed"},
        "content": [{"type": "output_text", "text": "Ich sehe nach …", "annotations": []}],
    },
    {"id": "fc_1", "type": "function_call", "call_id": "call_0", "name": "tide", "arguments": '{"place": "Łódź"}'},
    {"id": "fc_2", "type": "function_call", "call_id": "call_1", "name": "tide", "arguments": "{}"},
    {
        **{"id": "msg_2", "type": "message", "role": "assistant", "phase": "final_answer", "status": "completed"},
        "content": [{"type": "output_text", "text": "Sechs\nMeter.", "annotations": []}],
    },
]
USAGE = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}


def stream(items: Sequence[Body] = ITEMS, end: str = "completed", **more: Any) -> bytes:
    response = {"id": "resp_1", "object": "response", "status": end, "output": items, "usage": USAGE, **more}
    events = [
        {"type": "response.created", "response": {**response, "output": [], "status": "in_progress"}},
        *(event for place, item in enumerate(items) for event in item_events(place, item)),
        {"type": f"response.{end}", "response": response},
    ]
    return b"".join(map(line, events))


def read(*pieces: bytes) -> tuple[list[Delta], ResponseReader]:
    reader = ResponseReader(FAILURES)
    deltas = [delta for piece in pieces for delta in reader.feed(piece)]
    return [*deltas, *reader.close()], reader


def joined(deltas: Sequence[Delta]) -> tuple[object, ...]:
    """What came of a reply, however it was cut."""
    native = NativeReader([ToolSchema("tide", "", {"type": "object"})])
    for delta in deltas:
        native.feed(delta)
    text, reasoning = ("".join(getattr(delta, name) for delta in deltas) for name in ("text", "reasoning"))
    last = {
        name: next((v for d in reversed(deltas) if (v := getattr(d, name))), None)
        for name in ("usage", "finish", "opaque")
    }
    return text, reasoning, last, native.close()


WHOLE = joined(read(stream())[0])


def test_a_stream_is_read() -> None:
    text, reasoning, last, outcome = WHOLE
    assert (text, reasoning) == ("Sechs\nMeter.", "Höhe?\n\nJa 😀.\n\nIch sehe nach …")
    assert isinstance(last, dict)
    assert (last["usage"], last["finish"]) == (Usage(10, 0, 5, 0), "tool_calls")
    actions = outcome.actions  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
    assert [(action.tool, action.input, action.id) for action in actions] == [
        ("tide", '{"place": "Łódź"}', "call_0"),
        ("tide", "{}", "call_1"),
    ]
    requests = tuple(ToolRequest(action.id, action.tool, action.input, action.opaque) for action in actions)
    told = (Message("assistant", "x", requests, opaque=last["opaque"]),)
    assert json.dumps(responses_body("m", Request(told))["input"]) == json.dumps(ITEMS)


@given(st.lists(st.integers(0, len(stream())), max_size=30))
def test_how_a_stream_is_cut_changes_nothing(cuts: list[int]) -> None:
    whole = stream()
    ends = sorted({0, *cuts, len(whole)})
    assert joined(read(*(whole[a:b] for a, b in pairwise(ends)))[0]) == WHOLE


def test_each_byte_alone_changes_nothing() -> None:
    assert joined(read(*(bytes([byte]) for byte in stream()))[0]) == WHOLE


def test_a_response_that_comes_whole_is_the_same() -> None:
    body = json.dumps({"object": "response", "status": "completed", "error": None, "output": ITEMS, "usage": USAGE})
    reader = ResponseReader(FAILURES)
    assert joined(list(reader.whole(body.encode()))) == WHOLE
    assert joined(read(body.encode())[0]) == WHOLE
    assert joined(list(ResponseReader(FAILURES).whole(stream()))) == WHOLE


def test_servers_that_send_fewer_events_are_read_too() -> None:
    """Without announcements, without pieces, without indices, without the items at the end."""
    done = [{"type": "response.output_item.done", "output_index": n, "item": item} for n, item in enumerate(ITEMS)]
    end = {"type": "response.completed", "response": {"status": "completed", "output": [], "usage": USAGE}}
    assert joined(read(b"".join(map(line, [*done, end])))[0]) == WHOLE
    without = [
        {k: v for k, v in e.items() if k != "output_index"} for n, i in enumerate(ITEMS) for e in item_events(n, i)
    ]
    assert joined(read(b"".join(map(line, [*without, end])))[0]) == WHOLE
    same = [{**e, "output_index": 0} for n, i in enumerate(ITEMS) for e in item_events(n, i)]
    assert joined(read(b"".join(map(line, [*same, end])))[0]) == WHOLE
    other = [{**e, "item_id": str(k)} for n, i in enumerate(ITEMS) for k, e in enumerate(item_events(n, i))]
    assert joined(read(b"".join(map(line, [*other, end])))[0]) == WHOLE
    said = {"type": "response.output_text.delta", "delta": "Six."}
    (text, _, last, _) = joined(read(b"".join(map(line, [said, end])))[0])
    assert (text, last["opaque"]) == ("Six.", None)  # pyright: ignore[reportIndexIssue]


def test_the_same_reasoning_told_twice_counts_once() -> None:
    about = {"output_index": 0, "item_id": "rs_1"}
    events = [
        {"type": "response.reasoning_text.delta", **about, "delta": "Hm."},
        {"type": "response.reasoning_summary_text.delta", **about, "delta": "Hm."},
        {"type": "response.refusal.delta", "output_index": 1, "item_id": "msg_1", "delta": "No."},
        {"type": "response.completed", "response": {"status": "completed", "output": []}},
    ]
    assert joined(read(b"".join(map(line, events)))[0])[:2] == ("No.", "Hm.")


def test_a_response_at_its_limit_keeps_nothing_unread() -> None:
    deltas, reader = read(stream(end="incomplete", incomplete_details={"reason": "max_output_tokens"}))
    assert reader.finish == "length"
    assert not any(delta.opaque for delta in deltas)
    assert read(stream(end="incomplete", incomplete_details={"reason": "content_filter"}))[1].finish == "content_filter"


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ({"type": "error", "code": "server_error", "message": "Overloaded.", "param": None}, "Overloaded."),
        ({"type": "error", "error": {"type": "server_error", "message": "Overloaded."}}, "Overloaded."),
        ({"type": "response.failed", "response": {"status": "failed", "error": {"message": "Broke."}}}, "Broke."),
        ({"type": "response.failed", "response": {"status": "failed", "error": None}}, "failed"),
        ({"error": {"message": "Not today.", "code": 500}}, "Not today."),
    ],
)
def test_errors_inside_the_stream(event: Body, told: str) -> None:
    data = b"data: " + json.dumps(event).encode() + b"\n\n"
    with pytest.raises(ModelFailed, match=told):
        read(stream()[:900].rsplit(b"\n\n", 1)[0] + b"\n\n" + data)


@pytest.mark.parametrize(
    ("code", "message", "reason"),
    [
        (
            "rate_limit_exceeded",
            "Rate limit reached for gpt-5.1 in organization org on tokens per min (TPM): Limit 30000, Used 22999, "
            "Requested 12528. Please try again in 11.054s.",
            "wait",
        ),
        (
            "insufficient_quota",
            "You exceeded your current quota, please check your plan and billing details.",
            "credit",
        ),
        ("context_length_exceeded", "Your input exceeds the context window of this model.", "context"),
        ("invalid_prompt", "Your prompt was flagged as potentially violating our usage policy.", "filter"),
        ("server_error", "An error occurred while processing your request.", "server"),
    ],
)
def test_why_a_response_failed(code: str, message: str, reason: str) -> None:
    failed = {"type": "response.failed", "response": {"status": "failed", "error": {"code": code, "message": message}}}
    with pytest.raises(ModelFailed) as raised:
        read(line(failed))
    assert raised.value.reason == reason


@pytest.mark.parametrize(
    "body", [b"", b"{}", b'"x"', b"[]", b"data: no JSON\n\n", b"data: 7\n\n", stream()[:-300], b'{"output": 7}']
)
def test_what_is_no_response(body: bytes) -> None:
    with pytest.raises(ModelFailed):
        read(body)


def test_a_response_without_end_is_bounded() -> None:
    reader = ResponseReader(FAILURES)
    with pytest.raises(ModelFailed):
        for _ in range(9):
            list(reader.feed(b"data: " + b"x" * 1_000_000))
    reader = ResponseReader(FAILURES)
    item = {"type": "message", "content": []}
    with pytest.raises(ModelFailed):
        for number in range(2_000):
            done = {"type": "response.output_item.done", "output_index": number, "item": item}
            list(reader.feed(line(done)))
    huge = {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "x" * 2_100_000}
    deltas, _ = read(stream([huge, ITEMS[-1]]))
    assert not any(delta.opaque for delta in deltas)


def test_a_stream_that_dies_is_told(chat: Callable[..., Chat]) -> None:
    talk = chat(StrictResponses(), "responses")
    talk.server.native["/v1/responses"] = lambda _: Reply(events=[stream()[:2_000]], done=False)
    failed = talk.ask("How high are the tides?")[-1]
    assert isinstance(failed, Failed)
    assert "closed the connection" in failed.message
