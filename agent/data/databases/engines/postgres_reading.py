"""PostgreSQL: one statement, behind a cursor that takes nothing but a SELECT, in a transaction that only reads."""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.types.string import TextLoader

from agent.data.databases.database_cards import MOST_TABLES, TableCard, card, columns_of, fetched
from agent.data.databases.select_rules import NAMES, Token, after_dots, called, names, one_statement
from agent.data.refusal import Refused
from agent.data.tables.asking.suggestions import missing_column, missing_table
from agent.interface_text import Text

_MILLISECONDS_TO_COUNT = 3_000
_AS_TEXT = ("date", "time", "timetz", "timestamp", "timestamptz", "interval", "json", "jsonb")
_SETTINGS = {
    "default_transaction_read_only": "on",
    "standard_conforming_strings": "on",
    "lock_timeout": "2000",
    "idle_in_transaction_session_timeout": "60000",
    "client_connection_check_interval": "500",
    "max_parallel_workers_per_gather": "2",
}
# Everybody's rights to read, and to nothing else: a superuser becomes this before a statement of others runs.
_READER = "pg_read_all_data"
_ROLE = """
SELECT rolsuper, current_setting('server_version_num')::int >= 140000,
  (SELECT array_agg(g.rolname::text) FROM pg_catalog.pg_roles g WHERE g.rolname IN
    ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
    AND pg_catalog.pg_has_role(r.oid, g.oid, 'member'))
FROM pg_catalog.pg_roles r WHERE rolname = current_user
"""
_TABLES = """
SELECT c.oid, n.nspname, c.relname, c.relkind::text, c.reltuples::bigint, pg_catalog.pg_table_is_visible(c.oid),
  count(*) OVER ()
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
  AND pg_catalog.has_table_privilege(c.oid, 'SELECT')
  AND pg_catalog.strpos(pg_catalog.lower(n.nspname || '.' || c.relname), pg_catalog.lower(%s)) > 0
ORDER BY n.nspname, c.relname LIMIT %s
"""
_COLUMNS = """
SELECT attrelid, attname, pg_catalog.format_type(atttypid, atttypmod)
FROM pg_catalog.pg_attribute WHERE attrelid = ANY (%s) AND attnum > 0 AND NOT attisdropped ORDER BY attrelid, attnum
"""
_KEYS = """
SELECT k.conrelid, k.contype::text, k.confrelid,
  ARRAY(SELECT a.attname::text FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY u(n, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n ORDER BY place),
  ARRAY(SELECT a.attname::text FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY u(n, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n ORDER BY place)
FROM pg_catalog.pg_constraint k WHERE k.contype IN ('p', 'f') AND k.conrelid = ANY (%s)
"""
_KINDS = {"v": "view", "m": "materialized view", "f": "foreign table"}
_REASONS = (
    ('password authentication failed|no password supplied|role "', Text("User name or password are not accepted.")),
    ("does not exist", Text("There is no database of that name on the server.")),
    (
        "no pg_hba.conf entry|ssl",
        Text("The server does not accept this kind of connection. Try ?sslmode=require in the URL, or without."),
    ),
    ("too many|remaining connection slots", Text("The server has no connection free just now. Try again later.")),
    (
        "timeout|timed out",
        Text("The server did not answer in time. Check address and port, and whether it may be reached."),
    ),
    ("refused", Text("Nothing answers at that address and port. Check them, and whether the server runs.")),
    ("could not translate|not known|resolve", Text("No server of that name was found. Check the address.")),
)
# The functions of these names that have effects: called as f(x), or as x.f where they take a whole row.
LOOK_UP = """
SELECT DISTINCT p.proname FROM pg_catalog.pg_proc p
WHERE p.provolatile = 'v' AND p.proname <> ALL (%(harmless)s) AND (
  pg_catalog.lower(p.proname) = ANY (%(called)s)
  OR (pg_catalog.lower(p.proname) = ANY (%(dotted)s) AND p.pronargs = 1 AND EXISTS (
    SELECT 1 FROM pg_catalog.pg_type t WHERE t.oid = p.proargtypes[0] AND t.typtype IN ('c', 'p'))))
LIMIT 5
"""


