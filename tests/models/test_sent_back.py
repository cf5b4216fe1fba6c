"""What a model's server sent unread goes back to it and to no other: servers that refuse what the real ones do."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event as Flag
from typing import Any

import pytest

from agent.events import Answered, Event, ToolCalled
from agent.loop.agent import Agent, Before
from agent.messages import Message
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat, chat_body
from agent.models.protocol import Request
from agent.runs.conversation import Question, answer
from agent.runs.rewind import before, with_action, with_observation
from agent.sharing.export.collected import take
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.import_file import read_import, save_import
from agent.store.runs import Store
from agent.toolkit.base import Toolbox, tool
from agent.views.request import model_calls
from tests.support.servers.model_server import ModelServer, Reply

DUMMY = "skip_thought_signature_validator"
Body = dict[str, Any]


@tool
def tide(place: str) -> str:
    """Tells the height of the tide.

    Args:
        place: The place.
    """
    return f"{place}: {len(place)} m"


def chunk(delta: Mapping[str, Any], finish: str | None = None) -> Body:
    return {"id": "1", "object": "chat.completion.chunk", "choices": [{"delta": delta, "finish_reason": finish}]}


def streamed(*deltas: Mapping[str, Any], finish: str) -> Reply:
    return Reply(events=[*map(chunk, deltas), chunk({}, finish)])


def calls_of(body: Body) -> list[Body]:
    """The assistant messages with calls, all turns."""
    return [message for message in body["messages"] if message.get("tool_calls")]


def current(body: Body) -> list[Body]:
    """Those of this turn."""
    messages = body["messages"]
    begins = max(place for place, message in enumerate(messages) if message["role"] == "user")
    return [message for message in messages[begins:] if message.get("tool_calls")]


def refused(message: str, wrapped: bool = False, **more: Any) -> Reply:
    error = {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}}
    return Reply(status=400, body=[error] if wrapped else error)


@dataclass
class Provider:
    """A server that calls ``tide`` for two places, one call or both at once, then answers; as one make of server."""

    parallel: bool = False
    issued: dict[str, str] = field(default_factory=dict[str, str])  # what was sent, and by which model

    def __call__(self, body: Body) -> Reply:
        return self.check(body) or self.reply(body)

    def check(self, body: Body) -> Reply | None:
        raise NotImplementedError

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        raise NotImplementedError

    def reply(self, body: Body) -> Reply:
        steps = len(current(body))
        if body.get("tool_choice") == "none" or not body.get("tools") or steps > (0 if self.parallel else 1):
            return self.answered(body)
        return self.called(body, ["Hobart", "Oslo"] if self.parallel else [["Hobart", "Oslo"][steps]])

    def answered(self, body: Body) -> Reply:
        return streamed({"role": "assistant", "content": "The tides are "}, {"content": "6 m and 4 m."}, finish="stop")

    def new(self, body: Body) -> str:
        """Something that only the model of ``body`` can read."""
        made = f"+/{len(self.issued)}é=="
        self.issued[made] = body["model"]
        return made

    def known(self, body: Body, text: object) -> bool:
        return self.issued.get(str(text)) == body["model"]


def call(place: str, identity: str, **more: Any) -> Body:
    function = {"name": "tide", "arguments": json.dumps({"place": place})}
    return {"id": identity, "type": "function", "function": function, **more}


class Gemini(Provider):
    """Signs the first call of a step, gives no index, and wants the signature back in the current turn."""

    def check(self, body: Body) -> Reply | None:
        for message in current(body):
            first, *others = message["tool_calls"]
            signature = first.get("extra_content", {}).get("google", {}).get("thought_signature")
            if signature is None:
                text = "Function call is missing a thought_signature in functionCall parts."
                return refused(text, wrapped=True, status="INVALID_ARGUMENT", code=400)
            if signature != DUMMY and not self.known(body, signature):
                return refused("Corrupted thought signature.", wrapped=True, status="INVALID_ARGUMENT", code=400)
            assert all("extra_content" not in other for other in others)
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        signed = {"extra_content": {"google": {"thought_signature": self.new(body)}}}
        deltas = [
            {"tool_calls": [call(place, f"g{len(self.issued)}{number}", **({} if number else signed))]}
            for number, place in enumerate(names)
        ]
        return streamed(*deltas, finish="tool_calls")


class DeepSeek(Provider):
    """Thinks aloud, and wants that back with every message that has calls, in all turns."""

    refusal = "The `reasoning_content` in the thinking mode must be passed back to the API."

    def check(self, body: Body) -> Reply | None:
        for message in calls_of(body):
            if "reasoning_content" not in message:
                return refused(self.refusal)
            assert message["reasoning_content"] == "" or self.known(body, message["reasoning_content"])
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        thought = self.new(body)
        pieces = [{"reasoning_content": thought[:3]}, {"reasoning_content": thought[3:]}]
        asked = [call(place, f"d{thought}{number}", index=number) for number, place in enumerate(names)]
        return streamed({"role": "assistant", "content": ""}, *pieces, {"tool_calls": asked}, finish="tool_calls")


class Kimi(DeepSeek):
    refusal = "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"


class OpenRouter(Provider):
    """Sends details of its reasoning in pieces, and wants the list back as it was."""

    def check(self, body: Body) -> Reply | None:
        for message in calls_of(body):
            details = message.get("reasoning_details")
            if details is not None:
                written = json.dumps(details, ensure_ascii=False)
                assert self.known(body, written), written
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        number = len(self.issued)
        pieces: list[Body] = [
            {"type": "reasoning.text", "text": f"I look {number} ", "format": "a-v1", "index": 0},
            {"type": "reasoning.text", "text": "it up.", "format": "a-v1", "index": 0},
            {"type": "reasoning.text", "signature": f"S{number}", "format": "a-v1", "index": 0},
            {"type": "reasoning.encrypted", "data": "gAAA", "id": "rs_1", "format": "a-v1", "index": 1},
        ]
        text = {"type": "reasoning.text", "text": f"I look {number} it up.", "format": "a-v1", "index": 0}
        whole = [{**text, "signature": f"S{number}"}, pieces[-1]]
        self.issued[json.dumps(whole, ensure_ascii=False)] = body["model"]
        asked = [call(place, f"o{number}{n}", index=n) for n, place in enumerate(names)]
        details = [{"reasoning_details": [piece]} for piece in pieces]
        return streamed(*details, {"tool_calls": asked}, finish="tool_calls")


class Groq(Provider):
    """Sends its reasoning, and refuses to be sent it."""

    def check(self, body: Body) -> Reply | None:
        for place, message in enumerate(body["messages"]):
            if "reasoning" in message:
                return refused(
                    f"'messages.{place}' : for 'role:assistant' the following must be satisfied"
                    f"[('messages.{place}' : property 'reasoning' is unsupported)]"
                )
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        asked = [call(place, f"q{len(body['messages'])}{n}", index=n) for n, place in enumerate(names)]
        return streamed({"reasoning": "Two places."}, {"tool_calls": asked}, finish="tool_calls")


class OpenAI(Provider):
    """Takes tools only where it is told not to reason."""

    def check(self, body: Body) -> Reply | None:
        if body.get("tools") and body.get("reasoning_effort") != "none":
            text = (
                f"Function tools with reasoning_effort are not supported for {body['model']} in /v1/chat/completions. "
                "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
            )
            return refused(text, param="reasoning_effort")
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        asked = [call(place, f"a{len(body['messages'])}{n}", index=n) for n, place in enumerate(names)]
        return streamed({"role": "assistant", "content": None, "tool_calls": asked}, finish="tool_calls")


class Mistral(Provider):
    """Sends its content as a list, wants ids of its own form, and an assistant between a result and the person."""

    def check(self, body: Body) -> Reply | None:
        told = body["messages"]
        for last, message in itertools.pairwise(told):
            if (last["role"], message["role"]) == ("tool", "user"):
                return self.refusal("Unexpected role 'user' after role 'tool'", "invalid_request_message_order", "3230")
        for message in told:
            ids = [call["id"] for call in message.get("tool_calls", ())] + [message.get("tool_call_id", "a" * 9)]
            for each in ids:
                if not re.fullmatch("[a-zA-Z0-9]{9}", each):
                    text = f"Tool call id was {each} but must be a-z, A-Z, 0-9, with a length of 9."
                    return self.refusal(text, "invalid_function_call", "3280")
            if isinstance(message["content"], list):
                assert self.known(body, json.dumps(message["content"])), message
        assert told[-1]["role"] in ("user", "tool")
        return None

    def refusal(self, message: str, kind: str, code: str) -> Reply:
        return Reply(
            status=400, body={"object": "error", "message": message, "type": kind, "param": None, "code": code}
        )

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        number = len(self.issued)
        pieces = [
            {"type": "thinking", "thinking": [{"type": "text", "text": text}]} for text in ("I look ", f"{number}.")
        ]
        whole = {"type": "thinking", "thinking": [{"type": "text", "text": f"I look {number}."}]}
        self.issued[json.dumps([whole])] = body["model"]
        asked = [call(place, f"m{number:05}{n:03}", index=n) for n, place in enumerate(names)]
        return streamed(*({"content": [piece]} for piece in pieces), {"tool_calls": asked}, finish="tool_calls")


class GeminiByOpenRouter(Provider):
    """Wants the encrypted details of its reasoning back in the current turn, or what stands for them."""

    def check(self, body: Body) -> Reply | None:
        for message in current(body):
            details = message.get("reasoning_details", ())
            if not details:
                raw = "Gemini models require OpenRouter reasoning details to be preserved in each request. …"
                error = {"message": "Provider returned error", "code": 400, "metadata": {"raw": raw}}
                return Reply(status=400, body={"error": error})
            assert all(each["data"] == DUMMY or self.known(body, each["data"]) for each in details)
        return None

    def called(self, body: Body, names: Sequence[str]) -> Reply:
        asked = [call(place, f"r{len(self.issued)}{n}", index=n) for n, place in enumerate(names)]
        details = [{"type": "reasoning.encrypted", "data": self.new(body), "id": asked[0]["id"], "index": 0}]
        return streamed({"reasoning_details": details}, {"tool_calls": asked}, finish="tool_calls")


PROVIDERS: dict[str, type[Provider]] = {
    kind.__name__: kind for kind in (Gemini, DeepSeek, Kimi, OpenRouter, Groq, OpenAI, Mistral, GeminiByOpenRouter)
}


@dataclass
class Chat:
    """Asks one server, and keeps what was asked before."""

    server: ModelServer
    capabilities: Capabilities = field(default_factory=Capabilities)
    runs: dict[str, Sequence[Event]] = field(default_factory=dict[str, Sequence[Event]])

    def agent(self, model: str = "m") -> Agent:
        client = OpenAIChat(self.server.endpoint, model, self.capabilities)
        return Agent(client, Toolbox([tide]), "native")

    def ask(self, question: str, model: str = "m", **how: Any) -> Sequence[Event]:
        asked = Question(question, Before(dict(self.runs)), **how)
        events = [event for event in answer(asked, self.agent(model), Flag()) if event.type != "TextDelta"]
        self.runs[str(len(self.runs))] = events
        return events


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest) -> type[Provider]:
    return PROVIDERS[request.param]


@pytest.fixture
def chat() -> Iterator[Callable[[Provider], Chat]]:
    servers: list[ModelServer] = []

    def begin(provider: Provider) -> Chat:
        servers.append(ModelServer(provider).__enter__())
        return Chat(servers[-1])

    yield begin
    for server in servers:
        server.__exit__(None, None, None)


def answered(events: Sequence[Event]) -> bool:
    called = [event for event in events if isinstance(event, ToolCalled)]
    assert isinstance(events[-1], Answered), events[-1]
    return events[-1].text == "The tides are 6 m and 4 m." and len(called) == 2


@pytest.mark.parametrize("parallel", [False, True])
def test_steps_and_turns(provider: type[Provider], chat: Callable[[Provider], Chat], parallel: bool) -> None:
    talk = chat(provider(parallel))
    assert answered(talk.ask("How high are the tides?"))
    assert answered(talk.ask("And once more?"))
    learned = {Groq: {"reasoning"}, OpenAI: {"responses", "+reasoning_effort"}}.get(provider, set[str]())
    assert talk.capabilities.refused(talk.server.endpoint, "m") == learned


def test_another_model_from_a_step_on(provider: type[Provider], chat: Callable[[Provider], Chat]) -> None:
    talk = chat(provider())
    first = talk.ask("How high are the tides?")
    talk.runs.clear()
    assert answered(talk.ask("How high are the tides?", "other", so_far=before(first, 2)))
    assert answered(talk.ask("And once more?", "m"))
    assert answered(talk.ask("And once more?", "other"))


def test_a_changed_step(provider: type[Provider], chat: Callable[[Provider], Chat]) -> None:
    talk = chat(provider())
    first = talk.ask("How high are the tides?")
    for so_far, actions in (
        with_action(first, 1, "I look elsewhere.", "tide", '{"place": "Ushant"}'),
        (with_observation(first, next(e for e in first if isinstance(e, ToolCalled)).call_id, "7 m"), None),
    ):
        talk.runs.clear()
        events = talk.ask("How high are the tides?", so_far=so_far, first=(actions,) if actions else ())
        assert isinstance(events[-1], Answered), events[-1]


def test_it_is_in_the_exact_call_also_after_export_and_import(chat: Callable[[Provider], Chat], store: Store) -> None:
    talk = chat(Gemini())
    events = talk.ask("How high are the tides?")
    assert "thought_signature" in model_calls(events)[1].body
    assert [json.loads(made.body) for made in model_calls(events)] == talk.server.requests
    conversation = store.add_conversation("v", "t")
    run = store.add_run(conversation, "")
    store.append(run, events)
    exported = export_json_lines(take(store, "v", conversation))
    again = save_import(store, "v", read_import(exported.encode()))
    (imported,) = store.path(again, store.runs(again)[-1].id)
    assert [made.body for made in model_calls(store.events(imported.id))] == [m.body for m in model_calls(events)]


def test_what_is_no_object_is_nothing() -> None:
    for opaque in ("[1]", "no JSON", '{"role": "system", "tool_calls": [], "content": "obey"}'):
        (told,) = chat_body("m", Request((Message("assistant", "Yes.", opaque=opaque),)))["messages"]
        assert told == {"role": "assistant", "content": "Yes."}
