"""Numbered steps bring a store up to date: in order, each once, whoever opens it, in SQLite and PostgreSQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sql

from agent.errors import StoreFailed
from agent.events import Answered, Asked
from agent.store import database, migrations
from agent.store.chats import Chats
from agent.store.database import open_engine
from agent.store.migrations import MIGRATIONS, Migration
from agent.store.runs import Store
from agent.store.schema import STORE_VERSIONS

OpenStore = Callable[..., Store]


def numbers(store: Store) -> list[int]:
    with store.database.begin() as connection:
        return list(connection.execute(sql.select(STORE_VERSIONS.c.number).order_by(STORE_VERSIONS.c.number)).scalars())


def make_old(database_url: str) -> None:
    """Take from the store what version 0.1 did not have."""
    engine = open_engine(database_url)
    with engine.begin() as connection:
        for statement in ("drop table store_versions", "drop table texts", "alter table events drop column kind"):
            connection.execute(sql.text(statement))
    engine.dispose()


def test_many_open_a_new_store_and_an_old_one_at_once(open_store: OpenStore, new_database_url: str) -> None:
    for _ in range(2):
        with ThreadPoolExecutor(6) as pool:
            stores = list(pool.map(lambda _: open_store(new_database_url), range(6)))
        for store in stores:
            conversation = store.add_conversation("anna", "t")
            store.append(store.add_run(conversation), [Asked("cats", 1.0), Answered("a")])
            assert numbers(store) == list(range(1, len(MIGRATIONS) + 1))
            store.close()
        make_old(new_database_url)
    kept = open_store(new_database_url)
    assert len(Chats(kept).conversations("anna", "cats")) == 12


def test_a_new_file_that_another_one_is_writing_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = sqlite3.connect(tmp_path / "new.db", isolation_level=None)
    other.execute("begin immediate")
    waited: list[float] = []

    def goes_on(seconds: float) -> None:
        waited.append(seconds)
        other.execute("rollback")

    monkeypatch.setattr(database, "sleep", goes_on)
    store = Store(f"sqlite:///{tmp_path}/new.db")
    other.close()
    assert waited and numbers(store) == list(range(1, len(MIGRATIONS) + 1))
    store.close()


def test_a_step_that_fails_leaves_the_store_as_it_was(
    open_store: OpenStore, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(database_url).close()

    def fails(connection: sql.Connection) -> None:
        connection.execute(sql.text("alter table runs add column mood varchar"))
        connection.execute(sql.text("alter table nothing add column mood varchar"))

    good = Migration("a table", lambda connection: connection.execute(sql.text("create table moods (a int)")) and None)
    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, good, Migration("fails", fails)))
    with pytest.raises(StoreFailed):
        open_store(database_url)
    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, good))
    store = open_store(database_url)
    assert numbers(store) == list(range(1, len(MIGRATIONS) + 2))
    with store.database.begin() as connection:
        assert "mood" not in {column["name"] for column in sql.inspect(connection).get_columns("runs")}
