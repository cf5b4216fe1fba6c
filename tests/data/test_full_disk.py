"""A disk that is full is told as that, whatever says so: never as a file or an index that is damaged."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import duckdb
import pytest

from agent.data.refusal import Refused, check_room
from agent.data.tables.loading.load_work import Reporter, write_parquet

FULL = Path("/dev/full")  # where every byte is one too many
NO_ROOM = "There is no room left on this server's disk"


def test_what_each_engine_says_of_a_full_disk() -> None:
    with duckdb.connect() as engine, pytest.raises(Refused, match=NO_ROOM):
        write_parquet(engine, "SELECT * FROM range(1000000)", FULL, Reporter(None), "Writing")
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (a)")
    database.execute("PRAGMA max_page_count = 2")
    with pytest.raises(sqlite3.OperationalError) as of_sqlite:
        database.execute("INSERT INTO t VALUES (zeroblob(1000000))")
    database.close()
    with pytest.raises(OSError, match="No space left") as of_the_system, FULL.open("wb", buffering=0) as file:
        file.write(b"x")
    for error in (of_sqlite.value, of_the_system.value):
        with pytest.raises(Refused, match=NO_ROOM):
            check_room(error)


def test_other_errors_are_not_taken_for_it() -> None:
    with duckdb.connect() as engine, pytest.raises(duckdb.IOException):
        write_parquet(engine, "SELECT 1", Path("/nowhere/x"), Reporter(None), "Writing")
    for error in (FileNotFoundError(2, "No such file"), sqlite3.DatabaseError("damaged"), OSError("errno 28")):
        check_room(error)
