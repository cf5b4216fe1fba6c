"""A chat of one's own that begins with what somebody shared: what comes along, what does not, and what it asks with."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.application.chat_runs import ChatRuns
from agent.application.preferences import PROMPTS
from agent.application.services import Services, open_services
from agent.application.setup import default_choice
from agent.application.teams import branching
from agent.application.teams.beginning import BEGINNING, Beginning, read_beginning
from agent.application.teams.branching import branch
from agent.errors import BadRequest
from agent.events import Answered, Asked, Event, Inner, Observed, Prepared, Replied, ToolCalled, dump
from agent.messages import Facts, Usage
from agent.sharing.export.collected import take
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.import_file import read_import
from agent.sharing.shares import SharedChat
from agent.sharing.team_shares import Circle, Teammate
from agent.toolkit.base import artifact
from agent.wire.instructions import notes_part
from tests.support.servers.model_server import ModelServer

ANNA, BERT = Teammate("a" * 32, "anna@example.com"), Teammate("b" * 32, "bert@example.com")
MAY = Circle("people", ("bert@example.com",), branching=True)
NOTE, PASTED, SIGNATURE = "Lives in Elm Street 7", "sk-proj-abcdefghijkl0123456789", "what her server signed"
OWN = "Always say that Anna is right."
PIXEL = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
PICTURE, RAW = artifact("image", "a.png", PIXEL), artifact("json", "raw", b'{"a": 1}')
KEYED = artifact("json", "keyed", json.dumps({"key": PASTED}).encode())


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(["It goes on."] * 5) as server:
        yield server


@pytest.fixture
def services(data_folder: Path, server: ModelServer) -> Iterator[Services]:
    environment = {
        "GLASSBOX_DATA": str(data_folder),
        "GLASSBOX_BASE_URL": server.endpoint,
        "GLASSBOX_MODEL": "m",
        "GLASSBOX_WIRE": "native",
        "GLASSBOX_WINDOW": "8000",
        "GLASSBOX_TOOLS": "calculator",
    }
    services = open_services(environment, {})
    yield services
    services.tables.sandbox.close()
    services.runs.close()
    services.store.close()


def told(endpoint: str) -> list[Event]:
    """A run of Anna's, with notes, own instructions, a key, what her server signed, an agent within, and files."""
    system, facts = f"{OWN}\n\n{notes_part('en', (NOTE,))}", Facts("2026-11-25", ("calculator",), notes=(NOTE,))
    prepared = Prepared(
        "How long is the Nile?", system, (), "native", "m", endpoint, facts=facts,
        parts={"today": "2026-11-25", "rules": "0" * 16}, prompts={"native": OWN}, prompt_cache_key="k" * 32,
    )  # fmt: skip
    replied = Replied("", f"I use {PASTED}", Usage(1, 0, 1), 0.1, 0.1, opaque=SIGNATURE)
    return [
        Asked("How long is the Nile?", 1.0, artifacts=(PICTURE,)),
        prepared,
        replied,
        ToolCalled("1", "calculator", "1+1", {"expression": "1+1"}, opaque=SIGNATURE),
        Inner("1", prepared),
        Inner("1", replied),
        Inner("1", Answered("2")),
        Observed("1", "6,650 km", 0.1, artifacts=(RAW, KEYED)),
        replied,
        Answered("6,650 km."),
    ]


def shared(services: Services, circle: Circle = MAY) -> SharedChat:
    store = services.store
    conversation = store.add_conversation(ANNA.visitor, "The Nile")
    first = store.add_run(conversation)
    store.append(first, told(services.settings.base_url))
    second = store.add_run(conversation, first)
    prepared = Prepared("And the Danube?", OWN, (), "native", "m", services.settings.base_url)
    replied = Replied("2,850 km.", "", Usage(1, 0, 1), 0.1, 0.1)
    store.append(second, [Asked("And the Danube?", 2.0, parent=first), prepared, replied, Answered("2,850 km.")])
    services.chats.judge(ANNA.visitor, first, 0, "She doubts it.")
    services.chats.choose(ANNA.visitor, conversation, PROMPTS, "{}")
    services.team_shares.make(ANNA, conversation, circle, {})
    (share,) = services.team_shares.of(ANNA.visitor)
    opened = services.team_shares.open(share.id, BERT)
    assert opened
    return opened


def everything(services: Services, conversation: str) -> str:
    return "\n".join(
        dump(event) for row in services.store.runs(conversation) for event in services.store.events(row.id)
    )


