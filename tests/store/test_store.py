from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep, time
from typing import Any

import pytest
import sqlalchemy as sql
from sqlalchemy import event
from sqlalchemy.dialects import postgresql

from agent.errors import BadSettings, StoreFailed
from agent.events import Answered, Asked, Failed, Observed, Replied
from agent.messages import Usage
from agent.store.chats import Chats
from agent.store.database import failing, insert_into, open_engine
from agent.store.leases import LEASE_SECONDS
from agent.store.runs import RunEnded, Store
from agent.store.schema import CONVERSATIONS, SPENDING
from agent.toolkit.base import artifact

ASKED = Asked("q", 1.0)
OpenStore = Callable[..., Store]


def test_a_conversation_and_its_runs(store: Store) -> None:
    conversation = store.add_conversation("anna", "  What is\nthe square root of 25? " + "x" * 100)
    row = store.conversation(conversation)
    assert row is not None
    assert row.title.startswith("What is the square root of 25? xxx")
    assert len(row.title) == 80
    assert row.title.endswith("…")
    assert store.conversation("unknown") is None
    assert [row.id for row in Chats(store).conversations("anna")] == [conversation]
    assert Chats(store).conversations("bert") == []
    first = store.add_run(conversation)
    second = store.add_run(conversation, first)
    other = store.add_run(conversation, first)
    assert [row.id for row in store.path(conversation)] == [first, other]
    assert [row.id for row in store.path(conversation, second)] == [first, second]
    assert store.path(store.add_conversation("anna", "empty")) == []
    assert store.path(conversation, "unknown") == []


def test_events_are_numbered_and_read_back(store: Store) -> None:
    run = store.add_run(store.add_conversation("", "t"))
    observed = Observed("1", "5", artifacts=(artifact("json", "raw", b"{}"),))
    store.append(run, [ASKED])
    store.append(run, [Replied("r", "t", Usage(), 0.1, 0.1), observed])
    assert store.events(run) == [ASKED, Replied("r", "t", Usage(), 0.1, 0.1), observed]
    assert store.events(run, after=2) == [observed]
    assert store.artifact(run, observed.artifacts[0].hash) == b"{}"
    store.append(run, [observed])
    assert store.artifact(run, "unknown") is None
    assert store.artifact("other run", observed.artifacts[0].hash) is None


def test_an_ended_run_takes_no_more(store: Store) -> None:
    run = store.add_run(store.add_conversation("", "t"))
    store.append(run, [ASKED, Answered("5")])
    with pytest.raises(RunEnded):
        store.append(run, [Failed("cancelled", "Stopped.")])
    with pytest.raises(RunEnded):
        store.append("unknown", [ASKED])
    assert store.events(run) == [ASKED, Answered("5")]
    row = store.run(run)
    assert row is not None
    assert row.ended == "Answered"
    assert store.run("unknown") is None


def test_a_run_needs_its_conversation(store: Store) -> None:
    with pytest.raises(StoreFailed, match="IntegrityError"):
        store.add_run("unknown")


def test_a_broken_store_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "glassbox.db").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreFailed, match="cannot be read or written"):
        Store(f"sqlite:///{tmp_path / 'glassbox.db'}")
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreFailed, match="cannot be read or written"):
        Store(f"sqlite:///{tmp_path / 'file' / 'glassbox.db'}")


def test_in_memory(open_store: OpenStore) -> None:
    memory = open_store("sqlite://")
    run = memory.add_run(memory.add_conversation("", "t"))
    with ThreadPoolExecutor(2) as pool:
        pool.submit(memory.append, run, [ASKED]).result()
    assert memory.events(run) == [ASKED]


def test_two_stores_on_one_file_do_not_lose_or_mix(open_store: OpenStore) -> None:
    stores = [open_store(), open_store()]
    conversation = stores[0].add_conversation("", "t")
    runs = [store.add_run(conversation) for store in stores for _ in range(4)]

    def work(index: int) -> None:
        for number in range(25):
            stores[index % 2].append(runs[index], [Observed(str(number), f"{index}")])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    for index, run in enumerate(runs):
        assert stores[0].events(run) == [Observed(str(number), f"{index}") for number in range(25)]


def test_two_writers_on_one_run_keep_numbers_whole(open_store: OpenStore) -> None:
    stores = [open_store(), open_store()]
    run = stores[0].add_run(stores[0].add_conversation("", "t"))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda store: [store.append(run, [ASKED]) for _ in range(50)], stores))
    assert stores[0].events(run) == [ASKED] * 100


def test_a_run_of_a_living_process_is_left_alone(store: Store) -> None:
    run = store.add_run(store.add_conversation("", "t"))
    store.append(run, [ASKED])
    assert store.close_interrupted() == []
    assert store.events(run) == [ASKED]


