"""Every follow-up reaches the model with all that was said and seen before it, in any language."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from agent import Agent, ask, connect
from agent.events import WireName
from tests.support.servers.model_server import ModelServer
from tests.support.told_before import FollowUp, earlier_runs, follow_ups


def told(row: FollowUp) -> list[str]:
    """What was said and seen, in order."""
    turns = [(turn.question, turn.input, turn.observation, turn.answer) for turn in row.turns]
    return [text for text in (*chain(*turns), row.follow_up) if text]


@pytest.mark.slow
@pytest.mark.parametrize("wire", ["react", "native"])
def test_the_whole_conversation_arrives(wire: WireName) -> None:
    with ModelServer(lambda body: "Final Answer: Yes." if wire == "react" else "Yes.") as server:
        agent = Agent(connect(server.endpoint, "scripted-model"), wire=wire)
        for row in follow_ups():
            list(ask(agent, row.follow_up, earlier_runs(row, wire)))
            *_, last = messages = server.requests[-1]["messages"]
            sent = "\n".join(
                "\n".join([each["content"], *(call["function"]["arguments"] for call in each.get("tool_calls", ()))])
                for each in messages
            )
            assert re.search(".*".join(map(re.escape, told(row))), sent, re.S), (row, messages)
            assert last["role"] == "user" and last["content"].endswith(row.follow_up), row
        assert len(server.requests) == len(list(follow_ups())) and not server.unexpected
