"""What a table holds, without its rows: counted and looked at once, for the model (``card_texts``) and the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import duckdb

from agent.data.tables.asking.engine import fetch_one, importing
from agent.data.tables.asking.querying import readable
from agent.data.tables.cells import json_value, one_line, shown
from agent.data.tables.columns import Column, Table
from agent.data.tables.identifiers import literal, quoted
from agent.data.tables.loading.load_work import Limits

_HELD_ROWS = 20_000  # of a wide table at most, whose columns are looked at in memory
_EXACT_ROWS = 200_000  # above, the number of distinct values is an estimate
_BINS = 20
_TOP = 60  # values, by which names in a question are known without a query; the page draws the first of them
_DRAWN = 100  # columns; the rest have no examples and no histogram
_AT_ONCE = 50  # columns
_EXAMPLES = 5
_MOST_LABELS = 80  # rows of a table whose labels are all told
_ORDERED = ("integer", "number", "date", "timestamp", "time")


def card_of(table: Table, folder: Path) -> dict[str, Any]:
    """The table as ``Table.json`` has it, each column with ``nulls``, ``distinct`` and ``exact`` (no estimate),
    ``min``, ``max`` and ``mean`` where they make sense, ``examples`` (the most frequent values first), ``histogram``.

    ``labels`` are those of the rows, where a text comes first and there are few: each with whether its row has values.

    A histogram is ``{"kind": "bins", "from", "to", "counts"}`` or ``{"kind": "values", "values", "counts", "others"}``.
    """
    held = len(table.columns) > _AT_ONCE and table.rows <= _HELD_ROWS
    file = f"read_parquet({literal(str(folder / table.file))})"
    with readable(), importing(folder, Limits().memory) as connection:
        try:
            columns = _columns(connection, file, table, held)
        except duckdb.OutOfMemoryException:
            columns = _columns(connection, file, table, held=False)
        return {**table.json(), "columns": columns, "labels": _labels(connection, file, table)}


def _labels(connection: duckdb.DuckDBPyConnection, file: str, table: Table) -> list[tuple[str, bool]]:
    """The labels of the rows in their order; a heading above some rows has no values beside it."""
    if table.rows > _MOST_LABELS or not 1 < len(table.columns) <= _AT_ONCE or table.columns[0].kind != "text":
        return []
    first, *others = (quoted(column.name) for column in table.columns)
    filled = " OR ".join(f"{name} IS NOT NULL" for name in others)
    rows = connection.execute(f"SELECT {first}, {filled} FROM {file}").fetchall()
    return [(str(label or ""), bool(has)) for label, has in rows]


def _columns(connection: duckdb.DuckDBPyConnection, file: str, table: Table, held: bool) -> list[dict[str, Any]]:
    """All columns, looked at some at a time; with ``held`` in memory, for each look at a file finds all its columns."""
    columns: list[dict[str, Any]] = []
    for start in range(0, len(table.columns), _AT_ONCE):
        some, source = table.columns[start : start + _AT_ONCE], file
        if held:
            source = "held"
            names = ", ".join(quoted(column.name) for column in some)
            connection.execute(f"CREATE OR REPLACE TEMP TABLE held AS SELECT {names} FROM {file}")
        described = _counted(connection, source, some, table.rows)
        for each in described[: max(0, _DRAWN - start)]:
            _look(connection, source, each, table.rows)
        columns += described
    return columns


def _counted(
    connection: duckdb.DuckDBPyConnection, source: str, columns: Sequence[Column], rows: int
) -> list[dict[str, Any]]:
    """What one pass over these columns tells."""
    exact = rows <= _EXACT_ROWS
    row = fetch_one(connection, f"SELECT {', '.join(_counts(column, exact) for column in columns)} FROM {source}")
    described: list[dict[str, Any]] = []
    for place, column in enumerate(columns):
        count, different, least, most, average = row[5 * place : 5 * place + 5]
        described.append(
            {
                **asdict(column),
                "kind": column.kind,
                "nulls": rows - int(count),
                "distinct": min(int(different), int(count)),
                "exact": exact,
                "min": json_value(least),
                "max": json_value(most),
                "mean": json_value(average),
                "examples": [],
                "histogram": None,
            }
        )
    return described


def _counts(column: Column, exact: bool) -> str:
    name = quoted(column.name)
    distinct = f"count(DISTINCT {name})" if exact else f"approx_count_distinct({name})"
    span = f"min({name}), max({name})" if column.kind in _ORDERED else "NULL, NULL"
    mean = f"avg({name})" if column.kind in ("integer", "number") else "NULL"
    return f"count({name}), {distinct}, {span}, {mean}"


def _look(connection: duckdb.DuckDBPyConnection, source: str, described: dict[str, Any], rows: int) -> None:
    """Add examples and a histogram, which take a pass each."""
    name, kind = quoted(described["name"]), described["kind"]
    count = rows - described["nulls"]
    if not count:
        return
    frequent = _frequent(connection, source, name)
    described["examples"] = [one_line(shown(value), 60) for value, _ in frequent[:_EXAMPLES]]
    spread = kind in _ORDERED and described["min"] != described["max"]
    described["histogram"] = _bins(connection, source, name, kind) if spread else _values(frequent, count)


def _frequent(connection: duckdb.DuckDBPyConnection, source: str, name: str) -> list[tuple[object, int]]:
    """The most frequent values in the first rows, where every one may be different; of all where there are few."""
    rows = connection.execute(
        f"SELECT v, count(*) AS n FROM (SELECT {name} AS v FROM {source} WHERE {name} IS NOT NULL LIMIT {_EXACT_ROWS}) "
        f"GROUP BY v ORDER BY n DESC, v LIMIT {_TOP}"
    ).fetchall()
    return [(value, int(count)) for value, count in rows]


def _values(frequent: Sequence[tuple[object, int]], count: int) -> dict[str, Any]:
    counted = min(count, _EXACT_ROWS)
    return {
        "kind": "values",
        "values": [one_line(shown(value), 40) for value, _ in frequent],
        "counts": [number for _, number in frequent],
        "others": max(0, counted - sum(number for _, number in frequent)),
    }


def _bins(connection: duckdb.DuckDBPyConnection, source: str, name: str, kind: str) -> dict[str, Any] | None:
    number = {"date": f"epoch({name})", "timestamp": f"epoch({name})", "time": f"epoch({name})"}.get(kind, name)
    value = f"CAST({number} AS DOUBLE)"
    rows = connection.execute(
        f"WITH numbers AS (SELECT {value} AS v FROM {source}), "
        "span AS (SELECT min(v) AS low, max(v) AS high FROM numbers WHERE isfinite(v)) "
        f"SELECT least({_BINS - 1}, CAST(floor((v - low) / (high - low) * {_BINS}) AS INTEGER)) AS bin, count(*) "
        "FROM numbers, span WHERE isfinite(v) AND high > low GROUP BY bin"
    ).fetchall()
    ends = connection.execute(f"SELECT min({name}), max({name}) FROM {source} WHERE isfinite({value})").fetchone()
    if not rows or ends is None:
        return None
    counts = [0] * _BINS
    for place, count in rows:
        counts[int(place)] = int(count)
    return {"kind": "bins", "from": shown(ends[0]), "to": shown(ends[1]), "counts": counts}
