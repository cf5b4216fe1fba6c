"""Who works on which run, told by real processes: killed ones, living ones, ones whose clock is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sql

from agent.errors import StoreFailed
from agent.events import Asked
from agent.store.leases import LEASE_SECONDS, STOP_SECONDS, Leases
from agent.store.runs import STOPPED, Store
from agent.store.schema import RUNS, Now
from tests.support.servers.postgres_server import PostgresServer

ASKED = Asked("q", 1.0)
OpenStore = Callable[..., Store]
# A process with a run on the store; then it does what it is told, or looks after the runs that others lost.
PROCESS = """
import sys, time
ahead, real = float(sys.argv[2]), time.time
time.time = lambda: real() + ahead
from agent.events import Asked
from agent.store.runs import STOPPED, Store
store = Store(sys.argv[1])
run = store.add_run(store.add_conversation("", "t"))
store.append(run, [Asked("q", 1.0)])
print(run, flush=True)
for line in sys.stdin:
    print(*store.close_interrupted(), flush=True)
"""


@contextmanager
def process(url: str, ahead: float = 0.0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process at work on a run, and the run; its clock is ``ahead`` of ours by so many seconds."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", PROCESS, url, str(ahead)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as running:
        assert running.stdout is not None
        yield running, running.stdout.readline().strip()
        running.kill()


def looks(running: subprocess.Popen[str]) -> list[str]:
    """Has the process look after lost runs; those that it closed."""
    assert running.stdin is not None
    assert running.stdout is not None
    print(file=running.stdin, flush=True)
    return running.stdout.readline().split()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'glassbox.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    server.fresh()
    return server.url().replace("postgresql://", "postgresql+psycopg://")


def silent(store: Store, seconds: float, **values: object) -> None:
    """Have nothing been heard for that long of any process, by the database's clock."""
    with store.database.begin() as connection:
        connection.execute(sql.update(RUNS).where(RUNS.c.ended == "").values(alive=Now() - seconds, **values))


@pytest.mark.system
def test_a_killed_process_is_known_at_once(open_store: OpenStore, tmp_path: Path) -> None:
    """Its number says nothing: in a container that was restarted, another process has it, under the same host name."""
    url = f"sqlite:///{tmp_path / 'glassbox.db'}"
    store = open_store(url)
    with process(url) as (killed, lost), process(url) as (_, kept):
        assert store.close_interrupted() == []
        killed.kill()
        killed.wait()
        assert store.close_interrupted() == [lost]
        assert [event.type for event in store.events(kept)] == ["Asked"]
        assert len([*(tmp_path / "processes").iterdir()]) == 3
        store.leases.sweep()
        assert len([*(tmp_path / "processes").iterdir()]) == 2


@pytest.mark.system
def test_a_lock_of_another_kernel_or_without_a_file_says_nothing(open_store: OpenStore, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'glassbox.db'}"
    store = open_store(url)
    with process(url) as (killed, run):
        killed.kill()
        killed.wait()
    (file,) = (each for each in (tmp_path / "processes").iterdir() if each.name != store.leases.process)
    file.write_text("another kernel")
    assert store.close_interrupted() == []
    file.unlink()
    assert store.close_interrupted() == []
    silent(store, LEASE_SECONDS + 1)
    assert store.close_interrupted() == [run]


@pytest.mark.system
def test_a_clock_that_is_a_minute_ahead_kills_no_run(open_store: OpenStore, url: str) -> None:
    store = open_store(url)
    ours = store.add_run(store.add_conversation("", "t"))
    store.append(ours, [ASKED])
    with process(url, ahead=60.0) as (ahead, theirs), process(url, ahead=-60.0) as (behind, late):
        store.leases.renew([ours, theirs, late])
        assert looks(ahead) == looks(behind) == store.close_interrupted() == []
    assert store.events(ours) == [ASKED]


def test_stop_ends_a_run_whose_process_is_silent(open_store: OpenStore, url: str) -> None:
    """Where nobody can tell that the process is gone, as after the start of a new container."""
    store, other = open_store(url), open_store(url)
    stopped, kept = (store.add_run(store.add_conversation("", "t")) for _ in range(2))
    silent(store, STOP_SECONDS + 1)
    assert other.close_interrupted() == []
    other.leases.ask_to_stop(stopped)
    assert other.close_interrupted() == [stopped]
    assert store.events(stopped) == [STOPPED]
    assert store.events(kept) == []


def test_after_an_outage_the_others_are_given_time_to_be_heard(store: Store) -> None:
    """The database was away for longer than a lease: all are silent, and none is gone for that."""
    run = store.add_run(store.add_conversation("", "t"))
    now = [100.0]
    leases = Leases(store.database, None, lambda: now[0])
    assert leases.lost() == []
    now[0] += LEASE_SECONDS + 10
    silent(store, LEASE_SECONDS + 10, process="another")
    assert leases.lost() == []
    heard = now[0]
    while not (lost := leases.lost()):
        now[0] += 1
    assert [each.run for each in lost] == [run]
    assert now[0] > heard + LEASE_SECONDS


def test_what_was_given_to_workers_is_lost_where_there_is_no_queue_any_more(store: Store) -> None:
    run = store.add_run(store.add_conversation("", "t"))
    now = [100.0]
    leases = Leases(store.database, None, lambda: now[0])
    silent(store, LEASE_SECONDS + 1, process="")
    while now[0] < 200 + LEASE_SECONDS:
        assert leases.lost() == []
        now[0] += 1
    assert [each.run for each in leases.lost(handed=True)] == [run]
    silent(store, 0.0, process="")
    assert leases.lost(handed=True) == []


def test_a_folder_that_cannot_be_written_leaves_the_leases(tmp_path: Path, open_store: OpenStore) -> None:
    (tmp_path / "file").write_text("in the way")
    store = Store(f"sqlite:///{tmp_path / 'glassbox.db'}", tmp_path / "file" / "processes")
    try:
        store.add_run(store.add_conversation("", "t"))
        silent(store, LEASE_SECONDS + 1, process="elsewhere:1")
        assert len(store.close_interrupted()) == 1
    finally:
        store.close()
    with pytest.raises(StoreFailed):
        open_store(f"sqlite:///{tmp_path / 'file' / 'glassbox.db'}")
