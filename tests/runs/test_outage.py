"""A store that fails while questions are answered: a full disk, a PostgreSQL that is away."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event as Flag
from typing import Any

import pytest
from sqlalchemy import event as listening
from sqlalchemy.pool import Pool

from agent.errors import StoreFailed
from agent.events import Answered, Asked, Event, Failed, Observed, TextDelta
from agent.loop.agent import Agent
from agent.models.protocol import Delta, Request
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, ask
from agent.runs.in_flight import Followed, Runs
from agent.runs.journal import LONGEST_PAUSE, Journal
from agent.store.runs import Store
from tests.support.servers.cut_line import CutLine
from tests.support.servers.postgres_server import PostgresServer
from tests.support.stories import TOOLS, final, react, stored

ASKED = Asked("q", 1.0)


@contextmanager
def full_disk(store: Store) -> Iterator[None]:
    """The store takes no other page, by the connection that it keeps, nor by those that it takes from a pool."""

    def fill(connection: Any, *_: object) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # SQLite makes of it as many as there are

    def free(connection: Any, *_: object) -> None:
        connection.execute("PRAGMA max_page_count = 1073741823")

    listening.listen(Pool, "checkout", fill)
    listening.listen(Pool, "checkin", free)
    with store.database.cursor() as kept:
        fill(kept)
    try:
        yield
    finally:
        listening.remove(Pool, "checkout", fill)
        with store.database.cursor() as kept:
            free(kept)
        listening.remove(Pool, "checkin", free)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("in_flight.LOOK_SECONDS", "journal.FIRST_PAUSE", "in_flight.FIRST_PAUSE", "in_flight._LONGEST_WAIT"):
        monkeypatch.setattr(f"agent.runs.{name}", 0.02)


@pytest.fixture
def new_runs() -> Iterator[Callable[..., Runs]]:
    made: list[Runs] = []
    yield lambda *about: made.append(Runs(*about)) or made[-1]
    for runs in made:
        runs.close()


def new_run(store: Store) -> str:
    return store.add_run(store.add_conversation("", "t"))


class Waits(Scripted):
    """Says its first words, and the rest when it is told to go on."""

    def __init__(self, replies: list[Any], go_on: Flag) -> None:
        super().__init__(replies)
        self.go_on = go_on

    def stream(self, request: Request) -> Generator[Delta]:
        yield Delta(text="Thought: hm\n")
        self.go_on.wait(60)
        yield from super().stream(request)


def start(runs: Runs, store: Store, go_on: Flag) -> str:
    """A run that calls a tool and answers, each with a text of more than a page, and is held up at its first words."""
    run = new_run(store)
    agent = Agent(Waits([react("Double it. " * 900, "double", "2"), final("4 " * 4_000)], go_on), TOOLS)
    keep = partial(runs.keep, run)
    runs.start(run, lambda cancel: ask(store, run, Question("q"), agent, cancel, keep=keep))
    while not any(isinstance(event, TextDelta) for event in runs.follow(run).events):
        pass
    return run


def until(runs: Runs, run: str, there: Callable[[Followed], bool]) -> Followed:
    """What a follower has seen of the run when that is so."""
    while not there(followed := runs.follow(run, wait=0.05)):
        pass
    return followed


def answered_but_unstored(followed: Followed) -> bool:
    return bool(followed.events) and isinstance(followed.events[-1], Answered) and followed.unstored


@pytest.mark.usefixtures("quick")
def test_with_a_full_disk_runs_go_on_and_are_stored_when_there_is_room(
    store: Store, new_runs: Callable[..., Runs], caplog: pytest.LogCaptureFixture
) -> None:
    runs, go_on = new_runs(store), Flag()
    working = [start(runs, store, go_on) for _ in range(3)]
    with full_disk(store):
        go_on.set()
        for run in working:
            followed = until(runs, run, answered_but_unstored)
            assert not followed.done, "else the page is drawn anew, over and over, for an end that is not there"
            row = store.run(run)
            assert row is not None
            assert row.ended == ""
    for run in working:
        followed = until(runs, run, lambda followed: followed.done)
        assert store.events(run) == stored(list(followed.events))
        assert not followed.unstored
    assert caplog.text.count("could not be stored; it is tried again") == 3, "once for each"


@pytest.fixture
def line(postgres: PostgresServer) -> Iterator[CutLine]:
    postgres.fresh()
    with CutLine(postgres.port) as one:
        yield one


def through(line: CutLine, postgres: PostgresServer) -> str:
    return postgres.url().replace("postgresql://", "postgresql+psycopg://").replace(str(postgres.port), str(line.port))


@pytest.mark.usefixtures("quick")
def test_while_postgresql_is_away_runs_go_on_and_nothing_is_lost(
    open_store: Callable[..., Store], new_runs: Callable[..., Runs], postgres: PostgresServer, line: CutLine
) -> None:
    """In the middle of 20 runs; one is asked when it is away, and waits for it."""
    store = open_store(through(line, postgres))
    runs, go_on = new_runs(store), Flag()
    working = [start(runs, store, go_on) for _ in range(20)]
    late = new_run(store)
    line.cut()
    with pytest.raises(StoreFailed):
        store.run(late)
    agent = Agent(Scripted([final("5")]), TOOLS)
    runs.start(late, lambda cancel: ask(store, late, Question("q"), agent, cancel, keep=partial(runs.keep, late)))
    go_on.set()
    for run in working:
        assert not until(runs, run, answered_but_unstored).done
    line.mend()
    for run in (*working, late):
        followed = until(runs, run, lambda followed: followed.done)
        assert isinstance(followed.events[-1], Answered)
        assert store.events(run) == stored(list(followed.events))


@pytest.mark.usefixtures("quick")
def test_what_was_stored_unheard_is_not_stored_twice(
    open_store: Callable[..., Store], new_runs: Callable[..., Runs], postgres: PostgresServer, line: CutLine
) -> None:
    """The connection breaks between the commit and the word that it was made. Events that are equal stay two."""
    store = open_store(through(line, postgres))
    runs, go_on, shown = new_runs(store), Flag(), Observed("1", "5")
    run = new_run(store)

    def story(_: Flag) -> Iterator[Event]:
        for events in ([ASKED], [shown], [shown], [Answered("5")]):
            go_on.wait(60)
            runs.keep(run, events)
            yield from events

    runs.start(run, story)
    line.swallows = b"COMMIT"
    go_on.set()
    until(runs, run, lambda followed: followed.unstored)
    line.mend()
    followed = until(runs, run, lambda followed: followed.done)
    assert store.events(run) == list(followed.events) == [ASKED, shown, shown, Answered("5")]


def test_pauses_grow_and_patience_ends(store: Store) -> None:
    now = [0.0]
    run = new_run(store)
    journal = Journal(store, run, 100.0, lambda: now[0])
    many = [Observed(str(number), "x" * 5_000) for number in range(20)]
    tries: list[float] = []
    with full_disk(store):
        journal.keep(many[:10])
        assert journal.late
        journal.keep(many[10:19])
        while now[0] < 100.0:
            if journal.retry() is False:
                tries.append(now[0])
            now[0] += 1.0
        assert tries == [1.0, 3.0, 7.0, 15.0, 31.0, 31.0 + LONGEST_PAUSE, 31.0 + 2 * LONGEST_PAUSE]
        now[0] += 1.0
        with pytest.raises(StoreFailed, match="could not be kept for 100 seconds"):
            journal.keep(many[19:])
        journal.keep([Failed("error", "It is over.")])
        assert store.events(run) == []
    assert journal.retry(at_once=True)
    assert not journal.late
    assert [event.type for event in store.events(run)] == ["Observed"] * 20 + ["Failed"]
