"""A DuckDB file, opened to be read only, on a connection that reaches nothing else."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from agent.data.databases.database_cards import MOST_TABLES, TableCard, card, columns_of, fetched, wanted
from agent.data.refusal import Refused
from agent.data.tables.asking.engine import limited, reading
from agent.data.tables.asking.statements import check, explained
from agent.data.tables.columns import described

_TABLES = """
SELECT table_name, 'table', estimated_size FROM duckdb_tables() WHERE schema_name = 'main' AND NOT internal
UNION ALL SELECT view_name, 'view', -1 FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal ORDER BY 1
"""
_COLUMNS = """
SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal
ORDER BY table_name, column_index
"""
_KEYS = """
SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
FROM duckdb_constraints() WHERE schema_name = 'main' AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
"""


class DuckRoom:
    def __init__(self, connection: duckdb.DuckDBPyConnection, seconds: float) -> None:
        self._connection = connection
        self._seconds = seconds

    def cancel(self) -> None:
        self._connection.interrupt()

    def schema(self, like: str = "") -> dict[str, Any]:
        run = self._connection.execute
        found = [row for row in run(_TABLES).fetchall() if wanted(str(row[0]), like)]
        cards = {str(name): TableCard(str(name), str(kind), int(rows)) for name, kind, rows in found[:MOST_TABLES]}
        for table, column, kind in run(_COLUMNS).fetchall():
            if table in cards:
                cards[table].add(str(column), str(kind))
        for table, kind, columns, other, there in run(_KEYS).fetchall():
            if table in cards and kind == "PRIMARY KEY":
                cards[table].key = list(columns)
            elif table in cards:
                cards[table].links.append((list(columns), str(other), list(there)))
        return card(f"DuckDB {duckdb.__version__}", cards.values(), len(found))

    def query(self, sql: str) -> dict[str, Any]:
        known = columns_of(self.schema())
        check(self._connection, sql, known)
        bare = sql.strip().rstrip(";").rstrip()
        try:
            with limited(self._connection, self._seconds):
                self._connection.execute(sql)
                columns = described(self._connection.description or ())
                got = fetched(columns, self._connection.fetchmany)
                counted = self._connection.execute(f"SELECT count(*) FROM ({bare}\n)").fetchone() if got.more else None
        except duckdb.Error as error:
            raise explained(error, sql, known) from None
        return got.answer(int(counted[0]) if counted else None)


@contextmanager
def opened(path: str, _: Mapping[str, str], seconds: float) -> Generator[DuckRoom]:
    """The file at ``path``; a statement takes at most about ``seconds``."""
    file = Path(path)
    if not file.is_file():
        raise Refused.because("The file of this database is not there.", kind="connect")
    try:
        with reading(file) as connection:
            yield DuckRoom(connection, seconds)
    except duckdb.IOException:
        raise Refused.because(
            "The file of this database cannot be read: it is no DuckDB database, or in use.", kind="connect"
        ) from None
