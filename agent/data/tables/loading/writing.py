"""Parquet files in the visitor's folder: under a name of their own until they are complete."""

from __future__ import annotations

import secrets
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from agent.data.tables.identifiers import literal
from agent.data.tables.loading.progress import Reporter

# Not compressed: the encodings of v2 make a CSV a quarter of its size, and a question takes two thirds of the time.
# One row group is held in memory while it is written, and each is read by a thread.
_ROWS_OF_GROUP = ((30, 491_520), (300, 122_880), (2_000, 20_480))
_PARQUET = "FORMAT parquet, PARQUET_VERSION v2, COMPRESSION uncompressed, USE_TMP_FILE false"


def new_file(ending: str = ".parquet") -> str:
    """A file name that nobody can guess."""
    return f"{secrets.token_hex(12)}{ending}"


@contextmanager
def unfinished(path: Path) -> Generator[Path]:
    """The path to write to instead of ``path``: renamed to it when the block ends well, gone when it does not."""
    part = path.with_name(f"{path.name}.part")
    try:
        yield part
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_parquet(
    connection: duckdb.DuckDBPyConnection, query: str, part: Path, reporter: Reporter, stage: str, columns: int = 300
) -> int:
    """Write what ``query`` (SQL of our own) gives, of so many ``columns``, to ``part``; the number of rows."""
    group = next((rows for most, rows in _ROWS_OF_GROUP if columns <= most), 20_480)
    copy = f"COPY ({query}) TO {literal(str(part))} ({_PARQUET}, ROW_GROUP_SIZE {group})"
    with reporter.watching(stage, connection, part):
        row = connection.execute(copy).fetchone()
    return int(row[0]) if row else 0