class PostgresRoom:
    def __init__(self, connection: psycopg.Connection[Any], seconds: float) -> None:
        self._connection = connection
        self._deadline = time.monotonic() + seconds
        self._superuser = self._check_role()

    def cancel(self) -> None:
        self._connection.cancel_safe(timeout=0.4)

    def schema(self, like: str = "") -> dict[str, Any]:
        with self._reading():
            return self._schema(like)

    def _schema(self, like: str = "") -> dict[str, Any]:
        run = self._connection.execute
        found = run(_TABLES, (like, MOST_TABLES)).fetchall()
        cards: dict[int, TableCard] = {}
        for oid, schema, name, kind, rows, visible, _ in found:
            full = _written(name) if visible else f"{_written(schema)}.{_written(name)}"
            cards[oid] = TableCard(full, _KINDS.get(kind, "table"), int(rows) if kind in "rmp" else -1)
        for table, column, of in run(_COLUMNS, (list(cards),)):
            cards[table].add(_written(column), of)
        for table, kind, other, columns, there in run(_KEYS, (list(cards),)):
            if kind == "p":
                cards[table].key = list(columns)
            elif other in cards:
                cards[table].links.append((list(columns), cards[other].name, list(there)))
        version = str(self._connection.info.server_version // 10_000)
        return card(f"PostgreSQL {version}", cards.values(), int(found[0][-1]) if found else 0)

    def query(self, sql: str) -> dict[str, Any]:
        bare, tokens = one_statement(sql, "postgresql")
        asked = check_names(tokens)
        try:
            with self._reading():
                for (name,) in self._connection.execute(LOOK_UP, asked).fetchall():
                    raise acting(name)
                return self._query(bare)
        except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn) as error:
            with self._reading():
                raise _missing(error, bare, columns_of(self._schema())) from None
        except psycopg.Error as error:
            raise _explained(error) from None

    def _query(self, bare: str) -> dict[str, Any]:
        run = self._connection.execute
        # Prepared, it cannot be more than one; as a cursor, it cannot be anything but a SELECT that changes nothing.
        run(f"DECLARE asked NO SCROLL CURSOR FOR {bare}\n".encode(), prepare=True)
        cursor = run("FETCH FORWARD 0 FROM asked")
        columns = [(column.name, column.type_display) for column in cursor.description or ()]
        seen = 0

        def fetch(most: int) -> list[Any]:
            nonlocal seen
            rows = run(f"FETCH FORWARD {most} FROM asked".encode()).fetchall()
            seen += len(rows)
            return rows

        got = fetched(columns, fetch)
        return got.answer(self._count(seen) if got.more else None)

    def _count(self, seen: int) -> int | None:
        """How many rows there are in all, if the server can count the rest soon."""
        try:
            self._connection.execute(f"SET LOCAL statement_timeout = {_MILLISECONDS_TO_COUNT}".encode())
            return seen + self._connection.execute("MOVE FORWARD ALL IN asked").rowcount
        except psycopg.Error:
            return None

    @contextmanager
    def _reading(self) -> Generator[None]:
        """A transaction that only reads, as nobody's superuser, undone at its end."""
        run = self._connection.execute
        run("BEGIN TRANSACTION READ ONLY")
        try:
            left = max(100, int((self._deadline - time.monotonic()) * 1000))
            run("SELECT pg_catalog.set_config('statement_timeout', %s, true)", (str(left),))
            if self._superuser:
                run(f"SET LOCAL ROLE {_READER}")
            yield
        finally:
            if not self._connection.closed:
                run("ROLLBACK")

    def _check_role(self) -> bool:
        """Whether the role is a superuser; raises ``Refused`` for one that cannot be kept from the server's files."""
        row = self._connection.execute(_ROLE).fetchone()
        superuser, can_change, rights = row or (True, False, None)
        if (superuser and not can_change) or (rights and not superuser):
            raise Refused.because(
                "This user of the database may open files or run programs on its server. Connect as a "
                "user who may only read tables.",
                kind="connect",
            )
        return bool(superuser)


