"""A backup is restored into a store that nobody is at work on: real processes of the site, and the real command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sql
from sqlalchemy import event

from agent.application.backup.restoration import restore_backup
from agent.application.backup.snapshot import make_backup
from agent.application.site.roll_call import SILENT_SECONDS
from agent.errors import BadRequest
from agent.settings import read_settings
from agent.store.chats import Chats
from agent.store.leases import Presence
from agent.store.runs import Store
from agent.store.schema import CONVERSATIONS, PROCESSES
from tests.support.servers.app_server import ROOT, AppServer
from tests.support.servers.postgres_server import PostgresServer
from tests.support.servers.proxy_server import get

pytestmark = pytest.mark.system


@pytest.fixture
def backup(tmp_path: Path, open_store: Callable[..., Store]) -> Path:
    """Of a site with one chat."""
    (tmp_path / "first").mkdir()
    settings = read_settings({"GLASSBOX_DATA": str(tmp_path / "first")})
    store = open_store(settings.database)
    store.add_conversation("v", "Restored")
    store.close()
    make_backup(settings, tmp_path / "backup")
    return tmp_path / "backup"


def program(*words: str | Path, **settings: str) -> subprocess.Popen[str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("GLASSBOX_", "OPENAI_"))}
    command = [sys.executable, "-m", "agent", *map(str, words)]
    return subprocess.Popen(
        command, cwd=ROOT, env=ours | settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def restored(*words: str | Path, **settings: str) -> tuple[int, str]:
    """The exit status of the command, and what it says."""
    process = program("restore", *words, **settings)
    out, err = process.communicate()
    return process.returncode, out + err


def test_a_running_app_is_not_restored_under(tmp_path: Path, backup: Path) -> None:
    (tmp_path / "site").mkdir()
    with AppServer(tmp_path / "site") as app:
        data = str(app.folder / "data")
        assert get(app.port, "/glassbox-ready") == 200  # which opens the store
        for words in ((backup,), (backup, "--replace")):
            status, said = restored(*words, GLASSBOX_DATA=data)
            assert status == 2 and "Nothing was restored: the site is at work on this store (web on " in said
            assert "Stop its web processes and workers, then try again." in said
        app.pause()  # however long it is silent
        assert restored(backup, GLASSBOX_DATA=data)[0] == 2
        app.kill()
        status, said = restored(backup, GLASSBOX_DATA=data)
        assert (status, said) == (0, f"Restored from {backup}: 1 chat, 0 runs, 0 files.\n")
        app.start()
        assert get(app.port, "/glassbox-ready") == 200


@contextmanager
def worker(**settings: str) -> Iterator[subprocess.Popen[str]]:
    process = program("worker", **settings)
    assert process.stderr and "Worker ready" in process.stderr.readline()
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_worker_on_another_machine_is_not_restored_under(
    tmp_path: Path, backup: Path, postgres: PostgresServer, open_store: Callable[..., Store]
) -> None:
    """What it has on its disk is not seen here."""
    postgres.run(f"CREATE DATABASE restoring_{os.getpid()}")
    there = {"GLASSBOX_DATABASE": postgres.url(database=f"restoring_{os.getpid()}")}
    queue = {"GLASSBOX_WORKERS": "queue", "GLASSBOX_DATA": str(tmp_path / "elsewhere")}
    here: Mapping[str, str] = {"GLASSBOX_DATA": str(tmp_path / "here"), **there}
    with worker(**there, **queue) as one:
        status, said = restored(backup, **here)
        assert status == 2 and "(worker on " in said and f"counts for {SILENT_SECONDS:.0f} seconds." in said
        one.terminate()
        one.communicate()
        # It has said that it ends.
        assert restored(backup, **here) == (0, f"Restored from {backup}: 1 chat, 0 runs, 0 files.\n")
    with worker(**there, **queue) as one:
        one.kill()
        one.communicate()
        assert restored(backup, "--replace", **here)[0] == 2
        store = open_store(there["GLASSBOX_DATABASE"])
        store.database.change(sql.update(PROCESSES).values(alive=PROCESSES.c.alive - SILENT_SECONDS))
        store.close()
        assert restored(backup, "--replace", **here)[0] == 0


def test_who_starts_meanwhile_is_not_restored_under_either(
    tmp_path: Path, backup: Path, open_store: Callable[..., Store]
) -> None:
    settings = read_settings({"GLASSBOX_DATA": str(tmp_path / "site")})
    started: list[Presence] = []

    def start(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith(f"INSERT INTO {CONVERSATIONS.name}") and not started:
            started.append(Presence(settings.data / "processes"))

    event.listen(sql.Engine, "before_cursor_execute", start)
    try:
        with pytest.raises(BadRequest, match=r"at work on this store \(one on this machine\)"):
            restore_backup(settings, backup)
    finally:
        event.remove(sql.Engine, "before_cursor_execute", start)
    (one,) = started
    one.close()
    store = open_store(settings.database)
    assert Chats(store).conversations("v") == [], "nothing of it stays"
    store.close()
    restore_backup(settings, backup)
    assert [row.title for row in Chats(open_store(settings.database)).conversations("v")] == ["Restored"]
