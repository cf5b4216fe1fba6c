"""How much of what a chat sends a provider has already seen, counted by a server that bills by known beginnings."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from agent import Agent, Answered, Event, Toolbox, ask, connect, fold, tool
from agent.events import WireName
from agent.settings import PromptChoice
from tests.support.prefix_billing import BillingServer, problems, written

PLACES = "Oslo Bergen Turku Tallinn Riga Gdansk Lübeck Aarhus Malmö Ghent Lille Rennes Vigo Porto Faro Cadiz Palma Bari"
QUESTIONS = ("Which harbours are there in Oslo?", *(f"And in {place}?" for place in PLACES.split()[1:]))
QUESTIONS += ("Which of all of them is the largest?", "Are you sure?")
LEAST = 0.92  # of all tokens sent; with nothing but growing messages it would be 0.968


@tool
def harbours(text: str) -> str:
    """Lists the harbours of a place, with their ships a year.

    Args:
        text: the place
    """
    return "\n".join(f"{text} harbour {number}: {number * len(text) * 31} ships a year" for number in range(1, 9))


@tool
def tides(text: str) -> str:
    """Tells high and low water of a place for the next days.

    Args:
        text: the place
    """
    return "\n".join(f"{text}, day {day}: high {day + len(text) % 7}:15, low {day + 6}:40" for day in range(1, 9))


def chat(server: BillingServer, wire: WireName, prompt: PromptChoice) -> list[list[Event]]:
    """The runs of a chat of 20 turns, each of two calls."""
    agent = Agent(connect(server.endpoint, "billed"), Toolbox([harbours, tides]), wire=wire, prompt=prompt)
    runs: list[list[Event]] = []
    for question in QUESTIONS:
        runs.append(list(ask(agent, question, runs)))
    return runs


@pytest.mark.parametrize(("wire", "prompt"), [("react", "full"), ("native", "full"), ("native", "short")])
def test_what_was_said_is_billed_as_known(wire: WireName, prompt: PromptChoice) -> None:
    with BillingServer() as server:
        runs = chat(server, wire, prompt)
    assert not server.bill.refused and not server.unexpected
    assert [(len(fold(run).steps), type(run[-1])) for run in runs] == [(3, Answered)] * len(QUESTIONS)
    share = server.bill.cached / server.bill.input
    print(f"{wire}: {share:.1%} of {server.bill.input:,} tokens cached, {len(server.bill.lines)} requests")
    assert share >= LEAST


USER: dict[str, Any] = {"role": "user", "content": "Which harbours are there?"}
CALL: dict[str, Any] = {"id": "call_1", "type": "function", "function": {"name": "tides", "arguments": "{}"}}
CALLS: dict[str, Any] = {"role": "assistant", "content": "", "tool_calls": [CALL]}
RESULT: dict[str, Any] = {"role": "tool", "tool_call_id": "call_1", "content": "Two."}
SAID: dict[str, Any] = {"role": "assistant", "content": "Two."}
TOOLS: list[dict[str, Any]] = [{"type": "function", "function": {"name": name}} for name in ("tides", "harbours")]
SYSTEM: dict[str, Any] = {"role": "system", "content": "You answer. The name of one tool, one of: tides, harbours"}


def body(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"model": "billed", "messages": [SYSTEM, *messages], **more}


@pytest.mark.parametrize(
    ("request_body", "said"),
    [
        (body(USER), ""),
        (body(USER, SAID, USER), ""),
        (body(USER, USER, tools=TOOLS), ""),
        (body(USER, CALLS, RESULT, tools=TOOLS), ""),
        (body(USER, cache="yes"), "Unrecognized request argument supplied: cache"),
        (body(USER, USER), "roles must alternate"),
        (body(USER, SAID), "the last message"),
        (body(USER, SAID, SAID, USER), "roles must alternate"),
        (body({**USER, "name": "Ann"}), "unknown field name"),
        (body({**USER, "content": " "}), "must not be empty"),
        (body({**USER, "content": None}), "must not be empty"),
        (body(USER, {**SAID, "content": ""}, USER), "must not be empty"),
        (body(USER, CALLS, {**RESULT, "content": ""}, tools=TOOLS), "must not be empty"),
        (body(USER, SYSTEM, USER), "must be the first"),
        (body(USER, RESULT, tools=TOOLS), "no call with id call_1"),
        (body(USER, CALLS, {**RESULT, "tool_call_id": "call_2"}, tools=TOOLS), "no call with id call_2"),
        (body(USER, CALLS, RESULT, RESULT, tools=TOOLS), "no call with id call_1"),
        (body(USER, CALLS, USER, tools=TOOLS), "no result for call_1"),
        (body(USER, CALLS, RESULT, CALLS, RESULT, tools=TOOLS), "was used before"),
        (body(USER, CALLS, RESULT, tools=TOOLS[1:]), "no tool tides"),
        (body(USER, CALLS, RESULT), "no tool tides"),
        (
            body(USER, {**CALLS, "tool_calls": [{**CALL, "function": {"name": "tides", "arguments": "Oslo"}}]}, RESULT),
            "must be a JSON object",
        ),
    ],
)
def test_the_server_is_strict(request_body: dict[str, Any], said: str) -> None:
    found = list(problems(request_body))
    assert any(said in each for each in found) if said else not found


def test_the_longest_known_beginning_is_cached() -> None:
    with BillingServer() as server, BillingServer(least=1_024, step=128) as coarse:
        for each in (server, coarse):
            for messages in ([USER], [USER, SAID, USER], [{**USER, "content": "What else?"}], [USER]):
                assert post(each, body(*messages)) == 200
            assert post(each, body(USER, USER)) == 400
    first, second, other, again = server.bill.lines
    assert first[1] == 0 and second[1] == first[0] - (len(written(body(USER))) % 4 > 0)
    assert other[1] == len(written(body()) + '{"role": "user", "content": "Wh') // 4
    assert again == (first[0], len(written(body(USER))) // 4)
    assert len(server.bill.refused) == 1 and coarse.bill.cached == 0


def post(server: BillingServer, content: dict[str, Any]) -> int:
    # Over plain http no certificates are needed; to load them takes longer than all else.
    return httpx2.post(f"{server.endpoint}/chat/completions", json=content, verify=False).status_code
