"""What a person wants told of a conversation: pinned, left out, put back, from the next question on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.application.chat_runs import ChatRuns
from agent.application.preferences import CONTEXT, ChatContext, read_context
from agent.application.services import Services, open_services
from agent.application.setup import default_choice
from agent.context.turns import turns_told
from agent.events import Replied
from agent.messages import Told
from agent.runs.conversation import history
from agent.store.runs import RunRow
from agent.views.fold import fold
from tests.support.servers.model_server import Call, ModelServer, Played, Reply

VISITOR = "somebody"
WINDOW = 8_000


def replied(body: Mapping[str, Any]) -> Played:
    """The sum is worked out by the tool first, and the answer repeats the question."""
    last = body["messages"][-1]
    if last["role"] == "user":
        return Reply(calls=(Call("calculator", '{"expression": "2+2"}'),))
    asked = [message["content"] for message in body["messages"] if message["role"] == "user"]
    return Reply(f"Four, since you asked: {asked[-1]}")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(replied) as server:
        yield server


@pytest.fixture
def services(data_folder: Path, server: ModelServer) -> Iterator[Services]:
    environment = {
        "GLASSBOX_DATA": str(data_folder),
        "GLASSBOX_BASE_URL": server.endpoint,
        "GLASSBOX_MODEL": "m",
        "GLASSBOX_WIRE": "native",
        "GLASSBOX_TOOLS": "calculator",
        "GLASSBOX_WINDOW": str(WINDOW),
    }
    services = open_services(environment, {})
    yield services
    services.tables.sandbox.close()
    services.runs.close()
    services.store.close()


@pytest.fixture
def runs(services: Services) -> ChatRuns:
    return ChatRuns(services, VISITOR, "session", default_choice(services.settings))


class Chat:
    """A conversation as one asks on."""

    def __init__(self, runs: ChatRuns) -> None:
        self.runs, self.store = runs, runs.services.store
        self.rows: list[RunRow] = []

    def ask(self, question: str) -> RunRow:
        last = self.rows[-1] if self.rows else None
        run = self.runs.begin(question, last.conversation if last else "", last.id if last else "")
        self.rows.append(self.ended(run))
        return self.rows[-1]

    def ended(self, run: str) -> RunRow:
        while not self.runs.services.runs.follow(run, 10_000).done:
            pass
        row = self.store.run(run)
        assert row
        return row

    def told(self, run: str) -> list[Told]:
        """How a run's first prompt tells the turns before it."""
        row = self.store.run(run)
        assert row
        events = self.store.events(run)
        replied = next(place for place, event in enumerate(events) if isinstance(event, Replied))
        before = history(self.store, row.conversation, row.follows)
        return [turn.told for turn in turns_told(events[:replied], before)]


def sent(server: ModelServer) -> str:
    """All that the last request told."""
    return str(server.requests[-1]["messages"])


def test_a_turn_left_out_is_told_no_more_until_it_is_put_back(runs: ChatRuns, server: ModelServer) -> None:
    chat = Chat(runs)
    first = chat.ask("What is my number? It is 2.")
    chat.ask("And its double?")
    assert "What is my number?" in sent(server)
    runs.wish(first, "leave_out")
    third = chat.ask("And half of it?")
    assert "What is my number?" not in sent(server) and "And its double?" in sent(server)
    assert chat.told(third.id) == ["out", "full"]
    runs.wish(first, "put_back")
    fourth = chat.ask("And a third?")
    assert "What is my number?" in sent(server) and "2+2" in sent(server)
    assert chat.told(fourth.id) == ["full", "full", "full"]


def test_every_way_to_begin_a_run_heeds_it(runs: ChatRuns) -> None:
    chat = Chat(runs)
    first = chat.ask("What is two and two?")
    row = chat.ask("And its double?")
    runs.wish(first, "leave_out")
    view = fold(chat.store.events(row.id))
    begun = [
        runs.edited(row, "And its half?"),
        runs.again(row, view),
        runs.merged(row, view),
        runs.unmerged(row, view),
        runs.from_step(row, 1),
    ]
    assert [chat.told(chat.ended(run).id) for run in begun] == [["out"]] * len(begun)


def test_a_pinned_turn_stays_whole_when_room_is_made(runs: ChatRuns) -> None:
    chat = Chat(runs)
    pinned = chat.ask("Keep this. " + "The first harbour is Oslo. " * 40)
    chat.ask("Not this. " + "The second harbour is Bergen. " * 40)
    runs.wish(pinned, "pin")
    for number in range(8):
        chat.ask(f"{number} " + "The next harbour is Turku. " * 60)
    told = chat.told(chat.rows[-1].id)
    assert told[0] == "full" and told[1] != "full"


def test_a_wish_is_kept_for_its_conversation_and_its_visitor_alone(runs: ChatRuns) -> None:
    chat, other = Chat(runs), Chat(runs)
    first, elsewhere = chat.ask("What is two and two?"), other.ask("What is three and three?")
    runs.wish(first, "leave_out")
    assert runs.context(first.conversation) == ChatContext(out=frozenset({first.id}))
    assert runs.context(elsewhere.conversation) == ChatContext()
    stranger = ChatRuns(runs.services, "somebody else", "session", runs.choice)
    stranger.wish(first, "pin")
    assert runs.context(first.conversation).pinned == frozenset()


def test_ids_of_no_turn_and_what_cannot_be_read_change_nothing(runs: ChatRuns) -> None:
    chat = Chat(runs)
    first = chat.ask("What is two and two?")
    for body in ('{"pinned": ["no run"], "out": ["none"]}', "[1", '{"out": 3}', '"out"', "{}", '{"later": 1}'):
        runs.services.chats.choose(VISITOR, first.conversation, CONTEXT, body)
        row = chat.ask("And its double?")
        assert set(chat.told(row.id)) == {"full"}, body


def test_a_turn_is_pinned_or_left_out_never_both() -> None:
    chosen = ChatContext().with_turn("a", "pin").with_turn("b", "leave_out").with_turn("a", "leave_out")
    assert chosen == ChatContext(out=frozenset({"a", "b"}))
    assert chosen.with_turn("a", "pin").with_turn("b", "put_back") == ChatContext(pinned=frozenset({"a"}))
    assert read_context(chosen.written()) == chosen
