"""What a model's server sent unread goes back to it and to no other: servers that refuse what the real ones do."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Event as Flag
from typing import Any

import pytest
from PIL import Image

from agent.events import Answered, Event, Failed, Observed, ToolCalled
from agent.loop.agent import Agent, Before
from agent.messages import Artifact, Message
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat, chat_body
from agent.models.protocol import Request
from agent.runs.conversation import Question, answer
from agent.runs.rewind import before, with_action, with_observation
from agent.settings import WireChoice
from agent.sharing.export.collected import take
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.import_file import read_import, save_import
from agent.store.runs import Store
from agent.toolkit.base import Toolbox, artifact
from agent.views.request import model_calls
from tests.support.servers.model_server import ModelServer
from tests.support.servers.strict_providers import PROVIDERS, Gemini, Groq, OpenAI, Provider, pictures, tide


def dot() -> Artifact:
    file = io.BytesIO()
    Image.new("RGB", (9, 7), "red").save(file, "PNG")
    return artifact("image", "dot.png", file.getvalue())


PICTURE = dot()


@dataclass
class Chat:
    """Asks one server, and keeps what was asked before."""

    server: ModelServer
    wire: WireChoice = "native"
    capabilities: Capabilities = field(default_factory=Capabilities)
    runs: dict[str, Sequence[Event]] = field(default_factory=dict[str, Sequence[Event]])

    def agent(self, model: str = "m") -> Agent:
        client = OpenAIChat(self.server.endpoint, model, self.capabilities)
        return Agent(client, Toolbox([tide]), self.wire)

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
    learned = {
        Groq: {"reasoning"},
        OpenAI: {"responses", "+reasoning_effort"},
    }.get(provider, set[str]())
    assert talk.capabilities.refused(talk.server.endpoint, "m") == learned


def test_steps_and_turns_in_text(provider: type[Provider], chat: Callable[[Provider], Chat]) -> None:
    talk = chat(provider())
    talk.wire = "react"
    assert answered(talk.ask("How high are the tides?"))
    assert answered(talk.ask("And once more?"))


@pytest.mark.parametrize("wire", ["native", "react"])
def test_a_picture_with_the_question(
    provider: type[Provider], chat: Callable[[Provider], Chat], wire: WireChoice
) -> None:
    talk = chat(provider())
    talk.wire = wire
    assert answered(talk.ask("How high are the tides?", images=(PICTURE,)))
    assert answered(talk.ask("And once more?"))
    seen = [len(pictures(body)) for body in talk.server.requests]
    if provider.blind:
        assert seen[0] == 1 and not any(seen[-6:])
        assert "images" in talk.capabilities.refused(talk.server.endpoint, "m")
    else:
        assert set(seen) == {1}


@pytest.mark.parametrize("parallel", [False, True])
def test_going_on_after_a_stop(provider: type[Provider], chat: Callable[[Provider], Chat], parallel: bool) -> None:
    talk = chat(provider(parallel))
    whole = talk.ask("How high are the tides?")
    first = next(place for place, event in enumerate(whole) if isinstance(event, Observed))
    talk.runs = {"0": [*whole[: first + parallel], Failed("cancelled", "Stopped.")]}
    assert answered(talk.ask("And once more?"))


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
