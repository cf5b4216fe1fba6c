"""Questions in SQL: the statement is checked, run on a connection that is locked, and its result is cut to size."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from agent.data.refusal import Refused, check_room
from agent.data.tables.asking.attempts import Attempts, Done
from agent.data.tables.asking.engine import ONLY_READING, asking, fetch_one, limited
from agent.data.tables.asking.statements import check, explained
from agent.data.tables.cells import bounded, rows_text, spreadsheet_cell
from agent.data.tables.columns import described
from agent.data.tables.identifiers import quoted

Given = TypeVar("Given")
SECONDS = 20.0
_TO_PAGE = 5_000  # rows
_PAGE_CHARACTERS = 3_000_000
_EXPORTED = 2_000_000  # rows
_EXPORTED_BYTES = 512 * 1024 * 1024
_BLOCK = 5_000  # rows


@dataclass(frozen=True, slots=True)
class Result:
    """``rows`` are the first of ``total``; ``text`` is what the model is shown of them.

    ``sql`` is the statement that gave them: the one that was asked, where there are no ``repairs``.
    """

    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Any, ...], ...]
    total: int
    text: str
    seconds: float
    sql: str = ""
    repairs: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        """The table as an artifact: ``columns`` with name and type, ``rows`` of JSON values, ``total``."""
        columns = [{"name": name, "type": type_name} for name, type_name in self.columns]
        return {
            "columns": columns,
            "rows": bounded(self.rows, len(self.rows), _PAGE_CHARACTERS)[0],
            "total": self.total,
        }


@dataclass(frozen=True, slots=True)
class Opened:
    """A locked connection over tables, in a transaction that only reads. ``columns`` are those of each table,
    by name, with their types."""

    connection: duckdb.DuckDBPyConnection
    columns: Mapping[str, Mapping[str, str]]

    def run(self, sql: str, seconds: float = SECONDS) -> duckdb.DuckDBPyConnection:
        """Check and run; the connection, to fetch from. Raises ``Refused`` for what is not allowed or goes wrong."""
        check(self.connection, sql, self.columns)
        return self.run_own(sql, sql, seconds)

    def run_own(self, sql: str, asked: str, seconds: float = SECONDS) -> duckdb.DuckDBPyConnection:
        """Run SQL of our own around what was ``asked``, which was checked."""
        with limited(self.connection, seconds), _explaining(asked, self.columns, sql):
            return self.connection.execute(sql)

    def answered(self, sql: str, seconds: float, work: Callable[[str, float], Given]) -> Done[Given]:
        """What ``work`` gives for ``sql``, or for what a statement that is refused is repaired to."""
        return Attempts(self.connection, self.columns, work, seconds).made(sql)


@contextmanager
def opened(tables: Mapping[str, Path]) -> Generator[Opened]:
    """The tables by name, each a Parquet file, ready to be asked."""
    with readable(), asking(tables) as connection:
        columns = {name: dict(described(connection.execute(f"DESCRIBE {quoted(name)}").fetchall())) for name in tables}
        connection.execute(ONLY_READING)
        yield Opened(connection, columns)


@contextmanager
def readable() -> Generator[None]:
    """Raises ``Refused`` where the block cannot read the file of a table."""
    try:
        yield
    except (duckdb.IOException, duckdb.PermissionException) as error:
        check_room(error)
        raise Refused("A table cannot be read: its file is gone or damaged. Load it again.", "file") from None


@contextmanager
def _explaining(sql: str, columns: Mapping[str, Collection[str]], run: str = "") -> Generator[None]:
    try:
        yield
    except (duckdb.InterruptException, duckdb.OutOfMemoryException):
        raise
    except duckdb.Error as error:
        raise explained(error, sql, columns, run) from None


def query(tables: Mapping[str, Path], sql: str, seconds: float = SECONDS) -> Result:
    """What ``sql`` gives over ``tables``: at most 5,000 rows, and how many there are.

    Raises ``Refused``, as every function here. All of it together takes at most about ``seconds``.
    """
    started = time.monotonic()
    with opened(tables) as room:
        done = room.answered(sql, seconds, lambda statement, left: _fetched(room, statement, left))
    columns, fetched, total = done.given
    kept = tuple(fetched[:_TO_PAGE])
    text = rows_text(columns, kept, total)
    return Result(columns, kept, total, text, time.monotonic() - started, done.sql, done.repairs)


def _fetched(
    room: Opened, sql: str, seconds: float
) -> tuple[tuple[tuple[str, str], ...], Sequence[tuple[Any, ...]], int]:
    """Columns, one row more than are kept where there are more, and how many there are."""
    started = time.monotonic()
    room.run(sql, seconds)
    with limited(room.connection, seconds), _explaining(sql, room.columns):
        columns = tuple(described(room.connection.description or ()))
        fetched = room.connection.fetchmany(_TO_PAGE + 1)
    total = len(fetched)
    if total > _TO_PAGE:
        left = max(0.5, seconds - (time.monotonic() - started))
        (total,) = room.run_own(f"SELECT count(*) FROM ({bare(sql)}\n)", sql, left).fetchone() or (total,)
    return columns, fetched, total


def bare(sql: str) -> str:
    """One statement as it can stand in brackets: without comments around it and semicolons behind."""
    text = sql.encode("utf-8", "replace").decode()
    whole, words, ends = text.encode(), list[int](), [len(text.encode())]
    for start, kind in duckdb.tokenize(text):  # in bytes
        (ends if kind == duckdb.token_type.comment else words).append(start)
    while words and whole[words[-1] : words[-1] + 1] == b";":
        ends.append(words.pop())
    return whole[words[0] : min(end for end in ends if end > words[-1])].decode().strip() if words else ""


def export_csv(
    tables: Mapping[str, Path], sql: str, target: Path, seconds: float = 60.0, more: str = ""
) -> dict[str, Any]:
    """The result as CSV that a spreadsheet can open without harm: ``rows``, ``bytes``, whether it is ``cut``.

    One that is cut ends with ``more``: it stands alone in the last line.
    """
    with opened(tables) as room:
        return room.answered(sql, seconds, lambda statement, left: _exported(room, statement, target, left, more)).given


def _exported(room: Opened, sql: str, target: Path, seconds: float, more: str) -> dict[str, Any]:
    rows = 0
    cut = False
    deadline = time.monotonic() + seconds
    with target.open("w", encoding="utf-8-sig", newline="") as file:
        room.run(sql, seconds)
        writer = csv.writer(file)
        writer.writerow([spreadsheet_cell(str(column[0])) for column in room.connection.description or ()])
        with limited(room.connection, seconds), _explaining(sql, room.columns):
            while block := room.connection.fetchmany(_BLOCK):
                full = rows >= _EXPORTED or file.tell() > _EXPORTED_BYTES
                cut = full or (rows > 0 and time.monotonic() > deadline)
                if cut:
                    writer.writerows([[more]] if more else [])
                    break
                writer.writerows([spreadsheet_cell(cell) for cell in row] for row in block)
                rows += len(block)
    return {"rows": rows, "bytes": target.stat().st_size, "cut": cut}


def preview(table: Path, offset: int, limit: int, order: str = "", descending: bool = False) -> dict[str, Any]:
    """A page of a table: ``columns``, ``rows``, ``total``; as the file has them, or ordered by a column."""
    with opened({"t": table}) as room:
        columns = described(room.connection.execute("DESCRIBE t").fetchall())
        if order and order not in {name for name, _ in columns}:
            raise Refused(f"There is no column “{order[:80]}”.", "name")
        by = f" ORDER BY {quoted(order)}{' DESC' if descending else ''} NULLS LAST" if order else ""
        sql = f"SELECT * FROM t{by} LIMIT {min(1_000, max(1, limit))} OFFSET {max(0, offset)}"
        rows = room.run_own(sql, sql).fetchall()
        (total,) = fetch_one(room.connection, "SELECT count(*) FROM t")
    return Result(tuple(columns), tuple(rows), total, "", 0.0).json()