def test_a_run_without_a_sign_of_life_is_closed(open_store: OpenStore, tmp_path: Path) -> None:
    path = tmp_path / "glassbox.db"
    store = open_store(f"sqlite:///{path}")
    run = store.add_run(store.add_conversation("", "t"))
    store.append(run, [ASKED])
    engine = sql.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(sql.text("update runs set alive = :then"), {"then": time() - LEASE_SECONDS - 1})
    store.leases.renew([run])
    assert store.close_interrupted() == []
    with engine.begin() as connection:
        connection.execute(
            sql.text("update runs set alive = :then, process = 'elsewhere:1'"), {"then": time() - LEASE_SECONDS - 1}
        )
    assert store.leases.renew([run]).taken == {run}, "it is another's, who has to say that it is at work"
    engine.dispose()
    assert store.close_interrupted() == [run]
    assert isinstance(store.events(run)[-1], Failed)
    assert store.close_interrupted() == []


KILLED = """
import sys
from threading import Event
from time import sleep
from agent.runs.conversation import Question, ask
from agent.loop.agent import Agent
from agent.models.protocol import Delta
from agent.models.scripted import Scripted
from agent.runs.in_flight import Runs
from agent.store.runs import Store
from tests.support.stories import TOOLS, react

class Hangs(Scripted):
    def stream(self, request):
        if len(request.messages) > 2:
            print("in mid-run", flush=True)
            sleep(60)
        yield from super().stream(request)

store = Store(sys.argv[1])
run = store.add_run(store.add_conversation("", "t"))
setup = Agent(Hangs([react("I double it.", "double", "21")]), TOOLS)
Runs(store).start(run, lambda cancel: ask(store, run, Question("What is twice 21?"), setup, cancel))
print(run, flush=True)
sleep(60)
"""


@pytest.mark.slow
def test_a_killed_server_leaves_an_interrupted_run(open_store: OpenStore, tmp_path: Path) -> None:
    """kill -9 in mid-run: at the next start the run is closed with all it had."""
    url = f"sqlite:///{tmp_path / 'glassbox.db'}"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", KILLED, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        lines = {process.stdout.readline().strip(), process.stdout.readline().strip()}
        process.send_signal(signal.SIGKILL)
    (run,) = lines - {"in mid-run"}
    store = open_store(url)
    assert store.close_interrupted() == [run]
    kinds = [type(event).__name__ for event in store.events(run)]
    assert kinds == ["Asked", "Prepared", "Replied", "ToolCalled", "Observed", "Failed"]
    last = store.events(run)[-1]
    assert isinstance(last, Failed)
    assert last.reason == "interrupted"


def test_conversations_come_latest_first(store: Store) -> None:
    ids = []
    for number in range(3):
        ids.append(store.add_conversation("anna", f"t{number}"))
        sleep(0.002)
    store.add_run(ids[0])
    assert [row.id for row in Chats(store).conversations("anna")] == [ids[0], ids[2], ids[1]]


def test_reading_does_not_wait_for_a_writer(open_store: OpenStore, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'glassbox.db'}"
    store = open_store(url)
    run = store.add_run(store.add_conversation("", "t"))
    store.append(run, [ASKED])
    engine = sql.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sql.text("update runs set alive = 0"))
        assert store.events(run) == [ASKED]
    engine.dispose()


def test_a_connection_in_use_is_closed_when_it_is_given_back(tmp_path: Path) -> None:
    """A thread that still reads or writes as the store is closed, or begins to after that, leaves none open."""
    store = Store(f"sqlite:///{tmp_path / 'glassbox.db'}")
    used: list[Any] = []
    with store.database.begin() as connection:
        used.append(connection.connection.dbapi_connection)
        store.close()
        connection.execute(sql.text("select 1"))
    with store.database.begin() as connection:
        used.append(connection.connection.dbapi_connection)
    for connection in used:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("select 1")


def test_a_full_disk_is_one_sentence(store: Store) -> None:
    full = pytest.raises(StoreFailed, match="the disk of this site is full")
    with full, store.database.begin() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        for number in range(100):
            row = {"id": f"c{number}", "visitor": "v", "title": "t" * 10_000, "created": 0.0, "updated": 0.0}
            connection.execute(sql.insert(CONVERSATIONS), row)


def test_a_store_without_a_table_is_one_sentence(store: Store, tmp_path: Path) -> None:
    run = store.add_run(store.add_conversation("", "t"))
    engine = sql.create_engine(f"sqlite:///{tmp_path / 'data' / 'glassbox.db'}")
    with engine.begin() as connection:
        connection.execute(sql.text("drop table events"))
    engine.dispose()
    with pytest.raises(StoreFailed, match="OperationalError"):
        store.append(run, [ASKED])
    row = store.run(run)
    assert row is not None
    assert row.ended == ""


def test_postgresql_is_told_what_to_do_on_conflict() -> None:
    kept = insert_into(SPENDING, "postgresql").on_conflict_do_nothing()
    assert "ON CONFLICT DO NOTHING" in str(kept.compile(dialect=postgresql.dialect()))