@contextmanager
def opened(_: str, parameters: Mapping[str, str], seconds: float) -> Generator[PostgresRoom]:
    """The database that libpq finds with these ``parameters``."""
    given: dict[str, Any] = {**parameters, "client_encoding": "utf-8"}
    try:
        connection = psycopg.connect("", autocommit=True, prepare_threshold=None, **given)
    except psycopg.Error as error:
        raise _unreachable(error) from None
    try:
        for name in _AS_TEXT:
            connection.adapters.register_loader(name, TextLoader)
        _set(connection)
        yield PostgresRoom(connection, seconds)
    except psycopg.Error as error:
        raise _explained(error) from None
    finally:
        connection.close()


def _set(connection: psycopg.Connection[Any]) -> None:
    known = "SELECT name FROM pg_catalog.pg_settings WHERE name = ANY (%s)"
    for (name,) in connection.execute(known, (list(_SETTINGS),)).fetchall():
        connection.execute("SELECT pg_catalog.set_config(%s, %s, false)", (name, _SETTINGS[name]))


def _written(name: str) -> str:
    """A name as it is written in SQL: in quotation marks where it needs them."""
    return name if re.fullmatch(r"[a-z_][a-z0-9_]*", name) else '"' + name.replace('"', '""') + '"'


def _missing(error: psycopg.Error, sql: str, known: Mapping[str, Sequence[str]]) -> Refused:
    found = re.search(r'(?:relation|column) "?([^"]+?)"? (?:of|does)', error.diag.message_primary or "")
    name = found[1] if found else "?"
    if isinstance(error, psycopg.errors.UndefinedTable):
        return Refused(missing_table(name, known, "nothing here can be read by this user"), "name")
    return Refused(missing_column(name.rsplit(".", 1)[-1], sql, known), "name")


def _explained(error: psycopg.Error) -> Refused:
    if isinstance(error, psycopg.errors.QueryCanceled | psycopg.errors.LockNotAvailable):
        return Refused("This took too long and was stopped by the server. Ask for less.", "time")
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
        return Refused("Only reading is allowed here: that statement would change something.", "sql")
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return Refused(f"The database does not allow that: {_said(error)}.", "sql")
    if isinstance(error, psycopg.OperationalError) and not error.sqlstate:
        return Refused(
            "The connection to the database broke off. Try again; ask for less where it is large.", "connect"
        )
    hint = f" Hint: {error.diag.message_hint[:200]}" if error.diag.message_hint else ""
    return Refused(f"The statement cannot be run: {_said(error)}.{hint}", "sql")


def _said(error: psycopg.Error) -> str:
    return " ".join((error.diag.message_primary or type(error).__name__).split())[:300]


def _unreachable(error: psycopg.Error) -> Refused:
    """Why there is no connection. What libpq says names hosts and users, so it is put into words of our own."""
    said = str(error).lower()
    for pattern, sentence in _REASONS:
        if re.search(pattern, said):
            return Refused(sentence, "connect")
    return Refused.because("The database cannot be reached. Check address, port and name.", kind="connect")


def check_names(tokens: Sequence[Token]) -> dict[str, list[str]]:
    """What ``LOOK_UP`` is to be asked with; raises ``Refused`` for what is not read or called here at all."""
    found = names(tokens)
    for name in sorted(found & NAMES["postgresql"]["secret"]):
        raise Refused(f"{name} cannot be read here.", "sql")
    calls = called(tokens)
    for name in sorted(calls):
        if name in NAMES["postgresql"]["refused"] or name.endswith(
            ("_to_xml", "_to_xmlschema", "_to_xml_and_xmlschema")
        ):
            raise acting(name)
    return {
        "harmless": sorted(NAMES["postgresql"]["harmless"]),
        "called": sorted(calls),
        "dotted": sorted(after_dots(tokens)),
    }


def acting(name: str) -> Refused:
    return Refused(f"{name[:80]}() cannot be used here: it does more than read. Write the SELECT without it.", "sql")
