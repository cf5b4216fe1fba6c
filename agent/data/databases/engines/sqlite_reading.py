"""SQLite, opened to be read only: by the file's mode, by ``query_only``, and by a list of what a statement may do."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from agent.data.databases.database_cards import MOST_TABLES, Row, TableCard, card, columns_of, fetched, wanted
from agent.data.databases.select_rules import one_statement
from agent.data.refusal import Refused
from agent.data.tables.asking.suggestions import missing_column, missing_table

_LIMITS = {
    "LENGTH": 2_000_000,
    "SQL_LENGTH": 100_000,
    "EXPR_DEPTH": 100,
    "COMPOUND_SELECT": 50,
    "VDBE_OP": 250_000,
    "ATTACHED": 0,
    "LIKE_PATTERN_LENGTH": 1_000,
    "FUNCTION_ARG": 50,
    "TRIGGER_DEPTH": 1,
    "COLUMN": 2_000,
}
_PRAGMAS = ("query_only=ON", "trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "temp_store=MEMORY")
_ACTIONS = frozenset({
    sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE, sqlite3.SQLITE_FUNCTION,
})  # fmt: skip
_REFUSED = frozenset({
    "load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "randomblob", "zeroblob", "lsmode",
    "sqlite_dbpage",
})  # fmt: skip
_STEPS = 10_000  # of the engine's, between looks at the clock
_COUNTED = 20_000_000  # bytes; of a smaller file the rows of each table are counted


class SQLiteRoom:
    def __init__(self, connection: sqlite3.Connection, size: int, seconds: float) -> None:
        self._connection = connection
        self._size = size
        self._deadline = time.monotonic() + seconds
        connection.set_progress_handler(lambda: time.monotonic() > self._deadline, _STEPS)

    def cancel(self) -> None:
        self._connection.interrupt()

    def schema(self, like: str = "") -> dict[str, Any]:
        found = self._connection.execute(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite^_%' "
            "ESCAPE '^' ORDER BY name"
        ).fetchall()
        chosen = [(str(name), str(kind)) for name, kind in found if wanted(str(name), like)]
        tables = [self._table(name, kind) for name, kind in chosen[:MOST_TABLES]]
        return card(f"SQLite {sqlite3.sqlite_version}", tables, len(chosen))

    def _table(self, name: str, kind: str) -> TableCard:
        made = TableCard(name, kind)
        named = '"' + name.replace('"', '""') + '"'
        try:
            keys: list[tuple[int, str]] = []
            for _, column, of, _, _, key in self._connection.execute(f"PRAGMA table_info({named})"):
                made.add(str(column), str(of or "any"))
                if key:
                    keys.append((int(key), str(column)))
            made.key = [column for _, column in sorted(keys)]
            for link in self._connection.execute(f"PRAGMA foreign_key_list({named})"):
                made.links.append(([str(link[3])], str(link[2]), [str(link[4] or "")]))
            if kind == "table" and self._size < _COUNTED:
                made.rows = int(self._connection.execute(f"SELECT count(*) FROM {named}").fetchone()[0])
        except sqlite3.DatabaseError:
            pass  # a view over what is gone, a table of a module that is not there: the rest can be used
        return made

    def query(self, sql: str) -> dict[str, Any]:
        bare, _ = one_statement(sql, "sqlite")
        known = columns_of(self.schema())
        self._connection.set_authorizer(_authorize)
        try:
            cursor = self._connection.execute(bare)
            got = fetched([(str(column[0]), "") for column in cursor.description or ()], cursor.fetchmany)
            got = replace(
                got, columns=tuple(_typed(name, place, got.rows) for place, (name, _) in enumerate(got.columns))
            )
            total = self._count(bare) if got.more else None
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise _explained(error, bare, known) from None
        return got.answer(total)

    def _count(self, bare: str) -> int | None:
        try:
            return int(self._connection.execute(f"SELECT count(*) FROM ({bare}\n)").fetchone()[0])
        except sqlite3.Error:
            return None


@contextmanager
def opened(path: str, _: Mapping[str, str], seconds: float) -> Generator[SQLiteRoom]:
    """The file at ``path``; all that is done with it takes at most about ``seconds``."""
    file = Path(path)
    if not file.is_file():
        raise Refused.because("The file of this database is not there.", kind="connect")
    try:
        address = f"file:{quote(str(file.resolve()))}?mode=ro"
        connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
        for name, most in _LIMITS.items():
            connection.setlimit(getattr(sqlite3, f"SQLITE_LIMIT_{name}"), most)
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        raise Refused.because(
            "The file of this database cannot be read: it is no SQLite database, or locked.", kind="connect"
        ) from None
    connection.text_factory = _text
    try:
        yield SQLiteRoom(connection, file.stat().st_size, seconds)
    except sqlite3.Error as error:
        raise Refused.because(
            "The database cannot be asked just now ({name}).", kind="connect", name=type(error).__name__
        ) from None
    finally:
        connection.close()


def _typed(name: str, place: int, rows: Sequence[Row]) -> tuple[str, str]:
    """A column with the type that its first value has: SQLite's columns have none of their own."""
    first: object = next((row[place] for row in rows if row[place] is not None), None)
    named = {"int": "INTEGER", "float": "REAL", "str": "TEXT"}
    return name, named.get(type(first).__name__, "any")


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _authorize(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    if action not in _ACTIONS or (action == sqlite3.SQLITE_FUNCTION and str(second).lower() in _REFUSED):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _explained(error: Exception, sql: str, known: dict[str, list[str]]) -> Refused:
    said = str(error)
    if said == "interrupted":
        return Refused("This took too long and was stopped. Ask for less.", "time")
    if said.startswith("no such table: "):
        return Refused(missing_table(said[15:].removeprefix("main."), known, "this database is empty"), "name")
    if said.startswith("no such column: "):
        return Refused(missing_column(said[16:].rsplit(".", 1)[-1], sql, known), "name")
    if "authoriz" in said or "prohibited" in said or "readonly" in said:
        return Refused("Only reading is allowed here: that statement would do more.", "sql")
    return Refused(f"The statement cannot be run: {said[:300]}.", "sql")
