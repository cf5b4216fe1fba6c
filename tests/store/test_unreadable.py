"""A run that a newer version wrote, or that was damaged, is a sentence in its place; all else is as ever."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from time import time
from typing import Any

import pytest
import sqlalchemy as sql

from agent.errors import BadRequest, RunUnreadable, StoreFailed
from agent.events import Answered, Asked, Failed, Observed, Prepared, Replied, Source, ToolCalled, Waiting, dump
from agent.messages import Usage
from agent.runs.conversation import history
from agent.runs.in_flight import Runs
from agent.sharing.export.collected import take
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.import_file import read_import
from agent.store.chats import Chats
from agent.store.leases import LEASE_SECONDS
from agent.store.migrations import MIGRATIONS
from agent.store.runs import Store
from agent.store.schema import EVENTS, RUNS, STORE_VERSIONS
from agent.store.tool_uses import last_uses

ANNA = "anna"
PREPARED = Prepared("q", "s", (), "react", "m", "demo")
CALLED = ToolCalled("1", "search", "cats", {"query": "cats"})
SEEN = Observed("1", "Cats are animals.", 0.5, sources=(Source(1, "t", "https://example.org"),))


def changed(event: Any, **fields: Any) -> str:
    return json.dumps(json.loads(dump(event)) | fields)


NEWER = {
    "an event to come": '{"what":1,"type":"Dreamed"}',
    "a field to come": changed(SEEN, mood="good"),
    "a field to come, last": changed(CALLED, mood="good"),
    "a field inside a value": changed(SEEN, sources=[{"number": 1, "title": "t", "url": "", "mood": "good"}]),
    "a version to come": changed(SEEN, v=99),
    "a version to come, first": '{"v":99,' + dump(CALLED)[1:],
    "a version to come of another kind": changed(CALLED, v=2),
}
DAMAGED = {
    "no JSON": '{"call_id":',
    "no event": "[]",
    "a field lost": '{"type":"Observed"}',
    "a version of text": changed(SEEN, v="2"),
}
TOO_MANY = dump(Replied("r", "t", Usage(2**70, 0, 5), 1.0, 0.1))
NEW = "This run was written by a newer version of Glassbox. Update Glassbox to see it."
LOST = "This run cannot be read: what was kept of it is damaged."


def told(store: Store, conversation: str, follows: str, question: str, *more: Any) -> str:
    run = store.add_run(conversation, follows)
    store.append(
        run, [Asked(question, 1.0), PREPARED, Replied("r", "t", Usage(10, 0, 5), 1.0, 0.1), CALLED, SEEN, *more]
    )
    return run


def spoil(store: Store, run: str, line: str) -> None:
    """Put the line in the place of what the run observed."""
    with store.database.begin() as connection:
        kind = json.loads(line).get("type", "") if line.endswith("}") else ""
        connection.execute(
            sql.update(EVENTS).where(EVENTS.c.run == run, EVENTS.c.number == 5).values(body=line, kind=kind)
        )


@pytest.fixture(params=[*NEWER, *DAMAGED])
def spoiled(request: pytest.FixtureRequest, store: Store) -> tuple[Store, str, list[str]]:
    """A chat of three turns, of which the second cannot be read."""
    conversation = store.add_conversation(ANNA, "Cats")
    runs = [""]
    for question in ("first", "second", "third"):
        runs.append(told(store, conversation, runs[-1], question, Answered(f"The {question} answer.")))
    spoil(store, runs[2], (NEWER | DAMAGED)[request.param])
    return store, conversation, runs[1:]


def test_only_that_run_says_so(spoiled: tuple[Store, str, list[str]], request: pytest.FixtureRequest) -> None:
    store, conversation, (first, second, third) = spoiled
    newer = request.node.callspec.params["spoiled"] in NEWER
    with pytest.raises(RunUnreadable) as caught:
        store.events(second)
    assert str(caught.value) == (NEW if newer else LOST)
    assert isinstance(caught.value, StoreFailed)
    assert store.readable(second) == []
    assert [event.type for event in store.events(first)] == [event.type for event in store.readable(third)]
    assert [row.id for row in store.path(conversation, third)] == [first, second, third]
    assert [*history(store, conversation, third)] == [first, third]


def test_the_rest_of_the_chat_works(spoiled: tuple[Store, str, list[str]]) -> None:
    store, conversation, (first, second, third) = spoiled
    chats = Chats(store)
    assert [row.id for row in chats.conversations(ANNA)] == [conversation]
    for words in ("third answer", "animals", "second"):
        assert [row.id for row in chats.conversations(ANNA, words)] == [conversation]
    assert chats.totals(conversation).calls == 3
    store.total([first, second, third])
    assert chats.totals(conversation).runs == 3
    assert [use.run for use in last_uses(store.database, ANNA, "search")] == [first], "the same call is told once"
    assert chats.judge(ANNA, second, 1, "good")
    assert chats.delete(ANNA, conversation)
    assert chats.purge(time() + 1) == 1
    assert store.run(second) is None


def test_it_is_left_out_of_an_export_that_can_be_imported(spoiled: tuple[Store, str, list[str]]) -> None:
    store, conversation, (first, second, third) = spoiled
    taken = take(store, ANNA, conversation)
    assert [run.follows for run in taken.runs] == ["", "1"]
    assert taken.unreadable == 1
    assert read_import(export_json_lines(taken).encode()) == taken
    assert [len(take(store, ANNA, conversation, [run]).runs) for run in (first, third)] == [1, 1]
    with pytest.raises(RunUnreadable):
        take(store, ANNA, conversation, [second])


@pytest.fixture
def new_runs() -> Iterator[Callable[[Store], Runs]]:
    made: list[Runs] = []
    yield lambda store: made.append(Runs(store)) or made[-1]
    for runs in made:
        runs.close()


@pytest.mark.parametrize("line", [NEWER["an event to come"], DAMAGED["no JSON"]])
def test_a_process_starts_where_one_was_left_open(store: Store, new_runs: Callable[[Store], Runs], line: str) -> None:
    run = told(store, store.add_conversation(ANNA, "t"), "", "q")
    spoil(store, run, line)
    with store.database.begin() as connection:
        connection.execute(sql.update(RUNS).values(process="elsewhere:1", alive=time() - LEASE_SECONDS - 1))
    new_runs(store)
    row = store.run(run)
    assert row is not None
    assert row.ended == "Failed"
    with pytest.raises(RunUnreadable):
        store.events(run)


@pytest.mark.parametrize("line", [b'{"type":"Asked","question":"\xff\xfe","time":1.0}', TOO_MANY.encode(), b"\xff"])
def test_whatever_a_damaged_run_holds_it_stops_nothing_else(
    store: Store, new_runs: Callable[[Store], Runs], line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the start of a process nor its look at the leases, in which the damaged run comes first."""
    monkeypatch.setattr("agent.runs.in_flight.LOOK_SECONDS", 0.01)

    def lose_two() -> tuple[str, str]:
        conversation = store.add_conversation(ANNA, "t")
        damaged, whole = told(store, conversation, "", "q"), told(store, conversation, "", "q")
        with store.database.begin() as connection:
            body = sql.cast(sql.literal(line, sql.LargeBinary), sql.Text)
            connection.execute(
                sql.update(EVENTS).where(EVENTS.c.run == damaged, EVENTS.c.number == 5).values(body=body)
            )
            lost = sql.update(RUNS).where(RUNS.c.id.in_((damaged, whole)))
            connection.execute(lost.values(process="elsewhere:1", alive=time() - LEASE_SECONDS - 1))
        return damaged, whole

    at_start = lose_two()
    runs = new_runs(store)
    assert [store.events(run)[-1].type for run in at_start[1:]] == ["Failed"]
    while_running = lose_two()
    while any(row is None or not row.ended for row in map(store.run, (*at_start, *while_running))):
        assert runs.looking
    assert isinstance(store.events(while_running[1])[-1], Failed)


