"""What a model's server sent unread goes back to it and to no other: servers that refuse what the real ones do."""

from __future__ import annotations

import json

import pytest

from agent.messages import Message
from agent.models.openai_chat import chat_body
from agent.models.protocol import Request
from agent.settings import WireChoice
from agent.sharing.export.collected import take
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.import_file import read_import, save_import
from agent.store.runs import Store
from agent.views.request import model_calls
from tests.support.provider_talks import MAKES, RESPONSES, SCENARIOS, WIRES, follow_up_turn, one_tool, run, talk_with

# Talks of one question are quick. Of the others, ``test_what_a_talk_teaches`` has three turns with each server.
QUICK = ("one tool", "two in parallel")


@pytest.mark.parametrize(
    "scenario", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SCENARIOS]
)
@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("make", MAKES)
def test_a_talk_runs(make: str, scenario: str, wire: WireChoice) -> None:
    run(make, scenario, wire)


LEARNED = {
    "Groq": {"native": {"reasoning"}, "react": set[str]()},
    "GroqByGateway": {"native": {"reasoning"}, "react": set[str]()},
    "OpenAI": {"native": {"responses", "+reasoning_effort"}, "react": {"stop"}},
    "Kimi": {"native": set[str](), "react": set[str]()},
    "XAI": {"native": set[str](), "react": {"stop"}},
    RESPONSES: {"native": set[str](), "react": set[str]()},
}


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("make", MAKES)
def test_what_a_talk_teaches(make: str, wire: WireChoice) -> None:
    with talk_with(make, wire) as talk:
        follow_up_turn(talk)
        assert talk.learned == LEARNED.get(make, {}).get(wire, set())


def test_a_router_is_asked_for_the_server_that_can_read_what_it_sent() -> None:
    with talk_with("GeminiByOpenRouter") as talk:
        one_tool(talk)
        first, *others = talk.server.requests
        assert "provider" not in first
        upstreams = {tuple(body["provider"]["order"]) for body in others}
        assert len(upstreams) == 1
        assert all("upstream" not in message for body in others for message in body["messages"])
        one_tool(talk)  # a further turn, with what was sent before in it
        assert {tuple(body["provider"]["order"]) for body in talk.server.requests[1:]} == upstreams
        assert len(talk.server.requests) == 6  # none was refused


def test_only_openrouter_is_asked_for_a_server() -> None:
    with talk_with("GroqByGateway") as talk:
        one_tool(talk)
        one_tool(talk)
        assert len(talk.server.requests) == 7  # its reasoning came back to it, once
        assert not any("provider" in body for body in talk.server.requests)


def test_what_names_no_server_asks_for_none() -> None:
    for name in (7, "", "a\nb", "x" * 65, ["openai"]):
        opaque = json.dumps({"upstream": name, "reasoning_details": []})
        assert "provider" not in chat_body("m", Request((Message("assistant", "Yes.", opaque=opaque),)))


def test_it_is_in_the_exact_call_also_after_export_and_import(store: Store) -> None:
    with talk_with("Gemini") as talk:
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
