"""Parquet files in the visitor's folder: under a name of their own until they are complete."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from agent.data.loading.progress import Reporter
from agent.data.names import literal

# Row groups of this size are read in parallel, and one of them is held while it is written.
_PARQUET = "FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 122880"


def new_file(ending: str = ".parquet") -> str:
    """A file name that nobody can guess."""
    return f"{secrets.token_hex(12)}{ending}"


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """The path to write to instead of ``path``: renamed to it when the block ends well, gone when it does not."""
    part = path.with_name(f"{path.name}.part")
    try:
        yield part
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_parquet(connection: duckdb.DuckDBPyConnection, query: str, part: Path, reporter: Reporter, stage: str) -> int:
    """Write what ``query`` (SQL of our own) gives to ``part``; the number of rows."""
    with reporter.watching(stage, connection, part):
        row = connection.execute(f"COPY ({query}) TO {literal(str(part))} ({_PARQUET}, USE_TMP_FILE false)").fetchone()
    return int(row[0]) if row else 0
