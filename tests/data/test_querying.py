"""Statements that people and models write: what is asked for comes back, and nothing else does.

``ATTACKS`` are run against two connections: ours, through which none may get, and a plain one, through which many do;
so a check that sees nothing is seen itself.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from agent.data.refusal import Refused
from agent.data.tables.asking import querying
from agent.data.tables.asking.engine import asking, limited
from agent.data.tables.asking.querying import query
from agent.data.tables.cells import spreadsheet_cell
from tests.support.jobs import table_job as handle

pytestmark = pytest.mark.system

SECRET = "canary-7f3a91"
VARIABLE = "TABLE_CANARY"


@dataclass(frozen=True)
class Room:
    """A visitor's folder with a table, another visitor's folder beside it, and a file that nobody may read."""

    folder: Path
    table: str
    other: Path
    outside: Path

    @property
    def tables(self) -> list[dict[str, str]]:
        return [{"name": "sales", "file": self.table}]

    @property
    def paths(self) -> dict[str, Path]:
        return {"sales": self.folder / self.table}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    place = tmp_path_factory.mktemp("rooms")
    folder, other = place / "mine", place / "other"
    folder.mkdir()
    other.mkdir()
    (folder / "up").write_text(
        "Order ID,Region,Total (€),When\n"
        + "".join(f"{i:04d},{('North', 'South', 'East')[i % 3]},{i * 1.5},2023-0{1 + i % 9}-11\n" for i in range(300))
    )
    answer = handle({"kind": "load", "source": "up", "name": "sales.csv", "taken": []}, folder)
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT '{SECRET}' AS secret) TO '{other / 'theirs.parquet'}'")
        connection.execute(f"ATTACH '{other / 'theirs.duckdb'}' AS theirs")
        connection.execute(f"CREATE TABLE theirs.t AS SELECT '{SECRET}' AS secret")
    outside = place / "outside.csv"
    outside.write_text(f"secret\n{SECRET}\n")
    (folder / "beside.csv").write_text(f"secret\n{SECRET}\n")
    (place / "outside.json").write_text(f'[{{"secret": "{SECRET}"}}]')
    os.environ[VARIABLE] = SECRET
    yield Room(folder, answer["tables"][0]["file"], other, outside)
    del os.environ[VARIABLE]


# {out}: a file outside; {place}: the folder around it; {mine}: the visitor's folder; {table}: the visitor's own file
READS = (
    "SELECT * FROM '{out}'",
    'SELECT * FROM "{out}"',
    "FROM '{out}'",
    "TABLE '{out}'",
    "SELECT * FROM 'file://{out}'",
    "SELECT * FROM read_csv('{out}')",
    "SELECT * FROM read_csv_auto('{out}')",
    "SELECT * FROM sniff_csv('{out}')",
    "SELECT * FROM read_text('{out}')",
    "SELECT * FROM read_blob('{out}')",
    "SELECT * FROM read_json('{place}/outside.json')",
    "SELECT * FROM read_json_auto('{place}/outside.json')",
    "SELECT * FROM read_json_objects('{place}/outside.json')",
    "SELECT * FROM read_ndjson('{place}/outside.json')",
    "SELECT * FROM read_parquet('{place}/other/theirs.parquet')",
    "SELECT * FROM parquet_scan('{place}/other/theirs.parquet')",
    "SELECT * FROM parquet_metadata('{place}/other/theirs.parquet')",
    "SELECT * FROM parquet_schema('{place}/other/theirs.parquet')",
    "SELECT * FROM parquet_kv_metadata('{place}/other/theirs.parquet')",
    "SELECT * FROM parquet_file_metadata('{place}/other/theirs.parquet')",
    "SELECT * FROM '{place}/other/*.parquet'",
    "SELECT * FROM read_parquet(['{place}/other/theirs.parquet'])",
    "SELECT * FROM glob('{place}/*')",
    "SELECT * FROM glob('{mine}/*')",
    "SELECT * FROM read_csv('{mine}/beside.csv')",
    "SELECT * FROM '{mine}/beside.csv'",
    "SELECT * FROM read_text('{mine}/*')",
    "SELECT * FROM read_text('{mine}/../outside.csv')",
    "SELECT * FROM read_text('{table}/../../outside.csv')",
    "SELECT * FROM read_blob('{table}')",
    "SELECT * FROM read_csv('/etc/passwd', columns={{'l': 'VARCHAR'}})",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT * FROM read_blob('/proc/self/environ')",
    "SELECT * FROM read_text('/dev/stdin')",
    "SELECT * FROM query('SELECT * FROM ''{out}''')",
    "SELECT * FROM query_table('{out}')",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM ''{out}'''))",
    "WITH a AS (SELECT * FROM '{out}') SELECT * FROM a",
    "WITH sales AS (SELECT * FROM read_text('{out}')) SELECT * FROM sales",
    "SELECT (SELECT secret FROM '{out}')",
    "SELECT * FROM sales WHERE region IN (SELECT secret FROM '{out}')",
    "SELECT * FROM sales, LATERAL (SELECT * FROM '{out}')",
    "SELECT * FROM sales UNION ALL BY NAME SELECT secret FROM '{out}'",
    "DESCRIBE SELECT * FROM '{out}'",
    "SUMMARIZE '{out}'",
    "SUMMARIZE SELECT * FROM '{out}'",
    "SHOW '{out}'",
    "PIVOT '{out}' ON secret IN ('{secret}') USING count(*)",
    "UNPIVOT '{out}' ON secret INTO NAME n VALUE v",
    "EXPLAIN ANALYZE SELECT * FROM '{out}'",
    "SELECT * FROM read_duckdb('{place}/other/theirs.duckdb')",
    "SELECT * FROM secret_frame",
    "SELECT * FROM main.secret_frame",
    "SELECT * FROM which_secret('x', 'y')",
    "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM duckdb_settings() WHERE value LIKE '%{mine}%'",
    "SELECT * FROM duckdb_views() WHERE sql LIKE '%{mine}%'",
    "SELECT * FROM duckdb_views",
    "SELECT sql FROM sqlite_master",
    "SELECT * FROM pg_catalog.pg_views",
    "SELECT view_definition FROM information_schema.views",
    "SELECT * FROM pragma_show('sales')",
    "SELECT * FROM duckdb_logs",
    "SELECT current_setting('allowed_paths')",
    "SELECT current_setting('home_directory')",
    "SELECT getvariable('x')",
    "SELECT getenv('{variable}')",
    "SELECT * FROM 'http://127.0.0.1:{port}/x.csv'",
    "SELECT * FROM read_csv('http://127.0.0.1:{port}/x.csv')",
    "SELECT * FROM read_csv('s3://bucket/x.csv')",
    "SELECT 1; SELECT * FROM '{out}'",
    "SELECT 1 /* ; */; SELECT * FROM '{out}' --",
)
CHANGES = (
    "COPY (SELECT 1) TO '{written}'",
    "COPY sales TO '{written}' (FORMAT parquet)",
    "COPY (SELECT 1) TO '{table}' (FORMAT parquet, USE_TMP_FILE false)",
    "EXPORT DATABASE '{written}'",
    "ATTACH '{written}' AS w",
    "ATTACH '{table}' AS w",
    "CREATE TABLE made AS SELECT 1",
    "CREATE OR REPLACE VIEW sales AS SELECT 1",
    "CREATE TEMP TABLE made AS SELECT 1",
    "CREATE MACRO made() AS 1",
    "CREATE SCHEMA made",
    "CREATE SEQUENCE made",
    "CREATE TYPE made AS ENUM ('a')",
    "CREATE PERSISTENT SECRET made (TYPE http, BEARER_TOKEN 'x')",
    "DROP VIEW sales",
    "DELETE FROM sales",
    "UPDATE sales SET region = 'x'",
    "INSERT INTO sales SELECT * FROM sales",
    "MERGE INTO sales USING sales AS s ON false WHEN NOT MATCHED THEN INSERT BY NAME",
    "TRUNCATE sales",
    "ALTER VIEW sales RENAME TO other",
    "WITH d AS (DELETE FROM sales RETURNING *) SELECT * FROM d",
    "WITH d AS (INSERT INTO sales SELECT * FROM sales RETURNING *) SELECT * FROM d",
    "EXPLAIN ANALYZE DELETE FROM sales",
    "EXPLAIN (ANALYZE) DELETE FROM sales",
    "SET memory_limit='10GB'",
    "SET GLOBAL enable_external_access=true",
    "SET VARIABLE x = 1",
    "RESET lock_configuration",
    "PRAGMA memory_limit='10GB'",
    "PRAGMA enable_profiling",
    "CALL pragma_version()",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '{out}'",
    "FORCE INSTALL httpfs FROM 'http://127.0.0.1:{port}'",
    "UPDATE EXTENSIONS",
    "USE memory",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "CHECKPOINT",
    "VACUUM",
    "ANALYZE",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "DEALLOCATE p",
    "DETACH memory",
    "IMPORT DATABASE '{place}'",
    "COMMENT ON VIEW sales IS 'x'",
    "SELECT * FROM enable_logging(storage='file', storage_path='{written}')",
    "SELECT write_log('x')",
    "SELECT 1; DELETE FROM sales",
    "SELECT 1; SELECT 2",
)
BOMBS = (
    "SELECT repeat('x', 4000000000)",
    "SELECT length(repeat('x', 4000000000))",
    "SELECT list(i) FROM range(1000000000) t(i)",
    "SELECT string_agg(repeat('x', 1000), '') FROM range(10000000)",
    "SELECT range(2000000000)",
    "SELECT count(*) FROM range(100000) a, range(100000) b, range(100000) c",
    "SELECT count(*) FROM sales a, sales b, sales c, sales d, sales e",
    "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r",
    "WITH RECURSIVE r(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM r) SELECT max(length(s)) FROM r",
    "SELECT max(sha256(i::VARCHAR)) FROM range(100000000000) t(i)",
    "SELECT i FROM range(100000000000) t(i) ORDER BY random()",
    "SELECT sum(i) OVER (ORDER BY random()) FROM range(1000000000) t(i)",
    "SELECT regexp_matches(repeat('a', 100000), '(a?){{0,900}}a{{0,900}}') FROM range(1000000)",
    "SELECT bitstring('1', 2000000000)",
    "SELECT " + "(" * 20_000 + "1" + ")" * 20_000,
    "SELECT " + "+".join(["1"] * 20_000),
    "SELECT " + "-" * 20_000 + "1",
    "SELECT " + "[" * 2_000 + "1" + "]" * 2_000,
    "SELECT 1" + " UNION ALL SELECT 1" * 1_000,
    "SELECT '" + "x" * 60_000 + "'",
)
ATTACKS = READS + CHANGES


def filled(room: Room, sql: str) -> str:
    return sql.format(
        out=room.outside,
        place=room.outside.parent,
        mine=room.folder,
        table=room.folder / room.table,
        written=room.outside.parent / "written",
        secret=SECRET,
        variable=VARIABLE,
        port=9,
    )


def ask(room: Room, sql: str, **more: Any) -> dict[str, Any]:
    return handle({"kind": "query", "tables": room.tables, "sql": sql, "seconds": 1.0, **more}, room.folder)


def state(room: Room) -> dict[str, tuple[int, int]]:
    place = room.outside.parent
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in place.rglob("*")}


def test_there_are_enough_attacks() -> None:
    assert len(set(ATTACKS + BOMBS)) >= 140


@pytest.mark.parametrize("sql", READS)
def test_nothing_else_can_be_read(room: Room, sql: str) -> None:
    before = state(room)
    answer = ask(room, filled(room, sql))
    assert not answer["ok"], answer
    assert answer["error"] in ("sql", "name")
    assert SECRET not in answer["message"] or SECRET in sql.format_map(_Blank())
    assert state(room) == before


@pytest.mark.parametrize("sql", CHANGES)
def test_nothing_can_be_changed(room: Room, sql: str) -> None:
    before = state(room)
    answer = ask(room, filled(room, sql))
    assert not answer["ok"], answer
    assert answer["error"] in ("sql", "name")
    assert state(room) == before
    assert query(room.paths, "SELECT count(*) FROM sales").rows == ((300,),)


class _Blank(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


@pytest.mark.parametrize("sql", BOMBS, ids=lambda sql: str(sql)[:40])
def test_no_bomb_goes_off(room: Room, sql: str) -> None:
    answer = ask(room, sql.replace("{{", "{").replace("}}", "}"))
    if answer["ok"]:  # an engine may see through it, and answer at once
        assert len(str(answer["rows"])) < 1_000_000
    else:
        assert answer["error"] in ("sql", "time", "memory"), answer
    assert ask(room, "SELECT 1")["rows"] == [[1]]


# Writing over the visitor's own table is what the check alone stops: the engine needs the path to read it.
ONLY_THE_CHECK = [sql for sql in CHANGES if sql.startswith("COPY") and "TO '{table}'" in sql]


@pytest.mark.parametrize("sql", [sql for sql in ATTACKS if sql not in ONLY_THE_CHECK])
def test_the_connection_holds_without_the_check(room: Room, sql: str) -> None:
    """The first and the third wall alone: no secret read, nothing written, whatever is let through."""
    before = state(room)
    with asking(room.paths) as connection, limited(connection, 2.0):
        connection.execute("BEGIN TRANSACTION READ ONLY")
        try:
            rows = str(connection.execute(filled(room, sql)).fetchmany(50))
        except (duckdb.Error, Refused):
            rows = ""
    if SECRET not in filled(room, sql):
        assert SECRET not in rows
    assert state(room) == before
    assert query(room.paths, "SELECT count(*) FROM sales").rows == ((300,),)


def test_a_plain_connection_lets_many_through(room: Room) -> None:
    """The canaries are awake: without our walls secrets are read and files are written."""
    secret_frame = duckdb.execute(f"SELECT '{SECRET}' AS secret").fetchall()
    assert secret_frame
    told = written = 0
    for sql in READS:
        if "http" in sql or "s3:" in sql or "/dev" in sql or "/proc" in sql:
            continue
        with duckdb.connect() as connection:
            connection.execute(f"CREATE VIEW sales AS FROM read_parquet('{room.folder / room.table}')")
            try:
                with limited(connection, 5.0):
                    told += SECRET in str(connection.execute(filled(room, sql)).fetchall())
            except (duckdb.Error, Refused):
                continue
    for number, sql in enumerate(CHANGES[:2] + CHANGES[3:5]):
        target = room.outside.parent / f"plain{number}"
        with duckdb.connect() as connection:
            connection.execute("CREATE TABLE sales AS SELECT 1 AS a")
            connection.execute(filled(room, sql).replace(str(room.outside.parent / "written"), str(target)))
        written += target.exists()
    assert told >= 25
    assert written == 4


def test_what_is_asked_for_comes_back(room: Room) -> None:
    answer = ask(room, "SELECT region, sum(total) AS s FROM sales GROUP BY region ORDER BY s DESC;")
    assert answer["columns"] == [
        {"name": "region", "type": "VARCHAR", "title": "Region", "unit": ""},
        {"name": "s", "type": "DOUBLE", "title": "S", "unit": ""},
    ]
    assert answer["rows"] == [["East", 22500.0], ["South", 22350.0], ["North", 22200.0]] or answer["total"] == 3
    assert answer["text"].startswith("3 rows:\nregion VARCHAR | s DOUBLE\n")


@pytest.mark.parametrize(
    "sql",
    [
        "FROM sales",
        "WITH a AS (SELECT 1 AS x) SELECT * FROM a, sales",
        "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 5) SELECT * FROM r",
        "SELECT * FROM SALES WHERE Region = 'North' -- a comment",
        "SELECT * FROM main.sales",
        "DESCRIBE sales",
        "SUMMARIZE sales",
        "SHOW TABLES",
        "SELECT * FROM range(5)",
        "SELECT unnest([1, 2])",
        "SELECT * FROM generate_series(1, 3) AS g(i)",
        "SELECT column_name FROM information_schema.columns WHERE table_name = 'sales'",
        "VALUES (1), (2)",
        "PIVOT sales ON region IN ('North', 'South') USING sum(total)",
        "SELECT now(), current_date, TIMESTAMPTZ '2023-01-05 10:00:00+02'",
        "SELECT * EXCLUDE (total), total * 2 AS double FROM sales QUALIFY row_number() OVER (ORDER BY total) < 3",
        "SELECT 'a;b', 1 AS \"; DROP\"",
        "(SELECT 1) UNION (SELECT 2)",
        "SELECT count(*) FILTER (WHERE total > 5) FROM sales TABLESAMPLE 50%",
    ],
)
def test_honest_statements_run(room: Room, sql: str) -> None:
    answer = ask(room, sql)
    assert answer["ok"], answer
    assert answer["total"] >= 1


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT * FROM sale", "Did you mean sales? The tables are: sales."),
        ("SELECT totl FROM sales", "Did you mean total? Columns: sales has order_id, region, total, when_."),
        ("SELECT s.regoin FROM sales s", "Did you mean region?"),
        ("SELECT nothing_like_it FROM sales", "There is no column “nothing_like_it”. Columns: sales has order_id"),
        ("PIVOT sales ON region USING sum(total)", "IN ('a', 'b')"),
        ("SELECT 1; SELECT 2", "One statement at a time; these are 2."),
        ("DELETE FROM sales", "Only SELECT can be run here"),
        ("CREATE TABLE x AS SELECT 1", "Use WITH name AS"),
        ("", "There is no statement"),
        ("-- nothing", "There is no statement"),
        ("SELEC 1", 'syntax error at or near "SELEC"'),
        ("SELECT sum(region) FROM sales", "sum(VARCHAR)"),
        ("SELECT 1/0 + 'x'", "Could not convert string 'x'"),
        ("SELECT " + "x" * 60_000, "longer than 50,000 characters"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_mistakes_are_told_in_words(room: Room, sql: str, said: str) -> None:
    answer = ask(room, sql)
    assert not answer["ok"]
    assert said in answer["message"], answer["message"]
    assert str(room.folder) not in answer["message"]


def test_an_empty_result_says_so(room: Room) -> None:
    answer = ask(room, "SELECT region, total FROM sales WHERE region = 'Nowhere'")
    assert answer["total"] == 0
    assert answer["text"].startswith("No rows. The columns would be: region VARCHAR, total DOUBLE.")


def test_a_long_result_is_cut_and_counted(room: Room) -> None:
    answer = ask(room, "SELECT i, repeat('long ', 30) AS words FROM range(20000) t(i); ")
    assert answer["total"] == 20_000
    assert len(answer["rows"]) == 5_000
    assert len(answer["text"]) < 4_200
    assert answer["text"].startswith("20,000 rows; the first ")
    assert ask(room, "FROM sales")["total"] == 300
    assert ask(room, "/* é */ SELECT ';' FROM sales; -- all; of it\n;")["total"] == 300


def test_values_go_through_json(room: Room) -> None:
    answer = ask(
        room,
        "SELECT 9007199254740993 AS big, 0.1 + 0.2 AS sum, 'NaN'::DOUBLE AS nan, DATE '2023-01-05' AS d, "
        "TIMESTAMP '2023-01-05 10:00:00' AS t, 'ab'::BLOB AS b, [1, 2] AS l, {'a': DATE '2023-01-05'} AS s, NULL AS n, "
        "true AS yes, INTERVAL 1 DAY AS i, (0.1::DOUBLE + 0.2::DOUBLE) AS f",
    )
    assert answer["rows"] == [
        [
            *("9007199254740993", 0.3, "nan", "2023-01-05", "2023-01-05 10:00:00", "(2 bytes)", "[1, 2]"),
            *('{"a": "2023-01-05"}', None, True, "1 day, 0:00:00", 0.1 + 0.2),
        ]
    ]
    assert answer["text"].splitlines()[-1].endswith("| 0.3")


def test_a_question_is_stopped_at_its_time(room: Room) -> None:
    started = time.monotonic()
    answer = ask(room, "SELECT count(*) FROM range(1000000000000)", seconds=0.3)
    assert answer["error"] == "time"
    assert "0.3 seconds" in answer["message"]
    assert time.monotonic() - started < 60


def test_an_export_is_whole_and_defused(room: Room) -> None:
    sql = (
        "SELECT i, CASE i WHEN 0 THEN '=1+1' WHEN 1 THEN '@x' WHEN 2 THEN '-5' ELSE 'plain' END AS \"+head\" "
        "FROM range(12000) t(i)"
    )
    answer = handle({"kind": "export", "tables": room.tables, "sql": sql}, room.folder)
    lines = (room.folder / answer["file"]).read_text(encoding="utf-8-sig").splitlines()
    assert (answer["rows"], answer["cut"]) == (12_000, False)
    assert lines[:5] == ["i,'+head", "0,'=1+1", "1,'@x", "2,'-5", "3,plain"]
    assert len(lines) == 12_001
    (room.folder / answer["file"]).unlink()


@pytest.mark.parametrize(("most", "rows", "cut"), [(10_000, 10_000, True), (12_000, 12_000, False)])
def test_an_export_that_is_cut_says_so(
    room: Room, monkeypatch: pytest.MonkeyPatch, most: int, rows: int, cut: bool
) -> None:
    monkeypatch.setattr(querying, "_EXPORTED", most)
    job = {"kind": "export", "tables": room.tables, "sql": "SELECT i, i FROM range(12000) t(i)", "more": "It goes on."}
    answer = handle(job, room.folder)
    lines = (room.folder / answer["file"]).read_text(encoding="utf-8-sig").splitlines()
    assert (answer["rows"], answer["cut"], len(lines)) == (rows, cut, 1 + rows + cut)
    assert lines[-1] == ("It goes on." if cut else "11999,11999")
    (room.folder / answer["file"]).unlink()


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\t=1", "\r=1", " =1", "\n=1", "＝1", "|cmd", "\u00a0=1"])
def test_formulas_are_defused(text: str) -> None:
    assert str(spreadsheet_cell(text)).startswith("'")


@pytest.mark.parametrize(("value", "cell"), [(-1.5, "-1.5"), (-3, -3), ("a=b", "a=b"), (None, ""), (True, "true")])
def test_other_cells_stay(value: object, cell: object) -> None:
    assert spreadsheet_cell(value) == cell


def test_a_page_of_a_table(room: Room) -> None:
    asked = {"kind": "preview", "file": room.table, "offset": 10, "limit": 2}
    answer = handle(asked, room.folder)
    assert [row[0] for row in answer["rows"]] == ["0010", "0011"]
    assert answer["total"] == 300
    answer = handle({**asked, "offset": 0, "order": "total", "descending": True}, room.folder)
    assert answer["rows"][0][0] == "0299"
    assert handle({**asked, "order": "total; DROP"}, room.folder)["error"] == "name"


@pytest.mark.parametrize(
    "file",
    ["../outside.csv", "/etc/passwd", "..", "", "a/b", "x\0y", ".hidden", "*", "up'--", "link.parquet", "gone.parquet"],
)
def test_a_job_stays_in_its_folder(room: Room, file: str) -> None:
    link = room.folder / "link.parquet"
    if not link.is_symlink():
        link.symlink_to(room.other / "theirs.parquet")
    try:
        for job in (
            {"kind": "preview", "file": file},
            {"kind": "query", "tables": [{"name": "sales", "file": file}], "sql": "FROM sales"},
            {"kind": "load", "source": file, "name": "x.csv"},
            {"kind": "bad_rows", "file": file},
        ):
            answer = handle(job, room.folder)
            assert not answer["ok"]
            assert SECRET not in str(answer)
    finally:
        link.unlink()


def test_an_unknown_job_is_refused(tmp_path: Path) -> None:
    assert handle({"kind": "rm"}, tmp_path)["ok"] is False