def test_one_that_waits_can_be_stopped_and_not_decided(store: Store, new_runs: Callable[[Store], Runs]) -> None:
    run = told(store, store.add_conversation(ANNA, "t"), "", "q", CALLED, Waiting("1", "question", "Which?"))
    spoil(store, run, NEWER["an event to come"])
    with pytest.raises(RunUnreadable):
        store.take_up(run, [Failed("cancelled", "Stopped.")], "1")
    assert store.is_waiting(run)
    new_runs(store).cancel(run)
    row = store.run(run)
    assert row is not None
    assert row.ended == "Failed"


@pytest.mark.parametrize("name", NEWER)
def test_a_file_of_a_newer_version_is_one_sentence_that_names_the_line(store: Store, name: str) -> None:
    told(store, conversation := store.add_conversation(ANNA, "t"), "", "q", Answered("a"))
    lines = export_json_lines(take(store, ANNA, conversation)).splitlines()
    lines[6] = NEWER[name]
    with pytest.raises(BadRequest, match=r"^This file was not imported\. Line 7 .* here: a newer version") as caught:
        read_import("\n".join(lines).encode())
    assert "mood" not in str(caught.value)


def test_a_store_that_a_newer_version_changed_a_little_is_used(open_store: Callable[..., Store]) -> None:
    store = open_store()
    run = told(store, store.add_conversation(ANNA, "t"), "", "q", Answered("a"))
    with store.database.begin() as connection:
        connection.execute(sql.insert(STORE_VERSIONS), {"number": 99, "oldest": len(MIGRATIONS), "applied": 1.0})
        connection.execute(sql.text("alter table runs add column mood varchar default 'good'"))
    again = open_store()
    assert len(again.events(run)) == 6
    told(again, again.add_conversation(ANNA, "t"), "", "q", Answered("a"))


def test_a_store_that_only_a_newer_version_can_use_is_one_sentence(open_store: Callable[..., Store]) -> None:
    store = open_store()
    with store.database.begin() as connection:
        connection.execute(sql.insert(STORE_VERSIONS), {"number": 99, "oldest": 99, "applied": 1.0})
    with pytest.raises(StoreFailed, match=r"^The conversations were kept by a newer version of Glassbox, .* Update"):
        open_store()
