"""Connections to DuckDB that can do one thing each, and nothing with any other file, network or setting.

Every connection is in memory, installs and loads no extension, keeps no secret, and sees only the paths it was opened
for. ``lock_configuration`` makes that final: what runs on the connection afterwards cannot widen it.
"""

from __future__ import annotations

import atexit
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from threading import Timer
from typing import Any

import duckdb

from agent.data.refusal import Refused
from agent.data.tables.asking.complaints import ONLY_VALUE, SEVERAL
from agent.data.tables.identifiers import literal, quoted

THREADS = 2
ONLY_READING = "BEGIN TRANSACTION READ ONLY"
_CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "threads": THREADS,
    "temp_directory": "",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_unsigned_extensions": False,
    "allow_extension_repositories": "forbidden",
    "allow_persistent_secrets": False,
    "secret_directory": "/nonexistent",
    "home_directory": "/nonexistent",
    "extension_directories": [],
    "python_enable_replacements": False,
    "max_expression_depth": 250,
    "enable_external_file_cache": False,
}
# A repair puts it around a column beside aggregates: a group in which it has several values is no answer.
_ONLY_VALUE = (
    f"CREATE MACRO {ONLY_VALUE}(x) AS CASE WHEN min(x) IS DISTINCT FROM max(x) OR count(x) NOT IN (0, count(*)) "
    f"THEN error('{SEVERAL}') ELSE any_value(x) END"
)
_MEMORY_TO_ASK = "256MB"


@contextmanager
def importing(folder: Path, memory: int) -> Generator[duckdb.DuckDBPyConnection]:
    """A connection that reads and writes in ``folder``, and nowhere else. For our own statements only.

    It takes so many bytes of ``memory``, and raises ``duckdb.OutOfMemoryException`` beyond them. What is attached to it
    is to be detached; where the block raises, nothing of the connection is kept.
    """
    with ExitStack() as unless_done:
        unless_done.callback(_writing.cache_clear)
        with _writing(folder.resolve(), memory).cursor() as connection:
            yield connection
        unless_done.pop_all()


@lru_cache(maxsize=1)
def _writing(folder: Path, memory: int) -> duckdb.DuckDBPyConnection:
    """Kept for the next sheet of a file, and for the look at what came of it: see ``_locked``."""
    atexit.unregister(_writing.cache_clear)
    atexit.register(_writing.cache_clear)
    connection = duckdb.connect(":memory:", config={**_CLOSED, "memory_limit": f"{memory}B"})
    connection.execute(f"SET allowed_directories=[{literal(str(folder))}]")
    connection.execute("SET enable_external_access=false")
    connection.execute("SET GLOBAL TimeZone='UTC'; SET lock_configuration=true")
    return connection


@contextmanager
def asking(tables: Mapping[str, Path]) -> Generator[duckdb.DuckDBPyConnection]:
    """A connection for anybody's questions: the tables by name, as views over their Parquet files; only these files.

    Names must be safe (see ``tables.identifiers``). Nothing is read before it is asked for. The views are in place
    before the lock; a transaction that is read only, and the check of ``statements``, are the caller's.
    """
    paths = tuple((name, str(path.resolve())) for name, path in tables.items())
    with _locked(paths).cursor() as connection:
        yield connection


@contextmanager
def reading(database: Path) -> Generator[duckdb.DuckDBPyConnection]:
    """A connection to a DuckDB file that only reads it, for anybody's questions, checked as for ``asking``."""
    with duckdb.connect(
        str(database), read_only=True, config={**_CLOSED, "memory_limit": _MEMORY_TO_ASK}
    ) as connection:
        connection.execute("SET enable_external_access=false")
        connection.execute("SET GLOBAL TimeZone='UTC'; SET lock_configuration=true")
        connection.execute(ONLY_READING)
        yield connection


@lru_cache(maxsize=1)
def _locked(tables: tuple[tuple[str, str], ...]) -> duckdb.DuckDBPyConnection:
    """Kept for the next question to the same tables, because it takes 25 ms to open: nothing that may run changes it.

    Each question has a cursor, which is a connection of its own to what was locked here.
    """
    # The binding complains of what is still open when Python ends.
    atexit.unregister(_locked.cache_clear)
    atexit.register(_locked.cache_clear)
    told = {"memory_limit": _MEMORY_TO_ASK, "errors_as_json": True}
    connection = duckdb.connect(":memory:", config={**_CLOSED, **told})
    allowed = ", ".join(literal(path) for _, path in tables)
    connection.execute(f"SET allowed_paths=[{allowed}]; SET enable_external_access=false")
    for name, path in tables:
        connection.execute(f"CREATE VIEW {quoted(name)} AS SELECT * FROM read_parquet({literal(path)})")
    connection.execute(_ONLY_VALUE)
    connection.execute("SET GLOBAL TimeZone='UTC'; SET lock_configuration=true")
    return connection


@contextmanager
def limited(connection: duckdb.DuckDBPyConnection, seconds: float) -> Generator[None]:
    """Interrupts what runs in the block after ``seconds``, as ``Refused`` (kind ``time``).

    A single call of a function that does not listen goes on: the process around it has a limit of its own.
    """
    timer = Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    except duckdb.InterruptException:
        raise Refused.because(
            "This took longer than {seconds} seconds and was stopped. Ask for less.",
            kind="time",
            seconds=f"{seconds:.0f}" if seconds >= 1 else f"{seconds:.1g}",
        ) from None
    except duckdb.OutOfMemoryException:
        raise Refused.because(
            "This needs more memory than one question may take. Ask for less at once.", kind="memory"
        ) from None
    finally:
        timer.cancel()


def fetch_one(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[Any, ...]:
    """The one row of a statement that has exactly one."""
    row = connection.execute(sql).fetchone()
    assert row is not None
    return row