def test_a_branch_has_the_turns_and_the_original_stays_as_it_was(services: Services) -> None:
    store, opened = services.store, shared(services)
    before = everything(services, opened.conversation)
    mine = branch(services, BERT.visitor, opened)
    row = store.conversation(mine)
    assert row and (row.visitor, row.title) == (BERT.visitor, "The Nile")
    first, second = store.path(mine)
    assert first.id not in {run.id for run in opened.turns} and second.follows == first.id
    asked = store.events(second.id)[0]
    assert isinstance(asked, Asked) and (asked.question, asked.parent) == ("And the Danube?", first.id)
    assert store.artifact(first.id, PICTURE.hash) == PICTURE.content
    assert store.artifact(first.id, RAW.hash) == RAW.content
    assert services.chats.judgement(first.id).comment == ""
    assert [found.id for found in services.chats.conversations(BERT.visitor, "danube")] == [mine]
    began = read_beginning(services.chats.chosen(mine, BEGINNING))
    assert began == Beginning("anna@example.com", confirmed=True)
    assert everything(services, opened.conversation) == before
    assert [found.id for found in services.chats.conversations(ANNA.visitor)] == [opened.conversation]


def test_what_is_the_sharers_alone_stays_behind(services: Services, server: ModelServer) -> None:
    opened = shared(services)
    mine = branch(services, BERT.visitor, opened)
    text = everything(services, mine)
    for secret in ("Elm Street", PASTED, SIGNATURE, server.endpoint, '"prompt_cache_key"', '"parts"', "doubts"):
        assert secret not in text, secret
    first = services.store.path(mine)[0]
    assert services.store.artifact(first.id, KEYED.hash) is None, "what a key was taken from is left out"
    file = export_json_lines(take(services.store, BERT.visitor, mine))
    assert export_json_lines(read_import(file.encode())) == file


def test_a_branch_is_instructed_as_its_own_person_has_it(services: Services, server: ModelServer) -> None:
    mine = branch(services, BERT.visitor, shared(services))
    runs = ChatRuns(services, BERT.visitor, "session", default_choice(services.settings))
    run = runs.begin("And the Rhine?", mine, services.store.path(mine)[-1].id)
    assert services.runs.follow(run, 1 << 30, 30.0).done
    (sent,) = server.requests
    system, *rest = sent["messages"]
    assert OWN not in system["content"], "nobody instructs a model in another's chat"
    assert "And the Danube?" in json.dumps(rest) and "2,850 km." in json.dumps(rest)
    assert SIGNATURE not in json.dumps(sent) and "Elm Street" not in json.dumps(sent)


def test_only_who_may_go_on_does(services: Services) -> None:
    opened = shared(services, replace(MAY, branching=False))
    for asks, visitor in ((opened, BERT.visitor), (replace(opened, branching=True), ""),
                          (replace(opened, branching=True, sharer=None), BERT.visitor)):  # fmt: skip
        with pytest.raises(BadRequest, match="only be read"):
            branch(services, visitor, asks)
    assert services.chats.conversations(BERT.visitor) == []


def test_what_was_taken_back_leaves_branches_as_they_are(services: Services) -> None:
    opened = shared(services)
    mine = branch(services, BERT.visitor, opened)
    before = everything(services, mine)
    assert services.team_shares.take_back(ANNA.visitor, opened.conversation)
    assert services.chats.delete(ANNA.visitor, opened.conversation)
    assert services.chats.purge(1e12) == 1
    assert everything(services, mine) == before
    with pytest.raises(BadRequest, match="can be read here"):
        branch(services, BERT.visitor, opened)


def test_what_is_too_large_is_told(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branching, "MOST_BYTES", 2_000)
    with pytest.raises(BadRequest, match="too large"):
        branch(services, BERT.visitor, shared(services))
    assert services.chats.conversations(BERT.visitor) == []


def test_a_branch_can_be_shared_and_gone_on_with_itself(services: Services) -> None:
    mine = branch(services, BERT.visitor, shared(services))
    cleo = Teammate("c" * 32, "cleo@example.com")
    services.team_shares.make(BERT, mine, Circle("site", branching=True), {})
    (found,) = [each for each in services.team_shares.received(cleo) if each.sharer.name == "bert@example.com"]
    opened = services.team_shares.open(found.id, cleo)
    assert opened
    hers = branch(services, cleo.visitor, opened)
    assert len(services.store.path(hers)) == 2
    assert read_beginning(services.chats.chosen(hers, BEGINNING)).sharer == "bert@example.com"


@pytest.mark.parametrize("body", ["", "{", "[]", "1", '{"sharer": 1}', '{"preset": null}', '"x"'])
def test_what_is_no_beginning_is_nothing_special(body: str) -> None:
    assert read_beginning(body) == Beginning()
