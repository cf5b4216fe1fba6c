"""Files become tables as a person expects, or a sentence; hostile ones reach nothing."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from agent.data.refusal import Refused
from agent.data.tables.loading.formats.layout import layout_of
from agent.data.tables.loading.load_work import read_progress
from agent.data.tables.repair_texts import repair_told
from agent.interface_text import unpacked
from tests.support.document_files import zipped
from tests.support.jobs import table_job as handle
from tests.support.table_files import (
    TEXTS,
    Good,
    Percent,
    bad_files,
    duckdb_file,
    excel_file,
    made,
    numbered,
    parquet_file,
    sqlite_file,
)

pytestmark = pytest.mark.slow

MADE = ("book.xlsx", "two.xlsx", "hidden.xlsx", "moments.xlsx", "titled.xlsx", "typed.parquet", "nested.parquet",
        "shop.sqlite", "shop.duckdb")  # fmt: skip


def load(folder: Path, name: str, content: bytes, **more: Any) -> dict[str, Any]:
    (folder / "upload").write_bytes(content)
    return handle({"kind": "load", "source": "upload", "name": name, "taken": [], **more}, folder)


def rows_of(folder: Path, table: dict[str, Any]) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(f"FROM read_parquet('{folder / table['file']}')").fetchall()


def expected(folder: Path, file: Good, **more: Any) -> dict[str, Any]:
    answer = load(folder, file.name, file.content, **more)
    assert answer["ok"], answer
    tables = answer["tables"]
    assert len(tables) == file.tables
    table = tables[0]
    if file.table:
        assert table["name"] == file.table
    assert {column["name"]: column["type"] for column in table["columns"]} == file.types
    rows = rows_of(folder, table)
    assert len(rows) == table["rows"]
    for row, wanted in zip(rows, file.rows, strict=False):
        assert row[: len(wanted)] == tuple(wanted)
    assert len(rows) >= len(file.rows)
    told = [*answer["notes"], *table["notes"], *(column["note"] for column in table["columns"])]
    assert file.said in " ".join([*told, *map(repair_told, table["repairs"])])
    assert table["bad_rows"] == file.bad
    assert "".join(column["unit"] for column in table["columns"]) == file.units
    return table


@pytest.mark.parametrize("file", TEXTS, ids=numbered(TEXTS))
def test_texts(tmp_path: Path, file: Good) -> None:
    expected(tmp_path, file)


# What a sample cannot know: it is told of the whole file alone, or only where the whole is looked at.
@pytest.mark.parametrize("file", TEXTS, ids=numbered(TEXTS))
def test_the_way_of_large_files_gives_the_same(tmp_path: Path, file: Good) -> None:
    expected(tmp_path, file, limits={"exact": 1})


@pytest.mark.parametrize("name", MADE)
def test_other_files(tmp_path: Path, name: str) -> None:
    expected(tmp_path, next(file for file in made(tmp_path) if file.name == name))


@pytest.mark.parametrize("number", range(32))
def test_what_is_no_table_is_refused_in_words(tmp_path: Path, number: int) -> None:
    files = bad_files(tmp_path)
    assert len(files) == 32
    file = files[number]
    answer = load(tmp_path, file.name, file.content)
    assert not answer["ok"]
    assert file.said in answer["message"], answer["message"]
    assert str(tmp_path)[:12] not in answer["message"], "not even its beginning"
    assert [path.name for path in tmp_path.iterdir()] == ["upload"]  # nothing is half-loaded


def test_there_are_enough_files(tmp_path: Path) -> None:
    assert len(TEXTS) + len(made(tmp_path)) >= 60
    assert [file.name for file in made(tmp_path)] == list(MADE)


def large(rows: int) -> str:
    return "id,v,d\n" + "".join(f"{i},{i}.5,2023-01-{1 + i % 28:02d}\n" for i in range(rows))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("last", "types", "said"),
    [
        ("9,1e3,2023-02-01", "BIGINT DOUBLE DATE", ""),
        ("007,1,2023-02-01", "VARCHAR DOUBLE DATE", "007"),
        ("1.5,1,2023-02-01", "DOUBLE DOUBLE DATE", ""),
        ("1_000,1,2023-02-01", "VARCHAR DOUBLE DATE", "1_000"),
        ("9,abc,2023-02-01", "BIGINT VARCHAR DATE", "abc"),
        ("9,inf,2023-02-01", "BIGINT VARCHAR DATE", "inf"),
        ("9,n/a,-", "BIGINT DOUBLE DATE", ""),
        ("9,1,2023-02-30", "BIGINT DOUBLE VARCHAR", "2023-02-30"),
        ("9,1,2023-02-01 10:00", "BIGINT DOUBLE TIMESTAMP", ""),
        (" 9 ,+1, 2023-02-01", "BIGINT DOUBLE DATE", ""),
        ("M\xfcller,1,2023-02-01", "VARCHAR DOUBLE DATE", "Windows-1252"),
        ('"a\r\nb",1,2023-02-01\r', "VARCHAR DOUBLE DATE", ""),
    ],
)
def test_what_comes_late_in_a_large_file_counts(tmp_path: Path, last: str, types: str, said: str) -> None:
    """Beyond the head that types are first chosen by: nothing is rounded, dropped or made something else."""
    content = large(30_000).encode() + last.encode("latin-1") + b"\n"
    answer = load(tmp_path, "late.csv", content, limits={"exact": 1000})
    assert answer["ok"], answer
    table = answer["tables"][0]
    assert table["rows"] == 30_001
    assert table["bad_rows"] == 0
    assert " ".join(column["type"] for column in table["columns"]) == types
    assert said in " ".join([*table["notes"], *(column["note"] for column in table["columns"])])


@pytest.mark.slow
def test_a_broken_letter_where_nobody_looked_first(tmp_path: Path) -> None:
    lines = large(80_000).encode().split(b"\n")
    lines[17_000] = b"1,G\xf6d,2023-01-01"
    table = load(tmp_path, "late.csv", b"\n".join(lines), limits={"exact": 1000})["tables"][0]
    assert (table["rows"], table["bad_rows"]) == (80_000, 0)
    assert "shown as" in table["notes"][0]


def test_a_column_that_is_filled_late_keeps_its_values(tmp_path: Path) -> None:
    text = "a,,b\n" + "1,,2\n" * 30_000 + "1,5,2\n"
    table = load(tmp_path, "sparse.csv", text.encode())["tables"][0]
    assert [(column["type"], column["nulls"]) for column in table["columns"]] == [
        ("BIGINT", 0),
        ("BIGINT", 30_000),
        ("BIGINT", 0),
    ]


def test_limits_are_told(tmp_path: Path) -> None:
    answer = load(tmp_path, "a.csv", b"a,b\n" + b"1,2\n" * 500, limits={"file": 1000})
    assert (answer["error"], "2 KB; at most 1e+03 bytes" in answer["message"] or "at most" in answer["message"]) == (
        "size",
        True,
    )
    answer = load(tmp_path, "a.csv", b"a,b,c\n1,2,3\n", limits={"columns": 2})
    assert "3 columns; at most 2" in answer["message"]
    bomb = gzip.compress(b"a,b\n" + b"1,2\n" * 1_000_000)
    assert "once unpacked" in load(tmp_path, "a.csv.gz", bomb, limits={"unpacked": 100_000})["message"]
    book = excel_file({"S": [["a"], ["x" * 100_000]]})
    assert "too large for an Excel file" in load(tmp_path, "a.xlsx", book, limits={"sheet": 1000})["message"]
    tables = sqlite_file(*(f"CREATE TABLE t{i} (a)" for i in range(9)))
    assert "9 tables; at most 5" in load(tmp_path, "a.db", tables, limits={"tables": 5})["message"]
    assert [path.name for path in tmp_path.iterdir()] == ["upload"]


def test_a_file_that_needs_more_memory_is_told_as_that(tmp_path: Path) -> None:
    """So is one of 1,500 columns where the sandbox has no more memory: both are the same error of the engine."""
    wide = "\n".join([",".join(f"c{number}" for number in range(100)), *[",".join(["7"] * 100)] * 200])
    answer = load(tmp_path, "wide.csv", wide.encode(), limits={"memory": 1_000_000})
    assert (answer["ok"], answer["error"]) == (False, "size")
    assert answer["message"] == "wide.csv needs more memory than one file may take to load."
    assert [entry.name for entry in tmp_path.iterdir()] == ["upload"]


def test_columns_are_counted_before_they_are_looked_at(tmp_path: Path) -> None:
    """Files like these held a worker for minutes, or took all the memory that it may have."""
    with pytest.raises(Refused, match="100,000 columns; at most 2,000"):
        layout_of(",".join("1" for _ in range(100_000)) + "\n2", complete=True)
    cell = '<table:table-cell table:number-columns-repeated="3000000000" office:value="1"/>'
    answer = load(tmp_path, "a.ods", zipped({"content.xml": cell.encode()}))
    assert "3,000,000,000 columns; at most 2,000" in answer["message"]
    nested = parquet_file(tmp_path, "SELECT {a: {b: {c: {d: 1, e: 2, f: 3}}}} AS x")
    assert "3 columns; at most 2" in load(tmp_path, "a.parquet", nested, limits={"columns": 2})["message"]


def test_names_are_unlike_those_there_are(tmp_path: Path) -> None:
    answer = load(tmp_path, "sales.csv", b"a,b\n1,2\n", taken=["sales", "SALES_2"])
    assert answer["tables"][0]["name"] == "sales_3"
    assert load(tmp_path, "../../Etc/Pass wd.csv", b"a,b\n1,2\n")["tables"][0]["name"] == "pass_wd"
    assert load(tmp_path, "select.csv", b"a,b\n1,2\n")["tables"][0]["name"] == "select_"
    assert load(tmp_path, "'; DROP TABLE x.csv", b"a,b\n1,2\n")["tables"][0]["name"] == "drop_table_x"


def test_progress_can_be_read(tmp_path: Path) -> None:
    assert read_progress(tmp_path / "p.json").stage == "waiting"
    assert load(tmp_path, "a.csv", large(30_000).encode(), progress="p.json")["ok"]
    done = read_progress(tmp_path / "p.json")
    assert (done.stage, done.done) == ("Done", 1.0)
    (tmp_path / "p.json").write_text('{"stage": "Loa')
    assert read_progress(tmp_path / "p.json").stage == "waiting"


def test_hostile_databases_reach_nothing(tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("s\ncanary-5b1\n")
    folder = tmp_path / "mine"
    folder.mkdir()
    views = duckdb_file(
        tmp_path, f"CREATE VIEW v AS SELECT * FROM read_csv('{secret}')", "CREATE TABLE t AS SELECT 1 AS a"
    )
    answer = load(folder, "v.duckdb", views)
    assert [table["name"] for table in answer["tables"]] == ["t"]
    virtual = sqlite_file(
        "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)", "CREATE VIRTUAL TABLE f USING fts5(x)",
        "CREATE VIEW v AS SELECT load_extension('/tmp/x')",
        "CREATE TABLE g (a, b GENERATED ALWAYS AS (upper(a)) VIRTUAL)",
    )  # fmt: skip
    answer = load(folder, "v.sqlite", virtual)
    assert "canary" not in str(answer)


def test_what_is_left_out_of_a_file_is_said_in_a_line(tmp_path: Path) -> None:
    sheets: dict[str, Sequence[Sequence[object]]] = {"Shown": [["a", "b"], [1, 2]], "Secret": [["c"], [3]]}
    sheets["Notes"] = [["d"], [4]]

    def noted(name: str, content: bytes) -> list[str]:
        answer = load(tmp_path, name, content)
        assert len(answer["tables"]) == 1
        return [str(note) for note in answer["notes"]]

    assert noted("a.xlsx", excel_file(sheets, hidden=["Secret", "Notes"])) == [
        "2 hidden sheets (“Secret”, “Notes”) were left out."
    ]
    del sheets["Notes"]
    assert noted("a.xlsx", excel_file(sheets, hidden=["Secret"])) == ["1 hidden sheet (“Secret”) was left out."]
    full = "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"
    empty = "1 table (“gone”) has no rows in it and was left out."
    assert noted("a.sqlite", sqlite_file(*full, "CREATE TABLE gone (a)")) == [empty]
    assert noted("a.duckdb", duckdb_file(tmp_path, "CREATE TABLE t AS SELECT 1 AS a", "CREATE TABLE gone (a INT)")) == [
        empty
    ]
    assert noted("a.sqlite", sqlite_file(*full)) == []
    views = "CREATE VIEW big AS SELECT * FROM t", 'CREATE VIEW "two | 3" AS SELECT 1 AS b'
    assert noted("a.sqlite", sqlite_file(*full, views[0])) == ["1 view (“big”) was left out."]
    two = "2 views (“big”, “two | 3”) were left out."
    assert noted("a.sqlite", sqlite_file(*full, *views)) == [two]
    made = duckdb_file(tmp_path, "CREATE TABLE t AS SELECT 1 AS a", "CREATE VIEW big AS SELECT * FROM t")
    assert noted("a.duckdb", made) == ["1 view (“big”) was left out."]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside.csv").write_text("a,b\n1,2\n")
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "upload").symlink_to(tmp_path / "outside.csv")
    assert not handle({"kind": "load", "source": "upload", "name": "a.csv"}, folder)["ok"]


def test_sheets_without_rows_are_named_at_the_first_table_of_the_workbook(tmp_path: Path) -> None:
    rows = [["a", "b"], [1, 2], [3, 4]]
    left = "1 sheet (“Notes”) has no rows in it and was left out."
    assert _noted(tmp_path, {"Notes": [], "One": rows, "Two": rows}) == [[left], []]
    many = {f"Empty sheet {number} {'x' * 60}": list[list[object]]() for number in range(7)}
    ((note,),) = _noted(tmp_path, {"One": rows, **many})
    assert note.startswith("7 sheets (“Empty sheet 0 xxx")
    assert note.endswith("x…”, …) have no rows in them and were left out.")
    assert len(note) < 300
    ((head,),) = _noted(tmp_path, {"One": rows, "Heads": [["a", "b"]]})
    assert head == "The sheet “Heads” was left out: This file has names for columns, but no rows."


def _noted(folder: Path, sheets: dict[str, Sequence[Sequence[object]]]) -> list[list[str]]:
    """What the card of each table of that workbook says."""
    return [list(map(unpacked, card["notes"])) for card in load(folder, "a.xlsx", excel_file(sheets))["tables"]]


@pytest.mark.parametrize(
    ("rows", "percent", "unit", "values"),
    [
        ([["item", "share"], ["a", Percent(0.25)], ["b", Percent(0.07)]], "0.0%", "%", [25, 7]),
        ([["item", "share"], ["a", Percent(0.125)], ["b", Percent(-0.07)], ["c", Percent(1.5)]], "0%", "%",
         [12.5, -7, 150]),
        ([["Report"], [], [None, "item", "share"], [None, "a", Percent(0.25)], [None, "b", Percent(0.5)]], "0%", "%",
         [25, 50]),
        ([["item", 2023], ["a", Percent(0.25)], ["b", Percent(0.5)]], "0%", "%", [25, 50]),
        # In all but these the cells are shown as what they are.
        ([["item", "share"], ["a", Percent(0.25)], ["b", Percent(0.5)]], '0.0\\%', "", [0.25, 0.5]),
        ([["item", "share"], ["a", Percent(0.25)], ["b", Percent(0.5)]], "0.0&quot;%&quot;", "", [0.25, 0.5]),
        ([["item", "figure"], ["a", Percent(0.25)], ["b", 310.5]], "0%", "", [0.25, 310.5]),
        ([["item", "figure"], ["a", 310.5], ["b", Percent(0.25)]], "0%", "", [310.5, 0.25]),
    ],
)  # fmt: skip
def test_cells_of_excel_in_percent_are_read_as_they_are_shown(
    tmp_path: Path, rows: Sequence[Sequence[object]], percent: str, unit: str, values: Sequence[float]
) -> None:
    (table,) = load(tmp_path, "a.xlsx", excel_file({"S": rows}, percent=percent))["tables"]
    assert table["columns"][-1]["unit"] == unit
    assert [row[-1] for row in rows_of(tmp_path, table)] == values


SENTENCES = (
    "It was a bright cold day in April.",
    "The clocks were all striking thirteen.",
    "He slipped in, quickly, alone.",
)
JAPANESE = ("吾輩は猫である。名前はまだ無い。", "どこで生れたか頓と見当がつかぬ。")
HINT = "save it as a text file (.txt) or a document, and load that."


def test_a_column_of_sentences_is_loaded_without_a_head_and_says_what_it_is(tmp_path: Path) -> None:
    book = excel_file({"Text": [[sentence] for sentence in SENTENCES]})
    for name, content, rows in (
        ("a.csv", "\n".join(SENTENCES).encode(), 3),
        ("a.xlsx", book, 3),
        ("a.csv", "\n".join(JAPANESE).encode(), 2),
    ):
        (table,) = load(tmp_path, name, content)["tables"]
        (note,) = map(unpacked, table["notes"])
        assert note.startswith("It looks like text, not like a table")
        assert note.endswith(HINT)
        assert (table["rows"], [column["name"] for column in table["columns"]]) == (rows, ["column_1"])


@pytest.mark.parametrize(
    "lines",
    [
        ("comment", *SENTENCES),
        ("What did you like best about it?", *SENTENCES),
        ("milk", "bread", "eggs"),
        ("name,comment", *(f"{number},{text.replace(',', '')}" for number, text in enumerate(SENTENCES))),
    ],
)
def test_sentences_below_a_head_are_a_table(tmp_path: Path, lines: tuple[str, ...]) -> None:
    (table,) = load(tmp_path, "a.csv", "\n".join(lines).encode())["tables"]
    assert (table["rows"], table["notes"]) == (len(lines) - 1, [])
    assert "column_1" not in [column["name"] for column in table["columns"]]


def test_one_line_of_text_is_refused_as_what_it_is(tmp_path: Path) -> None:
    line = "It was a bright cold day in April, and the clocks were striking thirteen."
    for name, content in (("a.csv", line.encode()), ("a.xlsx", excel_file({"S": [[line]]}))):
        said = unpacked(load(tmp_path, name, content)["message"])
        assert said.startswith("This file has one line of text and no table.")
        assert said.endswith(HINT)
    heads = unpacked(load(tmp_path, "a.xlsx", excel_file({"S": [["first name", "last name"]]}))["message"])
    assert heads == "This file has names for columns, but no rows."
