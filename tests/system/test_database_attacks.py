"""Statements that would do more than read, on real engines, each with something that shows whether it did.

The SQL a model writes is hostile: it may be what a web page or a row told it to write.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic

import duckdb
import psycopg
import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from agent.data.databases.connected import ConversationDatabases, Databases
from agent.data.databases.engines import postgres_reading, sqlite_reading
from agent.data.refusal import Refused
from agent.errors import ToolFailed
from agent.settings import Secret
from tests.support.jobs import database_job as handle
from tests.support.servers.postgres_server import PASSWORD, PostgresServer

pytestmark = pytest.mark.system

CANARY = "CANARY-7f3a"
SECONDS = 1.0
MOST_SECONDS = 30.0  # of a statement that wants to go on for ever, with all that is around it

POSTGRES = [
    # Writing, in every form a statement has.
    "INSERT INTO people VALUES (9, 'x')",
    "UPDATE people SET name = 'x'",
    "DELETE FROM people",
    "TRUNCATE people",
    "DROP TABLE people",
    "ALTER TABLE people ADD COLUMN x int",
    "CREATE TABLE stolen (a int)",
    "CREATE TEMP TABLE stolen (a int)",
    "SELECT * INTO stolen FROM people",
    "SELECT * INTO TEMP stolen FROM people",
    "CREATE TABLE stolen AS SELECT * FROM people",
    "WITH d AS (DELETE FROM people RETURNING *) SELECT * FROM d",
    "WITH i AS (INSERT INTO people VALUES (9, 'x') RETURNING *) SELECT * FROM i",
    "WITH u AS (UPDATE people SET name = 'x' RETURNING *) SELECT * FROM u",
    "MERGE INTO people USING people AS p ON false WHEN NOT MATCHED THEN INSERT VALUES (9, 'x')",
    "EXPLAIN ANALYZE DELETE FROM people",
    "SELECT * FROM people FOR UPDATE",
    "DO $$ BEGIN DELETE FROM people; END $$",
    "CALL change_all()",
    "VACUUM people",
    "GRANT ALL ON people TO public",
    "ALTER ROLE reader SUPERUSER",
    "CREATE ROLE thief SUPERUSER",
    # Several statements, comments, quoting.
    "SELECT 1; DELETE FROM people",
    "SELECT 1;DELETE FROM people--",
    "SELECT 1 /* */; /* */ DELETE FROM people",
    "SELECT 1 /* /* */ ; DELETE FROM people */",
    "SELECT $$a$$; DELETE FROM people",
    "SELECT 'a\\'; DELETE FROM people --'",
    "SELECT E'a\\'' ; DELETE FROM people --'",
    "SELECT E'a'\n'\\'' , pg_sleep(60) , ''",
    "SELECT 1); DELETE FROM people; SELECT (1",
    "SELECT 1; COMMIT; DELETE FROM people",
    "COMMIT",
    "ROLLBACK; DELETE FROM people",
    "SET TRANSACTION READ WRITE",
    "SELECT 1; SET TRANSACTION READ WRITE; DELETE FROM people",
    # Functions that act.
    "SELECT change_all()",
    "SELECT p.change_row FROM people p",
    "SELECT (p).change_row FROM people p",
    "SELECT \"change_all\"()",
    "SELECT public.change_all()",
    "SELECT public . change_all /* x */ ()",
    "SELECT U&\"change\\005fall\"()",
    "SELECT U&\"change!005fall\" UESCAPE '!' ()",
    "SELECT CHANGE_ALL()",
    "SELECT * FROM change_all()",
    "SELECT * FROM ROWS FROM (change_all())",
    "SELECT 1 LIMIT (SELECT 1 FROM change_all())",
    "SELECT 1 ORDER BY change_all()",
    "SELECT 1 `, change_all(), ` x",
    "SELECT ARRAY[change_all()]",
    "SELECT nextval('counter')",
    "SELECT setval('counter', 99)",
    "SELECT set_config('transaction_read_only', 'off', false)",
    "SELECT set_config('role', 'none', false)",
    "SELECT pg_catalog.set_config('session_authorization', 'glass', false)",
    "SELECT query_to_xml('DELETE FROM people', true, false, '')",
    "SELECT query_to_xml('select set_config(''role'', ''none'', false)', true, false, '')",
    "SELECT table_to_xml('pg_authid', true, false, '')",
    "SELECT database_to_xml(true, false, '')",
    "SELECT * FROM ts_stat('SELECT to_tsvector(name) FROM people')",
    "SELECT pg_notify('channel', 'x')",
    "NOTIFY channel",
    "LISTEN channel",
    "SELECT pg_advisory_lock(1)",
    "SELECT pg_try_advisory_lock(1)",
    "LOCK TABLE people",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity",
    "SELECT pg_cancel_backend(1)",
    "SELECT pg_reload_conf()",
    "SELECT pg_switch_wal()",
    "SELECT pg_create_restore_point('x')",
    "SELECT pg_logical_emit_message(false, 'a', 'b')",
    # Files, programs, other servers.
    "COPY people TO '{folder}/out'",
    "COPY people TO PROGRAM 'touch {folder}/out'",
    "COPY (SELECT 1) TO PROGRAM 'touch {folder}/out'",
    "COPY people FROM PROGRAM 'touch {folder}/out'",
    "SELECT pg_read_file('{folder}/canary')",
    "SELECT pg_catalog.pg_read_file('{folder}/canary')",
    "SELECT pg_read_binary_file('{folder}/canary')",
    "SELECT encode(pg_read_binary_file('{folder}/canary'), 'escape')",
    "SELECT * FROM pg_ls_dir('{folder}')",
    "SELECT * FROM pg_stat_file('{folder}/canary')",
    "SELECT * FROM pg_ls_logdir()",
    "SELECT lo_import('{folder}/canary')",
    "SELECT lo_export(1, '{folder}/out')",
    "SELECT lo_from_bytea(0, 'x')",
    "SELECT lo_create(0)",
    "SELECT loread(lo_open(1, 262144), 100)",
    "LOAD '{folder}/evil.so'",
    "CREATE EXTENSION dblink",
    "SELECT dblink('host=127.0.0.1', 'DELETE FROM people')",
    "SELECT dblink_exec('host=127.0.0.1', 'DELETE FROM people')",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    # Secrets of the server.
    "SELECT rolpassword FROM pg_authid",
    "SELECT passwd FROM pg_shadow",
    "SELECT passwd FROM \"pg_shadow\"",
    "SELECT passwd FROM pg_catalog.pg_shadow",
    "SELECT * FROM pg_hba_file_rules",
    "SELECT query FROM pg_stat_activity",
    "SELECT current_setting('data_directory')",
    "SELECT setting FROM pg_settings",
    "SHOW data_directory",
    "SELECT * FROM pg_largeobject",
    "SELECT umoptions FROM pg_user_mapping",
    "SELECT pg_sleep(600)",
    "SELECT pg_sleep_for('10 minutes')",
    "SELECT pg_sleep_until(now() + interval '1 hour')",
    "SELECT xmlparse(document '<!DOCTYPE x [<!ENTITY e SYSTEM \"file://{folder}/canary\">]><x>&e;</x>')",
]  # fmt: skip
# For ever, and more than fits: in a process of their own, as all are in a run.
POSTGRES_BOMBS = [
    "SELECT count(*) FROM generate_series(1, 1000000000000)",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
    "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b, generate_series(1, 1000) c",
    "SELECT repeat('x', 1000000000)",
    "SELECT repeat('x', 200000000) FROM generate_series(1, 50)",
    "SELECT string_agg(repeat('x', 1000), '') FROM generate_series(1, 10000000)",
    "SELECT regexp_replace(repeat('a', 30000), '(a*)*b', '')  || repeat('x', 1000000000)",
]  # fmt: skip
SQLITE = [
    "INSERT INTO people VALUES (9, 'x')",
    "UPDATE people SET name = 'x'",
    "DELETE FROM people",
    "DROP TABLE people",
    "REPLACE INTO people VALUES (1, 'x')",
    "CREATE TABLE stolen (a)",
    "CREATE TEMP TABLE stolen (a)",
    "CREATE TABLE stolen AS SELECT * FROM people",
    "CREATE VIRTUAL TABLE stolen USING fts5(a)",
    "CREATE TRIGGER t AFTER INSERT ON people BEGIN DELETE FROM people; END",
    "WITH x AS (SELECT 1) DELETE FROM people",
    "WITH x AS (SELECT 1) INSERT INTO people SELECT 9, 'x'",
    "WITH x AS (SELECT 1) UPDATE people SET name = 'x'",
    "SELECT 1; DELETE FROM people",
    "SELECT 1; ; DELETE FROM people",
    "SELECT 1 /* */; DELETE FROM people",
    "SELECT 'a'';'; DELETE FROM people",
    "SELECT \"a;\"; DELETE FROM people",
    "SELECT `a;`; DELETE FROM people",
    "SELECT [a; DELETE FROM people; --]",
    "EXPLAIN DELETE FROM people",
    "ATTACH '{folder}/other.db' AS o",
    "ATTACH DATABASE '{folder}/new.db' AS n",
    "SELECT * FROM other.secrets",
    "DETACH main",
    "VACUUM",
    "VACUUM INTO '{folder}/out'",
    "REINDEX",
    "ANALYZE",
    "PRAGMA query_only = OFF",
    "PRAGMA writable_schema = ON",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA user_version = 7",
    "PRAGMA temp_store_directory = '{folder}'",
    "SELECT * FROM pragma_user_version(7)",
    "SELECT * FROM pragma_query_only(0)",
    "SELECT load_extension('{folder}/evil')",
    "SELECT \"load_extension\"('{folder}/evil')",
    "SELECT writefile('{folder}/out', 'x')",
    "SELECT readfile('{folder}/canary')",
    "SELECT edit('x')",
    "SELECT fts3_tokenizer('simple')",
    "BEGIN",
    "BEGIN EXCLUSIVE",
    "COMMIT",
    "SAVEPOINT a",
    "RELEASE a",
    "SELECT randomblob(1000000000)",
    "SELECT zeroblob(2000000000)",
    "SELECT replace(hex(zeroblob(900000)), '0', 'xxxxxxxxxxxxxxxxxxxx')",
    "SELECT 'a' LIKE '" + "%a" * 600 + "b'",
    "SELECT " + "(" * 2000 + "1" + ")" * 2000,
    "SELECT 1" + " UNION SELECT 1" * 500,
]  # fmt: skip
SQLITE_BOMBS = [
    "SELECT printf('%.2000000000c', 'a')",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r ORDER BY random()",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT group_concat(n) FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 'x' UNION ALL SELECT n || n FROM r) SELECT max(n) FROM r",
]  # fmt: skip
DUCKDB = [
    "DELETE FROM people",
    "WITH d AS (DELETE FROM people RETURNING *) SELECT * FROM d",
    "SELECT 1; DROP TABLE people",
    "COPY people TO '{folder}/out'",
    "EXPORT DATABASE '{folder}/out'",
    "ATTACH '{folder}/new.db' AS n",
    "SELECT * FROM read_text('{folder}/canary')",
    "SELECT * FROM '{folder}/canary'",
    "SELECT * FROM glob('{folder}/*')",
    "INSTALL httpfs",
    "LOAD '{folder}/evil'",
    "SET enable_external_access = true",
    "SELECT * FROM enable_logging(storage = 'file')",
    "SELECT getenv('HOME')",
    "SELECT * FROM duckdb_secrets()",
]
DUCKDB_BOMBS = [
    "SELECT count(*) FROM range(1000000000000)",
    "SELECT levenshtein(repeat('ab', 200000), repeat('ba', 200000))",
]


class Room:
    """A database of each kind, and all that a statement could have changed."""

    def __init__(self, folder: Path, server: PostgresServer) -> None:
        self.folder, self.server = folder, server
        (folder / "canary").write_text(CANARY)
        for name in ("people.db", "other.db"):
            with sqlite3.connect(folder / name) as connection:
                connection.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)")
                connection.execute("INSERT INTO people VALUES (1, 'Ada'), (2, 'Alan')")
            connection.close()
        with duckdb.connect(str(folder / "people.duckdb")) as duck:
            duck.execute("CREATE TABLE people AS SELECT 1 AS id, 'Ada' AS name")
        server.run(
            "CREATE TABLE people (id int PRIMARY KEY, name text)",
            "INSERT INTO people VALUES (1, 'Ada'), (2, 'Alan')",
            "CREATE SEQUENCE counter",
            "CREATE FUNCTION change_all() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS "
            "$$ BEGIN PERFORM nextval('counter'); PERFORM pg_notify('a', 'b'); RETURN 1; END $$",
            "CREATE FUNCTION change_row(people) RETURNS int LANGUAGE sql AS $$ SELECT change_all() $$",
            "GRANT ALL ON people, counter TO public",
        )
        server.allow_reading()
        given = {
            "superuser": server.url(),
            "reader": server.url("reader"),
            "sqlite": f"sqlite:///{folder / 'people.db'}",
            "duckdb": f"duckdb:///{folder / 'people.duckdb'}",
        }
        self.chat: ConversationDatabases = Databases([(name, Secret(url)) for name, url in given.items()]).open(
            "v", "c"
        )
        self.before = self.everything()

    def everything(self) -> list[object]:
        files = sorted(self.folder.iterdir())
        kept = [(file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in files]
        run = self.server.run
        return [
            kept,
            run("SELECT * FROM people ORDER BY 1"),
            run("SELECT last_value, is_called FROM counter"),
            run("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1"),
            run("SELECT rolname, rolsuper FROM pg_roles ORDER BY 1"),
            run("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"),
            run("SELECT count(*) FROM pg_largeobject_metadata"),
            run("SELECT datname FROM pg_database ORDER BY 1"),
            run("SELECT extname FROM pg_extension ORDER BY 1"),
        ]

    def written(self, statement: str) -> str:
        return statement.replace("{folder}", str(self.folder))

    def in_a_process(self, database: str, statement: str) -> str:
        """What the model is told of a statement, as in a run."""
        started = monotonic()
        try:
            said = str(self.chat.run(database, {"kind": "query", "sql": self.written(statement), "seconds": SECONDS}))
        except ToolFailed as error:
            assert error.kind in ("input", "timeout")
            said = f"refused: {error}"
        assert monotonic() - started < MOST_SECONDS
        return self.without_secrets(said)

    def here(self, database: str, statement: str) -> str:
        """The same without the process around it, which takes half a second."""
        job = self.chat.connections()[database].job() | {"kind": "query", "sql": self.written(statement)}
        answer = handle(job | {"seconds": SECONDS}, [])
        assert answer["ok"] or answer["error"] in ("sql", "name", "time", "size"), answer
        return self.without_secrets(str(answer) if answer["ok"] else f"refused: {answer['message']}")

    def without_secrets(self, said: str) -> str:
        """Nothing of a secret may be told, also where something is let through."""
        for secret in (CANARY, PASSWORD, "SCRAM-SHA", str(self.server.data)):
            assert secret not in said
        return said


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer) -> Iterator[Room]:
    postgres.fresh()
    yield Room(tmp_path_factory.mktemp("attacks"), postgres)


def cases(postgres: list[str], sqlite: list[str], duckdb: list[str]) -> list[tuple[str, str]]:
    return [
        *((name, statement) for statement in postgres for name in ("superuser", "reader")),
        *(("sqlite", statement) for statement in sqlite),
        *(("duckdb", statement) for statement in duckdb),
    ]


# They give what stands in them, and nothing else.
HARMLESS_HERE = ("SELECT 'a\\'; DELETE", "SELECT 'a' LIKE", "SELECT xmlparse")


@pytest.mark.parametrize(("database", "statement"), cases(POSTGRES, SQLITE, DUCKDB), ids=lambda text: str(text)[:60])
def test_nothing_gets_through(room: Room, database: str, statement: str) -> None:
    said = room.here(database, statement)
    assert said.startswith("refused: ") or statement.startswith(HARMLESS_HERE), said[:300]


BOMBS = [case for case in cases(POSTGRES_BOMBS, SQLITE_BOMBS, DUCKDB_BOMBS) if case[0] != "superuser"]


@pytest.mark.parametrize(("database", "statement"), BOMBS, ids=lambda text: str(text)[:60])
def test_nothing_takes_longer_or_more_than_it_may(room: Room, database: str, statement: str) -> None:
    assert room.in_a_process(database, statement).startswith("refused: ")


@pytest.mark.parametrize("user", ["superuser", "reader"])
def test_postgres_alone_changes_nothing(room: Room, user: str) -> None:
    """Without the check of words and names: what the transaction, the cursor and the role are worth by themselves."""
    through: list[str] = []
    for statement in POSTGRES:
        if "pg_sleep" in statement or "pg_advisory_lock" in statement:
            continue  # they are only waiting, which has its time
        options = room.chat.connections()[user].options
        with postgres_reading.opened("", options, SECONDS) as opened:
            try:
                with opened._reading():
                    got = opened._query(room.written(statement))
            except (psycopg.Error, Refused):
                continue
            assert CANARY not in str(got)
            through.append(statement)
    assert room.everything() == room.before
    # What is left to the check, because it changes nothing that lasts: locks, messages, settings, secret catalogues.
    assert not [
        one for one in through if any(word in one for word in ("people SET", "INTO", "COPY", "_file", "export"))
    ]


def test_sqlite_alone_changes_nothing(room: Room) -> None:
    with sqlite_reading.opened(str(room.folder / "people.db"), {}, SECONDS) as opened:
        opened._connection.set_authorizer(sqlite_reading._authorize)
        for statement in SQLITE:
            with suppress(sqlite3.Error, sqlite3.Warning):
                got = opened._connection.execute(room.written(statement)).fetchmany(10)
                assert CANARY not in str(got)
                assert statement.startswith((*HARMLESS_HERE, "REINDEX")), statement  # of which there is nothing
    assert room.everything() == room.before


def test_nothing_was_changed_by_all_of_it(room: Room) -> None:
    assert room.everything() == room.before


def test_there_are_enough_attacks() -> None:
    assert len(POSTGRES) >= 60 and len(SQLITE) + len(DUCKDB) >= 60


@pytest.mark.parametrize("statement", ["SELECT change_all()", "SELECT pg_read_file('PG_VERSION')"])
def test_the_attacks_would_succeed_without_the_walls(postgres: PostgresServer, room: Room, statement: str) -> None:
    """Else the tests above would show nothing."""
    assert postgres.run(statement)
    room.before = room.everything()


PIECES = st.sampled_from([
    *("'", "''", '"', '""', "\\", "\\'", "E'", "e'", "U&'", 'U&"', "$$", "$a$", "$1", "`", "[", "]", "(", ")", "\n"),
    " ",
    *("--", "/*", "*/", "#", ";", ",", ".", "1", "a", "N'", "B'", "x", "||", "+", " AS ", "\r", "\u00a0", "probe ( ) "),
    *("probe()", ",probe(),", "SELECT ", "'a'", "\"a\"", "$$a$$", "public.", " UESCAPE '!'", "pro\\0062e()", "/**/"),
])  # fmt: skip


@pytest.fixture(scope="module")
def probing(room: Room) -> Iterator[postgres_reading.PostgresRoom]:
    room.server.run(
        "CREATE FUNCTION probe() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'PROBED'; END $$"
    )
    with postgres_reading.opened("", room.chat.connections()["reader"].options, 60.0) as opened:
        yield opened
    room.server.run("DROP FUNCTION probe()")


@example(["E'a'\n'\\'' ,probe(), ''"])
@example(["'a\\' ,probe(), '"])
@given(st.lists(PIECES, min_size=1, max_size=12))
@hypothesis_settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_way_of_writing_hides_a_call(probing: postgres_reading.PostgresRoom, pieces: list[str]) -> None:
    """What the tokens do not show as a call, PostgreSQL must not call."""
    try:
        probing.query("SELECT " + "".join(pieces))
    except Refused as refused:
        assert "PROBED" not in str(refused)
