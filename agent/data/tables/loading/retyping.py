"""A column in another type, as somebody chose it: the table is written anew, what does not fit becomes empty."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb

from agent.data.refusal import Refused
from agent.data.tables.asking.engine import importing
from agent.data.tables.columns import CHOICES, Column, Table
from agent.data.tables.identifiers import literal, quoted
from agent.data.tables.loading.column_types import form_named
from agent.data.tables.loading.progress import Reporter
from agent.data.tables.loading.value_forms import NO_VALUE, no_value
from agent.data.tables.loading.writing import new_file, unfinished, write_parquet
from agent.interface_text import Text


def retyped(table: Table, folder: Path, column: str, to: str) -> tuple[Table, int]:
    """The table with ``column`` as ``to`` (of ``CHOICES``) in a new file, and how many values were lost by it."""
    known = {other.name: other for other in table.columns}
    if column not in known or to not in CHOICES:
        raise Refused(Text("There is no column “{column}”, or no type “{to}”.", column=column[:80], to=to[:40]), "name")
    target = folder / new_file()
    source = f"read_parquet({literal(str(folder / table.file))})"
    with importing(folder) as connection, unfinished(target) as part:
        sample = connection.execute(
            f"SELECT CAST({quoted(column)} AS VARCHAR) FROM {source} WHERE {quoted(column)} IS NOT NULL LIMIT 1000"
        ).fetchall()
        value, made = _value(known[column], to, [str(row[0]).strip() for row in sample])
        row = connection.execute(
            f"SELECT count(*) FROM {source} WHERE {quoted(column)} IS NOT NULL AND ({value}) IS NULL "
            f"AND NOT {no_value(f'CAST({quoted(column)} AS VARCHAR)')}"
        ).fetchone()
        lost = int(row[0]) if row else 0
        if lost and lost == _filled(connection, source, column):
            raise Refused(
                Text("No value of {column} can be read as {to}.", column=known[column].label or column, to=to), "input"
            )
        parts = [value if other == column else quoted(other) for other in known]
        query = ", ".join(f"{sql} AS {quoted(name)}" for sql, name in zip(parts, known, strict=True))
        write_parquet(connection, f"SELECT {query} FROM {source}", part, Reporter(None), "Writing")
    columns = tuple(made if other.name == column else other for other in table.columns)
    return replace(table, file=target.name, columns=columns), lost


def _filled(connection: duckdb.DuckDBPyConnection, source: str, column: str) -> int:
    row = connection.execute(f"SELECT count({quoted(column)}) FROM {source}").fetchone()
    return int(row[0]) if row else 0


def _value(column: Column, to: str, sample: list[str]) -> tuple[str, Column]:
    name, type_name = quoted(column.name), CHOICES[to]
    made = replace(column, type=type_name, note="", unit=column.unit if type_name in ("DOUBLE", "BIGINT") else "")
    if column.type != "VARCHAR" or to == "text":
        return f"TRY_CAST({name} AS {type_name})", made
    wanted = [text for text in sample if text.lower() not in NO_VALUE]
    form = form_named(to, wanted) or (form_named("number", wanted) if to == "whole number" else None)
    if form is None:
        # Ids with leading zeros and the like, which are made numbers only where somebody asks for it.
        return f"TRY_CAST(trim({name}) AS {type_name})", made
    if type_name in ("DOUBLE", "BIGINT"):
        # Zeros before a number make it an id, until somebody says that it is none.
        name = f"regexp_replace({name}, '^(\\s*[-+]?)0+([0-9])', '\\1\\2')"
    ready = f"CASE WHEN NOT {no_value(name)} THEN TRY_CAST({form.sql(name)} AS {type_name}) END"
    return ready, replace(made, unit=form.unit)
