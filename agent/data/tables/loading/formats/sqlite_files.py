"""SQLite files: each table in it. The file may be made to break its reader, so it is opened as tightly as can be."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from agent.data.refusal import Refused
from agent.data.tables.columns import Table
from agent.data.tables.identifiers import quoted
from agent.data.tables.loading.formats.delimited import load_text
from agent.data.tables.loading.load_work import Work, check_columns, size_words
from agent.data.tables.loading.writing import new_file

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 2_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 250_000,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
}
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ}


def load_sqlite(work: Work, path: Path) -> Sequence[Table]:
    """The tables of the file that have rows. Views and virtual tables are left out: they are programs."""
    try:
        with closing(_opened(path)) as connection:
            tables = _tables(work, connection)
    except (sqlite3.Error, OverflowError) as error:
        raise Refused.because(
            "{name} is an SQLite file that cannot be read: {error}.", name=work.name, error=str(error)[:200]
        ) from None
    if not tables:
        raise Refused.because("{name} has no table with rows in it.", name=work.name)
    return tables


def _opened(path: Path) -> sqlite3.Connection:
    # Immutable: no other file beside it is looked for or made.
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    for limit, most in _LIMITS.items():
        connection.setlimit(limit, most)
    for pragma in ("query_only=ON", "trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    connection.text_factory = _text
    connection.set_authorizer(_authorised)
    return connection


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _authorised(action: int, *_: str | None) -> int:
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


def _tables(work: Work, connection: sqlite3.Connection) -> list[Table]:
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    made = [(str(name), str(sql).lstrip().upper()) for name, sql in found]
    names = [name for name, sql in made if not sql.startswith("CREATE VIRTUAL") and not name.startswith("sqlite_")]
    if len(names) > work.limits.tables:
        raise Refused.because(
            "{name} has {count} tables; at most {tables} can be loaded.",
            name=work.name,
            count=len(names),
            tables=work.limits.tables,
            kind="size",
        )
    tables: list[Table] = []
    for name in names:
        if table := _table(work, connection, name):
            tables.append(table)
            work.taken.add(table.name)
    return tables


def _table(work: Work, connection: sqlite3.Connection, name: str) -> Table | None:
    cursor = connection.execute(f"SELECT * FROM {quoted(name)}")
    labels = [str(column[0]) for column in cursor.description]
    check_columns(len(labels), work.limits)
    text = work.folder / new_file(".csv.part")
    try:
        with text.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
            writer.writerow(labels)
            rows = 0
            for row in _rows(cursor):
                writer.writerow(row)
                rows += 1
                if not rows % 10_000 and text.stat().st_size > work.limits.unpacked:
                    raise Refused.because(
                        "{name} has more than {most} as text.",
                        name=name,
                        most=size_words(work.limits.unpacked),
                        kind="size",
                    )
        return load_text(work, text, name, header=True) if rows else None
    finally:
        text.unlink(missing_ok=True)


def _rows(cursor: sqlite3.Cursor) -> Iterator[list[object]]:
    while rows := cursor.fetchmany(1000):
        for row in rows:
            yield [f"({len(cell):,} bytes)" if isinstance(cell, bytes) else cell for cell in row]