@pytest.mark.parametrize(("told", "seconds"), [("", "10"), ("?connect_timeout=3", "3")])
def test_postgresql_is_waited_for_ten_seconds_or_as_long_as_the_address_says(told: str, seconds: str) -> None:
    engine = open_engine(f"postgres://anna:sesame@localhost/glassbox{told}")
    told_to: dict[str, Any] = {}

    @event.listens_for(engine, "do_connect")
    def refuse(_dialect: object, _record: object, _arguments: object, parameters: dict[str, Any]) -> None:
        told_to.update(parameters)
        raise ConnectionRefusedError

    with pytest.raises(StoreFailed), failing(), engine.connect():
        pass
    assert told_to["connect_timeout"] == seconds


@pytest.mark.parametrize("address", ["postgresql+psycopg", "postgresql", "postgres"])
def test_a_database_without_its_driver_is_one_sentence(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for driver in ("psycopg", "psycopg2"):
        monkeypatch.setitem(sys.modules, driver, None)
    with pytest.raises(BadSettings, match=r"GLASSBOX_DATABASE names a PostgreSQL database.*psycopg") as caught:
        open_engine(f"{address}://anna:sesame@localhost/glassbox")
    assert "sesame" not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "mysql://anna:sesame@host/db",
        "sesame",
        "nosuch://anna:sesame@h/d",
        "postgresql://h:sesame/d",
        "postgresql+x://h",
    ],
)
def test_an_address_that_means_nothing_is_one_sentence(address: str) -> None:
    with pytest.raises(BadSettings, match="GLASSBOX_DATABASE is not an address") as caught:
        open_engine(address)
    assert "sesame" not in str(caught.value)


def test_stop_is_asked_for_in_one_process_and_heard_in_another(open_store: OpenStore) -> None:
    here, there = open_store(), open_store()
    conversation = here.add_conversation("", "t")
    first, second = here.add_run(conversation), here.add_run(conversation)
    assert not here.leases.renew([first, second]).stopping
    there.leases.ask_to_stop(first)
    there.leases.ask_to_stop(first)
    there.leases.ask_to_stop("unknown")
    assert here.leases.renew([first, second]).stopping == {first}
    assert not here.leases.renew([second]).stopping
    assert not here.leases.renew([]).stopping
    here.append(second, [Answered("5")])
    there.leases.ask_to_stop(second)
    assert here.leases.renew([first, second]).stopping == {first}


def test_a_deleted_conversation_is_not_given(store: Store) -> None:
    conversation = store.add_conversation("anna", "t")
    assert Chats(store).delete("anna", conversation)
    assert store.conversation(conversation) is None
    assert Chats(store).conversations("anna") == []


OPENS = "import sys; from agent.store.runs import Store; print(Store(sys.argv[1]).add_conversation('anna', 't'))"


@pytest.mark.slow
def test_processes_that_open_a_new_database_at_once(open_store: OpenStore, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'glassbox.db'}"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", OPENS, url]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(4)]
    made = {process.communicate(timeout=60)[0].strip() for process in running}
    assert {row.id for row in Chats(open_store(url)).conversations("anna")} == made
    assert len(made) == 4


@pytest.mark.slow
def test_threads_that_bring_an_old_database_up_to_date_at_once(tmp_path: Path) -> None:
    path = tmp_path / "glassbox.db"
    for _ in range(5):
        Store(f"sqlite:///{path}").close()
        engine = sql.create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            for lost in ("conversations.pinned", "conversations.deleted", "runs.verdict", "events.kind"):
                connection.execute(sql.text("alter table {} drop column {}".format(*lost.split("."))))
            for table in ("texts", "store_versions"):
                connection.execute(sql.text(f"drop table {table}"))
        engine.dispose()
        with ThreadPoolExecutor(8) as pool:
            stores = list(pool.map(lambda _: Store(f"sqlite:///{path}"), range(8)))
        for store in stores:
            store.add_conversation("anna", "t")
            store.close()


def test_a_closed_store_has_no_file_open(open_store: Callable[..., Store], tmp_path: Path) -> None:
    """Also none that was used again and again, nor one that was in use as it was closed."""
    store = open_store()
    run = store.add_run(store.add_conversation("anna", "a"))
    for number in range(3):
        store.append(run, [Observed("", str(number))])
    with store.database.cursor() as cursor:
        store.close()
        cursor.execute("SELECT 1")
    assert [name for name in map(os.path.realpath, Path("/proc/self/fd").iterdir()) if str(tmp_path) in name] == []


def test_what_failed_in_a_transaction_is_in_none_of_the_next(open_store: Callable[..., Store]) -> None:
    store = open_store()
    run = store.add_run(store.add_conversation("anna", "a"))
    store.append(run, [Asked("q", 1.0)])
    with pytest.raises(ZeroDivisionError), store.database.cursor() as cursor:
        cursor.execute("UPDATE events SET body = 'lost'")
        raise ZeroDivisionError
    store.append(run, [Answered("a")])
    assert store.events(run) == [Asked("q", 1.0), Answered("a")]
