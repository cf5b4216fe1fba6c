"""Files become tables as a person expects, or a sentence; hostile ones reach nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from agent.data.jobs import handle
from tests.table_files import TEXTS, Good, bad_files, made, numbered

MADE = ("book.xlsx", "two.xlsx", "hidden.xlsx", "moments.xlsx", "titled.xlsx", "typed.parquet", "nested.parquet",
        "shop.sqlite", "shop.duckdb")  # fmt: skip


def load(folder: Path, name: str, content: bytes, **more: Any) -> dict[str, Any]:
    (folder / "upload").write_bytes(content)
    return handle({"kind": "load", "source": "upload", "name": name, "taken": [], **more}, folder)


def rows_of(folder: Path, table: dict[str, Any]) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(f"FROM read_parquet('{folder / table['file']}')").fetchall()


def expected(folder: Path, file: Good) -> dict[str, Any]:
    answer = load(folder, file.name, file.content)
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
    said = " ".join([*answer["notes"], *table["notes"], *(column["note"] for column in table["columns"])])
    assert file.said in said
    assert table["bad_rows"] == file.bad
    assert "".join(column["unit"] for column in table["columns"]) == file.units
    return table


@pytest.mark.parametrize("file", TEXTS, ids=numbered(TEXTS))
def test_texts(tmp_path: Path, file: Good) -> None:
    expected(tmp_path, file)


@pytest.mark.parametrize("name", MADE)
def test_other_files(tmp_path: Path, name: str) -> None:
    expected(tmp_path, next(file for file in made(tmp_path) if file.name == name))


@pytest.mark.parametrize("number", range(30))
def test_what_is_no_table_is_refused_in_words(tmp_path: Path, number: int) -> None:
    files = bad_files(tmp_path)
    assert len(files) == 30
    file = files[number]
    answer = load(tmp_path, file.name, file.content)
    assert not answer["ok"]
    assert file.said in answer["message"], answer["message"]
    assert str(tmp_path) not in answer["message"]
    assert [path.name for path in tmp_path.iterdir()] == ["upload"]  # nothing is half-loaded


def test_there_are_enough_files(tmp_path: Path) -> None:
    assert len(TEXTS) + len(made(tmp_path)) >= 60
    assert [file.name for file in made(tmp_path)] == list(MADE)
