"""What is tried for a statement that the engine refuses: one repair after the other, then the SQL of other engines.

A statement that runs is never touched: the first attempt is made with it as it was written.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import duckdb

from agent.data.refusal import Refused
from agent.data.tables.asking.complaints import Complaint, StatementRefused
from agent.data.tables.asking.engine import ONLY_READING
from agent.data.tables.asking.repairs import Refusal, Types, repaired, shown
from agent.interface_text import Text

_MOST_REPAIRS = 30
_LONGEST_TRANSLATED = 10_000  # characters
_REPAIRABLE = ("Parser", "Binder", "Catalog", "Conversion")
# In the order in which they are tried: what two of them read differently is read as the first does.
_DIALECTS = {
    "sqlite": "SQLite",
    "postgres": "PostgreSQL",
    "mysql": "MySQL",
    "tsql": "SQL Server",
    "bigquery": "BigQuery",
    "snowflake": "Snowflake",
    "oracle": "Oracle",
}

Given = TypeVar("Given")


@dataclass(frozen=True, slots=True)
class Done(Generic[Given]):
    """``given`` came of ``sql``, which is the statement as written where there are no ``repairs``."""

    given: Given
    sql: str
    repairs: tuple[str, ...] = ()


@dataclass(slots=True)
class Attempts(Generic[Given]):
    """``work`` does what is wanted with a statement in at most so many seconds, or raises ``StatementRefused``."""

    connection: duckdb.DuckDBPyConnection
    types: Types
    work: Callable[[str, float], Given]
    seconds: float

    def made(self, sql: str) -> Done[Given]:
        """What comes of ``sql``, repaired where it must be. Raises the refusal of ``sql`` where that does not help."""
        deadline = time.monotonic() + self.seconds
        try:
            return Done(self.work(sql, self.seconds), sql)
        except StatementRefused as refused:
            first = self._over(refused)
        if first.complaint.kind in _REPAIRABLE:
            furthest = _Stand(sql, first.complaint)
            done = self._repaired(furthest, deadline) or self._translated(furthest, deadline)
            if done:
                return done
        raise first

    def _over(self, refused: StatementRefused) -> StatementRefused:
        """Ends the transaction that a refused statement broke, and begins the next one that only reads."""
        self.connection.rollback()
        self.connection.execute(ONLY_READING)
        return refused

    def _repaired(self, stand: _Stand, deadline: float) -> Done[Given] | None:
        """``stand`` is left at the statement that no repair is known for."""
        for _ in range(_MOST_REPAIRS):
            repair = repaired(Refusal(self.connection, self.types, stand.sql, stand.complaint))
            if repair is None or time.monotonic() >= deadline:
                return None
            stand.sql, stand.notes = repair.sql, (*stand.notes, repair.note)
            try:
                given = self.work(stand.sql, deadline - time.monotonic())
            except StatementRefused as again:
                stand.complaint = self._over(again).complaint
            else:
                return Done(given, shown(stand.sql), tuple(dict.fromkeys(stand.notes)))
        return None

    def _translated(self, stand: _Stand, deadline: float) -> Done[Given] | None:
        for name, sql in translations(stand.sql, stand.complaint):
            note = Text("Read the statement as SQL of {name}, and wrote it in that of DuckDB.", name=name)
            other = _Stand(sql, stand.complaint, (*stand.notes, note))
            try:
                return Done(self.work(sql, max(0.5, deadline - time.monotonic())), shown(sql), other.notes)
            except StatementRefused as again:
                other.complaint = self._over(again).complaint
            except Refused:
                continue
            if done := self._repaired(other, deadline):
                return done
        return None


@dataclass(slots=True)
class _Stand:
    """How far the repairs of a statement have come."""

    sql: str
    complaint: Complaint
    notes: tuple[str, ...] = ()


def translations(sql: str, said: Complaint) -> Iterator[tuple[str, str]]:
    """The statement as other engines would read it, in DuckDB's SQL, with the name of each engine."""
    known = said.kind == "Parser" or said.cause == "NO_MATCHING_FUNCTION" or "Function" in said.message
    if not known or len(sql) > _LONGEST_TRANSLATED:
        return
    try:  # where a worker may open no path at all, this is not there
        from sqlglot import ErrorLevel, transpile
        from sqlglot.errors import SqlglotError
    except (ImportError, OSError):
        return
    tried = {sql}
    for dialect, name in _DIALECTS.items():
        if dialect == "mysql" and "||" in sql:  # which is OR there, and almost nobody means it
            continue
        try:
            read = transpile(sql, read=dialect, write="duckdb", unsupported_level=ErrorLevel.RAISE)
        except (SqlglotError, RecursionError, ValueError):
            continue
        if len(read) == 1 and read[0] not in tried and re.match(r"\s*(select|with|\()", read[0], re.IGNORECASE):
            tried.add(read[0])
            yield name, read[0]
