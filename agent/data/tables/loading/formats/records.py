"""Files that have types of their own, read by DuckDB: JSON, Parquet, DuckDB's."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb
from duckdb.sqltypes import DuckDBPyType

from agent.data.tables.asking.complaints import in_words
from agent.data.tables.asking.engine import fetch_one, importing
from agent.data.tables.columns import Column, Table, described, kind_of
from agent.data.tables.identifiers import column_names, label_of, literal, quoted, table_name
from agent.data.tables.loading.column_types import Reading, as_text, decided_by_all
from agent.data.tables.loading.load_work import Work, check_columns, new_file, unfinished, write_parquet
from agent.data.tables.loading.value_forms import text_value, verified
from agent.interface_text import Text
from agent.text.encodings import plain

_DEEPEST = 3  # structs within structs become columns of their own
_LARGEST_OBJECT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Field:
    """A column to be: ``sql`` gives its value, ``label`` is the way to it (``address.city``)."""

    sql: str
    label: str
    type: str


def load_parquet(work: Work, path: Path, label: str) -> Table:
    with importing(work.folder, work.limits.memory) as connection:
        # To tell the types of a hundred thousand columns takes minutes, to count them seconds.
        leaves = f"SELECT count(*) FROM parquet_schema({literal(str(path))}) WHERE coalesce(num_children, 0) = 0"
        with suppress(duckdb.Error):  # what is wrong with the file is told below
            check_columns(fetch_one(connection, leaves)[0], work.limits)
        return _reported(work, connection, f"read_parquet({literal(str(path))})", label, texts=False)


def load_json(work: Work, path: Path, label: str) -> Table:
    """An array of objects, objects line by line, or one object that holds such an array."""
    copy = work.folder / new_file(".json.part")
    try:
        clean = plain(path, copy, work.limits.exact)
        source = f"read_json({literal(str(clean.path))}, maximum_object_size={_LARGEST_OBJECT}, maximum_depth=4)"
        with importing(work.folder, work.limits.memory) as connection:
            inner = _records_within(work, connection, source)
            return _reported(work, connection, inner or source, label, texts=True)
    finally:
        copy.unlink(missing_ok=True)


def load_duckdb(work: Work, path: Path) -> Sequence[Table]:
    """The tables with rows. Views are left out: they are programs, and may read from elsewhere."""
    with importing(work.folder, work.limits.memory) as connection:
        try:
            connection.execute(f"ATTACH {literal(str(path))} AS upload (READ_ONLY)")
            found = connection.execute(
                "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'upload' AND NOT internal"
            ).fetchall()
            views = connection.execute(
                "SELECT view_name FROM duckdb_views() WHERE database_name = 'upload' AND NOT internal"
            ).fetchall()
        except duckdb.Error as error:
            raise work.because(
                "{name} is a DuckDB file that cannot be read: {in_words}", in_words=in_words(error)
            ) from None
        work.check_tables(len(found))

        empty: list[str] = []

        def loaded(schema: str, name: str) -> Table | None:
            source = f"upload.{quoted(schema)}.{quoted(name)}"
            table = _reported(work, connection, source, name, texts=False, empty=True)
            if not table.rows:
                (work.folder / table.file).unlink(missing_ok=True)
                empty.append(name)
            return table if table.rows else None

        none = work.because("{name} has no table with rows in it.")
        tables = work.with_rows((loaded(str(schema), str(name)) for schema, name in found), none)
        work.without_rows(empty)
        work.without_views([str(name) for (name,) in views])
        connection.execute("DETACH upload")
        return tables


def _reported(
    work: Work, connection: duckdb.DuckDBPyConnection, source: str, label: str, texts: bool, empty: bool = False
) -> Table:
    """The table of ``source`` (SQL of our own); what DuckDB says against the file as a sentence."""
    try:
        table = _table(work, connection, source, label, texts)
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error as error:
        raise work.because("{name} could not be read: {in_words}", in_words=in_words(error)) from None
    if not table.rows and not empty:
        raise work.because("{name} has names for columns, but no rows.")
    return table


def _table(work: Work, connection: duckdb.DuckDBPyConnection, source: str, label: str, texts: bool) -> Table:
    fields = _fields(described(connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()))
    check_columns(len(fields), work.limits)
    labels = [label_of(field.label) for field in fields]
    names = column_names(labels)
    target = work.folder / new_file()
    with unfinished(target) as part:
        query = ", ".join(f"{field.sql} AS {quoted(name)}" for field, name in zip(fields, names, strict=True))
        rows = write_parquet(connection, f"SELECT {query} FROM {source}", part, work.reporter, "Loading", len(fields))
        readings = _typed(work, connection, part, names) if texts and rows else {}
        types = dict(described(connection.execute(f"DESCRIBE FROM read_parquet({literal(str(part))})").fetchall()))
    columns = tuple(
        Column(name, label, types[name], *_unit_and_note(readings.get(name)))
        for name, label in zip(names, labels, strict=True)
    )
    return Table(table_name(label, work.taken), target.name, work.name, rows, columns)


def _unit_and_note(reading: Reading | None) -> tuple[str, str]:
    if reading is None:
        return "", ""
    return reading.form.unit if reading.form else "", reading.note


def _typed(work: Work, connection: duckdb.DuckDBPyConnection, part: Path, names: Sequence[str]) -> dict[str, Reading]:
    """Rewrites ``part`` with the texts in it as what they say: JSON has no dates, and often numbers as text."""
    file = f"read_parquet({literal(str(part))})"
    types = dict(described(connection.execute(f"DESCRIBE FROM {file}").fetchall()))
    texts = [name for name in names if types[name] == "VARCHAR"]
    if not texts:
        return {}
    typed = part.with_suffix(".typed.part")
    try:
        work.reporter.report("Looking at the types")
        decided = map(as_text, decided_by_all(connection, file, texts, comma=False))
        readings = dict(zip(texts, decided, strict=True))
        query = ", ".join(f"{_value(name, readings.get(name))} AS {quoted(name)}" for name in names)
        write_parquet(connection, f"SELECT {query} FROM {file}", typed, work.reporter, "Writing", len(names))
        typed.replace(part)
        return readings
    finally:
        typed.unlink(missing_ok=True)


def _value(name: str, reading: Reading | None) -> str:
    column = quoted(name)
    if reading is None:
        return column
    return verified(reading.form, column) if reading.form else text_value(column)


def _fields(columns: Sequence[tuple[str, str]]) -> list[_Field]:
    fields: list[_Field] = []
    for name, type_name in columns:
        fields += _flat(quoted(name), name, duckdb.sqltype(type_name) if type_name.startswith("STRUCT") else None,
                        type_name, _DEEPEST)  # fmt: skip
    return fields


def _flat(sql: str, label: str, struct: DuckDBPyType | None, type_name: str, depth: int) -> list[_Field]:
    if struct is not None and depth:
        fields: list[_Field] = []
        for key, inner in struct.children:
            name, kind = str(key), str(inner)
            within = duckdb.sqltype(kind) if kind.startswith("STRUCT") and not kind.endswith("]") else None
            fields += _flat(f"struct_extract({sql}, {literal(name)})", f"{label}.{name}", within, kind, depth - 1)
        return fields
    if type_name == "BLOB":
        return [_Field(f"'(' || octet_length({sql}) || ' bytes)'", label, "VARCHAR")]
    if type_name == "JSON":  # values of several kinds; a text among them without its quotation marks
        return [_Field(f"json_extract_string({sql}, '$')", label, "VARCHAR")]
    if type_name == "UUID" or type_name.startswith("ENUM"):
        return [_Field(f"CAST({sql} AS VARCHAR)", label, "VARCHAR")]
    if type_name == "TIMESTAMP WITH TIME ZONE":
        return [_Field(f"({sql} AT TIME ZONE 'UTC')", label, "TIMESTAMP")]
    if kind_of(type_name) == "other" and not _plain_list(type_name):
        return [_Field(f"CAST(to_json({sql}) AS VARCHAR)", label, "VARCHAR")]
    return [_Field(sql, label, type_name)]


def _plain_list(type_name: str) -> bool:
    return type_name.endswith("[]") and kind_of(type_name[:-2]) != "other"


def _records_within(work: Work, connection: duckdb.DuckDBPyConnection, source: str) -> str:
    """SQL for the records in an object that holds one list of them, as many services answer; else empty."""
    try:
        columns = described(connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall())
        lists = [name for name, type_name in columns if type_name.startswith("STRUCT") and type_name.endswith("[]")]
        if len(lists) != 1:
            return ""
        row = connection.execute(f"SELECT count(*) FROM (FROM {source} LIMIT 2)").fetchone()
    except duckdb.Error:
        return ""
    if row != (1,):
        return ""
    work.notes.append(Text("The rows are those of “{label_of}”.", label_of=label_of(lists[0])))
    return f"(SELECT unnest(record) FROM (SELECT unnest({quoted(lists[0])}) AS record FROM {source}))"
