"""A run that waits for the person, in the store and among processes: nothing is lost, and one decision counts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Barrier, Event, Thread, active_count
from time import sleep

import pytest

from agent.events import Answered, Decided, Failed, Waiting
from agent.loop.agent import Agent
from agent.runs.conversation import Question, ask, take_up
from agent.runs.in_flight import Runs
from agent.store.chats import Chats
from agent.store.runs import NotWaiting, RunEnded, Store
from agent.views.fold import fold
from tests.support.followed_runs import follow_to_end, new_run
from tests.support.waiting_stories import ASKING, said, script, setup

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
# Begins a run in a process of its own, and dies without a word while the run waits.
DIES = """
import os, signal, sys
from threading import Event
from agent.runs.conversation import Question, ask
from agent.store.runs import Store
from tests.support.waiting_stories import ASKING, script, setup

store = Store(sys.argv[1])
run = store.add_run(store.add_conversation("v", "t"))
for event in ask(store, run, Question("q"), setup(script("react", ("ask_user", ASKING))), Event()):
    pass
other = store.add_run(store.add_conversation("v", "t"))
store.append(other, store.events(run)[:2])
print(run, other, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def new_runs() -> Iterator[Callable[[Store], Runs]]:
    made: list[Runs] = []

    def make(store: Store) -> Runs:
        made.append(Runs(store))
        return made[-1]

    yield make
    for runs in made:
        runs.close()


def begin(runs: Runs, store: Store, chosen: Agent) -> str:
    run = new_run(store)
    runs.start(run, partial(ask, store, run, Question("q"), chosen))
    events = follow_to_end(runs, run)
    assert isinstance(events[-1], Waiting)
    return run


def decide(runs: Runs, store: Store, run: str, chosen: Agent, decided: Decided) -> None:
    store.take_up(run, [decided], decided.call_id)
    runs.start(run, partial(take_up, store, run, chosen), so_far=store.events(run))


def waits(store: Store, conversation: str) -> bool:
    row = store.conversation(conversation)
    return row is not None and row.waiting


def test_a_run_waits_without_a_worker_and_goes_on_where_it_was(store: Store, new_runs: Callable[..., Runs]) -> None:
    runs, chosen = new_runs(store), setup(script("react", ("ask_user", ASKING), ("double", "4")))
    before = active_count()
    run = begin(runs, store, chosen)
    for _ in range(200):
        if active_count() <= before:
            break
        sleep(0.01)
    assert active_count() <= before
    assert store.is_waiting(run)
    row = store.run(run)
    assert row is not None
    assert waits(store, row.conversation)
    assert store.close_interrupted() == []
    decide(runs, store, run, chosen, said(store.events(run)[-1], "answered", "this"))
    live = follow_to_end(runs, run)
    assert fold(live) == fold(store.events(run))
    assert isinstance(live[-1], Waiting)
    assert live[-1].kind == "approval"
    decide(runs, store, run, chosen, said(live[-1], "allowed"))
    live = follow_to_end(runs, run)
    assert isinstance(live[-1], Answered)
    assert fold(live) == fold(store.events(run))
    assert not waits(store, row.conversation)
    assert not store.is_waiting(run)


def test_it_outlives_a_process_that_is_killed(
    open_store: Callable[..., Store], tmp_path: Path, new_runs: Callable[..., Runs]
) -> None:
    url = f"sqlite:///{tmp_path / 'glassbox.db'}"
    died = subprocess.run(
        [sys.executable, "-c", DIES, url],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr
    waiting, working = died.stdout.split()
    store = open_store(url)
    runs = new_runs(store)
    assert isinstance(store.events(working)[-1], Failed)
    assert isinstance(store.events(waiting)[-1], Waiting)
    chosen = setup(script("react", ("ask_user", ASKING)))
    next(chosen.model.stream(None))  # type: ignore[arg-type]  # the reply that the other process had
    decide(runs, store, waiting, chosen, said(store.events(waiting)[-1], "answered", "that"))
    assert isinstance(follow_to_end(runs, waiting)[-1], Answered)


def test_another_process_decides_or_stops(
    open_store: Callable[..., Store], store: Store, new_runs: Callable[..., Runs]
) -> None:
    here, there_store = new_runs(store), open_store()
    there = new_runs(there_store)
    chosen = setup(script("react", ("ask_user", ASKING)))
    run = begin(here, store, chosen)
    assert there.follow(run).done
    decide(there, there_store, run, chosen, said(there_store.events(run)[-1], "skipped"))
    assert isinstance(follow_to_end(there, run)[-1], Answered)
    assert isinstance(follow_to_end(here, run)[-1], Answered)

    run = begin(here, store, setup(script("react", ("ask_user", ASKING))))
    there.cancel(run)
    ended = follow_to_end(here, run)[-1]
    assert isinstance(ended, Failed)
    assert ended.reason == "cancelled"
    run = begin(here, store, setup(script("react", ("ask_user", ASKING))))
    here.cancel(run)
    assert isinstance(store.events(run)[-1], Failed)


def test_of_two_decisions_at_once_one_counts(open_store: Callable[..., Store]) -> None:
    stores = [open_store() for _ in range(4)]
    for _ in range(5):
        run = new_run(stores[0])
        list(ask(stores[0], run, Question("q"), setup(script("react", ("double", "4"))), Event()))
        waiting, start, taken = stores[0].events(run)[-1], Barrier(4), list[int]()

        def try_it(number: int, waiting=waiting, start=start, taken=taken, run=run) -> None:  # type: ignore[no-untyped-def]
            start.wait()
            try:
                stores[number].take_up(run, [said(waiting, "denied", str(number))])
                taken.append(number)
            except NotWaiting:
                pass

        threads = [Thread(target=try_it, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(taken) == 1
        decided = [event for event in stores[0].events(run) if isinstance(event, Decided)]
        assert [event.text for event in decided] == [str(taken[0])]


def test_what_does_not_wait_cannot_be_decided(store: Store) -> None:
    run = new_run(store)
    with pytest.raises(NotWaiting):
        store.take_up(run, [Decided("call_1", "allowed")])
    list(ask(store, run, Question("q"), setup(script("react", ("double", "4"))), Event()))
    before = store.events(run)
    with pytest.raises(NotWaiting):
        store.take_up(run, [Decided("other", "allowed")], "other")
    assert store.events(run) == before
    assert store.is_waiting(run)
    store.take_up(run, [Failed("cancelled", "Stopped.")])
    with pytest.raises(NotWaiting):
        store.take_up(run, [Decided("call_1", "allowed")])
    with pytest.raises(RunEnded):
        store.append(run, [Decided("call_1", "allowed")])
    with pytest.raises(NotWaiting):
        store.take_up("no such run", [Decided("call_1", "allowed")])


def test_what_is_allowed_for_good_is_so_in_that_chat_of_that_visitor(store: Store) -> None:
    chats = Chats(store)
    mine, other = store.add_conversation("me", "t"), store.add_conversation("me", "t")
    assert chats.allowed(mine) == ()
    assert chats.allow("me", mine, "search")
    assert chats.allow("me", mine, "calculator")
    assert not chats.allow("you", mine, "python")
    assert not chats.allow("", mine, "python")
    assert chats.allowed(mine) == ("calculator", "search")
    assert chats.allowed(other) == ()
    assert chats.allowed("none") == ()
